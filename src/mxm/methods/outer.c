/* SPDX-License-Identifier: Apache-2.0
 *
 * Running an outer product: operands in the forms it wants, and what memory it may take.
 */
#include "mxm/plan/budget.h"

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"

static gbl_Info multiply(const gb_MxmCall *call, const gb_Features *f, const gb_OuterInput *in,
                         gb_Cs *T, gb_MxmStats *stats) {
    const gb_CsView *A = &in->A.view, *B = &in->B.view;
    const gb_Budget *budget = in->budget;
    gb_Meter meter;
    const gb_MxmArgs args = {
        .A = *A,
        .B = *B,
        .M = in->mask,
        .mask_kind = call->mask.M == NULL    ? GB_MASK_NONE
                     : call->mask.complement ? GB_MASK_OUTSIDE
                                             : GB_MASK_INSIDE,
        .ring = call->ring->kernel,
        .args = gb_ring_args(call->ring, A->x, A->iso, B->x, B->iso),
        .flops = in->flops,
        .allow = budget->allow,
        .bin_bytes = budget->wanted > 0.0 ? budget->bin_bytes : (size_t)call->choices.bin_bytes,
        .bin_lines = (unsigned)call->choices.bin_lines,
        .nthreads = gb_threads_for(f->flops + A->nvals, GB_GRAIN, budget->threads),
        .meter = &meter,
    };
    gb_progress_begin(&meter, "mxm", f->flops);
    return gb_backend()->mxm_outer(&args, T, stats);
}

gbl_Info gb_outer_run(const gb_MxmCall *call, const gb_Features *f, gb_OuterInput *in, gb_Cs *T,
                      gb_MxmStats *stats) {
    const gb_Format columns = call->transpose_a ? GB_CSR : GB_CSC;
    const gb_Format rows = call->transpose_b ? GB_CSC : GB_CSR;
    const double start = gb_seconds();
    gb_CsView sorted;
    gbl_Info info = gb_need_sorted(call->A, columns, &sorted);
    if (info == GBL_SUCCESS)
        info = gb_operand_get(&in->A, call->A, columns, gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS)
        info = gb_operand_get(&in->B, call->B, rows, gb_ring_right_type(call->ring));
    in->seconds_convert = gb_seconds() - start;
    if (info == GBL_SUCCESS) info = multiply(call, f, in, T, stats);
    gb_operand_release(&in->A);
    gb_operand_release(&in->B);
    return info;
}
