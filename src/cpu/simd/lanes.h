/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving the entries of a row of 16 columns between their packed form and 16 lanes, whatever they
 * mean: lane c belongs to bit c of the mask.
 */
#pragma once

#include "cpu/simd/isa.h"

#define GB_UNROLL _Pragma("GCC unroll 16")
/* For what is done once before a loop: unrolled it adds code to every semiring, no less time. */
#define GB_ROLLED _Pragma("GCC unroll 1")

/* Lane l has bit l. */
#if GB_REGISTER == 64
static const gb_Register64 gb_bit8 = {1, 2, 4, 8, 16, 32, 64, 128};
static const gb_Register32 gb_bit4 = {1,   2,   4,    8,    16,   32,   64,    128,
                                      256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#elif GB_REGISTER == 32
static const gb_Register64 gb_bit8 = {1, 2, 4, 8};
static const gb_Register32 gb_bit4 = {1, 2, 4, 8, 16, 32, 64, 128};
#else
static const gb_Register64 gb_bit8 = {1, 2};
static const gb_Register32 gb_bit4 = {1, 2, 4, 8};
#endif

/* Lanes of x where cond is all ones, of y where it is 0. */
#define GB_PICK(cond, x, y)                                                                        \
    ((__typeof__(x))(((__typeof__(cond))(x) & (cond)) | ((__typeof__(cond))(y) & ~(cond))))

/* base plus each column of the mask; returns how many. With `slack`, numbers without meaning may be
 * written behind them, 16 in all. */
static inline unsigned gb_columns(gb_Idx *to, gb_Idx base, unsigned mask, bool slack) {
    if (!slack) return gb_pack_numbers(to, base, mask);
    if (GB_HAS_COMPRESS) {
        gb_store32(to, gb_compress32(gb_numbers32(base), mask));
    } else {
        uint8_t column[GB_TILE] = {0};
        gb_set_bits(column, mask, 0);
        for (unsigned c = 0; c < GB_TILE; c++) to[c] = base + column[c];
    }
    return (unsigned)__builtin_popcount(mask);
}

/* row << 4 | column of each bit of the mask; else as above. */
static inline void gb_tile_positions(uint8_t *to, unsigned row, unsigned mask, bool slack) {
    if (slack)
        gb_set_bits(to, mask, row << 4);
    else
        for (; mask != 0; mask &= mask - 1)
            *to++ = (uint8_t)(row << 4 | (unsigned)__builtin_ctz(mask));
}

/* 16 values of 4 or 8 bytes, by vectors: a call of memcpy costs more than the copy. */
GB_INLINE void gb_copy_lanes(void *to, const void *from, size_t size) {
    for (size_t at = 0; at < GB_TILE * size; at += sizeof(gb_Lanes64)) {
        gb_Lanes64 lanes;
        __builtin_memcpy(&lanes, (const char *)from + at, sizeof lanes);
        __builtin_memcpy((char *)to + at, &lanes, sizeof lanes);
    }
}

/* -- sorting networks (network.c) -------------------------------------------------------------- */

/* Odd-even merge (Batcher 1968) for many short rows at once: lane l of v[0..n) holds the keys of
 * row l, and a comparator is one minimum and one maximum of whole vectors. So a row of n keys costs
 * about n log^2(n) / 32 instructions, and no branch depends on data. */
/* Sorts each lane of v[0..n) ascending; n is 8, 16, 32 or 64. */
void GB_ISA_NAME(gb_sort_lanes32)(gb_Lanes32 *v, unsigned n);
/* Sorts each lane of v[0..64) ascending. */
void GB_ISA_NAME(gb_sort_lanes64)(gb_Lanes64 *v);
