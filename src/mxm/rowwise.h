/* SPDX-License-Identifier: Apache-2.0
 *
 * Analysis of a row-wise product and the choice of its workflow (Ocean, ICS '26, sections 3.2 and
 * 4.3): what the planner and gbl_mxm_estimate know about C before a single multiplication.
 */
#ifndef GB_MXM_ROWWISE_H
#define GB_MXM_ROWWISE_H

#include "mxm/mxm.h"

typedef struct {
    double products, products_mean; /* of the product, and per row of A */
    double products_spread;         /* deviation / mean */
    double expansion;               /* products per entry of A (ER) */
    double room;                    /* sum of min(products, columns) over the rows */
    double room_bytes, budget;      /* of indices and values for that room; what may be taken */
    unsigned registers;             /* of the sketches to use */
    /* from sampled rows; sampled is 0 when no row was looked at */
    uint64_t sampled;
    double compression;       /* products per entry of C (CR) */
    double compression_error; /* relative; exceeded in at most 1 of 20 cases (Chebyshev) */
} gb_Analysis;

/* Everything that the kernel wants to know besides the operands. */
typedef struct {
    gb_Analysis analysis;
    gb_Workflow workflow;
    float *size; /* [m] or NULL */
    size_t size_bytes;
    double size_sum;
    double seconds_analysis, seconds_sketch, seconds_estimate;
} gb_RowwisePlan;

/* O(m): what the counts of products say. */
void gb_analyse_products(gb_Analysis *a, const gb_MxmCall *call, const gb_Features *features,
                         const uint64_t *flops);
/* Samples rows of A; makes the sketches of B if there are none. O(nnz(B)) once, then O(samples). */
gbl_Info gb_analyse_sample(gb_Analysis *a, const gb_MxmCall *call, const gb_CsView *A,
                           const uint64_t *flops);
/* The paper's table 1, re-fitted (cost_table.h), within the budget of memory. Pure.
 * gb_workflow_is_clear: no sample could change the choice. */
bool gb_workflow_is_clear(const gb_Analysis *a);
gb_Workflow gb_workflow_choose(const gb_Analysis *a);

gbl_Info gb_rowwise_plan(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_Features *features,
                         const gb_CsView *A, const uint64_t *flops);
/* Appends to a text why this workflow. */
void gb_rowwise_explain(const gb_RowwisePlan *plan, bool forced, char *text, size_t size);
void gb_rowwise_release(gb_RowwisePlan *plan);
gbl_Info gb_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call);

#endif
