/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of the tiled product on the device, for its driver (tiled/tiled.cu).
 */
#ifndef GB_CUDA_MXM_TILED_CUH
#define GB_CUDA_MXM_TILED_CUH

#include "cuda/tiled/tiles.cuh"

/* C as its tiles say it is, and its rows, which are filled tile by tile. */
struct gb_TileResult {
    const gb_Off *tp;     /* [rows of tiles + 1] */
    const gb_Idx *ti;     /* [n] column of each tile */
    const gb_Idx *row_of; /* [n] row of each tile */
    uint64_t n;           /* tiles; some may have no entry */
    uint16_t *mask;       /* [16 n] */
    gb_Idx *before;       /* [16 n] entries of C's row before that of the tile */
    const gb_Off *p;      /* C by rows */
    gb_Idx *i;
    void *x;
};

/* tiled/tiled.cu: tiles of factors and mask; a product as a part of a job, to which C's arrays
 * belong. Everything else that it took, but those tiles, is freed. */
void gb_tiled_prepare(gb_Job *job, const gb_DeviceMxmArgs *args);
void gb_tiled_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                       gb_DeviceMxmStats *stats);

struct gb_TileMaskCall {
    gb_TileFactor A, B, M; /* M where mask_kind is not NONE */
    gb_MaskKind mask_kind;
    gb_TileResult C;
    uint16_t *mask; /* [16 n] out */
};

/* tiled/masks.cu: step 2, masks of C's tiles. */
void gb_tile_masks(gb_Job *job, const gb_TileMaskCall &call);
/* before[16 n] and count[m] of C's rows, from its masks. */
void gb_tile_count_rows(gb_Job *job, const gb_TileResult &C, uint64_t m, uint64_t *count);
/* Values of bytes that are bits of `truth`, [16 n] masks, and columns. */
void gb_tile_bits(gb_Job *job, const gb_TileResult &C, const uint16_t *truth);
/* Words whose masks have only the entries of X that are true. */
void gb_tile_truth(gb_Job *job, const gb_TileFactor &X, uint64_t tiles, uint32_t *words);

/* tile_<type>.cu: step 3; NULL when the ring is over another type. */
typedef void (*gb_TilesRun)(gb_Job *job, const gb_TileFactor &A, const gb_TileFactor &B,
                            const gb_TileResult &C);
gb_TilesRun gb_tile_fp64(int ring);
gb_TilesRun gb_tile_fp32(int ring);
gb_TilesRun gb_tile_int64(int ring);
gb_TilesRun gb_tile_int32(int ring);

#endif
