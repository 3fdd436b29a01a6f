/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary operators that see the indices of their operands, in operations other than products: their
 * operands are replaced by matrices of located values, a value with its row and column, and the
 * operator by one on these. So they run on every form, hypersparse ones included. And unions of
 * three parts, which such an operator, or values for what is missing, make of two operands.
 */
#ifndef GB_OPS_POSITION_H
#define GB_OPS_POSITION_H

#include "ops/apply.h"
#include "ops/ewise.h"

typedef struct {
    uint64_t i, j;
    char value[];
} gb_LocatedValue;

/* *P = X, or X', with located values, which are cast to `type` before. A vector stays as it is;
 * where it is transposed, it is a row, and its indices are columns. */
gbl_Info gb_locate(gb_Matrix **P, gb_Matrix *X, bool transpose, const gb_Type *type);
/* *made: the operator on located values of two matrices of gb_locate; `op` outlives it. */
gbl_Info gb_located_op(gb_BinaryOp **made, const gb_BinaryOp *op, const gb_Matrix *A,
                       const gb_Matrix *B);
/* The factors of a product become new ones of located values, and *made a semiring on these, which
 * `ring` outlives. After a failure all is as it was. */
gbl_Info gb_locate_factors(gb_Semiring **made, const gb_Semiring *ring, gb_Matrix **left,
                           bool *left_transposed, gb_Matrix **right, bool *right_transposed);
/* The operator on one pair of located values. */
static inline void gb_apply_located(const gb_BinaryOp *op, void *z, const void *x, const void *y) {
    const gb_LocatedValue *a = x, *b = y;
    op->index(z, a->value, a->i, a->j, b->value, b->i, b->j, op->theta);
}

/* eWiseAdd, eWiseMult or kronecker (its call begins as a gb_Ewise) by an operator that may see
 * positions. */
gbl_Info gb_run_pairs(const gb_Op *op, const gb_Ewise *call);

/* apply of a binary operator that sees positions and has one argument bound, which stands where the
 * entry stands. */
gbl_Info gb_apply_by_position(const gb_Apply *call);

/* eWiseAdd where an entry of one operand alone meets a value: op(A, beta), op(alpha, B); these have
 * the types of the operator. */
typedef struct {
    gb_Ewise ewise;
    const void *alpha, *beta;
} gb_Union;
gbl_Info gb_run_union(const gb_Union *call);

#endif
