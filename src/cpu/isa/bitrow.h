/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of C of which only the pattern is wanted (ANY over PAIR), with many products for its width:
 * rows of B that are held as bits (core/bitrows.h) are united 512 columns at a time, the others set
 * bits one by one; then the row is read off.
 *
 * Preconditions: room for 16 entries behind the row's; bits clean, as they are left; B sorted.
 * Cost: products of lists, blocks of the others and of the row's span, entries of C.
 */
#ifndef GB_CPU_ISA_BITROW_H
#define GB_CPU_ISA_BITROW_H

#include "cpu/isa/lanes.h"
#include "cpu/isa/rowwork.h"

/* Blocks [from, to) have all columns of a row so far. */
typedef struct {
    uint64_t from, to;
} gb_BitSpan;

static inline void gb_span_add(gb_BitSpan *span, uint64_t from, uint64_t to) {
    span->from = from < span->from ? from : span->from;
    span->to = to > span->to ? to : span->to;
}

/* Sets the bits of some columns, ascending: a word at a time, since bits of one word would wait for
 * each other. */
static inline void gb_bits_set(uint64_t *restrict sum, const gb_Idx *restrict columns, uint64_t n) {
    gb_Idx at = columns[0] / 64;
    uint64_t word = 0;
    for (uint64_t q = 0; q < n; q++) {
        if (columns[q] / 64 != at) {
            sum[at] |= word;
            at = columns[q] / 64;
            word = 0;
        }
        word |= (uint64_t)1 << columns[q] % 64;
    }
    sum[at] |= word;
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
static inline void gb_bits_add(const gb_MxmArgs *g, uint64_t *restrict sum, uint64_t k,
                               gb_BitSpan *span) {
    const gb_Idx *restrict Bi = g->B.i;
    const gb_Off from = g->B.p[k], to = g->B.p[k + 1];
    if (from == to) return;
    const gb_BitRow *held = gb_bits_held(g, k);
    if (held == NULL) {
        gb_span_add(span, Bi[from] / GB_BITS_BLOCK, Bi[to - 1] / GB_BITS_BLOCK + 1);
        gb_bits_set(sum, Bi + from, to - from);
        return;
    }
    const uint64_t *restrict x = g->bits.bits + (uint64_t)held->at * GB_BITS_WORDS;
    sum += (uint64_t)held->block * GB_BITS_WORDS;
    gb_span_add(span, held->block, (uint64_t)held->block + held->blocks);
    for (uint64_t b = 0; b < (uint64_t)held->blocks * GB_BITS_WORDS; b += GB_BITS_WORDS)
        for (unsigned l = 0; l < GB_BITS_WORDS; l++) sum[b + l] |= x[b + l];
}

GB_PER_ROW uint64_t gb_row_bits(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                uint8_t *Cx) {
    gb_BitSpan span = {UINT64_MAX, 0};
    uint64_t n = 0;
    w->by_bits++;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        if (p + GB_BITS_AHEAD < g->A.nvals) gb_bits_prefetch(g, g->A.i[p + GB_BITS_AHEAD]);
        gb_bits_add(g, w->bits, g->A.i[p], &span);
    }
    for (uint64_t b = span.from * GB_BITS_WORDS; b < span.to * GB_BITS_WORDS; b++) {
        uint64_t columns = w->bits[b];
        if (columns == 0) continue;
        w->bits[b] = 0;
        for (gb_Idx at = (gb_Idx)(64 * b); columns != 0; columns >>= 16, at += 16)
            if ((columns & 0xFFFF) != 0)
                n += gb_columns(Ci + n, at, (unsigned)(columns & 0xFFFF), true);
    }
    memset(Cx, 1, n);
    return n;
}

#endif
