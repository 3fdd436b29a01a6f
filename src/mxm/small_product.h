/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of few flops (GB_SMALL_FLOPS) by the row-wise kernel, without a plan: to gather all
 * facts and to compare methods would take longer than to multiply.
 */
#ifndef GB_MXM_SMALL_PRODUCT_H
#define GB_MXM_SMALL_PRODUCT_H

#include "gblite_explain.h"
#include "mxm/model/call.h"

/* C<M> accum= A * B, if the product is one of these: the choice is left to the planner, nobody
 * watches or traces, both factors exist by rows with values that need no cast, and so does the
 * mask. *made tells; if not, nothing has been done. For a call that was checked, of operands with
 * entries. Explanations are made of a note of what was counted. */
gbl_Info gb_mxm_small(const gb_MxmCall *call, bool *made);
/* How it would be made; *planned: it is one of these, and `why` is filled. */
gbl_Info gb_plan_small(gbl_Explanation *why, const gb_MxmCall *call, bool *planned);

#endif
