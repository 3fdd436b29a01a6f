/* SPDX-License-Identifier: Apache-2.0
 *
 * See ops/entries.cuh. Taking n entries of which k are kept reads the bits, n columns and k values,
 * and writes k of both.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/prim/sum.cuh"

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
    if (A->bits != NULL) {
        memset(C, 0, sizeof *C);
        gb_vector_new(job, C, A->nminor, size, false);
        C->nvals = A->nvals;
        return gb_copy_array(job, C->bits, A->bits, gb_bit_words(A->nminor) * sizeof *C->bits);
    }
    gb_new_matrix(job, A, A->nvals, size, C);
    gb_copy_array(job, C->p, A->p, (A->nmajor + 1) * sizeof *A->p);
    gb_copy_array(job, C->i, A->i, A->nvals * sizeof *A->i);
}

__global__ void gb_gather_values(const void *x, uint64_t mask, const gb_Idx *position, uint64_t n,
                                 void *z, size_t size) {
    GB_EACH_THREAD(k, n) gb_move_value(z, k, x, (position != NULL ? position[k] : k) & mask, size);
}

void gb_gather(gb_Job *job, size_t size, const void *x, uint64_t mask, const gb_Idx *position,
               uint64_t n, void *z) {
    GB_START_THREADS(job, n, gb_gather_values, x, mask, position, n, z, size);
}

/* -- entries that are kept */

gb_Kept gb_kept_new(gb_Job *job, uint64_t n) {
    gb_Kept kept;
    kept.words = n / 32 + (n % 32 != 0);
    kept.word = gb_job_new<unsigned>(job, kept.words);
    kept.before = gb_job_new<uint64_t>(job, kept.words + 1);
    return kept;
}

__global__ void gb_gather_marks(const uint8_t *marks, uint64_t n, gb_Kept kept) {
    GB_EACH_LANE(k, n) gb_keep(kept, n, k, k < n && marks[k] != 0);
}

void gb_kept_marked(gb_Job *job, const uint8_t *marks, uint64_t n, const gb_Kept *kept) {
    GB_START_THREADS(job, n, gb_gather_marks, marks, n, *kept);
}

/* C's rows, columns and, unless C.x is NULL, values. */
__global__ void gb_take_entries(gb_Pattern A, gb_Values values, gb_Kept kept, gb_DeviceCs C) {
    const gb_Off first = A.p[0];
    GB_EACH_THREAD(r, A.m + 1) C.p[r] = gb_kept_before(kept, A.p[r] - first);
    GB_EACH_THREAD(k, A.n) {
        if (!gb_is_kept(kept, k)) continue;
        const uint64_t to = gb_kept_before(kept, k);
        C.i[to] = A.i[first + k];
        if (values.x != NULL) gb_move_value(C.x, to, values.x, k & values.mask, C.xsize);
    }
}

void gb_kept_take(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, size_t other,
                  gb_DeviceCs *C) {
    const gb_Values values = other > 0 ? gb_Values{} : gb_values_of(A);
    const size_t size = values.x != NULL ? A->xsize : other;
    uint64_t nvals = 0;
    const uint64_t n = A->nvals > A->nmajor ? A->nvals : A->nmajor + 1;
    gb_device_scan(job, kept->before, kept->before, kept->words);
    gb_job_read(job, &nvals, kept->before + kept->words, sizeof nvals);
    gb_new_matrix(job, A, nvals, size, C);
    GB_START_THREADS(job, n, gb_take_entries, gb_pattern_of(A), values, *kept, *C);
}

/* -- dense vectors, and their entries as a sparse one */

void gb_vector_new(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize, bool clear) {
    v->nmajor = 1;
    v->nminor = n;
    v->xsize = xsize;
    v->bits = gb_job_new<uint32_t>(job, gb_bit_words(n));
    if (xsize > 0) v->x = gb_job_bytes(job, n, xsize);
    if (clear) gb_job_zero(job, v->bits, gb_bit_words(n) * sizeof *v->bits);
}

gb_Kept gb_vector_fill(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize) {
    memset(v, 0, sizeof *v);
    gb_vector_new(job, v, n, xsize, false);
    return gb_Kept{v->bits, NULL, gb_bit_words(n)};
}

__global__ void gb_add_bits(const uint32_t *bits, uint64_t words, unsigned long long *total) {
    uint64_t mine = 0;
    GB_EACH_THREAD(w, words) mine += (uint64_t)__popc(bits[w]);
    gb_block_add(total, mine);
}

void gb_vector_count(gb_Job *job, gb_DeviceCs *v) {
    const uint64_t words = gb_bit_words(v->nminor);
    unsigned long long *total = gb_job_zeros<unsigned long long>(job, 1);
    GB_START(job, gb_add_bits, gb_sum_grid(job, words, GB_THREADS), GB_THREADS, 0, v->bits, words,
             total);
    gb_job_read(job, &v->nvals, total, sizeof v->nvals);
    gb_job_drop(job, total);
}

__global__ void gb_count_bits(const uint32_t *bits, uint64_t words, uint64_t *count) {
    GB_EACH_THREAD(w, words) count[w] = (uint64_t)__popc(bits[w]);
}

__global__ void gb_list_bits(const uint32_t *bits, uint64_t words, const uint64_t *start,
                             gb_Idx *list) {
    GB_EACH_THREAD(w, words) {
        uint64_t at = start[w];
        for (uint32_t word = bits[w]; word != 0; word &= word - 1)
            list[at++] = (gb_Idx)(w * GB_WARP + (unsigned)(__ffs((int)word) - 1));
    }
}

void gb_vector_list(gb_Job *job, gb_DeviceCs *v) {
    const uint64_t words = gb_bit_words(v->nminor);
    if (v->i != NULL || v->nvals == 0) return;
    gb_Idx *list = gb_job_new<gb_Idx>(job, v->nvals);
    uint64_t *start = gb_job_new<uint64_t>(job, words + 1);
    GB_START_THREADS(job, words, gb_count_bits, v->bits, words, start);
    gb_device_scan(job, start, start, words);
    GB_START_THREADS(job, words, gb_list_bits, v->bits, words, start, list);
    gb_job_drop(job, start);
    if (job->info != GBL_SUCCESS) return;
    v->i = list;
    v->ibytes = gb_job_keep(job, list);
}

void gb_vector_forget_list(gb_DeviceCs *v) {
    gb_cuda_free(v->i, v->ibytes);
    v->i = NULL;
    v->ibytes = 0;
}
