/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be said of the rows of C in O(entries of A): products, the longest row of B, the range
 * of columns. Four lanes do a row, since rows of A are short more often than not; the long ones of
 * its rows a block does afterwards, one by one.
 */
#include "cuda/rowwise/rowwise.cuh"

enum { THREADS = 256, LANES = 4, ROWS = THREADS / LANES, WARPS = THREADS / GB_WARP };

/* Entries of a row above which a block does it. */
#define LONG ((uint64_t)GB_CUDA_SHARE * LANES)

/* Of a row of C, or of what some lanes have seen of it. */
struct gb_Seen {
    uint64_t sum;
    gb_Idx most, low, high;
};

struct gb_FactsOut {
    uint64_t *products;               /* [m] */
    gb_Idx *longest, *lowest, *width; /* [m] */
    unsigned long long *total;
};

static __device__ __forceinline__ gb_Seen gb_nothing_seen(void) {
    return gb_Seen{0, 0, GB_LAST_COLUMN, 0};
}

/* Every step-th entry of A's row from p on. */
static __device__ __forceinline__ gb_Seen gb_see(const gb_Factors &F, gb_Off p, gb_Off to,
                                                 unsigned step) {
    gb_Seen s = gb_nothing_seen();
    for (; p < to; p += step) {
        const gb_Idx k = F.Ai[p];
        const gb_Off from = F.Bp[k], end = F.Bp[k + (uint64_t)1];
        if (from == end) continue;
        const gb_Idx length = (gb_Idx)(end - from), first = F.Bi[from], last = F.Bi[end - 1];
        s.sum += length;
        if (length > s.most) s.most = length;
        if (first < s.low) s.low = first;
        if (last > s.high) s.high = last;
    }
    return s;
}

/* What so many neighbouring lanes have seen together; all of them get it. */
static __device__ __forceinline__ gb_Seen gb_seen_by(gb_Seen s, int lanes) {
    for (int with = lanes / 2; with > 0; with /= 2) {
        s.sum += __shfl_xor_sync(GB_ALL_LANES, s.sum, with);
        const gb_Idx most = __shfl_xor_sync(GB_ALL_LANES, s.most, with);
        const gb_Idx low = __shfl_xor_sync(GB_ALL_LANES, s.low, with);
        const gb_Idx high = __shfl_xor_sync(GB_ALL_LANES, s.high, with);
        if (most > s.most) s.most = most;
        if (low < s.low) s.low = low;
        if (high > s.high) s.high = high;
    }
    return s;
}

/* By one thread, which gets the products. */
static __device__ uint64_t gb_tell(const gb_Factors &F, const gb_FactsOut &out, uint64_t i,
                                   gb_Seen s) {
    if (F.mask_kind == GB_MASK_INSIDE && F.Mp[i] < F.Mp[i + 1]) {
        const gb_Idx first = F.Mi[F.Mp[i]], last = F.Mi[F.Mp[i + 1] - 1];
        if (first > s.low) s.low = first;
        if (last < s.high) s.high = last;
    }
    out.products[i] = s.sum;
    out.longest[i] = s.most;
    out.lowest[i] = s.low;
    out.width[i] = s.sum > 0 && s.low <= s.high ? s.high - s.low + 1 : 0;
    return s.sum;
}

/* A row by the block; its first thread gets the products, others 0. */
static __device__ uint64_t gb_long_row(const gb_Factors &F, const gb_FactsOut &out, uint64_t i) {
    GB_SHARED_ARRAY(uint64_t, sum, WARPS);
    GB_SHARED_ARRAY(gb_Idx, most, WARPS);
    GB_SHARED_ARRAY(gb_Idx, low, WARPS);
    GB_SHARED_ARRAY(gb_Idx, high, WARPS);
    const gb_Seen s = gb_seen_by(gb_see(F, F.Ap[i] + threadIdx.x, F.Ap[i + 1], THREADS), GB_WARP);
    const unsigned warp = threadIdx.x / GB_WARP;
    if (gb_lane() == 0) {
        sum[warp] = s.sum;
        most[warp] = s.most;
        low[warp] = s.low;
        high[warp] = s.high;
    }
    __syncthreads();
    uint64_t products = 0;
    if (warp == 0) {
        const unsigned w = threadIdx.x;
        gb_Seen part = gb_nothing_seen();
        if (w < WARPS) part = gb_Seen{sum[w], most[w], low[w], high[w]};
        const gb_Seen all = gb_seen_by(part, GB_WARP);
        if (w == 0) products = gb_tell(F, out, i, all);
    }
    __syncthreads(); /* the arrays may be used again */
    return products;
}

/* One thread of the block adds its sum to *total: where all warps add to one place they queue. */
static __device__ void gb_add_to_total(unsigned long long *total, uint64_t mine) {
    GB_SHARED_ARRAY(uint64_t, sums, WARPS);
    mine = gb_warp_sum(mine);
    if (gb_lane() == 0) sums[threadIdx.x / GB_WARP] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    uint64_t sum = 0;
    for (unsigned w = 0; w < WARPS; w++) sum += sums[w];
    if (sum > 0) atomicAdd(total, (unsigned long long)sum);
}

__global__ void gb_row_facts(gb_Factors F, gb_FactsOut out) {
    GB_SHARED_ARRAY(unsigned, nlong, 1);
    GB_SHARED_ARRAY(gb_Idx, longs, ROWS);
    const unsigned lane = threadIdx.x % LANES;
    uint64_t sum = 0;
    for (uint64_t base = (uint64_t)blockIdx.x * ROWS; base < F.m;
         base += (uint64_t)gridDim.x * ROWS) {
        const uint64_t i = base + threadIdx.x / LANES;
        const gb_Off from = i < F.m ? F.Ap[i] : 0, to = i < F.m ? F.Ap[i + 1] : 0;
        const bool is_long = to - from > LONG;
        if (threadIdx.x == 0) nlong[0] = 0u;
        __syncthreads();
        const gb_Seen s = gb_seen_by(gb_see(F, is_long ? to : from + lane, to, LANES), LANES);
        if (lane == 0 && is_long) longs[atomicAdd(&nlong[0], 1u)] = (gb_Idx)i;
        if (lane == 0 && i < F.m && !is_long) sum += gb_tell(F, out, i, s);
        __syncthreads();
        const unsigned n = nlong[0];
        for (unsigned h = 0; h < n; h++) sum += gb_long_row(F, out, longs[h]);
        __syncthreads(); /* all have read the number */
    }
    gb_add_to_total(out.total, sum);
}

void gb_analyse_rows(gb_Job *job, gb_Analysed *found, const gb_Factors &F) {
    const gb_FactsOut out = {gb_job_scratch<uint64_t>(job, F.m), gb_job_scratch<gb_Idx>(job, F.m),
                             gb_job_scratch<gb_Idx>(job, F.m), gb_job_scratch<gb_Idx>(job, F.m),
                             gb_job_zeros<unsigned long long>(job, 1)};
    GB_START(job, gb_row_facts, gb_grid(F.m, ROWS), THREADS, 0, F, out);
    found->facts = gb_RowFacts{out.products, out.lowest, out.width};
    found->longest = out.longest;
    found->total = out.total;
}
