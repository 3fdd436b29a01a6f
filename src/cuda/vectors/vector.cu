/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors there and back, and lists of their entries. A vector is sent as it is on the host: a list
 * costs what it is long, and its bits, which are cleared there; cells cost their values and a bit
 * each.
 */
#include "cuda/vectors/vector.cuh"

#include "cuda/prim/scan.cuh"
#include "cuda/device/state.cuh"

extern "C" {
#include "core/arrays.h"
}

/* Its arrays; what else v has stays. */
static void new_arrays(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize, bool clear) {
    v->nmajor = 1;
    v->nminor = n;
    v->xsize = xsize;
    v->bits = gb_job_new<uint32_t>(job, gb_cell_words(n));
    v->x = gb_job_bytes(job, n, xsize);
    if (clear) gb_job_zero(job, v->bits, gb_cell_words(n) * sizeof *v->bits);
}

void gb_cells_new(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize, bool clear) {
    memset(v, 0, sizeof *v);
    new_arrays(job, v, n, xsize, clear);
}

/* After an error the job frees its arrays. */
static void add_or_forget(gb_Job *job, gb_DeviceCs *v) {
    if (job->info == GBL_SUCCESS) {
        gb_copies_add(job, v);
        return;
    }
    v->bits = NULL;
    v->i = NULL;
    v->x = NULL;
}

/* -- to the device */

template <class T>
__global__ void gb_scatter_list(const gb_Idx *list, const T *value, uint64_t mask, uint64_t n,
                                uint32_t *bits, T *x) {
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < n;
         q += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Idx k = list[q];
        atomicOr(&bits[k / GB_WARP], 1u << (k % GB_WARP));
        x[k] = value[q & mask];
    }
}

template <class T> __global__ void gb_fill_cells(const T *value, uint64_t n, T *x) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        x[k] = *value;
}

template <class T>
static void scatter(gb_Job *job, const gb_DeviceCs *v, const void *value, uint64_t mask) {
    GB_START(job, gb_scatter_list<T>, gb_grid(v->nvals, GB_CELL_THREADS), GB_CELL_THREADS, 0, v->i,
             static_cast<const T *>(value), mask, v->nvals, v->bits, static_cast<T *>(v->x));
}

template <class T> static void fill(gb_Job *job, const gb_DeviceCs *v, const void *value) {
    GB_START(job, gb_fill_cells<T>, gb_grid(v->nminor, GB_CELL_THREADS), GB_CELL_THREADS, 0,
             static_cast<const T *>(value), v->nminor, static_cast<T *>(v->x));
}

/* f<T>(...) of the type that is as large as values of v. */
#define GB_BY_SIZE(v, f, ...)                                                                      \
    do {                                                                                           \
        if ((v)->xsize == 1)                                                                       \
            f<uint8_t>(__VA_ARGS__);                                                               \
        else if ((v)->xsize == 2)                                                                  \
            f<uint16_t>(__VA_ARGS__);                                                              \
        else if ((v)->xsize == 4)                                                                  \
            f<uint32_t>(__VA_ARGS__);                                                              \
        else                                                                                       \
            f<uint64_t>(__VA_ARGS__);                                                              \
    } while (0)

void gb_job_send_list(gb_Job *job, gb_DeviceCs *v, const gb_CsView *host) {
    const uint64_t values = host->iso ? 1 : host->nvals;
    new_arrays(job, v, host->nminor, host->xsize, true);
    v->nvals = host->nvals;
    if (host->nvals > 0) {
        v->i = gb_job_new<gb_Idx>(job, host->nvals);
        void *value = gb_job_bytes(job, values, host->xsize);
        gb_job_send(job, v->i, host->i, host->nvals * sizeof *host->i);
        gb_job_send(job, value, host->x, values * host->xsize);
        GB_BY_SIZE(v, scatter, job, v, value, host->iso ? 0 : UINT64_MAX);
        gb_job_drop(job, value);
    }
    add_or_forget(job, v);
}

/* Bits of bytes that are 0 or 1; b NULL: all are set. */
static void pack_bits(uint32_t *bits, const int8_t *b, uint64_t n) {
    memset(bits, 0, gb_cell_words(n) * sizeof *bits);
    for (uint64_t k = 0; k < n; k++)
        if (b == NULL || b[k]) bits[k / GB_WARP] |= 1u << (k % GB_WARP);
}

static void send_bits(gb_Job *job, gb_DeviceCs *v, const int8_t *b) {
    const size_t bytes = gb_cell_words(v->nminor) * sizeof *v->bits;
    uint32_t *bits = static_cast<uint32_t *>(gb_malloc(bytes));
    if (bits == NULL && bytes > 0) gb_job_fail(job, gb_fail_memory(bytes));
    if (job->info == GBL_SUCCESS) {
        pack_bits(bits, b, v->nminor);
        gb_job_send(job, v->bits, bits, bytes);
    }
    gb_free(bits, bytes);
}

void gb_job_send_cells(gb_Job *job, gb_DeviceCs *v, const gb_DenseView *host) {
    new_arrays(job, v, host->n, host->xsize, false);
    v->nvals = host->nvals;
    send_bits(job, v, host->b);
    if (host->iso && host->nvals > 0) {
        void *value = gb_job_bytes(job, 1, host->xsize);
        gb_job_send(job, value, host->x, host->xsize);
        GB_BY_SIZE(v, fill, job, v, value);
        gb_job_drop(job, value);
    } else if (host->nvals > 0) {
        gb_job_send(job, v->x, host->x, host->n * host->xsize);
    }
    add_or_forget(job, v);
}

/* *made = v, which a job has filled in; frees it after an error. */
static gbl_Info hand_over(gb_Job *job, gb_DeviceCs *v, gb_DeviceCs **made) {
    if (job->info == GBL_SUCCESS)
        *made = v;
    else
        gb_free(v, sizeof *v);
    return gb_job_end(job);
}

gbl_Info gb_cuda_upload_list(const gb_CsView *host, gb_DeviceCs **made) {
    gb_Job job;
    gb_DeviceCs *v = static_cast<gb_DeviceCs *>(gb_malloc(sizeof *v));
    *made = NULL;
    if (v == NULL) return gb_fail_memory(sizeof *v);
    memset(v, 0, sizeof *v);
    gb_job_begin(&job);
    gb_job_send_list(&job, v, host);
    return hand_over(&job, v, made);
}

gbl_Info gb_cuda_upload_cells(const gb_DenseView *host, gb_DeviceCs **made) {
    gb_Job job;
    gb_DeviceCs *v = static_cast<gb_DeviceCs *>(gb_malloc(sizeof *v));
    *made = NULL;
    if (v == NULL) return gb_fail_memory(sizeof *v);
    memset(v, 0, sizeof *v);
    gb_job_begin(&job);
    gb_job_send_cells(&job, v, host);
    return hand_over(&job, v, made);
}

/* -- to the host */

/* Bytes of bits; values where there is no entry, which are anything, become 0. */
static void unpack(gb_Dense *host, const uint32_t *bits, size_t xsize) {
    char *x = static_cast<char *>(host->x);
    for (uint64_t k = 0; k < host->n; k++) {
        host->b[k] = (int8_t)(bits[k / GB_WARP] >> (k % GB_WARP) & 1u);
        if (!host->b[k]) memset(x + k * xsize, 0, xsize);
    }
}

gbl_Info gb_job_fetch_cells(gb_Job *job, const gb_DeviceCs *v, gb_Dense *host) {
    const bool full = v->nvals == v->nminor;
    const size_t bytes = gb_cell_words(v->nminor) * sizeof *v->bits;
    const gbl_Info info = gb_dense_alloc(host, v->nminor, v->nminor * v->xsize, !full);
    if (info != GBL_SUCCESS) return info;
    uint32_t *bits = full ? NULL : static_cast<uint32_t *>(gb_malloc(bytes));
    if (!full && bits == NULL) gb_job_fail(job, gb_fail_memory(bytes));
    if (!full) gb_job_fetch(job, bits, v->bits, bytes);
    gb_job_fetch(job, host->x, v->x, v->nminor * v->xsize);
    host->nvals = v->nvals;
    if (job->info == GBL_SUCCESS && !full) unpack(host, bits, v->xsize);
    gb_free(bits, full ? 0 : bytes);
    if (job->info != GBL_SUCCESS) gb_dense_free(host);
    return job->info;
}

gbl_Info gb_cuda_download_cells(gb_DeviceCs *v, gb_Dense *host) {
    gb_Job job;
    memset(host, 0, sizeof *host);
    gb_job_begin(&job);
    if (v->home_cells.x != NULL) { /* wherever the device may be by now */
        *host = v->home_cells;
        memset(&v->home_cells, 0, sizeof v->home_cells);
        job.info = GBL_SUCCESS;
    } else if (v->bits == NULL) {
        gb_job_fail(&job, gb_copies_lost());
    } else if (job.info == GBL_SUCCESS) {
        gb_job_fail(&job, gb_job_fetch_cells(&job, v, host));
    }
    if (job.info == GBL_SUCCESS) v->only = false;
    return gb_job_end(&job);
}

/* -- lists */

__global__ void gb_count_bits(const uint32_t *bits, uint64_t words, uint64_t *count) {
    for (uint64_t w = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; w < words;
         w += (uint64_t)gridDim.x * blockDim.x)
        count[w] = (uint64_t)__popc(bits[w]);
}

__global__ void gb_list_bits(const uint32_t *bits, uint64_t words, const uint64_t *start,
                             gb_Idx *list) {
    for (uint64_t w = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; w < words;
         w += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t at = start[w];
        for (uint32_t word = bits[w]; word != 0; word &= word - 1)
            list[at++] = (gb_Idx)(w * GB_WARP + (unsigned)(__ffs((int)word) - 1));
    }
}

void gb_cells_list(gb_Job *job, gb_DeviceCs *v) {
    const uint64_t words = gb_cell_words(v->nminor);
    if (v->i != NULL || v->nvals == 0) return;
    gb_Idx *list = gb_job_new<gb_Idx>(job, v->nvals);
    uint64_t *start = gb_job_new<uint64_t>(job, words + 1);
    const unsigned grid = gb_grid(words, GB_CELL_THREADS);
    GB_START(job, gb_count_bits, grid, GB_CELL_THREADS, 0, v->bits, words, start);
    gb_device_scan(job, start, start, words);
    GB_START(job, gb_list_bits, grid, GB_CELL_THREADS, 0, v->bits, words, start, list);
    gb_job_drop(job, start);
    if (job->info != GBL_SUCCESS) return;
    v->i = list;
    v->ibytes = gb_job_keep(job, list);
}

void gb_cells_forget_list(gb_DeviceCs *v) {
    gb_cuda_free(v->i, v->ibytes);
    v->i = NULL;
    v->ibytes = 0;
}
