/* SPDX-License-Identifier: Apache-2.0
 *
 * What the 32 lanes of a warp, the threads of a block, and teams of either do together: scans,
 * sums, sorting networks. All of them call; every function is a barrier of the warp or the block.
 * Sorts by either are bitonic, and need no memory but the keys'.
 */
#ifndef GB_CUDA_PRIM_TEAM_CUH
#define GB_CUDA_PRIM_TEAM_CUH

#include "cuda/device/portable.cuh"

GB_DEVICE unsigned gb_lane(void) {
    return threadIdx.x % GB_WARP;
}

/* The sum over the lanes before this one, and over all, of LANES side by side. */
template <int LANES = GB_WARP, class T> GB_DEVICE T gb_warp_scan(T value, T *total) {
    T sum = value;
    for (unsigned by = 1; by < LANES; by *= 2) {
        const T more = __shfl_up_sync(GB_ALL_LANES, sum, by, LANES);
        if (gb_lane() % LANES >= by) sum += more;
    }
    *total = __shfl_sync(GB_ALL_LANES, sum, (int)(gb_lane() | (LANES - 1)));
    return sum - value;
}

/* Over all lanes, which all get it. */
template <class T, class Join> GB_DEVICE T gb_warp_reduce(T value, Join join) {
    for (int with = GB_WARP / 2; with > 0; with /= 2)
        value = join(value, __shfl_xor_sync(GB_ALL_LANES, value, with));
    return value;
}
template <class T> GB_DEVICE T gb_warp_sum(T value) {
    return gb_warp_reduce(value, [](T x, T y) { return x + y; });
}
template <class T> GB_DEVICE T gb_warp_max(T value) {
    return gb_warp_reduce(value, [](T x, T y) { return y > x ? y : x; });
}

/* Bitonic sorting network over LANES * ITEMS keys, ascending; LANES consecutive lanes (16 or 32)
 * hold key r * LANES + lane in key[r]. Equal keys keep no order: make them different. All lanes of
 * the warp call, so that two halves of 16 sort their own keys side by side. */
template <class Key, int LANES, int ITEMS> GB_DEVICE void gb_warp_sort(Key (&key)[ITEMS]) {
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

/* -- blocks and teams */

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

/* *total += the sum over the threads of the block, by one of them: additions of all warps to one
 * address would queue. Once in a kernel. */
GB_DEVICE void gb_block_add(unsigned long long *total, uint64_t mine) {
    GB_SHARED_ARRAY(uint64_t, sums, GB_WARP);
    mine = gb_warp_sum(mine);
    if (gb_lane() == 0) sums[threadIdx.x / GB_WARP] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    uint64_t sum = 0;
    for (unsigned w = 0; w < blockDim.x / GB_WARP; w++) sum += sums[w];
    if (sum > 0) atomicAdd(total, (unsigned long long)sum);
}

/* A team is a whole block or one of its warps; code written for a team serves long rows, one a
 * block, and short rows, one a warp. sync() is a barrier of the team, after which its writes are
 * seen by all of it. */
struct gb_BlockTeam {
    gb_shared<unsigned> scratch; /* [GB_WARP + 1] */

    GB_MEMBER unsigned rank() const {
        return threadIdx.x;
    }
    GB_MEMBER unsigned size() const {
        return blockDim.x;
    }
    GB_MEMBER void sync() const {
        __syncthreads();
    }
    /* The sum over the threads before this one, and over all. */
    GB_MEMBER unsigned scan(unsigned value, unsigned *total) const {
        return gb_block_scan<unsigned>(scratch, value, total);
    }
};

struct gb_WarpTeam {
    GB_MEMBER unsigned rank() const {
        return gb_lane();
    }
    GB_MEMBER unsigned size() const {
        return GB_WARP;
    }
    GB_MEMBER void sync() const {
        __syncwarp();
    }
    GB_MEMBER unsigned scan(unsigned value, unsigned *total) const {
        return gb_warp_scan(value, total);
    }
};

/* Sorts n keys in shared memory by bitonic merges, ascending; keys beyond n are the largest. */
template <class Team, class Key>
GB_DEVICE void gb_team_sort(const Team &team, const gb_shared<Key> &key, unsigned n) {
    for (unsigned size = 2; size / 2 < n; size *= 2) {
        for (unsigned step = size / 2; step > 0; step /= 2) {
            const unsigned pairs = (n + 2 * step - 1) / (2 * step) * step;
            for (unsigned t = team.rank(); t < pairs; t += team.size()) {
                const unsigned in = t & (step - 1), low = 2 * t - in;
                const unsigned high = low + (2 * step == size ? size - 1 - 2 * in : step);
                if (high >= n) continue;
                const Key a = key[low], b = key[high];
                if (b >= a) continue;
                key[low] = b;
                key[high] = a;
            }
            team.sync();
        }
    }
}

#endif
