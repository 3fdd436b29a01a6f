/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice among the methods of the table.
 */
#ifndef GB_MXM_PLAN_PLAN_H
#define GB_MXM_PLAN_PLAN_H

#include "mxm/methods/methods.h"

typedef struct {
    const gb_Method *method;
    bool forced;   /* method or workflow were asked for */
    double wanted; /* least bytes of what does not fit into the limit; HUGE_VAL: all does */
    int n, chosen;
    gb_Budget budget;                              /* of the method chosen */
    gbl_Candidate candidates[GBL_CANDIDATES_MOST]; /* candidates[k] is gb_methods[k] */
} gb_Plan;

/* Whether it is a value of GBL_METHOD, of mxm or of mxv and vxm. */
bool gb_is_method(int method);
/* The method that GBLITE_METHOD names, of mxm or of mxv and vxm; GBL_DEFAULT where it is not set.
 * It is for a whole program: each operation takes the names of the other's methods for none. */
gbl_Info gb_plan_environment(gbl_Desc_Value *method);
/* The method of mxm that the descriptor or, failing that, GBLITE_METHOD asks for. */
gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call);
/* Everything is left to the planner, by descriptor, settings and environment, and the product is
 * whole. */
bool gb_plan_is_open(const gb_MxmCall *call);
/* Memory has no limit either, and nobody watches how it is made or has it traced. */
bool gb_plan_is_free(const gb_MxmCall *call);
/* Pure: all candidates, and the legal one of least predicted seconds; among those that are as good
 * (GB_TIE) the one that needs no conversion. What is asked for and not possible is an error that
 * says why, never a silent fallback; GBL_OUT_OF_MEMORY where nothing fits into the limit. */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                        const gb_MachineTable *machine);
/* The same when the method chosen has failed on its place: without those of that place. */
gbl_Info gb_plan_choose_again(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f,
                              const gb_MachineTable *machine);
/* A remembers what its rows, grouped, would have spared the product that was chosen, if anything,
 * and B what its columns would have. */
void gb_plan_credit(const gb_Plan *plan, const gb_Features *f, gb_Operands *in);
/* Pure: a product of few flops that method was taken for; the others were not compared. */
void gb_plan_take(gb_Plan *plan, const gb_Method *method, const gb_Features *f,
                  const gb_MachineTable *machine);
/* Whether the choice fell to a candidate that is as good as the fastest. */
bool gb_is_tie(const gbl_Candidate *candidates, int n, int chosen);

#endif
