/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic on the masks of a tile: 16 rows of 16 bits, one vector of 16 lanes. What these decide
 * needs no values: where a product has entries (OR), and how many products make one (AND and
 * count).
 */
#ifndef GB_CPU_TILED_TILEMASKS_H
#define GB_CPU_TILED_TILEMASKS_H

#include "core/view.h"
#include "cpu/simd/isa.h"

typedef uint16_t gb_Rows __attribute__((vector_size(32)));   /* lane r is row r of a tile */
typedef uint32_t gb_Counts __attribute__((vector_size(64))); /* lane c belongs to column c */

/* Bit c: column c of the tile has an entry. */
static inline unsigned gb_columns_held(const uint16_t *mask) {
    uint64_t w[4];
    __builtin_memcpy(w, mask, sizeof w);
    uint64_t any = w[0] | w[1] | w[2] | w[3];
    any |= any >> 32;
    return (unsigned)((any | any >> 16) & 0xFFFFu);
}

/* Bit r: row r of the tile has an entry. */
static inline unsigned gb_rows_held(const uint16_t *mask) {
    return gb_nonzero_words(mask);
}

/* The masks of a left factor by columns: lane r of select[k] is all ones where (r, k) is there. */
static inline void gb_select_rows(gb_Rows *select, const uint16_t *mask) {
    gb_Rows rows;
    __builtin_memcpy(&rows, mask, sizeof rows);
    for (unsigned k = 0; k < GB_TILE; k++) select[k] = -(rows >> k & 1);
}

/* c |= a times b: the OR of the rows of b that each row of a names. */
static inline void gb_unite_masks(uint16_t *c, const gb_Rows *select, const uint16_t *b) {
    gb_Rows sum;
    __builtin_memcpy(&sum, c, sizeof sum);
    for (unsigned k = 0; k < GB_TILE; k++) sum |= select[k] & b[k];
    __builtin_memcpy(c, &sum, sizeof sum);
}

/* count[c] += products of row `a` and column c of b, whose columns are given: bits of a AND b. */
static inline void gb_count_row(uint32_t *count, unsigned a, const uint16_t *bcols) {
    gb_Rows x;
    gb_Counts sum;
    __builtin_memcpy(&x, bcols, sizeof x);
    __builtin_memcpy(&sum, count, sizeof sum);
    x &= (uint16_t)a;
    x -= x >> 1 & 0x5555;
    x = (x & 0x3333) + (x >> 2 & 0x3333);
    x = (x + (x >> 4)) & 0x0F0F;
    x = (x + (x >> 8)) & 0x00FF;
    sum += __builtin_convertvector(x, gb_Counts);
    __builtin_memcpy(count, &sum, sizeof sum);
}

#endif
