/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of C of which only the pattern is wanted (ANY over PAIR), with many products for its width:
 * rows of B that are held as bits (core/bitrows.h) are united 512 columns at a time, the others
 * mark columns one by one, a byte each; then the row is read off, 64 columns at a time.
 *
 * Preconditions: room for 16 entries behind the row's; bits and marks clean, as they are left.
 * Cost: products of lists, blocks of the others, n / 64, entries of C.
 */
#ifndef GB_CPU_ISA_BITROW_H
#define GB_CPU_ISA_BITROW_H

#include "cpu/isa/lanes.h"
#include "cpu/isa/rowwork.h"

/* Row k of B, as bits where it is held so. */
static inline void gb_bits_add(const gb_MxmArgs *g, const gb_RowWork *w, uint64_t k) {
    const gb_Off from = g->B.p[k], to = g->B.p[k + 1];
    uint8_t *restrict mark = w->mark;
    if (g->bits.rows == 0 || to - from < GB_BITS_LEAST || g->bits.slot[k] == 0) {
        const gb_Idx *restrict Bi = g->B.i;
        for (gb_Off q = from; q < to; q++) mark[Bi[q]] = 1;
        return;
    }
    const gb_BitRow *held = &g->bits.row[g->bits.slot[k] - 1];
    const uint64_t *restrict x = g->bits.bits + held->at * GB_BITS_WORDS;
    uint64_t *restrict sum = w->bits + (uint64_t)held->block * GB_BITS_WORDS;
    for (uint64_t b = 0; b < (uint64_t)held->blocks * GB_BITS_WORDS; b += GB_BITS_WORDS)
        for (unsigned l = 0; l < GB_BITS_WORDS; l++) sum[b + l] |= x[b + l];
}

/* Columns 64 b to 64 b + 63 of the row, which are then clean again. */
static inline uint64_t gb_bits_take(const gb_RowWork *w, uint64_t b) {
    const uint64_t columns = w->bits[b] | gb_nonzero_bytes(w->mark + 64 * b);
    w->bits[b] = 0;
    memset(w->mark + 64 * b, 0, 64);
    return columns;
}

GB_PER_ROW uint64_t gb_row_bits(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                uint8_t *Cx) {
    uint64_t n = 0;
    w->by_bits++;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) gb_bits_add(g, w, g->A.i[p]);
    for (uint64_t b = 0; 64 * b < g->B.nminor; b++) {
        uint64_t columns = gb_bits_take(w, b);
        for (gb_Idx at = (gb_Idx)(64 * b); columns != 0; columns >>= 16, at += 16)
            if ((columns & 0xFFFF) != 0)
                n += gb_columns(Ci + n, at, (unsigned)(columns & 0xFFFF), true);
    }
    memset(Cx, 1, n);
    return n;
}

#endif
