/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice among the ways to compute a product.
 */
#ifndef GB_MXM_PLAN_H
#define GB_MXM_PLAN_H

#include "mxm/budget.h"

typedef struct {
    gb_Way way;
    gb_Method method;
    bool forced; /* method or workflow were asked for */
    int n, chosen;
    gb_Budget budget;                              /* of the way chosen */
    gbl_Candidate candidates[GBL_CANDIDATES_MOST]; /* candidates[way] */
} gb_Plan;

/* The method that GBLITE_METHOD names, of mxm or of mxv and vxm; GBL_DEFAULT where it is not set.
 * It is for a whole program: each operation takes the names of the other's methods for none. */
gbl_Info gb_plan_environment(gbl_Desc_Value *method, const gb_Matrix *object);
/* The method that the descriptor or, failing that, GBLITE_METHOD asks for. */
gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call);
/* Pure: all candidates, and the legal one of least predicted seconds; among those that are as good
 * (GB_TIE) the one that needs no conversion. A forced method that is not possible is an error that
 * says why, never a silent fallback; GBL_OUT_OF_MEMORY where nothing fits into the limit. */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                        const gb_MachineTable *machine);

#endif
