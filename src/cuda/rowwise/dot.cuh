/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of DOT: an inner product for each entry of the mask. A warp computes a row of the
 * mask, a block a long one; rows of more than GB_CUDA_DOT_PIECE entries are cut at multiples of
 * that, a block a piece. A folded product is not stored: blocks leave partial sums.
 *
 * Inner products are of a row of A and columns of B, by teams. A row of A becomes a bitmap in
 * shared memory, a hash table where its columns are too far apart, or stays CSR where it is too
 * long for both; then warps iterate over the columns of the mask. Each pair is intersected by the
 * cheapest method:
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

#define GB_DOT_LONG ((uint64_t)GB_CUDA_SHARE) /* entries of a row of the mask that a block does */
#define GB_DOT_PIECE ((uint64_t)GB_CUDA_DOT_PIECE)

struct gb_DotOut {
    void *x;        /* [entries of the mask] products, ... */
    uint8_t *found; /* ... and whether it exists */
    void *parts;    /* [blocks] gb_SumPart; NULL: the product is stored */
};

/* Entries [at, to) of row m of the mask. */
struct gb_DotPart {
    uint64_t m;
    gb_Off at, to;
};

/* A row, or of one that is cut what is before the first cut. */
GB_DEVICE gb_DotPart gb_dot_head(const gb_Factors &F, uint64_t m) {
    const gb_Off from = F.Mp[m], to = F.Mp[m + 1], first = F.Mp[0];
    if (to - from <= GB_DOT_PIECE) return gb_DotPart{m, from, to};
    return gb_DotPart{m, from, first + ((from - first) / GB_DOT_PIECE + 1) * GB_DOT_PIECE};
}

/* Piece number p; empty where it cuts no row. */
GB_DEVICE gb_DotPart gb_dot_piece(const gb_Factors &F, uint64_t p) {
    const gb_Off at = F.Mp[0] + p * GB_DOT_PIECE;
    const uint64_t low = gb_interval_of(F.Mp, 0, F.m, at); /* the row of entry `at` */
    const gb_Off from = F.Mp[low], to = F.Mp[low + 1];
    if (from == at || to - from <= GB_DOT_PIECE) return gb_DotPart{low, at, at};
    return gb_DotPart{low, at, to - at < GB_DOT_PIECE ? to : at + GB_DOT_PIECE};
}

GB_HOST_DEVICE uint64_t gb_dot_pieces(uint64_t entries) {
    return entries / GB_DOT_PIECE + (entries % GB_DOT_PIECE != 0);
}

/* What a thread has folded. */
template <class Value> struct gb_DotFolded {
    gb_Sum<Value> sum;
    uint64_t n;
};

/* Every step-th entry of a part, by a warp: its lanes fetch 32 columns of B at once. */
template <class Ring>
GB_DEVICE void gb_dot_entries(const gb_Factors &F, const gb_DotRow &row, const gb_DotPart &part,
                              unsigned step, const gb_DotOut &out,
                              gb_DotFolded<typename Ring::Value> &folded) {
    const gb_Off first = F.Mp[0];
    const uint64_t m = part.m;
    gb_Off begin = 0;
    gb_Idx length = 0; /* of the lane's column */
    unsigned turn = 0;
    for (gb_Off at = part.at; at < part.to; at += step, turn = (turn + 1) % GB_WARP) {
        const gb_Off mine = at + (gb_Off)step * gb_lane();
        if (turn == 0 && mine < part.to) {
            const uint64_t j = F.Mi[mine];
            begin = F.Bp[j];
            length = (gb_Idx)(F.Bp[j + 1] - begin);
        }
        const gb_Off q = __shfl_sync(GB_ALL_LANES, begin, (int)turn);
        const gb_Idx columns = __shfl_sync(GB_ALL_LANES, length, (int)turn);
        gb_DotPair<Ring> pair = {F, row, F.Ap[m], q, q + columns, {Ring::zero(), false}};
        if (columns > 0 && row.n > 0) pair.run();
        folded.n += pair.sum.has_value;
        if (out.parts != NULL) {
            if (pair.sum.has_value) folded.sum.add(pair.sum.value, gb_RingPlus<Ring>());
        } else if (gb_lane() == 0) {
            static_cast<typename Ring::Value *>(out.x)[at - first] = pair.sum.value;
            out.found[at - first] = pair.sum.has_value;
        }
    }
}

GB_DEVICE gb_DotRow gb_dot_row(const gb_Factors &F, uint64_t m, unsigned slots,
                               gb_shared<unsigned> words, gb_shared<unsigned> places) {
    const gb_Off from = F.Ap[m];
    return gb_DotRow{F.Ai + from, F.Ap[m + 1] - from, 0, 0, GB_DOT_LIST, slots, {words, places, 0}};
}

/* Memory of a block in which rows are made ready. */
struct gb_DotSpace {
    gb_shared<unsigned> words, places, scratch;
};

/* A part, by the block. */
template <class Ring>
GB_DEVICE void gb_dot_by_block(const gb_Factors &F, gb_DotPart part, const gb_DotSpace &space,
                               const gb_DotOut &out, gb_DotFolded<typename Ring::Value> &folded) {
    gb_DotRow row = gb_dot_row(F, part.m, GB_CUDA_DOT_WORDS, space.words, space.places);
    __syncthreads(); /* warps are done with the row before */
    gb_dot_ready(row, gb_BlockTeam{space.scratch});
    part.at += threadIdx.x / GB_WARP;
    gb_dot_entries<Ring>(F, row, part, GB_SUM_WARPS, out, folded);
}

/* Rows of the mask, and of those that are cut what is before the first cut. */
template <class Ring>
GB_DEVICE void gb_dot_all_rows(const gb_Factors &F, const gb_DotSpace &space, const gb_DotOut &out,
                               gb_DotFolded<typename Ring::Value> &folded) {
    enum { SLOTS = GB_CUDA_DOT_WORDS / GB_SUM_WARPS };
    GB_SHARED_ARRAY(unsigned, longs, 1); /* a bit a warp: sums are formed in the order of rows */
    const unsigned warp = threadIdx.x / GB_WARP;
    for (uint64_t base = (uint64_t)blockIdx.x * GB_SUM_WARPS; base < F.m;
         base += (uint64_t)gridDim.x * GB_SUM_WARPS) {
        const uint64_t m = base + warp;
        const gb_Off from = m < F.m ? F.Mp[m] : 0, to = m < F.m ? F.Mp[m + 1] : 0;
        __syncthreads(); /* the last rows' words may be used again */
        if (threadIdx.x == 0) longs[0] = 0u;
        __syncthreads();
        if (to - from > GB_DOT_LONG) {
            if (gb_lane() == 0) atomicOr(&longs[0], 1u << warp);
        } else if (from < to) {
            gb_DotRow row =
                gb_dot_row(F, m, SLOTS, space.words + warp * SLOTS, space.places + warp * SLOTS);
            if (to - from > 1) gb_dot_ready(row, gb_WarpTeam());
            gb_dot_entries<Ring>(F, row, gb_DotPart{m, from, to}, 1, out, folded);
        }
        __syncthreads();
        for (unsigned rest = longs[0]; rest != 0; rest &= rest - 1) {
            const uint64_t row = base + (unsigned)__ffs((int)rest) - 1;
            gb_dot_by_block<Ring>(F, gb_dot_head(F, row), space, out, folded);
        }
    }
}

template <class Ring>
__global__ void __launch_bounds__(GB_SUM_THREADS)
    gb_dot_rows(gb_Factors F, uint64_t pieces, gb_DotOut out) {
    GB_SHARED_ARRAY(unsigned, words, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, places, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const gb_DotSpace space = {words + 0, places + 0, scratch + 0};
    gb_DotFolded<typename Ring::Value> folded = {{Ring::zero(), false}, 0};
    gb_dot_all_rows<Ring>(F, space, out, folded);
    for (uint64_t p = 1 + (uint64_t)blockIdx.x; p < pieces; p += gridDim.x) {
        const gb_DotPart part = gb_dot_piece(F, p);
        if (part.at < part.to) gb_dot_by_block<Ring>(F, part, space, out, folded);
    }
    if (out.parts != NULL)
        gb_sum_block(folded.sum, folded.n, gb_RingPlus<Ring>(),
                     static_cast<gb_SumPart<typename Ring::Value> *>(out.parts) + blockIdx.x);
}

/* As many blocks as `grid`. */
typedef cudaError_t (*gb_DotLaunch)(unsigned grid, cudaStream_t stream, const gb_Factors &F,
                                    uint64_t pieces, const gb_DotOut &out);
struct gb_DotKernel {
    gb_DotLaunch launch;
    size_t bytes; /* of a value */
};
template <class Ring>
static cudaError_t gb_dot_launch(unsigned grid, cudaStream_t stream, const gb_Factors &F,
                                 uint64_t pieces, const gb_DotOut &out) {
    GB_LAUNCH(gb_dot_rows<Ring>, grid, GB_SUM_THREADS, 0, stream, F, pieces, out);
    return cudaGetLastError();
}

#endif
