/* SPDX-License-Identifier: Apache-2.0
 *
 * Masked inner products for one semiring: C(i,j) = A(i,:) . B(:,j) for the (i,j) of the mask only.
 * Included once per entry of semiring/foreach.h.
 *
 * Row i of A is spread over the inner dimension once: as marks, and where values matter also as the
 * position of each entry; then every column of B that the mask asks for is scanned and looked up.
 * When the column is much longer than the row, or the inner dimension too large to be marked, both
 * are searched in each other instead. Where no value is looked at, columns that are held as bits
 * (core/bitrows.h) are met by ANDs of blocks of 512, or of the few words that a short row has. All
 * add in the order of k. B is given by columns; rows and columns are sorted. Where B is told apart
 * by hubs and products are only counted, or found, rows go the way of cpu/isa/hubrow.h.
 *
 * Cost: for each (i,j) of the mask the length of column j, or the lesser of row and column times
 * the logarithm of the greater, or the lesser of the row's words and the blocks of the column.
 */
#include "core/search.h"
#include "cpu/isa/dotwork.h"
#include "cpu/isa/template.h"

/* Scans column j for entries whose k is in the row. Returns how many products were made. */
static inline uint64_t NAME(scan)(const gb_MxmArgs *g, const gb_RingArgs *R, const gb_DotWork *w,
                                  uint64_t j, SR_T *c) {
    const gb_Idx *restrict Bi = g->B.i;
    const uint8_t *restrict mark = w->mark;
    const gb_Off to = g->B.p[j + 1];
    uint64_t found = 0;
#if SR_COUNT
    if (g->A.nminor <= INT32_MAX)
        found = gb_count_marked(mark, Bi + g->B.p[j], to - g->B.p[j]);
    else
        for (gb_Off q = g->B.p[j]; q < to; q++) found += mark[Bi[q]];
    *c = (SR_T)found;
#else
    for (gb_Off q = g->B.p[j]; q < to; q++) {
        const uint64_t k = Bi[q];
        if (!mark[k]) continue;
        const SR_T *a = SR_USES_A ? SR_A(w->start + w->at[k]) : NULL;
        if (found++ == 0)
            SR_SET(c, a, SR_B(q), w->row, k, j);
        else
            SR_FMA(c, a, SR_B(q), w->row, k, j);
        (void)a;
        if (SR_DONE(c)) break;
    }
#endif
    (void)R;
    return found;
}

/* The same without marks: the next k of either is searched in the other, from where it stands. */
static uint64_t NAME(search)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i, uint64_t j,
                             SR_T *c) {
    const gb_Idx *Ai = g->A.i, *Bi = g->B.i;
    gb_Off p = g->A.p[i], q = g->B.p[j];
    const gb_Off a = g->A.p[i + 1], b = g->B.p[j + 1];
    uint64_t found = 0;
    while (p < a && q < b) {
        const gb_Idx k = Ai[p];
        q = gb_gallop(Bi, q, b, k);
        if (q == b) break;
        if (Bi[q] != k) {
            p = gb_gallop(Ai, p + 1, a, Bi[q]);
            continue;
        }
        if (found++ == 0)
            SR_SET(c, SR_A(p), SR_B(q), i, (uint64_t)k, j);
        else
            SR_FMA(c, SR_A(p), SR_B(q), i, (uint64_t)k, j);
        if (SR_DONE(c)) break;
        p++;
        q++;
    }
    (void)R;
    return found;
}

#if SR_BY_BITS
/* The same for a column that is held as bits. */
static inline uint64_t NAME(meet)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_DotWork *w,
                                  uint64_t j, const gb_BitRow *held, SR_T *c) {
    if (!w->spread) gb_dot_spread(g, w);
    (void)R, (void)j;
#if SR_COUNT
    const uint64_t found = gb_dot_count(g, w, held);
    *c = (SR_T)found;
    return found;
#else
    const uint64_t k = gb_dot_first(g, w, held);
    if (k == UINT64_MAX) return 0;
    SR_SET(c, (const SR_T *)NULL, (const SR_T *)NULL, w->row, k, j);
    return 1;
#endif
}
#endif

#if SR_PAIR
/* Row i where B is told apart by hubs. */
static uint64_t NAME(hub_row)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_Idx *Ci,
                              void *Cx) {
    const gb_RingArgs *R = &w->args;
    uint64_t n = 0;
    gb_hub_enter(g, &w->hub, i);
    for (gb_Off m = g->M.p[i]; m < g->M.p[i + 1]; m++) {
        gb_hub_prefetch(g, &w->hub, m);
        const uint64_t j = g->M.i[m], found = gb_hub_count(g, &w->hub, j);
        SR_T *c = SR_AT(Cx, n);
#if SR_COUNT
        *c = (SR_T)found;
#else
        SR_SET(c, (const SR_T *)NULL, (const SR_T *)NULL, i, 0, j);
#endif
        Ci[n] = (gb_Idx)j;
        n += found > 0;
    }
    gb_hub_leave(&w->hub);
    (void)R;
    return n;
}
#endif

static uint64_t NAME(dot_row)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_Idx *Ci,
                              void *Cx) {
    const gb_RingArgs *R = &w->args;
    const gb_Off *restrict Bp = g->B.p;
    const gb_Idx *restrict Mi = g->M.i;
    const uint64_t a = g->A.p[i + 1] - g->A.p[i];
    const gb_Off end = g->M.p[i + 1], ahead = g->M.nvals;
    if (a == 0 || g->M.p[i] == end) return 0;
#if SR_PAIR
    if (g->hubs.blocks > 0) return NAME(hub_row)(g, w, i, Ci, Cx);
#endif
    const bool narrow = w->mark == NULL;
#if SR_COUNT
    const bool few = a <= GB_DOT_FEW;
    const gb_DotFew row = few ? gb_dot_few(&g->A.i[g->A.p[i]], a) : (gb_DotFew){0};
#endif
    uint64_t n = 0;
    w->row = i;
    w->start = g->A.p[i];
    for (gb_Off m = g->M.p[i]; m < end; m++) {
        const uint64_t j = Mi[m], b = Bp[j + 1] - Bp[j];
        if (m + GB_DOT_PREFETCH < ahead) gb_dot_prefetch(g, Mi[m + GB_DOT_PREFETCH]);
        SR_T *c = SR_AT(Cx, n);
        uint64_t found;
#if SR_BY_BITS
        const gb_BitRow *held = gb_dot_held(g, j, b);
        if (held != NULL) {
            found = NAME(meet)(g, R, w, j, held, c);
        } else
#endif
#if SR_COUNT
            if (few && b <= GB_DOT_SHORT) {
            found = gb_dot_meet_few(row, &g->B.i[Bp[j]], b);
            *c = (SR_T)found;
        } else
#endif
            if (narrow || b > GB_DOT_SEARCH * a) {
            found = NAME(search)(g, R, i, j, c);
        } else {
            if (!w->marked) gb_dot_mark(g, w, SR_USES_A);
            found = NAME(scan)(g, R, w, j, c);
        }
        Ci[n] = (gb_Idx)j;
        n += found > 0;
    }
    gb_dot_leave(g, w);
    (void)R;
    return n;
}

#undef NAME
