/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of a bin in order: by row and column, and within an entry of C as they are numbered.
 *
 * A bin of up to GB_CUDA_BIN products is sorted in shared memory, by keys of the first number of
 * the row, the column, and the place in the bin, which is not sorted by: the sort is stable. Longer
 * bins, of which one row has most, are sorted by a block in global memory, four bits a pass: each
 * thread has a part of the products, counts its digits, and moves them in order.
 */
#include "cuda/outer.cuh"
#include "cuda/prim_sort.cuh"

enum { THREADS = GB_CUDA_BIN_THREADS, ITEMS = GB_CUDA_BIN / THREADS };
enum { DIGIT_BITS = 4, DIGITS = 1 << DIGIT_BITS };

/* -- in shared memory */

static __device__ __forceinline__ int place_bits(void) {
    return gb_outer_bits(GB_CUDA_BIN);
}

static __device__ void sort_bin(const gb_OuterCall &c, const gb_OuterBin &bin, int column_bits) {
    typedef gb_BlockSort<uint64_t, THREADS, ITEMS> Sort;
    const unsigned n = (unsigned)(bin.end - bin.begin);
    const int low = place_bits(), high = low + column_bits;
    uint64_t key[ITEMS];
    for (int k = 0; k < ITEMS; k++) {
        const unsigned e = threadIdx.x * ITEMS + (unsigned)k;
        key[k] = ~(uint64_t)0;
        if (e >= n) continue;
        const uint64_t row = gb_outer_row_of(c, bin, bin.begin + e);
        key[k] = (c.row[row] - bin.begin) << high | (uint64_t)c.column[bin.begin + e] << low | e;
    }
    Sort::sort(key, low, high + gb_outer_bits(GB_CUDA_BIN) + 1);
    __syncthreads(); /* the sort's memory becomes that of the keys */
    const gb_shared<uint64_t> sorted = gb_shared_carve<uint64_t>(0, THREADS * ITEMS);
    for (int k = 0; k < ITEMS; k++) sorted[threadIdx.x + k * THREADS] = key[k];
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
        const unsigned q = threadIdx.x + (unsigned)k * THREADS;
        if (q >= n) continue;
        const unsigned e = (unsigned)(key[k] & (((uint64_t)1 << low) - 1));
        unsigned mark = 0;
        if (q == 0 || (uint64_t)sorted[q - 1] >> low != key[k] >> low)
            mark = gb_outer_begin_entry(c, gb_outer_row_of(c, bin, bin.begin + e),
                                        c.column[bin.begin + e]);
        c.order[bin.begin + q] = e | mark;
    }
    __syncthreads();
}

/* A bin that is too long, and its first place in the space for such bins. */
struct gb_OuterLong {
    uint64_t bin, at;
};
struct gb_OuterLongs {
    unsigned long long products; /* of all of them */
    unsigned bins;
};

/* Bins that are too long are listed. */
__global__ void __launch_bounds__(THREADS)
    gb_outer_sort_bins(gb_OuterCall c, int column_bits, gb_OuterLong *longs, gb_OuterLongs *all) {
    const uint64_t bins = (c.products + GB_OUTER_HALF - 1) / GB_OUTER_HALF;
    for (uint64_t b = blockIdx.x; b < bins; b += gridDim.x) {
        const gb_OuterBin bin = gb_outer_bin(c, b);
        const uint64_t n = bin.end - bin.begin;
        if (n <= GB_CUDA_BIN)
            sort_bin(c, bin, column_bits);
        else if (threadIdx.x == 0)
            longs[atomicAdd(&all->bins, 1u)] =
                gb_OuterLong{b, atomicAdd(&all->products, (unsigned long long)n)};
    }
}

/* -- in global memory */

struct gb_OuterSpace { /* [products of long bins] each */
    uint64_t *key[2];
    unsigned *place[2];
};

/* Of a bin. */
struct gb_OuterRange {
    uint64_t begin, end;
};

/* One pass over the digit from `bit` on; counts[DIGITS * THREADS] by digit, then by thread. */
static __device__ void sort_digit(const gb_OuterSpace &s, const gb_OuterRange &bin, int from,
                                  int bit, gb_shared<unsigned> counts,
                                  gb_shared<unsigned> scratch) {
    const uint64_t n = bin.end - bin.begin, each = (n + THREADS - 1) / THREADS;
    const uint64_t begin = bin.begin + (threadIdx.x * each < n ? threadIdx.x * each : n);
    const uint64_t end = bin.end - begin < each ? bin.end : begin + each;
    /* not by their numbers, which would take local memory */
    const uint64_t *keys = from == 0 ? s.key[0] : s.key[1];
    const unsigned *places = from == 0 ? s.place[0] : s.place[1];
    uint64_t *to_keys = from == 0 ? s.key[1] : s.key[0];
    unsigned *to_places = from == 0 ? s.place[1] : s.place[0];
    for (int d = 0; d < DIGITS; d++) counts[d * THREADS + threadIdx.x] = 0u;
    for (uint64_t q = begin; q < end; q++)
        counts[(int)(keys[q] >> bit & (DIGITS - 1)) * THREADS + threadIdx.x] += 1u;
    __syncthreads();
    unsigned before = 0;
    for (int d = 0; d < DIGITS; d++) {
        unsigned total;
        const unsigned mine = counts[d * THREADS + threadIdx.x];
        counts[d * THREADS + threadIdx.x] = before + gb_block_scan<unsigned>(scratch, mine, &total);
        before += total;
    }
    for (uint64_t q = begin; q < end; q++) {
        const uint64_t key = keys[q];
        const int at = (int)(key >> bit & (DIGITS - 1)) * THREADS + (int)threadIdx.x;
        const uint64_t to = bin.begin + counts[at];
        counts[at] += 1u;
        to_keys[to] = key;
        to_places[to] = places[q];
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS)
    gb_outer_sort_long(gb_OuterCall c, int column_bits, const gb_OuterLong *longs, unsigned nlongs,
                       gb_OuterSpace s) {
    GB_SHARED_ARRAY(unsigned, counts, DIGITS *THREADS);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    for (unsigned l = blockIdx.x; l < nlongs; l += gridDim.x) {
        const gb_OuterBin bin = gb_outer_bin(c, longs[l].bin);
        const uint64_t first = longs[l].at, n = bin.end - bin.begin;
        const gb_OuterRange range = {first, first + n};
        for (uint64_t q = threadIdx.x; q < n; q += THREADS) {
            const uint64_t row = gb_outer_row_of(c, bin, bin.begin + q);
            s.key[0][first + q] = (c.row[row] - bin.begin) << column_bits | c.column[bin.begin + q];
            s.place[0][first + q] = (unsigned)q;
        }
        __syncthreads();
        int at = 0;
        const int bits = column_bits + gb_outer_bits(n);
        for (int bit = 0; bit < bits; bit += DIGIT_BITS, at ^= 1)
            sort_digit(s, range, at, bit, counts + 0, scratch + 0);
        const uint64_t *keys = (at == 0 ? s.key[0] : s.key[1]) + first;
        const unsigned *places = (at == 0 ? s.place[0] : s.place[1]) + first;
        for (uint64_t q = threadIdx.x; q < n; q += THREADS) {
            const unsigned e = places[q];
            unsigned mark = 0;
            if (q == 0 || keys[q - 1] != keys[q])
                mark = gb_outer_begin_entry(c, gb_outer_row_of(c, bin, bin.begin + e),
                                            c.column[bin.begin + e]);
            c.order[bin.begin + q] = e | mark;
        }
        __syncthreads();
    }
}

static void sort_long(gb_Job *job, const gb_OuterCall &c, int column_bits,
                      const gb_OuterLong *longs, const gb_OuterLongs *found) {
    gb_OuterLongs all = {0, 0};
    gb_job_read(job, &all, found, sizeof all);
    if (job->info != GBL_SUCCESS || all.bins == 0) return;
    const gb_OuterSpace s = {
        {gb_job_new<uint64_t>(job, all.products), gb_job_new<uint64_t>(job, all.products)},
        {gb_job_new<unsigned>(job, all.products), gb_job_new<unsigned>(job, all.products)}};
    GB_START(job, gb_outer_sort_long, gb_grid(all.bins, 1), THREADS, 0, c, column_bits, longs,
             all.bins, s);
    for (int k = 0; k < 2; k++) {
        gb_job_drop(job, s.key[k]);
        gb_job_drop(job, s.place[k]);
    }
}

void gb_outer_sort(gb_Job *job, const gb_OuterCall &c) {
    typedef gb_BlockSort<uint64_t, THREADS, ITEMS> Sort;
    const uint64_t bins = gb_outer_bins(c.products);
    const int column_bits = gb_outer_bits(c.F.n);
    const size_t keys = sizeof(uint64_t) * GB_CUDA_BIN;
    const size_t bytes = Sort::bytes() > keys ? Sort::bytes() : keys;
    gb_OuterLong *longs = gb_job_new<gb_OuterLong>(job, c.products / GB_CUDA_BIN + 1);
    gb_OuterLongs *found = gb_job_new<gb_OuterLongs>(job, 1);
    gb_job_zero(job, found, sizeof *found);
    gb_job_allow_kernel(job, gb_outer_sort_bins, bytes);
    GB_START(job, gb_outer_sort_bins, gb_grid(bins, 1), THREADS, bytes, c, column_bits, longs,
             found);
    sort_long(job, c, column_bits, longs, found);
    gb_job_drop(job, longs);
    gb_job_drop(job, found);
}
