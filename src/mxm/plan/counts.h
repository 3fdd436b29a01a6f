/* SPDX-License-Identifier: Apache-2.0
 *
 * Flops of every row of C, counted from the lists that the factors are held in: none is converted.
 * O(nnz(A) + m); op(B) by columns takes a pass over its entries besides.
 */
#ifndef GB_MXM_PLAN_COUNTS_H
#define GB_MXM_PLAN_COUNTS_H

#include "mxm/plan/features.h"

/* flops[m + 1] receives the running sum; f->rows and f->flops what they say. */
gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops);

#endif
