/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A op B, entry by entry: on the union of the patterns, where an entry that stands
 * alone keeps its value, or on the intersection.
 */
#ifndef GB_OPS_EWISE_H
#define GB_OPS_EWISE_H

#include "ops/finish.h"

typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum, *op;
    gb_Matrix *A, *B;
    bool atransposed, btransposed; /* matrices only */
    bool unite;                    /* union, else intersection */
} gb_Ewise;

/* By `unite`. */
extern const gb_Op gb_op_ewise_add, gb_op_ewise_mult;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_ewise_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_kronecker_full_iso(const gb_Op *op, const void *call, bool *done);

/* C<M> accum= the Kronecker product of A and B; kronecker.c. */
typedef gb_Ewise gb_Kronecker; /* all but `unite` */
extern const gb_Op gb_op_kronecker;

/* On the host, of a gb_Ewise whose operands are assembled. */
gbl_Info gb_ewise_host(const void *call);

#endif
