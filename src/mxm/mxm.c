/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A * B: the way of data from a checked call to the finished matrix.
 */
#include "mxm/explain.h"
#include "mxm/rowwise.h"
#include "mxm/tiled.h"

#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/cost_table.h"
#include "ops/finish.h"
#include "semiring/ids.h"

/* Everything a product holds on the way; released in one place. */
typedef struct {
    gb_Operand A, B;
    gb_MaskView mask;
    uint64_t *flops; /* [m + 1] */
    size_t flops_bytes;
    gb_Features features;
    gb_Plan plan;
    gb_RowwisePlan rowwise;
    gbl_Explanation *why;
} gb_MxmHold;

static void release(gb_MxmHold *hold) {
    gb_operand_release(&hold->A);
    gb_operand_release(&hold->B);
    gb_mask_release(&hold->mask);
    gb_free(hold->flops, hold->flops_bytes);
    gb_rowwise_release(&hold->rowwise);
    gb_free(hold->why, sizeof *hold->why);
}

gbl_Info gb_mxm_check_inner(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B;
    const uint64_t k = call->transpose_a ? A->nrows : A->ncols;
    const uint64_t kb = call->transpose_b ? B->ncols : B->nrows;
    if (k == kb) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH, call->C,
                   "A%s has %llu columns and B%s has %llu rows; they must be equal",
                   call->transpose_a ? "'" : "", (unsigned long long)k,
                   call->transpose_b ? "'" : "", (unsigned long long)kb);
}

static gbl_Info check_shapes(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B, *C = call->C;
    const uint64_t m = call->transpose_a ? A->ncols : A->nrows;
    const uint64_t n = call->transpose_b ? B->nrows : B->ncols;
    const gbl_Info info = gb_mxm_check_inner(call);
    if (info != GBL_SUCCESS || (C->nrows == m && C->ncols == n)) return info;
    return gb_fail(GBL_DIMENSION_MISMATCH, C, "C is %llu x %llu, but the product is %llu x %llu",
                   (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                   (unsigned long long)m, (unsigned long long)n);
}

/* Runs rowwise or dot; T by rows. */
static gbl_Info run_rows(const gb_MxmCall *call, gb_MxmHold *hold, gb_Cs *T, gb_MxmStats *stats) {
    const gb_Backend *backend = gb_backend();
    const gb_Features *f = &hold->features;
    const bool dot = hold->plan.method == GB_DOT;
    const uint64_t work = dot ? f->dot_work : f->flops;
    const gb_Format a = call->transpose_a ? GB_CSC : GB_CSR;
    const gb_Format b = call->transpose_b == dot ? GB_CSR : GB_CSC; /* of op(B) as wanted */
    const bool converts = hold->plan.candidates[hold->plan.chosen].seconds_convert > 0.0;
    const double start = converts ? gb_seconds() : 0.0;
    gbl_Info info = gb_operand_get(&hold->A, call->A, a, gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS)
        info = gb_operand_get(&hold->B, call->B, b, gb_ring_right_type(call->ring));
    if (info != GBL_SUCCESS) return info;
    if (converts) hold->why->seconds_convert = gb_seconds() - start;
    const gb_CsView *A = &hold->A.view, *B = &hold->B.view;
    gb_Meter meter;
    gb_MxmArgs args = {
        .A = *A,
        .B = *B,
        .M = hold->mask.view,
        .mask_kind = f->mask,
        .ring = call->ring->kernel,
        .args = gb_ring_args(call->ring, A->x, A->iso, B->x, B->iso),
        .flops = hold->flops,
        .workflow = hold->rowwise.workflow,
        .size = hold->rowwise.size,
        .size_sum = hold->rowwise.size_sum,
        .size_factor = hold->rowwise.registers == 32 ? GB_ROOM_FACTOR_32 : GB_ROOM_FACTOR,
        .compression = hold->rowwise.compression,
        .allow = hold->plan.budget.allow,
        .accumulators = hold->plan.budget.accumulators,
        .any_order = call->choices.row_order == GBL_ANY_ORDER,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, hold->plan.budget.threads),
        .meter = &meter,
    };
    gb_progress_begin(&meter, "mxm", dot ? args.M.nvals : work);
    return dot ? backend->mxm_dot(&args, T, stats) : backend->mxm_rowwise(&args, T, stats);
}

static void explain_run(gbl_Explanation *why, const gb_RowwisePlan *rowwise,
                        const gb_MxmStats *stats) {
    why->rows_copied = stats->copied;
    why->rows_sorted = stats->sorted;
    why->rows_hashed = stats->hashed;
    why->rows_dense = stats->dense;
    why->rows_overflowed = stats->overflowed;
    why->slices = stats->slices;
    why->bins = stats->bins;
    why->bytes_expanded = stats->bytes_expanded;
    why->nvals_estimated = rowwise->size_sum;
    why->registers = rowwise->size != NULL ? (int)rowwise->registers : 0;
    why->seconds_sketch = rowwise->seconds_sketch;
    why->seconds_estimate = rowwise->seconds_estimate;
    why->seconds_symbolic = stats->seconds_symbolic;
    why->seconds_expand = stats->seconds_expand;
    why->seconds_compact = stats->seconds_compact;
    why->seconds_sort = stats->seconds_sort;
}

/* A factor is held as tiles alone: whether to multiply tiles is decided without making rows. */
static bool is_tiled(const gb_MxmCall *call) {
    const gbl_Desc_Value method = call->choices.method;
    const bool only = gb_only_tiles(call->A) || gb_only_tiles(call->B);
    return only && (method == GBL_DEFAULT || method == GBL_METHOD_TILED);
}

/* Facts about the operands' rows, and what follows from them. */
static gbl_Info plan_rows(const gb_MxmCall *call, gb_MxmHold *hold) {
    const bool masked = call->mask.M != NULL;
    gb_CsView A;
    gbl_Info info = gb_need(call->A, call->transpose_a ? GB_CSC : GB_CSR, &A);
    if (info == GBL_SUCCESS && masked) info = gb_mask_get(&hold->mask, &call->mask, GB_CSR);
    if (info != GBL_SUCCESS) return info;
    hold->flops_bytes = (A.nmajor + 1) * sizeof *hold->flops;
    hold->flops = gb_malloc(hold->flops_bytes);
    if (hold->flops == NULL) return gb_fail_memory(call->C, hold->flops_bytes);
    info =
        gb_features_get(&hold->features, call, &A, masked ? &hold->mask.view : NULL, hold->flops);
    if (info != GBL_SUCCESS) return info;
    return gb_plan_choose(&hold->plan, call, &hold->features, gb_machine());
}

static gbl_Info make_plan(const gb_MxmCall *call, gb_MxmHold *hold) {
    const double start = gb_seconds();
    gbl_Info info = GBL_SUCCESS;
    hold->why->formats_a = gb_has(call->A) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    hold->why->formats_b = gb_has(call->B) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    bool done = is_tiled(call);
    if (done) {
        info = gb_features_of_tiles(&hold->features, call);
        if (info == GBL_SUCCESS)
            info = gb_plan_choose(&hold->plan, call, &hold->features, gb_machine());
        done = info != GBL_SUCCESS || hold->plan.method == GB_TILED;
    }
    if (!done) info = plan_rows(call, hold);
    if (info != GBL_SUCCESS) return info;
    gb_explain_plan(hold->why, &hold->plan, &hold->features);
    hold->why->seconds_plan = gb_seconds() - start;
    hold->why->seconds_analysis = hold->why->seconds_plan;
    return GBL_SUCCESS;
}

static gbl_Info prepare_rows(const gb_MxmCall *call, gb_MxmHold *hold) {
    static const gb_Workflow workflows[] = {GB_UPPER_BOUND, GB_ESTIMATE, GB_SYMBOLIC};
    gb_CsView A;
    const gbl_Info info = gb_need(call->A, call->transpose_a ? GB_CSC : GB_CSR, &A);
    if (info != GBL_SUCCESS) return info;
    return gb_rowwise_plan(&hold->rowwise, call, &hold->features, workflows[hold->plan.way], &A);
}

static gbl_Info run(const gb_MxmCall *call, gb_MxmHold *hold, gb_Result *T) {
    gb_MxmStats stats = {.workflow = "tiles"};
    gb_TiledRunStats tiled = {0};
    gbl_Info info;
    if (hold->plan.method == GB_TILED) {
        gb_free(hold->flops, hold->flops_bytes); /* was for the plan alone */
        hold->flops = NULL;
        info = gb_tiled_run(call, &hold->features, &hold->plan.budget, T, &tiled);
    } else if (hold->plan.method == GB_OUTER) {
        gb_OuterInput in = {
            .mask = hold->mask.view, .flops = hold->flops, .budget = &hold->plan.budget};
        info = gb_outer_run(call, &hold->features, &in, &T->cs, &stats);
        hold->why->seconds_convert = in.seconds_convert;
    } else {
        info = run_rows(call, hold, &T->cs, &stats);
    }
    if (info != GBL_SUCCESS) return info;
    explain_run(hold->why, &hold->rowwise, &stats);
    if (hold->plan.method == GB_TILED) gb_tiled_explain(hold->why, &tiled);
    hold->why->nvals = T->is_tiled ? T->tiles.nvals : T->cs.nvals;
    return GBL_SUCCESS;
}

/* The product of non-empty operands on the host into T, and its explanation into hold->why. */
static gbl_Info multiply_on_host(const gb_MxmCall *call, gb_MxmHold *hold, gb_Result *T) {
    const double start = gb_seconds();
    gbl_Info info = make_plan(call, hold);
    if (info == GBL_SUCCESS && hold->plan.method == GB_ROWWISE) info = prepare_rows(call, hold);
    if (info != GBL_SUCCESS) return info;
    const double planned = gb_seconds();
    info = run(call, hold, T);
    hold->why->seconds_prepare = planned - start;
    hold->why->seconds_kernel = gb_seconds() - planned;
    return info;
}

static void explain_place(gbl_Explanation *why, const gb_Place *place) {
    why->place = place->on_device ? "gpu" : "cpu";
    memcpy(why->place_reason, place->reason, sizeof place->reason);
}

/* The same where it is best done. A device that fails is no reason to fail unless it was asked for:
 * nothing has been changed. */
static gbl_Info multiply(const gb_MxmCall *asked, gb_MxmHold *hold, gb_Result *T) {
    gb_MxmCall call = *asked;
    gb_Place place;
    gbl_Info info = gb_plan_forced(&call.choices.method, asked);
    if (info == GBL_SUCCESS) info = gb_place_choose(&place, &call);
    if (info != GBL_SUCCESS) return info;
    if (place.on_device) {
        info = gb_device_multiply(&call, place.forced, T, hold->why);
        if (info != GBL_SUCCESS && place.forced) return info;
        place.on_device = info == GBL_SUCCESS;
        if (!place.on_device)
            snprintf(place.reason, sizeof place.reason, "%.90s", gbl_last_error());
    }
    if (!place.on_device) info = multiply_on_host(&call, hold, T);
    explain_place(hold->why, &place);
    return info;
}

/* Whether there is nothing to multiply. */
static bool is_empty(const gb_MxmCall *call) {
    const bool nothing = call->mask.M == NULL && call->mask.complement;
    return call->A->nvals == 0 || call->B->nvals == 0 || nothing;
}

static gbl_Info check(const gb_MxmCall *call) {
    gbl_Info info = check_shapes(call);
    if (info == GBL_SUCCESS)
        info = gb_ring_check(call->ring, call->C, call->A->type, call->B->type);
    if (info == GBL_SUCCESS)
        info = gb_check_output(call->C, &call->mask, call->accum, call->ring->add->op->ztype);
    if (info == GBL_SUCCESS) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_assemble(call->B);
    return info == GBL_SUCCESS && !is_empty(call) ? gb_memory_for_plan(call) : info;
}

static void explain_nothing(gbl_Explanation *why) {
    *why = (gbl_Explanation){.operation = "mxm",
                             .method = "none",
                             .workflow = "none",
                             .isa = gb_backend()->name,
                             .place = "cpu",
                             .reason = "a factor is empty",
                             .chosen = -1};
}

gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call) {
    gbl_Explanation why;
    gb_MxmHold hold = {.why = &why};
    const gbl_Info info = plan_rows(call, &hold);
    *f = hold.features;
    hold.why = NULL;
    release(&hold);
    return info;
}

gbl_Info gb_mxm_plan(gbl_Explanation *why, const gb_MxmCall *asked) {
    gb_MxmCall call = *asked;
    gb_MxmHold hold = {.why = why};
    gb_Place place;
    gbl_Info info = check(&call);
    if (info == GBL_SUCCESS) info = gb_plan_forced(&call.choices.method, asked);
    explain_nothing(why);
    if (info == GBL_SUCCESS && !is_empty(&call)) {
        info = gb_place_choose(&place, &call);
        if (info == GBL_SUCCESS) info = make_plan(&call, &hold);
        if (info == GBL_SUCCESS) explain_place(why, &place);
    }
    hold.why = NULL;
    release(&hold);
    return info;
}

gbl_Info gb_mxm(const gb_MxmCall *call) {
    gb_MxmHold hold;
    gb_Result T = {
        .type = call->ring->add->op->ztype, .format = GB_CSR, .masked = call->mask.M != NULL};
    gbl_Info info = check(call);
    if (info != GBL_SUCCESS) return info;
    hold = (gb_MxmHold){.why = gb_malloc(sizeof *hold.why)};
    if (hold.why == NULL) return gb_fail_memory(call->C, sizeof *hold.why);
    explain_nothing(hold.why);
    T.cs = (gb_Cs){.nmajor = call->C->nrows, .sorted = true};
    if (!is_empty(call)) info = multiply(call, &hold, &T);
    if (info == GBL_SUCCESS) {
        const double start = gb_seconds();
        info = gb_finish(call->C, &call->mask, call->accum, &T);
        hold.why->seconds_finish = gb_seconds() - start;
    }
    if (info == GBL_SUCCESS && gb_tracing() != GB_TRACE_OFF) gb_trace(hold.why);
    if (info == GBL_SUCCESS) {
        gb_matrix_set_note(call->C, (gb_Note){hold.why, sizeof *hold.why});
        hold.why = NULL;
    }
    release(&hold);
    return info;
}
