/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of one semiring, and their sums.
 */
#ifndef GB_CUDA_OUTER_VALUES_CUH
#define GB_CUDA_OUTER_VALUES_CUH

#include "cuda/outer.cuh"
#include "cuda/values.cuh"

/* GB_OUTER_SHARE: consecutive products of a warp. */
enum { GB_OUTER_THREADS = 256, GB_OUTER_SHARE = 512 };

/* The entry, of those by columns in [low, high), that product number g of this order belongs to. */
static __device__ __forceinline__ uint64_t gb_outer_entry_of(const gb_OuterCall &c, uint64_t low,
                                                             uint64_t high, uint64_t g) {
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (c.made[mid] <= g)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Column after column of A times row after row of B. A warp makes GB_OUTER_SHARE products however
 * long columns and rows are; its lanes have neighbouring ones. */
template <class Ring>
__global__ void __launch_bounds__(GB_OUTER_THREADS) gb_outer_expand(gb_OuterCall c) {
    const gb_RingValues<Ring, typename gb_Store<Ring>::Type *> values = {NULL};
    const unsigned warps = blockDim.x / GB_WARP;
    const gb_Off first = c.F.Ap[0];
    for (uint64_t w = (uint64_t)blockIdx.x * warps + threadIdx.x / GB_WARP;
         w * GB_OUTER_SHARE < c.products; w += (uint64_t)gridDim.x * warps) {
        const uint64_t begin = w * GB_OUTER_SHARE, most = begin + GB_OUTER_SHARE;
        const uint64_t end = most < c.products ? most : c.products;
        const uint64_t low = gb_outer_entry_of(c, 0, c.entries, begin);
        const uint64_t high = gb_outer_entry_of(c, low, c.entries, end - 1) + 1;
        for (uint64_t g = begin + gb_lane(); g < end; g += GB_WARP) {
            const uint64_t l = gb_outer_entry_of(c, low, high, g), e = c.entry[l];
            const gb_Idx k = c.F.Ai[first + e];
            const uint64_t in_row = g - c.made[l], to = c.start[e] + in_row;
            const gb_Off q = c.F.Bp[k] + in_row;
            c.column[to] = c.F.Bi[q];
            static_cast<typename Ring::Value *>(c.x)[to] =
                Ring::multiply(values.left(c.F, first + e), values.right(c.F, q), k);
        }
    }
}

/* A block a bin: each product that begins an entry adds up those behind it. */
template <class Ring>
__global__ void __launch_bounds__(GB_OUTER_THREADS) gb_outer_compress(gb_OuterCall c) {
    typedef typename Ring::Value Value;
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const uint64_t bins = (c.products + GB_OUTER_HALF - 1) / GB_OUTER_HALF;
    for (uint64_t b = blockIdx.x; b < bins; b += gridDim.x) {
        const gb_OuterBin bin = gb_outer_bin(c, b);
        const Value *x = static_cast<const Value *>(c.x) + bin.begin;
        uint64_t out = c.p[bin.from];
        for (uint64_t base = bin.begin; base < bin.end; base += GB_OUTER_THREADS) {
            uint64_t q = base + threadIdx.x;
            const unsigned mark = q < bin.end ? c.order[q] : 0u;
            const bool begins = (mark & GB_OUTER_FIRST) != 0;
            unsigned total;
            const uint64_t to =
                out + gb_block_scan<unsigned>(scratch + 0, begins ? 1u : 0u, &total);
            out += total;
            if (!begins) continue;
            Value sum = x[mark & GB_OUTER_PLACE];
            for (q++; q < bin.end && c.order[q] <= GB_OUTER_PLACE; q++)
                sum = Ring::add(sum, x[c.order[q]]);
            c.i[to] = c.column[bin.begin + (mark & GB_OUTER_PLACE)];
            static_cast<Value *>(c.values)[to] = sum;
        }
    }
}

template <class Ring> struct gb_OuterOf {
    static void expand(gb_Job *job, const gb_OuterCall &c) {
        GB_START(job, gb_outer_expand<Ring>,
                 gb_grid(c.products, GB_OUTER_SHARE * (GB_OUTER_THREADS / GB_WARP)),
                 GB_OUTER_THREADS, 0, c);
    }
    static void compress(gb_Job *job, const gb_OuterCall &c) {
        GB_START(job, gb_outer_compress<Ring>, gb_grid(gb_outer_bins(c.products), 1),
                 GB_OUTER_THREADS, 0, c);
    }
    static gb_OuterRun run(void) {
        return gb_OuterRun{expand, compress};
    }
};

/* The functions of ring number `ring`; see GB_CASE_OF in row_kernels.cuh. */
#define GB_OUTER_CASE_OF(name, add, multiply, type)                                                \
    GB_RINGS_OF_##type(case GB_RING_##name : return gb_OuterOf<gb_ring_##name>::run();)

#endif
