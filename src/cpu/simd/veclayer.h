/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors of any length, for the kernels of the method VECTOR (long-vector SpGEMM): kernels
 * are written once against these operations.
 *
 * A vector is an array of at most GB_VL_MOST elements of 4 or 8 bytes in the first cache, and an
 * operation works on its first n lanes, in as many steps of the processor's registers as it takes.
 * So any vector length up to 256 runs on any processor, in plain C too, which is the oracle of the
 * others. Lanes at or behind n, up to the next multiple of 16, have no meaning after an operation,
 * and vectors have room for them; bits behind n in the last word of a mask are 0.
 *
 *   gb_VMask                          bit l % 64 of word l / 64 says something of lane l
 *
 * Indexed, the only operations that touch memory beyond vectors; lanes of the mask alone, where
 * there is one, and no address of another lane is formed. Lanes of one scatter have different
 * places:
 *   gb_v_gather_index(to, x, at, n)         to[l] = x[at[l]], 4 bytes, at of 8 bytes
 *   gb_v_gather_index_if(to, x, at, m, n)
 *   gb_v_gather_offset_if(to, x, at, m, n)  to[l] = x[at[l]], 8 bytes, at of 4 bytes, any value
 *   gb_v_gather_slot(to, x, at, n)          to[l] = x[at[l]], 4 bytes, at of 4 bytes below 2^31
 *   gb_v_gather_slot_if(to, x, at, m, n)
 *   gb_v_scatter_slot_if(x, at, v, m, n)    x[at[l]] = v[l], the same sizes
 *   gb_v_scatter_all(x, at, c, n)           x[at[l]] = c
 *   gb_v_gather_wide(to, x, at, n)          to[l] = x[at[l]], 8 bytes, at of 4 bytes below 2^31,
 *                                           and nothing behind
 * To masks:
 *   gb_v_equal(m, a, b, n)                  a[l] == b[l], 4 bytes
 *   gb_v_equal_to(m, a, c, n)               a[l] == c
 *   gb_v_below(m, a, c, n)                  a[l] < c, unsigned
 *   gb_v_equal_wide(m, a, b, n)             a[l] == b[l], 8 bytes
 *   gb_v_less_wide(m, a, b, n)              a[l] < b[l], 8 bytes, unsigned
 *   gb_v_differs_wide(m, a, b, n)           a[l] != b[l]
 * By masks:
 *   gb_v_compress(to, from, m, n)           lanes of the mask, one after the other and nothing
 *                                           behind them; returns how many
 *   gb_v_list_used(to, number, x, c, first, n)  elements of x that are not c, and their lanes +
 *                                           first; returns how many
 *   gb_v_add_if(x, c, m, n)                 x[l] += c, 4 bytes
 *   gb_v_add_wide_if(x, c, m, n)            x[l] += c, 8 bytes
 * Of values, products without contraction, so that every set has the same bits:
 *   gb_v_multiply_fp64(to, f, n)            to[l] = f.a[p[l]] * f.b[q[l]], and nothing behind
 *   gb_v_accumulate_fp64(x, at, v, live, fresh, n)  of live lanes x[at[l]] = v[l] where fresh, else
 *                                           x[at[l]] + v[l]; at of 4 bytes below 2^31
 * Lane by lane, without headers per set, since compilers make vectors of these loops:
 *   gb_v_set(x, c, n), gb_v_count(x, c, n)  c; c + l, of 4 bytes; gb_v_set_wide, gb_v_count_wide
 *   gb_v_add(to, a, b, n), gb_v_sub_const(x, c, n), gb_v_add_wide(x, c, n)
 *   gb_v_hash(to, base, j, c, shift, n)     base[l] + (j[l] * c >> shift), shift below 32
 *   gb_v_next_if(x, base, most, m, n)       base[l] + (x[l] - base[l] + 1 & most), of the mask
 *   gb_v_copy(to, from, n)                  arrays
 *   gb_v_digit(to, key, shift, most, n)     key[l] >> shift & most, of 8 bytes
 *   gb_v_scale(x, c, n)                     x[l] * c + l, 4 bytes
 *   gb_v_strided(to, x, stride, n)          x[stride * l]; gb_v_strided_wide; gb_v_store_strided
 * Masks as sets: gb_m_all, gb_m_none, gb_m_any, gb_m_and, gb_m_or, gb_m_without, gb_m_test.
 *
 * A new set is a header that defines some of the operations from `indexed` to `of values`, with a
 * macro of the same name for each (#define gb_v_gather_slot gb_v_gather_slot), as simd_avx512.h
 * does for simd.h; what it leaves, veclayer_plain.h defines. It is included below. The value of an
 * operation is that of the plain one, for every n, 0 included; test_veclayer compares them.
 *
 * What counts: where GB_VEC_NOTE is defined before this header is included (bench/vector), each
 * operation tells it what it is, how many lanes it has, how many are active, and the bytes that an
 * active lane moves from or to memory that is not a vector.
 */
#ifndef GB_CPU_SIMD_VECLAYER_H
#define GB_CPU_SIMD_VECLAYER_H

#include <stdbool.h>

#include "cpu/simd/isa.h"

enum { GB_VL_MOST = 256, GB_VM_WORDS = GB_VL_MOST / 64 };

typedef struct {
    uint64_t w[GB_VM_WORDS];
} gb_VMask;

/* Kinds of operations that are counted. */
typedef enum {
    GB_VEC_ARITH,   /* contiguous arithmetic, and loads and stores of vectors */
    GB_VEC_FMA,     /* of values */
    GB_VEC_STREAM,  /* contiguous loads and stores of arrays */
    GB_VEC_STRIDED, /* strided ones */
    GB_VEC_GATHER,
    GB_VEC_SCATTER,
    GB_VEC_MASK, /* compares, and sets of lanes */
    GB_VEC_KINDS
} gb_VecKind;
#ifndef GB_VEC_NOTE
#define GB_VEC_NOTE(kind, n, active, bytes) ((void)0)
#endif

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
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
    return any != 0;
}

GB_INLINE void gb_m_and(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] &= a->w[k];
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

GB_INLINE void gb_m_or(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] |= a->w[k];
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

GB_INLINE void gb_m_without(gb_VMask *m, const gb_VMask *a, unsigned n) {
    for (unsigned k = 0; k < gb_m_words(n); k++) m->w[k] &= ~a->w[k];
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

GB_INLINE bool gb_m_test(const gb_VMask *m, unsigned l) {
    return (m->w[l / 64] >> l % 64 & 1) != 0;
}

GB_INLINE unsigned gb_m_count(const gb_VMask *m, unsigned n) {
    unsigned count = 0;
    for (unsigned k = 0; k < gb_m_words(n); k++) count += (unsigned)__builtin_popcountll(m->w[k]);
    return count;
}

/* Two factors of type FP64, as kernels find them: p and q are offsets, of which the masks leave 0
 * where one value stands for all. */
typedef struct {
    const double *a, *b;
    const uint64_t *p, *q;
    uint64_t amask, bmask;
} gb_VFactors;

/* -- the sets, the best first ------------------------------------------------------------------ */

#ifndef GB_VEC_PLAIN /* defined: plain C whatever the processor has */
#if defined(__AVX512F__)
#include "cpu/simd/veclayer_avx512.h"
#elif defined(__AVX2__)
#include "cpu/simd/veclayer_avx2.h"
#elif defined(__ARM_FEATURE_SVE)
#include "cpu/simd/veclayer_sve.h"
#elif defined(__riscv_vector)
#include "cpu/simd/veclayer_rvv.h"
#elif defined(__aarch64__)
#include "cpu/simd/veclayer_neon.h"
#endif
#endif
#include "cpu/simd/veclayer_plain.h"

/* -- lane by lane ------------------------------------------------------------------------------ */

GB_INLINE void gb_v_set(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_set_wide(uint64_t *x, uint64_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_count(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c + l;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_count_wide(uint64_t *x, uint64_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = c + l;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_add(uint32_t *restrict to, const uint32_t *a, const uint32_t *b, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = a[l] + b[l];
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_sub_const(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] -= c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_add_wide(uint64_t *x, uint64_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] += c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

/* Three operations of a processor: multiply, shift, add. High bits of the product, since its low
 * ones know nothing of those above them in j: multiples of a power of two would all collide. */
GB_INLINE void gb_v_hash(uint32_t *restrict to, const uint32_t *base, const uint32_t *j, uint32_t c,
                         unsigned shift, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = base[l] + (j[l] * c >> shift);
    for (unsigned k = 0; k < 3; k++) GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

/* Three again. */
GB_INLINE void gb_v_next_if(uint32_t *restrict x, const uint32_t *base, uint32_t most,
                            const gb_VMask *m, unsigned n) {
    GB_V_EACH(l, m, n) x[l] = base[l] + ((x[l] - base[l] + 1) & most);
    for (unsigned k = 0; k < 3; k++) GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

GB_INLINE void gb_v_digit(uint32_t *restrict to, const uint64_t *key, unsigned shift, uint32_t most,
                          unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = (uint32_t)(key[l] >> shift) & most;
    for (unsigned k = 0; k < 2; k++) GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_scale(uint32_t *x, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[l] = x[l] * c + l;
    for (unsigned k = 0; k < 2; k++) GB_VEC_NOTE(GB_VEC_ARITH, n, n, 0);
}

GB_INLINE void gb_v_copy(uint32_t *restrict to, const uint32_t *from, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = from[l];
    GB_VEC_NOTE(GB_VEC_STREAM, n, n, sizeof *to);
}

GB_INLINE void gb_v_strided(uint32_t *restrict to, const uint32_t *x, size_t stride, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = x[stride * l];
    GB_VEC_NOTE(GB_VEC_STRIDED, n, n, sizeof *to);
}

GB_INLINE void gb_v_strided_wide(uint64_t *restrict to, const uint64_t *x, size_t stride,
                                 unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = x[stride * l];
    GB_VEC_NOTE(GB_VEC_STRIDED, n, n, sizeof *to);
}

GB_INLINE void gb_v_store_strided(uint32_t *x, size_t stride, const uint32_t *from, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[stride * l] = from[l];
    GB_VEC_NOTE(GB_VEC_STRIDED, n, n, sizeof *x);
}

#endif
