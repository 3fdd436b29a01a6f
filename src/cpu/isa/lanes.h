/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving the entries of a row of 16 columns between their packed form and 16 lanes, whatever they
 * mean: lane c belongs to bit c of the mask.
 */
#ifndef GB_CPU_ISA_LANES_H
#define GB_CPU_ISA_LANES_H

#include <stdbool.h>

#include "core/view.h"
#include "cpu/isa/isa.h"

/* Bytes of a register, in which kernels hold lanes by the compiler's vector extension. */
#if defined(__AVX512F__)
#define GB_VECTOR 64
#elif defined(__AVX2__)
#define GB_VECTOR 32
#else
#define GB_VECTOR 16
#endif
#define GB_UNROLL _Pragma("GCC unroll 16")

typedef uint64_t gb_Part8 __attribute__((vector_size(GB_VECTOR)));
typedef uint32_t gb_Part4 __attribute__((vector_size(GB_VECTOR)));

/* Lane l has bit l. */
#if defined(__AVX512F__)
static const gb_Part8 gb_bit8 = {1, 2, 4, 8, 16, 32, 64, 128};
static const gb_Part4 gb_bit4 = {1,   2,   4,    8,    16,   32,   64,    128,
                                 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#elif defined(__AVX2__)
static const gb_Part8 gb_bit8 = {1, 2, 4, 8};
static const gb_Part4 gb_bit4 = {1, 2, 4, 8, 16, 32, 64, 128};
#else
static const gb_Part8 gb_bit8 = {1, 2};
static const gb_Part4 gb_bit4 = {1, 2, 4, 8};
#endif

/* The lanes of a register that have a bit get values of `size` bytes from `from`, the others 0. One
 * instruction with AVX-512; otherwise not worth calling. */
#if defined(__AVX512F__)
#define GB_EXPANDS 1
static inline void gb_expand(void *to, const void *from, unsigned mask, size_t size) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const unsigned first = (1u << n) - 1u;
    const __m512i lanes =
        size == 8 ? _mm512_maskz_expand_epi64((__mmask8)mask,
                                              _mm512_maskz_loadu_epi64((__mmask8)first, from))
                  : _mm512_maskz_expand_epi32((__mmask16)mask,
                                              _mm512_maskz_loadu_epi32((__mmask16)first, from));
    __builtin_memcpy(to, &lanes, sizeof lanes);
}
#else
#define GB_EXPANDS 0
static inline void gb_expand(void *to, const void *from, unsigned mask, size_t size) {
    char *lanes = to;
    const char *x = from;
    __builtin_memset(to, 0, GB_VECTOR);
    for (; mask != 0; mask &= mask - 1, x += size)
        __builtin_memcpy(lanes + size * (unsigned)__builtin_ctz(mask), x, size);
}
#endif

/* Lanes of x where cond is all ones, of y where it is 0. */
#define GB_PICK(cond, x, y)                                                                        \
    ((__typeof__(x))(((__typeof__(cond))(x) & (cond)) | ((__typeof__(cond))(y) & ~(cond))))
/* Sums of integers that wrap around; x and y are registers of one type. */
#define GB_ADD_LANES(x, y)                                                                         \
    (sizeof((x)[0]) == 8 ? (__typeof__(x))((gb_Part8)(x) + (gb_Part8)(y))                          \
                         : (__typeof__(x))((gb_Part4)(x) + (gb_Part4)(y)))

/* base + c for each bit c of the mask, ascending; returns how many, but writes 16 bytes. */
static inline unsigned gb_set_bits(uint8_t *to, unsigned mask, unsigned base) {
#if defined(__BMI2__) && defined(__x86_64__)
    const uint64_t nibbles = _pdep_u64(mask, 0x1111111111111111u) * 15u;
    const uint64_t columns = _pext_u64(0xFEDCBA9876543210u, nibbles);
    const uint64_t bases = base * 0x0101010101010101u;
    const uint64_t low = _pdep_u64(columns, 0x0F0F0F0F0F0F0F0Fu) + bases;
    const uint64_t high = _pdep_u64(columns >> 32, 0x0F0F0F0F0F0F0F0Fu) + bases;
    __builtin_memcpy(to, &low, sizeof low);
    __builtin_memcpy(to + sizeof low, &high, sizeof high);
#else
    for (unsigned bits = mask; bits != 0; bits &= bits - 1)
        *to++ = (uint8_t)(base + (unsigned)__builtin_ctz(bits));
#endif
    return (unsigned)__builtin_popcount(mask);
}

/* The lanes that have a bit, packed; returns how many. Nothing behind them is written. */
static inline unsigned gb_pack8(uint64_t *to, const uint64_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
#if defined(__AVX512F__)
    for (int half = 0; half < 2; half++, mask >>= 8, from += 8) {
        const __mmask8 m = (__mmask8)mask;
        const unsigned here = (unsigned)__builtin_popcount(m);
        const __m512i packed = _mm512_maskz_compress_epi64(m, _mm512_loadu_si512(from));
        _mm512_mask_storeu_epi64(to, (__mmask8)((1u << here) - 1u), packed);
        to += here;
    }
#else
    for (; mask != 0; mask &= mask - 1) *to++ = from[__builtin_ctz(mask)];
#endif
    return n;
}

static inline unsigned gb_pack4(uint32_t *to, const uint32_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
#if defined(__AVX512F__)
    const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)mask, _mm512_loadu_si512(from));
    _mm512_mask_storeu_epi32(to, (__mmask16)((1u << n) - 1u), packed);
#else
    for (; mask != 0; mask &= mask - 1) *to++ = from[__builtin_ctz(mask)];
#endif
    return n;
}

/* base plus each column of the mask; returns how many. Where there is room, numbers without meaning
 * may be written behind them, 16 in all. */
static inline unsigned gb_columns(gb_Idx *to, gb_Idx base, unsigned mask, bool slack) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    if (!slack) {
        for (; mask != 0; mask &= mask - 1) *to++ = base + (gb_Idx)__builtin_ctz(mask);
        return n;
    }
#if defined(__AVX512F__)
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i column = _mm512_add_epi32(lane, _mm512_set1_epi32((int)base));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)mask, column));
#else
    uint8_t column[GB_TILE] = {0};
    gb_set_bits(column, mask, 0);
    for (unsigned c = 0; c < GB_TILE; c++) to[c] = base + column[c];
#endif
    return n;
}

/* row << 4 | column of each bit of the mask; else as above. */
static inline void gb_tile_places(uint8_t *to, unsigned row, unsigned mask, bool slack) {
    if (slack)
        gb_set_bits(to, mask, row << 4);
    else
        for (; mask != 0; mask &= mask - 1)
            *to++ = (uint8_t)(row << 4 | (unsigned)__builtin_ctz(mask));
}

/* 16 values of 4 or 8 bytes, by vectors: a call of memcpy costs more than the copy. */
__attribute__((always_inline)) static inline void gb_copy_lanes(void *to, const void *from,
                                                                size_t size) {
    for (size_t at = 0; at < GB_TILE * size; at += sizeof(gb_Lanes64)) {
        gb_Lanes64 lanes;
        __builtin_memcpy(&lanes, (const char *)from + at, sizeof lanes);
        __builtin_memcpy((char *)to + at, &lanes, sizeof lanes);
    }
}

#endif
