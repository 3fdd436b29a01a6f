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

#include "cuda/rowwise/rows.cuh"

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
GB_DEVICE void gb_dense_fill(const gb_Factors &F, const Team &team, const gb_RowTask &task,
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
GB_DEVICE unsigned gb_dense_count(const Team &team, const gb_DenseWindow &w, bool remember) {
    unsigned mine = 0, total;
    for (unsigned c = team.rank(); c < w.columns / 32; c += team.size())
        mine += (unsigned)__popc(w.bits[c]);
    const unsigned before = team.scan(mine, &total);
    if (remember && team.rank() < w.columns / 32) w.before[team.rank()] = before;
    team.sync();
    return total;
}

template <class Team, class Values>
GB_DEVICE void gb_dense_emit(const Team &team, const gb_DenseWindow &w, const gb_RowsOut &out,
                             uint64_t begin, const Values &values) {
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
GB_DEVICE void gb_dense_row(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                            const gb_RowsOut &out, gb_DenseWindow w, const Values &values) {
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

/* Windows of a row, which blocks take in round robin (gb_dense_windows). */
struct gb_WindowTurn {
    gb_shared<unsigned long long> shared; /* [2] broadcast by the first thread */
    unsigned long long *state;            /* [2] of the row: windows taken; done << 33 | entries */

    GB_MEMBER gb_WindowTurn of_row(uint64_t r) const {
        return gb_WindowTurn{shared, state + 2 * r};
    }
    /* The next window; all threads get it. */
    GB_MEMBER uint64_t take() const {
        if (threadIdx.x == 0) shared[0] = atomicAdd(&state[0], 1ull);
        __syncthreads();
        return shared[0];
    }
    /* Entries of the windows before window w, which has `more`; all threads get them. */
    GB_MEMBER uint64_t before(uint64_t w, unsigned more) const {
        if (threadIdx.x == 0) {
            unsigned long long done = gb_peek(&state[1]);
            while (done >> 33 != w) done = gb_peek(&state[1]);
            const unsigned long long entries = done & ((1ull << 33) - 1);
            gb_poke(&state[1], ((unsigned long long)w + 1) << 33 | (entries + more));
            shared[1] = entries;
        }
        __syncthreads();
        return shared[1];
    }
};

/* The windows of a row for this block. The last one checks the row's capacity. */
template <class Values>
GB_DEVICE void gb_dense_turns(const gb_Factors &F, const gb_BlockTeam &team, const gb_RowTask &task,
                              const gb_RowsOut &out, gb_DenseWindow w, const Values &values,
                              const gb_WindowTurn &turn) {
    const bool emits = out.x != NULL;
    const uint64_t begin = emits ? out.at[task.index] : 0;
    const uint64_t capacity = emits ? out.at[task.index + 1] - begin : UINT64_MAX;
    const uint64_t windows = ((uint64_t)task.width + w.columns - 1) / w.columns;
    for (uint64_t c = turn.take(); c < windows; c = turn.take()) {
        w.first = task.low + (gb_Idx)(c * w.columns);
        gb_dense_fill(F, team, task, w, values);
        const unsigned more = gb_dense_count(team, w, emits);
        const uint64_t n = turn.before(c, more);
        if (emits && n + more <= capacity) gb_dense_emit(team, w, out, begin + n, values);
        if (c + 1 == windows && team.rank() == 0) {
            out.count[task.index] = n + more;
            if (n + more > capacity) gb_out_overflow(out, task);
        }
        team.sync(); /* the window may be used again */
    }
    team.sync(); /* all have seen that there is none */
}

#endif
