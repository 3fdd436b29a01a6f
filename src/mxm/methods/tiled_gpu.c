/* SPDX-License-Identifier: Apache-2.0
 *
 * TILED on the GPU (TileSpGEMM, PPoPP '22): tiles are made there of the copies by rows and stay
 * with them; C is rows. Kernels: src/cuda/tiled/tiled.cu.
 */
#include <math.h>

#include "core/tune_cuda.h"
#include "mxm/machine/cost_table.h"
#include "mxm/methods/device_call.h"

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    const gb_Features *f = s->f;
    const double tiles = gb_expect_tiles(&f->A) + gb_expect_tiles(&f->B) + gb_result_tiles(s);
    /* by means: the kernel decides pair by pair */
    const bool tensors = f->device_tensors && fmin(f->A.fill, f->B.fill) >= GB_CUDA_TILE_TENSOR;
    const double pairs = tensors ? GB_DEVICE_TENSOR_PAIR * s->pairs : s->pairs;
    c->n[GB_RATE_GPU_TILE_PAIR] += gb_device_scaled(f, pairs);
    c->n[GB_RATE_GPU_TILE] += gb_device_scaled(f, tiles);
    if (f->values != GB_VALUES_NONE && !tensors)
        c->n[GB_RATE_GPU_TILE_PRODUCT] += gb_device_scaled(f, (double)f->flops);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_DeviceMxmStats stats;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_device_run(run, GB_DEVICE_TILED, T, &stats);
    if (info != GBL_SUCCESS) return info;
    if (stats.tensor_cores) run->why->isa = "cuda, tensor cores";
    run->why->seconds_layout = stats.seconds_layout;
    run->why->seconds_masks = stats.seconds_masks;
    run->why->seconds_values = stats.seconds_values;
    return GBL_SUCCESS;
}

const gb_Method gb_method_tiled_gpu = {
    .name = "tiled",
    .variant = "by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "multiplies tiles of 16 x 16 entries on the GPU; C comes by rows",
    .method = GBL_METHOD_TILED,
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
