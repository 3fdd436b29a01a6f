/* SPDX-License-Identifier: Apache-2.0
 *
 * Emptying the dense accumulator (rowwork.h).
 */
#ifndef GB_CPU_ROWWISE_DENSE_H
#define GB_CPU_ROWWISE_DENSE_H

#include "cpu/rowwise/rowwork.h"

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

GB_INLINE uint64_t gb_gather_sized(gb_RowWork *w, uint64_t ncols, const void *clear, gb_RowPlace to,
                                   const size_t size) {
    char *restrict Cx = (char *)to.x, *restrict val = (char *)w->val;
    uint64_t n = 0;
    const uint64_t nblocks = (ncols + 63) / 64;
    for (uint64_t b64 = 0; b64 < nblocks; b64 += 64) {
        uint64_t blocks = gb_nonzero_bytes(w->block + b64);
        if (blocks == 0) continue;
        memset(w->block + b64, 0, 64);
        for (; blocks != 0; blocks &= blocks - 1) {
            const uint64_t base = (b64 + (uint64_t)__builtin_ctzll(blocks)) * 64;
            uint64_t bits = gb_nonzero_bytes(w->mark + base);
            memset(w->mark + base, 0, 64);
            if (GB_HAS_COMPRESS && size == 8 && __builtin_popcountll(bits) > GB_PACK_LEAST &&
                base + 64 <= ncols) {
                uint64_t identity;
                memcpy(&identity, clear, sizeof identity);
                n += gb_pack_columns(bits, (gb_Idx)base, to.i + n, (uint64_t *)to.x + n,
                                     (uint64_t *)w->val + base, identity);
                continue;
            }
            for (; bits != 0; bits &= bits - 1, n++) {
                const uint64_t j = base + (uint64_t)__builtin_ctzll(bits);
                to.i[n] = (gb_Idx)j;
                memcpy(Cx + n * size, val + j * size, size);
                memcpy(val + j * size, clear, size);
            }
        }
    }
    return n;
}

/* Emits the marked columns of the blocks touched, and cleans: values become *clear. Once per size
 * of a value, not per semiring. */
GB_PER_ROW uint64_t gb_gather_marked(gb_RowWork *w, uint64_t ncols, const void *clear,
                                     gb_RowPlace to) {
    const size_t size = w->args.zsize;
    if (size == 8) return gb_gather_sized(w, ncols, clear, to, 8);
    if (size == 4) return gb_gather_sized(w, ncols, clear, to, 4);
    if (size == 1) return gb_gather_sized(w, ncols, clear, to, 1);
    return gb_gather_sized(w, ncols, clear, to, size);
}

#endif
