/* SPDX-License-Identifier: Apache-2.0
 *
 * extract from vectors. Places are read in blocks, and become places in the values of u: the same
 * where u is dense, found by binary search where it is a list. Blocks are independent. The result
 * is dense where the places are, and a list of no more entries where they are a list.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/search.h"
#include "ops/apply.h"
#include "ops/gather.h"
#include "ops/indices.h"

typedef struct {
    gb_Indices64 places;
    uint64_t n;      /* how many */
    const int8_t *b; /* [n] whether there is a place, or NULL: everywhere */
    gb_MapSource u;
    uint64_t limit; /* length of u */
    size_t size;    /* of a value */
    int8_t *found;  /* [n] out, or NULL: all are */
    char *x;        /* [n] out, values where found; unused when u is iso */
    uint64_t kept;  /* atomic, out: how many were found */
    uint64_t wrong; /* atomic, out: the first number of a place that u does not have, or n */
} Gather;

/* Where the values of u have that of its element at `place`; UINT64_MAX where there is none. */
static inline uint64_t look_up(const Gather *g, uint64_t place) {
    const gb_MapSource *u = &g->u;
    if (u->is_empty) return UINT64_MAX;
    if (u->is_dense) return u->dense.b == NULL || u->dense.b[place] ? place : UINT64_MAX;
    const uint64_t k = gb_first_at_least(u->cs.i, 0, u->cs.nvals, place);
    return k < u->cs.nvals && u->cs.i[k] == place ? k : UINT64_MAX;
}

static void gather_block(Gather *g, uint64_t first, uint64_t end) {
    const bool iso = g->u.is_dense ? g->u.dense.iso : g->u.cs.iso;
    const void *values = g->u.is_dense ? g->u.dense.x : g->u.cs.x;
    uint64_t kept = 0;
    for (; first < end; first += GB_BATCH) {
        uint64_t at[GB_BATCH];
        const size_t count = end - first < GB_BATCH ? end - first : GB_BATCH;
        gb_indices_read(&g->places, first, count, at);
        for (size_t k = 0; k < count; k++) {
            const bool there = g->b == NULL || g->b[first + k];
            if (there && at[k] >= g->limit) {
                gb_note_least(&g->wrong, first + k);
                return;
            }
            at[k] = there ? look_up(g, at[k]) : UINT64_MAX;
            g->found[first + k] = at[k] != UINT64_MAX;
            kept += at[k] != UINT64_MAX;
        }
        if (!iso && !g->u.is_empty) gb_gather(g->x + first * g->size, values, at, g->size, count);
    }
    __atomic_fetch_add(&g->kept, kept, __ATOMIC_RELAXED);
}

/* The same where u is full and there is a place everywhere: nothing is to be found. */
static void gather_full(Gather *g, uint64_t first, uint64_t end) {
    const void *values = g->u.dense.x;
    for (; first < end; first += GB_BATCH) {
        uint64_t space[GB_BATCH];
        const size_t count = end - first < GB_BATCH ? end - first : GB_BATCH;
        const uint64_t *at = gb_indices_view(&g->places, first, count, space);
        bool fit = true;
        for (size_t k = 0; k < count; k++) fit &= at[k] < g->limit;
        for (size_t k = 0; !fit && k < count; k++)
            if (at[k] >= g->limit) gb_note_least(&g->wrong, first + k);
        if (!fit) return;
        if (!g->u.dense.iso) gb_gather(g->x + first * g->size, values, at, g->size, count);
    }
}

static bool is_full(const Gather *g) {
    return g->b == NULL && g->u.is_dense && g->u.dense.b == NULL;
}

static void run_block(void *context, uint64_t b) {
    Gather *g = context;
    const uint64_t from = b * GB_GRAIN;
    const uint64_t end = g->n - from < GB_GRAIN ? g->n : from + GB_GRAIN;
    if (g->found == NULL)
        gather_full(g, from, end);
    else
        gather_block(g, from, end);
}

/* i[n]: the positions of the places; NULL: all in order. */
static gbl_Info run(Gather *g, const gb_Idx *i) {
    const uint64_t blocks = g->n / GB_GRAIN + (g->n % GB_GRAIN != 0);
    const int threads = gb_threads_for(g->n, GB_GRAIN, gb_nthreads());
    g->wrong = g->n;
    gb_parallel_for(threads, blocks, run_block, g);
    if (g->wrong == g->n) return GBL_SUCCESS;
    uint64_t place;
    gb_indices_read(&g->places, g->wrong, 1, &place);
    return gb_fail_index("I", i != NULL ? i[g->wrong] : g->wrong, place, g->limit);
}

/* -- results: values[n] and found[n] become T */

static void keep_one(const Gather *g, void *x) {
    memcpy(x, g->u.is_dense ? g->u.dense.x : g->u.cs.x, g->size);
}

static gbl_Info make_dense(Gather *g, gb_Result *T) {
    const bool iso = g->u.is_dense ? g->u.dense.iso : g->u.cs.iso;
    size_t bytes = g->size;
    T->is_dense = true;
    if (!iso && !gb_size_mul(&bytes, g->n, g->size)) return gb_fail_memory(SIZE_MAX);
    const bool full = is_full(g);
    gbl_Info info = gb_dense_alloc(&T->dense, g->n, bytes, !full);
    if (info != GBL_SUCCESS) return info;
    g->found = T->dense.b;
    g->kept = full ? g->n : 0;
    g->x = T->dense.x;
    info = run(g, NULL);
    if (info != GBL_SUCCESS) return info;
    if (iso && !g->u.is_empty) keep_one(g, T->dense.x);
    T->dense.iso = iso;
    T->dense.nvals = g->kept;
    if (full || g->kept < g->n) return GBL_SUCCESS;
    gb_free(T->dense.b, g->n);
    T->dense.b = NULL;
    return GBL_SUCCESS;
}

/* i[n]: the position of each place. */
static gbl_Info make_list(Gather *g, const gb_Idx *i, gb_Result *T) {
    const bool iso = g->u.is_dense ? g->u.dense.iso : g->u.cs.iso;
    size_t bytes = g->size;
    if (!iso && !gb_size_mul(&bytes, g->n, g->size)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = gb_cs_alloc(&T->cs, 1, g->n, bytes);
    if (info != GBL_SUCCESS) return info;
    gb_Cs *cs = &T->cs;
    g->x = cs->x;
    g->found = gb_malloc(g->n);
    if (g->found == NULL) return gb_fail_memory(g->n);
    info = run(g, i);
    uint64_t q = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < g->n; k++) {
        if (!g->found[k]) continue;
        cs->i[q] = i[k];
        if (!iso && q < k) memcpy(g->x + q * g->size, g->x + k * g->size, g->size);
        q++;
    }
    gb_free(g->found, g->n);
    if (info != GBL_SUCCESS) return info;
    if (iso && !g->u.is_empty) keep_one(g, cs->x);
    cs->iso = iso;
    cs->nvals = q;
    cs->p[0] = 0;
    cs->p[1] = q;
    return GBL_SUCCESS;
}

static gbl_Info open_source(Gather *g, gb_Matrix *u) {
    gbl_Info info = gb_map_source(&g->u, u, false);
    if (info == GBL_SUCCESS && !g->u.is_empty && !g->u.is_dense)
        info = gb_acquire_sorted(u, GB_CSC, &g->u.cs);
    g->limit = u->nrows;
    g->size = u->type->size;
    return info;
}

gbl_Info gb_extract(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u,
                    const gb_Indices *I) {
    gb_Result T = {.type = u->type, .format = GB_CSC};
    Gather g = {.places = {gb_type_of(GBL_UINT64_CODE), I->i, 1}, .n = I->n};
    gbl_Info info = open_source(&g, u);
    if (info == GBL_SUCCESS && I->n > 0 && !g.u.is_empty) info = make_dense(&g, &T);
    if (info == GBL_SUCCESS) return gb_finish(w, mask, accum, &T);
    gb_result_free(&T);
    return info;
}

gbl_Info gb_extract_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u,
                       gb_Matrix *I) {
    gb_Result T = {.type = u->type, .format = GB_CSC};
    Gather g = {0};
    gb_MapSource places;
    gbl_Info info = open_source(&g, u);
    if (info == GBL_SUCCESS) info = gb_map_source(&places, I, false);
    if (info != GBL_SUCCESS) return info;
    if (places.is_empty) return gb_finish(w, mask, accum, &T);
    if (places.is_dense) {
        g.places = (gb_Indices64){I->type, places.dense.x, places.dense.iso ? 0 : 1};
        g.b = places.dense.b;
        g.n = I->nrows;
        info = make_dense(&g, &T);
    } else {
        g.places = (gb_Indices64){I->type, places.cs.x, places.cs.iso ? 0 : 1};
        g.n = places.cs.nvals;
        info = make_list(&g, places.cs.i, &T);
        T.cs.sorted = places.cs.sorted;
    }
    if (info == GBL_SUCCESS) return gb_finish(w, mask, accum, &T);
    gb_result_free(&T);
    return info;
}
