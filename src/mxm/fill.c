/* SPDX-License-Identifier: Apache-2.0
 *
 * How full the tiles of a matrix would be, without making them: entries and distinct tiles of a few
 * rows of tiles, spread evenly over the matrix.
 */
#include "mxm/mxm.h"

#include <stdlib.h>

#include "core/parallel.h"
#include "mxm/cost_table.h"

static int ascending(const void *x, const void *y) {
    const gb_Idx a = *(const gb_Idx *)x, b = *(const gb_Idx *)y;
    return (a > b) - (a < b);
}

/* Entries of the first rows of a row of tiles, as far as the list of columns of tiles reaches, and
 * the tiles that these have. */
static void look_at(const gb_CsView *A, uint64_t tile_row, uint64_t *entries, uint64_t *tiles) {
    gb_Idx list[GB_FILL_LIST];
    uint64_t n = 0, seen = 0;
    const uint64_t end = (tile_row + 1) * GB_TILE;
    for (uint64_t r = tile_row * GB_TILE; r < A->nmajor && r < end; r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1] && n < GB_FILL_LIST; q++, seen++) {
            const gb_Idx J = A->i[q] / GB_TILE;
            if (q == A->p[r] || J != A->i[q - 1] / GB_TILE) list[n++] = J;
        }
    qsort(list, n, sizeof *list, ascending);
    for (uint64_t k = 0; k < n; k++) *tiles += k == 0 || list[k] != list[k - 1];
    *entries += seen;
}

double gb_tile_fill(const gb_CsView *A) {
    const uint64_t rows = gb_tile_count(A->nmajor);
    const uint64_t samples = rows < GB_FILL_SAMPLES ? rows : GB_FILL_SAMPLES;
    uint64_t entries = 0, tiles = 0;
    for (uint64_t s = 0; s < samples; s++) look_at(A, gb_part(rows, s, samples), &entries, &tiles);
    return tiles > 0 ? (double)entries / (double)tiles : 0.0;
}
