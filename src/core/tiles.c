/* SPDX-License-Identifier: Apache-2.0
 *
 * Owning arrays of tiles; see tiles.h.
 */
#include "core/tiles.h"

gbl_Info gb_tiles_alloc(gb_Tiles *tiles, uint64_t nmajor, uint64_t nminor, uint64_t ntiles) {
    *tiles = (gb_Tiles){.nmajor = nmajor, .nminor = nminor, .ntiles = ntiles};
    size_t bytes;
    if (!gb_size_mul(&bytes, ntiles, GB_TILE * sizeof *tiles->mask + 32))
        return gb_fail_memory(SIZE_MAX);
    tiles->p = gb_malloc((gb_tile_count(nmajor) + 1) * sizeof *tiles->p);
    tiles->i = gb_malloc(ntiles * sizeof *tiles->i);
    tiles->nnz = gb_malloc((ntiles + 1) * sizeof *tiles->nnz);
    tiles->row = gb_malloc(ntiles * GB_TILE);
    tiles->mask = gb_malloc(ntiles * GB_TILE * sizeof *tiles->mask);
    const bool none = ntiles == 0;
    if (tiles->p != NULL && tiles->nnz != NULL &&
        (none || (tiles->i != NULL && tiles->row != NULL && tiles->mask != NULL)))
        return GBL_SUCCESS;
    gb_tiles_free(tiles);
    return gb_fail_memory(bytes);
}

gbl_Info gb_tiles_alloc_entries(gb_Tiles *tiles, uint64_t nvals, size_t xbytes) {
    uint8_t *rc = gb_malloc(nvals);
    void *x = gb_malloc(xbytes);
    if ((rc == NULL && nvals > 0) || (x == NULL && xbytes > 0)) {
        gb_free(rc, nvals);
        gb_free(x, xbytes);
        return gb_fail_memory(nvals + xbytes);
    }
    tiles->rc = rc;
    tiles->x = x;
    tiles->nvals = nvals;
    tiles->xcap = xbytes;
    return GBL_SUCCESS;
}

void gb_tiles_free(gb_Tiles *tiles) {
    gb_free(tiles->p, (gb_tile_count(tiles->nmajor) + 1) * sizeof *tiles->p);
    gb_free(tiles->i, tiles->ntiles * sizeof *tiles->i);
    gb_free(tiles->nnz, (tiles->ntiles + 1) * sizeof *tiles->nnz);
    gb_free(tiles->row, tiles->ntiles * GB_TILE);
    gb_free(tiles->mask, tiles->ntiles * GB_TILE * sizeof *tiles->mask);
    gb_free(tiles->rc, tiles->nvals);
    gb_free(tiles->x, tiles->xcap);
    *tiles = (gb_Tiles){0};
}

gb_TileView gb_tiles_view(const gb_Tiles *tiles, size_t xsize) {
    return (gb_TileView){.nmajor = tiles->nmajor,
                         .nminor = tiles->nminor,
                         .nvals = tiles->nvals,
                         .ntiles = tiles->ntiles,
                         .p = tiles->p,
                         .i = tiles->i,
                         .nnz = tiles->nnz,
                         .row = tiles->row,
                         .mask = tiles->mask,
                         .rc = tiles->rc,
                         .x = tiles->x,
                         .xsize = xsize,
                         .iso = tiles->iso};
}

uint64_t gb_tiles_bytes(const gb_Tiles *tiles) {
    return (gb_tile_count(tiles->nmajor) + 1) * sizeof *tiles->p +
           tiles->ntiles * (sizeof *tiles->i + GB_TILE * (1 + sizeof *tiles->mask)) +
           (tiles->ntiles + 1) * sizeof *tiles->nnz + tiles->nvals + tiles->xcap;
}
