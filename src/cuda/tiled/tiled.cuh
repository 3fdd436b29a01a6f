/* SPDX-License-Identifier: Apache-2.0
 *
 * TILE16 on the device (TileSpGEMM, PPoPP '22): tiles of 16 x 16 of a matrix, kept with its rows
 * (section 3.2), and the steps of a product of such matrices (3.3).
 *
 * A row of a tile is one word: its 16-bit mask, and above it the entries of the tile before that
 * row, so that a kernel has both by one load. Positions inside a tile follow from masks by counting
 * bits; nothing else is stored of an entry but its value.
 */
#ifndef GB_CUDA_TILED_TILED_CUH
#define GB_CUDA_TILED_TILED_CUH

#include "cuda/prim/arrays.cuh"
#include "cuda/prim/team.cuh"
#include "cuda/prim/typed.cuh"

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
    /* Tiles by columns of tiles, rows ascending; NULL unless requested. */
    const gb_Off *cp;    /* [columns of tiles + 1] */
    const gb_Idx *crow;  /* [tiles] row of tiles */
    const gb_Idx *ctile; /* [tiles] its number among the tiles */
};

/* Makes the tiles of a pinned copy unless it has them, with values and with lists by columns where
 * these are requested. */
void gb_tiles_acquire(gb_Job *job, const gb_DeviceCs *cs, bool values, bool by_columns);
gb_TileFactor gb_tile_factor(const gb_DeviceCs *cs);

/* -- the steps of a product */

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

/* Step 3; NULL where there is no kernel for the semiring. */
typedef void (*gb_TilesRun)(gb_Job *job, const gb_TileFactor &A, const gb_TileFactor &B,
                            const gb_TileResult &C);
GB_DECLARE_TYPED(gb_TilesRun, gb_tile_values)

#endif
