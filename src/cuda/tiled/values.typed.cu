/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of C's tiles over the semirings of one type: by lanes (values.cuh) and, for plus-times on
 * FP64, pairs of well filled tiles through tensor cores. Lanes load values straight to registers,
 * zeros for absent entries; 2 instructions multiply a pair, 16 before 9.0. Other pairs of the tile
 * are added by lanes, and both sums at the end.
 *
 * Zeros for absent entries are exact while all values are finite, since sums begin with 0 and are
 * never -0. Where a sum is not finite, lanes alone compute the tile again. Finite sums may differ
 * from the host's in the last bits, or exist where a partial sum of the host overflows: products
 * are not rounded, and filled pairs are added first. They are the same in every run.
 *
 * Cost of a pair: 16 loads of words and 16 of values a lane, 4096 products on tensor cores.
 */
#include "cuda/tiled/values.cuh"

enum {
    GB_TENSOR_SIDE = 8,           /* of what one instruction adds to */
    GB_TENSOR_INNER = 4,          /* and what it sums over */
    GB_TENSOR_LINE = GB_TILE + 1, /* doubles of a row in shared memory, so that a column of it
                                     lies in all banks */
    GB_TENSOR_WARP = GB_TILE * GB_TENSOR_LINE
};

/* What a lane has of the sums of a tile: [left, right][upper, lower] quarter, two neighbours. */
typedef double gb_TensorSums[2][2][2];

template <class Ring> GB_DEVICE bool gb_tile_is_filled(const gb_TileFactor &X, gb_Off t) {
    const uint32_t last = X.row[GB_TILE * t + GB_TILE - 1];
    return (last >> GB_TILE_BEFORE) + (unsigned)__popc(last & GB_TILE_MASK) >= GB_CUDA_TILE_TENSOR;
}

/* The values of a tile, of which there are too few for positions to need 64 bits. */
struct gb_TensorTile {
    const double *x;
    uint32_t mask; /* of positions in the tile: 0 where the matrix has one value */

    GB_MEMBER gb_TensorTile(const gb_TileFactor &X, gb_Off t)
        : x(static_cast<const double *>(X.x) + (X.nnz[t] & X.xmask)), mask((uint32_t)X.xmask) {
    }
    /* Column c of a row; 0 if absent. */
    GB_MEMBER double at(uint32_t word, unsigned c) const {
        const unsigned place = ((word >> GB_TILE_BEFORE) + gb_tile_below(word, c)) & mask;
        return word >> c & 1u ? x[place] : 0.0;
    }
};

template <class Ring>
GB_DEVICE void gb_tensor_add_pair(const gb_TileFactor &A, const gb_TileFactor &B, gb_Off ta,
                                  gb_Off tb, gb_TensorSums &sum) {
    const unsigned outer = gb_lane() / GB_TENSOR_INNER, inner = gb_lane() % GB_TENSOR_INNER;
    const gb_TensorTile left(A, ta), right(B, tb);
    const uint32_t upper = A.row[GB_TILE * ta + outer];
    const uint32_t lower = A.row[GB_TILE * ta + outer + GB_TENSOR_SIDE];
    double a[2][4], b[2][4];
    GB_UNROLL
    for (unsigned q = 0; q < GB_TILE / GB_TENSOR_INNER; q++) {
        const unsigned k = q * GB_TENSOR_INNER + inner;
        const uint32_t wb = B.row[GB_TILE * tb + k];
        a[0][q] = left.at(upper, k);
        a[1][q] = left.at(lower, k);
        b[0][q] = right.at(wb, outer);
        b[1][q] = right.at(wb, outer + GB_TENSOR_SIDE);
    }
    __syncwarp(); /* lanes that load no value are here before the others, mma wants all at once */
    gb_mma_fp64_tile(sum[0], a, b[0]);
    gb_mma_fp64_tile(sum[1], a, b[1]);
}

/* Adds them to the lane's own sums, through tile[GB_TENSOR_WARP] of the warp; false where one is
 * not finite, for all lanes. */
template <class Ring>
GB_DEVICE bool gb_tensor_join(const gb_TensorSums &from, gb_shared<double> tile,
                              double (&sum)[GB_TILE_SIDE]) {
    const unsigned row = gb_lane() / GB_TENSOR_INNER, column = gb_lane() % GB_TENSOR_INNER * 2;
    bool finite = true;
    GB_UNROLL
    for (unsigned e = 0; e < 8; e++) {
        const double x = from[e / 4][e / 2 % 2][e % 2];
        const unsigned r = row + e / 2 % 2 * GB_TENSOR_SIDE, c = column + e / 4 * GB_TENSOR_SIDE;
        tile[r * GB_TENSOR_LINE + c + e % 2] = x;
        finite = finite && x - x == 0.0;
    }
    const bool all = __ballot_sync(GB_ALL_LANES, !finite) == 0;
    __syncwarp(); /* a vote orders no accesses to memory */
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++)
        sum[c] += tile[gb_tile_lane_row() * GB_TENSOR_LINE + gb_tile_lane_half() + c];
    __syncwarp(); /* it may be overwritten */
    return all;
}

/* The sums of a tile of C with as many pairs as may through tensor cores; false: see above. */
template <class Ring>
GB_DEVICE bool gb_tensor_tile(const gb_TileFactor &A, const gb_TileFactor &B,
                              const gb_TileResult &C, uint64_t t, gb_shared<double> tile) {
    const unsigned wanted = gb_tile_wanted(C, t);
    double sum[GB_TILE_SIDE];
    gb_TensorSums filled;
    bool has_filled = false;
    GB_UNROLL
    for (unsigned c = 0; c < GB_TILE_SIDE; c++) {
        sum[c] = Ring::zero();
        filled[c / 4][c / 2 % 2][c % 2] = Ring::zero();
    }
    gb_each_pair(A, B, C.row_of[t], C.ti[t], [&](gb_Off ta, gb_Off tb) {
        const bool by_cores = gb_tile_is_filled<Ring>(A, ta) && gb_tile_is_filled<Ring>(B, tb);
        has_filled = has_filled || by_cores;
        if (by_cores)
            gb_tensor_add_pair<Ring>(A, B, ta, tb, filled);
        else
            gb_tile_add_pair<Ring>(A, B, ta, tb, wanted, sum);
    });
    if (has_filled && !gb_tensor_join<Ring>(filled, tile, sum)) return false;
    gb_tile_emit(C, t, sum);
    return true;
}

template <class Ring>
__global__ void __launch_bounds__(GB_TILE_THREADS)
    gb_tensor_sums(gb_TileFactor A, gb_TileFactor B, gb_TileResult C) {
    GB_SHARED_ARRAY(double, tiles, GB_TILE_WARPS *GB_TENSOR_WARP);
    const gb_shared<double> tile = tiles + threadIdx.x / GB_WARP * GB_TENSOR_WARP;
    gb_each_result_tile<Ring>(A, B, C, [&](uint64_t t) {
        if (!gb_tensor_tile<Ring>(A, B, C, t, tile)) gb_tile_dense<Ring>(A, B, C, t);
    });
}

/* -- the functions of one type of values; bytes have no sums */

template <class Ring> constexpr bool gb_has_tensors = false;
template <> constexpr bool gb_has_tensors<gb_ring_PLUS_TIMES_FP64> = true;

template <class Ring> struct gb_TilesOf {
    static void start(gb_Job *job, const gb_TileFactor &A, const gb_TileFactor &B,
                      const gb_TileResult &C) {
        const unsigned grid = gb_grid(C.n, GB_TILE_WARPS);
        if (!gb_has_tensors<Ring> || !job->tensor_cores)
            GB_START(job, gb_tile_sums<Ring>, grid, GB_TILE_THREADS, 0, A, B, C);
        else if constexpr (gb_has_tensors<Ring>)
            GB_START(job, gb_tensor_sums<Ring>, grid, GB_TILE_THREADS, 0, A, B, C);
    }
    static gb_TilesRun run(void) {
        if constexpr (sizeof(typename Ring::Value) > 1)
            return start;
        else
            return NULL;
    }
};

gb_TilesRun GB_TYPED(gb_tile_values)(int ring) {
    return gb_find_ring<gb_TilesOf, GB_TYPED(GB_OF), gb_TilesRun>(ring);
}
