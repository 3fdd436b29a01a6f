/* SPDX-License-Identifier: Apache-2.0
 *
 * What all makers of tiles of 16 x 16 share.
 */
#pragma once

#include "core/call.h"
#include "core/view.h"

/* Which tiles a row of tiles has, one for each thread. At first all stamps are 0. */
typedef struct {
    uint64_t *stamp; /* [columns of tiles] what met this column of tiles last; never 0 */
    gb_Idx *slot;    /* [columns of tiles] its number within the row of tiles */
    uint32_t *list;  /* [columns of tiles] the columns of tiles that were met */
    uint32_t *tmp;   /* [columns of tiles] for sorting the list */
} gb_TileMarks;
/* NULL when there is no memory. */
gb_TileMarks *gb_tile_marks_new(int nthreads, uint64_t columns);
void gb_tile_marks_free(gb_TileMarks *marks, int nthreads, uint64_t columns);

/* T's arrays for the tiles that `count`, called for each row of tiles I, leaves in T->p[I + 1];
 * T->p says then where rows of tiles begin. */
gbl_Info gb_tiles_lay_out(gb_Tiles *T, uint64_t nmajor, uint64_t nminor, int nthreads,
                          void (*count)(void *context, uint64_t I), void *context);

/* row[r] = entries of the tile before row r; returns the entries of the tile. */
static inline unsigned gb_tile_row_offsets(const uint16_t mask[GB_TILE], uint8_t row[GB_TILE]) {
    unsigned entries = 0;
    for (unsigned r = 0; r < GB_TILE; r++) {
        row[r] = (uint8_t)entries;
        entries += (unsigned)__builtin_popcount(mask[r]);
    }
    return entries;
}
