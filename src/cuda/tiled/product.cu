/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the tiled product on the device (TileSpGEMM, PPoPP '22, section 3.3). Factors and mask
 * become tiles, which stay with their copies. Then
 *   step 1  which tiles C has: the row-wise product of the patterns of tiles, inside the mask's;
 *   step 2  their masks, from which C's rows get their lengths and every tile its positions in
 *           them; semirings of booleans whose values are bits, too, need nothing else;
 *   step 3  values, written to C's rows at once: C is never held as tiles.
 * Beside C, a tile of C takes 104 bytes while it is made; nothing grows with the products.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/tiled/pairs.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = 128, WARPS = THREADS / GB_WARP };

struct gb_TileMaskCall {
    gb_TileFactor A, B, M; /* M where mask_kind is not NONE */
    gb_MaskKind mask_kind;
    gb_TileResult C;
    uint16_t *mask; /* [16 n] out */
};

/* -- masks: by bit operations, a warp a tile */

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

/* -- the product */

/* What step 3 does: sums, bits of the true entries' masks, or ones. */
enum gb_TileValues { GB_TILE_SUMS, GB_TILE_TRUTH, GB_TILE_ONES };

struct gb_TiledProduct {
    gb_Job &job;
    const gb_DeviceMxmArgs *args;
    gb_TileMaskCall call;
    gb_TilesRun run;
    gb_TileValues values;
    bool uses_a, uses_b;
    gb_DeviceCs C;
};

static gb_TiledProduct begin(gb_Job *job, const gb_DeviceMxmArgs *args) {
    const gb_RingTraits ring = gb_traits_of(args->ring);
    gb_TiledProduct P = {*job,         args,        {},          gb_tile_values(args->ring),
                         GB_TILE_SUMS, ring.uses_a, ring.uses_b, {}};
    if (ring.bytes == 0)
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    P.values = ring.is_truth ? GB_TILE_TRUTH : ring.only_ones ? GB_TILE_ONES : GB_TILE_SUMS;
    P.C.nmajor = args->A->nmajor;
    P.C.nminor = args->B->nminor;
    P.C.xsize = ring.bytes;
    return P;
}

static void make_tiles(gb_TiledProduct *P) {
    const gb_DeviceMxmArgs *args = P->args;
    gb_job_stage(&P->job, GB_STAGE_ANALYSIS);
    gb_tiles_acquire(&P->job, args->A, P->uses_a, false);
    gb_tiles_acquire(&P->job, args->B, P->uses_b, true);
    if (args->M != NULL) gb_tiles_acquire(&P->job, args->M, false, false);
    if (P->job.info != GBL_SUCCESS) return;
    P->call.A = gb_tile_factor(args->A);
    P->call.B = gb_tile_factor(args->B);
    P->call.mask_kind = args->M != NULL ? args->mask_kind : GB_MASK_NONE;
    if (args->M != NULL) P->call.M = gb_tile_factor(args->M);
}

/* The pattern of tiles as a matrix of them. */
static gb_DeviceCs pattern_of(const gb_DeviceCs *X) {
    const gb_DeviceTiles *T = &X->tiles;
    gb_DeviceCs pattern = {};
    pattern.nmajor = T->rows;
    pattern.nminor = T->columns;
    pattern.nvals = T->n;
    pattern.p = const_cast<gb_Off *>(T->p);
    pattern.i = const_cast<gb_Idx *>(T->i);
    pattern.iso = true;
    return pattern;
}

/* Step 1. */
static void find_tiles(gb_TiledProduct *P) {
    gb_Job *job = &P->job;
    gb_DeviceMxmStats stats = {};
    gb_DeviceCs made;
    const bool inside = P->call.mask_kind == GB_MASK_INSIDE;
    const gb_DeviceCs A = pattern_of(P->args->A), B = pattern_of(P->args->B);
    gb_DeviceCs M;
    if (inside) M = pattern_of(P->args->M);
    gb_DeviceMxmArgs args = {};
    args.A = &A;
    args.B = &B;
    if (inside) args.M = &M;
    args.mask_kind = GB_MASK_INSIDE;
    args.ring = GB_RING_ANY_PAIR_BOOL;
    args.accumulators = GB_ACCUMULATE_ALL;
    args.workflow = GB_SYMBOLIC;
    args.rules = P->args->rules;
    gb_rowwise_multiply(job, &args, &made, &stats, NULL);
    if (job->info != GBL_SUCCESS) return;
    gb_job_drop(job, made.x);
    gb_Idx *row_of = gb_job_new<gb_Idx>(job, made.nvals);
    gb_entry_rows(job, gb_pattern_of(&made), row_of);
    P->call.C.tp = made.p;
    P->call.C.ti = made.i;
    P->call.C.row_of = row_of;
    P->call.C.n = made.nvals;
}

/* Step 2, and C's arrays. */
static void find_masks(gb_TiledProduct *P) {
    gb_Job *job = &P->job;
    gb_TileResult *C = &P->call.C;
    const uint64_t m = P->C.nmajor;
    gb_job_stage(job, GB_STAGE_MASKS);
    P->call.mask = C->mask = gb_job_new<uint16_t>(job, GB_TILE * C->n);
    C->before = gb_job_new<gb_Idx>(job, GB_TILE * C->n);
    GB_START(job, gb_unite_tiles, gb_grid(C->n, WARPS), THREADS, 0, P->call);
    P->C.p = gb_job_new<gb_Off>(job, m + 1);
    const uint64_t rows = gb_tile_count(m);
    GB_START(job, gb_place_tile_rows, gb_grid(rows, 1), PLACE_THREADS, 0, *C, rows, m, P->C.p);
    gb_device_scan(job, P->C.p, P->C.p, m);
    gb_job_read(job, &P->C.nvals, P->C.p + m, sizeof P->C.nvals);
    P->C.i = gb_job_new<gb_Idx>(job, P->C.nvals);
    P->C.x = gb_job_bytes(job, P->C.nvals, P->C.xsize);
    C->p = P->C.p;
    C->i = P->C.i;
    C->x = P->C.x;
}

/* X with only its true entries in its words. */
static gb_TileFactor true_entries(gb_Job *job, gb_TileFactor X, uint64_t tiles) {
    uint32_t *words = gb_job_new<uint32_t>(job, GB_TILE * tiles);
    GB_START_THREADS(job, GB_TILE * tiles, gb_true_tiles, X, tiles, words);
    X.row = words;
    return X;
}

/* Masks of the true entries of C, from those of the factors. */
static const uint16_t *find_truth(gb_TiledProduct *P) {
    gb_Job *job = &P->job;
    gb_TileMaskCall call = P->call;
    call.A = true_entries(job, call.A, P->args->A->tiles.n);
    call.B = true_entries(job, call.B, P->args->B->tiles.n);
    call.mask = gb_job_new<uint16_t>(job, GB_TILE * call.C.n);
    GB_START(job, gb_unite_tiles, gb_grid(call.C.n, WARPS), THREADS, 0, call);
    return call.mask;
}

/* Step 3. */
static void find_values(gb_TiledProduct *P) {
    gb_Job *job = &P->job;
    const gb_TileResult &C = P->call.C;
    gb_job_stage(job, GB_STAGE_VALUES);
    if (P->values != GB_TILE_SUMS) {
        const uint16_t *truth = P->values == GB_TILE_TRUTH ? find_truth(P) : C.mask;
        GB_START(job, gb_emit_tile_bits, gb_grid(C.n, THREADS / GB_TILE), THREADS, 0, C, truth);
    } else if (job->info == GBL_SUCCESS) {
        P->run(job, P->call.A, P->call.B, C);
    }
}

void gb_tiled_prepare(gb_Job *job, const gb_DeviceMxmArgs *args) {
    gb_TiledProduct P = begin(job, args);
    make_tiles(&P);
}

void gb_tiled_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                       gb_DeviceMxmStats *stats) {
    const unsigned before = job->nblocks;
    gb_TiledProduct P = begin(job, args);
    make_tiles(&P);
    if (job->info == GBL_SUCCESS) find_tiles(&P);
    if (job->info == GBL_SUCCESS) find_masks(&P);
    if (job->info == GBL_SUCCESS) find_values(&P);
    stats->tensor_cores = job->tensor_cores && args->ring == GB_RING_PLUS_TIMES_FP64;
    *C = P.C;
    gb_job_drop_but(job, before, C);
}
