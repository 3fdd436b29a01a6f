/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a merge of X and Y into slices of equal work. A cut is a place between two entries of the
 * merged order (by row, then column): entries of X before position x and of Y before position y lie
 * before it, all others after it. Equal columns of a row are never parted. A row may be cut, so
 * that one long row (a vector) is shared by all threads.
 */
#ifndef GB_CPU_OPS_MERGE_CUT_H
#define GB_CPU_OPS_MERGE_CUT_H

#include "core/search.h"

enum { GB_MAX_SLICES = 256 };

typedef struct {
    uint64_t row, x, y; /* row of the first entry after the cut; positions in X.i and Y.i */
} gb_MergeCut;

/* Fills cuts[0 .. n]; n <= GB_MAX_SLICES slices. */
void gb_merge_cuts(gb_MergeCut *cuts, uint64_t n, const gb_CsView *X, const gb_CsView *Y);

/* The row lies wholly or with its first entries after the cut. */
static inline bool gb_cut_before_row(const gb_MergeCut *cut, const gb_CsView *X,
                                     const gb_CsView *Y) {
    return cut->x == X->p[cut->row] && cut->y == Y->p[cut->row];
}

/* Positions of one row inside a slice. */
typedef struct {
    uint64_t x, xend, y, yend;
} gb_RowPart;
static inline gb_RowPart gb_part_of_row(const gb_MergeCut *slice, uint64_t row, const gb_CsView *X,
                                        const gb_CsView *Y) {
    const bool first = row == slice[0].row, last = row == slice[1].row;
    return (gb_RowPart){.x = first ? slice[0].x : X->p[row],
                        .xend = last ? slice[1].x : X->p[row + 1],
                        .y = first ? slice[0].y : Y->p[row],
                        .yend = last ? slice[1].y : Y->p[row + 1]};
}

#endif
