/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with AVX-512 (F, BW, DQ, VL): gb_Lanes32 is one register, and masks are
 * a kind of registers too.
 */
#pragma once

#include <immintrin.h>
#include <string.h>

#define GB_HAS_COMPRESS 1
#define GB_HAS_EXPAND 1
#define GB_HAS_ROWS 1

GB_OP __mmask16 gb_first_lanes(unsigned n) {
    return n >= 16 ? 0xFFFF : (__mmask16)((1u << n) - 1u);
}

/* -- memory ------------------------------------------------------------------------------------ */

#define gb_load_first32 gb_load_first32
GB_OP gb_Lanes32 gb_load_first32(const void *p, unsigned n) {
    return (gb_Lanes32)_mm512_maskz_loadu_epi32(gb_first_lanes(n), p);
}

#define gb_store_first32 gb_store_first32
GB_OP void gb_store_first32(void *p, gb_Lanes32 v, unsigned n) {
    _mm512_mask_storeu_epi32(p, gb_first_lanes(n), (__m512i)v);
}

#define gb_stream_line gb_stream_line
GB_OP void gb_stream_line(void *to, const void *from) {
    _mm512_stream_si512((__m512i *)to, _mm512_load_si512(from));
}

/* -- lane by lane ------------------------------------------------------------------------------ */

#define gb_order32 gb_order32
GB_OP void gb_order32(gb_Register32 *x, gb_Register32 *y) {
    const __m512i a = (__m512i)*x, b = (__m512i)*y;
    *x = (gb_Register32)_mm512_min_epu32(a, b);
    *y = (gb_Register32)_mm512_max_epu32(a, b);
}

#define gb_order64 gb_order64
GB_OP void gb_order64(gb_Register64 *x, gb_Register64 *y) {
    const __m512i a = (__m512i)*x, b = (__m512i)*y;
    *x = (gb_Register64)_mm512_min_epu64(a, b);
    *y = (gb_Register64)_mm512_max_epu64(a, b);
}

#define gb_first_or32 gb_first_or32
GB_OP gb_Lanes32 gb_first_or32(unsigned n, gb_Lanes32 a, gb_Lanes32 b) {
    return (gb_Lanes32)_mm512_mask_mov_epi32((__m512i)b, gb_first_lanes(n), (__m512i)a);
}

#define gb_previous32 gb_previous32
GB_OP gb_Lanes32 gb_previous32(gb_Lanes32 v, uint32_t last) {
    return (gb_Lanes32)_mm512_alignr_epi32((__m512i)v, _mm512_set1_epi32((int)last), 15);
}

#define gb_transpose32 gb_transpose32
static inline void gb_transpose32(gb_Lanes32 r[GB_LANES]) {
    __m512i s[16], t[16];
    for (int k = 0; k < 16; k += 2) {
        t[k] = _mm512_unpacklo_epi32((__m512i)r[k], (__m512i)r[k + 1]);
        t[k + 1] = _mm512_unpackhi_epi32((__m512i)r[k], (__m512i)r[k + 1]);
    }
    for (int k = 0; k < 16; k += 4)
        for (int h = 0; h < 2; h++) {
            s[k + 2 * h] = _mm512_unpacklo_epi64(t[k + h], t[k + 2 + h]);
            s[k + 2 * h + 1] = _mm512_unpackhi_epi64(t[k + h], t[k + 2 + h]);
        }
    for (int k = 0; k < 16; k += 8)
        for (int h = 0; h < 4; h++) {
            t[k + h] = _mm512_shuffle_i32x4(s[k + h], s[k + 4 + h], 0x88);
            t[k + 4 + h] = _mm512_shuffle_i32x4(s[k + h], s[k + 4 + h], 0xDD);
        }
    for (int h = 0; h < 8; h++) {
        r[h] = (gb_Lanes32)_mm512_shuffle_i32x4(t[h], t[8 + h], 0x88);
        r[8 + h] = (gb_Lanes32)_mm512_shuffle_i32x4(t[h], t[8 + h], 0xDD);
    }
}

#define gb_transpose64 gb_transpose64
GB_OP void gb_transpose64(gb_Lanes64 r[8]) {
    __m512i s[8], t[8];
    for (int k = 0; k < 8; k += 2) {
        s[k] = _mm512_unpacklo_epi64((__m512i)r[k], (__m512i)r[k + 1]);
        s[k + 1] = _mm512_unpackhi_epi64((__m512i)r[k], (__m512i)r[k + 1]);
    }
    for (int k = 0; k < 8; k += 4)
        for (int h = 0; h < 2; h++) {
            t[k + h] = _mm512_shuffle_i64x2(s[k + h], s[k + 2 + h], 0x88);
            t[k + 2 + h] = _mm512_shuffle_i64x2(s[k + h], s[k + 2 + h], 0xDD);
        }
    for (int h = 0; h < 4; h++) {
        r[h] = (gb_Lanes64)_mm512_shuffle_i64x2(t[h], t[4 + h], 0x88);
        r[4 + h] = (gb_Lanes64)_mm512_shuffle_i64x2(t[h], t[4 + h], 0xDD);
    }
}

#define gb_transpose_masks gb_transpose_masks
GB_OP void gb_transpose_masks(uint16_t *to, const uint16_t *m) {
    const __m256i words = _mm256_loadu_si256((const __m256i *)m);
    for (int l = 0; l < 16; l++)
        to[l] = (uint16_t)_mm256_test_epi16_mask(words, _mm256_set1_epi16((short)(1u << l)));
}

/* -- to masks ---------------------------------------------------------------------------------- */

#define gb_equal32 gb_equal32
GB_OP unsigned gb_equal32(gb_Lanes32 a, gb_Lanes32 b) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

#define gb_less32 gb_less32
GB_OP unsigned gb_less32(gb_Lanes32 a, gb_Lanes32 b) {
    return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
}

#define gb_nonzero_bytes gb_nonzero_bytes
GB_OP uint64_t gb_nonzero_bytes(const uint8_t *m) {
    const __m512i v = _mm512_loadu_si512(m);
    return _mm512_test_epi8_mask(v, v);
}

#define gb_nonzero_words gb_nonzero_words
GB_OP unsigned gb_nonzero_words(const uint16_t *m) {
    const __m256i v = _mm256_loadu_si256((const __m256i *)m);
    return _mm256_test_epi16_mask(v, v);
}

/* -- by masks and numbers of lanes ------------------------------------------------------------- */

#define gb_compress32 gb_compress32
GB_OP gb_Lanes32 gb_compress32(gb_Lanes32 v, unsigned mask) {
    return (gb_Lanes32)_mm512_maskz_compress_epi32((__mmask16)mask, (__m512i)v);
}

#define gb_pack32 gb_pack32
GB_OP unsigned gb_pack32(uint32_t *to, const uint32_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)mask, _mm512_loadu_si512(from));
    _mm512_mask_storeu_epi32(to, (__mmask16)((1u << n) - 1u), packed);
    return n;
}

#define gb_pack64 gb_pack64
GB_OP unsigned gb_pack64(uint64_t *to, const uint64_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    for (int half = 0; half < 2; half++, mask >>= 8, from += 8) {
        const __mmask8 m = (__mmask8)mask;
        const unsigned here = (unsigned)__builtin_popcount(m);
        const __m512i packed = _mm512_maskz_compress_epi64(m, _mm512_loadu_si512(from));
        _mm512_mask_storeu_epi64(to, (__mmask8)((1u << here) - 1u), packed);
        to += here;
    }
    return n;
}

/* As floats, so that compilers make one instruction of it and the addition before. */
#define gb_pick_lanes gb_pick_lanes
GB_OP gb_Lanes32 gb_pick_lanes(gb_Lanes32 x, gb_Lanes32 y, unsigned mask, size_t size) {
    return size == 8 ? (gb_Lanes32)_mm512_mask_mov_pd((__m512d)x, (__mmask8)mask, (__m512d)y)
                     : (gb_Lanes32)_mm512_mask_mov_ps((__m512)x, (__mmask16)mask, (__m512)y);
}

#define gb_put32 gb_put32
GB_OP unsigned gb_put32(void *to, gb_Lanes32 v, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    _mm512_mask_storeu_epi32(to, (__mmask16)((1u << n) - 1u),
                             _mm512_maskz_compress_epi32((__mmask16)mask, (__m512i)v));
    return n;
}

#define gb_put64 gb_put64
GB_OP unsigned gb_put64(void *to, gb_Lanes64 v, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    _mm512_mask_storeu_epi64(to, (__mmask8)((1u << n) - 1u),
                             _mm512_maskz_compress_epi64((__mmask8)mask, (__m512i)v));
    return n;
}

#define gb_pack_numbers gb_pack_numbers
GB_OP unsigned gb_pack_numbers(uint32_t *to, uint32_t x, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32((int)x));
    _mm512_mask_storeu_epi32(to, (__mmask16)((1u << n) - 1u),
                             _mm512_maskz_compress_epi32((__mmask16)mask, number));
    return n;
}

#define gb_expand gb_expand
GB_OP void gb_expand(void *to, const void *from, unsigned mask, size_t size) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const unsigned first = (1u << n) - 1u;
    const __m512i lanes =
        size == 8 ? _mm512_maskz_expand_epi64((__mmask8)mask,
                                              _mm512_maskz_loadu_epi64((__mmask8)first, from))
                  : _mm512_maskz_expand_epi32((__mmask16)mask,
                                              _mm512_maskz_loadu_epi32((__mmask16)first, from));
    memcpy(to, &lanes, sizeof lanes);
}

#define gb_shuffle gb_shuffle
GB_OP void gb_shuffle(void *to, const void *x, gb_Lanes32 at, size_t size) {
    const __m512i number = (__m512i)at, low = _mm512_loadu_si512(x);
    if (size == 4) {
        _mm512_storeu_si512(to, _mm512_permutexvar_epi32(number, low));
        return;
    }
    const __m512i high = _mm512_loadu_si512((const char *)x + 64);
    const __m512i a = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(number));
    const __m512i b = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(number, 1));
    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(low, a, high));
    _mm512_storeu_si512((char *)to + 64, _mm512_permutex2var_epi64(low, b, high));
}

#define gb_gather_first gb_gather_first
GB_OP void gb_gather_first(void *to, const void *x, gb_Lanes32 at, unsigned n, size_t size) {
    const __mmask16 m = gb_first_lanes(n);
    const __m512i number = (__m512i)at, zero = _mm512_setzero_si512();
    if (size == 4) {
        _mm512_mask_storeu_epi32(to, m, _mm512_mask_i32gather_epi32(zero, m, number, x, 4));
        return;
    }
    const __m256i low = _mm512_castsi512_si256(number);
    const __m256i high = _mm512_extracti64x4_epi64(number, 1);
    const __mmask8 a = (__mmask8)m, b = (__mmask8)(m >> 8);
    _mm512_mask_storeu_epi64(to, a, _mm512_mask_i32gather_epi64(zero, a, low, x, 8));
    _mm512_mask_storeu_epi64((char *)to + 64, b, _mm512_mask_i32gather_epi64(zero, b, high, x, 8));
}

/* Stored whole: a load that follows a masked store waits until that is in the cache. */
#define gb_gather32 gb_gather32
GB_OP void gb_gather32(uint32_t *to, const uint32_t *x, const uint32_t *at, unsigned mask) {
    const __m512i had = _mm512_loadu_si512(to), number = _mm512_loadu_si512(at);
    _mm512_storeu_si512(to, _mm512_mask_i32gather_epi32(had, (__mmask16)mask, number, x, 4));
}

#define gb_scatter32 gb_scatter32
GB_OP void gb_scatter32(uint32_t *x, const uint32_t *at, const uint32_t *v, unsigned mask) {
    _mm512_mask_i32scatter_epi32(x, (__mmask16)mask, _mm512_loadu_si512(at), _mm512_loadu_si512(v),
                                 4);
}

/* -- rows of bits ------------------------------------------------------------------------------ */

/* Counts per byte, by looking up both halves of each. */
GB_OP __m512i gb_count_bytes(__m512i v) {
    const __m128i counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m512i table = _mm512_broadcast_i32x4(counts), low = _mm512_set1_epi8(15);
    const __m512i high = _mm512_and_si512(_mm512_srli_epi16(v, 4), low);
    return _mm512_add_epi8(_mm512_shuffle_epi8(table, _mm512_and_si512(v, low)),
                           _mm512_shuffle_epi8(table, high));
}

#define gb_and_count gb_and_count
static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    enum { FULL = 31 }; /* blocks whose counts fit a byte */
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = zero;
    for (uint64_t k = 0; k < blocks;) {
        const uint64_t end = blocks - k > FULL ? k + FULL : blocks;
        __m512i bytes = zero;
        for (; k < end; k++) {
            const __m512i both =
                _mm512_and_si512(_mm512_loadu_si512(a + 8 * k), _mm512_loadu_si512(b + 8 * k));
            bytes = _mm512_add_epi8(bytes, gb_count_bytes(both));
        }
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(bytes, zero));
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

#define gb_and_sum gb_and_sum
typedef __m512i gb_AndSum;

GB_OP void gb_and_sum(gb_AndSum *sum, const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i all = *sum;
    for (uint64_t k = 0; k < blocks; k++) {
        const __m512i both =
            _mm512_and_si512(_mm512_loadu_si512(a + 8 * k), _mm512_loadu_si512(b + 8 * k));
        all = _mm512_add_epi64(all, _mm512_sad_epu8(gb_count_bytes(both), zero));
    }
    *sum = all;
}

GB_OP uint64_t gb_and_total(const gb_AndSum *sum) {
    return (uint64_t)_mm512_reduce_add_epi64(*sum);
}

#define gb_and_words gb_and_words
static inline uint64_t gb_and_words(const uint64_t *b, uint32_t base, uint32_t end, gb_Words w,
                                    uint64_t n) {
    const __m256i low = _mm256_set1_epi32((int)base), high = _mm256_set1_epi32((int)end);
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = zero;
    for (uint64_t k = 0; k < n; k += 8) {
        const __mmask8 first = n - k < 8 ? (__mmask8)((1u << (n - k)) - 1u) : 0xFF;
        const __m256i number = _mm256_loadu_si256((const __m256i *)(w.number + k));
        const __mmask8 below = _mm256_mask_cmplt_epu32_mask(first, number, high);
        const __mmask8 m = _mm256_mask_cmpge_epu32_mask(below, number, low);
        const __m512i x = _mm512_mask_i32gather_epi64(zero, m, _mm256_sub_epi32(number, low), b, 8);
        const __m512i both = _mm512_and_si512(x, _mm512_maskz_loadu_epi64(m, w.bits + k));
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(gb_count_bytes(both), zero));
        if (below != 0xFF) break;
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

#define gb_count_marked gb_count_marked
GB_OP uint64_t gb_count_marked(const uint8_t *mark, const uint32_t *i, uint64_t n) {
    const __m512i one = _mm512_set1_epi32(1), zero = _mm512_setzero_si512();
    uint64_t found = 0;
    for (uint64_t k = 0; k < n; k += 16) {
        const __mmask16 m = gb_first_lanes(n - k < 16 ? (unsigned)(n - k) : 16);
        const __m512i at = _mm512_maskz_loadu_epi32(m, i + k);
        const __m512i x = _mm512_mask_i32gather_epi32(zero, m, at, mark, 1);
        found += (unsigned)__builtin_popcount(_mm512_test_epi32_mask(x, one));
    }
    return found;
}

#define gb_raise_marked gb_raise_marked
GB_OP void gb_raise_marked(uint32_t *mark, const uint32_t *i, uint64_t n) {
    const __m512i one = _mm512_set1_epi32(1), zero = _mm512_setzero_si512();
    for (uint64_t k = 0; k < n; k += 16) {
        const __mmask16 m = gb_first_lanes(n - k < 16 ? (unsigned)(n - k) : 16);
        const __m512i at = _mm512_maskz_loadu_epi32(m, i + k);
        const __m512i x = _mm512_mask_i32gather_epi32(zero, m, at, mark, 4);
        const __mmask16 marked = _mm512_test_epi32_mask(x, x);
        if (marked != 0)
            _mm512_mask_i32scatter_epi32(mark, marked, at, _mm512_add_epi32(x, one), 4);
    }
}

#define gb_few gb_few
/* Lanes have the other list, so that the few are compared in as many steps for every list. */
typedef struct {
    const uint32_t *a;
    uint64_t n;
} gb_SmallProduct;

GB_OP gb_SmallProduct gb_few(const uint32_t *a, uint64_t n) {
    return (gb_SmallProduct){a, n};
}

GB_OP uint64_t gb_count_few(gb_SmallProduct few, const uint32_t *b, uint64_t m) {
    uint64_t found = 0, q = 0;
    do { /* an empty list is no branch */
        const __mmask16 lanes = gb_first_lanes(m - q < 16 ? (unsigned)(m - q) : 16);
        const __m512i x = _mm512_maskz_loadu_epi32(lanes, b + q);
        __mmask16 equal = 0;
        for (uint64_t k = 0; k < few.n; k++)
            equal |= _mm512_mask_cmpeq_epi32_mask(lanes, x, _mm512_set1_epi32((int)few.a[k]));
        found += (unsigned)__builtin_popcount(equal);
        q += 16;
    } while (q < m);
    return found;
}
