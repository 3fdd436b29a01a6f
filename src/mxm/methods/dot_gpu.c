/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT on the GPU: an inner product for each entry of the mask, of rows of A and columns of B there.
 * A product that is folded by its own addition is not stored. Kernels: src/cuda/rowwise/dot.cu.
 */
#include "mxm/methods/device_call.h"

static const char *refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    if (f->mask != GB_MASK_INSIDE) return "needs a mask that is not complemented";
    return gb_device_refuse(m, call, f);
}

/* Columns of a product that was left there would be made at home. */
static const char *avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)m, (void)f;
    const bool by_columns = gb_rows_of_b(call) == GB_CSC;
    return !by_columns && gb_has(call->B) == GBL_HAS_DEVICE ? "has no columns of B on the GPU"
                                                            : NULL;
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    (void)m;
    if (s->f->dot_work == UINT64_MAX) return;
    c->n[GB_RATE_GPU_PRODUCT] += gb_device_scaled(s->f, (double)s->f->dot_work);
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_DeviceMxmStats stats;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_device_run(run, GB_DEVICE_DOT, T, &stats);
    return info;
}

const gb_Method gb_method_dot_gpu = {
    .name = "dot",
    .variant = "by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "multiplies a row of A and a column of B for each entry of the mask on the GPU",
    .method = GBL_METHOD_DOT,
    .a = GB_ON_DEVICE,
    .b = GB_ON_DEVICE,
    .may_fail = true,
    .refuse = refuse,
    .avoid = avoid,
    .workspace = gb_device_workspace,
    .count = count,
    .run = run,
};
