/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels over arrays of rows, one per kind of accumulator, and the launch of all of them; for one
 * semiring, or for gb_NoRing, which counts entries. Launch configurations: docs/cuda.md. Blocks of
 * the largest level are bounded to 32 registers per thread, so that two fit a multiprocessor.
 */
#ifndef GB_CUDA_ROW_KERNELS_CUH
#define GB_CUDA_ROW_KERNELS_CUH

#include "cuda/rowwise/bitmap.cuh"
#include "cuda/rowwise/hash.cuh"
#include "cuda/rowwise/rowwise.cuh"

/* -- the dense accumulator --------------------------------------------------------------------- */

/* A value and a bit for every column of a row, in shared memory. Entries come out in ascending
 * order. Cost: O(products + width) / threads. */

/* A row by a team; the bits have all of its columns. query: see gb_Bits::find_or_set. */
template <class Team, class Values>
GB_DEVICE void gb_dense_row(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                            const gb_RowsOut &out, const gb_Bits &bits, bool query,
                            const Values &values) {
    const bool emits = out.x != NULL;
    for (unsigned c = team.rank(); c < task.width; c += team.size()) values.clear(c);
    bits.clear(team);
    team.sync();
    gb_each_product(
        F, team, task, values,
        [&](typename Values::Left a, typename Values::Right b, gb_Idx k, gb_Idx j) {
            const unsigned c = j - task.low;
            values.add(c, a, b, k);
            if (query)
                bits.find_or_set(c);
            else
                bits.set(c);
        },
        []() { return true; });
    team.sync();
    const unsigned n = bits.count(team, emits);
    const uint64_t begin = emits ? out.at[task.index] : 0;
    if (emits && n > out.at[task.index + 1] - begin) {
        if (team.rank() == 0) gb_out_overflow(out, task);
        team.sync();
        return;
    }
    if (team.rank() == 0) out.count[task.index] = n;
    for (unsigned c = team.rank(); emits && c < task.width; c += team.size()) {
        if (!bits.has(c)) continue;
        const uint64_t place = begin + bits.rank(c);
        out.i[place] = task.low + c;
        values.emit(out.x, place, c);
    }
    team.sync();
}

/* -- the expand-sort-compress accumulator ------------------------------------------------------ */

/* For rows of few products: they are listed, sorted by a network in registers, and neighbours of
 * one column summed by ascending k. LANES lanes (16 or 32) do a row of at most 2 * LANES products;
 * the halves of a warp do a row each.
 *
 * A key is (column - low) << GB_ESC_BITS | number of the product: keys differ, and a row must be
 * narrower than 2^26 columns. Values wait in shared memory under their numbers. */

#define GB_ESC_NONE 0xffffffffu /* no product; sorts behind all of them */

template <class Ring> struct gb_EscRow {
    gb_shared<unsigned> key;               /* [LANES * ITEMS] */
    gb_shared<typename Ring::Value> value; /* [LANES * ITEMS] */
};

/* Expands the products of a row; all lanes of the warp call, also those without a row (from == to).
 * A lane takes one entry of A at a time, in round robin; returns the number of products. */
template <class Ring, int LANES>
static __device__ unsigned gb_esc_expand(const gb_Factors &F, const gb_RowTask &task, gb_Off from,
                                         gb_Off to, const gb_EscRow<Ring> &r) {
    typedef typename Ring::Value Value;
    const unsigned lane = gb_lane() % LANES;
    const unsigned turns = (unsigned)((to - from + LANES - 1) / LANES);
    const unsigned most = gb_warp_max(turns); /* the halves of a warp go on together */
    unsigned n = 0;
    for (unsigned turn = 0; turn < most; turn++) {
        const gb_Off p = from + (gb_Off)turn * LANES + lane;
        const bool has = p < to;
        const gb_Idx k = has ? F.Ai[p] : 0;
        const gb_Off begin = has ? F.Bp[k] : 0, end = has ? F.Bp[k + (uint64_t)1] : 0;
        unsigned total;
        unsigned at = n + gb_warp_scan<LANES>((unsigned)(end - begin), &total);
        const Value a = has ? gb_left<Ring>(F.Ax, p & F.amask) : Value();
        for (gb_Off q = begin; q < end; q++, at++) {
            const gb_Idx j = F.Bi[q];
            r.key[at] =
                gb_allowed(F, task.row, j) ? (j - task.low) << GB_ESC_BITS | at : GB_ESC_NONE;
            r.value[at] = Ring::multiply(a, gb_right<Ring>(F.Bx, q & F.bmask), k);
        }
        n += total;
    }
    return n;
}

/* Sorts and sums; lanes of a row that exceeds the capacity, or without a row, have n = 0. Returns
 * the row's entries. */
template <class Ring, int LANES>
static __device__ unsigned gb_esc_compress(const gb_EscRow<Ring> &r, unsigned n, gb_Idx low,
                                           gb_Idx *Ci, void *Cx) {
    typedef typename Ring::Value Value;
    const unsigned lane = gb_lane() % LANES;
    unsigned key[GB_ESC_ITEMS];
    __syncwarp(); /* all products are written down */
    for (int item = 0; item < GB_ESC_ITEMS; item++) {
        const unsigned e = (unsigned)item * LANES + lane;
        key[item] = e < n ? (unsigned)r.key[e] : GB_ESC_NONE;
    }
    gb_warp_sort<unsigned, LANES, GB_ESC_ITEMS>(key);
    __syncwarp(); /* all have read their keys */
    for (int item = 0; item < GB_ESC_ITEMS; item++)
        r.key[(unsigned)item * LANES + lane] = key[item];
    __syncwarp();
    unsigned written = 0;
    for (int item = 0; item < GB_ESC_ITEMS; item++) {
        const unsigned e = (unsigned)item * LANES + lane, column = key[item] >> GB_ESC_BITS;
        const bool head =
            key[item] != GB_ESC_NONE && (e == 0 || (unsigned)r.key[e - 1] >> GB_ESC_BITS != column);
        unsigned total;
        const unsigned place = written + gb_warp_scan<LANES>(head ? 1u : 0u, &total);
        written += total;
        if (!head) continue;
        const unsigned number = (1u << GB_ESC_BITS) - 1;
        Value sum = r.value[key[item] & number];
        for (unsigned f = e + 1; f < n; f++) {
            const unsigned next = r.key[f];
            if (next == GB_ESC_NONE || next >> GB_ESC_BITS != column) break;
            sum = Ring::add(sum, r.value[next & number]);
        }
        Ci[place] = low + column;
        static_cast<Value *>(Cx)[place] = sum;
    }
    return written;
}

/* -- kernels ----------------------------------------------------------------------------------- */

/* Blocks that run side by side on a multiprocessor: two, where its threads allow. */
enum { GB_BLOCKS = GB_RESIDENT_THREADS < 2 * GB_CUDA_THREADS ? 1 : 2 };

/* Rows by a block each, or SHORT ones by a warp each; `bytes` of shared memory a row. */
template <bool SHORT> struct gb_TeamOf {
    typedef gb_BlockTeam Type;
    enum { TEAMS = 1, THREADS = GB_CUDA_THREADS, BLOCKS = GB_BLOCKS, SCRATCH = GB_WARP + 1 };
    GB_DEVICE Type make(gb_shared<unsigned> scratch) {
        return Type{scratch};
    }
    GB_DEVICE unsigned number() {
        return 0;
    }
};
template <> struct gb_TeamOf<true> {
    typedef gb_WarpTeam Type;
    enum { TEAMS = GB_CUDA_SHORT_ROWS, THREADS = TEAMS * GB_WARP, BLOCKS = 20, SCRATCH = 1 };
    GB_DEVICE Type make(gb_shared<unsigned>) {
        return Type{};
    }
    GB_DEVICE unsigned number() {
        return threadIdx.x / GB_WARP;
    }
};
/* -- hash and dense: `bytes` of shared memory a team */

template <class Ring, bool SHORT>
GB_DEVICE void gb_hash_list(const gb_Factors &F, const gb_RowFacts &facts, const gb_ClassRows &list,
                            const gb_RowsOut &out, unsigned bytes) {
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
        gb_hash_row<gb_ValuesOf<Ring>::SLOTS>(F, team, gb_row_task(facts, out, list, r), out, table,
                                              values);
    }
}

template <class Ring, bool SHORT>
GB_DEVICE void gb_dense_list(const gb_Factors &F, const gb_RowFacts &facts,
                             const gb_ClassRows &list, const gb_RowsOut &out, unsigned bytes,
                             bool query) {
    GB_SHARED_ARRAY(unsigned, scratch, gb_TeamOf<SHORT>::SCRATCH);
    const size_t begin = (size_t)gb_TeamOf<SHORT>::number() * bytes;
    const unsigned words = gb_window_columns(bytes, gb_ValuesOf<Ring>::BYTES) / 32;
    const size_t at = begin + (size_t)words * 32 * gb_ValuesOf<Ring>::BYTES;
    const auto before =
        gb_shared_carve<unsigned>(at + (gb_ValuesOf<Ring>::BYTES > 0 ? words * 4 : 0), words);
    const gb_Bits bits = {gb_shared_carve<unsigned>(at, words), before, words};
    const auto values = gb_ValuesOf<Ring>::carve(begin, words * 32);
    const auto team = gb_TeamOf<SHORT>::make(scratch + 0);
    GB_EACH_TEAM(r, list.n, team.size()) {
        gb_dense_row(F, team, gb_row_task(facts, out, list, r), out, bits, query, values);
    }
}

template <class Ring, bool SHORT>
__global__ void __launch_bounds__(gb_TeamOf<SHORT>::THREADS, gb_TeamOf<SHORT>::BLOCKS)
    gb_hash_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out,
                 unsigned bytes) {
    gb_hash_list<Ring, SHORT>(F, facts, list, out, bytes);
}

template <class Ring, bool SHORT>
__global__ void __launch_bounds__(gb_TeamOf<SHORT>::THREADS, gb_TeamOf<SHORT>::BLOCKS)
    gb_dense_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows list, gb_RowsOut out,
                  unsigned bytes, bool query) {
    gb_dense_list<Ring, SHORT>(F, facts, list, out, bytes, query);
}

/* Both, where rows are only counted. */
template <bool SHORT>
__global__ void __launch_bounds__(gb_TeamOf<SHORT>::THREADS, gb_TeamOf<SHORT>::BLOCKS)
    gb_count_level(gb_Factors F, gb_RowFacts facts, gb_ClassRows hash, gb_ClassRows dense,
                   gb_RowsOut out, unsigned bytes) {
    gb_hash_list<gb_NoRing, SHORT>(F, facts, gb_known_rows(hash), out, bytes);
    gb_dense_list<gb_NoRing, SHORT>(F, facts, gb_known_rows(dense), out, bytes, true);
}

/* -- bitmap */

/* A block takes the next row; or, where rows are fewer than blocks, the next window of a row, so
 * narrow that every block has one: it fills the window, waits for the number of entries before it,
 * and goes on. Windows are taken in order and blocks that have one run, so the first that is not
 * done is waited for by others but waits for nobody. state[1 + 2 blocks]: rows taken, and what
 * gb_WindowTurn wants of each. */
template <class Ring>
__global__ void __launch_bounds__(GB_CUDA_THREADS, GB_BLOCKS)
    gb_bitmap_rows(gb_Factors F, gb_RowFacts facts, gb_ClassRows all, gb_RowsOut out,
                   unsigned bytes, unsigned long long *state) {
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    GB_SHARED_ARRAY(unsigned long long, shared, 2);
    gb_BitmapWindow window = gb_carve_bitmap<Ring>(bytes);
    const gb_BlockTeam team = {scratch + 0};
    const gb_ClassRows list = gb_known_rows(all);
    const bool few = list.n < gridDim.x;
    const uint64_t most = window.bits.words;
    gb_WindowTurn rows = {shared + 0, few ? NULL : state, 0, 0};
    for (uint64_t k = rows.take(); k < list.n; k = rows.take()) {
        const uint64_t r = few ? (blockIdx.x + k) % list.n : k;
        const gb_RowTask task = gb_row_task(facts, out, list, r);
        if (few) {
            uint64_t words = task.width / 32 * list.n / gridDim.x + 1;
            if (words < GB_CUDA_WINDOW_LEAST) words = GB_CUDA_WINDOW_LEAST;
            window.bits.words = window.truth.words = (unsigned)(words < most ? words : most);
        }
        gb_bitmap_row<Ring>(F, team, task, out, window,
                            gb_WindowTurn{shared + 0, few ? state + 1 + 2 * r : NULL, 0, 0});
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

/* Long rows, with so much shared memory a block. */
template <class Ring>
static void gb_run_long(gb_Job *job, const gb_RowsCall &c, const gb_ClassRows &list,
                        unsigned bytes) {
    const uint64_t blocks = (uint64_t)GB_CUDA_LONG_BLOCKS * (unsigned)job->multiprocessors;
    if (list.n == 0) return;
    gb_job_next_lane(job);
    gb_job_allow_kernel(job, gb_bitmap_rows<Ring>, gb_long_bytes(job));
    unsigned long long *state = gb_job_zeros<unsigned long long>(job, 2 * blocks + 1);
    GB_START(job, gb_bitmap_rows<Ring>, gb_grid(blocks, 1), GB_CUDA_THREADS, bytes, c.F, c.facts,
             list, c.out, bytes, state);
}

/* Rows of one size, by a hash table and by a dense window: classes `hash` and `dense`. */
template <class Ring, bool SHORT>
static void gb_run_level(gb_Job *job, const gb_RowsCall &c, int hash, int dense, int level) {
    enum { TEAMS = gb_TeamOf<SHORT>::TEAMS };
    const unsigned all = gb_level_bytes(level), bytes = all / TEAMS;
    const unsigned threads = SHORT ? TEAMS * GB_WARP : gb_level_threads(level);
    const gb_ClassRows hashed = gb_rows_of(c, hash), filled = gb_rows_of(c, dense);
    gb_job_allow_kernel(job, gb_hash_rows<Ring, SHORT>, SHORT ? 0 : GB_CUDA_SHARED);
    gb_job_allow_kernel(job, gb_dense_rows<Ring, SHORT>, SHORT ? 0 : GB_CUDA_SHARED);
    if (hashed.n > 0) {
        gb_job_next_lane(job);
        GB_START(job, (gb_hash_rows<Ring, SHORT>), gb_grid(hashed.n, TEAMS), threads, all, c.F,
                 c.facts, hashed, c.out, bytes);
    }
    if (filled.n > 0) {
        gb_job_next_lane(job);
        GB_START(job, (gb_dense_rows<Ring, SHORT>), gb_grid(filled.n, TEAMS), threads, all, c.F,
                 c.facts, filled, c.out, bytes, c.query);
    }
}

/* Rows of few products, by so many lanes each. */
template <class Ring, int LANES>
static void gb_run_esc(gb_Job *job, const gb_RowsCall &c, int row_class) {
    const gb_ClassRows list = gb_rows_of(c, row_class);
    gb_job_allow_kernel(job, gb_esc_rows<Ring, LANES>, 0);
    if (list.n == 0) return;
    gb_job_next_lane(job);
    GB_START(job, (gb_esc_rows<Ring, LANES>), gb_grid(list.n, 2 * GB_WARP / LANES), 2 * GB_WARP, 0,
             c.F, c.facts, list, c.out);
}

/* All rows over a semiring; long ones first. Classes have a stream each. */
template <class Ring> static void gb_run_rows(gb_Job *job, const gb_RowsCall &c) {
    gb_job_fork(job);
    gb_run_long<Ring>(job, c, gb_rows_of(c, GB_CLASS_BITMAP_LONG), gb_long_bytes(job));
    gb_run_long<Ring>(job, c, gb_rows_of(c, GB_CLASS_BITMAP), GB_CUDA_SHARED);
    for (int level = GB_CUDA_LEVELS - 1; level >= 0; level--)
        gb_run_level<Ring, false>(job, c, GB_CLASS_HASH + level, GB_CLASS_DENSE + level, level);
    gb_run_level<Ring, true>(job, c, GB_CLASS_HASH_SHORT, GB_CLASS_DENSE_SHORT, 0);
    gb_run_esc<Ring, 16>(job, c, GB_CLASS_ESC_4);
    gb_run_esc<Ring, 32>(job, c, GB_CLASS_ESC_2);
    gb_job_join(job);
}

#endif
