/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels compiled once per instruction set share: names with the suffix of the set, and
 * the few places where the sets differ. Everything else is plain C that the compiler vectorises
 * with the flags of the set. GB_ISA is portable, avx2 or avx512.
 */
#ifndef GB_CPU_ISA_ISA_H
#define GB_CPU_ISA_ISA_H

#include "core/view.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define GB_CAT2(a, b) a##_##b
#define GB_CAT(a, b) GB_CAT2(a, b)
#define GB_ISA_NAME(f) GB_CAT(f, GB_ISA)

/* Lane types by the compiler's vector extension: each set splits them as it must. */
typedef uint32_t gb_Lanes32 __attribute__((vector_size(64)));
typedef uint64_t gb_Lanes64 __attribute__((vector_size(64)));

/* Bit k of the result says whether byte k of m[64] is not 0. */
static inline uint64_t gb_nonzero_bytes(const uint8_t *m) {
#if defined(__AVX512BW__)
    const __m512i v = _mm512_loadu_si512(m);
    return _mm512_test_epi8_mask(v, v);
#elif defined(__SSE2__)
    uint64_t bits = 0;
    for (int k = 0; k < 4; k++) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(m + 16 * k));
        const unsigned zero = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128()));
        bits |= (uint64_t)(~zero & 0xFFFFu) << (16 * k);
    }
    return bits;
#else
    uint64_t bits = 0;
    for (int k = 0; k < 64; k++) bits |= (uint64_t)(m[k] != 0) << k;
    return bits;
#endif
}

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define GB_HAS_COMPRESS 1
/* Writes the entries of the 64 columns from `base` that `bits` selects and sets all 64 values to
 * `clear`. Returns how many. */
static inline uint64_t gb_compress64(uint64_t bits, gb_Idx base, gb_Idx *Ci, uint64_t *Cx,
                                     uint64_t *val, uint64_t clear) {
    const __m512i fill = _mm512_set1_epi64((long long)clear);
    __m256i column =
        _mm256_add_epi32(_mm256_set1_epi32((int)base), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    uint64_t n = 0;
    for (int g = 0; g < 8; g++, bits >>= 8, val += 8) {
        const __mmask8 m = (__mmask8)(bits & 255u);
        if (m != 0) {
            const int count = __builtin_popcount(m);
            const __mmask8 low = (__mmask8)((1u << count) - 1u);
            const __m512i v = _mm512_maskz_compress_epi64(m, _mm512_loadu_si512(val));
            const __m256i c = _mm256_maskz_compress_epi32(m, column);
            _mm512_mask_storeu_epi64(Cx + n, low, v);
            _mm256_mask_storeu_epi32(Ci + n, low, c);
            _mm512_storeu_si512(val, fill);
            n += (uint64_t)count;
        }
        column = _mm256_add_epi32(column, _mm256_set1_epi32(8));
    }
    return n;
}
#endif

#endif
