/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums that may be of nothing, by any addition: plus(x, y). Lanes, warps and blocks are joined in a
 * fixed order, so that a sum of floats is the same from run to run on the same device.
 */
#ifndef GB_CUDA_SUM_CUH
#define GB_CUDA_SUM_CUH

#include "cuda/device/job.cuh"
#include "cuda/prim/team.cuh"

enum { GB_SUM_THREADS = 256, GB_SUM_WARPS = GB_SUM_THREADS / GB_WARP };

/* The value of the lane whose number differs in this bit. */
template <class T> GB_DEVICE T gb_swap_lanes(const T &value, int bit) {
    unsigned word[(sizeof(T) + 3) / 4] = {0};
    T other;
    memcpy(word, &value, sizeof value);
    GB_UNROLL
    for (unsigned w = 0; w < (sizeof(T) + 3) / 4; w++)
        word[w] = __shfl_xor_sync(GB_ALL_LANES, word[w], bit);
    memcpy(&other, word, sizeof other);
    return other;
}

template <class T> struct gb_Sum {
    T value;
    bool has_value;

    template <class Plus> GB_MEMBER void add(T x, const Plus &plus) {
        value = has_value ? plus(value, x) : x;
        has_value = true;
    }
    /* All lanes get the sum of all. */
    template <class Plus> GB_MEMBER void join(const Plus &plus) {
        for (int with = GB_WARP / 2; with > 0; with /= 2) {
            const T other = gb_swap_lanes(value, with);
            const bool has = __shfl_xor_sync(GB_ALL_LANES, (int)has_value, with) != 0;
            /* the same order in both lanes, so that they agree to the bit */
            const bool first = (gb_lane() & (unsigned)with) == 0;
            if (has && has_value)
                value = first ? plus(value, other) : plus(other, value);
            else if (has)
                value = other;
            has_value = has_value || has;
        }
    }
};

/* What a block has summed, of how many. */
template <class T> struct gb_SumPart {
    T value;
    uint64_t n;
};

/* The sum of the block's warps, whose lanes each have that of their warp, in order. */
template <class T, class Plus>
GB_DEVICE void gb_sum_block(const gb_Sum<T> &sum, uint64_t n, const Plus &plus,
                            gb_SumPart<T> *part) {
    GB_SHARED_ARRAY(T, value, GB_SUM_WARPS);
    GB_SHARED_ARRAY(uint64_t, count, GB_SUM_WARPS);
    if (gb_lane() == 0) {
        value[threadIdx.x / GB_WARP] = sum.value;
        count[threadIdx.x / GB_WARP] = n;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    gb_Sum<T> all = {T(), false};
    uint64_t counted = 0;
    for (unsigned w = 0; w < GB_SUM_WARPS; w++) {
        const uint64_t own = count[w];
        if (own > 0) all.add(value[w], plus);
        counted += own;
    }
    part->value = all.value;
    part->n = counted;
}

/* parts[0] = the sum of the blocks' parts, by one warp. */
template <class T, class Plus>
__global__ void gb_sum_parts(gb_SumPart<T> *parts, unsigned n, Plus plus) {
    gb_Sum<T> sum = {T(), false};
    uint64_t counted = 0;
    for (unsigned k = threadIdx.x; k < n; k += GB_WARP) {
        if (parts[k].n > 0) sum.add(parts[k].value, plus);
        counted += parts[k].n;
    }
    __syncwarp(); /* parts[0] has been read */
    sum.join(plus);
    counted = gb_warp_sum(counted);
    if (threadIdx.x == 0) {
        parts[0].value = sum.value;
        parts[0].n = counted;
    }
}

/* Blocks of a kernel whose parts are summed: as many as work side by side. */
static inline unsigned gb_sum_grid(const gb_Job *job, uint64_t n, uint64_t each) {
    const unsigned most = GB_CUDA_SUM_BLOCKS * (unsigned)job->multiprocessors;
    const unsigned blocks = gb_grid(n, each);
    return blocks < most ? blocks : most;
}

#endif
