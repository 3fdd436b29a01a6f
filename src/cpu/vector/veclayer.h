/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors of any length, for the kernels of the method VECTOR (long-vector SpGEMM), on the
 * operations of simd.h: once for all sets.
 *
 * A vector is an array of at most GB_VL_MOST elements of 4 or 8 bytes in L1, and an operation works
 * on its first n lanes, in steps of GB_LANES elements of 4 bytes or 8 of 8. Its capacity is a
 * multiple of GB_LANES: steps read and write whole ones, and lanes at or behind n have no meaning
 * after an operation. Parameters marked as arrays are read and written up to n only.
 *
 *   gb_VMask                          bit l % 64 of word l / 64 says something of lane l; bits at
 *                                     or behind n are 0
 *   m                                 the lanes that an operation works on; NULL: the first n.
 *                                     Others stay, and no address of theirs is formed
 *
 * Indexed; indices of a scatter differ from each other:
 *   gb_v_gather_index(to, x, at, m, n)      to[l] = x[at[l]], 4 bytes, at of 8 bytes
 *   gb_v_gather_offset(to, x, at, m, n)     ... 8 bytes, at of 4 bytes, any value
 *   gb_v_gather_slot(to, x, at, m, n)       ... 4 bytes, at of 4 bytes below 2^31
 *   gb_v_gather_wide(to, x, at, n)          ... 8 bytes, at of 4 bytes below 2^31; to is an array
 *   gb_v_scatter_slot(x, at, v, m, n)       x[at[l]] = v[l], 4 bytes, at of 4 bytes below 2^31
 *   gb_v_scatter_all(x, at, c, n)           x[at[l]] = c
 * To masks, unsigned:
 *   gb_v_equal(m, a, b, n), gb_v_equal_to(m, a, c, n), gb_v_below(m, a, c, n)       4 bytes
 *   gb_v_equal_wide(m, a, b, n), gb_v_less_wide(m, a, b, n)                         8 bytes
 *   gb_v_differs_wide(m, a, b, n)           8 bytes; a and b are arrays
 * By masks:
 *   gb_v_compress(to, from, m, n)           lanes of the mask, one after the other, to an array;
 *                                           returns how many
 *   gb_v_list_used(to, number, x, c, first, n)  elements of the array x that are not c, and their
 *                                           lanes + first, to arrays; returns how many
 *   gb_v_add(x, c, m, n), gb_v_add_wide(x, c, m, n)    x[l] += c, of 4 and 8 bytes
 *   gb_v_next(x, base, most, m, n)          x[l] = base[l] + (x[l] - base[l] + 1 & most)
 * Of values, products without contraction, so that every set has the same bits:
 *   gb_v_multiply_fp64(to, f, n)            array to[l] = f.a[p[l]] * f.b[q[l]]
 *   gb_v_accumulate_fp64(x, at, v, live, fresh, n)  of live lanes x[at[l]] = v[l] where fresh, else
 *                                           x[at[l]] + v[l]; at of 4 bytes below 2^31
 * Compilers make vectors of the rest: loops over lanes, and masks as sets.
 */
#ifndef GB_CPU_VECTOR_VECLAYER_H
#define GB_CPU_VECTOR_VECLAYER_H

#include <stdbool.h>
#include <string.h>

#include "cpu/simd/isa.h"

enum { GB_VL_MOST = 256, GB_VM_WORDS = GB_VL_MOST / 64 };

typedef struct {
    uint64_t w[GB_VM_WORDS];
} gb_VMask;

/* Two factors of type FP64: p and q are offsets, of which the masks leave 0 where one value stands
 * for all. */
typedef struct {
    const double *a, *b;
    const uint64_t *p, *q;
    uint64_t amask, bmask;
} gb_VFactors;

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

enum { GB_V_WIDE = 8 }; /* lanes of a gb_Lanes64 */

/* Lanes of the vector that begins with element `at` of `end`. */
GB_INLINE unsigned gb_v_lanes(uint64_t at, uint64_t end) {
    return end - at < GB_VL_MOST ? (unsigned)(end - at) : (unsigned)GB_VL_MOST;
}

/* Bits of the `step` lanes from l on that are in the mask, if there is one, and before n. */
GB_INLINE unsigned gb_v_bits(const gb_VMask *m, unsigned l, unsigned n, unsigned step) {
    const unsigned all = (1u << step) - 1u;
    if (m != NULL) return (unsigned)(m->w[l / 64] >> l % 64) & all;
    return n - l < step ? (1u << (n - l)) - 1u : all;
}

/* A mask of what `bits` says of the lanes from l on, for each step. */
#define GB_V_MASK(m, l, n, step, bits)                                                             \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++) {                                        \
        uint64_t gb_word = 0;                                                                      \
        for (unsigned l = 64 * gb_k; l < 64 * gb_k + 64 && l < (n); l += (step))                   \
            gb_word |= (uint64_t)((bits)&gb_v_bits(NULL, l, n, step)) << l % 64;                   \
        (m)->w[gb_k] = gb_word;                                                                    \
    }

/* -- indexed ----------------------------------------------------------------------------------- */

GB_INLINE void gb_v_gather_index(uint32_t *to, const uint32_t *x, const uint64_t *at,
                                 const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_V_WIDE) {
        const unsigned bits = gb_v_bits(m, l, n, GB_V_WIDE);
        if (bits != 0) gb_gather64(to + l, x, at + l, bits, sizeof *to);
    }
}

GB_INLINE void gb_v_gather_offset(uint64_t *to, const uint64_t *x, const uint32_t *at,
                                  const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_V_WIDE) {
        const unsigned bits = gb_v_bits(m, l, n, GB_V_WIDE);
        const gb_Lanes64 wide = gb_widen(at + l);
        if (bits != 0) gb_gather64(to + l, x, (const uint64_t *)&wide, bits, sizeof *to);
    }
}

GB_INLINE void gb_v_gather_slot(uint32_t *to, const uint32_t *x, const uint32_t *at,
                                const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const unsigned bits = gb_v_bits(m, l, n, GB_LANES);
        if (bits != 0) gb_gather32(to + l, x, at + l, bits);
    }
}

GB_INLINE void gb_v_gather_wide(uint64_t *to, const uint64_t *x, const uint32_t *at, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES)
        gb_gather_first(to + l, x, gb_load32(at + l), n - l, sizeof *to);
}

GB_INLINE void gb_v_scatter_slot(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                 const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const unsigned bits = gb_v_bits(m, l, n, GB_LANES);
        if (bits != 0) gb_scatter32(x, at + l, v + l, bits);
    }
}

GB_INLINE void gb_v_scatter_all(uint32_t *x, const uint32_t *at, uint32_t c, unsigned n) {
    const gb_Lanes32 v = gb_all32(c);
    for (unsigned l = 0; l < n; l += GB_LANES)
        gb_scatter32(x, at + l, (const uint32_t *)&v, gb_v_bits(NULL, l, n, GB_LANES));
}

/* -- to masks ---------------------------------------------------------------------------------- */

GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    GB_V_MASK(m, l, n, GB_LANES, gb_equal32(gb_load32(a + l), gb_load32(b + l)));
}

GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_MASK(m, l, n, GB_LANES, gb_equal32(gb_load32(a + l), gb_all32(c)));
}

GB_INLINE void gb_v_below(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_MASK(m, l, n, GB_LANES, gb_less32(gb_load32(a + l), gb_all32(c)));
}

GB_INLINE void gb_v_equal_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_MASK(m, l, n, GB_V_WIDE, gb_equal64(gb_load64(a + l), gb_load64(b + l)));
}

GB_INLINE void gb_v_less_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_MASK(m, l, n, GB_V_WIDE, gb_less64(gb_load64(a + l), gb_load64(b + l)));
}

GB_INLINE void gb_v_differs_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_MASK(m, l, n, GB_V_WIDE,
              ~gb_equal64(gb_load_first64(a + l, n - l), gb_load_first64(b + l, n - l)));
}

/* -- by masks ---------------------------------------------------------------------------------- */

GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *m,
                                 unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += GB_LANES)
        count += gb_pack32(to + count, from + l, gb_v_bits(m, l, n, GB_LANES));
    return count;
}

GB_INLINE unsigned gb_v_list_used(uint32_t *to, uint32_t *number, const uint32_t *x, uint32_t c,
                                  uint32_t first, unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const gb_Lanes32 v = gb_load_first32(x + l, n - l);
        const unsigned used = ~gb_equal32(v, gb_all32(c)) & gb_v_bits(NULL, l, n, GB_LANES);
        gb_pack_numbers(number + count, first + l, used);
        count += gb_put32(to + count, v, used);
    }
    return count;
}

/* Zeros are added elsewhere and all lanes stored: see gb_gather32 of AVX-512. */
GB_INLINE void gb_v_add(uint32_t *x, uint32_t c, const gb_VMask *m, unsigned n) {
    const gb_Lanes32 more = gb_all32(c);
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const unsigned bits = gb_v_bits(m, l, n, GB_LANES);
        gb_store32(x + l, gb_load32(x + l) + gb_pick_lanes((gb_Lanes32){0}, more, bits, sizeof *x));
    }
}

GB_INLINE void gb_v_add_wide(uint64_t *x, uint64_t c, const gb_VMask *m, unsigned n) {
    const gb_Lanes32 more = (gb_Lanes32)(c - (gb_Lanes64){0});
    for (unsigned l = 0; l < n; l += GB_V_WIDE) {
        const unsigned bits = gb_v_bits(m, l, n, GB_V_WIDE);
        const gb_Lanes32 own = gb_pick_lanes((gb_Lanes32){0}, more, bits, sizeof *x);
        gb_store32(x + l, (gb_Lanes32)(gb_load64(x + l) + (gb_Lanes64)own));
    }
}

GB_INLINE void gb_v_next(uint32_t *x, const uint32_t *base, uint32_t most, const gb_VMask *m,
                         unsigned n) {
    for (unsigned l = 0; l < n; l += GB_LANES) {
        const unsigned bits = gb_v_bits(m, l, n, GB_LANES);
        const gb_Lanes32 v = gb_load32(x + l), slot = v - gb_load32(base + l);
        const gb_Lanes32 more = ((slot + 1) & most) - slot;
        gb_store32(x + l, v + gb_pick_lanes((gb_Lanes32){0}, more, bits, sizeof *x));
    }
}

/* -- of values --------------------------------------------------------------------------------- */

typedef double gb_Values64 __attribute__((vector_size(64)));

GB_INLINE void gb_v_multiply_fp64(double *restrict to, const gb_VFactors *f, unsigned n) {
    if (!GB_HAS_GATHER) {
        for (unsigned l = 0; l < n; l++)
            to[l] = f->a[f->p[l] & f->amask] * f->b[f->q[l] & f->bmask];
        return;
    }
    for (unsigned l = 0; l < n; l += GB_V_WIDE) {
        const unsigned bits = gb_v_bits(NULL, l, n, GB_V_WIDE);
        const gb_Lanes64 p = gb_load64(f->p + l) & f->amask, q = gb_load64(f->q + l) & f->bmask;
        gb_Values64 a = {0}, b = {0};
        gb_gather64(&a, f->a, (const uint64_t *)&p, bits, sizeof *to);
        gb_gather64(&b, f->b, (const uint64_t *)&q, bits, sizeof *to);
        gb_store_first64(to + l, (gb_Lanes64)(a * b), n - l);
    }
}

GB_INLINE void gb_v_accumulate_fp64(double *x, const uint32_t *at, const double *v,
                                    const gb_VMask *live, const gb_VMask *fresh, unsigned n) {
    if (!GB_HAS_GATHER) {
        GB_V_EACH(l, live, n) x[at[l]] = gb_m_test(fresh, l) ? v[l] : x[at[l]] + v[l];
        return;
    }
    for (unsigned l = 0; l < n; l += GB_V_WIDE) {
        const unsigned bits = gb_v_bits(live, l, n, GB_V_WIDE);
        const unsigned old = bits & ~gb_v_bits(fresh, l, n, GB_V_WIDE);
        const gb_Lanes64 number = gb_widen(at + l), product = gb_load64(v + l);
        gb_Lanes32 sum = (gb_Lanes32)product;
        if (old != 0) {
            gb_Values64 had = (gb_Values64)product;
            gb_gather64(&had, x, (const uint64_t *)&number, old, sizeof *x);
            sum = gb_pick_lanes(sum, (gb_Lanes32)(had + (gb_Values64)product), old, sizeof *x);
        }
        if (bits != 0) gb_scatter64(x, (const uint64_t *)&number, &sum, bits);
    }
}

/* -- lane by lane ------------------------------------------------------------------------------ */

GB_INLINE void gb_v_set(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c;
}

GB_INLINE void gb_v_set_wide(uint64_t *x, uint64_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c;
}

/* c, c + 1, ... */
GB_INLINE void gb_v_count(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c + l;
}

GB_INLINE void gb_v_count_wide(uint64_t *x, uint64_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c + l;
}

GB_INLINE void gb_v_sum(uint32_t *restrict to, const uint32_t *a, const uint32_t *b, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = a[l] + b[l];
}

GB_INLINE void gb_v_minus(uint32_t *restrict to, const uint32_t *a, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = a[l] - c;
}

/* base[l] + the highest bits of j[l] * c, of 32: its low ones know nothing of those above them in
 * j, and multiples of a power of two would all collide. */
GB_INLINE void gb_v_hash(uint32_t *restrict to, const uint32_t *base, const uint32_t *j, uint32_t c,
                         unsigned shift, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = base[l] + (j[l] * c >> shift);
}

GB_INLINE void gb_v_copy(uint32_t *restrict to, const uint32_t *from, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = from[l];
}

GB_INLINE void gb_v_strided(uint32_t *restrict to, const uint32_t *x, size_t stride, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = x[stride * l];
}

#endif
