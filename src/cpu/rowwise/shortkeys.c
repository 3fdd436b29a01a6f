/* SPDX-License-Identifier: Apache-2.0
 *
 * Bringing keys of short rows into lanes and sorting them; see shortkeys.h. No semiring matters
 * here, so this is compiled once and not with each.
 *
 * Where the set has registers for rows (GB_HAS_ROWS), narrow keys are brought into lanes, and back
 * into rows, by transposing blocks of 16 rows and 16 keys: no loop then depends on the length of a
 * single row, whose end would be guessed wrong for most rows.
 */
#include "cpu/rowwise/shortkeys.h"

#include "cpu/simd/network.h"

static void put_rows(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    const gb_Lanes32 none = gb_all32(GB_NO_KEY);
    for (unsigned s = 0; s < keys->size; s += GB_LANES) {
        const gb_Lanes32 number = gb_numbers32(s);
        gb_Lanes32 r[GB_LANES];
        for (unsigned l = 0; l < GB_LANES; l++) {
            const unsigned f = l < batch->n ? batch->products[l] : 0, n = f > s ? f - s : 0;
            /* an address that is mapped even where nothing is loaded: else it takes 100 ns */
            const gb_Lanes32 j = gb_load_first32(n > 0 ? col[l] + s : col[0], n);
            r[l] = gb_first_or32(n, j << 6 | number, none);
        }
        gb_transpose32(r);
        for (unsigned k = 0; k < GB_LANES && s + k < keys->size; k++) keys->narrow[s + k] = r[k];
    }
}

static void take_rows(gb_ShortKeys *keys) {
    for (unsigned s = 0; s < keys->size; s += GB_LANES) {
        gb_Lanes32 r[GB_LANES];
        for (unsigned k = 0; k < GB_LANES; k++)
            r[k] = s + k < keys->size ? keys->narrow[s + k] : gb_all32(0);
        gb_transpose32(r);
        for (unsigned l = 0; l < GB_LANES; l++) gb_store32(&keys->row[l][s], r[l]);
    }
}

static void put_narrow(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    memset(keys->narrow, 0xFF, keys->size * sizeof keys->narrow[0]);
    for (unsigned l = 0; l < batch->n; l++) {
        uint32_t *to = (uint32_t *)keys->narrow + l;
        for (unsigned s = 0; s < batch->products[l]; s++) to[GB_LANES * s] = col[l][s] << 6 | s;
    }
}

static void put_wide(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    memset(keys->wide_keys, 0xFF, sizeof keys->wide_keys);
    for (unsigned l = 0; l < batch->n; l++) {
        uint64_t *to = (uint64_t *)keys->wide_keys[l / 8] + l % 8;
        for (unsigned s = 0; s < batch->products[l]; s++) to[8 * s] = (uint64_t)col[l][s] << 32 | s;
    }
}

void GB_ISA_NAME(gb_short_sort)(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                const gb_Idx *const *col) {
    const unsigned longest = batch->longest;
    keys->wide = ncols > (uint64_t)1 << 26;
    keys->size = longest <= 8 ? 8 : longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
    if (keys->wide) {
        put_wide(keys, batch, col);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[0]);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[1]);
        return;
    }
    if (GB_HAS_ROWS)
        put_rows(keys, batch, col);
    else
        put_narrow(keys, batch, col);
    GB_ISA_NAME(gb_sort_lanes32)(keys->narrow, keys->size);
    if (GB_HAS_ROWS) take_rows(keys);
}
