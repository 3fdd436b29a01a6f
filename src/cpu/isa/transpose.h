/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of 16 x 16 numbers of 32 bits in 16 vectors of AVX-512.
 */
#ifndef GB_CPU_ISA_TRANSPOSE_H
#define GB_CPU_ISA_TRANSPOSE_H

#include "cpu/isa/isa.h"

#if defined(__AVX512F__)
/* Rows become columns. */
static inline void gb_transpose16(__m512i r[16]) {
    __m512i t[16];
    for (int k = 0; k < 16; k += 2) {
        t[k] = _mm512_unpacklo_epi32(r[k], r[k + 1]);
        t[k + 1] = _mm512_unpackhi_epi32(r[k], r[k + 1]);
    }
    for (int k = 0; k < 16; k += 4)
        for (int h = 0; h < 2; h++) {
            r[k + 2 * h] = _mm512_unpacklo_epi64(t[k + h], t[k + 2 + h]);
            r[k + 2 * h + 1] = _mm512_unpackhi_epi64(t[k + h], t[k + 2 + h]);
        }
    for (int k = 0; k < 16; k += 8)
        for (int h = 0; h < 4; h++) {
            t[k + h] = _mm512_shuffle_i32x4(r[k + h], r[k + 4 + h], 0x88);
            t[k + 4 + h] = _mm512_shuffle_i32x4(r[k + h], r[k + 4 + h], 0xDD);
        }
    for (int h = 0; h < 8; h++) {
        r[h] = _mm512_shuffle_i32x4(t[h], t[8 + h], 0x88);
        r[8 + h] = _mm512_shuffle_i32x4(t[h], t[8 + h], 0xDD);
    }
}

static inline __mmask16 gb_first_lanes(unsigned n) {
    return n >= 16 ? 0xFFFF : (__mmask16)((1u << n) - 1u);
}
#endif

#endif
