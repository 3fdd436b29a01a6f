/* SPDX-License-Identifier: Apache-2.0
 *
 * Step 2 of the tiled product (TileSpGEMM, PPoPP '22, section 3.3): masks of C's tiles by bit
 * operations, a warp a tile, and the positions in C of every row of every tile. Semirings of
 * booleans whose values are bits, too, need nothing else.
 */
#include "cuda/tiled/pairs.cuh"

enum { THREADS = 128, WARPS = THREADS / GB_WARP };

/* -- masks */

/* Row r of the mask's tile (I, J); 0 without such a tile. */
GB_DEVICE unsigned mask_row(const gb_TileFactor &M, gb_Idx I, gb_Idx J, unsigned r) {
    const gb_Off end = M.p[I + 1], t = gb_lower_bound(M.i, M.p[I], end, J);
    return t < end && M.i[t] == J ? M.row[GB_TILE * t + r] & GB_TILE_MASK : 0u;
}

/* Lanes l and l + 16 have row l: one handles columns 0 to 7 of A's tile, the other 8 to 15. */
__global__ void __launch_bounds__(THREADS) gb_unite_tiles(gb_TileMaskCall call) {
    const gb_TileResult &C = call.C;
    const unsigned row = gb_lane() % GB_TILE, first = gb_lane() / GB_TILE * 8;
    GB_EACH_TEAM(t, C.n, GB_WARP) {
        const gb_Idx I = C.row_of[t], J = C.ti[t];
        unsigned found = 0;
        gb_each_pair(call.A, call.B, I, J, [&](gb_Off ta, gb_Off tb) {
            unsigned m = call.A.row[GB_TILE * ta + row] >> first & 0xffu;
            for (; m != 0; m &= m - 1)
                found |= call.B.row[GB_TILE * tb + first + (unsigned)__ffs((int)m) - 1];
        });
        found |= __shfl_xor_sync(GB_ALL_LANES, found, GB_TILE);
        if (gb_lane() >= GB_TILE) continue;
        if (call.mask_kind == GB_MASK_INSIDE) found &= mask_row(call.M, I, J, row);
        if (call.mask_kind == GB_MASK_OUTSIDE) found &= ~mask_row(call.M, I, J, row);
        call.mask[GB_TILE * t + row] = (uint16_t)found;
    }
}

void gb_tile_masks(gb_Job *job, const gb_TileMaskCall &call) {
    GB_START(job, gb_unite_tiles, gb_grid(call.C.n, WARPS), THREADS, 0, call);
}

/* -- positions */

enum { TEAMS = 16, PLACE_THREADS = TEAMS * GB_TILE };

/* A block a row of tiles, 16 lanes a part of its tiles, a lane a row. */
__global__ void gb_place_tile_rows(gb_TileResult C, uint64_t rows, uint64_t m, uint64_t *count) {
    GB_SHARED_ARRAY(unsigned, sums, TEAMS *GB_TILE);
    const unsigned r = threadIdx.x % GB_TILE, team = threadIdx.x / GB_TILE;
    GB_EACH_BLOCK(I, rows) {
        const gb_Off from = C.tp[I], end = C.tp[I + 1], each = (end - from + TEAMS - 1) / TEAMS;
        const gb_Off begin = from + team * each < end ? from + team * each : end;
        const gb_Off to = begin + each < end ? begin + each : end;
        unsigned n = 0;
        for (gb_Off t = begin; t < to; t++) n += (unsigned)__popc(C.mask[GB_TILE * t + r]);
        sums[threadIdx.x] = n;
        __syncthreads();
        unsigned before = 0;
        for (unsigned k = 0; k < team; k++) before += sums[k * GB_TILE + r];
        for (gb_Off t = begin; t < to; t++) {
            C.before[GB_TILE * t + r] = before;
            before += (unsigned)__popc(C.mask[GB_TILE * t + r]);
        }
        if (team == TEAMS - 1 && I * GB_TILE + r < m) count[I * GB_TILE + r] = before;
        __syncthreads(); /* the sums may be used again */
    }
}

void gb_tile_count_rows(gb_Job *job, const gb_TileResult &C, uint64_t m, uint64_t *count) {
    const uint64_t rows = gb_tile_count(m);
    GB_START(job, gb_place_tile_rows, gb_grid(rows, 1), PLACE_THREADS, 0, C, rows, m, count);
}

/* -- values that are bits */

__global__ void gb_emit_tile_bits(gb_TileResult C, const uint16_t *truth) {
    const unsigned r = threadIdx.x % GB_TILE;
    GB_EACH_TEAM(t, C.n, GB_TILE) {
        unsigned mask = C.mask[GB_TILE * t + r];
        if (mask == 0) continue;
        const unsigned bits = truth[GB_TILE * t + r];
        uint64_t at = C.p[(uint64_t)C.row_of[t] * GB_TILE + r] + C.before[GB_TILE * t + r];
        for (; mask != 0; mask &= mask - 1, at++) {
            const unsigned c = (unsigned)__ffs((int)mask) - 1;
            C.i[at] = C.ti[t] * GB_TILE + c;
            static_cast<uint8_t *>(C.x)[at] = (uint8_t)(bits >> c & 1u);
        }
    }
}

void gb_tile_bits(gb_Job *job, const gb_TileResult &C, const uint16_t *truth) {
    GB_START(job, gb_emit_tile_bits, gb_grid(C.n, THREADS / GB_TILE), THREADS, 0, C, truth);
}

__global__ void gb_true_tiles(gb_TileFactor X, uint64_t tiles, uint32_t *words) {
    const uint8_t *x = static_cast<const uint8_t *>(X.x);
    GB_EACH_THREAD(w, GB_TILE * tiles) {
        const uint32_t word = X.row[w];
        gb_Off at = X.nnz[w / GB_TILE] + (word >> GB_TILE_BEFORE);
        unsigned found = 0;
        for (unsigned m = word & GB_TILE_MASK; m != 0; m &= m - 1, at++)
            if (x[at & X.xmask] != 0) found |= m & (0u - m);
        words[w] = found;
    }
}

void gb_tile_truth(gb_Job *job, const gb_TileFactor &X, uint64_t tiles, uint32_t *words) {
    GB_START(job, gb_true_tiles, gb_grid(GB_TILE * tiles, THREADS), THREADS, 0, X, tiles, words);
}
