/* SPDX-License-Identifier: Apache-2.0
 *
 * See ops/entries.cuh. Taking n entries of which k are kept reads the bits, n columns and k values,
 * and writes k of both.
 */
#include "cuda/ops/entries.cuh"

enum { THREADS = 256 };

void gb_copy_array(gb_Job *job, void *to, const void *from, size_t bytes) {
    if (job->info == GBL_SUCCESS && bytes > 0)
        gb_job_check(job, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, job->stream),
                     "a copy");
}

void gb_new_matrix(gb_Job *job, const gb_DeviceCs *like, uint64_t nvals, size_t size,
                   gb_DeviceCs *C) {
    memset(C, 0, sizeof *C);
    C->nmajor = like->nmajor;
    C->nminor = like->nminor;
    C->nvals = nvals;
    C->xsize = size;
    C->p = gb_job_new<gb_Off>(job, C->nmajor + 1);
    C->i = gb_job_new<gb_Idx>(job, nvals);
    if (size > 0) C->x = gb_job_bytes(job, nvals, size);
}

void gb_copy_pattern(gb_Job *job, const gb_DeviceCs *A, size_t size, gb_DeviceCs *C) {
    gb_new_matrix(job, A, A->nvals, size, C);
    gb_copy_array(job, C->p, A->p, (A->nmajor + 1) * sizeof *A->p);
    gb_copy_array(job, C->i, A->i, A->nvals * sizeof *A->i);
}

/* -- entries that are kept */

gb_Kept gb_kept_new(gb_Job *job, uint64_t n) {
    gb_Kept kept;
    kept.words = n / 32 + (n % 32 != 0);
    kept.word = gb_job_new<unsigned>(job, kept.words);
    kept.before = gb_job_new<uint64_t>(job, kept.words + 1);
    return kept;
}

__global__ void gb_count_kept(gb_Kept kept) {
    for (uint64_t w = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; w < kept.words;
         w += (uint64_t)gridDim.x * blockDim.x)
        kept.before[w] = (uint64_t)__popc(kept.word[w]);
}

void gb_kept_count(gb_Job *job, const gb_Kept *kept) {
    GB_START(job, gb_count_kept, gb_grid(kept->words, THREADS), THREADS, 0, *kept);
    gb_device_scan(job, kept->before, kept->before, kept->words);
}

__global__ void gb_place_rows(gb_Pattern A, gb_Kept kept, gb_Off *p) {
    for (uint64_t r = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; r <= A.m;
         r += (uint64_t)gridDim.x * blockDim.x)
        p[r] = gb_kept_before(kept, A.p[r]);
}

__global__ void gb_take_columns(gb_Pattern A, gb_Kept kept, gb_Idx *i) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < A.n;
         k += (uint64_t)gridDim.x * blockDim.x)
        if (gb_is_kept(kept, k)) i[gb_kept_before(kept, k)] = A.i[k];
}

template <class T>
__global__ void gb_take_values(const T *x, uint64_t mask, uint64_t n, gb_Kept kept, T *z) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        if (gb_is_kept(kept, k)) z[gb_kept_before(kept, k)] = x[k & mask];
}

template <class T>
static void take_values(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, void *z) {
    GB_START(job, gb_take_values<T>, gb_grid(A->nvals, THREADS), THREADS, 0,
             static_cast<const T *>(A->x), A->iso ? 0 : UINT64_MAX, A->nvals, *kept,
             static_cast<T *>(z));
}

void gb_kept_pattern(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, size_t size,
                     gb_DeviceCs *C) {
    uint64_t nvals = 0;
    const gb_Pattern at = gb_pattern_of(A);
    gb_job_read(job, &nvals, kept->before + kept->words, sizeof nvals);
    gb_new_matrix(job, A, nvals, size, C);
    GB_START(job, gb_place_rows, gb_grid(A->nmajor + 1, THREADS), THREADS, 0, at, *kept, C->p);
    if (nvals > 0)
        GB_START(job, gb_take_columns, gb_grid(A->nvals, THREADS), THREADS, 0, at, *kept, C->i);
}

void gb_kept_take(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, gb_DeviceCs *C) {
    gb_kept_pattern(job, A, kept, A->x != NULL ? A->xsize : 0, C);
    if (C->nvals == 0 || A->x == NULL) return;
    switch (A->xsize) {
    case 1:
        take_values<uint8_t>(job, A, kept, C->x);
        break;
    case 2:
        take_values<uint16_t>(job, A, kept, C->x);
        break;
    case 4:
        take_values<uint32_t>(job, A, kept, C->x);
        break;
    default:
        take_values<uint64_t>(job, A, kept, C->x);
    }
}

void gb_kept_drop(gb_Job *job, const gb_Kept *kept) {
    gb_job_drop(job, kept->word);
    gb_job_drop(job, kept->before);
}
