/* SPDX-License-Identifier: Apache-2.0
 *
 * What the workflow of a row-wise product needs before the kernel runs.
 */
#include "mxm/estimate/estimate.h"

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"

/* Expected entries of every row. */
static gbl_Info estimate_rows(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_CsView *A) {
    const gb_Format format = call->transpose_b ? GB_CSC : GB_CSR;
    const unsigned registers = plan->registers;
    gb_CsView B;
    const uint8_t *sketch;
    double start = gb_seconds();
    gbl_Info info = gb_need(call->B, format, &B);
    if (info == GBL_SUCCESS) info = gb_sketch_get(&sketch, call->B, format, registers);
    plan->seconds_sketch += gb_seconds() - start;
    if (info != GBL_SUCCESS) return info;
    start = gb_seconds();
    plan->size_bytes = A->nmajor * sizeof *plan->size;
    plan->size = gb_malloc(plan->size_bytes);
    if (plan->size == NULL) return gb_fail_memory(call->C, plan->size_bytes);
    gb_backend()->sketch_sizes(
        &(gb_SketchArgs){.A = *A,
                         .Bp = B.p,
                         .sketch = sketch,
                         .registers = registers,
                         .ncols = B.nminor,
                         .count = A->nmajor,
                         .size = plan->size,
                         .clamp = true,
                         .nthreads = gb_threads_for(A->nvals, GB_GRAIN, gb_nthreads())});
    for (uint64_t i = 0; i < A->nmajor; i++) plan->size_sum += (double)plan->size[i];
    plan->seconds_estimate = gb_seconds() - start;
    return GBL_SUCCESS;
}

gbl_Info gb_rowwise_plan(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_Features *f,
                         gb_Workflow workflow, const gb_CsView *A) {
    *plan = (gb_RowwisePlan){
        .workflow = workflow, .registers = f->registers, .compression = f->compression};
    return workflow == GB_ESTIMATE ? estimate_rows(plan, call, A) : GBL_SUCCESS;
}

void gb_rowwise_release(gb_RowwisePlan *plan) {
    gb_free(plan->size, plan->size_bytes);
    plan->size = NULL;
}
