/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder's functions on random arrays, for a test: each returns the first place where the
 * result is wrong, or -1. The library must be initialised.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int64_t ladder_scan(uint64_t n, uint64_t seed);
int64_t ladder_scan_in_place(uint64_t n, uint64_t seed);
/* LANES * ITEMS keys, by a warp: 16 x 2, 32 x 2, 32 x 4 and 32 x 8, of 32 and 64 bits */
int64_t ladder_warp_sort(int which, uint64_t seed);
enum { LADDER_WARP_SORTS = 8 };
/* n keys in shared memory by a block of 64 */
int64_t ladder_block_sort(unsigned n, uint64_t seed);
/* The class of a row (gb_RowClass) of so many products, columns and expected entries, without
 * rows that are sorted as they are expanded; and the threads that do a row of it. */
int ladder_class(uint64_t products, uint32_t width, uint64_t size, unsigned value_bytes);
unsigned ladder_class_threads(int row_class);

#ifdef __cplusplus
}
#endif
