/* SPDX-License-Identifier: Apache-2.0
 *
 * Masked inner products that are only counted: how many inner indices row i of A and each column of
 * B that the mask asks for have in common. One body for all semirings; values are never read.
 *
 * The row is met with a column in the cheapest of these ways: as bits, where the column is held so
 * (core/bitrows.h); compared as it stands, where both are short; looked up in marks; searched,
 * where the column is much longer than the row or the inner dimension too large to be marked. Where
 * B is told apart by hubs, the way of cpu/dot/hubrow.h.
 *
 * Preconditions: B by columns; rows and columns sorted. Cost: for each (i,j) of the mask the blocks
 * that both have or the words of the row, or the length of column j, or the lesser of both times
 * the logarithm of the greater.
 */
#ifndef GB_CPU_DOT_DOTCOUNT_H
#define GB_CPU_DOT_DOTCOUNT_H

#include "cpu/dot/dotwork.h"

/* Entries [from, to) of the mask, GB_DOT_BATCH at most. */
typedef struct {
    gb_Off from, to;
    uint32_t count[GB_DOT_BATCH];      /* of each */
    uint32_t before[GB_DOT_BATCH + 1]; /* entries of C in this batch before each, and all */
} gb_DotBatch;

/* Entries of a product, or some of them, but not none where there are any; and the sum of all. */
typedef struct {
    uint64_t entries, sum;
} gb_DotTotal;

/* Row i, whose row of the mask has entries, stands in w until it leaves. */
static inline void gb_dot_enter(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i) {
    w->row = i;
    if (g->hubs.blocks > 0) gb_heavy_enter(g, &w->hub, i);
}

static inline void gb_dot_leave(const gb_MxmArgs *g, gb_DotWork *w) {
    if (g->hubs.blocks > 0)
        gb_heavy_leave(&w->hub);
    else
        gb_dot_clean(g, w);
}

/* Where the batch of row i's mask ends that begins at entry `from`. */
static inline gb_Off gb_dot_batch_end(const gb_MxmArgs *g, uint64_t i, gb_Off from) {
    return g->M.p[i + 1] - from < GB_DOT_BATCH ? g->M.p[i + 1] : from + GB_DOT_BATCH;
}

/* Where the rows from `from` on end that are a batch together; a row that is longer than one stays
 * alone. */
static inline uint64_t gb_dot_rows_end(const gb_MxmArgs *g, uint64_t from, uint64_t to) {
    const gb_Off most = g->M.p[from] + GB_DOT_BATCH;
    uint64_t end = from + 1;
    while (end < to && g->M.p[end + 1] <= most) end++;
    return end;
}

static inline bool gb_dot_is_long(const gb_MxmArgs *g, uint64_t i) {
    return g->M.p[i + 1] - g->M.p[i] > GB_DOT_BATCH;
}

/* Counts of a batch that is part of the row that stands in w. */
void GB_ISA_NAME(gb_dot_counts)(const gb_MxmArgs *g, gb_DotWork *w, gb_DotBatch *batch);
/* Counts of the batch that rows [from, to) are. Returns whether one is not 0. */
bool GB_ISA_NAME(gb_dot_count_rows)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from, uint64_t to,
                                    gb_DotBatch *batch);
/* All of rows [from, to). */
gb_DotTotal GB_ISA_NAME(gb_dot_total)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t from,
                                      uint64_t to);

#endif
