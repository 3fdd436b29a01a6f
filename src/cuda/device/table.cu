/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's table of functions.
 */
#include "cuda/device/state.cuh"

extern "C" {
#include "cuda/device/cuda.h"

extern const gb_Device gb_cuda_device = {
    /* .open = */ gb_cuda_open,
    /* .facts = */ gb_cuda_facts,
    /* .forget_peak = */ gb_cuda_forget_peak,
    /* .close = */ gb_cuda_close,
    /* .set_memory_limit = */ gb_cuda_set_memory_limit,
    /* .upload = */ gb_cuda_upload,
    /* .upload_values = */ gb_cuda_upload_values,
    /* .has_values = */ gb_cuda_has_values,
    /* .nvals = */ gb_cuda_nvals,
    /* .pin = */ gb_cuda_pin,
    /* .unpin = */ gb_cuda_unpin,
    /* .download = */ gb_cuda_download,
    /* .release = */ gb_cuda_release,
    /* .upload_list = */ gb_cuda_upload_list,
    /* .upload_cells = */ gb_cuda_upload_cells,
    /* .download_cells = */ gb_cuda_download_cells,
    /* .mxm_rowwise = */ gb_cuda_mxm_rowwise,
    /* .mxm_tiled = */ gb_cuda_mxm_tiled,
    /* .mxm_sliced = */ gb_cuda_mxm_sliced,
    /* .mxm_dot = */ gb_cuda_mxm_dot,
    /* .mxv_facts = */ gb_cuda_mxv_facts,
    /* .mxv = */ gb_cuda_mxv,
    /* .write = */ gb_cuda_write,
    /* .reduces = */ gb_cuda_reduces,
    /* .reduce = */ gb_cuda_reduce,
    /* .reduce_rows = */ gb_cuda_reduce_rows,
    /* .has_operator = */ gb_cuda_has_operator,
    /* .apply = */ gb_cuda_apply,
    /* .select = */ gb_cuda_select,
    /* .merge = */ gb_cuda_merge,
    /* .filter = */ gb_cuda_filter,
    /* .transpose = */ gb_cuda_transpose,
    /* .copy = */ gb_cuda_copy,
    /* .casts = */ gb_cuda_casts,
    /* .cast = */ gb_cuda_cast,
    /* .cast_copy = */ gb_cuda_cast_copy,
    /* .mxm_spamm = */ gb_cuda_mxm_spamm,
};
}
