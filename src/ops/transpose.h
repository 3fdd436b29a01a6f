/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A'. Domains and shapes were checked.
 */
#ifndef GB_OPS_TRANSPOSE_H
#define GB_OPS_TRANSPOSE_H

#include "ops/finish.h"

/* A', or A itself unless `transpose`; `name`, static, is the operation's for explanations. */
gbl_Info gb_transpose(const char *name, gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                      gb_Matrix *A, bool transpose);

#endif
