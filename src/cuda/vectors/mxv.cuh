/* SPDX-License-Identifier: Apache-2.0
 *
 * w = R u over one semiring. pull looks at the rows of R that may be written, push at the columns
 * that u has.
 *
 * pull: a warp has 32 neighbouring rows. Each lane walks its own while rows are short; those of
 * more than GB_CUDA_PULL_SHORT entries the warp does one after the other, 32 entries at a time, and
 * rows of more than GB_CUDA_PULL_LONG are listed and get a block each. Sums that nothing can change
 * any more end there. A float's sum has an order that depends on its row alone. Cost: the rows'
 * entries, until their sums end; a word of bits for 32 rows where none may be written.
 *
 * push: u is a list, with the number of edges before each of its columns; a block takes
 * GB_PUSH_EDGES of them however long columns are, and each thread finds the column of its edge by a
 * search among those of the block. Products are joined by atomic operations, so that sums of floats
 * may differ in their last bits. Who sets a bit of w lists the place. Cost: the edges; w's sums are
 * cleared first unless ANY keeps one.
 */
#ifndef GB_CUDA_MXV_CUH
#define GB_CUDA_MXV_CUH

#include "cuda/vectors/vector.cuh"
#include "cuda/prim/semirings.cuh"
#include "cuda/prim/sum.cuh"

enum { GB_PUSH_EACH = 4, GB_PUSH_EDGES = GB_PUSH_EACH * GB_CELL_THREADS };

struct gb_MxvCall {
    const gb_Off *Ap; /* R by rows (pull) or columns (push) */
    const gb_Idx *Ai;
    const void *Ax;
    uint64_t amask; /* 0 where A has one value for all */
    gb_Cells u;
    gb_CellMask mask;
    bool u_is_left;
    uint64_t rows;
    uint32_t *bits; /* of w */
    void *x;
    unsigned long long *count; /* [2] entries of w; rows in `listed` */
    gb_Idx *listed;            /* pull: long rows; push: entries of w */
    /* push */
    const gb_Idx *list;    /* [nlist] u's */
    const uint64_t *edges; /* [nlist + 1] before each */
    uint64_t nlist, nedges;
    void *sums; /* [rows] as atomic operations know them: x where these are the same */
};

template <class Ring> struct gb_MxvPlus {
    typedef typename Ring::Value Value;
    __device__ __forceinline__ Value operator()(Value x, Value y) const {
        return Ring::add(x, y);
    }
};

/* The product of entry q of R and u(k). */
template <class Ring>
static __device__ __forceinline__ typename Ring::Value gb_mxv_product(const gb_MxvCall &c, gb_Off q,
                                                                      gb_Idx k) {
    typedef typename Ring::Value Value;
    const bool uses_a = c.u_is_left ? Ring::USES_B : Ring::USES_A;
    const bool uses_u = c.u_is_left ? Ring::USES_A : Ring::USES_B;
    const Value a = uses_a ? static_cast<const Value *>(c.Ax)[q & c.amask] : Value();
    const Value u = uses_u ? static_cast<const Value *>(c.u.x)[k] : Value();
    return c.u_is_left ? Ring::multiply(u, a, k) : Ring::multiply(a, u, k);
}

/* The products of one place in `step` of entries [from, to), until nothing can change their sum;
 * returns whether that has come. */
template <class Ring>
static __device__ __forceinline__ bool gb_mxv_add(gb_Sum<typename Ring::Value> &sum,
                                                  const gb_MxvCall &c, gb_Off q) {
    const gb_Idx k = c.Ai[q];
    if (!c.u.has(k)) return false;
    sum.add(gb_mxv_product<Ring>(c, q, k), gb_MxvPlus<Ring>());
    return Ring::ENDS && Ring::ends(sum.value);
}

/* A row by all lanes of the warp, which all get the sum. */
template <class Ring>
static __device__ __forceinline__ gb_Sum<typename Ring::Value>
gb_mxv_warp_row(const gb_MxvCall &c, gb_Off from, gb_Off to) {
    gb_Sum<typename Ring::Value> sum = {typename Ring::Value(), false};
    for (gb_Off base = from; base < to; base += GB_WARP) {
        const gb_Off q = base + gb_lane();
        const bool ended = q < to && gb_mxv_add<Ring>(sum, c, q);
        if (Ring::ENDS && __ballot_sync(GB_ALL_LANES, ended) != 0) break;
    }
    sum.join(gb_MxvPlus<Ring>());
    return sum;
}

/* The lanes' own rows, as far as they are short. */
template <class Ring>
static __device__ __forceinline__ gb_Sum<typename Ring::Value>
gb_mxv_lane_row(const gb_MxvCall &c, gb_Off from, gb_Off to) {
    gb_Sum<typename Ring::Value> sum = {typename Ring::Value(), false};
    bool ended = false;
    for (gb_Off q = from; q < to && !ended; q++) ended = gb_mxv_add<Ring>(sum, c, q);
    return sum;
}

template <class Ring> __global__ void __launch_bounds__(GB_CELL_THREADS) gb_mxv_pull(gb_MxvCall c) {
    typedef typename Ring::Value Value;
    const uint64_t words = (c.rows + GB_WARP - 1) / GB_WARP;
    uint64_t counted = 0;
    for (uint64_t w = (uint64_t)blockIdx.x * GB_CELL_WARPS + threadIdx.x / GB_WARP; w < words;
         w += (uint64_t)gridDim.x * GB_CELL_WARPS) {
        const uint64_t i = w * GB_WARP + gb_lane();
        const bool open = i < c.rows && c.mask.lets(i);
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
        if (sum.met) static_cast<Value *>(c.x)[i] = sum.value;
        const unsigned word = __ballot_sync(GB_ALL_LANES, sum.met);
        if (gb_lane() == 0) c.bits[w] = word;
        counted += (uint64_t)__popc(word);
    }
    gb_count_cells(&c.count[0], counted);
}

/* The rows that pull has listed, a block each. */
template <class Ring>
__global__ void __launch_bounds__(GB_CELL_THREADS)
    gb_mxv_pull_long(gb_MxvCall c, gb_SumPart<typename Ring::Value> *parts) {
    typedef typename Ring::Value Value;
    static_assert((int)GB_CELL_THREADS == (int)GB_SUM_THREADS, "gb_sum_block joins these");
    for (uint64_t r = blockIdx.x; r < c.count[1]; r += gridDim.x) {
        const gb_Idx i = c.listed[r];
        const gb_Off from = c.Ap[i], to = c.Ap[i + (uint64_t)1];
        const gb_Off share = (to - from + GB_CELL_WARPS - 1) / GB_CELL_WARPS;
        const gb_Off begin = from + share * (threadIdx.x / GB_WARP), most = begin + share;
        const gb_Sum<Value> sum =
            gb_mxv_warp_row<Ring>(c, begin < to ? begin : to, most < to ? most : to);
        gb_sum_block(sum, sum.met ? 1 : 0, gb_MxvPlus<Ring>(), parts + blockIdx.x);
        if (threadIdx.x == 0 && parts[blockIdx.x].n > 0) {
            static_cast<Value *>(c.x)[i] = parts[blockIdx.x].value;
            atomicOr(&c.bits[i / GB_WARP], 1u << (i % GB_WARP));
            atomicAdd(&c.count[0], 1ull);
        }
        __syncthreads(); /* what the block shares may be used again */
    }
}

/* -- push */

template <class Ring>
__global__ void gb_mxv_clear(typename gb_Store<Ring>::Type *sums, uint64_t n) {
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n;
         k += (uint64_t)gridDim.x * blockDim.x)
        sums[k] = gb_Store<Ring>::pack(Ring::zero());
}

/* The column of [low, high) that edge e belongs to. */
static __device__ __forceinline__ uint64_t gb_mxv_column_of(const uint64_t *edges, uint64_t low,
                                                            uint64_t high, uint64_t e) {
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (edges[mid] <= e)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The product of edge e of column number q; returns whether its place, *place, is new in w. */
template <class Ring>
static __device__ __forceinline__ bool gb_mxv_push_edge(const gb_MxvCall &c, uint64_t e, uint64_t q,
                                                        gb_Idx *place) {
    typedef typename gb_Store<Ring>::Type Type;
    const gb_Idx k = c.list[q];
    const gb_Off at = c.Ap[k] + (e - c.edges[q]);
    const gb_Idx i = c.Ai[at];
    const uint32_t bit = 1u << (i % GB_WARP);
    *place = i;
    if (!c.mask.lets(i)) return false;
    if (Ring::ANY && (gb_peek(&c.bits[i / GB_WARP]) & bit) != 0) return false;
    gb_join<Ring>(static_cast<Type *>(c.sums) + i,
                  gb_Store<Ring>::pack(gb_mxv_product<Ring>(c, at, k)));
    return (atomicOr(&c.bits[i / GB_WARP], bit) & bit) == 0;
}

template <class Ring> __global__ void __launch_bounds__(GB_CELL_THREADS) gb_mxv_push(gb_MxvCall c) {
    for (uint64_t begin = (uint64_t)blockIdx.x * GB_PUSH_EDGES; begin < c.nedges;
         begin += (uint64_t)gridDim.x * GB_PUSH_EDGES) {
        const uint64_t most = begin + GB_PUSH_EDGES, end = most < c.nedges ? most : c.nedges;
        const uint64_t low = gb_mxv_column_of(c.edges, 0, c.nlist, begin);
        const uint64_t high = gb_mxv_column_of(c.edges, low, c.nlist, end - 1) + 1;
        for (uint64_t base = begin; base < end; base += GB_CELL_THREADS) {
            const uint64_t e = base + threadIdx.x;
            gb_Idx place = 0;
            bool fresh = false;
            if (e < end)
                fresh =
                    gb_mxv_push_edge<Ring>(c, e, gb_mxv_column_of(c.edges, low, high, e), &place);
            const unsigned votes = __ballot_sync(GB_ALL_LANES, fresh);
            unsigned long long at = 0;
            if (gb_lane() == 0 && votes != 0)
                at = atomicAdd(&c.count[0], (unsigned long long)__popc(votes));
            at = __shfl_sync(GB_ALL_LANES, at, 0);
            const unsigned before = votes & ((1u << gb_lane()) - 1);
            if (fresh) c.listed[at + (unsigned)__popc(before)] = place;
        }
    }
}

/* Values of w from its sums, where these are wider. */
template <class Ring> __global__ void gb_mxv_narrow(gb_MxvCall c) {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < c.count[0];
         q += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Idx i = c.listed[q];
        static_cast<Value *>(c.x)[i] =
            Store::unpack(static_cast<const typename Store::Type *>(c.sums)[i]);
    }
}

/* -- launches */

struct gb_MxvRun {
    void (*pull)(gb_Job *job, const gb_MxvCall &c, uint64_t most);
    void (*push)(gb_Job *job, gb_MxvCall &c);
};

template <class Ring> struct gb_MxvOf {
    typedef typename Ring::Value Value;
    typedef typename gb_Store<Ring>::Type Type;

    /* most: rows that may be listed */
    static void pull(gb_Job *job, const gb_MxvCall &c, uint64_t most) {
        const uint64_t words = (c.rows + GB_WARP - 1) / GB_WARP;
        const unsigned blocks = gb_sum_grid(job, most, 1);
        GB_START(job, gb_mxv_pull<Ring>, gb_grid(words, GB_CELL_WARPS), GB_CELL_THREADS, 0, c);
        if (most == 0) return;
        gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, blocks);
        GB_START(job, gb_mxv_pull_long<Ring>, blocks, GB_CELL_THREADS, 0, c, parts);
        gb_job_drop(job, parts);
    }
    static void push(gb_Job *job, gb_MxvCall &c) {
        constexpr bool wider = sizeof(Type) != sizeof(Value);
        const unsigned grid = gb_grid(c.nedges, GB_PUSH_EDGES);
        c.sums = wider ? gb_job_new<Type>(job, c.rows) : c.x;
        if constexpr (!Ring::ANY)
            GB_START(job, gb_mxv_clear<Ring>, gb_grid(c.rows, GB_CELL_THREADS), GB_CELL_THREADS, 0,
                     static_cast<Type *>(c.sums), c.rows);
        GB_START(job, gb_mxv_push<Ring>, grid, GB_CELL_THREADS, 0, c);
        if constexpr (wider) {
            GB_START(job, gb_mxv_narrow<Ring>, grid, GB_CELL_THREADS, 0, c);
            gb_job_drop(job, c.sums);
        }
    }
    static gb_MxvRun run(void) {
        return gb_MxvRun{pull, push};
    }
};

/* The functions of ring number `ring`, or none; one file a type of values. */
gb_MxvRun gb_mxv_fp64(int ring);
gb_MxvRun gb_mxv_fp32(int ring);
gb_MxvRun gb_mxv_int64(int ring);
gb_MxvRun gb_mxv_int32(int ring);
gb_MxvRun gb_mxv_bool(int ring);
#define GB_MXV_CASE_OF(name, add, multiply, type)                                                  \
    GB_RINGS_OF_##type(case GB_RING_##name : return gb_MxvOf<gb_ring_##name>::run();)

#endif
