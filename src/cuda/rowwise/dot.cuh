/* SPDX-License-Identifier: Apache-2.0
 *
 * Inner products of a row of A and columns of B, by teams. A row of A becomes a bitmap in shared
 * memory, a hash table where its columns are too far apart, or stays CSR where it is too long for
 * both; then warps iterate over the columns of the mask. Each pair is intersected by the cheapest
 * method:
 *   - binary search of a much shorter side in the longer one, entry by entry;
 *   - lookup of the column's entries in the bitmap or table;
 *   - merge of sides of similar length, each lane from its point of the merge path.
 * Cost of a pair: entries of the column / 32 steps, or O(shorter * log(longer)).
 */
#ifndef GB_CUDA_DOT_CUH
#define GB_CUDA_DOT_CUH

#include "cuda/rowwise/rows.cuh"
#include "cuda/prim/sum.cuh"

#define GB_DOT_NONE 0xffffffffu /* no column; no position */

enum gb_DotForm { GB_DOT_LIST, GB_DOT_BITS, GB_DOT_HASH };

/* A row of A made ready. */
struct gb_DotRow {
    const gb_Idx *i; /* [n] its columns */
    uint64_t n;
    gb_Idx low, range; /* columns are in [low, low + range) */
    gb_DotForm form;
    unsigned slots; /* words of each of the two arrays */
    gb_Bits bits;   /* or columns of a table, and the position of each */
};

GB_DEVICE unsigned gb_dot_slot(gb_Idx column, unsigned slots) {
    return __umulhi(column * 2654435769u, slots);
}

/* By all threads of the team; nobody may be using its words any more. */
template <class Team> GB_DEVICE void gb_dot_ready(gb_DotRow &row, const Team &team) {
    row.form = GB_DOT_LIST;
    if (row.n == 0) return;
    row.low = row.i[0];
    row.range = row.i[row.n - 1] - row.low + 1;
    if (row.range / 32 + 1 <= row.slots) {
        row.form = GB_DOT_BITS;
        row.bits.words = row.range / 32 + 1;
        row.bits.clear(team);
        team.sync();
        for (unsigned e = team.rank(); e < row.n; e += team.size())
            row.bits.set(row.i[e] - row.low);
        team.sync();
        row.bits.count(team, true);
    } else if (row.n <= row.slots / 2) {
        row.form = GB_DOT_HASH;
        for (unsigned w = team.rank(); w < row.slots; w += team.size())
            row.bits.word[w] = GB_DOT_NONE;
        team.sync();
        for (unsigned e = team.rank(); e < row.n; e += team.size()) {
            unsigned slot = gb_dot_slot(row.i[e], row.slots);
            while (atomicCAS(&row.bits.word[slot], GB_DOT_NONE, row.i[e]) != GB_DOT_NONE)
                slot = slot + 1 < row.slots ? slot + 1 : 0;
            row.bits.before[slot] = e;
        }
        team.sync();
    }
}

/* Position of `column` in the sorted indices, or n. */
GB_DEVICE uint64_t gb_dot_search(const gb_Idx *list, uint64_t n, gb_Idx column) {
    const uint64_t low = gb_lower_bound(list, 0, n, column);
    return low < n && list[low] == column ? low : n;
}

/* The same in a row that was made ready. */
GB_DEVICE uint64_t gb_dot_find(const gb_DotRow &row, gb_Idx column) {
    if (row.form == GB_DOT_LIST) return gb_dot_search(row.i, row.n, column);
    if (row.form == GB_DOT_BITS) {
        const gb_Idx c = column - row.low;
        if (column < row.low || c >= row.range) return row.n;
        return row.bits.has(c) ? row.bits.rank(c) : row.n;
    }
    unsigned slot = gb_dot_slot(column, row.slots);
    for (;;) {
        const unsigned found = row.bits.word[slot];
        if (found == column) return row.bits.before[slot];
        if (found == GB_DOT_NONE) return row.n;
        slot = slot + 1 < row.slots ? slot + 1 : 0;
    }
}

/* Of the row and one column of B, positions [q, end) of B. */
template <class Ring> struct gb_DotPair {
    const gb_Factors &F;
    const gb_DotRow &row;
    uint64_t from; /* where the row begins in A */
    gb_Off q, end;
    gb_Sum<typename Ring::Value> sum;

    GB_MEMBER void add(uint64_t a, uint64_t b) {
        const auto x = gb_left<Ring>(F.Ax, (from + a) & F.amask);
        const auto y = gb_right<Ring>(F.Bx, (q + b) & F.bmask);
        sum.add(Ring::multiply(x, y, row.i[a]), gb_RingPlus<Ring>());
    }
    /* Nothing can change the sum any more; all lanes agree. */
    GB_MEMBER bool ended() const {
        return Ring::ENDS &&
               __ballot_sync(GB_ALL_LANES, sum.has_value && Ring::ends(sum.value)) != 0;
    }
    GB_MEMBER void search_in_column() {
        const uint64_t n = end - q;
        for (uint64_t base = 0; base < row.n && !ended(); base += GB_WARP) {
            const uint64_t a = base + gb_lane();
            const uint64_t b = a < row.n ? gb_dot_search(F.Bi + q, n, row.i[a]) : n;
            if (b < n) add(a, b);
        }
    }
    GB_MEMBER void search_in_row() {
        const uint64_t n = end - q;
        for (uint64_t base = 0; base < n && !ended(); base += GB_WARP) {
            const uint64_t b = base + gb_lane();
            const uint64_t a = b < n ? gb_dot_find(row, F.Bi[q + b]) : row.n;
            if (a < row.n) add(a, b);
        }
    }
    /* Equal columns come from the row first; a pair is added at its second. */
    GB_MEMBER void merge() {
        const gb_Idx *A = row.i, *B = F.Bi + q;
        const uint64_t na = row.n, nb = end - q, part = (na + nb + GB_WARP - 1) / GB_WARP;
        const uint64_t begin = gb_lane() * part < na + nb ? gb_lane() * part : na + nb;
        const uint64_t stop = begin + part < na + nb ? begin + part : na + nb;
        uint64_t low = begin > nb ? begin - nb : 0, high = begin < na ? begin : na;
        while (low < high) {
            const uint64_t mid = low + (high - low) / 2;
            if (A[mid] <= B[begin - 1 - mid])
                low = mid + 1;
            else
                high = mid;
        }
        uint64_t a = low, b = begin - low;
        while (a + b < stop) {
            if (a < na && (b >= nb || A[a] <= B[b])) {
                a++;
            } else {
                if (a > 0 && A[a - 1] == B[b]) add(a - 1, b);
                b++;
            }
        }
    }
    GB_MEMBER void run() {
        const uint64_t n = end - q;
        if (n > row.n * GB_CUDA_DOT_SEARCH)
            search_in_column();
        else if (row.form != GB_DOT_LIST || row.n > n * GB_CUDA_DOT_SEARCH)
            search_in_row();
        else
            merge();
        __syncwarp();
        sum.join(gb_RingPlus<Ring>());
    }
};

#endif
