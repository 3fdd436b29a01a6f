/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a compressed view told apart by hubs, the inner indices that most rows have. Hubs are
 * numbered by falling frequency, so that what a row has of them lies in few blocks of 512 numbers
 * however the matrix is numbered; it is held as bits, or as a list where bits would be sparse. All
 * other inner indices, in few rows each, are held by themselves: which rows have them.
 *
 * Integrity: place[k] is the number of inner index k if it is below 512 * blocks, of which hubs
 * take the first; else it is 512 * blocks + t, and rows tail[tail_p[t]] .. tail[tail_p[t + 1] - 1]
 * have k, ascending. What row j has of hubs begins at content[row[j].at]: as bits, on a line of the
 * cache, in so many `blocks`, number c being bit c % 64 of 64-bit word c / 64; or, where blocks is
 * 0, as a list of so many `entries`, in no order. Without hubs all is 0.
 */
#ifndef GB_CORE_HEAVY_ROWS_H
#define GB_CORE_HEAVY_ROWS_H

#include "core/bitrows.h"

typedef struct {
    uint32_t at;
    uint16_t blocks, entries;
} gb_HeavyRow;

typedef struct {
    uint32_t blocks;         /* of the hubs' numbers; 0: there are none */
    uint64_t bit_rows;       /* rows that are held as bits */
    const uint32_t *place;   /* [inner indices] */
    const gb_HeavyRow *row;  /* [rows] */
    const uint32_t *content; /* on a line of the cache */
    const uint32_t *tail_p;  /* [inner indices that are no hubs + 1] */
    const uint32_t *tail;
} gb_HeavyRows;

#endif
