/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A op B, entry by entry: on the union of the patterns, where an entry that stands
 * alone keeps its value, or on the intersection.
 */
#ifndef GB_OPS_EWISE_H
#define GB_OPS_EWISE_H

#include "ops/finish.h"

typedef struct {
    gb_Matrix *C, *A, *B;
    const gb_Mask *mask;
    const gb_BinaryOp *accum, *op;
    bool atransposed, btransposed; /* matrices only */
    bool unite;                    /* union, else intersection */
} gb_Ewise;

/* Domains and shapes; the handles are valid. */
gbl_Info gb_ewise_check(const gb_Ewise *call);
gbl_Info gb_ewise(const gb_Ewise *call);
/* The same on the host, for an operation that runs there: of a gb_Ewise. */
gbl_Info gb_ewise_host(const void *call);

#endif
