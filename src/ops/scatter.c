/* SPDX-License-Identifier: Apache-2.0
 *
 * scatter. Where both vectors are full their arrays are the pairs (place, value); else the pairs of
 * entries at equal positions are collected. Many pairs go to an array as long as the result, each
 * thread writing a range of its own and reading all places, so that values fold in their order
 * without locks; few are sorted by place, and nothing is as long as the result.
 */
#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "ops/gather.h"
#include "ops/places.h"

/* n pairs; values of dup's type. Collected arrays have room for `capacity`. */
typedef struct {
    gb_Places places;
    const char *x;
    int sx;
    uint64_t n, capacity;
    gbl_Index *own_places;
    char *own_x;
    gb_DenseOperand full; /* where the vectors are full */
} Pairs;

static void pairs_free(Pairs *pairs, size_t size) {
    gb_free(pairs->own_places, pairs->capacity * sizeof *pairs->own_places);
    gb_free(pairs->own_x, pairs->capacity * size);
    gb_dense_operand_release(&pairs->full);
}

static gbl_Info pairs_of_full(Pairs *pairs, const gb_ScatterAt *call) {
    gb_DenseView I;
    gbl_Info info = gb_need_dense(call->I, &I);
    if (info == GBL_SUCCESS) info = gb_dense_operand_get(&pairs->full, call->u, call->dup->ztype);
    if (info != GBL_SUCCESS) return info;
    pairs->places = (gb_Places){call->I->type, I.x, I.iso ? 0 : 1};
    pairs->x = pairs->full.view.x;
    pairs->sx = pairs->full.view.iso ? 0 : 1;
    pairs->n = I.n;
    return GBL_SUCCESS;
}

/* Both as lists: entries at equal positions, whose places are below `limit`. */
static gbl_Info pairs_of_lists(Pairs *pairs, const gb_ScatterAt *call, uint64_t limit) {
    const size_t size = call->dup->ztype->size;
    gb_CsView I, sorted;
    gb_Operand u;
    gbl_Info info = gb_need_sorted(call->I, GB_CSC, &I);
    if (info == GBL_SUCCESS) info = gb_need_sorted(call->u, GB_CSC, &sorted);
    if (info == GBL_SUCCESS) info = gb_operand_get(&u, call->u, GB_CSC, call->dup->ztype);
    if (info != GBL_SUCCESS) return info;
    const uint64_t most = I.nvals < u.view.nvals ? I.nvals : u.view.nvals;
    pairs->capacity = most;
    pairs->own_places = gb_malloc(most * sizeof *pairs->own_places);
    pairs->own_x = gb_malloc(most * size);
    if (pairs->own_places == NULL || pairs->own_x == NULL)
        info = gb_fail_memory(NULL, most * (size + sizeof *pairs->own_places));
    const gb_Places places = {call->I->type, I.x, I.iso ? 0 : 1};
    const char *x = u.view.x;
    uint64_t n = 0, e = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < I.nvals; k++) {
        while (e < u.view.nvals && u.view.i[e] < I.i[k]) e++;
        if (e == u.view.nvals) break;
        if (u.view.i[e] != I.i[k]) continue;
        uint64_t *place = &pairs->own_places[n];
        gb_places_read(&places, k, 1, place);
        if (*place >= limit) info = gb_fail_place("I", I.i[k], *place, limit);
        memcpy(pairs->own_x + n * size, x + (u.view.iso ? 0 : e * size), size);
        n++;
    }
    gb_operand_release(&u);
    pairs->places = (gb_Places){gb_type_of(GBL_UINT64_CODE), pairs->own_places, 1};
    pairs->x = pairs->own_x;
    pairs->sx = 1;
    pairs->n = n;
    return info;
}

/* -- many pairs */

typedef struct {
    const Pairs *pairs;
    const gb_BinaryOp *dup;
    gb_Dense *z;
    char *folds; /* [parts] values */
    int parts;
    uint64_t kept, wrong; /* atomic; the first pair whose place is outside, or n */
} Spread;

/* Places [low, high) of z; fold: room for one value. */
static void spread_range(Spread *s, uint64_t low, uint64_t high, char *fold) {
    const Pairs *pairs = s->pairs;
    const size_t size = s->dup->ztype->size;
    uint64_t kept = 0, at[GB_BATCH];
    for (uint64_t first = 0; first < pairs->n; first += GB_BATCH) {
        const size_t count = pairs->n - first < GB_BATCH ? pairs->n - first : GB_BATCH;
        gb_places_read(&pairs->places, first, count, at);
        for (size_t k = 0; k < count; k++) {
            if (at[k] >= s->z->n) {
                __atomic_store_n(&s->wrong, first + k, __ATOMIC_RELAXED);
                return; /* every thread finds the same one first */
            }
            if (at[k] < low || at[k] >= high) continue;
            const char *x = pairs->x + (pairs->sx != 0 ? (first + k) * size : 0);
            char *z = (char *)s->z->x + at[k] * size;
            if (s->z->b[at[k]]) {
                s->dup->scalar(fold, z, x);
                memcpy(z, fold, size);
            } else {
                memcpy(z, x, size);
                s->z->b[at[k]] = 1;
                kept++;
            }
        }
    }
    __atomic_fetch_add(&s->kept, kept, __ATOMIC_RELAXED);
}

static void spread_part(void *context, int t) {
    Spread *s = context;
    const uint64_t n = s->z->n, parts = (uint64_t)s->parts;
    spread_range(s, gb_part(n, (uint64_t)t, parts), gb_part(n, (uint64_t)t + 1, parts),
                 s->folds + (size_t)t * s->dup->ztype->size);
}

static gbl_Info spread(const Pairs *pairs, const gb_BinaryOp *dup, uint64_t n, gb_Result *T) {
    const size_t size = dup->ztype->size;
    const int threads = gb_threads_for(pairs->n, GB_GRAIN, gb_nthreads());
    size_t bytes;
    T->is_dense = true;
    if (!gb_size_mul(&bytes, n, size)) return gb_fail_memory(NULL, SIZE_MAX);
    gbl_Info info = gb_dense_alloc(&T->dense, n, bytes, true);
    if (info != GBL_SUCCESS) return info;
    memset(T->dense.b, 0, n);
    char *folds = gb_malloc((size_t)threads * size);
    if (folds == NULL) return gb_fail_memory(NULL, (size_t)threads * size);
    Spread s = {.pairs = pairs,
                .dup = dup,
                .z = &T->dense,
                .folds = folds,
                .parts = threads,
                .wrong = pairs->n};
    gb_parallel(threads, spread_part, &s);
    gb_free(folds, (size_t)threads * size);
    T->dense.nvals = s.kept;
    if (s.wrong == pairs->n) return GBL_SUCCESS;
    uint64_t place;
    gb_places_read(&pairs->places, s.wrong, 1, &place);
    return gb_fail_place("I", s.wrong, place, n);
}

/* -- few */

static gbl_Info sort_pairs(const Pairs *pairs, const gb_BinaryOp *dup, uint64_t n, gb_Result *T) {
    const gb_Tuples tuples = {.minor = pairs->own_places,
                              .x = pairs->own_x,
                              .sx = 1,
                              .n = pairs->n,
                              .nmajor = 1,
                              .nminor = n};
    return gb_tuples_to_cs(&T->cs, &tuples, dup->ztype, dup);
}

gbl_Info gb_scatter_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                       const gb_ScatterAt *call) {
    gb_Result T = {.type = call->dup->ztype, .format = GB_CSC};
    Pairs pairs = {0};
    gbl_Info info = gb_assemble(call->u);
    if (info == GBL_SUCCESS) info = gb_assemble(call->I);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = w->nrows, length = call->u->nrows;
    if (call->u->nvals > 0 && call->I->nvals > 0) {
        const bool full = call->u->nvals == length && call->I->nvals == length;
        const bool many = full && n / GB_FEW <= length;
        info = many ? pairs_of_full(&pairs, call) : pairs_of_lists(&pairs, call, n);
    }
    if (info == GBL_SUCCESS && pairs.n > 0)
        info = n / GB_FEW <= pairs.n ? spread(&pairs, call->dup, n, &T)
                                     : sort_pairs(&pairs, call->dup, n, &T);
    pairs_free(&pairs, call->dup->ztype->size);
    if (info == GBL_SUCCESS) return gb_finish(w, mask, accum, &T);
    gb_result_free(&T);
    return info;
}
