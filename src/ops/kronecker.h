/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= the Kronecker product of A and B.
 */
#ifndef GB_OPS_KRONECKER_H
#define GB_OPS_KRONECKER_H

#include "ops/finish.h"

typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum, *op;
    gb_Matrix *A, *B;
    bool atransposed, btransposed;
} gb_Kronecker;

extern const gb_Op gb_op_kronecker;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_kronecker_full_iso(const void *call, bool *done);

#endif
