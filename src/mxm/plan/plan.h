/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice among the methods of the table. It depends on features and rates alone, so plans with
 * all their candidates are not stored: an explanation prices them again.
 */
#ifndef GB_MXM_PLAN_PLAN_H
#define GB_MXM_PLAN_PLAN_H

#include "mxm/methods/methods.h"

enum { GB_PLACE_NONE = -1 };

typedef struct {
    const gb_Method *method;
    int chosen;  /* gb_methods[chosen] */
    bool forced; /* the call requests a method or workflow */
    bool alone;  /* the product is so small that nothing else was compared */
    int failed;  /* the device on which a method has failed before, or GB_PLACE_NONE */
    gb_Cost cost;
    gb_Budget budget;
    /* seconds that an order of A's rows, or B's columns, would have saved */
    double saved_by_groups, saved_by_columns;
} gb_Plan;

/* Whether it is a value of GBL_METHOD, of mxm or of mxv and vxm. */
bool gb_is_method(int method);
/* The method that GBLITE_METHOD names, of mxm or of mxv and vxm; GBL_DEFAULT where it is not set.
 * It is for a whole program: each operation takes the names of the other's methods for none. */
gbl_Info gb_plan_environment(gbl_Desc_Value *method);
/* The method of mxm that the descriptor or, failing that, GBLITE_METHOD requests. */
gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call);
/* Everything is left to the planner, by descriptor, settings and environment, and the product is
 * whole. */
bool gb_plan_is_open(const gb_MxmCall *call);
/* Memory has no limit either, and nobody watches how it is made or has it traced. */
bool gb_plan_is_free(const gb_MxmCall *call);

/* Pure: the legal method of least predicted seconds; ties (GB_TIE) go to the one that needs no
 * conversion. A request that is not possible is an error that says why, never a silent fallback;
 * GBL_OUT_OF_MEMORY where nothing fits into the limit. Illegal methods are not priced.
 * failed: the device whose methods are out, since one has failed, or GB_PLACE_NONE. */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_Features *f, const gb_MachineTable *machine,
                        int failed);
/* Pure: every method as gb_plan_choose sees it; returns how many. */
int gb_plan_candidates(gbl_Candidate candidates[GBL_CANDIDATES_MOST], const gb_Plan *plan,
                       const gb_Features *f, const gb_MachineTable *machine);
/* Credits A with the seconds that grouping its rows would have saved this product, and B with those
 * that its columns would have. */
void gb_plan_credit(const gb_Plan *plan, const gb_Operands *in);

#endif
