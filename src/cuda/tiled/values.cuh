/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of C's tiles (TileSpGEMM, PPoPP '22, section 3.3, step 3), a warp a tile, for one
 * semiring. Sums stay in registers: one lane adds the products of an entry by ascending inner
 * index, without atomic operations, so that floats have the bits of the host's products.
 *
 * Dense accumulator: a lane has 8 neighbouring columns of a row of the tile, and multiplies each
 * entry of that row of A's tile by up to 8 of B's. Sparse accumulator, up to GB_CUDA_TILE_SPARSE
 * entries: two entries a lane, listed in shared memory; each multiplies a row of A's tile and a
 * column of B's, found by bits.
 *
 * PLUS of products that are all 1 counts bits and reads no value. Where values follow from the
 * pattern alone, tiled/product.cu computes them.
 */
#ifndef GB_CUDA_TILE_VALUES_CUH
#define GB_CUDA_TILE_VALUES_CUH

#include "cuda/prim/semirings.cuh"
#include "cuda/tiled/pairs.cuh"

enum { GB_TILE_THREADS = 128, GB_TILE_WARPS = GB_TILE_THREADS / GB_WARP, GB_TILE_SIDE = 8 };

/* A lane's part of a tile of C: columns [half, half + 8) of row r. */
GB_DEVICE unsigned gb_tile_lane_row(void) {
    return gb_lane() % GB_TILE;
}
GB_DEVICE unsigned gb_tile_lane_half(void) {
    return gb_lane() / GB_TILE * GB_TILE_SIDE;
}

/* Entries of a row of a tile before column c. */
GB_DEVICE unsigned gb_tile_below(uint32_t word, unsigned c) {
    return (unsigned)__popc(word & ((1u << c) - 1u));
}

/* Where in C's arrays the entries of row r of tile t begin. */
GB_DEVICE uint64_t gb_tile_place(const gb_TileResult &C, uint64_t t, unsigned r) {
    return C.p[(uint64_t)C.row_of[t] * GB_TILE + r] + C.before[GB_TILE * t + r];
}

/* The product of a and the value of B at position q added to a sum; k: the inner index. */
template <class Ring>
GB_DEVICE typename Ring::Value gb_tile_join(const gb_TileFactor &B, typename Ring::Value sum,
                                            typename Ring::Value a, gb_Off q, gb_Idx k) {
    const auto product = Ring::multiply(a, gb_right<Ring>(B.x, q & B.xmask), k);
    return Ring::ANY ? product : Ring::add(sum, product); /* ANY keeps the last */
}

/* A(r, k) = a times the lane's half of row k of a tile of B, whose entries begin at b0. */
template <class Ring>
GB_DEVICE void gb_tile_add_half(const gb_TileFactor &B, gb_Off b0, uint32_t wb, unsigned wanted,
                                typename Ring::Value a, gb_Idx k,
                                typename Ring::Value (&sum)[GB_TILE_SIDE]) {
    const unsigned half = gb_tile_lane_half(), bits = wb >> half & 0xffu;
    gb_Off q = b0 + (wb >> GB_TILE_BEFORE) + gb_tile_below(wb, half);
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++) {
        if (!(bits >> c & 1u)) continue;
        if (wanted >> c & 1u) sum[c] = gb_tile_join<Ring>(B, sum[c], a, q, k);
        q++;
    }
}

/* One pair of tiles into the lane's sums. */
template <class Ring>
GB_DEVICE void gb_tile_add_pair(const gb_TileFactor &A, const gb_TileFactor &B, gb_Off ta,
                                gb_Off tb, unsigned wanted,
                                typename Ring::Value (&sum)[GB_TILE_SIDE]) {
    const uint32_t wa = A.row[GB_TILE * ta + gb_tile_lane_row()];
    const gb_Idx K = A.i[ta] * GB_TILE;
    const gb_Off b0 = B.nnz[tb];
    gb_Off p = A.nnz[ta] + (wa >> GB_TILE_BEFORE);
    for (unsigned m = wa & GB_TILE_MASK; m != 0; m &= m - 1, p++) {
        const unsigned k = (unsigned)__ffs((int)m) - 1;
        const uint32_t wb = B.row[GB_TILE * tb + k];
        if ((wb >> gb_tile_lane_half() & wanted) == 0) continue;
        gb_tile_add_half<Ring>(B, b0, wb, wanted, gb_left<Ring>(A.x, p & A.xmask), K + k, sum);
    }
}

/* The same where sums count products: columns of B's tile as masks, by votes, and one count of bits
 * for each column. */
template <class Ring>
GB_DEVICE void gb_tile_count_pair(const gb_TileFactor &A, const gb_TileFactor &B, gb_Off ta,
                                  gb_Off tb, typename Ring::Value (&sum)[GB_TILE_SIDE]) {
    const unsigned row = gb_tile_lane_row();
    const unsigned ma = A.row[GB_TILE * ta + row] & GB_TILE_MASK;
    const uint32_t wb = B.row[GB_TILE * tb + row];
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++) {
        const unsigned low = __ballot_sync(GB_ALL_LANES, (int)(wb >> c & 1u));
        const unsigned high = __ballot_sync(GB_ALL_LANES, (int)(wb >> (c + GB_TILE_SIDE) & 1u));
        sum[c] += (typename Ring::Value)__popc(ma & (gb_lane() < GB_TILE ? low : high));
    }
}

/* The lane's sums to C's rows. */
template <class Value>
GB_DEVICE void gb_tile_emit(const gb_TileResult &C, uint64_t t, const Value (&sum)[GB_TILE_SIDE]) {
    const unsigned row = gb_tile_lane_row(), half = gb_tile_lane_half();
    const unsigned mask = C.mask[GB_TILE * t + row], wanted = mask >> half & 0xffu;
    if (wanted == 0) return;
    uint64_t place = gb_tile_place(C, t, row) + gb_tile_below(mask, half);
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++) {
        if (!(wanted >> c & 1u)) continue;
        C.i[place] = C.ti[t] * GB_TILE + half + c;
        static_cast<Value *>(C.x)[place++] = sum[c];
    }
}

/* Entries of tile t at the lane's positions. */
GB_DEVICE unsigned gb_tile_wanted(const gb_TileResult &C, uint64_t t) {
    return (unsigned)C.mask[GB_TILE * t + gb_tile_lane_row()] >> gb_tile_lane_half() & 0xffu;
}

template <class Ring>
static __device__ void gb_tile_dense(const gb_TileFactor &A, const gb_TileFactor &B,
                                     const gb_TileResult &C, uint64_t t) {
    typedef typename Ring::Value Value;
    const unsigned wanted = gb_tile_wanted(C, t);
    Value sum[GB_TILE_SIDE];
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++) sum[c] = Ring::zero();
    gb_each_pair(A, B, C.row_of[t], C.ti[t], [&](gb_Off ta, gb_Off tb) {
        if (Ring::PAIR)
            gb_tile_count_pair<Ring>(A, B, ta, tb, sum);
        else
            gb_tile_add_pair<Ring>(A, B, ta, tb, wanted, sum);
    });
    gb_tile_emit(C, t, sum);
}

/* The entry (r, c) of C's tile: what one pair of tiles adds to it. */
template <class Ring>
GB_DEVICE typename Ring::Value gb_tile_add_entry(const gb_TileFactor &A, const gb_TileFactor &B,
                                                 gb_Off ta, gb_Off tb, unsigned r, unsigned c,
                                                 typename Ring::Value sum) {
    const uint32_t wa = A.row[GB_TILE * ta + r];
    gb_Off p = A.nnz[ta] + (wa >> GB_TILE_BEFORE);
    for (unsigned m = wa & GB_TILE_MASK; m != 0; m &= m - 1, p++) {
        const unsigned k = (unsigned)__ffs((int)m) - 1;
        const uint32_t wb = B.row[GB_TILE * tb + k];
        if (!(wb >> c & 1u)) continue;
        const gb_Off q = B.nnz[tb] + (wb >> GB_TILE_BEFORE) + gb_tile_below(wb, c);
        sum = gb_tile_join<Ring>(B, sum, gb_left<Ring>(A.x, p & A.xmask), q, A.i[ta] * GB_TILE + k);
    }
    return sum;
}

/* list[GB_CUDA_TILE_SPARSE] of the warp: row << 4 | column of each entry. */
template <class Ring>
static __device__ void gb_tile_sparse(const gb_TileFactor &A, const gb_TileFactor &B,
                                      const gb_TileResult &C, uint64_t t, unsigned n,
                                      gb_shared<uint8_t> list) {
    enum { ITEMS = GB_CUDA_TILE_SPARSE / GB_WARP };
    typedef typename Ring::Value Value;
    Value sum[ITEMS];
    unsigned rc[ITEMS];
    GB_UNROLL
    for (unsigned s = 0; s < ITEMS; s++) {
        const unsigned e = s * GB_WARP + gb_lane();
        rc[s] = e < n ? (unsigned)list[e] : 0u;
        sum[s] = Ring::zero();
    }
    gb_each_pair(A, B, C.row_of[t], C.ti[t], [&](gb_Off ta, gb_Off tb) {
        GB_UNROLL
        for (unsigned s = 0; s < ITEMS; s++)
            if (s * GB_WARP + gb_lane() < n)
                sum[s] =
                    gb_tile_add_entry<Ring>(A, B, ta, tb, rc[s] / GB_TILE, rc[s] % GB_TILE, sum[s]);
    });
    GB_UNROLL
    for (unsigned s = 0; s < ITEMS; s++) {
        if (s * GB_WARP + gb_lane() >= n) continue;
        const unsigned r = rc[s] / GB_TILE, c = rc[s] % GB_TILE;
        const uint64_t place = gb_tile_place(C, t, r) + gb_tile_below(C.mask[GB_TILE * t + r], c);
        C.i[place] = C.ti[t] * GB_TILE + c;
        static_cast<Value *>(C.x)[place] = sum[s];
    }
}

/* Writes the entries of tile t to the list, if they are few; returns their number. */
GB_DEVICE unsigned gb_tile_list(const gb_TileResult &C, uint64_t t, gb_shared<uint8_t> list) {
    const unsigned row = gb_lane();
    unsigned mask = row < GB_TILE ? C.mask[GB_TILE * t + row] : 0u, n;
    unsigned at = gb_warp_scan((unsigned)__popc(mask), &n);
    if (n <= GB_CUDA_TILE_SPARSE)
        for (; mask != 0; mask &= mask - 1, at++)
            list[at] = (uint8_t)(row * GB_TILE + (unsigned)__ffs((int)mask) - 1);
    __syncwarp();
    return n;
}

/* Every tile of C by a warp: dense(t), or the sparse accumulator for those of few entries. */
template <class Ring, class Dense>
GB_DEVICE void gb_each_result_tile(const gb_TileFactor &A, const gb_TileFactor &B,
                                   const gb_TileResult &C, Dense dense) {
    GB_SHARED_ARRAY(uint8_t, lists, GB_TILE_WARPS * GB_CUDA_TILE_SPARSE);
    const unsigned warp = threadIdx.x / GB_WARP;
    GB_EACH_TEAM(t, C.n, GB_WARP) {
        const gb_shared<uint8_t> list = lists + warp * GB_CUDA_TILE_SPARSE;
        const unsigned n = gb_tile_list(C, t, list);
        if (n > GB_CUDA_TILE_SPARSE)
            dense(t);
        else if (n > 0)
            gb_tile_sparse<Ring>(A, B, C, t, n, list);
        __syncwarp(); /* the list may be overwritten */
    }
}

template <class Ring>
__global__ void __launch_bounds__(GB_TILE_THREADS)
    gb_tile_sums(gb_TileFactor A, gb_TileFactor B, gb_TileResult C) {
    gb_each_result_tile<Ring>(A, B, C, [&](uint64_t t) { gb_tile_dense<Ring>(A, B, C, t); });
}

#endif
