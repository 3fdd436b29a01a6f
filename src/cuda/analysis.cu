/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be said of the rows of C in O(entries of A): products, the longest row of B, the range
 * of columns. Four lanes do a row; rows of A are short more often than not.
 */
#include "cuda/mxm_rowwise.cuh"

enum { THREADS = 256, LANES = 4 };

__global__ void gb_row_facts(gb_Factors F, uint64_t *products, gb_Idx *longest, gb_Idx *lowest,
                             gb_Idx *width, unsigned long long *total) {
    const unsigned lane = threadIdx.x % LANES;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / LANES;
    const uint64_t begin = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    const uint64_t first_of_warp = begin - threadIdx.x % GB_WARP / LANES;
    uint64_t sum_of_all = 0;
    for (uint64_t base = first_of_warp; base < F.m; base += step) {
        const uint64_t i = base + threadIdx.x % GB_WARP / LANES;
        const gb_Off to = i < F.m ? F.Ap[i + 1] : 0;
        uint64_t sum = 0;
        gb_Idx most = 0, low = GB_LAST_COLUMN, high = 0;
        for (gb_Off p = i < F.m ? F.Ap[i] + lane : 0; p < to; p += LANES) {
            const gb_Idx k = F.Ai[p];
            const gb_Off from = F.Bp[k], end = F.Bp[k + (uint64_t)1];
            if (from == end) continue;
            const gb_Idx length = (gb_Idx)(end - from), first = F.Bi[from], last = F.Bi[end - 1];
            sum += length;
            if (length > most) most = length;
            if (first < low) low = first;
            if (last > high) high = last;
        }
        for (int with = LANES / 2; with > 0; with /= 2) {
            sum += __shfl_xor_sync(GB_ALL_LANES, sum, with);
            const gb_Idx most2 = __shfl_xor_sync(GB_ALL_LANES, most, with);
            const gb_Idx low2 = __shfl_xor_sync(GB_ALL_LANES, low, with);
            const gb_Idx high2 = __shfl_xor_sync(GB_ALL_LANES, high, with);
            if (most2 > most) most = most2;
            if (low2 < low) low = low2;
            if (high2 > high) high = high2;
        }
        if (lane != 0 || i >= F.m) continue;
        if (F.mask_kind == GB_MASK_INSIDE && F.Mp[i] < F.Mp[i + 1]) {
            const gb_Idx first = F.Mi[F.Mp[i]], last = F.Mi[F.Mp[i + 1] - 1];
            if (first > low) low = first;
            if (last < high) high = last;
        }
        products[i] = sum;
        longest[i] = most;
        lowest[i] = low;
        width[i] = sum > 0 && low <= high ? high - low + 1 : 0;
        sum_of_all += sum;
    }
    sum_of_all = gb_warp_sum(sum_of_all);
    if (gb_lane() == 0 && sum_of_all > 0) atomicAdd(total, (unsigned long long)sum_of_all);
}

void gb_analyse_rows(gb_Job *job, gb_Analysed *found, const gb_Factors &F) {
    uint64_t *products = gb_job_new<uint64_t>(job, F.m);
    gb_Idx *longest = gb_job_new<gb_Idx>(job, F.m);
    gb_Idx *low = gb_job_new<gb_Idx>(job, F.m);
    gb_Idx *width = gb_job_new<gb_Idx>(job, F.m);
    unsigned long long *total = gb_job_new<unsigned long long>(job, 1), sum = 0;
    gb_job_zero(job, total, sizeof *total);
    GB_START(job, gb_row_facts, gb_grid(F.m, THREADS / LANES), THREADS, 0, F, products, longest,
             low, width, total);
    gb_job_read(job, &sum, total, sizeof sum);
    gb_job_drop(job, total);
    found->facts = gb_RowFacts{products, low, width};
    found->longest = longest;
    found->products = sum;
}

__global__ void gb_bound_rows(gb_Factors F, gb_RowFacts facts, uint64_t *size) {
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < F.m;
         i += (uint64_t)gridDim.x * blockDim.x)
        size[i] = gb_upper_bound(F, facts, i);
}

void gb_upper_bounds(gb_Job *job, const gb_Factors &F, const gb_RowFacts &facts, uint64_t *size) {
    GB_START(job, gb_bound_rows, gb_grid(F.m, THREADS), THREADS, 0, F, facts, size);
}
