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

/* The lanes of 64 bytes that have a bit get values from `from`, the others zeros: 8 of 8 bytes, 16
 * of 4. */
static inline void gb_expand8(gb_Lanes64 *to, const uint64_t *from, unsigned mask) {
#if defined(__AVX512F__)
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const __m512i packed = _mm512_maskz_loadu_epi64((__mmask8)((1u << n) - 1u), from);
    *to = (gb_Lanes64)_mm512_maskz_expand_epi64((__mmask8)mask, packed);
#else
    for (unsigned c = 0; c < 8; c++) (*to)[c] = mask >> c & 1u ? *from++ : 0;
#endif
}

static inline void gb_expand4(gb_Lanes32 *to, const uint32_t *from, unsigned mask) {
#if defined(__AVX512F__)
    const unsigned n = (unsigned)__builtin_popcount(mask);
    const __m512i packed = _mm512_maskz_loadu_epi32((__mmask16)((1u << n) - 1u), from);
    *to = (gb_Lanes32)_mm512_maskz_expand_epi32((__mmask16)mask, packed);
#else
    for (unsigned c = 0; c < 16; c++) (*to)[c] = mask >> c & 1u ? *from++ : 0;
#endif
}

/* All bits of the lanes that have a bit, none of the others. */
static inline void gb_select8(uint64_t *to, unsigned mask) {
#if defined(__AVX512F__)
    _mm512_storeu_si512(to, _mm512_maskz_set1_epi64((__mmask8)mask, -1));
    _mm512_storeu_si512(to + 8, _mm512_maskz_set1_epi64((__mmask8)(mask >> 8), -1));
#else
    for (unsigned c = 0; c < GB_TILE; c++) to[c] = (uint64_t)0 - (mask >> c & 1u);
#endif
}

static inline void gb_select4(uint32_t *to, unsigned mask) {
#if defined(__AVX512F__)
    _mm512_storeu_si512(to, _mm512_maskz_set1_epi32((__mmask16)mask, -1));
#else
    for (unsigned c = 0; c < GB_TILE; c++) to[c] = (uint32_t)0 - (mask >> c & 1u);
#endif
}

static inline void gb_select1(uint8_t *to, unsigned mask) {
    for (unsigned c = 0; c < GB_TILE; c++) to[c] = (uint8_t)(0u - (mask >> c & 1u));
}

/* Bits of x where select has them, else as they were: 16 values of `size` bytes. */
__attribute__((always_inline)) static inline void
gb_blend(void *restrict to, const void *restrict x, const void *restrict select, size_t size) {
    for (size_t w = 0; w < GB_TILE * size; w += sizeof(uint64_t)) {
        uint64_t old, new, bits;
        __builtin_memcpy(&old, (char *)to + w, sizeof old);
        __builtin_memcpy(&new, (const char *)x + w, sizeof new);
        __builtin_memcpy(&bits, (const char *)select + w, sizeof bits);
        old = (new &bits) | (old & ~bits);
        __builtin_memcpy((char *)to + w, &old, sizeof old);
    }
}

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
static inline unsigned gb_columns(gb_Idx *to, gb_Idx base, unsigned mask, bool room) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    if (!room) {
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
static inline void gb_tile_places(uint8_t *to, unsigned row, unsigned mask, bool room) {
    if (room)
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
