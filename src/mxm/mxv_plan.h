/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice between push and pull, and what is remembered of it. Looks at entries of u only where
 * these are few or a sample, converts nothing, and takes no memory but for finding out, once,
 * whether A is symmetric (matrix/facts.h).
 */
#ifndef GB_MXM_MXV_PLAN_H
#define GB_MXM_MXV_PLAN_H

#include "mxm/call.h"
#include "ops/run_device.h"

typedef struct {
    gbl_Desc_Value method; /* that was asked for, or GBL_DEFAULT */
    bool push;
    bool few;                      /* push: products are few (GB_FEW) beside positions of w ... */
    bool sorted;                   /* ... and sorted, since there is no scratch yet */
    bool listed;                   /* pull: the mask is a list of few positions, taken one by one */
    gb_Format by_rows, by_columns; /* formats of A that R can be read from by rows, by columns */
    gb_Format w_axis, u_axis;      /* dimensions of A: w's positions, u's */
    double products;               /* of push: counted, or guessed from a sample ... */
    bool counted;                  /* ... which of both */
    uint64_t allowed;              /* positions of w that the mask, taken as structural, leaves */
    double push_ns, pull_ns;
    bool pruned; /* push leaves out what improves on nothing in call->best */
    const char *push_workflow, *pull_workflow;
    const char *no_push, *no_pull; /* why not, or NULL */
} gb_MxvPlan;

/* A, u and the mask are assembled and have entries. */
gbl_Info gb_mxv_plan(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method);
/* The same in two parts, for who counts otherwise: forms, and products as means tell them; and the
 * choice by plan->products and the mean number of entries of rows that may be written. */
void gb_mxv_plan_begin(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method);
double gb_mxv_mean_row(const gb_MxvCall *call); /* all rows */
gbl_Info gb_mxv_plan_choose(gb_MxvPlan *plan, const gb_MxvCall *call, double mean);

/* What an explanation is made of when somebody asks for one: small, since every call leaves one. */
typedef struct {
    gb_MxvPlan plan;
    bool planned;  /* there was something to multiply */
    int32_t fused; /* calls that were put off and made in one pass, or 0 */
    bool u_is_left, iso_a, iso_b;
    unsigned formats_a, formats_b;
    uint64_t positions; /* of w */
    uint64_t nrows, inner, ncols, nnz_a, nnz_b, nnz_mask, nvals;
    double seconds_prepare, seconds_kernel, seconds_finish; /* 0 where products are few */
    gb_PlacedNote placed;
} gb_MxvNote;
void gb_mxv_note(gb_MxvNote *note, const gb_MxvCall *call);
/* *explanation, a gbl_Explanation, from a gb_MxvNote. */
void gb_mxv_report(void *explanation, const void *note);

#endif
