/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a merge share: the views, where values come from and go to, and the list of
 * matches whose values are still to be combined. Private to src/cpu/merge*.c.
 *
 * A match is a pair of positions (x, y) with equal row and column. The row loops only find
 * positions and copy lone values; matched values are combined a batch at a time through the
 * operator's batch function, which keeps this code free of types.
 */
#ifndef GB_CPU_OPS_MERGE_H
#define GB_CPU_OPS_MERGE_H

#include "kernel_api/backend.h"
#include "semiring/cast.h"

typedef enum { GB_MERGE_UNITE, GB_MERGE_INTERSECT, GB_MERGE_OUTSIDE } gb_MergeMode;

/* Values as bytes; the p-th is at x + (p & mask) * size. */
typedef struct {
    const char *x;
    uint64_t mask; /* 0 when iso, else all ones */
} gb_Column;

typedef struct {
    gb_MergeMode mode;
    gb_CsView X, Y;
    bool combine;           /* matches get the operator's value; else those of Y (union) or X */
    gb_Pairs pairs;         /* how, when combine */
    gb_Column xlone, ylone; /* values of X and Y as Z's type */
    size_t zsize;           /* bytes of a value of Z that rows write; 0: none, or Z is iso */
    uint64_t batch;         /* matches combined at once, at most GB_BATCH */
    size_t work_bytes;      /* workspace of one thread */
    char *work;             /* [threads][work_bytes], or NULL when nothing is combined */
    gb_Idx *Zi;
    char *Zx;
} gb_MergeJob;

typedef struct {
    uint64_t n;
    uint64_t z[GB_BATCH], x[GB_BATCH], y[GB_BATCH]; /* positions in Z, X and Y */
} gb_Matches;

/* Combines the values of the listed matches into Z and empties the list. */
void gb_merge_flush(const gb_MergeJob *job, gb_Matches *matches);

/* -- cutting -------------------------------------------------------------------------------- */

/* Cutting a merge of X and Y into slices of equal work. A cut is a place between two entries of the
 * merged order (by row, then column): entries of X before position x and of Y before position y lie
 * before it, all others after it. Equal columns of a row are never parted. A row may be cut, so
 * that one long row (a vector) is shared by all threads.
 */

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

/* -- rows ----------------------------------------------------------------------------------- */

/* The inner loops of a merge: one row, or a part of one. Private to src/cpu/merge*.c.
 */

/* Entries common to both parts of a row. */
uint64_t gb_merge_count(const gb_MergeJob *job, gb_RowPart part);
/* Writes the entries of a part of a row from position k of Z on, never at or after kend; returns
 * the position after the last. */
typedef uint64_t (*gb_merge_row)(const gb_MergeJob *job, gb_RowPart part, uint64_t k, uint64_t kend,
                                 gb_Matches *matches);
gb_merge_row gb_merge_row_for(gb_MergeMode mode, size_t zsize);

#endif
