/* SPDX-License-Identifier: Apache-2.0
 *
 * ROWWISE on the GPU (Ocean, ICS '26). The kernels analyse and choose a workflow themselves, since
 * what they look at lies there. Kernels: src/cuda/rowwise/rowwise.cu.
 */
#include "mxm/methods/device_call.h"

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    c->n[GB_RATE_GPU_PRODUCT] += gb_device_scaled(s->f, (double)s->f->flops);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static void explain(gbl_Explanation *why, const gb_DeviceMxmStats *stats) {
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

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_DeviceMxmStats stats;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_device_run(run, GB_DEVICE_ROWWISE, T, &stats);
    if (info == GBL_SUCCESS) explain(run->why, &stats);
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
    .filters_rows = true,
    .may_fail = true,
    .learn = GB_LEARN_DEVICE,
    .refuse = gb_device_refuse,
    .workspace = gb_device_workspace,
    .count = count,
    .run = run,
};
