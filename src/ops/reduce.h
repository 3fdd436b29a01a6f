/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries folded by a monoid or an associative operator: everything to one value, or rows to a
 * vector. Domains and shapes were checked.
 */
#ifndef GB_OPS_REDUCE_H
#define GB_OPS_REDUCE_H

#include "ops/finish.h"

typedef struct {
    const gb_Monoid *monoid; /* NULL: op has no identity */
    const gb_BinaryOp *op;   /* the monoid's, or any T x T -> T */
} gb_Fold;
gb_Fold gb_fold_monoid(const gb_Monoid *monoid);
gb_Fold gb_fold_op(const gb_BinaryOp *op);
/* Whether any order of the values gives the same result. ANY may take whichever comes first. */
bool gb_fold_order_is_unseen(const gb_Fold *fold);

/* *z (of the operator's type) = all entries of A, a matrix or a vector; GBL_NO_VALUE and *z is left
 * alone when there are none. */
gbl_Info gb_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A);

/* w<m> accum= the rows of A, or of A'; rows without entries give none. */
gbl_Info gb_reduce_rows(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                        const gb_Fold *fold, gb_Matrix *A, bool transpose);

/* A C value of the user. */
typedef struct {
    const gb_Type *type;
    void *x;
} gb_Variable;
/* *x = accum(*x, *z) with casts. */
gbl_Info gb_accum_value(const gb_Variable *x, const gb_BinaryOp *accum, const gb_Type *ztype,
                        const void *z);

#endif
