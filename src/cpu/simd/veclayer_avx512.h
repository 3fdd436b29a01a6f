/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h with AVX-512 (F, BW, DQ, VL): 8 lanes a step where an element or an
 * address has 8 bytes, 16 where both have 4. Loads do not touch lanes behind n; vectors are stored
 * in whole steps, since a load that follows a masked store waits until that is in the cache.
 */
#ifndef GB_CPU_SIMD_VECLAYER_AVX512_H
#define GB_CPU_SIMD_VECLAYER_AVX512_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

#include <immintrin.h>

GB_INLINE __mmask8 gb_v_first8(unsigned l, unsigned n) {
    return n - l >= 8 ? (__mmask8)0xFF : (__mmask8)((1u << (n - l)) - 1u);
}
GB_INLINE __mmask16 gb_v_first16(unsigned l, unsigned n) {
    return n - l >= 16 ? (__mmask16)0xFFFF : (__mmask16)((1u << (n - l)) - 1u);
}
/* Lanes from l on, of a multiple of 8 or 16; bits behind n are 0 in every mask. */
GB_INLINE __mmask8 gb_v_mask8(const gb_VMask *m, unsigned l) {
    return (__mmask8)(m->w[l / 64] >> l % 64);
}
GB_INLINE __mmask16 gb_v_mask16(const gb_VMask *m, unsigned l) {
    return (__mmask16)(m->w[l / 64] >> l % 64);
}

#define gb_v_gather_index gb_v_gather_index
GB_INLINE void gb_v_gather_index(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                 unsigned n) {
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_first8(l, n);
        const __m512i number = _mm512_maskz_loadu_epi64(m, at + l);
        const __m256i v =
            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), m, number, (const void *)x, 4);
        _mm256_storeu_si256((__m256i *)(to + l), v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_index_if gb_v_gather_index_if
GB_INLINE void gb_v_gather_index_if(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                    const gb_VMask *live, unsigned n) {
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_mask8(live, l);
        if (m == 0) continue;
        const __m512i number = _mm512_maskz_loadu_epi64(m, at + l);
        const __m256i had = _mm256_loadu_si256((const __m256i *)(to + l));
        const __m256i v = _mm512_mask_i64gather_epi32(had, m, number, (const void *)x, 4);
        _mm256_storeu_si256((__m256i *)(to + l), v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *to);
}

#define gb_v_gather_offset_if gb_v_gather_offset_if
GB_INLINE void gb_v_gather_offset_if(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                     const gb_VMask *live, unsigned n) {
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_mask8(live, l);
        if (m == 0) continue;
        const __m512i number = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(m, at + l));
        const __m512i had = _mm512_loadu_si512(to + l);
        const __m512i v = _mm512_mask_i64gather_epi64(had, m, number, (const void *)x, 8);
        _mm512_storeu_si512(to + l, v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *to);
}

#define gb_v_gather_slot gb_v_gather_slot
GB_INLINE void gb_v_gather_slot(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                unsigned n) {
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 m = gb_v_first16(l, n);
        const __m512i number = _mm512_maskz_loadu_epi32(m, at + l);
        const __m512i v =
            _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, number, (const void *)x, 4);
        _mm512_storeu_si512(to + l, v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_slot_if gb_v_gather_slot_if
GB_INLINE void gb_v_gather_slot_if(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                   const gb_VMask *live, unsigned n) {
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 m = gb_v_mask16(live, l);
        if (m == 0) continue;
        const __m512i number = _mm512_maskz_loadu_epi32(m, at + l);
        const __m512i had = _mm512_loadu_si512(to + l);
        const __m512i v = _mm512_mask_i32gather_epi32(had, m, number, (const void *)x, 4);
        _mm512_storeu_si512(to + l, v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *to);
}

#define gb_v_scatter_slot_if gb_v_scatter_slot_if
GB_INLINE void gb_v_scatter_slot_if(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                    const gb_VMask *live, unsigned n) {
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 m = gb_v_mask16(live, l);
        if (m == 0) continue;
        _mm512_mask_i32scatter_epi32(x, m, _mm512_maskz_loadu_epi32(m, at + l),
                                     _mm512_maskz_loadu_epi32(m, v + l), 4);
    }
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(live, n), sizeof *x);
}

#define gb_v_gather_wide gb_v_gather_wide
GB_INLINE void gb_v_gather_wide(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                unsigned n) {
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_first8(l, n);
        const __m256i number = _mm256_maskz_loadu_epi32(m, at + l);
        const __m512i v =
            _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), m, number, (const void *)x, 8);
        _mm512_mask_storeu_epi64(to + l, m, v);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

/* -- to masks ---------------------------------------------------------------------------------- */

/* What `compare` says of the lanes from l on, for each step. */
#define GB_V_MASKS(m, l, n, step, compare)                                                         \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++) {                                        \
        uint64_t gb_bits = 0;                                                                      \
        for (unsigned l = 64 * gb_k; l < 64 * gb_k + 64 && l < (n); l += (step))                   \
            gb_bits |= (uint64_t)(compare) << l % 64;                                              \
        (m)->w[gb_k] = gb_bits;                                                                    \
    }                                                                                              \
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0)
#define GB_V_MASK512(name, a_type, step, first, load, compare)                                     \
    GB_INLINE void name(gb_VMask *m, const a_type *a, const a_type *b, unsigned n) {               \
        GB_V_MASKS(m, l, n, step,                                                                  \
                   compare(first(l, n), load(first(l, n), a + l), load(first(l, n), b + l)));      \
    }
#define gb_v_equal gb_v_equal
GB_V_MASK512(gb_v_equal, uint32_t, 16, gb_v_first16, _mm512_maskz_loadu_epi32,
             _mm512_mask_cmpeq_epu32_mask)
#define gb_v_equal_wide gb_v_equal_wide
GB_V_MASK512(gb_v_equal_wide, uint64_t, 8, gb_v_first8, _mm512_maskz_loadu_epi64,
             _mm512_mask_cmpeq_epu64_mask)
#define gb_v_less_wide gb_v_less_wide
GB_V_MASK512(gb_v_less_wide, uint64_t, 8, gb_v_first8, _mm512_maskz_loadu_epi64,
             _mm512_mask_cmplt_epu64_mask)
#define gb_v_differs_wide gb_v_differs_wide
GB_V_MASK512(gb_v_differs_wide, uint64_t, 8, gb_v_first8, _mm512_maskz_loadu_epi64,
             _mm512_mask_cmpneq_epu64_mask)
#undef GB_V_MASK512

#define gb_v_equal_to gb_v_equal_to
GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    const __m512i y = _mm512_set1_epi32((int)c);
    GB_V_MASKS(m, l, n, 16,
               _mm512_mask_cmpeq_epu32_mask(
                   gb_v_first16(l, n), _mm512_maskz_loadu_epi32(gb_v_first16(l, n), a + l), y));
}

#define gb_v_below gb_v_below
GB_INLINE void gb_v_below(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    const __m512i y = _mm512_set1_epi32((int)c);
    GB_V_MASKS(m, l, n, 16,
               _mm512_mask_cmplt_epu32_mask(
                   gb_v_first16(l, n), _mm512_maskz_loadu_epi32(gb_v_first16(l, n), a + l), y));
}

/* -- by masks ---------------------------------------------------------------------------------- */

#define gb_v_compress gb_v_compress
GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *live,
                                 unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 m = gb_v_mask16(live, l);
        const unsigned here = (unsigned)__builtin_popcount(m);
        const __m512i v = _mm512_maskz_compress_epi32(m, _mm512_maskz_loadu_epi32(m, from + l));
        _mm512_mask_storeu_epi32(to + count, (__mmask16)((1u << here) - 1u), v);
        count += here;
    }
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    return count;
}

#define gb_v_list_used gb_v_list_used
GB_INLINE unsigned gb_v_list_used(uint32_t *restrict to, uint32_t *restrict number,
                                  const uint32_t *x, uint32_t c, uint32_t first, unsigned n) {
    const __m512i none = _mm512_set1_epi32((int)c);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 here = gb_v_first16(l, n);
        const __m512i v = _mm512_maskz_loadu_epi32(here, x + l);
        const __mmask16 m = _mm512_mask_cmpneq_epu32_mask(here, v, none);
        const unsigned found = (unsigned)__builtin_popcount(m);
        const __mmask16 some = (__mmask16)((1u << found) - 1u);
        const __m512i at = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(first + l)));
        _mm512_mask_storeu_epi32(to + count, some, _mm512_maskz_compress_epi32(m, v));
        _mm512_mask_storeu_epi32(number + count, some, _mm512_maskz_compress_epi32(m, at));
        count += found;
    }
    GB_VEC_NOTE(GB_VEC_STREAM, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *number);
    return count;
}

#define gb_v_add_if gb_v_add_if
GB_INLINE void gb_v_add_if(uint32_t *x, uint32_t c, const gb_VMask *live, unsigned n) {
    const __m512i y = _mm512_set1_epi32((int)c);
    for (unsigned l = 0; l < n; l += 16) {
        const __mmask16 m = gb_v_mask16(live, l);
        const __m512i v = _mm512_loadu_si512(x + l);
        _mm512_storeu_si512(x + l, _mm512_mask_add_epi32(v, m, v, y));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(live, n), 0);
}

#define gb_v_add_wide_if gb_v_add_wide_if
GB_INLINE void gb_v_add_wide_if(uint64_t *x, uint64_t c, const gb_VMask *live, unsigned n) {
    const __m512i y = _mm512_set1_epi64((long long)c);
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_mask8(live, l);
        const __m512i v = _mm512_loadu_si512(x + l);
        _mm512_storeu_si512(x + l, _mm512_mask_add_epi64(v, m, v, y));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(live, n), 0);
}

/* -- of values --------------------------------------------------------------------------------- */

#define gb_v_multiply_fp64 gb_v_multiply_fp64
GB_INLINE void gb_v_multiply_fp64(double *restrict to, const gb_VFactors *f, unsigned n) {
    const __m512i amask = _mm512_set1_epi64((long long)f->amask);
    const __m512i bmask = _mm512_set1_epi64((long long)f->bmask);
    const __m512d zero = _mm512_setzero_pd();
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_first8(l, n);
        const __m512i p = _mm512_and_si512(_mm512_maskz_loadu_epi64(m, f->p + l), amask);
        const __m512i q = _mm512_and_si512(_mm512_maskz_loadu_epi64(m, f->q + l), bmask);
        const __m512d a = _mm512_mask_i64gather_pd(zero, m, p, f->a, 8);
        const __m512d b = _mm512_mask_i64gather_pd(zero, m, q, f->b, 8);
        if (m == 0xFF)
            _mm512_storeu_pd(to + l, _mm512_mul_pd(a, b));
        else
            _mm512_mask_storeu_pd(to + l, m, _mm512_mul_pd(a, b));
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_accumulate_fp64 gb_v_accumulate_fp64
GB_INLINE void gb_v_accumulate_fp64(double *x, const uint32_t *at, const double *v,
                                    const gb_VMask *live, const gb_VMask *fresh, unsigned n) {
    for (unsigned l = 0; l < n; l += 8) {
        const __mmask8 m = gb_v_mask8(live, l), old = m & (__mmask8)~gb_v_mask8(fresh, l);
        if (m == 0) continue;
        const __m256i number = _mm256_maskz_loadu_epi32(m, at + l);
        const __m512d product = _mm512_maskz_loadu_pd(m, v + l);
        __m512d sum = product;
        if (old != 0) {
            const __m512d had = _mm512_mask_i32gather_pd(product, old, number, x, 8);
            sum = _mm512_mask_add_pd(product, old, had, product);
        }
        _mm512_mask_i32scatter_pd(x, m, number, sum, 8);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *x);
    GB_VEC_NOTE(GB_VEC_FMA, n, gb_m_count(live, n), 0);
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(live, n), sizeof *x);
}

#endif
