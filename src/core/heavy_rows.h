/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a compressed view split by heavy inner indices, those that most rows have. They are
 * numbered by falling frequency, so that the heavy part of a row lies in few blocks of 512 numbers
 * however the matrix is numbered; it is held as bits, or as a list where bits would be sparse. Each
 * light inner index, which few rows have, lists its rows.
 *
 * Invariants: place[k] is the number of inner index k if it is below 512 * blocks, of which heavy
 * ones take the first; else it is 512 * blocks + t, and rows tail[tail_p[t]] .. tail[tail_p[t + 1]
 * - 1] have k, ascending. The heavy part of row j begins at content[row[j].at]: as bits, on a line
 * of the cache, in so many `blocks`, number c being bit c % 64 of 64-bit word c / 64; or, where
 * blocks is 0, as a list of so many `entries`, in no order. Without heavy inner indices all is 0.
 */
#ifndef GB_CORE_HEAVY_ROWS_H
#define GB_CORE_HEAVY_ROWS_H

#include "core/bitrows.h"

typedef struct {
    uint32_t at;
    uint16_t blocks, entries;
} gb_HeavyRow;

typedef struct {
    uint32_t blocks;         /* of the heavy numbers; 0: there are none */
    uint64_t bit_rows;       /* rows that are held as bits */
    const uint32_t *place;   /* [inner indices] */
    const gb_HeavyRow *row;  /* [rows] */
    const uint32_t *content; /* on a line of the cache */
    const uint32_t *tail_p;  /* [light inner indices + 1] */
    const uint32_t *tail;
} gb_HeavyRows;

#endif
