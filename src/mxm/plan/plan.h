/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice among the methods of the table. It depends on features and rates alone, so a plan is
 * never kept with all its candidates: they are weighed again when an explanation is asked for.
 */
#ifndef GB_MXM_PLAN_PLAN_H
#define GB_MXM_PLAN_PLAN_H

#include "mxm/methods/methods.h"

enum { GB_PLACE_NONE = -1 };

typedef struct {
    const gb_Method *method;
    int chosen;  /* gb_methods[chosen] */
    bool forced; /* method or workflow were asked for */
    bool alone;  /* the product is so small that nothing else was compared */
    int failed;  /* the place on which a method has failed before, or GB_PLACE_NONE */
    gb_Cost cost;
    gb_Budget budget;
    /* seconds that the product would have been spared by an order of A's rows, by B's columns */
    double saved_by_groups, saved_by_columns;
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

/* Pure: the legal method of least predicted seconds; among those that are as good (GB_TIE) the one
 * that needs no conversion. What is asked for and not possible is an error that says why, never a
 * silent fallback; GBL_OUT_OF_MEMORY where nothing fits into the limit. Methods that are not legal
 * are not priced. */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_Features *f, const gb_MachineTable *machine);
/* The same when the method chosen has failed on its place: without those of that place. */
gbl_Info gb_plan_choose_again(gb_Plan *plan, const gb_Features *f, const gb_MachineTable *machine);
/* Pure: every method as gb_plan_choose sees it; returns how many. */
int gb_plan_candidates(gbl_Candidate candidates[GBL_CANDIDATES_MOST], const gb_Plan *plan,
                       const gb_Features *f, const gb_MachineTable *machine);
/* A remembers what its rows, grouped, would have spared the product that was made, if anything, and
 * B what its columns would have. */
void gb_plan_credit(const gb_Plan *plan, const gb_Operands *in);

#endif
