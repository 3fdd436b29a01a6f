/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h that AVX2 has: gathers without masks. There are no scatters, and no
 * compression; registers of masks are as wide as lanes.
 */
#ifndef GB_CPU_SIMD_VECLAYER_AVX2_H
#define GB_CPU_SIMD_VECLAYER_AVX2_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

#include <immintrin.h>

#define gb_v_gather_slot gb_v_gather_slot
GB_INLINE void gb_v_gather_slot(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                unsigned n) {
    unsigned l = 0;
    for (; l + 8 <= n; l += 8) {
        const __m256i number = _mm256_loadu_si256((const __m256i *)(at + l));
        _mm256_storeu_si256((__m256i *)(to + l), _mm256_i32gather_epi32((const int *)x, number, 4));
    }
    for (; l < n; l++) to[l] = x[at[l]];
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_wide gb_v_gather_wide
GB_INLINE void gb_v_gather_wide(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                unsigned n) {
    unsigned l = 0;
    for (; l + 4 <= n; l += 4) {
        const __m128i number = _mm_loadu_si128((const __m128i *)(at + l));
        _mm256_storeu_si256((__m256i *)(to + l),
                            _mm256_i32gather_epi64((const long long *)x, number, 8));
    }
    for (; l < n; l++) to[l] = x[at[l]];
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_equal gb_v_equal
GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    gb_m_none(m);
    unsigned l = 0;
    for (; l + 8 <= n; l += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(a + l));
        const __m256i y = _mm256_loadu_si256((const __m256i *)(b + l));
        const unsigned bits =
            (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y)));
        m->w[l / 64] |= (uint64_t)bits << l % 64;
    }
    for (; l < n; l++) m->w[l / 64] |= (uint64_t)(a[l] == b[l]) << l % 64;
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

#define gb_v_equal_to gb_v_equal_to
GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    const __m256i y = _mm256_set1_epi32((int)c);
    gb_m_none(m);
    unsigned l = 0;
    for (; l + 8 <= n; l += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(a + l));
        const unsigned bits =
            (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y)));
        m->w[l / 64] |= (uint64_t)bits << l % 64;
    }
    for (; l < n; l++) m->w[l / 64] |= (uint64_t)(a[l] == c) << l % 64;
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

#define gb_v_equal_wide gb_v_equal_wide
GB_INLINE void gb_v_equal_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    gb_m_none(m);
    unsigned l = 0;
    for (; l + 4 <= n; l += 4) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(a + l));
        const __m256i y = _mm256_loadu_si256((const __m256i *)(b + l));
        const unsigned bits =
            (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(x, y)));
        m->w[l / 64] |= (uint64_t)bits << l % 64;
    }
    for (; l < n; l++) m->w[l / 64] |= (uint64_t)(a[l] == b[l]) << l % 64;
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
}

#endif
