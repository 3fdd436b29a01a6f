/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= the Kronecker product of A and B.
 */
#ifndef GB_OPS_KRONECKER_H
#define GB_OPS_KRONECKER_H

#include "ops/finish.h"

typedef struct {
    gb_Matrix *C, *A, *B;
    const gb_Mask *mask;
    const gb_BinaryOp *accum, *op;
    bool atransposed, btransposed;
} gb_Kronecker;

/* Domains and shapes; the handles are valid. */
gbl_Info gb_kronecker_check(const gb_Kronecker *call);
gbl_Info gb_kronecker(const gb_Kronecker *call);

#endif
