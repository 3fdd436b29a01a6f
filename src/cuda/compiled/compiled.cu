/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's side of kernels that a program compiled: their check, and the row-wise product.
 * Memory beyond C: that of a row-wise product of bytes.
 */
#include "cuda/compiled/compiled.cuh"
#include "cuda/rowwise/rowwise.cuh"

gbl_Info gb_compiled_check(const gb_DeviceSemiring *own) {
    if (strcmp(own->version, GB_DEVICE_VERSION) == 0 && own->layout == GB_DEVICE_LAYOUT)
        return GBL_SUCCESS;
    return gb_fail(GBL_NOT_IMPLEMENTED,
                   "the semiring's GPU kernels were compiled with the headers of another version "
                   "(%.20s); compile them with those of this library, %s",
                   own->version, GB_DEVICE_VERSION);
}

static void multiply_rows(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                          gb_DeviceMxmStats *stats) {
    gb_DeviceMxmArgs pattern = *args;
    pattern.ring = GB_RING_ANY_PAIR_BOOL;
    gb_rowwise_multiply(job, &pattern, C, stats, NULL);
    gb_job_drop(job, C->x);
    C->xsize = args->own->bytes;
    C->x = gb_job_bytes(job, C->nvals, C->xsize);
    const gb_FillTarget target = {C->p, C->i, C->x};
    if (job->info == GBL_SUCCESS)
        gb_job_check(
            job,
            args->own->fill(gb_grid(C->nmajor, GB_WARPS), job->stream, gb_factors_of(args), target),
            "values of a compiled semiring");
}

void gb_compiled_multiply(gb_Job *job, gb_DeviceWay way, const gb_DeviceMxmArgs *args,
                          gb_DeviceCs *C, gb_DeviceMxmStats *stats) {
    gb_job_fail(job, gb_compiled_check(args->own));
    if (job->info != GBL_SUCCESS) return;
    const gb_DotKernel dot = {args->own->dot, args->own->bytes};
    if (way == GB_DEVICE_DOT)
        gb_dot_multiply(job, args, &dot, C);
    else
        multiply_rows(job, args, C, stats);
}
