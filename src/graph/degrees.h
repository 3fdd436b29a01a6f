/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= how many entries each row of A has.
 */
#ifndef GB_GRAPH_DEGREES_H
#define GB_GRAPH_DEGREES_H

#include "ops/finish.h"

/* Of the rows of A, or of A'; rows without entries give 0. Nothing is converted but tiles. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
} gb_Degrees;
extern const gb_Op gb_op_degrees;

#endif
