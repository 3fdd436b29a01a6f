/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a matrix: C<M> accum= A(I, J), and one column of it. Domains, shapes and indices were
 * checked.
 */
#ifndef GB_OPS_SUBMATRIX_H
#define GB_OPS_SUBMATRIX_H

#include "matrix/index_map.h"
#include "ops/finish.h"

/* Rows I and columns J of A, or of A'; both in any order, also repeated. */
typedef struct {
    gb_Matrix *A;
    bool transpose;
    gb_Indices I, J;
} gb_Submatrix;
gbl_Info gb_extract_submatrix(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                              const gb_Submatrix *call);

/* Column j of A, or of A', at the rows I. */
typedef struct {
    gb_Matrix *A;
    bool transpose;
    gb_Indices I;
    uint64_t j;
} gb_Column;
gbl_Info gb_extract_column(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Column *call);

#endif
