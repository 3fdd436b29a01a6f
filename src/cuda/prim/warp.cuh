/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder, lowest rung: what the 32 lanes of a warp do together. All lanes call; every function
 * is a meeting point of the warp.
 */
#ifndef GB_CUDA_PRIM_WARP_CUH
#define GB_CUDA_PRIM_WARP_CUH

#include "cuda/device/portable.cuh"

static __device__ __forceinline__ unsigned gb_lane(void) {
    return threadIdx.x % GB_WARP;
}

/* The sum over the lanes before this one, and over all. */
template <class T> static __device__ __forceinline__ T gb_warp_scan(T value, T *total) {
    T sum = value;
    for (unsigned by = 1; by < GB_WARP; by *= 2) {
        const T more = __shfl_up_sync(GB_ALL_LANES, sum, by);
        if (gb_lane() >= by) sum += more;
    }
    *total = __shfl_sync(GB_ALL_LANES, sum, GB_WARP - 1);
    return sum - value;
}

template <class T> static __device__ __forceinline__ T gb_warp_sum(T value) {
    for (int with = GB_WARP / 2; with > 0; with /= 2)
        value += __shfl_xor_sync(GB_ALL_LANES, value, with);
    return value;
}

template <class T> static __device__ __forceinline__ T gb_warp_max(T value) {
    for (int with = GB_WARP / 2; with > 0; with /= 2) {
        const T other = __shfl_xor_sync(GB_ALL_LANES, value, with);
        if (other > value) value = other;
    }
    return value;
}

template <class T> static __device__ __forceinline__ T gb_warp_min(T value) {
    for (int with = GB_WARP / 2; with > 0; with /= 2) {
        const T other = __shfl_xor_sync(GB_ALL_LANES, value, with);
        if (other < value) value = other;
    }
    return value;
}

/* Bitonic sorting network over LANES * ITEMS keys, ascending; LANES consecutive lanes (16 or 32)
 * hold key r * LANES + lane in key[r]. Equal keys keep no order: make them different. All lanes of
 * the warp call, so that two halves of 16 sort their own keys side by side. */
template <class Key, int LANES, int ITEMS>
static __device__ __forceinline__ void gb_warp_sort(Key (&key)[ITEMS]) {
    const unsigned lane = gb_lane() % LANES;
    GB_UNROLL
    for (unsigned size = 2; size <= LANES * ITEMS; size *= 2) {
        GB_UNROLL
        for (unsigned with = size / 2; with > 0; with /= 2) {
            if (with >= LANES) { /* partners are in the same lane */
                GB_UNROLL
                for (int r = 0; r < ITEMS; r++) {
                    const int other = r ^ (int)(with / LANES);
                    const bool up = (((unsigned)r * LANES + lane) & size) == 0;
                    if (other <= r || other >= ITEMS) continue;
                    const Key a = key[r], b = key[other];
                    key[r] = (a < b) == up ? a : b;
                    key[other] = (a < b) == up ? b : a;
                }
            } else {
                GB_UNROLL
                for (int r = 0; r < ITEMS; r++) {
                    const Key mine = key[r];
                    const Key theirs = __shfl_xor_sync(GB_ALL_LANES, mine, (int)with);
                    const bool up = (((unsigned)r * LANES + lane) & size) == 0;
                    const bool low = (lane & with) == 0;
                    key[r] = (mine < theirs) == (up == low) ? mine : theirs;
                }
            }
        }
    }
}

#endif
