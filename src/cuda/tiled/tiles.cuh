/* SPDX-License-Identifier: Apache-2.0
 *
 * TILE16 on the device (TileSpGEMM, PPoPP '22, section 3.2): tiles of 16 x 16 of a matrix that is
 * there by rows, kept with its copy.
 *
 * A row of a tile is one word: its 16-bit mask, and above it the entries of the tile before that
 * row, so that a kernel has both by one load. Places inside a tile follow from masks by counting
 * bits; nothing else is stored of an entry but its value.
 */
#ifndef GB_CUDA_TILES_CUH
#define GB_CUDA_TILES_CUH

#include "cuda/device/job.cuh"
#include "cuda/prim/warp.cuh"

#define GB_TILE_MASK 0xffffu   /* of a row's word */
#define GB_TILE_BEFORE 16      /* bits below the count */
#define GB_NO_TILE 0xffffffffu /* behind the last column of tiles */

/* What kernels see of a factor or of a mask in tiles. */
struct gb_TileFactor {
    const gb_Off *p;     /* [rows of tiles + 1] */
    const gb_Idx *i;     /* [tiles] */
    const gb_Off *nnz;   /* [tiles] entries of the matrix before the tile */
    const uint32_t *row; /* [16 * tiles] words */
    const void *x;       /* values, in the order of tiles */
    uint64_t xmask;      /* all ones, or 0 when iso */
    /* Lists of tiles by columns of tiles, rows ascending; NULL unless they were asked for. */
    const gb_Off *cp;    /* [columns of tiles + 1] */
    const gb_Idx *crow;  /* [tiles] row of tiles */
    const gb_Idx *ctile; /* [tiles] its number among the tiles */
};

/* Makes the tiles of a pinned copy unless they are there: with values, which the copy then has
 * itself, and with lists by columns, where these are wanted. */
void gb_tiles_need(gb_Job *job, const gb_DeviceCs *cs, bool values, bool by_columns);
gb_TileFactor gb_tile_factor(const gb_DeviceCs *cs);
/* row_of[t] = the row of tiles that tile t is in. */
void gb_tile_rows(gb_Job *job, const gb_Off *p, uint64_t rows, gb_Idx *row_of);

/* The first place of [low, high) whose index is not below `wanted`. */
static __device__ __forceinline__ gb_Off gb_tile_search(const gb_Idx *i, gb_Off low, gb_Off high,
                                                        gb_Idx wanted) {
    while (low < high) {
        const gb_Off mid = low + (high - low) / 2;
        if (i[mid] < wanted)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

#endif
