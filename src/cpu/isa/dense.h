/* SPDX-License-Identifier: Apache-2.0
 *
 * Emptying 64 columns of the dense accumulator (rowwork.h), for values of 4 and 8 bytes.
 */
#ifndef GB_CPU_ISA_DENSE_H
#define GB_CPU_ISA_DENSE_H

#include "cpu/isa/isa.h"

/* More columns of 64 than this are packed rather than copied one by one. */
enum { GB_PACK_LEAST = 12 };

/* Writes the entries of the 64 columns from `base` on that `bits` selects, and sets the values near
 * them to `clear`. Returns how many. */
static inline uint64_t gb_pack_columns(uint64_t bits, gb_Idx base, gb_Idx *Ci, uint64_t *Cx,
                                       uint64_t *val, uint64_t clear) {
    const gb_Lanes64 fill = clear - (gb_Lanes64){0};
    uint64_t n = 0;
    for (unsigned from = 0; from < 64; from += GB_LANES, val += GB_LANES) {
        const unsigned mask = (unsigned)(bits >> from) & 0xFFFFu;
        if (mask == 0) continue;
        gb_pack_numbers(Ci + n, base + from, mask);
        n += gb_pack64(Cx + n, val, mask);
        __builtin_memcpy(val, &fill, sizeof fill);
        __builtin_memcpy(val + GB_LANES / 2, &fill, sizeof fill);
    }
    return n;
}

/* The same for values of 4 bytes. */
static inline uint64_t gb_pack_columns32(uint64_t bits, gb_Idx base, gb_Idx *Ci, uint32_t *Cx,
                                         uint32_t *val, uint32_t clear) {
    const gb_Lanes32 fill = gb_all32(clear);
    uint64_t n = 0;
    for (unsigned from = 0; from < 64; from += GB_LANES, val += GB_LANES) {
        const unsigned mask = (unsigned)(bits >> from) & 0xFFFFu;
        if (mask == 0) continue;
        gb_pack_numbers(Ci + n, base + from, mask);
        n += gb_pack32(Cx + n, val, mask);
        gb_store32(val, fill);
    }
    return n;
}

/* Bits 0, 2, 4, ... of 16 as bits 0, 1, 2, ... */
static inline unsigned gb_even_bits(unsigned x) {
    x &= 0x5555u;
    x = (x | x >> 1) & 0x3333u;
    x = (x | x >> 2) & 0x0F0Fu;
    return (x | x >> 4) & 0x00FFu;
}

#endif
