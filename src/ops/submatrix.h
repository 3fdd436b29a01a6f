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

/* extract_cells.c: whether A is held as its cells and in no other form, and the part has no more of
 * them than indices reach, nor, unless A is well filled, than A has: lists may repeat themselves,
 * and cells of few entries would take many times the memory of a list. */
bool gb_extracts_cells(const gb_Submatrix *call);
/* T = the cells of the part, row after row: dense, as that of a matrix of I.n x J.n or, with one
 * column, of a vector. A has entries. O(cells of the part): nothing is converted. */
gbl_Info gb_extract_cells(gb_Result *T, const gb_Submatrix *call);

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
