/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries folded by a monoid or an associative operator: everything to one value, or rows to a
 * vector.
 */
#ifndef GB_OPS_REDUCE_H
#define GB_OPS_REDUCE_H

#include "ops/finish.h"
#include "semiring/fold.h"

/* *z (of the operator's type) = all entries of A, a matrix or a vector; without entries
 * GBL_NO_VALUE, *z unchanged. Precondition: domains are checked, A is complete. */
gbl_Info gb_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A);

/* w<m> accum= the rows of A, or of A'; rows without entries give none. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Fold fold;
    gb_Matrix *A;
    bool transpose;
} gb_ReduceRows;
extern const gb_Op gb_op_reduce;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_reduce_full_iso(const gb_Op *op, const void *call, bool *done);

/* Values of A, a matrix or a vector, can be folded. */
gbl_Info gb_reduce_check(const gb_Fold *fold, const gb_Matrix *A);

/* A C value of the user. */
typedef struct {
    const gb_Type *type;
    void *x;
} gb_Variable;
/* *x = accum(*x, *z) with casts. */
gbl_Info gb_accum_value(const gb_Variable *x, const gb_BinaryOp *accum, const gb_Type *ztype,
                        const void *z);

#endif
