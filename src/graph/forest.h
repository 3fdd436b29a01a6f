/* SPDX-License-Identifier: Apache-2.0
 *
 * Forests: vectors of parents.
 */
#ifndef GB_GRAPH_FOREST_H
#define GB_GRAPH_FOREST_H

#include "ops/finish.h"

/* What holds every index of u: UINT32, or UINT64 above 2^32 - 1. */
gb_Type *gb_roots_type(const gb_Matrix *u);

/* w<m> accum= the root of the tree of each entry of u, whose values are integers. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *u;
} gb_Roots;
extern const gb_Op gb_op_roots;

/* Trees of w become one along entries [first, first + count) of each row of A, or of A', that the
 * mask has; then w has the roots of all. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    gb_Matrix *A;
    bool transpose;
    uint64_t first, count;
} gb_Join;
extern const gb_Op gb_op_join;

#endif
