/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of short rows in the lanes of vectors, and their sorting: lane l of vector s is key s of row
 * l. Keys are column << 6 | number of the product in 32 bits where columns leave room, else column
 * << 32 | number in 64 bits, as two groups of 8 lanes. Unused keys are all ones and sort last.
 */
#ifndef GB_CPU_ROWWISE_SHORTKEYS_H
#define GB_CPU_ROWWISE_SHORTKEYS_H

#include "cpu/rowwise/rowwork.h"

typedef struct gb_ShortKeys {
    unsigned size; /* keys per lane: 8, 16, 32 or 64 */
    bool wide;
    union {
        gb_Lanes32 narrow[64];
        gb_Lanes64 wide_keys[2][64];
    };
    uint32_t row[GB_SHORT_ROWS][64]; /* GB_HAS_ROWS: narrow keys once sorted */
} gb_ShortKeys;

/* Sorts the columns of a batch of rows, all below ncols: col[l] are the columns of the products of
 * its row l. */
void GB_ISA_NAME(gb_short_sort)(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                const gb_Idx *const *col);

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

/* The columns of entries [from, to) of B; up to 15 without meaning behind them. Returns how many.
 */
static inline unsigned gb_short_columns(const gb_CsView *B, gb_Off from, gb_Off to, gb_Idx *col) {
    const unsigned n = (unsigned)(to - from);
    for (unsigned e = 0; e < n; e += GB_LANES)
        if (from + e + GB_LANES <= B->nvals)
            gb_store32(col + e, gb_load32(B->i + from + e));
        else
            memcpy(col + e, B->i + from + e, (n - e) * sizeof *col);
    return n;
}

/* The columns of the f keys of lane l, each once; up to 15 without meaning behind them. Returns how
 * many. */
static inline unsigned gb_short_emit_distinct(const gb_ShortKeys *keys, unsigned l, unsigned f,
                                              gb_Idx *Ci) {
    gb_Idx last = GB_NO_KEY;
    unsigned n = 0;
    if (!GB_HAS_ROWS || keys->wide) {
        for (unsigned s = 0, number; s < f; s++) {
            const gb_Idx j = gb_short_key(keys, s, l, &number);
            Ci[n] = j;
            n += j != last;
            last = j;
        }
        return n;
    }
    for (unsigned s = 0; s < f; s += GB_LANES) {
        const unsigned held = f - s < GB_LANES ? (1u << (f - s)) - 1u : 0xFFFFu;
        const gb_Lanes32 j = gb_load32(&keys->row[l][s]) >> 6;
        const unsigned fresh = held & ~gb_equal32(j, gb_previous32(j, last));
        gb_store32(Ci + n, gb_compress32(j, fresh));
        n += (unsigned)__builtin_popcount(fresh);
        last = keys->row[l][s + GB_LANES - 1] >> 6;
    }
    return n;
}

#endif
