/* SPDX-License-Identifier: Apache-2.0
 *
 * OUTER on the GPU (PB-SpGEMM, IPDPS '20). Columns of A are listed there; it reads A by rows.
 * Kernels: src/cuda/mxm_outer.cu.
 */
#include "mxm/methods/device_call.h"

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    c->n[GB_RATE_GPU_OUTER_PRODUCT] += gb_device_scaled(s->f, (double)s->f->flops);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_DeviceMxmStats stats;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_device_run(run, GB_DEVICE_OUTER, T, &stats);
    if (info != GBL_SUCCESS) return info;
    run->why->flops = stats.products;
    run->why->seconds_analysis = stats.seconds_analysis;
    run->why->seconds_expand = stats.seconds_numeric;
    run->why->seconds_sort = stats.rows.seconds_sort + stats.rows.seconds_compact;
    run->why->seconds_compact = stats.rows.seconds_compact;
    return GBL_SUCCESS;
}

const gb_Method gb_method_outer_gpu = {
    .name = "outer",
    .variant = "by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "multiplies columns of A by rows of B on the GPU and sorts the products",
    .method = GBL_METHOD_OUTER,
    .a = GB_ON_DEVICE,
    .b = GB_ON_DEVICE,
    .filters_rows = true,
    .may_fail = true,
    .learn = GB_LEARN_DEVICE,
    .refuse = gb_device_refuse,
    .workspace = gb_device_workspace,
    .count = count,
    .run = run,
};
