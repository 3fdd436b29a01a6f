/* SPDX-License-Identifier: Apache-2.0
 *
 * ROWWISE on the GPU (Ocean, ICS '26): operands there, the kernels, the result back. The kernels
 * analyse and choose a workflow themselves, since what they look at lies there; the numbers they go
 * by come from here. Kernels: src/cuda.
 */
#include "mxm/methods/method.h"

#include "core/clock.h"
#include "core/context.h"

/* -- planning ---------------------------------------------------------------------------------- */

static const char *refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)m, (void)call;
    return f->values == GB_VALUES_GENERIC
               ? "has no kernel for this semiring, only for those of semiring/foreach.h"
               : NULL;
}

/* Nothing beside C in the host's memory. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    (void)m, (void)s, (void)cut;
    return (gb_Workspace){.size = 1.0, .slices = 1.0};
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    c->n[GB_RATE_GPU_PRODUCT] += (double)s->f->flops;
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

/* -- operands ---------------------------------------------------------------------------------- */

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

/* -- run --------------------------------------------------------------------------------------- */

static gbl_Info multiply(const gb_MxmCall *call, const gb_DeviceOperand in[3], gb_DeviceCs **T,
                         gb_DeviceMxmStats *stats) {
    const gbl_Desc_Value workflow = call->choices.workflow;
    const gb_DeviceMxmArgs args = {
        .A = in[0].copy,
        .B = in[1].copy,
        .M = in[2].copy,
        .mask_kind = gb_mask_kind(&call->mask),
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
    why->workflow = rows->workflow;
    why->isa = "cuda";
    why->flops = stats->products;
    why->nvals = stats->nvals;
    why->rows_sorted = rows->sorted;
    why->rows_hashed = rows->hashed;
    why->rows_dense = rows->dense;
    why->rows_overflowed = rows->overflowed;
    why->flops_mean = stats->products_mean;
    why->expansion_ratio = stats->expansion;
    why->compression_ratio = stats->compression;
    why->rows_sampled = stats->sampled;
    why->registers = stats->sampled > 0 ? (int32_t)stats->registers : 0;
    why->seconds_analysis = stats->seconds_analysis;
    why->seconds_sketch = stats->seconds_sketch;
    why->seconds_estimate = stats->seconds_estimate;
    why->seconds_symbolic = rows->seconds_symbolic;
    why->seconds_compact = rows->seconds_compact;
    why->bytes_to_device = now.bytes_up - before->bytes_up;
    why->bytes_from_device = now.bytes_down - before->bytes_down;
    why->seconds_transfer = now.seconds_moving - before->seconds_moving;
}

/* The product stays on the device. What later happens to the device must not matter to a caller who
 * left the place open, and blocking calls finish their work: then the host gets it at once, and the
 * device keeps a copy. */
static gbl_Info take_product(gb_Result *T, gb_DeviceCs *made, uint64_t nvals, bool leave) {
    gbl_Info info = GBL_SUCCESS;
    T->device_nvals = leave ? nvals : 0;
    if (nvals == 0 || !leave) info = gb_device()->download(made, &T->cs);
    if (info == GBL_SUCCESS)
        T->device = made;
    else
        gb_device()->release(made);
    return info;
}

static gbl_Info get_operands(gb_DeviceOperand in[3], const gb_MxmRun *run) {
    const gb_Factor *A = &run->in->A, *B = &run->in->B;
    gbl_Info info = get_operand(&in[0], A->X, A->rows, A->type);
    if (info == GBL_SUCCESS) info = get_operand(&in[1], B->X, B->rows, B->type);
    if (info == GBL_SUCCESS) info = get_mask(&in[2], &run->call->mask);
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    const bool leave = run->f->place == GBL_PLACE_GPU && !gb_blocking();
    gb_DeviceOperand in[3] = {{0}};
    gb_DeviceCs *made = NULL;
    gb_DeviceMxmStats stats;
    gb_DeviceFacts before;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info != GBL_SUCCESS) return info;
    const double start = gb_seconds();
    gb_device()->facts(&before);
    info = get_operands(in, run);
    run->why->seconds_convert = gb_seconds() - start;
    if (info == GBL_SUCCESS) info = multiply(run->call, in, &made, &stats);
    for (int k = 0; k < 3; k++) put_operand(&in[k]);
    if (info == GBL_SUCCESS) info = take_product(T, made, stats.nvals, leave);
    if (info == GBL_SUCCESS) explain(run->why, &stats, &before);
    return info;
}

const gb_Method gb_method_rowwise_gpu = {
    .name = "rowwise",
    .variant = "by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "sums rows of B for each row of A on the GPU, which chooses the workflow",
    .method = GBL_METHOD_ROWWISE,
    .a = GB_ON_DEVICE,
    .b = GB_ON_DEVICE,
    .any_workflow = true,
    .has_accumulators = true,
    .may_fail = true,
    .refuse = refuse,
    .workspace = workspace,
    .count = count,
    .run = run,
};
