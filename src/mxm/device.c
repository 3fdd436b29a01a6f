/* SPDX-License-Identifier: Apache-2.0
 *
 * A product on the device: operands there, the kernels, the result back. The kernels analyse and
 * choose a workflow themselves, since what they look at lies there; the numbers they go by come
 * from here.
 */
#include "mxm/mxm.h"

#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "mxm/cost_table.h"

/* A factor on the device: the matrix's own copy, or one with values cast for this call. */
typedef struct {
    gb_DeviceCs *copy; /* pinned */
    bool owned;
} gb_DeviceOperand;

static gbl_Info get_operand(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                            const gb_Type *type) {
    const bool cast = type != NULL && type != A->type && type->code != A->type->code;
    gb_Operand host;
    gb_CsView sorted;
    *operand = (gb_DeviceOperand){0};
    if (!cast) return gb_need_device(A, format, type != NULL, &operand->copy);
    gbl_Info info = gb_need_sorted(A, format, &sorted);
    if (info == GBL_SUCCESS) info = gb_operand_get(&host, A, format, type);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->upload(&host.view, &operand->copy);
    operand->owned = info == GBL_SUCCESS;
    gb_operand_release(&host);
    return info;
}

static void put_operand(const gb_DeviceOperand *operand) {
    if (operand->owned)
        gb_device()->release(operand->copy);
    else if (operand->copy != NULL)
        gb_device()->unpin(operand->copy);
}

/* The mask: the matrix's own pattern, or its true entries. */
static gbl_Info get_mask(gb_DeviceOperand *operand, const gb_Mask *spec) {
    gb_MaskView mask;
    *operand = (gb_DeviceOperand){0};
    if (spec->M == NULL) return GBL_SUCCESS;
    if (spec->structural) return gb_need_device(spec->M, GB_CSR, false, &operand->copy);
    gbl_Info info = gb_mask_get(&mask, spec, GB_CSR);
    if (info == GBL_SUCCESS && mask.owned.p == NULL) {
        info = gb_need_device(spec->M, GB_CSR, false, &operand->copy);
    } else if (info == GBL_SUCCESS) {
        info = gb_device()->upload(&mask.view, &operand->copy);
        operand->owned = info == GBL_SUCCESS;
    }
    gb_mask_release(&mask);
    return info;
}

static gbl_Info run(const gb_MxmCall *call, const gb_DeviceOperand in[3], gb_DeviceCs **T,
                    gb_DeviceMxmStats *stats) {
    const gbl_Desc_Value workflow = call->choices.workflow;
    const gb_DeviceMxmArgs args = {
        .A = in[0].copy,
        .B = in[1].copy,
        .M = in[2].copy,
        .mask_kind = call->mask.M == NULL    ? GB_MASK_NONE
                     : call->mask.complement ? GB_MASK_OUTSIDE
                                             : GB_MASK_INSIDE,
        .ring = call->ring->kernel,
        .accumulators = call->choices.accumulators != 0 ? (unsigned)call->choices.accumulators
                                                        : GB_ACCUMULATE_ALL,
        .registers = (unsigned)call->choices.registers,
        .forced = workflow != GBL_DEFAULT,
        .workflow = workflow == GBL_WORKFLOW_UPPER_BOUND ? GB_UPPER_BOUND
                    : workflow == GBL_WORKFLOW_ESTIMATE  ? GB_ESTIMATE
                                                         : GB_SYMBOLIC,
        .rules = GB_DEVICE_RULES,
    };
    return gb_device()->mxm_rowwise(&args, T, stats);
}

static void explain(gbl_Explanation *why, const gb_DeviceMxmStats *stats,
                    const gb_DeviceFacts *before) {
    const gb_MxmStats *rows = &stats->rows;
    gb_DeviceFacts now;
    gb_device()->facts(&now);
    *why = (gbl_Explanation){.operation = "mxm",
                             .method = "rowwise",
                             .workflow = rows->workflow,
                             .isa = "cuda",
                             .place = "gpu",
                             .chosen = -1, /* the planner of the host was not asked */
                             .flops = stats->products,
                             .rows_sorted = rows->sorted,
                             .rows_hashed = rows->hashed,
                             .rows_dense = rows->dense,
                             .rows_overflowed = rows->overflowed,
                             .products_mean = stats->products_mean,
                             .expansion_ratio = stats->expansion,
                             .compression_ratio = stats->compression,
                             .registers = stats->sampled > 0 ? (int32_t)stats->registers : 0,
                             .seconds_analysis = stats->seconds_analysis,
                             .seconds_sketch = stats->seconds_sketch,
                             .seconds_estimate = stats->seconds_estimate,
                             .seconds_symbolic = rows->seconds_symbolic,
                             .seconds_compact = rows->seconds_compact,
                             .bytes_to_device = now.bytes_up - before->bytes_up,
                             .bytes_from_device = now.bytes_down - before->bytes_down,
                             .seconds_transfer = now.seconds_moving - before->seconds_moving};
    snprintf(why->reason, sizeof why->reason, "rowwise, on %s: %.3g products a row, expansion %.3g",
             now.name, stats->products_mean, stats->expansion);
}

/* The product stays on the device. What later happens to the device must not matter to a caller who
 * left the place open, and blocking calls finish their work: then the host gets it at once, and the
 * device keeps a copy. */
static gbl_Info take_product(gb_Result *T, gb_DeviceCs *made, uint64_t nvals, bool leave) {
    gbl_Info info = GBL_SUCCESS;
    const bool alone = leave && !gb_blocking();
    T->device_nvals = alone ? nvals : 0;
    if (nvals == 0 || !alone) info = gb_device()->download(made, &T->cs);
    if (info == GBL_SUCCESS)
        T->device = made;
    else
        gb_device()->release(made);
    return info;
}

gbl_Info gb_device_multiply(const gb_MxmCall *call, bool leave, gb_Result *T,
                            gbl_Explanation *why) {
    const gb_Device *device = gb_device();
    gb_DeviceOperand in[3] = {{0}};
    gb_DeviceCs *made = NULL;
    gb_DeviceMxmStats stats;
    gb_DeviceFacts before;
    const double start = gb_seconds();
    device->facts(&before);
    gbl_Info info = get_operand(&in[0], call->A, call->transpose_a ? GB_CSC : GB_CSR,
                                gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS)
        info = get_operand(&in[1], call->B, call->transpose_b ? GB_CSC : GB_CSR,
                           gb_ring_right_type(call->ring));
    if (info == GBL_SUCCESS) info = get_mask(&in[2], &call->mask);
    const double ready = gb_seconds();
    if (info == GBL_SUCCESS) info = run(call, in, &made, &stats);
    const double done = gb_seconds();
    for (int k = 0; k < 3; k++) put_operand(&in[k]);
    if (info == GBL_SUCCESS) info = take_product(T, made, stats.nvals, leave);
    if (info != GBL_SUCCESS) return info;
    explain(why, &stats, &before);
    why->nvals = stats.nvals;
    why->seconds_prepare = ready - start;
    why->seconds_kernel = done - ready;
    return GBL_SUCCESS;
}
