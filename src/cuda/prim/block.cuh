/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder, middle rung: teams of threads. Sorting by a block: prim/sort.cuh.
 *
 * A team is a whole block or one of its warps; code written for a team serves long rows, one a
 * block, and short rows, one a warp. sync() is a barrier of the team, after which its writes are
 * seen by all of it. All threads of the team call sync() and scan().
 */
#ifndef GB_CUDA_PRIM_BLOCK_CUH
#define GB_CUDA_PRIM_BLOCK_CUH

#include "cuda/prim/warp.cuh"

/* The sum over the threads of the block before this one, and over all; scratch[GB_WARP + 1]. */
template <class T> static __device__ T gb_block_scan(gb_shared<T> scratch, T value, T *total) {
    T sum;
    const T before = gb_warp_scan(value, &sum);
    const unsigned warp = threadIdx.x / GB_WARP, warps = blockDim.x / GB_WARP, lane = gb_lane();
    if (lane == 0) scratch[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        T mine = 0, all;
        if (lane < warps) mine = scratch[lane];
        const T start = gb_warp_scan(mine, &all);
        if (lane < warps) scratch[lane] = start;
        if (lane == 0) scratch[GB_WARP] = all;
    }
    __syncthreads();
    *total = scratch[GB_WARP];
    const T result = (T)scratch[warp] + before;
    __syncthreads(); /* scratch may be used again */
    return result;
}

struct gb_BlockTeam {
    gb_shared<unsigned> scratch; /* [GB_WARP + 1] */

    __device__ __forceinline__ unsigned rank() const {
        return threadIdx.x;
    }
    __device__ __forceinline__ unsigned size() const {
        return blockDim.x;
    }
    __device__ __forceinline__ void sync() const {
        __syncthreads();
    }
    /* The sum over the threads before this one, and over all. */
    __device__ __forceinline__ unsigned scan(unsigned value, unsigned *total) const {
        return gb_block_scan<unsigned>(scratch, value, total);
    }
};

struct gb_WarpTeam {
    __device__ __forceinline__ unsigned rank() const {
        return gb_lane();
    }
    __device__ __forceinline__ unsigned size() const {
        return GB_WARP;
    }
    __device__ __forceinline__ void sync() const {
        __syncwarp();
    }
    __device__ __forceinline__ unsigned scan(unsigned value, unsigned *total) const {
        return gb_warp_scan(value, total);
    }
};

#endif
