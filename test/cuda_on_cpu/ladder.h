/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder's functions on random arrays, for a test: each returns the first place where the
 * result is wrong, or -1. The library must be initialised.
 */
#ifndef CUDA_ON_CPU_LADDER_H
#define CUDA_ON_CPU_LADDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int64_t ladder_scan(uint64_t n, uint64_t seed);
int64_t ladder_scan_in_place(uint64_t n, uint64_t seed);
/* LANES * ITEMS keys, by a warp: 16 x 2, 32 x 2 and 32 x 8, of 32 and 64 bits */
int64_t ladder_warp_sort(int which, uint64_t seed);
enum { LADDER_WARP_SORTS = 6 };
/* 64 x 8 keys by a block, bits [from, to) only; the rest keeps its order */
int64_t ladder_block_sort(int from, int to, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
