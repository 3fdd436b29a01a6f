/* SPDX-License-Identifier: Apache-2.0
 *
 * The least fixpoint of w = w (+) w * A.
 */
#ifndef GB_GRAPH_CLOSURE_H
#define GB_GRAPH_CLOSURE_H

#include "matrix/matrix.h"
#include "mxm/model/call.h"
#include "ops/op.h"

typedef struct {
    gb_Matrix *w;
    const gb_Semiring *ring;
    gb_Matrix *A;
    bool transpose;
    double width; /* of buckets; not above 0, or not finite: one for all */
    gb_Choices choices;
} gb_Closure;
extern const gb_Op gb_op_closure;

/* shortest_paths.c: for (min, plus) of INT32, INT64, FP32 and FP64, w of that type, where neither w
 * nor A has values below 0 or NaN; *done = whether it was that. Nothing is huge. */
gbl_Info gb_closure_paths(const gb_Closure *call, bool *done);

#endif
