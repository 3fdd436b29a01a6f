/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors of any length, for the kernels of the method VECTOR (long-vector SpGEMM), on the
 * operations of simd.h: once for all sets.
 *
 * A vector is an array of at most GB_VL_MOST elements of 4 bytes in L1, and an operation works on
 * its first n lanes, in steps of GB_LANES. Its capacity is a multiple of GB_LANES: steps read and
 * write whole ones, and lanes at or behind n have no meaning after an operation. Parameters marked
 * as arrays are read and written up to n only.
 *
 *   gb_VMask                          bit l % 64 of word l / 64 says something of lane l; bits at
 *                                     or behind n are 0
 *   m                                 the lanes that an operation works on. Others stay, and no
 *                                     address of theirs is formed
 *
 * Indexed, indices below 2^31; those of a scatter differ from each other:
 *   gb_v_gather_slot(to, x, at, m, n)       to[l] = x[at[l]]
 *   gb_v_scatter_slot(x, at, v, m, n)       x[at[l]] = v[l]
 * To masks:
 *   gb_v_equal(m, a, b, n), gb_v_equal_to(m, a, c, n)
 * By masks:
 *   gb_v_compress(to, from, m, n)           lanes of the mask, one after the other, to an array;
 *                                           returns how many
 *   gb_v_list_used(to, number, x, c, first, n)  elements of the array x that are not c, and their
 *                                           lanes + first, to arrays; returns how many
 *   gb_v_next(x, base, most, m, n)          x[l] = base[l] + (x[l] - base[l] + 1 & most)
 * Compilers make vectors of the rest: loops over lanes, and masks as sets.
 */
#pragma once

#include <string.h>

#include "cpu/simd/isa.h"

enum { GB_VL_MOST = 256, GB_VM_WORDS = GB_VL_MOST / 64 };

typedef struct {
    uint64_t w[GB_VM_WORDS];
} gb_VMask;

/* Lanes of the mask, ascending. */
#define GB_V_EACH(l, m, n)                                                                         \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++)                                          \
        for (uint64_t gb_bits = (m)->w[gb_k]; gb_bits != 0; gb_bits &= gb_bits - 1)                \
            for (unsigned l = 64 * gb_k + (unsigned)__builtin_ctzll(gb_bits), gb_once = 1;         \
                 gb_once != 0; gb_once = 0)

/* -- masks as sets ----------------------------------------------------------------------------- */

GB_INLINE unsigned gb_m_words(unsigned n) {
    return (n + 63) / 64;
}

GB_INLINE void gb_m_all(gb_VMask *m, unsigned n) {
    for (unsigned k = 0; k < GB_VM_WORDS; k++) {
        const unsigned from = 64 * k;
        m->w[k] = n >= from + 64 ? ~(uint64_t)0 : n > from ? ((uint64_t)1 << (n - from)) - 1 : 0;
    }
}

GB_INLINE void gb_m_none(gb_VMask *m) {
    for (unsigned k = 0; k < GB_VM_WORDS; k++) m->w[k] = 0;
}

GB_INLINE bool gb_m_any(const gb_VMask *m, unsigned n) {
    uint64_t any = 0;
    for (unsigned k = 0; k < gb_m_words(n); k++) any |= m->w[k];
    return any != 0;
}

GB_INLINE void gb_m_and(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] &= a->w[k];
}

GB_INLINE void gb_m_or(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] |= a->w[k];
}

GB_INLINE void gb_m_without(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] &= ~a->w[k];
}

GB_INLINE bool gb_m_test(const gb_VMask *m, unsigned l) {
    return (m->w[l / 64] >> l % 64 & 1) != 0;
}

/* -- steps ------------------------------------------------------------------------------------- */

/* Lanes of the vector that begins with element `at` of `end`. */
GB_INLINE unsigned gb_v_lanes(uint64_t at, uint64_t end) {
    return end - at < GB_VL_MOST ? (unsigned)(end - at) : (unsigned)GB_VL_MOST;
}

/* Bits of the GB_LANES lanes from l on: those in the mask; those before n. */
GB_INLINE unsigned gb_v_bits(const gb_VMask *m, unsigned l) {
    return (unsigned)(m->w[l / 64] >> l % 64) & ((1u << GB_LANES) - 1u);
}
GB_INLINE unsigned gb_v_first(unsigned l, unsigned n) {
    return n - l < GB_LANES ? (1u << (n - l)) - 1u : (1u << GB_LANES) - 1u;
}

/* A mask of what `bits` says of the lanes from l on, for each step. */
#define GB_V_MASK(m, l, n, bits)                                                                   \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++) {                                        \
        uint64_t gb_word = 0;                                                                      \
        for (unsigned l = 64 * gb_k; l < 64 * gb_k + 64 && l < (n); l += GB_LANES)                 \
            gb_word |= (uint64_t)((bits)&gb_v_first(l, n)) << l % 64;                              \
        (m)->w[gb_k] = gb_word;                                                                    \
    }

/* -- indexed ----------------------------------------------------------------------------------- */

GB_INLINE void gb_v_gather_slot(uint32_t *to, const uint32_t *x, const uint32_t *at,
                                const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES)
        if (gb_v_bits(m, l) != 0) gb_gather32(to + l, x, at + l, gb_v_bits(m, l));
}

GB_INLINE void gb_v_scatter_slot(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                 const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES)
        if (gb_v_bits(m, l) != 0) gb_scatter32(x, at + l, v + l, gb_v_bits(m, l));
}

/* -- to masks ---------------------------------------------------------------------------------- */

GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    GB_V_MASK(m, l, n, gb_equal32(gb_load32(a + l), gb_load32(b + l)));
}

GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_MASK(m, l, n, gb_equal32(gb_load32(a + l), gb_all32(c)));
}

/* -- by masks ---------------------------------------------------------------------------------- */

GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *m,
                                 unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += GB_LANES)
        count += gb_pack32(to + count, from + l, gb_v_bits(m, l));
    return count;
}

GB_INLINE unsigned gb_v_list_used(uint32_t *to, uint32_t *number, const uint32_t *x, uint32_t c,
                                  uint32_t first, unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const gb_Lanes32 v = gb_load_first32(x + l, n - l);
        const unsigned used = ~gb_equal32(v, gb_all32(c)) & gb_v_first(l, n);
        gb_pack_numbers(number + count, first + l, used);
        count += gb_put32(to + count, v, used);
    }
    return count;
}

/* Zeros are added elsewhere and all lanes stored: see gb_gather32 of AVX-512. */
GB_INLINE void gb_v_next(uint32_t *x, const uint32_t *base, uint32_t most, const gb_VMask *m,
                         unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const unsigned bits = gb_v_bits(m, l);
        const gb_Lanes32 v = gb_load32(x + l), slot = v - gb_load32(base + l);
        const gb_Lanes32 more = ((slot + 1) & most) - slot;
        gb_store32(x + l, v + gb_pick_lanes((gb_Lanes32){0}, more, bits, sizeof *x));
    }
}

/* -- lane by lane ------------------------------------------------------------------------------ */

/* base[l] + the highest bits of j[l] times Knuth's constant, of 32: low bits know nothing of those
 * above them in j, and multiples of a power of two would all collide. It is odd, so that no column
 * is lost. */
GB_INLINE void gb_v_hash(uint32_t *restrict to, const uint32_t *base, const uint32_t *j,
                         unsigned shift, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = base[l] + (j[l] * 2654435769u >> shift);
}
