/* SPDX-License-Identifier: Apache-2.0
 *
 * Owning arrays of tiles.
 */
#ifndef GB_CORE_TILES_H
#define GB_CORE_TILES_H

#include "core/memory.h"
#include "core/status.h"
#include "core/view.h"

/* The layout of a matrix of the given shape: p, i, nnz, row and mask for ntiles; nvals 0. */
gbl_Info gb_tiles_alloc(gb_Tiles *tiles, uint64_t nmajor, uint64_t nminor, uint64_t ntiles);
/* Places and values of nvals entries; tiles as they were on failure. */
gbl_Info gb_tiles_alloc_entries(gb_Tiles *tiles, uint64_t nvals, size_t xbytes);
void gb_tiles_free(gb_Tiles *tiles);
gb_TileView gb_tiles_view(const gb_Tiles *tiles, size_t xsize);
uint64_t gb_tiles_bytes(const gb_Tiles *tiles);

#endif
