/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: check -> call -> features -> plan -> operands -> kernel -> finish. Arrows never run
 * back.
 */
#ifndef GB_MXM_MXM_H
#define GB_MXM_MXM_H

#include "gblite_explain.h"
#include "mxm/model/call.h"
#include "mxm/model/features.h"

gbl_Info gb_mxm(const gb_MxmCall *call);
gbl_Info gb_mxv(const gb_MxvCall *call);
/* Shapes and domains alone, which gb_mxm and gb_mxv check themselves. */
gbl_Info gb_mxm_check(const gb_MxmCall *call);
gbl_Info gb_mxv_check(const gb_MxvCall *call);
/* All that gb_mxv checks, and the form that is asked for; and the rest of it. */
gbl_Info gb_mxv_ask(gbl_Desc_Value *method, const gb_MxvCall *call);
gbl_Info gb_mxv_asked(const gb_MxvCall *call, gbl_Desc_Value method);
/* fold->z = all entries of the product, folded; nothing where fold->nvals is 0. call->C and accum
 * are NULL. The product is stored only where the method cannot do without. */
gbl_Info gb_mxm_reduce(const gb_MxmCall *call, gb_Folding *fold);

/* Sums of C<A> = A * A over (plus, pair), with whatever transposes: the closed walks of three steps
 * of a graph. Where the pattern of A is symmetric these are six for each triangle, three for each
 * other entry of a row with a loop, and one for the loop; where it lies on one side of the main
 * diagonal, one for each triangle. So they are counted as triangles are counted best, without a
 * plan: on short rows as they are, else in the order of degrees (matrix/degree_lower.h).
 * call->fold, and *made, where the product is such a sum whose making is left to the library; else
 * nothing. The call has been checked, its operands are assembled and have entries. */
gbl_Info gb_triangle_sum(const gb_MxmCall *call, bool *made);

/* Products of few flops (GB_SMALL_FLOPS) by the row-wise kernel, without a plan: to measure
 * features and to compare methods would take longer than to multiply. C<M> accum= A * B, if the
 * product is one of these: the choice is left to the planner, nobody watches or traces, both
 * factors exist by rows with values that need no cast, and so does the mask. *made tells; if not,
 * nothing has been done. For a call that was checked, of operands with entries. Explanations are
 * made of a note of what was counted. */
gbl_Info gb_mxm_small(const gb_MxmCall *call, bool *made);
/* How it would be made; *planned: it is one of these, and `why` is filled. */
gbl_Info gb_plan_small(gbl_Explanation *why, const gb_MxmCall *call, bool *planned);

/* How gb_mxm would do it, without a conversion: where a factor is held neither by rows nor by
 * columns, means stand for counts. */
gbl_Info gb_mxm_plan(gbl_Explanation *why, const gb_MxmCall *call);

/* All features that the choice would be made of, for shapes that fit and factors that have entries;
 * whatever C is. */
gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call);

#endif
