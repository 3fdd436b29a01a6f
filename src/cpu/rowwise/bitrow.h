/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of C of which only the pattern is wanted (ANY over PAIR): rows of B that are held as bits
 * (core/forms.h) are united 512 columns at a time, the others set bits one by one. A byte for
 * each word of bits says that some may be set, so that a row with few columns costs what it has,
 * and a look at 64 bytes for 4096 columns. Then what the mask forbids is dropped, and the row is
 * read off.
 *
 * Preconditions: room for 16 entries behind the row's; bits and bytes clean, as they are left.
 * Cost: products of lists, blocks of the others, a 4096th of the columns, entries of C and of the
 * mask's row.
 */
#pragma once

#include "cpu/simd/lanes.h"
#include "cpu/rowwise/rowwork.h"

/* Between two stores: gcc would gather what is stored in a vector first, which takes longer. */
#define GB_ONE_BY_ONE __asm__ volatile("" ::: "memory")

/* Sets the bits of some columns. Seldom are these in one word, whose bits wait for each other: rows
 * where they often are, are held as bits. */
static inline void gb_bits_set(gb_RowWork *w, const gb_Idx *restrict columns, uint64_t n) {
    uint64_t *restrict bits = w->bits;
    uint8_t *restrict touched = w->touched;
    for (uint64_t q = 0; q < n; q++) {
        const gb_Idx at = columns[q] / 64;
        bits[at] |= (uint64_t)1 << columns[q] % 64;
        touched[at] = 1;
    }
}

/* The bits of row k of B; NULL where it is a list. */
static inline const gb_BitRow *gb_bits_held(const gb_MxmArgs *g, uint64_t k) {
    return g->bits.rows == 0 || g->bits.row[k].blocks == 0 ? NULL : &g->bits.row[k];
}

/* Asks for the first lines of row k; those behind follow by themselves. Always inlined, since gcc
 * takes a function that only prefetches for one without effect and drops the call. */
GB_OP void gb_bits_prefetch(const gb_MxmArgs *g, uint64_t k) {
    const gb_Off from = g->B.p[k];
    const gb_BitRow *held = gb_bits_held(g, k);
    const char *line = (const char *)&g->B.i[from];
    if (held != NULL) line = (const char *)(g->bits.bits + (uint64_t)held->at * GB_BITS_WORDS);
    __builtin_prefetch(line);
    __builtin_prefetch(line + GB_LINE_BYTES);
}

/* Row k of B, as bits where it is held so. */
static inline void gb_bits_add(const gb_MxmArgs *g, gb_RowWork *w, uint64_t k) {
    const gb_Off from = g->B.p[k], to = g->B.p[k + 1];
    if (from == to) return;
    const gb_BitRow *held = gb_bits_held(g, k);
    if (held == NULL) {
        gb_bits_set(w, g->B.i + from, to - from);
        return;
    }
    const uint64_t first = (uint64_t)held->block * GB_BITS_WORDS;
    const uint64_t words = (uint64_t)held->blocks * GB_BITS_WORDS;
    const uint64_t *restrict x = g->bits.bits + (uint64_t)held->at * GB_BITS_WORDS;
    uint64_t *restrict sum = w->bits + first;
    for (uint64_t b = 0; b < words; b += GB_BITS_WORDS)
        for (unsigned l = 0; l < GB_BITS_WORDS; l++) sum[b + l] |= x[b + l];
    memset(w->touched + first, 1, words);
}

/* Columns of a word of bits, the first of them `at`; returns how many. Two at a time where there
 * are few, one too many without meaning, since nobody predicts how many there are. */
GB_INLINE uint64_t gb_bits_read_word(gb_Idx *Ci, gb_Idx at, uint64_t columns, bool few) {
    const uint64_t last = (uint64_t)1 << 63, count = gb_count64(columns);
    uint64_t n = 0;
    if (few || !GB_HAS_COMPRESS) {
        do {
            Ci[n++] = at + (gb_Idx)__builtin_ctzll(columns | last);
            columns &= columns - 1;
            GB_ONE_BY_ONE;
            Ci[n++] = at + (gb_Idx)__builtin_ctzll(columns | last);
            columns &= columns - 1;
        } while (columns != 0);
        return count;
    }
    for (unsigned part = 0; part < 4; part++, columns >>= 16)
        n += gb_columns(Ci + n, at + 16 * part, (unsigned)(columns & 0xFFFF), true);
    return n;
}

/* Reads the row off and cleans. `few`: words that are touched have hardly more than one bit. */
GB_INLINE uint64_t gb_bits_read(gb_RowWork *w, uint64_t ncols, gb_Idx *Ci, const bool few) {
    uint64_t n = 0;
    for (uint64_t from = 0; from < ncols / 64 + 1; from += 64) {
        uint64_t touched = gb_nonzero_bytes(w->touched + from);
        if (touched == 0) continue;
        memset(w->touched + from, 0, 64);
        for (; touched != 0; touched &= touched - 1) {
            const uint64_t at = from + (uint64_t)__builtin_ctzll(touched);
            const uint64_t columns = w->bits[at];
            if (columns == 0) continue;
            n += gb_bits_read_word(Ci + n, (gb_Idx)(64 * at), columns, few);
            w->bits[at] = 0;
        }
    }
    return n;
}

/* Drops the bits of the mask's row. */
static inline void gb_bits_drop(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i) {
    uint64_t *restrict bits = w->bits;
    for (gb_Off q = g->M.p[i]; q < g->M.p[i + 1]; q++)
        bits[g->M.i[q] / 64] &= ~((uint64_t)1 << g->M.i[q] % 64);
}

GB_PER_ROW uint64_t gb_row_bits(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                uint8_t *Cx) {
    const uint64_t f = g->flops[i + 1] - g->flops[i], ncols = g->B.nminor;
    w->by_bits++;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        if (p + GB_BITS_AHEAD < g->A.nvals) gb_bits_prefetch(g, g->A.i[p + GB_BITS_AHEAD]);
        gb_bits_add(g, w, g->A.i[p]);
    }
    if (g->mask_kind == GB_MASK_OUTSIDE && g->Mb == NULL) gb_bits_drop(g, w, i);
    const uint64_t n = f < ncols / GB_BITS_SPARSE ? gb_bits_read(w, ncols, Ci, true)
                                                  : gb_bits_read(w, ncols, Ci, false);
    memset(Cx, 1, n);
    return g->Mb != NULL ? gb_mask_row_by_bytes(g, i, Ci, Cx, n) : n;
}
