/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts of a merge; see merge_cut.h. Two binary searches per cut: for the row by the sum of both
 * pointer arrays, then for the column inside the row.
 */
#include "cpu/merge_cut.h"

#include "core/parallel.h"

/* The last row with at most `work` entries of X and Y before it. */
static uint64_t find_row(const gb_CsView *X, const gb_CsView *Y, uint64_t work) {
    uint64_t low = 0, high = X->nmajor;
    while (low + 1 < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (X->p[mid] + Y->p[mid] <= work) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

static gb_Cut find_cut(const gb_CsView *X, const gb_CsView *Y, uint64_t work) {
    const uint64_t row = find_row(X, Y, work);
    gb_Cut cut = {.row = row, .x = X->p[row], .y = Y->p[row]};
    const uint64_t inside = work - cut.x - cut.y;
    if (inside == 0) return cut;
    uint64_t low = 0, high = X->nminor; /* the smallest column with `inside` entries before it */
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        cut.x = gb_gallop(X->i, X->p[row], X->p[row + 1], (gb_Idx)mid);
        cut.y = gb_gallop(Y->i, Y->p[row], Y->p[row + 1], (gb_Idx)mid);
        if (cut.x + cut.y < work) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    cut.x = gb_gallop(X->i, X->p[row], X->p[row + 1], (gb_Idx)low);
    cut.y = gb_gallop(Y->i, Y->p[row], Y->p[row + 1], (gb_Idx)low);
    return cut;
}

void gb_merge_cuts(gb_Cut *cuts, uint64_t n, const gb_CsView *X, const gb_CsView *Y) {
    const uint64_t work = X->nvals + Y->nvals;
    cuts[0] = (gb_Cut){0};
    for (uint64_t t = 1; t < n; t++) cuts[t] = find_cut(X, Y, gb_part(work, t, n));
    cuts[n] = (gb_Cut){.row = X->nmajor, .x = X->nvals, .y = Y->nvals};
}
