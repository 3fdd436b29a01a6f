/* SPDX-License-Identifier: Apache-2.0
 *
 * Pull: w = R u by the rows of R that may be written. A warp has 32 neighbouring rows. A lane sums
 * a row of up to GB_CUDA_PULL_SHORT entries, the warp one of up to GB_CUDA_PULL_LONG, a block each
 * longer one. A sum ends once nothing can change it. The order of a float's sum depends on its row
 * alone. Cost: O(entries of the rows); a word of bits for 32 rows where none may be written.
 */
#ifndef GB_CUDA_VECTORS_PULL_CUH
#define GB_CUDA_VECTORS_PULL_CUH

#include "cuda/prim/sum.cuh"
#include "cuda/vectors/mxv.cuh"

/* The product of entry q of R and u(k). */
template <class Ring>
GB_DEVICE typename Ring::Value gb_mxv_product(const gb_MxvCall &c, gb_Off q, gb_Idx k) {
    const gb_Off at = q & c.amask;
    return c.u_is_left ? Ring::multiply(gb_left<Ring>(c.u.x, k), gb_right<Ring>(c.Ax, at), k)
                       : Ring::multiply(gb_left<Ring>(c.Ax, at), gb_right<Ring>(c.u.x, k), k);
}

/* Adds the product of entry q, where u has its column, until nothing can change the sum;
 * returns whether that has come. */
template <class Ring>
GB_DEVICE bool gb_mxv_add(gb_Sum<typename Ring::Value> &sum, const gb_MxvCall &c, gb_Off q) {
    const gb_Idx k = c.Ai[q];
    if (!c.u.has(k)) return false;
    sum.add(gb_mxv_product<Ring>(c, q, k), gb_RingPlus<Ring>());
    return Ring::ENDS && Ring::ends(sum.value);
}

/* A row by all lanes of the warp, which all get the sum. */
template <class Ring>
GB_DEVICE gb_Sum<typename Ring::Value> gb_mxv_warp_row(const gb_MxvCall &c, gb_Off from,
                                                       gb_Off to) {
    gb_Sum<typename Ring::Value> sum = {typename Ring::Value(), false};
    for (gb_Off base = from; base < to; base += GB_WARP) {
        const gb_Off q = base + gb_lane();
        const bool ended = q < to && gb_mxv_add<Ring>(sum, c, q);
        if (Ring::ENDS && __ballot_sync(GB_ALL_LANES, ended) != 0) break;
    }
    sum.join(gb_RingPlus<Ring>());
    return sum;
}

/* The lanes' own rows, as far as they are short. */
template <class Ring>
GB_DEVICE gb_Sum<typename Ring::Value> gb_mxv_lane_row(const gb_MxvCall &c, gb_Off from,
                                                       gb_Off to) {
    gb_Sum<typename Ring::Value> sum = {typename Ring::Value(), false};
    bool ended = false;
    for (gb_Off q = from; q < to && !ended; q++) ended = gb_mxv_add<Ring>(sum, c, q);
    return sum;
}

template <class Ring> __global__ void __launch_bounds__(GB_THREADS) gb_mxv_pull(gb_MxvCall c) {
    typedef typename Ring::Value Value;
    const uint64_t words = (c.rows + GB_WARP - 1) / GB_WARP;
    uint64_t counted = 0;
    GB_EACH_TEAM(w, words, GB_WARP) {
        const uint64_t i = w * GB_WARP + gb_lane();
        const bool open = i < c.rows && c.mask.allows(i);
        const gb_Off from = open ? c.Ap[i] : 0, to = open ? c.Ap[i + 1] : 0, n = to - from;
        if (n > GB_CUDA_PULL_LONG) c.listed[atomicAdd(&c.count[1], 1ull)] = (gb_Idx)i;
        gb_Sum<Value> sum = gb_mxv_lane_row<Ring>(c, from, n > GB_CUDA_PULL_SHORT ? from : to);
        unsigned shared =
            __ballot_sync(GB_ALL_LANES, n > GB_CUDA_PULL_SHORT && n <= GB_CUDA_PULL_LONG);
        for (; shared != 0; shared &= shared - 1) {
            const int lane = __ffs((int)shared) - 1;
            const gb_Sum<Value> row = gb_mxv_warp_row<Ring>(
                c, __shfl_sync(GB_ALL_LANES, from, lane), __shfl_sync(GB_ALL_LANES, to, lane));
            if ((int)gb_lane() == lane) sum = row;
        }
        if (sum.has_value) static_cast<Value *>(c.x)[i] = sum.value;
        const unsigned word = __ballot_sync(GB_ALL_LANES, sum.has_value);
        if (gb_lane() == 0) c.bits[w] = word;
        if (gb_lane() == 0) counted += (uint64_t)__popc(word);
    }
    gb_block_add(&c.count[0], counted);
}

/* The rows that pull has listed, a block each. */
template <class Ring>
__global__ void __launch_bounds__(GB_THREADS)
    gb_mxv_pull_long(gb_MxvCall c, gb_SumPart<typename Ring::Value> *parts) {
    typedef typename Ring::Value Value;
    static_assert((int)GB_THREADS == (int)GB_SUM_THREADS, "gb_sum_block joins these");
    GB_EACH_BLOCK(r, c.count[1]) {
        const gb_Idx i = c.listed[r];
        const gb_Off from = c.Ap[i], to = c.Ap[i + (uint64_t)1];
        const gb_Off share = (to - from + GB_WARPS - 1) / GB_WARPS;
        const gb_Off begin = from + share * (threadIdx.x / GB_WARP), most = begin + share;
        const gb_Sum<Value> sum =
            gb_mxv_warp_row<Ring>(c, begin < to ? begin : to, most < to ? most : to);
        gb_sum_block(sum, sum.has_value ? 1 : 0, gb_RingPlus<Ring>(), parts + blockIdx.x);
        if (threadIdx.x == 0 && parts[blockIdx.x].n > 0) {
            static_cast<Value *>(c.x)[i] = parts[blockIdx.x].value;
            atomicOr(&c.bits[i / GB_WARP], 1u << (i % GB_WARP));
            atomicAdd(&c.count[0], 1ull);
        }
        __syncthreads(); /* what the block shares may be used again */
    }
}

template <class Ring> struct gb_PullOf {
    typedef gb_SumPart<typename Ring::Value> Part;

    static cudaError_t rows(unsigned grid, cudaStream_t stream, const gb_MxvCall &c) {
        GB_LAUNCH(gb_mxv_pull<Ring>, grid, GB_THREADS, 0, stream, c);
        return cudaGetLastError();
    }
    static cudaError_t long_rows(unsigned grid, cudaStream_t stream, const gb_MxvCall &c,
                                 void *parts) {
        GB_LAUNCH(gb_mxv_pull_long<Ring>, grid, GB_THREADS, 0, stream, c,
                  static_cast<Part *>(parts));
        return cudaGetLastError();
    }
    static constexpr gb_PullKernels kernels(void) {
        return gb_PullKernels{rows, long_rows, sizeof(Part)};
    }
};

#endif
