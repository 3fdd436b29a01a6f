/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator: a value and a bit for every column of a window. It gives a row's entries
 * in ascending order. Rows wider than the window are done window after window.
 *
 * Cost: O(products + width) / threads a window; each further window searches its begin in every row
 * of B that takes part.
 */
#ifndef GB_CUDA_ACCUM_DENSE_CUH
#define GB_CUDA_ACCUM_DENSE_CUH

#include "cuda/values.cuh"

struct gb_DenseWindow {
    gb_shared<unsigned> bits;   /* [columns / 32] which columns have an entry */
    gb_shared<unsigned> before; /* [columns / 32] entries before each word; not in a count */
    unsigned columns;           /* a multiple of 32; columns / 32 is at most the team's size, unless
                                   rows are only counted */
    bool query;   /* look at a bit before setting it: fewer writes where most are set */
    gb_Idx first; /* column where it begins */
};

/* The products with columns in the window. */
template <class Team, class Values>
static __device__ __forceinline__ void
gb_dense_fill(const gb_Factors &F, const Team &team, const gb_RowTask &task,
              const gb_DenseWindow &w, const Values &values) {
    for (unsigned c = team.rank(); c < w.columns; c += team.size()) values.clear(c);
    for (unsigned c = team.rank(); c < w.columns / 32; c += team.size()) w.bits[c] = 0u;
    team.sync();
    const auto visit = [&](typename Values::Left a, typename Values::Right b, gb_Idx k, gb_Idx j) {
        const unsigned c = j - w.first, bit = 1u << c % 32;
        values.add(c, a, b, k);
        if (!w.query || !(gb_peek(&w.bits[c / 32]) & bit)) atomicOr(&w.bits[c / 32], bit);
    };
    if (task.width <= w.columns) {
        gb_each_product(F, team, task, values, visit, []() { return true; });
    } else {
        const gb_Idx more = w.columns - 1;
        const gb_Idx last = w.first <= GB_LAST_COLUMN - more ? w.first + more : GB_LAST_COLUMN;
        const gb_Idx window[2] = {w.first, last};
        gb_each_in_window(F, team, task, window, values, visit);
    }
    team.sync();
}

/* Entries of the filled window; all threads get the number. */
template <class Team>
static __device__ __forceinline__ unsigned gb_dense_count(const Team &team, const gb_DenseWindow &w,
                                                          bool remember) {
    unsigned mine = 0, total;
    for (unsigned c = team.rank(); c < w.columns / 32; c += team.size())
        mine += (unsigned)__popc(w.bits[c]);
    const unsigned before = team.scan(mine, &total);
    if (remember && team.rank() < w.columns / 32) w.before[team.rank()] = before;
    team.sync();
    return total;
}

template <class Team, class Values>
static __device__ __forceinline__ void gb_dense_emit(const Team &team, const gb_DenseWindow &w,
                                                     const gb_RowsOut &out, uint64_t begin,
                                                     const Values &values) {
    for (unsigned c = team.rank(); c < w.columns; c += team.size()) {
        const unsigned word = w.bits[c / 32], bit = 1u << c % 32;
        if (!(word & bit)) continue;
        const uint64_t place = begin + w.before[c / 32] + (unsigned)__popc(word & (bit - 1));
        out.i[place] = w.first + c;
        values.emit(out.x, place, c);
    }
}

/* A row by a team. */
template <class Team, class Values>
static __device__ __forceinline__ void gb_dense_row(const gb_Factors &F, const Team &team,
                                                    const gb_RowTask &task, const gb_RowsOut &out,
                                                    gb_DenseWindow w, const Values &values) {
    const bool emits = out.x != NULL;
    const uint64_t begin = emits ? out.at[task.index] : 0;
    const uint64_t capacity = emits ? out.at[task.index + 1] - begin : UINT64_MAX;
    uint64_t n = 0;
    for (uint64_t c = 0; c < task.width; c += w.columns) {
        w.first = task.low + (gb_Idx)c;
        gb_dense_fill(F, team, task, w, values);
        const unsigned more = gb_dense_count(team, w, emits);
        if (n + more > capacity) {
            if (team.rank() == 0) gb_out_overflow(out, task);
            team.sync();
            return;
        }
        if (emits) gb_dense_emit(team, w, out, begin + n, values);
        n += more;
        team.sync();
    }
    if (team.rank() == 0) out.count[task.index] = n;
}

#endif
