/* SPDX-License-Identifier: Apache-2.0
 *
 * Emptying 64 columns of the dense accumulator (rowwork.h), for values of 8 bytes.
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

#endif
