/* SPDX-License-Identifier: Apache-2.0
 *
 * Methods on a GPU: upload of operands, the call, download of the result. Factors and mask are
 * uploaded once and stay with their matrices; this file passes the constants that kernels use.
 * Kernels: src/cuda/rowwise, src/cuda/tiled.
 */
#include "core/clock.h"
#include "ops/operations.h"
#include "ops/device.h"
#include "core/tune_cuda.h"
#include "mxm/model/method.h"

/* Converts a filter for the device; returns why there is no kernel, else NULL. */
static const char *device_filter(gb_DeviceFilter *there, const gb_MxmCall *call) {
    const gb_RowFilter *f = call->filter;
    const gb_Type *type = call->ring->add->op->ztype;
    const gb_Map map = {.index = f->op, .bound = f->y};
    *there = (gb_DeviceFilter){.type = type->code,
                               .has_test = f->op != NULL,
                               .most = f->most,
                               .recover = f->recover,
                               .share = f->share,
                               .power = f->power,
                               .scale = f->scale};
    if (!gb_device()->has_operator(GB_FIRST, type->code))
        return "has no filter of rows for values of this type";
    return f->op != NULL ? gb_device_test(&there->test, &map, type) : NULL;
}

const char *gb_device_refuses_filter(const gb_MxmCall *call) {
    gb_DeviceFilter filter;
    if (call->filter == NULL) return NULL;
    if (gb_device()->open() != GBL_SUCCESS) {
        gb_error_begin();
        return "there is no GPU that could filter rows";
    }
    return device_filter(&filter, call);
}

/* No host memory but C. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    (void)m, (void)s, (void)cut;
    return (gb_Workspace){.size = 1.0, .slices = 1.0};
}

/* n things that the rates of a GPU count, as many as take the same time on the GPU of the rates. */
static double scaled(const gb_Features *f, double n) {
    return f->device_slower > 0.0 ? n * f->device_slower : n;
}

/* -- operands ---------------------------------------------------------------------------------- */

/* The mask: the matrix's own pattern, or its true entries. */
static gbl_Info get_mask(gb_DeviceOperand *operand, const gb_Mask *spec) {
    gb_MaskView mask;
    *operand = (gb_DeviceOperand){0};
    if (spec->M == NULL) return GBL_SUCCESS;
    if (spec->structural) return gb_acquire_device(spec->M, GB_CSR, false, &operand->copy);
    gbl_Info info = gb_mask_get(&mask, spec, GB_CSR);
    if (info == GBL_SUCCESS && mask.owned.p == NULL) {
        info = gb_acquire_device(spec->M, GB_CSR, false, &operand->copy);
    } else if (info == GBL_SUCCESS) {
        info = gb_device()->upload(&mask.view, &operand->copy);
        operand->owned = info == GBL_SUCCESS;
    }
    gb_mask_release(&mask);
    return info;
}

/* -- run --------------------------------------------------------------------------------------- */

static gb_DeviceMxmArgs device_args(const gb_MxmCall *call, const gb_DeviceOperand in[3]) {
    const gbl_Desc_Value workflow = call->choices.workflow;
    return (gb_DeviceMxmArgs){
        .A = in[0].copy,
        .B = in[1].copy,
        .M = in[2].copy,
        .mask_kind = gb_mask_kind(&call->mask),
        .ring = call->ring->kernel,
        .own = call->ring->device,
        .accumulators = call->choices.accumulators != 0 ? (unsigned)call->choices.accumulators
                                                        : GB_ACCUMULATE_ALL,
        .registers = (unsigned)call->choices.registers,
        .forced = workflow != GBL_DEFAULT,
        .workflow = workflow == GBL_WORKFLOW_UPPER_BOUND ? GB_UPPER_BOUND
                    : workflow == GBL_WORKFLOW_ESTIMATE  ? GB_ESTIMATE
                                                         : GB_SYMBOLIC,
        .rules = GB_DEVICE_RULES,
    };
}

void gb_report_moves(gbl_Explanation *why, const gb_DeviceFacts *before) {
    gb_DeviceFacts now;
    gb_device()->facts(&now);
    why->isa = "cuda";
    why->bytes_to_device = now.bytes_up - before->bytes_up;
    why->bytes_from_device = now.bytes_down - before->bytes_down;
    why->seconds_transfer = now.seconds_moving - before->seconds_moving;
}

/* The product stays on the device. If the caller left the device open, or in blocking mode, the
 * host gets a copy at once: later failures of the device must not matter to the former, and
 * blocking calls finish their work. The device keeps its copy. */
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

static gbl_Info get_operands(gb_DeviceOperand in[3], const gb_MxmRun *run, gb_DeviceWay way) {
    const gb_Factor *A = &run->in->A, *B = &run->in->B;
    gbl_Info info = gb_device_operand(&in[0], A->X, A->rows, A->type);
    const gb_Format columns = gb_other(B->rows);
    if (info == GBL_SUCCESS)
        info = gb_device_operand(&in[1], B->X, way == GB_DEVICE_DOT ? columns : B->rows, B->type);
    if (info == GBL_SUCCESS) info = get_mask(&in[2], &run->call->mask);
    return info;
}

/* -- slices ------------------------------------------------------------------------------------ */

static gbl_Info take_slice(void *to, const gb_CsView *part) {
    gb_SlicedRows *rows = to;
    return gb_slices_add(rows, part, (double)(rows->rows + part->nmajor) / (double)rows->C->nmajor);
}

/* T on the host, slice by slice. */
static gbl_Info multiply_sliced(const gb_MxmRun *run, gb_DeviceWay way,
                                const gb_DeviceMxmArgs *args, gb_Result *T,
                                gb_DeviceMxmStats *stats) {
    gb_SlicedRows rows = {.C = &T->cs, .size = run->f->zsize, .allow = &run->budget->allow};
    const gb_DeviceSink sink = {take_slice, &rows};
    gbl_Info info = gb_slices_begin(&rows, run->f->m);
    if (info == GBL_SUCCESS) info = gb_device()->mxm_sliced(way, args, &sink, stats);
    run->why->slices = stats->slices;
    return gb_slices_end(&rows, info);
}

/* Whether the device folds the product by its own addition; others fold what is stored. */
static bool folds(const gb_MxmCall *call, gb_DeviceWay way) {
    return way == GB_DEVICE_DOT && call->fold != NULL && call->ring->device == NULL &&
           call->fold->monoid->op->code == call->ring->add->op->code;
}

static void take_fold(const gb_MxmRun *run, const gb_DeviceFold *found, gb_Result *T) {
    gb_Folding *fold = run->call->fold;
    if (found->nvals > 0) memcpy(fold->z, found->value, fold->monoid->op->ztype->size);
    fold->nvals = found->nvals;
    fold->done = true;
    T->cs = (gb_Cs){.nmajor = run->f->m, .sorted = true};
}

/* T on the device, in slices where it exceeds device memory; sets run->why to what every product on
 * a device reports, and *stats to the rest. */
static gbl_Info run_there(gb_MxmRun *run, gb_DeviceWay way, gb_Result *T,
                          gb_DeviceMxmStats *stats) {
    const bool leave = run->f->place == GBL_PLACE_GPU && !gb_blocking();
    gb_DeviceOperand in[3] = {{0}};
    gb_DeviceCs *made = NULL;
    gb_DeviceFold fold;
    gb_DeviceFacts before;
    const double start = gb_seconds();
    *stats = (gb_DeviceMxmStats){0};
    gb_device()->facts(&before);
    gbl_Info info = get_operands(in, run, way);
    run->why->seconds_convert = gb_seconds() - start;
    gb_DeviceMxmArgs args = device_args(run->call, in);
    gb_DeviceFilter filter;
    if (run->call->filter != NULL) {
        (void)device_filter(&filter, run->call); /* it was not refused */
        args.filter = &filter;
    }
    if (folds(run->call, way)) args.fold = &fold;
    if (info == GBL_SUCCESS) info = gb_device()->mxm(way, &args, &made, stats);
    if (info == GBL_SUCCESS && args.fold != NULL)
        take_fold(run, &fold, T);
    else if (info == GBL_SUCCESS)
        info = take_product(T, made, stats->nvals, leave);
    else if (info == GBL_OUT_OF_MEMORY && stats->no_room && args.fold == NULL)
        info = multiply_sliced(run, way, &args, T, stats);
    for (int k = 0; k < 3; k++) gb_device_operand_release(&in[k]);
    if (info != GBL_SUCCESS) return info;
    gb_report_moves(run->why, &before);
    run->why->nvals = stats->nvals;
    return GBL_SUCCESS;
}

/* -- the methods ------------------------------------------------------------------------------- */

static void explain_rowwise(gbl_Explanation *why, const gb_DeviceMxmStats *stats) {
    const gb_MxmStats *rows = &stats->rows;
    why->workflow = rows->workflow;
    why->flops = stats->products;
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
}

static void explain_tiled(gbl_Explanation *why, const gb_DeviceMxmStats *stats) {
    if (stats->tensor_cores) why->isa = "cuda, tensor cores";
    why->seconds_layout = stats->seconds_layout;
    why->seconds_masks = stats->seconds_masks;
    why->seconds_values = stats->seconds_values;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_DeviceMxmStats stats;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = run_there(run, (gb_DeviceWay)m->kind, T, &stats);
    if (info != GBL_SUCCESS) return info;
    if (m->kind == GB_DEVICE_ROWWISE) explain_rowwise(run->why, &stats);
    if (m->kind == GB_DEVICE_TILED) explain_tiled(run->why, &stats);
    return GBL_SUCCESS;
}

static void count_rowwise(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    c->n[GB_RATE_GPU_PRODUCT] += scaled(s->f, (double)s->f->flops);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static void count_tiled(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double tiles = gb_expect_tiles(&f->A) + gb_expect_tiles(&f->B) + gb_result_tiles(s);
    /* by means: the kernel decides pair by pair */
    const bool tensors = f->device_tensors && fmin(f->A.fill, f->B.fill) >= GB_CUDA_TILE_TENSOR;
    const double pairs = tensors ? GB_DEVICE_TENSOR_PAIR * s->pairs : s->pairs;
    (void)m;
    c->n[GB_RATE_GPU_TILE_PAIR] += scaled(f, pairs);
    c->n[GB_RATE_GPU_TILE] += scaled(f, tiles);
    if (f->values != GB_VALUES_NONE && !tensors)
        c->n[GB_RATE_GPU_TILE_PRODUCT] += scaled(f, (double)f->flops);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static void count_dot(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    if (s->f->dot_work == UINT64_MAX) return;
    c->n[GB_RATE_GPU_PRODUCT] += scaled(s->f, (double)s->f->dot_work);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

#define BY_THE_GPU                                                                                 \
    .variant = "by the GPU", .place = GBL_PLACE_GPU, .a = GB_ON_DEVICE, .b = GB_ON_DEVICE,         \
    .may_fail = true, .workspace = workspace, .run = run

/* ROWWISE (Ocean, ICS '26). The kernels analyse the product and choose a workflow themselves, since
 * their input is on the device. */
const gb_Method gb_method_rowwise_gpu = {
    .name = "rowwise",
    BY_THE_GPU,
    .about = "sums rows of B for each row of A on the GPU, which chooses the workflow",
    .method = GBL_METHOD_ROWWISE,
    .kind = GB_DEVICE_ROWWISE,
    .any_workflow = true,
    .has_accumulators = true,
    .filters_rows = true,
    .learn = GB_LEARN_DEVICE,
    .needs = GB_IF_DEVICE_RING,
    .count = count_rowwise,
};

/* TILED (TileSpGEMM, PPoPP '22): the device converts its CSR copies to tiles, which stay with them;
 * C is CSR. */
const gb_Method gb_method_tiled_gpu = {
    .name = "tiled",
    BY_THE_GPU,
    .about = "multiplies tiles of 16 x 16 entries on the GPU; C comes by rows",
    .method = GBL_METHOD_TILED,
    .kind = GB_DEVICE_TILED,
    .filters_rows = true,
    .learn = GB_LEARN_DEVICE,
    .needs = GB_IF_LISTED_RING,
    .count = count_tiled,
};

/* DOT: an inner product for each entry of the mask, of rows of A and columns of B on the device. A
 * product folded by its own addition is not stored. */
const gb_Method gb_method_dot_gpu = {
    .name = "dot",
    BY_THE_GPU,
    .about = "multiplies a row of A and a column of B for each entry of the mask on the GPU",
    .method = GBL_METHOD_DOT,
    .kind = GB_DEVICE_DOT,
    .needs = GB_IF_INSIDE_MASK | GB_IF_DEVICE_RING,
    .suits = GB_IF_DEVICE_COLUMNS,
    .count = count_dot,
};
