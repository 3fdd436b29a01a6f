/* SPDX-License-Identifier: Apache-2.0
 *
 * Masked inner products for one semiring: C(i,j) = A(i,:) . B(:,j) for the (i,j) of the mask only.
 * Included once per entry of semiring/foreach.h.
 *
 * Row i of A is spread over the inner dimension once: as marks, and where values matter also as the
 * position of each entry; then every column of B that the mask has is scanned and looked up.
 * When the column is much longer than the row, or the inner dimension too large to be marked, both
 * are searched in each other instead. Where any one product will do, columns that are held as bits
 * (core/forms.h) are intersected by ANDs of blocks of 512, or of the few words that a short row
 * has. All add in the order of k. B is given by columns; rows and columns are sorted. Products that
 * are only counted, or found where B is split into heavy and other indices, are counted by count.c.
 *
 * Cost: for each (i,j) of the mask the length of column j, or the lesser of row and column times
 * the logarithm of the greater, or the lesser of the row's words and the blocks of the column.
 */
#include "cpu/dot/work.h"
#include "cpu/simd/template.h"

#if SR_PAIR
/* The entries of the batch whose counts are not 0. */
static void NAME(pack)(const gb_MxmArgs *g, const gb_DotWork *w, gb_DotBatch *batch, gb_DotOut *C) {
    const gb_RingArgs *R = &w->args;
    const gb_Idx *restrict Mi = g->M.i + batch->from;
    const uint64_t entries = batch->to - batch->from;
    gb_Idx *restrict Ci = C->i + C->n;
    void *Cx = SR_AT(C->x, C->n);
    uint32_t n = 0;
    for (uint64_t k = 0; k < entries; k++) {
        SR_T *c = SR_AT(Cx, n);
#if SR_COUNT
        *c = (SR_T)batch->count[k];
#else
        SR_SET(c, (const SR_T *)NULL, (const SR_T *)NULL, w->row, 0, Mi[k]);
#endif
        Ci[n] = Mi[k];
        batch->before[k] = n;
        n += batch->count[k] > 0;
    }
    batch->before[entries] = n;
    C->n += n;
    (void)R;
}

/* A row that is longer than a batch. */
static void NAME(count_long)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_DotOut *C) {
    gb_DotBatch batch;
    gb_dot_enter(g, w, i);
    for (batch.from = g->M.p[i]; batch.from < g->M.p[i + 1]; batch.from = batch.to) {
        batch.to = gb_dot_batch_end(g, i, batch.from);
        GB_ISA_NAME(gb_dot_counts)(g, w, &batch);
        NAME(pack)(g, w, &batch, C);
    }
    gb_dot_leave(g, w);
}

/* Many short rows are counted before any of them is packed: ends of rows that are not foreseen cost
 * more than comparing the rows does. */
static void NAME(count_rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                             gb_DotOut *C) {
    gb_DotBatch batch;
    for (uint64_t i = from, end; i < to; i = end) {
        const uint64_t n = C->n;
        bool any = false;
        end = gb_dot_rows_end(g, i, to);
        if (!gb_dot_is_long(g, i)) {
            any = GB_ISA_NAME(gb_dot_count_rows)(g, w, i, end, &batch);
            if (any) NAME(pack)(g, w, &batch, C);
        } else if (g->A.p[i] < g->A.p[i + 1]) {
            NAME(count_long)(g, w, i, C);
        }
        for (uint64_t r = i; r < end; r++)
            C->p[r - from] = any ? n + batch.before[g->M.p[r] - batch.from] : n;
    }
}
#endif

#if !SR_COUNT
/* Scans column j for entries whose k is in the row. Returns how many products were made. */
static inline uint64_t NAME(scan)(const gb_MxmArgs *g, const gb_RingArgs *R, const gb_DotWork *w,
                                  uint64_t j, SR_T *c) {
    const gb_Idx *restrict Bi = g->B.i;
    const uint8_t *restrict mark = w->mark;
    const gb_Off to = g->B.p[j + 1];
    uint64_t found = 0;
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
/* The same for a column that is held as bits: any one product. */
static inline uint64_t NAME(intersect)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_DotWork *w,
                                       uint64_t j, SR_T *c) {
    const uint64_t k = gb_dot_first(g, w, g->bits.row[j]);
    (void)R;
    if (k == UINT64_MAX) return 0;
    SR_SET(c, (const SR_T *)NULL, (const SR_T *)NULL, w->row, k, j);
    return 1;
}
#endif

static uint64_t NAME(sum_row)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_Idx *Ci,
                              void *Cx) {
    const gb_RingArgs *R = &w->args;
    const gb_Off *restrict Bp = g->B.p;
    const gb_Idx *restrict Mi = g->M.i;
    const uint64_t a = g->A.p[i + 1] - g->A.p[i];
    const gb_Off end = g->M.p[i + 1], ahead = g->M.nvals;
    const bool narrow = w->mark == NULL;
    uint64_t n = 0;
    w->row = i;
    w->start = g->A.p[i];
    for (gb_Off m = g->M.p[i]; m < end; m++) {
        const uint64_t j = Mi[m], b = Bp[j + 1] - Bp[j];
        if (m + GB_DOT_PREFETCH < ahead) gb_dot_prefetch(g, Mi[m + GB_DOT_PREFETCH]);
        SR_T *c = SR_AT(Cx, n);
        uint64_t found;
#if SR_BY_BITS
        if (g->bits.rows > 0 && g->bits.row[j].blocks > 0)
            found = NAME(intersect)(g, R, w, j, c);
        else
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
    gb_dot_clean(g, w);
    (void)R;
    return n;
}
#endif

/* Rows [from, to). */
static void NAME(dot_rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                           gb_DotOut *C) {
#if SR_PAIR
    if (SR_COUNT || g->hubs.blocks > 0) {
        NAME(count_rows)(g, w, from, to, C);
        return;
    }
#endif
#if !SR_COUNT
    const gb_RingArgs *R = &w->args;
    for (uint64_t i = from; i < to; i++) {
        C->p[i - from] = C->n;
        if (g->A.p[i] == g->A.p[i + 1] || g->M.p[i] == g->M.p[i + 1]) continue;
        C->n += NAME(sum_row)(g, w, i, C->i + C->n, SR_AT(C->x, C->n));
    }
    (void)R;
#endif
}

#undef NAME
