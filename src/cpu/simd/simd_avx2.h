/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with AVX2 and what comes with it in the kernels named avx2.
 */
#pragma once

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

#define gb_mask32 gb_mask32
GB_OP unsigned gb_mask32(gb_Lanes32 v) {
    const __m256 *half = (const __m256 *)&v;
    return (unsigned)_mm256_movemask_ps(half[0]) | (unsigned)_mm256_movemask_ps(half[1]) << 8;
}

#ifndef gb_gather32
#define gb_gather32 gb_gather32
GB_OP void gb_gather32(uint32_t *to, const uint32_t *x, const uint32_t *at, unsigned mask) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    for (unsigned l = 0; l < GB_LANES; l += 8) {
        const __m256i own = _mm256_and_si256(_mm256_set1_epi32((int)(mask >> l)), bit);
        const __m256i number = _mm256_loadu_si256((const __m256i *)(at + l));
        __m256i *const here = (__m256i *)(to + l);
        _mm256_storeu_si256(here,
                            _mm256_mask_i32gather_epi32(_mm256_loadu_si256(here), (const int *)x,
                                                        number, _mm256_cmpeq_epi32(own, bit), 4));
    }
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

#define gb_count64 gb_count64
GB_OP uint64_t gb_count64(uint64_t x) {
    return (uint64_t)__builtin_popcountll(x); /* an instruction */
}

#ifndef gb_and_count
#define gb_and_count gb_and_count
/* Counts per byte, by looking up both halves of each. */
GB_OP __m256i gb_count_bytes(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15), high = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                           _mm256_shuffle_epi8(table, high));
}

static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    enum { FULL = 31 }; /* registers whose counts fit a byte */
    const __m256i *x = (const __m256i *)a, *y = (const __m256i *)b, zero = _mm256_setzero_si256();
    const uint64_t n = 2 * blocks;
    __m256i sum = zero;
    for (uint64_t k = 0; k < n;) {
        const uint64_t end = n - k > FULL ? k + FULL : n;
        __m256i bytes = zero;
        for (; k < end; k++)
            bytes =
                _mm256_add_epi8(bytes, gb_count_bytes(_mm256_and_si256(_mm256_loadu_si256(x + k),
                                                                       _mm256_loadu_si256(y + k))));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
    }
    uint64_t part[4];
    _mm256_storeu_si256((__m256i *)part, sum);
    return part[0] + part[1] + part[2] + part[3];
}
#endif

#ifndef gb_few
#define gb_few gb_few
/* Lanes have the other list, so that the few are compared in as many steps for every list: two at a
 * time, the last one twice where they are odd. */
typedef struct {
    const uint32_t *a;
    uint64_t n;
} gb_SmallProduct;

GB_OP gb_SmallProduct gb_few(const uint32_t *a, uint64_t n) {
    return (gb_SmallProduct){a, n};
}

GB_OP uint64_t gb_count_few(gb_SmallProduct few, const uint32_t *b, uint64_t m) {
    static const int32_t first[16] = {-1, -1, -1, -1, -1, -1, -1, -1}; /* n: from 8 - n on */
    uint64_t found = 0, q = 0;
    do { /* an empty list is no branch */
        const int32_t *lanes = first + (m - q < 8 ? 8 - (m - q) : 0);
        const __m256i mask = _mm256_loadu_si256((const __m256i *)lanes);
        const __m256i x = _mm256_maskload_epi32((const int *)b + q, mask);
        __m256i equal = _mm256_setzero_si256();
        for (uint64_t k = 0; k < few.n; k += 2) {
            const uint32_t one = few.a[k], other = few.a[k + 1 < few.n ? k + 1 : k];
            equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(x, _mm256_set1_epi32((int)one)));
            equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(x, _mm256_set1_epi32((int)other)));
        }
        equal = _mm256_and_si256(equal, mask);
        found += (unsigned)__builtin_popcount((unsigned)_mm256_movemask_ps((__m256)equal));
        q += 8;
    } while (q < m);
    return found;
}
#endif
