/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with AVX2 and what comes with it in the kernels named avx2.
 */
#ifndef GB_CPU_ISA_SIMD_AVX2_H
#define GB_CPU_ISA_SIMD_AVX2_H

#ifndef GB_CPU_ISA_SIMD_H
#error "include cpu/isa/simd.h"
#endif

#include <immintrin.h>
#include <string.h>

#ifndef gb_stream_line
#define gb_stream_line gb_stream_line
GB_OP void gb_stream_line(void *to, const void *from) {
    for (int h = 0; h < 2; h++)
        _mm256_stream_si256((__m256i *)to + h, _mm256_load_si256((const __m256i *)from + h));
}
#endif

#ifndef gb_order32
#define gb_order32 gb_order32
GB_OP void gb_order32(gb_Register32 *x, gb_Register32 *y) {
    const __m256i a = (__m256i)*x, b = (__m256i)*y;
    *x = (gb_Register32)_mm256_min_epu32(a, b);
    *y = (gb_Register32)_mm256_max_epu32(a, b);
}
#endif

#define gb_max8 gb_max8
GB_OP void gb_max8(gb_Bytes32 *x, const gb_Bytes32 *y) {
    *x = (gb_Bytes32)_mm256_max_epu8((__m256i)*x, (__m256i)*y);
}

#ifndef gb_find32
#define gb_find32 gb_find32
GB_OP unsigned gb_find32(const uint32_t *line, uint32_t x) {
    const __m256i k = _mm256_set1_epi32((int)x), *half = (const __m256i *)line;
    const __m256i low = _mm256_cmpeq_epi32(half[0], k), high = _mm256_cmpeq_epi32(half[1], k);
    return (unsigned)_mm256_movemask_ps((__m256)low) | (unsigned)_mm256_movemask_ps((__m256)high)
                                                           << 8;
}
#endif

#define gb_set_bits gb_set_bits
GB_OP unsigned gb_set_bits(uint8_t *to, unsigned mask, unsigned base) {
    const uint64_t nibbles = _pdep_u64(mask, 0x1111111111111111u) * 15u;
    const uint64_t columns = _pext_u64(0xFEDCBA9876543210u, nibbles);
    const uint64_t bases = base * 0x0101010101010101u;
    const uint64_t low = _pdep_u64(columns, 0x0F0F0F0F0F0F0F0Fu) + bases;
    const uint64_t high = _pdep_u64(columns >> 32, 0x0F0F0F0F0F0F0F0Fu) + bases;
    memcpy(to, &low, sizeof low);
    memcpy(to + sizeof low, &high, sizeof high);
    return (unsigned)__builtin_popcount(mask);
}

#endif
