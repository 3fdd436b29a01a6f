/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A'.
 */
#ifndef GB_OPS_TRANSPOSE_H
#define GB_OPS_TRANSPOSE_H

#include "ops/finish.h"

/* A', or A itself unless `transpose`. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
} gb_Transpose;
/* The others are transposes under the names of the operations that they are a case of. */
extern const gb_Op gb_op_transpose, gb_op_extract_all, gb_op_assign_all;
/* Its `full_iso`, and that of extract; full_iso.c. */
gbl_Info gb_copy_full_iso(const gb_Op *op, const void *call, bool *done);
/* Where few positions of C are written; see assign.h. few.c */
gbl_Info gb_write_few(const gb_Transpose *call, bool *done);

#endif
