/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 2, operations beyond the standard that other implementations have too: unions with values
 * for what is missing, assignments whose mask has the shape of the part, and objects put together,
 * taken apart, reshaped and sorted. Included by gblite.h, whose common rules hold here; writing,
 * masks, accumulators and common errors are those of gblite_operations.h. gblite additions.
 */
#ifndef GBLITE_EXTENDED_H
#define GBLITE_EXTENDED_H

#include "gblite_types.h"

#pragma push_macro("I") /* of <complex.h> */
#undef I

#ifdef __cplusplus
extern "C" {
#endif

/* gbl_K_eWiseUnion: C<M> accum= A op B on the union of the patterns, with values for what is
 * missing. Where A alone has an entry it is op(A, beta), where B alone has one op(alpha, B). So
 * MINUS with 0 and 0 is a difference. alpha and beta are cast to op's types. GBL_EMPTY_OBJECT for
 * one without a value. Cost: that of an eWiseMult, two applies and two eWiseAdds. */
#define GBL_DECLARE(K)                                                                             \
    gbl_Info gbl_##K##_eWiseUnion(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_BinaryOp op,       \
                                  gbl_##K A, gbl_Scalar alpha, gbl_##K B, gbl_Scalar beta,         \
                                  gbl_Descriptor desc);
GBL_DECLARE(Vector)
GBL_DECLARE(Matrix)
#undef GBL_DECLARE

/* gbl_K_subassign: C(I, J)<M> accum= A, or w(I)<m> accum= u.
 * gbl_K_subassign_Scalar: C(I, J)<M> accum= x; of an x without a value: no entry.
 * gbl_Row_subassign: C(i, J)<m'> accum= u', part of a row.
 * gbl_Col_subassign: C(I, j)<m> accum= u, part of a column.
 * As gbl_K_assign and its kin, but the mask has the shape of the part, ni x nj, and GBL_REPLACE
 * deletes in the part alone. Cost: an extract of the part, an assignment to all of it, and an
 * assign back. */
gbl_Info gbl_Vector_subassign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                              const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);
gbl_Info gbl_Matrix_subassign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                              const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                              gbl_Descriptor desc);
gbl_Info gbl_Vector_subassign_Scalar(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Scalar x,
                                     const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);
gbl_Info gbl_Matrix_subassign_Scalar(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Scalar x,
                                     const gbl_Index *I, gbl_Index ni, const gbl_Index *J,
                                     gbl_Index nj, gbl_Descriptor desc);
gbl_Info gbl_Row_subassign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           gbl_Index i, const gbl_Index *J, gbl_Index nj, gbl_Descriptor desc);
gbl_Info gbl_Col_subassign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc);

/* gbl_Vector_diag: v = the k-th diagonal of A, counted upwards from the main one.
 * v has an element for each position of the diagonal, and loses what it had; values are cast.
 * GBL_INP0 transposes A. Cost: O(n + m) of A, as select. */
gbl_Info gbl_Vector_diag(gbl_Vector v, gbl_Matrix A, int64_t k, gbl_Descriptor desc);

/* gbl_Matrix_concat: C = a grid of matrices, Tiles[i * n + j] in row i and column j of m x n.
 * Tiles of a row have as many rows, those of a column as many columns; together they have C's
 * shape, else GBL_DIMENSION_MISMATCH. C loses what it had; values are cast to its type. A tile may
 * be there twice, and C among them. Cost: O(entries), and a sort where n > 1. */
gbl_Info gbl_Matrix_concat(gbl_Matrix C, const gbl_Matrix *Tiles, gbl_Index m, gbl_Index n,
                           gbl_Descriptor desc);

/* gbl_Matrix_split: Tiles[i * n + j] = new matrices, a grid of m x n that A is cut into.
 * Those of row i have nrows[i] rows, those of column j ncols[j] columns; the sums are A's
 * dimensions, else GBL_DIMENSION_MISMATCH. They have A's type. After a failure all are NULL. Cost:
 * O(entries + tiles). */
gbl_Info gbl_Matrix_split(gbl_Matrix *Tiles, gbl_Index m, gbl_Index n, const gbl_Index *nrows,
                          const gbl_Index *ncols, gbl_Matrix A, gbl_Descriptor desc);

/* gbl_Matrix_reshape: A gets another shape of as many positions, which it is read into in order.
 * By rows, position (i, j) is number i * ncols + j, or with by_column i + j * nrows.
 * GBL_DIMENSION_MISMATCH where the shapes have not as many positions. Cost: O(entries), and by
 * columns a sort. */
gbl_Info gbl_Matrix_reshape(gbl_Matrix A, bool by_column, gbl_Index nrows, gbl_Index ncols,
                            gbl_Descriptor desc);

/* gbl_Matrix_sort: Sorts the entries of each row of A by value: C = the values, P = their columns.
 * Those of row i become (i, 0), (i, 1) ... of C and P, which have A's shape and lose what they had;
 * with GBL_INP0 = GBL_TRAN those of each column, and P has rows. op(x, y) says whether x comes
 * before y; it is T x T -> BOOL, and values are cast to T for it. Where it says so both ways or
 * neither, entries stay in the order of their columns. NaN comes last by GBL_LT_T and its kin. C or
 * P, but not both, may be NULL; either may be A. GBL_DOMAIN_MISMATCH for another op. Cost:
 * O(entries * log entries of a row) calls of op. */
gbl_Info gbl_Matrix_sort(gbl_Matrix C, gbl_Matrix P, gbl_BinaryOp op, gbl_Matrix A,
                         gbl_Descriptor desc);

/* gbl_K_isStoredElement: Whether there is an entry at (i, j), or i of a vector.
 * GBL_SUCCESS: there is; GBL_NO_VALUE: not. GBL_INVALID_INDEX for a position outside. Cost: that of
 * gbl_K_extractElement_T. */
gbl_Info gbl_Matrix_isStoredElement(gbl_Matrix A, gbl_Index i, gbl_Index j);
gbl_Info gbl_Vector_isStoredElement(gbl_Vector v, gbl_Index i);

/* gbl_K_renew: The object becomes an empty one of this type and shape, as a new one is.
 * The handle stays. GBL_INVALID_VALUE for a dimension above 2^60. Cost: O(1), and freeing
 * what it had. */
gbl_Info gbl_Matrix_renew(gbl_Matrix A, gbl_Type type, gbl_Index nrows, gbl_Index ncols);
gbl_Info gbl_Vector_renew(gbl_Vector v, gbl_Type type, gbl_Index size);

#ifdef __cplusplus
}
#endif

#pragma pop_macro("I")

#endif
