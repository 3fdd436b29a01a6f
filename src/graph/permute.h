/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A(p,p), a square matrix with its rows and columns in another order.
 */
#ifndef GB_GRAPH_PERMUTE_H
#define GB_GRAPH_PERMUTE_H

#include "ops/finish.h"

/* Entries (i, j) of the result with low <= j - i <= high. */
typedef struct {
    int64_t low, high;
} gb_Band;

/* GBL_INVALID_VALUE or GBL_INDEX_OUT_OF_BOUNDS unless p is a permutation. Where a dimension is
 * huge, and p cannot have an entry for each row, rows without one stay. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A, *p;
    gb_Band band;
    bool transpose;
} gb_Permute;
extern const gb_Op gb_op_permute;

#endif
