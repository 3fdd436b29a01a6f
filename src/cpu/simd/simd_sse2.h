/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with SSE2, which every x86-64 has.
 */
#pragma once

#include <emmintrin.h>

#define gb_stream16 gb_stream16
GB_OP void gb_stream16(void *to, const void *from) {
    _mm_stream_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from));
}

#define gb_stream_end gb_stream_end
GB_OP void gb_stream_end(void) {
    _mm_sfence();
}

#ifndef gb_max8
#define gb_max8 gb_max8
GB_OP void gb_max8(gb_Bytes32 *x, const gb_Bytes32 *y) {
    __m128i *a = (__m128i *)x;
    const __m128i *b = (const __m128i *)y;
    a[0] = _mm_max_epu8(a[0], b[0]);
    a[1] = _mm_max_epu8(a[1], b[1]);
}
#endif

#ifndef gb_order32
#define gb_order32 gb_order32
GB_OP void gb_order32(gb_Register32 *x, gb_Register32 *y) {
    const __m128i sign = _mm_set1_epi32(INT32_MIN); /* there is no unsigned comparison */
    const __m128i a = (__m128i)*x, b = (__m128i)*y;
    const __m128i swap = _mm_cmpgt_epi32(_mm_xor_si128(a, sign), _mm_xor_si128(b, sign));
    const __m128i differ = _mm_and_si128(_mm_xor_si128(a, b), swap);
    *x = (gb_Register32)_mm_xor_si128(a, differ);
    *y = (gb_Register32)_mm_xor_si128(b, differ);
}
#endif

#ifndef gb_mask32
#define gb_mask32 gb_mask32
GB_OP unsigned gb_mask32(gb_Lanes32 v) {
    const __m128i *part = (const __m128i *)&v;
    const __m128i low = _mm_packs_epi32(part[0], part[1]);
    const __m128i high = _mm_packs_epi32(part[2], part[3]);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#endif

#ifndef gb_nonzero_bytes
#define gb_nonzero_bytes gb_nonzero_bytes
GB_OP uint64_t gb_nonzero_bytes(const uint8_t *m) {
    uint64_t bits = 0;
    for (int k = 0; k < 4; k++) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(m + 16 * k));
        const unsigned zero = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128()));
        bits |= (uint64_t)(~zero & 0xFFFFu) << (16 * k);
    }
    return bits;
}
#endif

#ifndef gb_nonzero_words
#define gb_nonzero_words gb_nonzero_words
GB_OP unsigned gb_nonzero_words(const uint16_t *m) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)m), zero);
    const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)m + 1), zero);
    return ~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high)) & 0xFFFFu;
}
#endif
