/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators by position on compact matrices: they must see the indices that rows and columns stand
 * for, which are wider than those of kernels.
 */
#ifndef GB_OPS_POSITIONS_H
#define GB_OPS_POSITIONS_H

#include "matrix/row_list.h"
#include "semiring/objects.h"

/* Whether the operator looks at positions. */
static inline bool gb_sees_positions(const gb_IndexUnaryOp *op) {
    return op->code < GB_VALUEEQ;
}

/* Stands for the operator in kernels; sees the indices of the row lists, which must live as long.
 * cols: NULL for vectors, whose column is 0. */
typedef struct {
    gb_IndexUnaryOp op; /* the first member, since its batch function gets its address */
    const gb_IndexUnaryOp *own;
    const gb_RowList *rows, *cols;
} gb_PositionOp;
gb_PositionOp gb_position_op(const gb_IndexUnaryOp *op, const gb_RowList *rows,
                             const gb_RowList *cols);

#endif
