/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of short rows in the lanes of vectors, and their sorting: lane l of vector s is key s of row
 * l. Keys are column << 6 | number of the product in 32 bits where columns leave room, else column
 * << 32 | number in 64 bits, as two groups of 8 lanes. Unused keys are all ones and sort last.
 *
 * Where the set has registers for rows (GB_HAS_ROWS), narrow keys are brought into lanes, and back
 * into rows, by transposing blocks of 16 rows and 16 keys: no loop then depends on the length of a
 * single row, whose end would be guessed wrong for most rows.
 */
#ifndef GB_CPU_ISA_SHORTKEYS_H
#define GB_CPU_ISA_SHORTKEYS_H

#include "cpu/isa/network.h"
#include "cpu/isa/rowwork.h"

typedef struct {
    unsigned size; /* keys per lane: 8, 16, 32 or 64 */
    bool wide;
    union {
        gb_Lanes32 narrow[64];
        gb_Lanes64 wide_keys[2][64];
    };
    uint32_t row[GB_SHORT_ROWS][64]; /* GB_HAS_ROWS: narrow keys once sorted */
} gb_ShortKeys;

static inline void gb_short_put_rows(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                     const gb_Idx *const *col) {
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

static inline void gb_short_take_rows(gb_ShortKeys *keys) {
    for (unsigned s = 0; s < keys->size; s += GB_LANES) {
        gb_Lanes32 r[GB_LANES];
        for (unsigned k = 0; k < GB_LANES; k++)
            r[k] = s + k < keys->size ? keys->narrow[s + k] : gb_all32(0);
        gb_transpose32(r);
        for (unsigned l = 0; l < GB_LANES; l++) gb_store32(&keys->row[l][s], r[l]);
    }
}

static inline void gb_short_put_narrow(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                       const gb_Idx *const *col) {
    memset(keys->narrow, 0xFF, keys->size * sizeof keys->narrow[0]);
    for (unsigned l = 0; l < batch->n; l++) {
        uint32_t *to = (uint32_t *)keys->narrow + l;
        for (unsigned s = 0; s < batch->products[l]; s++) to[GB_LANES * s] = col[l][s] << 6 | s;
    }
}

static inline void gb_short_put_wide(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                     const gb_Idx *const *col) {
    memset(keys->wide_keys, 0xFF, sizeof keys->wide_keys);
    for (unsigned l = 0; l < batch->n; l++) {
        uint64_t *to = (uint64_t *)keys->wide_keys[l / 8] + l % 8;
        for (unsigned s = 0; s < batch->products[l]; s++) to[8 * s] = (uint64_t)col[l][s] << 32 | s;
    }
}

/* Sorts the columns of a batch of rows: col[l] are the columns of the products of its row l. */
static inline void gb_short_sort(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                 const gb_Idx *const *col) {
    const unsigned longest = batch->longest;
    keys->wide = ncols > (uint64_t)1 << 26;
    keys->size = longest <= 8 ? 8 : longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
    if (keys->wide) {
        gb_short_put_wide(keys, batch, col);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[0]);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[1]);
        return;
    }
    if (GB_HAS_ROWS)
        gb_short_put_rows(keys, batch, col);
    else
        gb_short_put_narrow(keys, batch, col);
    GB_ISA_NAME(gb_sort_lanes32)(keys->narrow, keys->size);
    if (GB_HAS_ROWS) gb_short_take_rows(keys);
}

/* Column and number of the product of key s of lane l. */
static inline gb_Idx gb_short_key(const gb_ShortKeys *keys, unsigned s, unsigned l,
                                  unsigned *number) {
    if (keys->wide) {
        const uint64_t key = ((const uint64_t *)keys->wide_keys[l / 8])[8 * s + l % 8];
        *number = (unsigned)key;
        return (gb_Idx)(key >> 32);
    }
    const uint32_t key =
        GB_HAS_ROWS ? keys->row[l][s] : ((const uint32_t *)keys->narrow)[GB_LANES * s + l];
    *number = key & 63u;
    return key >> 6;
}

/* Emits keys s to s + 15 of lane l, or as many as there are of f, with their values of 4 or 8
 * bytes: how many. 0 without GB_HAS_ROWS, where keys are wide, or where two columns are equal, the
 * one before, `last`, among them. */
static inline unsigned gb_short_emit16(const gb_ShortKeys *keys, unsigned s, unsigned l, unsigned f,
                                       gb_Idx last, const void *prod, size_t size, gb_Idx *Ci,
                                       void *Cx) {
    if (!GB_HAS_ROWS || keys->wide || (size != 8 && size != 4)) return 0;
    const unsigned n = f - s < GB_LANES ? f - s : (unsigned)GB_LANES;
    const gb_Lanes32 key = gb_load32(&keys->row[l][s]), j = key >> 6;
    if ((gb_equal32(j, gb_previous32(j, last)) & ((1u << n) - 1u)) != 0) return 0;
    gb_store_first32(Ci, j, n);
    gb_gather_first(Cx, prod, key & 63u, n, size);
    return n;
}

#endif
