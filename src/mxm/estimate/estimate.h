/* SPDX-License-Identifier: Apache-2.0
 *
 * Analysis of a row-wise product (Ocean, ICS '26, sections 3.2 and 4.3): what gbl_mxm_estimate
 * knows about C before a single multiplication, and estimates of all rows for the kernel.
 */
#ifndef GB_MXM_ROWWISE_H
#define GB_MXM_ROWWISE_H

#include "mxm/mxm.h"

typedef struct {
    double expansion;   /* products per entry of A (ER) */
    double room;        /* sum of min(products, columns) over the rows */
    unsigned registers; /* of the sketches to use */
    /* from sampled rows; sampled is 0 when no row was looked at */
    uint64_t sampled;
    double compression;       /* products per entry of C (CR) */
    double compression_error; /* relative; exceeded in at most 1 of 20 cases (Chebyshev) */
} gb_Analysis;

/* Everything that the kernel wants to know besides the operands. */
typedef struct {
    gb_Workflow workflow;
    unsigned registers;
    double compression; /* products per entry of C; 0: not known */
    float *size;        /* [m] or NULL */
    size_t size_bytes;
    double size_sum;
    double seconds_sketch, seconds_estimate;
} gb_RowwisePlan;

/* Registers of sketches for an expansion ratio. */
unsigned gb_registers(double expansion);
/* O(m): what the counts of products say. */
void gb_analyse_products(gb_Analysis *a, const gb_MxmCall *call, const gb_Features *features);
/* Samples rows of A; makes the sketches of B if there are none. O(nnz(B)) once, then O(samples). */
gbl_Info gb_analyse_sample(gb_Analysis *a, const gb_MxmCall *call, const gb_CsView *A,
                           const uint64_t *flops);

/* What the workflow needs before the kernel runs. */
gbl_Info gb_rowwise_plan(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_Features *features,
                         gb_Workflow workflow, const gb_CsView *A);
void gb_rowwise_release(gb_RowwisePlan *plan);
gbl_Info gb_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call);

#endif
