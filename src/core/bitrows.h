/* SPDX-License-Identifier: Apache-2.0
 *
 * Some rows of a compressed view held as bits besides: those with many entries for their span, the
 * columns from the first entry to the last. Spans are counted in blocks of 512 columns.
 *
 * Integrity: row[j].blocks is 0 where row j is a list only; else column c of it is bit c % 64 of
 * bits[8 * (at + c / 512 - block) + c / 64 % 8], for c / 512 in [block, block + blocks), which lies
 * in [first, end). `bits` begins at a line of the cache. Without such rows all is 0.
 */
#ifndef GB_CORE_BITROWS_H
#define GB_CORE_BITROWS_H

#include "core/view.h"

enum { GB_BITS_BLOCK = 512, GB_BITS_WORDS = GB_BITS_BLOCK / 64 };

typedef struct {
    uint32_t at; /* blocks before it */
    uint32_t block, blocks;
} gb_BitRow;

typedef struct {
    uint64_t rows;       /* held as bits */
    uint32_t first, end; /* blocks that they have, all of them */
    const gb_BitRow *row;
    const uint64_t *bits;
} gb_BitRows;

/* Blocks that one more row may span beside factors of so many entries: it takes no more room. */
static inline uint64_t gb_bits_blocks_most(uint64_t entries) {
    return 64 + entries / GB_BITS_WORDS;
}

#endif
