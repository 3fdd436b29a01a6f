/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of short rows in the lanes of vectors, and their sorting: lane l of vector s is key s of row
 * l. Keys are column << 6 | number of the product in 32 bits where columns leave room, else column
 * << 32 | number in 64 bits, as two groups of 8 lanes. Unused keys are all ones and sort last.
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
} gb_ShortKeys;

GB_NETWORK(sort_narrow8, gb_Lanes32, gb_order32, 8)
GB_NETWORK(sort_narrow16, gb_Lanes32, gb_order32, 16)
GB_NETWORK(sort_narrow32, gb_Lanes32, gb_order32, 32)
GB_NETWORK(sort_narrow64, gb_Lanes32, gb_order32, 64)
GB_NETWORK(sort_wide64, gb_Lanes64, gb_order64, 64)

static inline void gb_short_begin(gb_ShortKeys *keys, uint64_t ncols, unsigned longest) {
    keys->wide = ncols > (uint64_t)1 << 26;
    keys->size = longest <= 8 ? 8 : longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
    if (keys->wide) {
        keys->size = 64;
        memset(keys->wide_keys, 0xFF, sizeof keys->wide_keys);
    } else {
        memset(keys->narrow, 0xFF, keys->size * sizeof keys->narrow[0]);
    }
}

static inline void gb_short_put(gb_ShortKeys *keys, unsigned l, const gb_Idx *col, unsigned f) {
    if (keys->wide) {
        uint64_t *to = (uint64_t *)keys->wide_keys[l / 8] + l % 8;
        for (unsigned s = 0; s < f; s++) to[8 * s] = (uint64_t)col[s] << 32 | s;
    } else {
        uint32_t *to = (uint32_t *)keys->narrow + l;
        for (unsigned s = 0; s < f; s++) to[16 * s] = col[s] << 6 | s;
    }
}

static inline void gb_short_sort(gb_ShortKeys *keys) {
    if (keys->wide) {
        sort_wide64(keys->wide_keys[0]);
        sort_wide64(keys->wide_keys[1]);
    } else if (keys->size == 8) {
        sort_narrow8(keys->narrow);
    } else if (keys->size == 16) {
        sort_narrow16(keys->narrow);
    } else if (keys->size == 32) {
        sort_narrow32(keys->narrow);
    } else {
        sort_narrow64(keys->narrow);
    }
}

/* Column and number of the product of key s of lane l. */
static inline gb_Idx gb_short_key(const gb_ShortKeys *keys, unsigned s, unsigned l,
                                  unsigned *number) {
    if (keys->wide) {
        const uint64_t key = ((const uint64_t *)keys->wide_keys[l / 8])[8 * s + l % 8];
        *number = (unsigned)key;
        return (gb_Idx)(key >> 32);
    }
    const uint32_t key = ((const uint32_t *)keys->narrow)[16 * s + l];
    *number = key & 63u;
    return key >> 6;
}

#endif
