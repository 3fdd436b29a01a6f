/* SPDX-License-Identifier: Apache-2.0
 *
 * Masked inner products for one semiring: C(i,j) = A(i,:) . B(:,j) for the (i,j) of the mask only.
 * Included once per entry of semiring/foreach.h.
 *
 * Row i of A is spread over the inner dimension once: as marks, and where values matter also as the
 * position of each entry; then every column of B that the mask asks for is scanned and looked up.
 * When the column is much longer than the row, the row is searched in the column instead. Both add
 * in the order of k (for an unsorted column: in the order it stands). B is given by columns.
 *
 * Cost: for each (i,j) of the mask the length of column j, or nnz(A(i,:)) * log(length).
 */
#include "core/search.h"
#include "cpu/isa/dotwork.h"
#include "cpu/isa/template.h"

/* Scans column j for entries whose k is in the row. Returns how many products were made. */
static inline uint64_t NAME(scan)(const gb_MxmArgs *g, const gb_RingArgs *R, const gb_DotWork *w,
                                  uint64_t i, uint64_t j, SR_T *c) {
    const gb_Idx *restrict Bi = g->B.i;
    const uint8_t *restrict mark = w->mark;
    const gb_Off to = g->B.p[j + 1];
    uint64_t found = 0;
#if SR_COUNT
    for (gb_Off q = g->B.p[j]; q < to; q++) found += mark[Bi[q]];
    *c = (SR_T)found;
#else
    for (gb_Off q = g->B.p[j]; q < to; q++) {
        const uint64_t k = Bi[q];
        if (!mark[k]) continue;
        const SR_T *a = SR_USES_A ? SR_A(w->start + w->at[k]) : NULL;
        if (found++ == 0)
            SR_SET(c, a, SR_B(q), i, k, j);
        else
            SR_FMA(c, a, SR_B(q), i, k, j);
        (void)a;
        if (SR_DONE(c)) break;
    }
#endif
    (void)R, (void)i;
    return found;
}

/* The same for a column much longer than the row: binary search of each k of the row. */
static uint64_t NAME(search)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i, uint64_t j,
                             SR_T *c) {
    gb_Off lo = g->B.p[j];
    const gb_Off end = g->B.p[j + 1];
    uint64_t found = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1] && lo < end; p++) {
        const gb_Idx k = g->A.i[p];
        lo = gb_gallop(g->B.i, lo, end, k);
        if (lo == end || g->B.i[lo] != k) continue;
        if (found++ == 0)
            SR_SET(c, SR_A(p), SR_B(lo), i, (uint64_t)k, j);
        else
            SR_FMA(c, SR_A(p), SR_B(lo), i, (uint64_t)k, j);
        if (SR_DONE(c)) break;
    }
    (void)R, (void)i;
    return found;
}

static uint64_t NAME(dot_row)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_Idx *Ci,
                              void *Cx) {
    const gb_RingArgs *R = &w->args;
    const gb_Off from = g->A.p[i], to = g->A.p[i + 1], a = to - from;
    if (a == 0 || g->M.p[i] == g->M.p[i + 1]) return 0;
    uint64_t n = 0;
    w->start = from;
    for (gb_Off p = from; p < to; p++) {
        w->mark[g->A.i[p]] = 1;
        if (SR_USES_A) w->at[g->A.i[p]] = (gb_Idx)(p - from);
    }
    for (gb_Off m = g->M.p[i]; m < g->M.p[i + 1]; m++) {
        const uint64_t j = g->M.i[m];
        if (m + GB_DOT_PREFETCH < g->M.nvals)
            __builtin_prefetch(&g->B.i[g->B.p[g->M.i[m + GB_DOT_PREFETCH]]]);
        const uint64_t b = g->B.p[j + 1] - g->B.p[j];
        const bool long_column = g->A.sorted && g->B.sorted && b > GB_DOT_SEARCH * a;
        SR_T *c = SR_AT(Cx, n);
        const uint64_t found =
            long_column ? NAME(search)(g, R, i, j, c) : NAME(scan)(g, R, w, i, j, c);
        if (found > 0) Ci[n++] = (gb_Idx)j;
    }
    for (gb_Off p = from; p < to; p++) w->mark[g->A.i[p]] = 0;
    (void)R;
    return n;
}

#undef NAME
