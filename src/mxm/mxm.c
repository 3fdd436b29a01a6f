/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= A * B: the way of data from a checked call to the finished matrix.
 */
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

/* Runs the planned kernel; T by rows. */
static gbl_Info run(const gb_MxmCall *call, const gb_Features *features, bool dot, gb_MxmHold *hold,
                    gb_Cs *T, gb_MxmStats *stats) {
    const gb_Backend *backend = gb_backend();
    const uint64_t work = dot ? features->dot_work : features->flops;
    const gb_Format format = call->transpose_b == dot ? GB_CSR : GB_CSC; /* of op(B) as wanted */
    gbl_Info info = gb_operand_get(&hold->B, call->B, format, gb_ring_right_type(call->ring));
    if (info != GBL_SUCCESS) return info;
    const gb_CsView *A = &hold->A.view, *B = &hold->B.view;
    gb_Meter meter;
    gb_MxmArgs args = {
        .A = *A,
        .B = *B,
        .M = hold->mask.view,
        .mask_kind = call->mask.M == NULL    ? GB_MASK_NONE
                     : call->mask.complement ? GB_MASK_OUTSIDE
                                             : GB_MASK_INSIDE,
        .ring = call->ring->kernel,
        .args = gb_ring_args(call->ring, A->x, A->iso, B->x, B->iso),
        .flops = hold->flops,
        .workflow = hold->rowwise.workflow,
        .size = hold->rowwise.size,
        .size_sum = hold->rowwise.size_sum,
        .size_factor = hold->rowwise.analysis.registers == 32 ? GB_ROOM_FACTOR_32 : GB_ROOM_FACTOR,
        .compression = hold->rowwise.analysis.compression,
        .accumulators = call->choices.accumulators != 0 ? (unsigned)call->choices.accumulators
                                                        : GB_ACCUMULATE_ALL,
        .any_order = call->choices.row_order == GBL_ANY_ORDER,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, gb_nthreads()),
        .meter = &meter,
    };
    gb_progress_begin(&meter, "mxm", dot ? args.M.nvals : work);
    return dot ? backend->mxm_dot(&args, T, stats) : backend->mxm_rowwise(&args, T, stats);
}

static void explain(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *features,
                    const gb_RowwisePlan *rowwise, const gb_MxmStats *stats) {
    const gb_Analysis *a = &rowwise->analysis;
    *why = (gbl_Explanation){.operation = "mxm",
                             .method = plan->name,
                             .workflow = stats->workflow,
                             .isa = gb_backend()->name,
                             .flops = features->flops,
                             .rows_copied = stats->copied,
                             .rows_sorted = stats->sorted,
                             .rows_hashed = stats->hashed,
                             .rows_dense = stats->dense,
                             .rows_overflowed = stats->overflowed,
                             .slices = stats->slices,
                             .bins = stats->bins,
                             .bytes_expanded = stats->bytes_expanded,
                             .products_mean = a->products_mean,
                             .products_spread = a->products_spread,
                             .expansion_ratio = a->expansion,
                             .compression_ratio = a->compression,
                             .compression_error = a->compression_error,
                             .nvals_estimated = rowwise->size_sum,
                             .registers =
                                 rowwise->size != NULL || a->sampled > 0 ? (int)a->registers : 0,
                             .seconds_analysis = rowwise->seconds_analysis,
                             .seconds_sketch = rowwise->seconds_sketch,
                             .seconds_estimate = rowwise->seconds_estimate,
                             .seconds_symbolic = stats->seconds_symbolic,
                             .seconds_expand = stats->seconds_expand,
                             .seconds_compact = stats->seconds_compact,
                             .seconds_sort = stats->seconds_sort};
    memcpy(why->reason, plan->reason, sizeof why->reason);
}

/* Facts about the operands, and what follows from them. */
static gbl_Info make_plan(gb_Plan *plan, gb_Features *features, const gb_MxmCall *call,
                          gb_MxmHold *hold) {
    const gb_Format rows = call->transpose_a ? GB_CSC : GB_CSR;
    const bool masked = call->mask.M != NULL;
    gbl_Info info = gb_operand_get(&hold->A, call->A, rows, gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS && masked) info = gb_mask_get(&hold->mask, &call->mask, GB_CSR);
    if (info != GBL_SUCCESS) return info;
    hold->flops_bytes = (hold->A.view.nmajor + 1) * sizeof *hold->flops;
    hold->flops = gb_malloc(hold->flops_bytes);
    if (hold->flops == NULL) return gb_fail_memory(call->C, hold->flops_bytes);
    info = gb_features_get(features, call, &hold->A.view, masked ? &hold->mask.view : NULL,
                           hold->flops);
    if (info == GBL_SUCCESS) info = gb_plan_choose(plan, call, features);
    if (info == GBL_SUCCESS && plan->method == GB_ROWWISE)
        info = gb_rowwise_plan(&hold->rowwise, call, features, &hold->A.view, hold->flops);
    return info;
}

/* The product of non-empty operands into T, and its explanation into hold->why. */
static gbl_Info multiply(const gb_MxmCall *asked, gb_MxmHold *hold, gb_Result *T) {
    const double start = gb_seconds();
    gb_MxmCall forced = *asked;
    const gb_MxmCall *call = &forced;
    gb_Features features;
    gb_Plan plan;
    gb_MxmStats stats = {.workflow = "tiles"};
    gb_TiledRunStats tiled = {0};
    bool stays = false;
    gbl_Info info = gb_plan_forced(&forced.choices.method, asked);
    if (info == GBL_SUCCESS) info = gb_stays_tiled(&stays, &plan, &features, call);
    if (info == GBL_SUCCESS && !stays) info = make_plan(&plan, &features, call, hold);
    if (info != GBL_SUCCESS) return info;
    const double planned = gb_seconds();
    if (plan.method == GB_TILED) {
        info = gb_tiled_run(call, &features, T, &tiled);
    } else if (plan.method == GB_OUTER) {
        gb_OuterInput in = {.mask = hold->mask.view, .flops = hold->flops};
        info = gb_outer_run(call, &features, &in, &T->cs, &stats);
    } else {
        info = run(call, &features, plan.method == GB_DOT, hold, &T->cs, &stats);
    }
    if (info != GBL_SUCCESS) return info;
    if (plan.method == GB_ROWWISE)
        gb_rowwise_explain(&hold->rowwise, call->choices.workflow != GBL_DEFAULT, plan.reason,
                           sizeof plan.reason);
    explain(hold->why, &plan, &features, &hold->rowwise, &stats);
    if (plan.method == GB_TILED) gb_tiled_explain(hold->why, &tiled);
    hold->why->nvals = T->is_tiled ? T->tiles.nvals : T->cs.nvals;
    hold->why->seconds_prepare = planned - start;
    hold->why->seconds_kernel = gb_seconds() - planned;
    return GBL_SUCCESS;
}

gbl_Info gb_mxm(const gb_MxmCall *call) {
    const gb_Type *ztype = call->ring->add->op->ztype;
    gb_MxmHold hold = {0};
    gb_Result T = {.type = ztype, .format = GB_CSR, .masked = call->mask.M != NULL};
    uint64_t nnz_a = 0, nnz_b = 0;
    gbl_Info info = check_shapes(call);
    if (info == GBL_SUCCESS)
        info = gb_ring_check(call->ring, call->C, call->A->type, call->B->type);
    if (info == GBL_SUCCESS) info = gb_check_output(call->C, &call->mask, call->accum, ztype);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->A, &nnz_a);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->B, &nnz_b);
    if (info != GBL_SUCCESS) return info;

    hold.why = gb_malloc(sizeof *hold.why);
    if (hold.why == NULL) return gb_fail_memory(call->C, sizeof *hold.why);
    *hold.why = (gbl_Explanation){.operation = "mxm",
                                  .method = "none",
                                  .workflow = "none",
                                  .isa = gb_backend()->name,
                                  .reason = "a factor is empty"};
    T.cs = (gb_Cs){.nmajor = call->C->nrows, .sorted = true};
    const bool nothing = call->mask.M == NULL && call->mask.complement;
    if (nnz_a > 0 && nnz_b > 0 && !nothing) info = multiply(call, &hold, &T);
    if (info == GBL_SUCCESS) {
        const double start = gb_seconds();
        info = gb_finish(call->C, &call->mask, call->accum, &T);
        hold.why->seconds_finish = gb_seconds() - start;
    }
    if (info == GBL_SUCCESS) {
        gb_free(call->C->why, sizeof *call->C->why);
        call->C->why = hold.why;
        hold.why = NULL;
    }
    release(&hold);
    return info;
}
