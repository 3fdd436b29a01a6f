/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices to the device and back. Data goes through two pinned buffers in turns, so that the host
 * copies into one while the device reads the other; memory of the user's own cannot be pinned
 * without asking him.
 */
#include "cuda/device/state.cuh"

extern "C" {
#include "core/arrays.h"
}

void gb_job_send(gb_Job *job, void *device, const void *host, size_t bytes) {
    const double start = gb_seconds();
    int k = 0;
    for (size_t at = 0; at < bytes && job->info == GBL_SUCCESS; at += GB_CUDA_STAGING, k ^= 1) {
        const size_t part = bytes - at < GB_CUDA_STAGING ? bytes - at : GB_CUDA_STAGING;
        if (at >= 2 * GB_CUDA_STAGING)
            gb_job_check(job, cudaEventSynchronize(job->moved[k]), "moving data to it");
        memcpy(gb_cuda.staging[k], (const char *)host + at, part);
        gb_job_check(job,
                     cudaMemcpyAsync((char *)device + at, gb_cuda.staging[k], part,
                                     cudaMemcpyHostToDevice, job->stream),
                     "moving data to it");
        gb_job_check(job, cudaEventRecord(job->moved[k], job->stream), "moving data to it");
    }
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, cudaStreamSynchronize(job->stream), "moving data to it");
    gb_cuda.bytes_up += job->info == GBL_SUCCESS ? bytes : 0;
    gb_cuda.seconds_moving += gb_seconds() - start;
}

void gb_job_fetch(gb_Job *job, void *host, const void *device, size_t bytes) {
    const double start = gb_seconds();
    const size_t parts = bytes / GB_CUDA_STAGING + (bytes % GB_CUDA_STAGING != 0);
    for (size_t c = 0; c <= parts && job->info == GBL_SUCCESS; c++) {
        if (c < parts) { /* part c begins to move ... */
            const size_t at = c * GB_CUDA_STAGING;
            const size_t part = bytes - at < GB_CUDA_STAGING ? bytes - at : GB_CUDA_STAGING;
            gb_job_check(job,
                         cudaMemcpyAsync(gb_cuda.staging[c % 2], (const char *)device + at, part,
                                         cudaMemcpyDeviceToHost, job->stream),
                         "moving data from it");
            gb_job_check(job, cudaEventRecord(job->moved[c % 2], job->stream),
                         "moving data from it");
        }
        if (c > 0 && job->info == GBL_SUCCESS) { /* ... while the one before it is copied */
            const size_t at = (c - 1) * GB_CUDA_STAGING;
            const size_t part = bytes - at < GB_CUDA_STAGING ? bytes - at : GB_CUDA_STAGING;
            gb_job_check(job, cudaEventSynchronize(job->moved[(c - 1) % 2]), "moving data from it");
            if (job->info == GBL_SUCCESS)
                memcpy((char *)host + at, gb_cuda.staging[(c - 1) % 2], part);
        }
    }
    gb_cuda.bytes_down += job->info == GBL_SUCCESS ? bytes : 0;
    gb_cuda.seconds_moving += gb_seconds() - start;
}

size_t gb_device_value_bytes(const gb_DeviceCs *cs) {
    if (cs->bits != NULL) return cs->nminor * cs->xsize;
    return (cs->iso ? (cs->nvals > 0 ? 1 : 0) : cs->nvals) * cs->xsize;
}

static void *send_values(gb_Job *job, const gb_DeviceCs *cs, const void *x) {
    void *made = gb_job_bytes(job, gb_device_value_bytes(cs), 1);
    gb_job_send(job, made, x, gb_device_value_bytes(cs));
    return made;
}

void gb_job_send_cs(gb_Job *job, gb_DeviceCs *cs, const gb_CsView *host) {
    cs->p = gb_job_new<gb_Off>(job, cs->nmajor + 1);
    cs->i = gb_job_new<gb_Idx>(job, cs->nvals);
    gb_job_send(job, cs->p, host->p, (cs->nmajor + 1) * sizeof *cs->p);
    gb_job_send(job, cs->i, host->i, cs->nvals * sizeof *cs->i);
    cs->x = host->x != NULL ? send_values(job, cs, host->x) : NULL;
    if (job->info == GBL_SUCCESS)
        gb_copies_add(job, cs);
    else
        cs->p = NULL, cs->i = NULL, cs->x = NULL;
}

gbl_Info gb_cuda_upload(const gb_CsView *host, gb_DeviceCs **made) {
    gb_Job job;
    gb_DeviceCs *cs = (gb_DeviceCs *)gb_malloc(sizeof *cs);
    *made = NULL;
    if (cs == NULL) return gb_fail_memory(sizeof *cs);
    memset(cs, 0, sizeof *cs);
    cs->nmajor = host->nmajor;
    cs->nminor = host->nminor;
    cs->nvals = host->nvals;
    cs->xsize = host->xsize;
    cs->iso = host->iso;
    gb_job_begin(&job);
    gb_job_send_cs(&job, cs, host);
    if (job.info == GBL_SUCCESS)
        *made = cs;
    else
        gb_free(cs, sizeof *cs);
    return gb_job_end(&job);
}

gbl_Info gb_cuda_upload_values(const gb_CsView *host, gb_DeviceCs *cs) {
    gb_Job job;
    gb_job_begin(&job);
    gb_DeviceCs with = *cs;
    with.xsize = host->xsize;
    with.iso = host->iso;
    void *x = send_values(&job, &with, host->x);
    if (job.info == GBL_SUCCESS) {
        cs->x = x;
        cs->xsize = host->xsize;
        cs->iso = host->iso;
        cs->xbytes = gb_job_keep(&job, x);
    }
    return gb_job_end(&job);
}

bool gb_cuda_has_values(const gb_DeviceCs *cs) {
    return cs->x != NULL;
}

uint64_t gb_cuda_nvals(const gb_DeviceCs *cs) {
    return cs->nvals;
}

gbl_Info gb_job_fetch_cs(gb_Job *job, const gb_DeviceCs *cs, gb_Cs *host) {
    const size_t xbytes = gb_device_value_bytes(cs);
    const gbl_Info info = gb_cs_alloc(host, cs->nmajor, cs->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    host->iso = cs->iso;
    host->sorted = true;
    gb_job_fetch(job, host->p, cs->p, (cs->nmajor + 1) * sizeof *cs->p);
    gb_job_fetch(job, host->i, cs->i, cs->nvals * sizeof *cs->i);
    gb_job_fetch(job, host->x, cs->x, xbytes);
    if (job->info != GBL_SUCCESS) gb_cs_free(host);
    return job->info;
}

gbl_Info gb_cuda_download(gb_DeviceCs *cs, gb_Cs *host) {
    gb_Job job;
    memset(host, 0, sizeof *host);
    gb_job_begin(&job);
    if (cs->home.p != NULL) { /* wherever the device may be by now */
        *host = cs->home;
        memset(&cs->home, 0, sizeof cs->home);
        job.info = GBL_SUCCESS;
    } else if (cs->p == NULL) {
        gb_job_fail(&job, gb_copies_lost());
    } else if (job.info == GBL_SUCCESS) {
        gb_job_fail(&job, gb_job_fetch_cs(&job, cs, host));
    }
    if (job.info == GBL_SUCCESS) cs->only = false;
    return gb_job_end(&job);
}
