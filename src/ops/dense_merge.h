/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging two dense vectors position by position; what may stand at a position is a table, so that
 * union, intersection, and every kind of masked and accumulated write are one loop.
 */
#ifndef GB_OPS_DENSE_MERGE_H
#define GB_OPS_DENSE_MERGE_H

#include "core/view.h"
#include "semiring/algebra.h"

typedef enum { GB_PICK_NONE, GB_PICK_X, GB_PICK_Y, GB_PICK_OP } gb_Pick;

typedef struct {
    gb_DenseView X, Y; /* of the same length */
    const gb_Type *xtype, *ytype, *ztype;
    const gb_BinaryOp *op; /* for GB_PICK_OP; NULL when the table has none */
    const int8_t *allowed; /* [n] or NULL: all 1 */
    uint8_t pick[2][4];    /* [allowed][x is present + 2 * y is present] a gb_Pick */
    gb_Dense *onto;        /* NULL, or what gb_dense_may_reuse allows: Z takes its arrays over */
} gb_DenseMerge;

/* Whether the result can be written where the values of `dense` stand, which has type `type`: both
 * sides are full and combined everywhere. X and Y may be views of it. */
bool gb_dense_may_reuse(const gb_DenseMerge *args, const gb_Dense *dense, const gb_Type *type);
/* Z is a bitmap, or full when all n are present. After a failure *args->onto is as it was. */
gbl_Info gb_dense_merge(const gb_DenseMerge *args, gb_Dense *Z);

/* Entries of the sparse vector (nmajor = 1) where the dense vector has one, with z = op(sparse,
 * dense), or op(dense, sparse) when flip. `first`: the sparse vector only gives positions; its
 * values are replaced by those of another dense vector, where that has an entry too. */
typedef struct {
    gb_CsView list;
    const gb_DenseView *first; /* or NULL */
    gb_DenseView dense;
    const gb_Type *list_type, *dense_type, *ztype;
    const gb_BinaryOp *op;
    bool flip;
} gb_ListDense;
gbl_Info gb_list_dense_intersect(const gb_ListDense *args, gb_Cs *Z);

#endif
