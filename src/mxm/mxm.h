/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: check -> call -> features -> plan -> operands -> kernel -> finish; never back.
 */
#pragma once

#include "gblite_explain.h"
#include "mxm/model/features.h"

gbl_Info gb_mxm(const gb_MxmCall *call);
gbl_Info gb_mxv(const gb_MxvCall *call);
/* Shapes and domains alone, which gb_mxm and gb_mxv check themselves. */
gbl_Info gb_mxm_check(const gb_MxmCall *call);
gbl_Info gb_mxv_check(const gb_MxvCall *call);
/* gb_mxv in two parts: all its checks and the requested form; the rest. */
gbl_Info gb_mxv_ask(gbl_Desc_Value *method, const gb_MxvCall *call);
gbl_Info gb_mxv_asked(const gb_MxvCall *call, gbl_Desc_Value method);
/* fold->z = all entries of the product, folded; nothing where fold->nvals is 0. call->C and accum
 * are NULL. The product is stored only where the method cannot do without. */
typedef struct {
    gb_MxmCall mxm;
    gb_Folding *fold;
} gb_MxmReduceCall;
gbl_Info gb_mxm_reduce(const void *call);

/* Triangle sums: sums of C<A> = A * A over (plus, pair), with any transposes. If A's pattern is
 * symmetric the sum is six for each triangle, three for each other entry of a row with a loop, and
 * one for the loop; if it lies on one side of the main diagonal, one for each triangle. Triangles
 * are counted without a plan: on short rows as stored, else on the degree-ordered lower triangle
 * (core/forms.h). Sets call->fold and *made where the product is such a sum and the call
 * leaves the method to the library; else does nothing. Precondition: the call is checked, its
 * operands are assembled and have entries. */
gbl_Info gb_triangle_sum(const gb_MxmCall *call, bool *made);

/* Small products (at most GB_SMALL_FLOPS) by the row-wise kernel, without a plan: measuring
 * features and comparing methods costs more than the product. C<M> accum= A * B if the planner has
 * the choice, nobody watches or traces, both factors exist by rows with values that need no cast,
 * and so does the mask. *made says whether; if not, nothing is done. Precondition: the call is
 * checked, its operands have entries. Explanations are made from a record of the counts. */
gbl_Info gb_mxm_small(const gb_MxmCall *call, bool *made);
/* How it would be made; *planned: it is one of these, and `why` is filled. */
gbl_Info gb_plan_small(gbl_Explanation *why, const gb_MxmCall *call, bool *planned);

/* How gb_mxm would do it, without a conversion: where a factor is held neither by rows nor by
 * columns, means stand for counts. */
typedef struct {
    gb_MxmCall mxm;
    gbl_Explanation *why;
} gb_MxmPlanCall;
gbl_Info gb_mxm_plan(const void *call);

/* What gbl_mxm_estimate knows about C before a single multiplication; estimate/estimate.c. */
typedef struct {
    gb_MxmCall mxm;
    gbl_MxmEstimate *estimate;
} gb_MxmEstimateCall;
gbl_Info gb_mxm_estimate(const void *call);

/* All features that the choice would be made of, for shapes that fit and factors that have entries;
 * whatever C is. */
gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call);
