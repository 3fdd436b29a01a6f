/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator without marks, for sums of floats whose rows touch most columns: at rest a
 * value is -0, and since 0 is added to every product no sum is ever -0, so the bits of a value tell
 * whether its column has an entry. The sums are to the bit those of the accumulator that begins
 * with 0. Part of rowwise.tmpl.h.
 *
 * A store less per product, into an array that the first cache does not hold; but looking for the
 * entries of 64 columns reads and clears 64 values instead of 64 bytes.
 */
#include "cpu/isa/dense.h"
#include "cpu/isa/rowwork.h"
#include "cpu/isa/template.h"

static void NAME(rest)(void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) *SR_AT(val, j) = -SR_ZERO;
}

/* Bit l is set where val[l] is not at rest; l < width <= 64. */
static inline uint64_t NAME(touched)(const SR_T *val, unsigned width) {
    enum { LINE = 64 / sizeof(SR_T) };
    SR_T line[LINE], last[64];
    uint64_t bits = 0;
    NAME(rest)(line, LINE);
    const gb_Lanes32 rest = gb_load32(line);
    if (width < 64) {
        NAME(rest)(last, 64);
        memcpy(last, val, width * sizeof *last);
        val = last;
    }
    for (unsigned l = 0; l < 64; l += LINE) {
        const unsigned same = gb_equal32(gb_load32(val + l), rest);
        const unsigned there =
            sizeof(SR_T) == 4 ? ~same & 0xFFFFu : gb_even_bits(~(same & same >> 1));
        bits |= (uint64_t)there << l;
    }
    return bits;
}

/* Emits the columns that are not at rest, and puts them to rest. */
static uint64_t NAME(gather_unmarked)(gb_RowWork *w, uint64_t ncols, gb_Idx *Ci, void *Cx) {
    const SR_T rest = -SR_ZERO;
    const uint64_t nblocks = (ncols + 63) / 64;
    uint64_t n = 0, clear = 0;
    memcpy(&clear, &rest, sizeof rest);
    for (uint64_t b = 0; b < nblocks; b++) {
        if (!w->block[b]) continue;
        w->block[b] = 0;
        const uint64_t base = 64 * b;
        const unsigned width = ncols - base < 64 ? (unsigned)(ncols - base) : 64;
        SR_T *val = SR_AT(w->val, base);
        uint64_t bits = NAME(touched)(val, width);
#if GB_HAS_COMPRESS
        if (width == 64 && __builtin_popcountll(bits) > GB_PACK_LEAST) {
            n += sizeof(SR_T) == 8
                     ? gb_pack_columns(bits, (gb_Idx)base, Ci + n, (uint64_t *)Cx + n,
                                       (uint64_t *)(void *)val, clear)
                     : gb_pack_columns32(bits, (gb_Idx)base, Ci + n, (uint32_t *)Cx + n,
                                         (uint32_t *)(void *)val, (uint32_t)clear);
            continue;
        }
#endif
        for (; bits != 0; bits &= bits - 1, n++) {
            const unsigned l = (unsigned)__builtin_ctzll(bits);
            Ci[n] = (gb_Idx)(base + l);
            *SR_AT(Cx, n) = val[l];
            val[l] = rest;
        }
    }
    return n;
}
