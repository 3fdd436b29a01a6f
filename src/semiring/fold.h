/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds by a monoid or an associative operator; and values folded at indices that may repeat: what
 * scatters do, one loop for each predefined monoid.
 */
#pragma once

#include "core/arrays.h"
#include "semiring/objects.h"

typedef struct {
    const gb_Monoid *monoid; /* NULL: op has no identity */
    const gb_BinaryOp *op;   /* the monoid's, or any T x T -> T */
} gb_Fold;
gb_Fold gb_fold_monoid(const gb_Monoid *monoid);
gb_Fold gb_fold_op(const gb_BinaryOp *op);
/* Whether any order of the values gives the same result. ANY may take whichever comes first. */
bool gb_fold_order_is_unseen(const gb_Fold *fold);

/* *z = *z + *x; x and `spare`, of one value, lie elsewhere. Functions of the user, which may not
 * expect their output to overlap an input, write to `spare`. Others read both values first; a sum
 * that is not copied is loaded as it was stored, member by member, and so without a wait. */
static inline void gb_fold_one(const gb_BinaryOp *op, void *z, const void *x, void *spare) {
    const bool in_place = op->batch != gb_batch_scalar;
    op->scalar(in_place ? z : spare, z, x);
    if (!in_place) gb_copy_value(z, spare, op->ztype->size);
}

/* *z = *z + *x, n times one after the other, with the bits of doing that: in O(log n) additions
 * where the operator is exact or adds floats, else until the sum stays as it is, or n times.
 * `space` holds two values. */
void gb_fold_repeat(const gb_BinaryOp *op, void *z, const void *x, uint64_t n, void *space);

/* z[at[k]] = z[at[k]] + x[from[k]] for k < n, one after the other. */
typedef struct {
    void *z;
    const void *x;
    const uint64_t *at, *from; /* [n] */
    size_t n;
} gb_ScatterFold;
typedef void (*gb_scatter_fold)(const gb_ScatterFold *f);

/* The loop for op, or NULL where no predefined monoid computes what it does. */
gb_scatter_fold gb_scatter_fold_of(const gb_BinaryOp *op);
