/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts of a merge; see merge_cut.h. Two binary searches per cut: for the row by the sum of both
 * pointer arrays, then for the column inside the row.
 */
#include "cpu/ops/merge_cut.h"

#include "core/parallel.h"

/* The last row with at most `work` entries of X and Y before it. */
static uint64_t find_row(const gb_CsView *X, const gb_CsView *Y, uint64_t work) {
    return GB_FIRST(k, 1, X->nmajor, X->p[k] + Y->p[k] > work) - 1;
}

/* Moves the cut to the place before column j of its row; returns the entries before it. */
static uint64_t cut_before(gb_MergeCut *cut, const gb_CsView *X, const gb_CsView *Y, uint64_t j) {
    cut->x = gb_first_at_least(X->i, X->p[cut->row], X->p[cut->row + 1], j);
    cut->y = gb_first_at_least(Y->i, Y->p[cut->row], Y->p[cut->row + 1], j);
    return cut->x + cut->y;
}

static gb_MergeCut find_cut(const gb_CsView *X, const gb_CsView *Y, uint64_t work) {
    const uint64_t row = find_row(X, Y, work);
    gb_MergeCut cut = {.row = row, .x = X->p[row], .y = Y->p[row]};
    if (cut.x + cut.y == work) return cut;
    const uint64_t column = GB_FIRST(j, 0, X->nminor, cut_before(&cut, X, Y, j) >= work);
    cut_before(&cut, X, Y, column);
    return cut;
}

void gb_merge_cuts(gb_MergeCut *cuts, uint64_t n, const gb_CsView *X, const gb_CsView *Y) {
    const uint64_t work = X->nvals + Y->nvals;
    cuts[0] = (gb_MergeCut){0};
    for (uint64_t t = 1; t < n; t++) cuts[t] = find_cut(X, Y, gb_part(work, t, n));
    cuts[n] = (gb_MergeCut){.row = X->nmajor, .x = X->nvals, .y = Y->nvals};
}
