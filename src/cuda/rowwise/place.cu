/* SPDX-License-Identifier: Apache-2.0
 *
 * After the numeric pass rows move to their positions in C. Rows of a hash accumulator are
 * sorted on the way: keys are sorted, and every value moves once, to where its key went.
 *
 * A key is (column - low) << pointer bits | position in the row. It is packed into 32 bits where
 * the row's range of columns and its length allow, else it has 64; the pointer's bits are not
 * sorted.
 */
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/prim/sort.cuh"

enum { COPY_THREADS = 128, ITEMS = 8, HYBRID_ITEMS = 16 };

GB_DEVICE void move_value(const gb_Placement &c, uint64_t to, uint64_t from) {
    gb_move_value(c.x, to, c.from.x, from, c.xsize);
}

/* Rows that are in order: `lanes` threads a row, a warp or the block. */
__global__ void gb_copy_list(gb_Placement c, unsigned lanes) {
    GB_EACH_TEAM(r, c.list.n, lanes) {
        const gb_Idx row = c.list.row[r];
        const uint64_t index = c.from.by_list ? r : row;
        const uint64_t from = c.from.at[index], n = c.from.count[index], to = c.p[row];
        for (uint64_t e = threadIdx.x % lanes; e < n; e += lanes) {
            c.i[to + e] = c.from.i[from + e];
            move_value(c, to + e, from + e);
        }
    }
}

void gb_copy_rows(gb_Job *job, const gb_Placement &c, bool are_short) {
    const unsigned lanes = are_short ? (unsigned)GB_WARP : (unsigned)COPY_THREADS;
    gb_job_allow_kernel(job, gb_copy_list, 0);
    if (c.list.n > 0)
        GB_START(job, gb_copy_list, gb_grid(c.list.n, COPY_THREADS / lanes), COPY_THREADS, 0, c,
                 lanes);
}

/* Bits that distinguish n indices and one sentinel, all ones. */
GB_DEVICE int bits_above(unsigned n) {
    return 32 - __clz((int)n);
}

/* A row's keys, THREADS * COUNT of them, by `sort`, which leaves the e-th smallest with thread e %
 * THREADS; then columns and values to C. */
template <class Key, int COUNT, class Sort>
GB_DEVICE void sort_row(const gb_Placement &c, gb_Idx row, unsigned rank, unsigned threads,
                        Sort sort) {
    const uint64_t from = c.from.at[row], to = c.p[row];
    const unsigned n = (unsigned)c.from.count[row];
    const gb_Idx low = c.facts.low[row];
    const int pointer = bits_above(n);
    Key key[COUNT];
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = rank + (unsigned)k * threads;
        key[k] = e < n ? (Key)(c.from.i[from + e] - low) << pointer | e : ~(Key)0;
    }
    sort(key, pointer, pointer + bits_above(c.facts.width[row]));
    for (int k = 0; k < COUNT; k++) {
        const unsigned e = rank + (unsigned)k * threads;
        if (e >= n) continue;
        c.i[to + e] = low + (gb_Idx)(key[k] >> pointer);
        move_value(c, to + e, from + (unsigned)(key[k] & (((Key)1 << pointer) - 1)));
    }
}

GB_DEVICE bool fits_32(const gb_Placement &c, gb_Idx row) {
    return bits_above((unsigned)c.from.count[row]) + bits_above(c.facts.width[row]) <= 32;
}

/* The row by a warp, of whose lanes each has COUNT keys. */
template <class Key, int COUNT> GB_DEVICE void sort_by_warp(const gb_Placement &c, gb_Idx row) {
    sort_row<Key, COUNT>(c, row, gb_lane(), GB_WARP, [](Key(&key)[COUNT], int, int) {
        gb_warp_sort<Key, GB_WARP, COUNT>(key);
    });
}

/* The smallest sort that holds it. */
template <class Key> static __device__ void sort_fitting(const gb_Placement &c, gb_Idx row) {
    const unsigned n = (unsigned)c.from.count[row];
    if (n <= 2 * GB_WARP)
        sort_by_warp<Key, 2>(c, row);
    else if (n <= 4 * GB_WARP)
        sort_by_warp<Key, 4>(c, row);
    else
        sort_by_warp<Key, ITEMS>(c, row);
}

/* A warp a row. */
__global__ void gb_sort_short(gb_Placement c) {
    GB_EACH_TEAM(r, c.list.n, GB_WARP) {
        const gb_Idx row = c.list.row[r];
        if (fits_32(c, row))
            sort_fitting<uint32_t>(c, row);
        else
            sort_fitting<uint64_t>(c, row);
    }
}

/* The row by a block, of whose threads each has COUNT keys. */
template <class Key, int THREADS, int COUNT>
GB_DEVICE void sort_by_block(const gb_Placement &c, gb_Idx row) {
    sort_row<Key, COUNT>(c, row, threadIdx.x, THREADS, [](Key(&key)[COUNT], int begin, int end) {
        gb_BlockSort<Key, THREADS, COUNT>::sort(key, begin, end);
    });
}

/* A block a row; half as many keys where these hold it. */
template <int THREADS, int COUNT>
__global__ void __launch_bounds__(THREADS) gb_sort_list(gb_Placement c) {
    GB_EACH_BLOCK(r, c.list.n) {
        const gb_Idx row = c.list.row[r];
        const bool half = c.from.count[row] <= THREADS * COUNT / 2;
        if (!fits_32(c, row))
            sort_by_block<uint64_t, THREADS, COUNT>(c, row);
        else if (half)
            sort_by_block<uint32_t, THREADS, COUNT / 2>(c, row);
        else
            sort_by_block<uint32_t, THREADS, COUNT>(c, row);
        __syncthreads(); /* the sort's memory may be used again */
    }
}

template <int THREADS, int COUNT> static void run_sort(gb_Job *job, const gb_Placement &c) {
    const size_t bytes = gb_BlockSort<uint64_t, THREADS, COUNT>::bytes();
    gb_job_allow_kernel(job, gb_sort_list<THREADS, COUNT>, bytes);
    GB_START(job, (gb_sort_list<THREADS, COUNT>), gb_grid(c.list.n, 1), THREADS, bytes, c);
}

/* The smallest sort that holds the rows of each level. */
template <int LEVEL> static void run_level(gb_Job *job, const gb_Placement &c, int level) {
    enum {
        WANTED = GB_CUDA_THREADS >> (GB_CUDA_LEVELS - 1 - LEVEL),
        THREADS = WANTED < 2 * GB_WARP ? 2 * GB_WARP : WANTED
    };
    static_assert(THREADS * ITEMS * 8ul >=
                      (GB_CUDA_SHARED >> (GB_CUDA_LEVELS - 1 - LEVEL)) * GB_CUDA_LOAD_PERCENT / 100,
                  "a table's row must fit in the sort of its level: slots have 8 bytes at least");
    if (level == LEVEL)
        run_sort<THREADS, ITEMS>(job, c);
    else if constexpr (LEVEL + 1 < GB_CUDA_LEVELS)
        run_level<LEVEL + 1>(job, c, level);
}

size_t gb_longest_sort_bytes(void) {
    return gb_BlockSort<uint64_t, GB_CUDA_THREADS, HYBRID_ITEMS>::bytes();
}

void gb_sort_rows(gb_Job *job, const gb_Placement &c, int row_class) {
    static_assert(GB_CUDA_THREADS * HYBRID_ITEMS * 4ul >=
                      GB_CUDA_SHARED * GB_CUDA_LOAD_PERCENT / 100,
                  "a row of the hybrid accumulator must fit in its sort");
    static_assert(GB_WARP * ITEMS * 8ul >= (GB_CUDA_SHARED >> (GB_CUDA_LEVELS - 1)) /
                                               GB_CUDA_SHORT_ROWS * GB_CUDA_LOAD_PERCENT / 100,
                  "a short row must fit in a warp's sort");
    if (c.list.n == 0) return;
    if (row_class == GB_CLASS_HASH_SHORT) {
        gb_job_allow_kernel(job, gb_sort_short, 0);
        GB_START(job, gb_sort_short, gb_grid(c.list.n, COPY_THREADS / GB_WARP), COPY_THREADS, 0, c);
    } else if (row_class < GB_CLASS_HASH + GB_CUDA_LEVELS) {
        run_level<0>(job, c, row_class - GB_CLASS_HASH);
    } else {
        run_sort<GB_CUDA_THREADS, HYBRID_ITEMS>(job, c);
    }
}
