/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a merge share: the views, where values come from and go to, and the list of
 * matches whose values are still to be combined. Between merge.c and merge_row.c, the inner loops.
 *
 * A match is a pair of positions (x, y) with equal row and column. The row loops only find
 * positions and copy lone values; matched values are combined a batch at a time through the
 * operator's batch function, which keeps this code free of types.
 */
#pragma once

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

/* -- rows ----------------------------------------------------------------------------------- */

/* A part of a row: positions in X and Y. */
typedef struct {
    uint64_t x, xend, y, yend;
} gb_RowPart;

/* Entries common to both parts of a row. */
uint64_t gb_merge_count(const gb_MergeJob *job, gb_RowPart part);
/* Writes the entries of a part of a row from position k of Z on, never at or after kend; returns
 * the position after the last. */
uint64_t gb_merge_row(const gb_MergeJob *job, gb_RowPart part, uint64_t k, uint64_t kend,
                      gb_Matches *matches);
