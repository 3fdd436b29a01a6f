/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices and vectors to the device and back. Data goes through two pinned buffers in turns, so
 * that the host fills one while the device reads the other: the user's own memory may not be
 * pinned.
 *
 * A vector moves in the form that it has on the host. A sparse one costs O(entries), and its bits,
 * which are cleared on the device; a dense one costs its values and a bit each.
 */
#include "core/clock.h"
#include "cuda/device/state.cuh"
#include "cuda/ops/entries.cuh"

extern "C" {
#include "core/arrays.h"
}

/* Bytes of the k-th part of a copy that goes through the buffers in parts. */
static size_t part_of(size_t bytes, size_t k) {
    const size_t left = bytes - k * GB_CUDA_STAGING;
    return left < GB_CUDA_STAGING ? left : GB_CUDA_STAGING;
}

/* Begins to move one part through buffer k % 2. */
static void move_part(gb_Job *job, void *to, const void *from, size_t bytes, size_t k) {
    const bool up = from == gb_cuda.staging[k % 2];
    const char *what = up ? "moving data to it" : "moving data from it";
    gb_job_check(job,
                 cudaMemcpyAsync(to, from, bytes,
                                 up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, job->stream),
                 what);
    gb_job_check(job, cudaEventRecord(job->moved[k % 2], job->stream), what);
}

void gb_job_upload(gb_Job *job, void *device, const void *host, size_t bytes) {
    const double start = gb_seconds();
    const size_t parts = bytes / GB_CUDA_STAGING + (bytes % GB_CUDA_STAGING != 0);
    for (size_t k = 0; k < parts && job->info == GBL_SUCCESS; k++) {
        const size_t at = k * GB_CUDA_STAGING, part = part_of(bytes, k);
        if (k >= 2) gb_job_check(job, cudaEventSynchronize(job->moved[k % 2]), "moving data to it");
        memcpy(gb_cuda.staging[k % 2], (const char *)host + at, part);
        move_part(job, (char *)device + at, gb_cuda.staging[k % 2], part, k);
    }
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, cudaStreamSynchronize(job->stream), "moving data to it");
    gb_cuda.bytes_up += job->info == GBL_SUCCESS ? bytes : 0;
    gb_cuda.seconds_moving += gb_seconds() - start;
}

/* Part k begins to move while part k - 1 is copied. */
void gb_job_download(gb_Job *job, void *host, const void *device, size_t bytes) {
    const double start = gb_seconds();
    const size_t parts = bytes / GB_CUDA_STAGING + (bytes % GB_CUDA_STAGING != 0);
    for (size_t k = 0; k <= parts && job->info == GBL_SUCCESS; k++) {
        if (k < parts)
            move_part(job, gb_cuda.staging[k % 2], (const char *)device + k * GB_CUDA_STAGING,
                      part_of(bytes, k), k);
        if (k == 0 || job->info != GBL_SUCCESS) continue;
        gb_job_check(job, cudaEventSynchronize(job->moved[(k - 1) % 2]), "moving data from it");
        if (job->info == GBL_SUCCESS)
            memcpy((char *)host + (k - 1) * GB_CUDA_STAGING, gb_cuda.staging[(k - 1) % 2],
                   part_of(bytes, k - 1));
    }
    gb_cuda.bytes_down += job->info == GBL_SUCCESS ? bytes : 0;
    gb_cuda.seconds_moving += gb_seconds() - start;
}

size_t gb_device_value_bytes(const gb_DeviceCs *cs) {
    if (cs->bits != NULL) return cs->nminor * cs->xsize;
    return (cs->iso ? (cs->nvals > 0 ? 1 : 0) : cs->nvals) * cs->xsize;
}

static void *upload_values(gb_Job *job, const gb_DeviceCs *cs, const void *x) {
    void *made = gb_job_bytes(job, gb_device_value_bytes(cs), 1);
    gb_job_upload(job, made, x, gb_device_value_bytes(cs));
    return made;
}

/* After an error the job frees the arrays. */
static void add_or_forget(gb_Job *job, gb_DeviceCs *cs) {
    if (job->info == GBL_SUCCESS) {
        gb_copies_add(job, cs);
        return;
    }
    cs->p = NULL;
    cs->i = NULL;
    cs->x = NULL;
    cs->bits = NULL;
}

void gb_job_upload_cs(gb_Job *job, gb_DeviceCs *cs, const gb_CsView *host) {
    cs->nmajor = host->nmajor;
    cs->nminor = host->nminor;
    cs->nvals = host->nvals;
    cs->xsize = host->xsize;
    cs->iso = host->iso;
    cs->p = gb_job_new<gb_Off>(job, cs->nmajor + 1);
    cs->i = gb_job_new<gb_Idx>(job, cs->nvals);
    gb_job_upload(job, cs->p, host->p, (cs->nmajor + 1) * sizeof *cs->p);
    gb_job_upload(job, cs->i, host->i, cs->nvals * sizeof *cs->i);
    cs->x = host->x != NULL ? upload_values(job, cs, host->x) : NULL;
    add_or_forget(job, cs);
}

/* -- vectors */

__global__ void gb_scatter_list(const gb_Idx *list, const void *value, uint64_t mask, uint64_t n,
                                gb_DeviceCs v) {
    GB_EACH_THREAD(q, n) {
        const gb_Idx k = list[q];
        atomicOr(&v.bits[k / GB_WARP], 1u << (k % GB_WARP));
        gb_move_value(v.x, k, value, q & mask, v.xsize);
    }
}

static void upload_sparse(gb_Job *job, gb_DeviceCs *v, const gb_CsView *host) {
    const uint64_t values = host->iso ? 1 : host->nvals;
    gb_vector_new(job, v, host->nminor, host->xsize, true);
    v->nvals = host->nvals;
    if (host->nvals > 0) {
        v->i = gb_job_new<gb_Idx>(job, host->nvals);
        void *value = gb_job_bytes(job, values, host->xsize);
        gb_job_upload(job, v->i, host->i, host->nvals * sizeof *host->i);
        gb_job_upload(job, value, host->x, values * host->xsize);
        GB_START_THREADS(job, v->nvals, gb_scatter_list, v->i, value, host->iso ? 0 : UINT64_MAX,
                         v->nvals, *v);
        gb_job_drop(job, value);
    }
    add_or_forget(job, v);
}

/* Bits of bytes that are 0 or 1; b NULL: all are set. */
static void pack_bits(uint32_t *bits, const int8_t *b, uint64_t n) {
    memset(bits, 0, gb_bit_words(n) * sizeof *bits);
    for (uint64_t k = 0; k < n; k++)
        if (b == NULL || b[k]) bits[k / GB_WARP] |= 1u << (k % GB_WARP);
}

static void upload_bits(gb_Job *job, gb_DeviceCs *v, const int8_t *b) {
    const size_t bytes = gb_bit_words(v->nminor) * sizeof *v->bits;
    uint32_t *bits = static_cast<uint32_t *>(gb_malloc(bytes));
    if (bits == NULL && bytes > 0) gb_job_fail(job, gb_fail_memory(bytes));
    if (job->info == GBL_SUCCESS) {
        pack_bits(bits, b, v->nminor);
        gb_job_upload(job, v->bits, bits, bytes);
    }
    gb_free(bits, bytes);
}

void gb_job_upload_dense(gb_Job *job, gb_DeviceCs *v, const gb_DenseView *host) {
    gb_vector_new(job, v, host->n, host->xsize, false);
    v->nvals = host->nvals;
    upload_bits(job, v, host->b);
    if (host->iso && host->nvals > 0) {
        void *value = gb_job_bytes(job, 1, host->xsize);
        gb_job_upload(job, value, host->x, host->xsize);
        gb_gather(job, v->xsize, value, 0, NULL, v->nminor, v->x);
        gb_job_drop(job, value);
    } else if (host->nvals > 0) {
        gb_job_upload(job, v->x, host->x, host->n * host->xsize);
    }
    add_or_forget(job, v);
}

/* -- uploads */

/* *made = what `fill` makes of a new one. */
template <class Host>
static gbl_Info upload(void (*fill)(gb_Job *, gb_DeviceCs *, const Host *), const Host *host,
                       gb_DeviceCs **made) {
    gb_Job job;
    gb_DeviceCs *cs = static_cast<gb_DeviceCs *>(gb_malloc(sizeof *cs));
    *made = NULL;
    if (cs == NULL) return gb_fail_memory(sizeof *cs);
    memset(cs, 0, sizeof *cs);
    gb_job_begin(&job);
    fill(&job, cs, host);
    if (job.info == GBL_SUCCESS)
        *made = cs;
    else
        gb_free(cs, sizeof *cs);
    return gb_job_end(&job);
}

gbl_Info gb_cuda_upload(const gb_CsView *host, gb_DeviceCs **made) {
    return upload(gb_job_upload_cs, host, made);
}

gbl_Info gb_cuda_upload_list(const gb_CsView *host, gb_DeviceCs **made) {
    return upload(upload_sparse, host, made);
}

gbl_Info gb_cuda_upload_cells(const gb_DenseView *host, gb_DeviceCs **made) {
    return upload(gb_job_upload_dense, host, made);
}

gbl_Info gb_cuda_upload_values(const gb_CsView *host, gb_DeviceCs *cs) {
    gb_Job job;
    gb_job_begin(&job);
    gb_DeviceCs with = *cs;
    with.xsize = host->xsize;
    with.iso = host->iso;
    void *x = upload_values(&job, &with, host->x);
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

/* -- downloads */

gbl_Info gb_job_download_cs(gb_Job *job, const gb_DeviceCs *cs, gb_Cs *host) {
    const size_t xbytes = gb_device_value_bytes(cs);
    const gbl_Info info = gb_cs_alloc(host, cs->nmajor, cs->nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    host->iso = cs->iso;
    host->sorted = true;
    gb_job_download(job, host->p, cs->p, (cs->nmajor + 1) * sizeof *cs->p);
    gb_job_download(job, host->i, cs->i, cs->nvals * sizeof *cs->i);
    gb_job_download(job, host->x, cs->x, xbytes);
    if (job->info != GBL_SUCCESS) gb_cs_free(host);
    return job->info;
}

/* Bits to bytes; unspecified values of absent entries become 0. */
static void unpack(gb_Dense *host, const uint32_t *bits, size_t xsize) {
    char *x = static_cast<char *>(host->x);
    for (uint64_t k = 0; k < host->n; k++) {
        host->b[k] = (int8_t)(bits[k / GB_WARP] >> (k % GB_WARP) & 1u);
        if (!host->b[k]) memset(x + k * xsize, 0, xsize);
    }
}

gbl_Info gb_job_download_dense(gb_Job *job, const gb_DeviceCs *v, gb_Dense *host) {
    const bool full = v->nvals == v->nminor;
    const size_t bytes = gb_bit_words(v->nminor) * sizeof *v->bits;
    const gbl_Info info = gb_dense_alloc(host, v->nminor, v->nminor * v->xsize, !full);
    if (info != GBL_SUCCESS) return info;
    uint32_t *bits = full ? NULL : static_cast<uint32_t *>(gb_malloc(bytes));
    if (!full && bits == NULL) gb_job_fail(job, gb_fail_memory(bytes));
    if (!full) gb_job_download(job, bits, v->bits, bytes);
    gb_job_download(job, host->x, v->x, v->nminor * v->xsize);
    host->nvals = v->nvals;
    if (job->info == GBL_SUCCESS && !full) unpack(host, bits, v->xsize);
    gb_free(bits, full ? 0 : bytes);
    if (job->info != GBL_SUCCESS) gb_dense_free(host);
    return job->info;
}

static bool has_content(const gb_Cs *kept) {
    return kept->p != NULL;
}
static bool has_content(const gb_Dense *kept) {
    return kept->x != NULL;
}

/* *host = the content: `kept` where it has it, wherever the device may be by now. */
template <class Host>
static gbl_Info download(gb_DeviceCs *cs, Host *kept,
                         gbl_Info (*read)(gb_Job *, const gb_DeviceCs *, Host *), Host *host) {
    gb_Job job;
    memset(host, 0, sizeof *host);
    gb_job_begin(&job);
    if (has_content(kept)) {
        *host = *kept;
        memset(kept, 0, sizeof *kept);
        job.info = GBL_SUCCESS;
    } else if (!gb_copies_has(cs)) {
        gb_job_fail(&job, gb_copies_lost());
    } else if (job.info == GBL_SUCCESS) {
        gb_job_fail(&job, read(&job, cs, host));
    }
    if (job.info == GBL_SUCCESS) cs->only = false;
    return gb_job_end(&job);
}

gbl_Info gb_cuda_download(gb_DeviceCs *cs, gb_Cs *host) {
    return download(cs, &cs->on_host, gb_job_download_cs, host);
}

gbl_Info gb_cuda_download_cells(gb_DeviceCs *v, gb_Dense *host) {
    return download(v, &v->dense_on_host, gb_job_download_dense, host);
}
