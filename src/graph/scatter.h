/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= T, T(I(k)) = the values u(k) of all k with that index, folded by dup in the order of
 * k; dup is T x T -> T.
 */
#ifndef GB_GRAPH_SCATTER_H
#define GB_GRAPH_SCATTER_H

#include "ops/finish.h"

typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum, *dup;
    gb_Matrix *u, *I;
} gb_Scatter;
extern const gb_Op gb_op_scatter;

#endif
