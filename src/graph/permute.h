/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A(p,p), a square matrix with its rows and columns in another order. Domains and
 * shapes were checked.
 */
#ifndef GB_GRAPH_PERMUTE_H
#define GB_GRAPH_PERMUTE_H

#include "ops/finish.h"

/* Entries (i, j) of the result with low <= j - i <= high. */
typedef struct {
    int64_t low, high;
} gb_Band;

/* GBL_INVALID_VALUE or GBL_INDEX_OUT_OF_BOUNDS unless p is a permutation. */
typedef struct {
    gb_Matrix *A, *p;
    gb_Band band;
    bool transpose;
} gb_Permute;
gbl_Info gb_permute(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                    const gb_Permute *call);

#endif
