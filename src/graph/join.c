/* SPDX-License-Identifier: Apache-2.0
 *
 * join: trees united along edges, by the algorithm of Rem (in E. W. Dijkstra, A Discipline of
 * Programming, 1976; its steps by compare-and-swap as in ConnectIt, L. Dhulipala, C. Hong, J. Shun,
 * VLDB 2020). Links are flat at first, so only roots are ever linked to. A link changes to a lower
 * root alone, and the links of roots, on the way up, descend: chains cannot go round, whoever
 * writes when, and the root of united trees is the lowest of theirs. O(entries looked at) but for
 * the walks, which shorten what they walk.
 */
#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/operand.h"
#include "matrix/acquire.h"
#include "graph/forest.h"

typedef struct {
    gb_CsView A;
    const gb_Idx *rows; /* [nrows] that are looked at; NULL: those below nrows */
    uint64_t nrows;
    const int8_t *allowed; /* of all rows, or NULL: every one */
    uint64_t first, count; /* entries of a row */
    uint64_t parts;        /* of the rows */
    gb_Idx *link;          /* [n] atomic */
    int8_t *b;             /* [n] atomic: places that are entries; NULL: all */
    bool *joined;          /* atomic: a link has changed */
} Joining;

static inline gb_Idx link_of(const Joining *j, gb_Idx k) {
    return __atomic_load_n(&j->link[k], __ATOMIC_RELAXED);
}

/* link[k] becomes `to`, unless it is no longer *from, which then gets what it is. */
static inline bool exchange(const Joining *j, gb_Idx k, gb_Idx *from, gb_Idx to) {
    return __atomic_compare_exchange_n(&j->link[k], from, to, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* The trees of u and v become one; false if they were. The walk goes on from the higher of both
 * links, which becomes the lower one: a root has a parent then, any other place is nearer to the
 * root. */
static inline bool join_trees(const Joining *j, gb_Idx u, gb_Idx v) {
    gb_Idx up = link_of(j, u), low = link_of(j, v);
    const bool apart = up != low;
    while (up != low) {
        if (up < low) {
            const gb_Idx place = u, link = up;
            u = v;
            up = low;
            v = place;
            low = link;
        }
        gb_Idx seen = up;
        const bool done = exchange(j, u, &seen, low);
        if (u == up) {
            if (done) break;
            up = seen;
        } else {
            u = up;
            up = link_of(j, u);
        }
    }
    return apart;
}

/* Along the entries of a row, of which there are more than `first`: whether trees were joined. */
static bool join_row(const Joining *j, gb_Idx row) {
    const uint64_t length = j->A.p[row + 1] - j->A.p[row] - j->first;
    const uint64_t count = length < j->count ? length : j->count;
    const gb_Idx *i = j->A.i + j->A.p[row] + j->first;
    bool joined = false;
    for (uint64_t e = 0; e < count; e++) joined |= join_trees(j, row, i[e]);
    if (j->b == NULL) return joined;
    for (uint64_t e = 0; e < count; e++) __atomic_store_n(&j->b[i[e]], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&j->b[row], 1, __ATOMIC_RELAXED);
    return joined;
}

static inline gb_Idx row_at(const Joining *j, uint64_t k) {
    return j->rows != NULL ? j->rows[k] : (gb_Idx)k;
}

/* Whether entries of the next rows are worth asking for: all rows are looked at, and are longer on
 * average than a line of the cache, so that hardware does not see where the next one begins. */
static bool looks_ahead(const Joining *j) {
    return j->allowed == NULL && j->A.nvals / (GB_LINE_BYTES / sizeof(gb_Idx)) > j->A.nmajor;
}

/* Asks for the first entry of a row that is looked at, if there is one. */
static inline void ask_for(const Joining *j, gb_Idx row) {
    const uint64_t e = j->A.p[row] + j->first;
    if (e < j->A.nvals) __builtin_prefetch(j->A.i + e);
}

/* A row that the mask does not have is taken for an empty one: where the mask leaves few but empty
 * rows, processors would guess wrong at either condition alone. */
static void join_part(void *context, uint64_t t) {
    const Joining own = *(const Joining *)context, *const j = &own; /* links do not alias it */
    const gb_Off *p = j->A.p;
    const uint64_t ahead = looks_ahead(j) ? GB_JOIN_AHEAD : UINT64_MAX;
    bool joined = false;
    const uint64_t end = gb_part(j->nrows, t + 1, j->parts);
    for (uint64_t k = gb_part(j->nrows, t, j->parts); k < end; k++) {
        const gb_Idx row = row_at(j, k);
        if (end - k > ahead) ask_for(j, row_at(j, k + ahead));
        const uint64_t all = j->allowed == NULL ? UINT64_MAX : -(uint64_t)j->allowed[row];
        if (((p[row + 1] - p[row]) & all) > j->first) joined |= join_row(j, row);
    }
    if (joined) __atomic_store_n(j->joined, true, __ATOMIC_RELAXED);
}

/* Rows may have very different lengths, and a thread may lose its processor: many parts. */
static void join_rows(Joining *j) {
    enum { PARTS = 16 }; /* a thread */
    uint64_t entries = j->A.nvals;
    if (j->count < entries / (j->nrows + 1)) entries = j->nrows * j->count;
    const int threads = gb_threads_for(j->nrows + entries, GB_GRAIN, gb_nthreads());
    j->parts = threads > 1 ? PARTS * (uint64_t)threads : 1;
    gb_parallel_for(threads, j->parts, join_part, j);
}

/* Rows that the mask has, as a list where it is one. */
static gbl_Info join_masked(Joining *j, const gb_Mask *mask, uint64_t n) {
    gb_MaskView list = {0};
    int8_t *allowed = NULL;
    const bool listed = mask->M != NULL && !mask->complement && !gb_is_dense(mask->M);
    gbl_Info info = GBL_SUCCESS;
    if (listed) {
        info = gb_mask_get(&list, mask, GB_CSC);
        j->rows = list.view.i;
        j->nrows = list.view.nvals;
    } else if (mask->M != NULL) {
        info = gb_mask_bytes(&allowed, mask, n);
        j->allowed = allowed;
    }
    if (info == GBL_SUCCESS && j->nrows > 0) join_rows(j);
    gb_mask_release(&list);
    gb_free(allowed, n);
    return info;
}

static uint64_t count_entries(const int8_t *b, uint64_t n) {
    uint64_t nvals = 0;
    for (uint64_t k = 0; k < n; k++) nvals += (uint64_t)b[k];
    return nvals;
}

gbl_Info gb_join(gb_Matrix *w, const gb_Mask *mask, const gb_Join *call) {
    static const gb_Mask no_mask = {0};
    gb_Matrix *const A = call->A;
    const gb_Format format = call->transpose ? GB_CSC : GB_CSR;
    const uint64_t n = w->nrows;
    bool joined = false;
    Joining j = {.nrows = n, .first = call->first, .count = call->count, .joined = &joined};
    gb_Result T;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_assemble(mask->M);
    if (info != GBL_SUCCESS) return info;
    const bool any = A->nvals > 0 && call->count > 0 && !gb_mask_allows_none(mask);
    if (any) info = gb_acquire_sorted(A, format, &j.A);
    if (info == GBL_SUCCESS) info = gb_forest_roots(&T, w, "w");
    if (info != GBL_SUCCESS) return info;
    if (any) {
        j.link = T.dense.x;
        j.b = T.dense.b;
        info = join_masked(&j, mask, n);
    }
    if (info != GBL_SUCCESS) {
        gb_result_free(&T);
        return info;
    }
    if (joined) gb_forest_flatten(j.link, n);
    if (any && j.b != NULL) T.dense.nvals = count_entries(j.b, n);
    return gb_finish(w, &no_mask, NULL, &T);
}
