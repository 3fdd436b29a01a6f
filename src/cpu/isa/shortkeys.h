/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of short rows in the lanes of vectors, and their sorting: lane l of vector s is key s of row
 * l. Keys are column << 6 | number of the product in 32 bits where columns leave room, else column
 * << 32 | number in 64 bits, as two groups of 8 lanes. Unused keys are all ones and sort last.
 *
 * With AVX-512 narrow keys are brought into lanes, and back into rows, by transposing blocks of 16
 * rows and 16 keys: no loop then depends on the length of a single row, whose end would be guessed
 * wrong for most rows.
 */
#ifndef GB_CPU_ISA_SHORTKEYS_H
#define GB_CPU_ISA_SHORTKEYS_H

#include "cpu/isa/network.h"
#include "cpu/isa/rowwork.h"
#include "cpu/isa/transpose.h"

typedef struct {
    unsigned size; /* keys per lane: 8, 16, 32 or 64 */
    bool wide;
    union {
        gb_Lanes32 narrow[64];
        gb_Lanes64 wide_keys[2][64];
    };
#if defined(__AVX512F__)
    uint32_t row[GB_SHORT_ROWS][64]; /* narrow keys once sorted */
#endif
} gb_ShortKeys;

GB_NETWORK(sort_narrow8, gb_Lanes32, gb_order32, 8)
GB_NETWORK(sort_narrow16, gb_Lanes32, gb_order32, 16)
GB_NETWORK(sort_narrow32, gb_Lanes32, gb_order32, 32)
GB_NETWORK(sort_narrow64, gb_Lanes32, gb_order32, 64)
GB_NETWORK(sort_wide64, gb_Lanes64, gb_order64, 64)

#if defined(__AVX512F__)
static inline void gb_short_put_narrow(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                       const gb_Idx *const *col) {
    const __m512i ones = _mm512_set1_epi32(-1);
    __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (unsigned s = 0; s < keys->size; s += 16) {
        __m512i r[16];
        for (unsigned l = 0; l < 16; l++) {
            const unsigned f = l < batch->n ? batch->products[l] : 0;
            const __mmask16 m = gb_first_lanes(f > s ? f - s : 0);
            /* an address that is mapped even where nothing is loaded: else it takes 100 ns */
            const __m512i j = _mm512_maskz_loadu_epi32(m, m != 0 ? col[l] + s : col[0]);
            r[l] = _mm512_mask_or_epi32(ones, m, _mm512_slli_epi32(j, 6), number);
        }
        gb_transpose16(r);
        for (unsigned k = 0; k < 16 && s + k < keys->size; k++)
            keys->narrow[s + k] = (gb_Lanes32)r[k];
        number = _mm512_add_epi32(number, _mm512_set1_epi32(16));
    }
}

static inline void gb_short_take_narrow(gb_ShortKeys *keys) {
    for (unsigned s = 0; s < keys->size; s += 16) {
        __m512i r[16];
        for (unsigned k = 0; k < 16; k++)
            r[k] = s + k < keys->size ? (__m512i)keys->narrow[s + k] : _mm512_setzero_si512();
        gb_transpose16(r);
        for (unsigned l = 0; l < 16; l++) _mm512_storeu_si512(&keys->row[l][s], r[l]);
    }
}
#else
static inline void gb_short_put_narrow(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                       const gb_Idx *const *col) {
    memset(keys->narrow, 0xFF, keys->size * sizeof keys->narrow[0]);
    for (unsigned l = 0; l < batch->n; l++) {
        uint32_t *to = (uint32_t *)keys->narrow + l;
        for (unsigned s = 0; s < batch->products[l]; s++) to[16 * s] = col[l][s] << 6 | s;
    }
}

static inline void gb_short_take_narrow(gb_ShortKeys *keys) {
    (void)keys;
}
#endif

static inline void gb_short_put_wide(gb_ShortKeys *keys, const gb_ShortRows *batch,
                                     const gb_Idx *const *col) {
    memset(keys->wide_keys, 0xFF, sizeof keys->wide_keys);
    for (unsigned l = 0; l < batch->n; l++) {
        uint64_t *to = (uint64_t *)keys->wide_keys[l / 8] + l % 8;
        for (unsigned s = 0; s < batch->products[l]; s++) to[8 * s] = (uint64_t)col[l][s] << 32 | s;
    }
}

/* Sorts the columns of a batch of rows: col[l] are the columns of the products of its row l. */
static inline void gb_short_sort(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                 const gb_Idx *const *col) {
    const unsigned longest = batch->longest;
    keys->wide = ncols > (uint64_t)1 << 26;
    keys->size = longest <= 8 ? 8 : longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
    if (keys->wide) {
        gb_short_put_wide(keys, batch, col);
        sort_wide64(keys->wide_keys[0]);
        sort_wide64(keys->wide_keys[1]);
        return;
    }
    gb_short_put_narrow(keys, batch, col);
    if (keys->size == 8)
        sort_narrow8(keys->narrow);
    else if (keys->size == 16)
        sort_narrow16(keys->narrow);
    else if (keys->size == 32)
        sort_narrow32(keys->narrow);
    else
        sort_narrow64(keys->narrow);
    gb_short_take_narrow(keys);
}

/* Column and number of the product of key s of lane l. */
static inline gb_Idx gb_short_key(const gb_ShortKeys *keys, unsigned s, unsigned l,
                                  unsigned *number) {
    if (keys->wide) {
        const uint64_t key = ((const uint64_t *)keys->wide_keys[l / 8])[8 * s + l % 8];
        *number = (unsigned)key;
        return (gb_Idx)(key >> 32);
    }
#if defined(__AVX512F__)
    const uint32_t key = keys->row[l][s];
#else
    const uint32_t key = ((const uint32_t *)keys->narrow)[16 * s + l];
#endif
    *number = key & 63u;
    return key >> 6;
}

/* Emits keys s to s + 15 of lane l, or as many as there are of f, with their values of 4 or 8
 * bytes: how many. 0 when this set of instructions has no way for it, keys are wide, or two columns
 * are equal, the one before, `last`, among them. */
static inline unsigned gb_short_emit16(const gb_ShortKeys *keys, unsigned s, unsigned l, unsigned f,
                                       gb_Idx last, const void *prod, size_t size, gb_Idx *Ci,
                                       void *Cx) {
#if defined(__AVX512F__)
    if (keys->wide || (size != 8 && size != 4)) return 0;
    const __mmask16 m = gb_first_lanes(f - s);
    const __m512i key = _mm512_loadu_si512(&keys->row[l][s]), j = _mm512_srli_epi32(key, 6);
    const __m512i before = _mm512_alignr_epi32(j, _mm512_set1_epi32((int)last), 15);
    if (_mm512_mask_cmpeq_epi32_mask(m, j, before) != 0) return 0;
    const __m512i number = _mm512_and_si512(key, _mm512_set1_epi32(63));
    _mm512_mask_storeu_epi32(Ci, m, j);
    if (size == 4) {
        const __m512i x = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, number, prod, 4);
        _mm512_mask_storeu_epi32(Cx, m, x);
    } else {
        const __m256i low = _mm512_castsi512_si256(number);
        const __m256i high = _mm512_extracti64x4_epi64(number, 1);
        const __m512i zero = _mm512_setzero_si512();
        const __mmask8 n = (__mmask8)m, o = (__mmask8)(m >> 8);
        _mm512_mask_storeu_epi64(Cx, n, _mm512_mask_i32gather_epi64(zero, n, low, prod, 8));
        _mm512_mask_storeu_epi64((char *)Cx + 64, o,
                                 _mm512_mask_i32gather_epi64(zero, o, high, prod, 8));
    }
    return f - s < 16 ? f - s : 16;
#else
    (void)keys, (void)s, (void)l, (void)f, (void)last, (void)prod, (void)size, (void)Ci, (void)Cx;
    return 0;
#endif
}

#endif
