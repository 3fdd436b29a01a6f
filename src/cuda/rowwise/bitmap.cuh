/* SPDX-License-Identifier: Apache-2.0
 *
 * The bitmap accumulator, for long rows, by a block: bits of a window of columns in shared memory,
 * values in the row's place in C. The products are walked twice: their columns set bits, which say
 * where every entry goes; then their values are added there, by instructions that wait for no
 * answer. No probing, no sorting, and windows thirty times as wide as with values in shared memory.
 * Values of one byte, which no instruction adds to, are bits as well: true or not.
 *
 * Cost: O(products + width / 32) / threads a window; each further window searches its begin in
 * every row of B that takes part. For gb_NoRing bits are counted, and that is all.
 */
#ifndef GB_CUDA_ACCUM_BITMAP_CUH
#define GB_CUDA_ACCUM_BITMAP_CUH

#include "cuda/rowwise/rows.cuh"

struct gb_BitmapWindow {
    gb_Bits bits;
    gb_Bits truth; /* of values of one byte: which are true; never counted */
    gb_Idx first;  /* column where it begins */
};

/* Arrays that are not used lie on the first one. */
template <class Ring> GB_DEVICE gb_BitmapWindow gb_carve_bitmap(unsigned bytes) {
    enum { BITMAPS = gb_ValuesOf<Ring>::BITMAPS };
    const unsigned words = gb_bitmap_words(bytes, BITMAPS);
    const auto word = gb_shared_carve<unsigned>(0, words);
    const auto before = gb_shared_carve<unsigned>(BITMAPS > 1 ? words * 4 : 0, words);
    const auto truth = gb_shared_carve<unsigned>(BITMAPS > 2 ? words * 8 : 0, words);
    return gb_BitmapWindow{{word, before, words}, {truth, truth, words}, 0};
}

/* Windows of a row: of this block alone, or taken by all blocks in order. */
struct gb_WindowTurn {
    gb_shared<unsigned long long> shared; /* [2] broadcast by the first thread */
    unsigned long long *state; /* [2] windows taken; done << 33 | entries. NULL: alone, ... */
    uint64_t next, entries;    /* ... with these */

    /* The next window; all threads get it. */
    GB_MEMBER uint64_t take() {
        if (state == NULL) return next++;
        if (threadIdx.x == 0) shared[0] = atomicAdd(&state[0], 1ull);
        __syncthreads();
        return shared[0];
    }
    /* Entries of the windows before window w, which has `more`; all threads get them. */
    GB_MEMBER uint64_t before(uint64_t w, unsigned more) {
        if (state == NULL) return (entries += more) - more;
        if (threadIdx.x == 0) {
            unsigned long long done = gb_peek(&state[1]);
            while (done >> 33 != w) done = gb_peek(&state[1]);
            const unsigned long long before = done & ((1ull << 33) - 1);
            gb_poke(&state[1], ((unsigned long long)w + 1) << 33 | (before + more));
            shared[1] = before;
        }
        __syncthreads();
        return shared[1];
    }
};

/* Calls visit for the products with columns in the window. */
template <class Values, class Visit>
GB_DEVICE void gb_bitmap_products(const gb_Factors &F, const gb_BlockTeam &team,
                                  const gb_RowTask &task, const gb_BitmapWindow &w,
                                  const Values &values, Visit visit) {
    const gb_Idx more = w.bits.columns() - 1;
    const gb_Idx last = w.first <= GB_LAST_COLUMN - more ? w.first + more : GB_LAST_COLUMN;
    const gb_Idx window[2] = {w.first, last};
    if (task.width <= w.bits.columns())
        gb_each_product(F, team, task, values, visit, []() { return true; });
    else
        gb_each_in_window(F, team, task, window, values, visit);
    team.sync();
}

/* Sets the window's bits. */
template <class Ring>
GB_DEVICE void gb_bitmap_fill(const gb_Factors &F, const gb_BlockTeam &team, const gb_RowTask &task,
                              const gb_BitmapWindow &w) {
    w.bits.clear(team);
    if (gb_ValuesOf<Ring>::TRUTH) w.truth.clear(team);
    team.sync();
    if constexpr (gb_ValuesOf<Ring>::TRUTH) {
        typedef typename gb_ValuesOf<Ring>::Global Values;
        gb_bitmap_products(
            F, team, task, w, Values{NULL},
            [&](typename Values::Left a, typename Values::Right b, gb_Idx k, gb_Idx j) {
                w.bits.find_or_set(j - w.first);
                if (Ring::multiply(a, b, k)) w.truth.find_or_set(j - w.first);
            });
    } else {
        gb_bitmap_products(F, team, task, w, gb_NoValues{},
                           [&](gb_NoValues::Nothing, gb_NoValues::Nothing, gb_Idx, gb_Idx j) {
                               w.bits.find_or_set(j - w.first);
                           });
    }
}

/* Columns and values of the window to positions from `place` on. */
template <class Ring>
GB_DEVICE void gb_bitmap_emit(const gb_Factors &F, const gb_BlockTeam &team, const gb_RowTask &task,
                              const gb_BitmapWindow &w, const gb_RowsOut &out, uint64_t place) {
    typedef gb_ValuesOf<Ring> Of;
    const typename Of::Global values = {static_cast<typename Of::Type *>(out.x) + place};
    for (unsigned c = team.rank(); c < w.bits.words; c += team.size()) {
        unsigned at = w.bits.before[c];
        for (unsigned rest = w.bits.word[c]; rest != 0; rest &= rest - 1, at++) {
            const unsigned column = 32 * c + (unsigned)__ffs((int)rest) - 1;
            out.i[place + at] = w.first + column;
            if constexpr (Of::TRUTH)
                static_cast<uint8_t *>(out.x)[place + at] = w.truth.has(column);
            else
                values.clear(at);
        }
    }
    team.sync();
    if constexpr (!Of::TRUTH)
        gb_bitmap_products(F, team, task, w, values,
                           [&](typename Of::Global::Left a, typename Of::Global::Right b, gb_Idx k,
                               gb_Idx j) { values.add(w.bits.rank(j - w.first), a, b, k); });
}

/* The windows of a row that are this block's turn. The last one checks the row's capacity. */
template <class Ring>
GB_DEVICE void gb_bitmap_row(const gb_Factors &F, const gb_BlockTeam &team, const gb_RowTask &task,
                             const gb_RowsOut &out, gb_BitmapWindow w, gb_WindowTurn turn) {
    const bool emits = out.x != NULL;
    const uint64_t begin = emits ? out.at[task.index] : 0;
    const uint64_t capacity = emits ? out.at[task.index + 1] - begin : UINT64_MAX;
    const uint64_t columns = w.bits.columns(), windows = (task.width + columns - 1) / columns;
    for (uint64_t c = turn.take(); c < windows; c = turn.take()) {
        w.first = task.low + (gb_Idx)(c * columns);
        gb_bitmap_fill<Ring>(F, team, task, w);
        const unsigned more = w.bits.count(team, emits);
        const uint64_t n = turn.before(c, more);
        if constexpr (gb_ValuesOf<Ring>::BYTES > 0)
            if (n + more <= capacity) gb_bitmap_emit<Ring>(F, team, task, w, out, begin + n);
        if (c + 1 == windows && team.rank() == 0) {
            out.count[task.index] = n + more;
            if (n + more > capacity) gb_out_overflow(out, task);
        }
        team.sync(); /* the window may be used again */
    }
    team.sync(); /* all have seen that there is none */
}

#endif
