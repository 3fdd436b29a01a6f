/* SPDX-License-Identifier: Apache-2.0
 *
 * w = R u over the semirings of one type: pull (pull.cuh) reads the rows of R that may be written,
 * push the columns that u has.
 *
 * push: u is sparse, with the number of edges before each of its columns. A block takes
 * GB_PUSH_EDGES edges, however long columns are; a thread searches the column of its edge. Atomic
 * operations add products, so sums of floats may differ in their last bits. The thread that sets a
 * bit of w lists the index. Cost: O(edges), and clearing w's sums unless the monoid is ANY.
 */
#include "cuda/vectors/pull.cuh"

enum { GB_PUSH_EACH = 4, GB_PUSH_EDGES = GB_PUSH_EACH * GB_THREADS };

template <class Ring>
__global__ void gb_mxv_clear(typename gb_Store<Ring>::Type *sums, uint64_t n) {
    GB_EACH_THREAD(k, n) sums[k] = gb_Store<Ring>::pack(Ring::zero());
}

/* The product of edge e of column number q; returns whether its index, *index, is new in w. */
template <class Ring>
GB_DEVICE bool gb_mxv_push_edge(const gb_MxvCall &c, uint64_t e, uint64_t q, gb_Idx *index) {
    typedef typename gb_Store<Ring>::Type Type;
    const gb_Idx k = c.list[q];
    const gb_Off at = c.Ap[k] + (e - c.edges[q]);
    const gb_Idx i = c.Ai[at];
    const uint32_t bit = 1u << (i % GB_WARP);
    *index = i;
    if (!c.mask.allows(i)) return false;
    if (Ring::ANY && (gb_peek(&c.bits[i / GB_WARP]) & bit) != 0) return false;
    gb_join<Ring>(static_cast<Type *>(c.sums) + i,
                  gb_Store<Ring>::pack(gb_mxv_product<Ring>(c, at, k)));
    return (atomicOr(&c.bits[i / GB_WARP], bit) & bit) == 0;
}

template <class Ring> __global__ void __launch_bounds__(GB_THREADS) gb_mxv_push(gb_MxvCall c) {
    for (uint64_t begin = (uint64_t)blockIdx.x * GB_PUSH_EDGES; begin < c.nedges;
         begin += (uint64_t)gridDim.x * GB_PUSH_EDGES) {
        const uint64_t most = begin + GB_PUSH_EDGES, end = most < c.nedges ? most : c.nedges;
        const uint64_t low = gb_interval_of(c.edges, 0, c.nlist, begin);
        const uint64_t high = gb_interval_of(c.edges, low, c.nlist, end - 1) + 1;
        for (uint64_t base = begin; base < end; base += GB_THREADS) {
            const uint64_t e = base + threadIdx.x;
            gb_Idx index = 0;
            bool fresh = false;
            if (e < end)
                fresh = gb_mxv_push_edge<Ring>(c, e, gb_interval_of(c.edges, low, high, e), &index);
            const unsigned votes = __ballot_sync(GB_ALL_LANES, fresh);
            unsigned long long at = 0;
            if (gb_lane() == 0 && votes != 0)
                at = atomicAdd(&c.count[0], (unsigned long long)__popc(votes));
            at = __shfl_sync(GB_ALL_LANES, at, 0);
            const unsigned before = votes & ((1u << gb_lane()) - 1);
            if (fresh) c.listed[at + (unsigned)__popc(before)] = index;
        }
    }
}

/* Values of w from its sums, where these are wider. */
template <class Ring> __global__ void gb_mxv_narrow(gb_MxvCall c) {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    GB_EACH_THREAD(q, c.count[0]) {
        const gb_Idx i = c.listed[q];
        static_cast<Value *>(c.x)[i] =
            Store::unpack(static_cast<const typename Store::Type *>(c.sums)[i]);
    }
}

/* -- launches */

template <class Ring> struct gb_MxvOf {
    typedef typename Ring::Value Value;
    typedef typename gb_Store<Ring>::Type Type;

    static void push(gb_Job *job, gb_MxvCall &c) {
        constexpr bool wider = sizeof(Type) != sizeof(Value);
        const unsigned grid = gb_grid(c.nedges, GB_PUSH_EDGES);
        c.sums = wider ? gb_job_new<Type>(job, c.rows) : c.x;
        if constexpr (!Ring::ANY)
            GB_START_THREADS(job, c.rows, gb_mxv_clear<Ring>, static_cast<Type *>(c.sums), c.rows);
        GB_START(job, gb_mxv_push<Ring>, grid, GB_THREADS, 0, c);
        if constexpr (wider) {
            GB_START(job, gb_mxv_narrow<Ring>, grid, GB_THREADS, 0, c);
            gb_job_drop(job, c.sums);
        }
    }
    static const gb_MxvRun *run(void) {
        static const gb_MxvRun both = {gb_PullOf<Ring>::kernels(), push};
        return &both;
    }
};

const gb_MxvRun *GB_TYPED(gb_mxv_run)(int ring) {
    return gb_find_ring<gb_MxvOf, GB_TYPED(GB_OF), const gb_MxvRun *>(ring);
}
