/* SPDX-License-Identifier: Apache-2.0
 *
 * w = R u over one semiring: pull reads the rows of R that may be written, push the columns that u
 * has.
 *
 * pull: a warp has 32 neighbouring rows. A lane sums a row of up to GB_CUDA_PULL_SHORT entries, the
 * warp one of up to GB_CUDA_PULL_LONG, a block each longer one. A sum ends once nothing can change
 * it. The order of a float's sum depends on its row alone. Cost: O(entries of the rows); a word of
 * bits for 32 rows where none may be written.
 *
 * push: u is sparse, with the number of edges before each of its columns. A block takes
 * GB_PUSH_EDGES edges, however long columns are; a thread searches the column of its edge. Atomic
 * operations add products, so sums of floats may differ in their last bits. The thread that sets a
 * bit of w lists the index. Cost: O(edges), and clearing w's sums unless the monoid is ANY.
 */
#include "cuda/prim/sum.cuh"
#include "cuda/vectors/mxv.cuh"

enum { GB_PUSH_EACH = 4, GB_PUSH_EDGES = GB_PUSH_EACH * GB_THREADS };

/* The product of entry q of R and u(k). */
template <class Ring>
GB_DEVICE typename Ring::Value gb_mxv_product(const gb_MxvCall &c, gb_Off q, gb_Idx k) {
    typedef typename Ring::Value Value;
    const bool uses_a = c.u_is_left ? Ring::USES_B : Ring::USES_A;
    const bool uses_u = c.u_is_left ? Ring::USES_A : Ring::USES_B;
    const Value a = uses_a ? static_cast<const Value *>(c.Ax)[q & c.amask] : Value();
    const Value u = uses_u ? static_cast<const Value *>(c.u.x)[k] : Value();
    return c.u_is_left ? Ring::multiply(u, a, k) : Ring::multiply(a, u, k);
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

/* -- push */

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

    static void pull(gb_Job *job, const gb_MxvCall &c, uint64_t most) {
        const unsigned blocks = gb_sum_grid(job, most, 1);
        GB_START_WARPS(job, gb_bit_words(c.rows), gb_mxv_pull<Ring>, c);
        if (most == 0) return;
        gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, blocks);
        GB_START(job, gb_mxv_pull_long<Ring>, blocks, GB_THREADS, 0, c, parts);
        gb_job_drop(job, parts);
    }
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
        static const gb_MxvRun both = {pull, push};
        return &both;
    }
};

const gb_MxvRun *GB_TYPED(gb_mxv_run)(int ring) {
    return gb_find_ring<gb_MxvOf, GB_TYPED(GB_OF), const gb_MxvRun *>(ring);
}
