/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes the place of the .cu files in a build without nvcc: a device that cannot be opened. Nobody
 * calls the functions that want something on it.
 */
#include "cuda/cuda.h"

#include "core/status.h"

static gbl_Info no_cuda(void) {
    return gb_fail(GBL_INVALID_VALUE, NULL,
                   "this build of gblite has no GPU kernels; build it where nvcc is "
                   "(GBLITE_CUDA=ON), or let products run on the CPU");
}

static gbl_Info no_upload(const gb_CsView *host, gb_DeviceCs **made) {
    (void)host;
    *made = NULL;
    return no_cuda();
}

static gbl_Info no_values(const gb_CsView *host, gb_DeviceCs *cs) {
    (void)host, (void)cs;
    return no_cuda();
}

static bool has_none(const gb_DeviceCs *cs) {
    (void)cs;
    return false;
}

static gbl_Info no_pin(gb_DeviceCs *cs) {
    (void)cs;
    return no_cuda();
}

static gbl_Info no_download(gb_DeviceCs *cs, gb_Cs *host) {
    (void)cs, (void)host;
    return no_cuda();
}

static gbl_Info no_product(const gb_DeviceMxmArgs *args, gb_DeviceCs **T,
                           gb_DeviceMxmStats *stats) {
    (void)args, (void)stats;
    *T = NULL;
    return no_cuda();
}

static void no_facts(gb_DeviceFacts *facts) {
    *facts = (gb_DeviceFacts){0};
}

static void nothing(void) {
}

static void no_limit(uint64_t bytes) {
    (void)bytes;
}

static void no_release(gb_DeviceCs *cs) {
    (void)cs;
}

const gb_Device gb_cuda_device = {
    .open = no_cuda,
    .facts = no_facts,
    .forget_peak = nothing,
    .close = nothing,
    .set_memory_limit = no_limit,
    .upload = no_upload,
    .upload_values = no_values,
    .has_values = has_none,
    .pin = no_pin,
    .unpin = no_release,
    .download = no_download,
    .release = no_release,
    .mxm_rowwise = no_product,
};
