/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels over arrays of rows, one per kind of accumulator, and the launch of all of them; for one
 * semiring, or for gb_NoRing, which counts entries. Launch configurations: docs/cuda.md. Blocks of
 * the largest level are bounded to 32 registers per thread, so that two fit a multiprocessor.
 */
#ifndef GB_CUDA_ROW_KERNELS_CUH
#define GB_CUDA_ROW_KERNELS_CUH

#include "cuda/prim/semirings.cuh"
#include "cuda/rowwise/dense.cuh"
#include "cuda/rowwise/esc.cuh"
#include "cuda/rowwise/hash.cuh"
#include "cuda/rowwise/rowwise.cuh"

/* -- what an accumulator does with the values of products: it sums them over a semiring, or, in the
 * symbolic pass, ignores them */

/* P: gb_shared<Type> or, for values in global memory, Type *. */
template <class Ring, class P> struct gb_RingValues {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    typedef typename Store::Type Type;
    P at;

    GB_MEMBER void clear(unsigned slot) const {
        at[slot] = Store::pack(Ring::zero());
    }
    typedef Value Left;
    typedef Value Right;
    GB_MEMBER Left left(const gb_Factors &F, gb_Off p) const {
        return gb_left<Ring>(F.Ax, p & F.amask);
    }
    GB_MEMBER Right right(const gb_Factors &F, gb_Off q) const {
        return gb_right<Ring>(F.Bx, q & F.bmask);
    }
    GB_MEMBER void add(unsigned slot, Left a, Right b, gb_Idx k) const {
        gb_join<Ring>(&at[slot], Store::pack(Ring::multiply(a, b, k)));
    }
    GB_MEMBER void emit(void *x, uint64_t place, unsigned slot) const {
        static_cast<Value *>(x)[place] = Store::unpack(at[slot]);
    }
};

struct gb_NoValues {
    GB_MEMBER void clear(unsigned) const {
    }
    struct Nothing {};
    typedef Nothing Left;
    typedef Nothing Right;
    GB_MEMBER Left left(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER Right right(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER void add(unsigned, Left, Right, gb_Idx) const {
    }
    GB_MEMBER void emit(void *, uint64_t, unsigned) const {
    }
};

/* Stands for a semiring where rows are only counted. */
struct gb_NoRing {};

template <class Ring> struct gb_ValuesOf {
    typedef typename gb_Store<Ring>::Type Type;
    typedef gb_RingValues<Ring, gb_shared<Type>> Shared;
    enum { BYTES = sizeof(Type) };
    GB_DEVICE Shared carve(size_t byte, unsigned n) {
        return Shared{gb_shared_carve<Type>(byte, n)};
    }
};
template <> struct gb_ValuesOf<gb_NoRing> {
    typedef gb_NoValues Shared;
    enum { BYTES = 0 };
    GB_DEVICE Shared carve(size_t, unsigned) {
        return Shared{};
    }
};

/* Rows by a block each, or SHORT ones by a warp each; `bytes` of shared memory a row. */
template <bool SHORT> struct gb_TeamOf {
    typedef gb_BlockTeam Type;
    enum { TEAMS = 1, THREADS = GB_CUDA_THREADS, BLOCKS = 2, SCRATCH = GB_WARP + 1 };
    GB_DEVICE Type make(gb_shared<unsigned> scratch) {
        return Type{scratch};
    }
    GB_DEVICE unsigned number() {
        return 0;
    }
};
template <> struct gb_TeamOf<true> {
    typedef gb_WarpTeam Type;
    enum { TEAMS = GB_CUDA_SHORT_ROWS, THREADS = TEAMS * GB_WARP, BLOCKS = 1, SCRATCH = 1 };
    GB_DEVICE Type make(gb_shared<unsigned>) {
        return Type{};
    }
    GB_DEVICE unsigned number() {
        return threadIdx.x / GB_WARP;
    }
};
/* -- hash */

template <class Ring, bool SHORT>
__global__ void __launch_bounds__(gb_TeamOf<SHORT>::THREADS, gb_TeamOf<SHORT>::BLOCKS)
    gb_hash_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out,
                 unsigned bytes) {
    GB_SHARED_ARRAY(unsigned, scratch, gb_TeamOf<SHORT>::SCRATCH);
    GB_SHARED_ARRAY(unsigned, used, gb_TeamOf<SHORT>::TEAMS);
    const unsigned number = gb_TeamOf<SHORT>::number();
    const unsigned slots = gb_hash_slots(bytes, gb_ValuesOf<Ring>::BYTES);
    const size_t begin = (size_t)number * bytes;
    const auto values = gb_ValuesOf<Ring>::carve(begin, slots);
    const gb_HashTable table = {
        gb_shared_carve<gb_Idx>(begin + (size_t)slots * gb_ValuesOf<Ring>::BYTES, slots),
        used + number, slots, gb_hash_limit(slots)};
    const auto team = gb_TeamOf<SHORT>::make(scratch + 0);
    GB_EACH_TEAM(r, list.n, team.size()) {
        gb_hash_row(F, team, gb_row_task(facts, out, list, r), out, table, values);
    }
}

/* Values in global memory: slab[gridDim.x * slots]. They are added to by instructions that wait for
 * no answer, and on chips before sm_90 shared memory has no addition of doubles at all. */
template <class Ring>
__global__ void __launch_bounds__(GB_CUDA_THREADS, 2)
    gb_hybrid_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out,
                   typename gb_Store<Ring>::Type *slab) {
    typedef typename gb_Store<Ring>::Type Type;
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    GB_SHARED_ARRAY(unsigned, used, 1);
    const unsigned slots = gb_hash_slots(GB_CUDA_SHARED, 0);
    const gb_RingValues<Ring, Type *> values = {slab + (size_t)blockIdx.x * slots};
    const gb_HashTable table = {gb_shared_carve<gb_Idx>(0, slots), used + 0, slots,
                                gb_hash_limit(slots)};
    const gb_BlockTeam team = {scratch + 0};
    GB_EACH_BLOCK(r, list.n) {
        gb_hash_row(F, team, gb_row_task(facts, out, list, r), out, table, values);
    }
}

/* -- dense */

template <class Ring>
GB_DEVICE gb_DenseWindow gb_carve_window(size_t begin, unsigned bytes, bool query) {
    const unsigned columns = gb_window_columns(bytes, gb_ValuesOf<Ring>::BYTES);
    const size_t bits = begin + (size_t)columns * gb_ValuesOf<Ring>::BYTES;
    const size_t before = gb_ValuesOf<Ring>::BYTES > 0 ? bits + columns / 32 * 4 : bits;
    return gb_DenseWindow{gb_shared_carve<unsigned>(bits, columns / 32),
                          gb_shared_carve<unsigned>(before, columns / 32), columns, query, 0};
}

template <class Ring, bool SHORT>
__global__ void __launch_bounds__(gb_TeamOf<SHORT>::THREADS, gb_TeamOf<SHORT>::BLOCKS)
    gb_dense_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out,
                  unsigned bytes, bool query) {
    GB_SHARED_ARRAY(unsigned, scratch, gb_TeamOf<SHORT>::SCRATCH);
    const size_t begin = (size_t)gb_TeamOf<SHORT>::number() * bytes;
    const gb_DenseWindow window = gb_carve_window<Ring>(begin, bytes, query);
    const auto values = gb_ValuesOf<Ring>::carve(begin, window.columns);
    const auto team = gb_TeamOf<SHORT>::make(scratch + 0);
    GB_EACH_TEAM(r, list.n, team.size()) {
        gb_dense_row(F, team, gb_row_task(facts, out, list, r), out, window, values);
    }
}

/* Windows of few long rows, by all blocks: a block takes the next window of a row, fills it, waits
 * for the number of entries before it, and goes on. Windows are taken in order and blocks that have
 * one run, so the first that is not done is waited for by others but waits for nobody. state[2 n]:
 * of each row the windows that are taken, and what is done: windows << 33 | their entries. */
template <class Ring>
__global__ void __launch_bounds__(GB_CUDA_THREADS, 2)
    gb_dense_windows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out, bool query,
                     unsigned long long *state) {
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    GB_SHARED_ARRAY(unsigned long long, shared, 2);
    gb_DenseWindow window = gb_carve_window<Ring>(0, GB_CUDA_SHARED, query);
    const auto values = gb_ValuesOf<Ring>::carve(0, window.columns);
    const gb_BlockTeam team = {scratch + 0};
    const gb_WindowTurn turn = {shared + 0, state};
    for (uint64_t k = 0; k < list.n; k++) {
        const uint64_t r = (blockIdx.x + k) % list.n;
        gb_dense_turns(F, team, gb_row_task(facts, out, list, r), out, window, values,
                       turn.of_row(r));
    }
}

/* -- expand, sort, compress */

template <class Ring, int LANES>
__global__ void __launch_bounds__(2 * GB_WARP)
    gb_esc_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out) {
    enum { ROWS = 2 * GB_WARP / LANES, KEYS = LANES * GB_ESC_ITEMS };
    GB_SHARED_ARRAY(unsigned, keys, ROWS *KEYS);
    GB_SHARED_ARRAY(typename Ring::Value, values, ROWS * KEYS);
    const unsigned group = threadIdx.x / LANES;
    const gb_EscRow<Ring> row = {keys + group * KEYS, values + group * KEYS};
    const uint64_t in_warp = threadIdx.x % GB_WARP / LANES;
    for (uint64_t r = (uint64_t)blockIdx.x * ROWS + group; r - in_warp < list.n;
         r += (uint64_t)gridDim.x * ROWS) {
        const bool has = r < list.n; /* all lanes of a warp go on as long as one has a row */
        gb_RowTask task = {0, 0, 0, 0, 0};
        if (has) task = gb_row_task(facts, out, list, r);
        const gb_Off from = has ? F.Ap[task.row] : 0, to = has ? F.Ap[task.row + (uint64_t)1] : 0;
        const uint64_t begin = has ? out.at[task.index] : 0;
        const unsigned n = gb_esc_expand<Ring, LANES>(F, task, from, to, row);
        const unsigned written = gb_esc_compress<Ring, LANES>(
            row, n, task.low, out.i + begin, static_cast<typename Ring::Value *>(out.x) + begin);
        if (has && threadIdx.x % LANES == 0) out.count[task.index] = written;
        __syncwarp(); /* the row's products may be overwritten */
    }
}

/* -- all classes */

/* The rows of a class; if there are any, the next launch uses its own stream. */
static inline gb_ClassRows gb_begin_class(gb_Job *job, const gb_RowsCall &c, int row_class) {
    const gb_ClassRows list = gb_rows_of(c, row_class);
    if (list.n > 0) gb_job_next_lane(job);
    return list;
}

/* Rows wider than any window, a block each; where they are few, a block for each of their windows.
 */
template <class Ring>
static void gb_run_long(gb_Job *job, const gb_RowsCall &c, const gb_ClassRows &list,
                        const gb_RowsOut &out) {
    const uint64_t blocks = (uint64_t)GB_CUDA_LONG_BLOCKS * (unsigned)job->multiprocessors;
    gb_job_allow_kernel(job, gb_dense_rows<Ring, false>, GB_CUDA_SHARED);
    gb_job_allow_kernel(job, gb_dense_windows<Ring>, GB_CUDA_SHARED);
    if (list.n >= blocks) {
        GB_START(job, (gb_dense_rows<Ring, false>), gb_grid(list.n, 1), GB_CUDA_THREADS,
                 GB_CUDA_SHARED, c.F, c.facts, list, out, GB_CUDA_SHARED, c.query);
        return;
    }
    unsigned long long *state = gb_job_zeros<unsigned long long>(job, 2 * list.n);
    GB_START(job, gb_dense_windows<Ring>, gb_grid(blocks, 1), GB_CUDA_THREADS, GB_CUDA_SHARED, c.F,
             c.facts, list, out, c.query, state);
}

/* Rows of one size, by a hash table and by a dense window: classes `hash` and `dense`. */
template <class Ring, bool SHORT>
static void gb_run_level(gb_Job *job, const gb_RowsCall &c, int hash, int dense, int level) {
    enum { TEAMS = gb_TeamOf<SHORT>::TEAMS };
    const unsigned all = gb_level_bytes(level), bytes = all / TEAMS;
    const unsigned threads = SHORT ? TEAMS * GB_WARP : gb_level_threads(level);
    const size_t most = SHORT ? 0 : GB_CUDA_SHARED;
    gb_job_allow_kernel(job, gb_hash_rows<Ring, SHORT>, most);
    gb_job_allow_kernel(job, gb_dense_rows<Ring, SHORT>, most);
    gb_ClassRows list = gb_begin_class(job, c, hash);
    if (list.n > 0)
        GB_START(job, (gb_hash_rows<Ring, SHORT>), gb_grid(list.n, TEAMS), threads, all, c.F,
                 c.facts, list, c.unsorted, bytes);
    list = gb_begin_class(job, c, dense);
    if (list.n > 0)
        GB_START(job, (gb_dense_rows<Ring, SHORT>), gb_grid(list.n, TEAMS), threads, all, c.F,
                 c.facts, list, c.sorted, bytes, c.query);
}

/* The classes that both semirings and counts have; long rows first. */
template <class Ring> static void gb_run_tables(gb_Job *job, const gb_RowsCall &c) {
    const gb_ClassRows list = gb_begin_class(job, c, GB_CLASS_DENSE_LONG);
    if (list.n > 0) gb_run_long<Ring>(job, c, list, c.sorted);
    for (int level = GB_CUDA_LEVELS - 1; level >= 0; level--)
        gb_run_level<Ring, false>(job, c, GB_CLASS_HASH + level, GB_CLASS_DENSE + level, level);
    gb_run_level<Ring, true>(job, c, GB_CLASS_HASH_SHORT, GB_CLASS_DENSE_SHORT, 0);
}

/* Counts all rows. */
static inline void gb_run_counts(gb_Job *job, const gb_RowsCall &c) {
    gb_job_fork(job);
    gb_run_tables<gb_NoRing>(job, c);
    gb_job_join(job);
}

/* All rows over a semiring. */
template <class Ring> static void gb_run_rows(gb_Job *job, const gb_RowsCall &c) {
    typedef typename gb_Store<Ring>::Type Type;
    Type *slab = NULL;
    const uint64_t hybrids = gb_rows_of(c, GB_CLASS_HYBRID).n;
    const unsigned most = GB_CUDA_HYBRID_BLOCKS * (unsigned)job->multiprocessors;
    const unsigned blocks = hybrids < most ? (unsigned)hybrids : most;
    if (hybrids > 0)
        slab = gb_job_new<Type>(job, (uint64_t)blocks * gb_hash_slots(GB_CUDA_SHARED, 0));
    gb_job_allow_kernel(job, gb_hybrid_rows<Ring>, GB_CUDA_SHARED);
    gb_job_allow_kernel(job, gb_esc_rows<Ring, 16>, 0);
    gb_job_allow_kernel(job, gb_esc_rows<Ring, 32>, 0);
    gb_job_fork(job);
    gb_ClassRows list = gb_begin_class(job, c, GB_CLASS_HYBRID);
    if (list.n > 0)
        GB_START(job, gb_hybrid_rows<Ring>, blocks, GB_CUDA_THREADS, GB_CUDA_SHARED, c.F, c.facts,
                 list, c.unsorted, slab);
    gb_run_tables<Ring>(job, c);
    list = gb_begin_class(job, c, GB_CLASS_ESC_4);
    if (list.n > 0)
        GB_START(job, (gb_esc_rows<Ring, 16>), gb_grid(list.n, 4), 2 * GB_WARP, 0, c.F, c.facts,
                 list, c.sorted);
    list = gb_begin_class(job, c, GB_CLASS_ESC_2);
    if (list.n > 0)
        GB_START(job, (gb_esc_rows<Ring, 32>), gb_grid(list.n, 2), 2 * GB_WARP, 0, c.F, c.facts,
                 list, c.sorted);
    gb_job_join(job);
    gb_job_drop(job, slab);
}

#endif
