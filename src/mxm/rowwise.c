/* SPDX-License-Identifier: Apache-2.0
 *
 * The workflow of a row-wise product, and what it needs before the kernel runs.
 */
#include "mxm/rowwise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/cost_table.h"

/* What the counts of products alone say about estimates. */
static bool may_estimate(const gb_Analysis *a) {
    return a->products >= GB_ESTIMATE_PRODUCTS && a->products_mean >= GB_BOUND_PRODUCTS &&
           a->expansion >= GB_ESTIMATE_EXPANSION;
}

bool gb_workflow_is_clear(const gb_Analysis *a) {
    return a->room_bytes <= a->budget && !may_estimate(a);
}

gb_Workflow gb_workflow_choose(const gb_Analysis *a) {
    const bool estimate = may_estimate(a) && a->compression >= GB_ESTIMATE_COMPRESSION;
    if (estimate) return GB_ESTIMATE;
    if (a->room_bytes <= a->budget) return GB_REMAINING_WORKFLOW;
    const double expected = a->sampled > 0 ? a->room_bytes / fmax(a->compression, 1.0) : INFINITY;
    return expected * GB_ESTIMATE_MARGIN <= a->budget ? GB_ESTIMATE : GB_SYMBOLIC;
}

/* Expected entries of every row. */
static gbl_Info estimate_rows(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_CsView *A) {
    const gb_Format format = call->transpose_b ? GB_CSC : GB_CSR;
    const unsigned registers = plan->analysis.registers;
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

/* Sketches are made before the sample is timed, so that the time split tells them apart. */
static gbl_Info sample(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_CsView *A,
                       const uint64_t *flops) {
    const double start = gb_seconds();
    const uint8_t *sketch;
    gbl_Info info = gb_sketch_get(&sketch, call->B, call->transpose_b ? GB_CSC : GB_CSR,
                                  plan->analysis.registers);
    const double made = gb_seconds();
    plan->seconds_sketch = made - start;
    if (info == GBL_SUCCESS) info = gb_analyse_sample(&plan->analysis, call, A, flops);
    plan->seconds_analysis += gb_seconds() - made;
    return info;
}

static gb_Workflow forced_workflow(gbl_Desc_Value value) {
    return value == GBL_WORKFLOW_UPPER_BOUND ? GB_UPPER_BOUND
           : value == GBL_WORKFLOW_ESTIMATE  ? GB_ESTIMATE
                                             : GB_SYMBOLIC;
}

gbl_Info gb_rowwise_plan(gb_RowwisePlan *plan, const gb_MxmCall *call, const gb_Features *features,
                         const gb_CsView *A, const uint64_t *flops) {
    const double start = gb_seconds();
    *plan = (gb_RowwisePlan){0};
    gb_Analysis *a = &plan->analysis;
    gb_analyse_products(a, call, features, flops);
    plan->seconds_analysis = gb_seconds() - start;
    const gb_Choices *c = &call->choices;
    const bool assisted = c->accumulators == 0 || (c->accumulators & GBL_ACCUMULATE_ASSIST) != 0;
    const bool forced = c->workflow != GBL_DEFAULT;
    const bool wanted =
        forced ? c->workflow != GBL_WORKFLOW_UPPER_BOUND && assisted : !gb_workflow_is_clear(a);
    gbl_Info info = wanted ? sample(plan, call, A, flops) : GBL_SUCCESS;
    if (info != GBL_SUCCESS) return info;
    plan->workflow = forced ? forced_workflow(c->workflow) : gb_workflow_choose(a);
    return plan->workflow == GB_ESTIMATE ? estimate_rows(plan, call, A) : GBL_SUCCESS;
}

void gb_rowwise_explain(const gb_RowwisePlan *plan, bool forced, char *text, size_t size) {
    const gb_Analysis *a = &plan->analysis;
    const size_t used = strlen(text);
    if (forced)
        snprintf(text + used, size - used, "; workflow asked for");
    else if (a->sampled == 0)
        snprintf(text + used, size - used, "; %.3g products a row, expansion %.3g",
                 a->products_mean, a->expansion);
    else
        snprintf(text + used, size - used,
                 "; %.3g products a row, expansion %.3g, compression %.3g +- %.2g%%",
                 a->products_mean, a->expansion, a->compression, 100.0 * a->compression_error);
}

void gb_rowwise_release(gb_RowwisePlan *plan) {
    gb_free(plan->size, plan->size_bytes);
    plan->size = NULL;
}
