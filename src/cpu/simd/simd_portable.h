/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h in plain C: those that no header of an instruction set has defined.
 * They also say what the others must give.
 */
#pragma once

#include <string.h>

#ifndef GB_HAS_COMPRESS
#define GB_HAS_COMPRESS 0
#endif
#ifndef GB_HAS_EXPAND
#define GB_HAS_EXPAND 0
#endif
#ifndef GB_HAS_ROWS
#define GB_HAS_ROWS 0
#endif

/* -- memory ------------------------------------------------------------------------------------ */

GB_OP gb_Lanes32 gb_load32(const void *p) {
    gb_Lanes32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

GB_OP void gb_store32(void *p, gb_Lanes32 v) {
    memcpy(p, &v, sizeof v);
}

GB_OP unsigned gb_first_count(unsigned n) {
    return n < GB_LANES ? n : (unsigned)GB_LANES;
}

#ifndef gb_load_first32
GB_OP gb_Lanes32 gb_load_first32(const void *p, unsigned n) {
    gb_Lanes32 v = {0};
    if (n >= GB_LANES) return gb_load32(p);
    memcpy(&v, p, n * sizeof(uint32_t));
    return v;
}
#endif

#ifndef gb_store_first32
GB_OP void gb_store_first32(void *p, gb_Lanes32 v, unsigned n) {
    memcpy(p, &v, gb_first_count(n) * sizeof(uint32_t));
}
#endif

#ifndef gb_stream16
GB_OP void gb_stream16(void *to, const void *from) {
    memcpy(to, from, 16);
}
#endif

#ifndef gb_stream_line
GB_OP void gb_stream_line(void *to, const void *from) {
    for (size_t at = 0; at < 64; at += 16) gb_stream16((char *)to + at, (const char *)from + at);
}
#endif

#ifndef gb_stream_end
GB_OP void gb_stream_end(void) {
}
#endif

/* -- lane by lane ------------------------------------------------------------------------------ */

GB_OP gb_Lanes32 gb_all32(uint32_t x) {
    return x - (gb_Lanes32){0};
}

GB_OP gb_Lanes32 gb_numbers32(uint32_t x) {
    return x + (gb_Lanes32){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

#ifndef gb_order32
GB_OP void gb_order32(gb_Register32 *x, gb_Register32 *y) {
    const gb_Register32 swap = (gb_Register32)(*x > *y), differ = (*x ^ *y) & swap;
    *x ^= differ;
    *y ^= differ;
}
#endif

#ifndef gb_order64
GB_OP void gb_order64(gb_Register64 *x, gb_Register64 *y) {
    const gb_Register64 swap = (gb_Register64)(*x > *y), differ = (*x ^ *y) & swap;
    *x ^= differ;
    *y ^= differ;
}
#endif

#ifndef gb_max8
GB_OP void gb_max8(gb_Bytes32 *x, const gb_Bytes32 *y) {
    const gb_Bytes32 keep = (gb_Bytes32)(*x > *y);
    *x = (*x & keep) | (*y & ~keep);
}
#endif

#ifndef gb_first_or32
GB_OP gb_Lanes32 gb_first_or32(unsigned n, gb_Lanes32 a, gb_Lanes32 b) {
    const gb_Lanes32 first = (gb_Lanes32)(gb_numbers32(0) < n);
    return (a & first) | (b & ~first);
}
#endif

#ifndef gb_previous32
GB_OP gb_Lanes32 gb_previous32(gb_Lanes32 v, uint32_t last) {
    gb_Lanes32 before;
    before[0] = last;
    for (unsigned l = 1; l < GB_LANES; l++) before[l] = v[l - 1];
    return before;
}
#endif

#ifndef gb_transpose32
static inline void gb_transpose32(gb_Lanes32 r[GB_LANES]) {
    for (unsigned l = 0; l < GB_LANES; l++)
        for (unsigned k = 0; k < l; k++) {
            const uint32_t x = r[l][k];
            r[l][k] = r[k][l];
            r[k][l] = x;
        }
}
#endif

#ifndef gb_transpose64
static inline void gb_transpose64(gb_Lanes64 r[8]) {
    for (unsigned l = 0; l < 8; l++)
        for (unsigned k = 0; k < l; k++) {
            const uint64_t x = r[l][k];
            r[l][k] = r[k][l];
            r[k][l] = x;
        }
}
#endif

/* Blocks of 8, 4, 2 and 1 bits are swapped with their mirrors. */
#ifndef gb_transpose_masks
static inline void gb_transpose_masks(uint16_t *to, const uint16_t *m) {
    static const unsigned lower[] = {0x5555u, 0x3333u, 0, 0x0F0Fu, 0, 0, 0, 0x00FFu};
    memcpy(to, m, GB_LANES * sizeof *to);
    for (unsigned s = GB_LANES / 2; s > 0; s /= 2)
        for (unsigned r = 0; r < GB_LANES; r++) {
            if (r & s) continue;
            const unsigned swap = ((to[r] >> s) ^ to[r + s]) & lower[s - 1];
            to[r] ^= (uint16_t)(swap << s);
            to[r + s] ^= (uint16_t)swap;
        }
}
#endif

/* -- to masks ---------------------------------------------------------------------------------- */

/* v = what `compare` says of registers a of v and b of w: gcc 12 compares vectors that are longer
 * than a register lane by lane. */
#define GB_BY_REGISTERS(T, v, w, compare)                                                          \
    _Pragma("GCC unroll 4") for (unsigned gb_k = 0; gb_k < sizeof(v) / sizeof(T); gb_k++) {        \
        T *gb_at = (T *)&(v) + gb_k, a = *gb_at, b = ((const T *)&(w))[gb_k];                      \
        *gb_at = (T)(compare);                                                                     \
    }

#ifndef gb_mask32
GB_OP unsigned gb_mask32(gb_Lanes32 v) {
    unsigned mask = 0;
    for (unsigned l = 0; l < GB_LANES; l++) mask |= (v[l] & 1u) << l;
    return mask;
}
#endif

#ifndef gb_equal32
GB_OP unsigned gb_equal32(gb_Lanes32 x, gb_Lanes32 y) {
    GB_BY_REGISTERS(gb_Register32, x, y, a == b);
    return gb_mask32(x);
}
#endif

#ifndef gb_less32
GB_OP unsigned gb_less32(gb_Lanes32 x, gb_Lanes32 y) {
    GB_BY_REGISTERS(gb_Register32, x, y, a < b);
    return gb_mask32(x);
}
#endif

#ifndef gb_find32
GB_OP unsigned gb_find32(const uint32_t *line, uint32_t x) {
    return gb_equal32(gb_load32(line), gb_all32(x));
}
#endif

#ifndef gb_nonzero_bytes
GB_OP uint64_t gb_nonzero_bytes(const uint8_t *m) {
    uint64_t bits = 0;
    for (unsigned k = 0; k < 64; k++) bits |= (uint64_t)(m[k] != 0) << k;
    return bits;
}
#endif

#ifndef gb_nonzero_words
GB_OP unsigned gb_nonzero_words(const uint16_t *m) {
    unsigned bits = 0;
    for (unsigned k = 0; k < GB_LANES; k++) bits |= (unsigned)(m[k] != 0) << k;
    return bits;
}
#endif

/* -- by masks and numbers of lanes ------------------------------------------------------------- */

#ifndef gb_compress32
GB_OP gb_Lanes32 gb_compress32(gb_Lanes32 v, unsigned mask) {
    gb_Lanes32 packed = {0};
    for (unsigned n = 0; mask != 0; mask &= mask - 1) packed[n++] = v[__builtin_ctz(mask)];
    return packed;
}
#endif

#ifndef gb_pack32
GB_OP unsigned gb_pack32(uint32_t *to, const uint32_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    for (; mask != 0; mask &= mask - 1) *to++ = from[__builtin_ctz(mask)];
    return n;
}
#endif

#ifndef gb_pack64
GB_OP unsigned gb_pack64(uint64_t *to, const uint64_t *from, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    for (; mask != 0; mask &= mask - 1) *to++ = from[__builtin_ctz(mask)];
    return n;
}
#endif

#ifndef gb_pick_lanes
GB_OP gb_Lanes32 gb_pick_lanes(gb_Lanes32 x, gb_Lanes32 y, unsigned mask, size_t size) {
    const gb_Lanes32 bit4 = {1,   2,   4,    8,    16,   32,   64,    128,
                             256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    const gb_Lanes32 bit8 = {1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 128, 128};
    const gb_Lanes32 bit = size == 8 ? bit8 : bit4;
    gb_Lanes32 pick = bit & mask;
    GB_BY_REGISTERS(gb_Register32, pick, bit, a == b);
    return (x & ~pick) | (y & pick);
}
#endif
#undef GB_BY_REGISTERS

#ifndef gb_put32
GB_OP unsigned gb_put32(void *to, gb_Lanes32 v, unsigned mask) {
    return gb_pack32((uint32_t *)to, (const uint32_t *)&v, mask);
}
#endif

#ifndef gb_put64
GB_OP unsigned gb_put64(void *to, gb_Lanes64 v, unsigned mask) {
#ifdef gb_pack64 /* a set's own, which may read all 16 numbers */
    uint64_t wide[GB_LANES] = {0};
    memcpy(wide, &v, sizeof v);
    return gb_pack64(to, wide, mask);
#else
    return gb_pack64((uint64_t *)to, (const uint64_t *)&v, mask);
#endif
}
#endif

#ifndef gb_pack_numbers
GB_OP unsigned gb_pack_numbers(uint32_t *to, uint32_t x, unsigned mask) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    for (; mask != 0; mask &= mask - 1) *to++ = x + (uint32_t)__builtin_ctz(mask);
    return n;
}
#endif

#ifndef gb_expand
GB_OP void gb_expand(void *to, const void *from, unsigned mask, size_t size) {
    const char *x = (const char *)from;
    memset(to, 0, GB_REGISTER);
    for (; mask != 0; mask &= mask - 1, x += size)
        memcpy((char *)to + size * (unsigned)__builtin_ctz(mask), x, size);
}
#endif

#ifndef gb_gather_first
GB_OP void gb_gather_first(void *to, const void *x, gb_Lanes32 at, unsigned n, size_t size) {
    for (unsigned l = 0; l < gb_first_count(n); l++)
        memcpy((char *)to + l * size, (const char *)x + at[l] * size, size);
}
#endif

#ifndef gb_gather32
GB_OP void gb_gather32(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                       unsigned mask) {
    if (mask == 0xFFFF)
        for (unsigned l = 0; l < GB_LANES; l++) to[l] = x[at[l]];
    else
        for (; mask != 0; mask &= mask - 1) to[__builtin_ctz(mask)] = x[at[__builtin_ctz(mask)]];
}
#endif

#ifndef gb_scatter32
GB_OP void gb_scatter32(uint32_t *x, const uint32_t *at, const uint32_t *v, unsigned mask) {
    for (; mask != 0; mask &= mask - 1) x[at[__builtin_ctz(mask)]] = v[__builtin_ctz(mask)];
}
#endif

#ifndef gb_shuffle
GB_OP void gb_shuffle(void *to, const void *x, gb_Lanes32 at, size_t size) {
    gb_gather_first(to, x, at, GB_LANES, size);
}
#endif

#ifndef gb_set_bits
GB_OP unsigned gb_set_bits(uint8_t *to, unsigned mask, unsigned base) {
    const unsigned n = (unsigned)__builtin_popcount(mask);
    for (; mask != 0; mask &= mask - 1) *to++ = (uint8_t)(base + (unsigned)__builtin_ctz(mask));
    return n;
}
#endif

/* -- rows of bits ------------------------------------------------------------------------------ */

#ifndef gb_count64
GB_OP uint64_t gb_count64(uint64_t x) {
    const uint64_t pairs = 0x5555555555555555u, fours = 0x3333333333333333u;
    x -= x >> 1 & pairs;
    x = (x & fours) + (x >> 2 & fours);
    return ((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56;
}
#endif

#ifndef gb_and_count
static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    uint64_t n = 0;
    for (uint64_t k = 0; k < 8 * blocks; k++) n += gb_count64(a[k] & b[k]);
    return n;
}
#endif

#ifndef gb_and_sum
typedef uint64_t gb_AndSum;

GB_OP void gb_and_sum(gb_AndSum *sum, const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    *sum += gb_and_count(a, b, blocks);
}

GB_OP uint64_t gb_and_total(const gb_AndSum *sum) {
    return *sum;
}
#endif

#ifndef gb_and_words
static inline uint64_t gb_and_words(const uint64_t *b, uint32_t base, uint32_t end, gb_Words w,
                                    uint64_t n) {
    uint64_t sum = 0, k = 0;
    while (k < n && w.number[k] < base) k++;
    for (; k < n && w.number[k] < end; k++) sum += gb_count64(b[w.number[k] - base] & w.bits[k]);
    return sum;
}
#endif

#ifndef gb_count_marked
GB_OP uint64_t gb_count_marked(const uint8_t *mark, const uint32_t *i, uint64_t n) {
    uint64_t found = 0;
    for (uint64_t k = 0; k < n; k++) found += mark[i[k]];
    return found;
}
#endif

#ifndef gb_few
/* Lanes have the few, behind them what is no index. */
typedef uint32_t gb_SmallProduct __attribute__((vector_size(4 * GB_FEW_MOST)));

GB_OP gb_SmallProduct gb_few(const uint32_t *a, uint64_t n) {
    gb_SmallProduct few;
    for (unsigned l = 0; l < GB_FEW_MOST; l++) few[l] = l < n ? a[l] : UINT32_MAX;
    return few;
}

GB_OP uint64_t gb_count_few(gb_SmallProduct few, const uint32_t *b, uint64_t m) {
    gb_SmallProduct found = {0};
    uint64_t sum = 0;
    for (uint64_t q = 0; q < m; q++) found -= (gb_SmallProduct)(few == (gb_SmallProduct){0} + b[q]);
    for (unsigned l = 0; l < GB_FEW_MOST; l++) sum += found[l];
    return sum;
}
#endif

#ifndef gb_raise_marked
GB_OP void gb_raise_marked(uint32_t *mark, const uint32_t *i, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) mark[i[k]] += mark[i[k]] != 0;
}
#endif

GB_OP uint64_t gb_and_first(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    for (uint64_t k = 0; k < 8 * blocks; k++)
        if ((a[k] & b[k]) != 0) return 64 * k + (uint64_t)__builtin_ctzll(a[k] & b[k]);
    return UINT64_MAX;
}
