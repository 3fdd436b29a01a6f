/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations of products with vectors; see mxv_plan.h.
 */
#include "mxm/mxv_plan.h"

#include <string.h>

void gb_mxv_note(gb_MxvNote *note, const gb_MxvCall *call) {
    const gb_Matrix *left = call->u_is_left ? call->u : call->A;
    const gb_Matrix *right = call->u_is_left ? call->A : call->u;
    *note = (gb_MxvNote){
        .u_is_left = call->u_is_left,
        .iso_a = left->iso,
        .iso_b = right->iso,
        .formats_a = gb_has(left) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
        .formats_b = gb_has(right) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
        .positions = call->w->nrows,
        .nnz_a = left->nvals,
        .nnz_b = right->nvals,
        .nnz_mask = call->mask.M != NULL ? call->mask.M->nvals : 0,
    };
    if (call->told != NULL) {
        note->nrows = call->told->nrows;
        note->inner = call->told->inner;
        note->ncols = call->told->ncols;
        return;
    }
    note->nrows = call->u_is_left ? 1 : call->w->nrows;
    note->inner = call->u->nrows;
    note->ncols = call->u_is_left ? call->w->nrows : 1;
}

static const char *place_of(const gb_MxvNote *note) {
    return note->placed.on_device ? "gpu" : "cpu";
}

static gbl_Candidate way(const char *method, const char *workflow, double ns, const char *why_not) {
    return (gbl_Candidate){.method = method,
                           .workflow = workflow,
                           .legal = why_not == NULL,
                           .why_not = why_not,
                           .seconds = 1e-9 * ns,
                           .seconds_kernel = 1e-9 * ns,
                           .slices = 1};
}

static void tell_plan(gbl_Explanation *why, const gb_MxvNote *note) {
    const gb_MxvPlan *plan = &note->plan;
    why->candidates[0] = way("push", plan->push_workflow, plan->push_ns, plan->no_push);
    why->candidates[1] = way("pull", plan->pull_workflow, plan->pull_ns, plan->no_pull);
    why->ncandidates = 2;
    why->candidates[0].place = why->candidates[1].place = place_of(note);
    why->chosen = plan->push ? 0 : 1;
    why->forced = plan->method != GBL_DEFAULT;
    why->method = why->candidates[why->chosen].method;
    if (note->fused > 0) why->candidates[why->chosen].workflow = "one pass with the assign";
    why->workflow = why->candidates[why->chosen].workflow;
    why->seconds_predicted = why->candidates[why->chosen].seconds;
    why->nrows = note->nrows;
    why->inner = note->inner;
    why->ncols = note->ncols;
    why->nnz_a = note->nnz_a;
    why->nnz_b = note->nnz_b;
    why->nnz_mask = note->nnz_mask;
    why->mask_density = (double)plan->allowed / (double)note->positions;
    why->formats_a = note->formats_a;
    why->formats_b = note->formats_b;
    why->iso_a = note->iso_a;
    why->iso_b = note->iso_b;
    why->machine = "built in"; /* GB_NS_... are not calibrated */
    why->nvals = note->nvals;
    why->fused = note->fused;
    why->seconds_prepare = note->seconds_prepare;
    why->seconds_kernel = note->seconds_kernel;
    why->seconds_finish = note->seconds_finish;
}

void gb_mxv_report(void *explanation, const void *block) {
    gbl_Explanation *why = explanation;
    const gb_MxvNote *note = block;
    *why = (gbl_Explanation){.operation = note->u_is_left ? "vxm" : "mxv",
                             .method = "none",
                             .workflow = "none",
                             .isa = note->placed.on_device ? "cuda" : gb_backend()->name,
                             .place = place_of(note),
                             .place_reason = "the GPU was not asked for",
                             .reason = "a factor is empty",
                             .chosen = -1,
                             .bytes_to_device = note->placed.bytes_up,
                             .bytes_from_device = note->placed.bytes_down,
                             .seconds_transfer = note->placed.seconds_moving};
    if (note->placed.reason[0] != '\0')
        memcpy(why->place_reason, note->placed.reason, sizeof note->placed.reason);
    if (note->planned) tell_plan(why, note);
}
