/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the approximate product (docs/spamm.md), for tune.h, which see.
 */
#ifndef GB_CORE_TUNE_SPAMM_H
#define GB_CORE_TUNE_SPAMM_H

#ifdef GB_TINY
#define GB_SPAMM_PAIRS 64.0
#define GB_SPAMM_AT_ONCE 3
#define GB_CUDA_SPAMM_LIST 128u
#else
/* Products of sub-matrices that a task lists, about: 4 MB. */
#define GB_SPAMM_PAIRS 524288.0
/* Of them so many are summed before C's sub-matrix goes from registers to the first cache.
 * decay:2048:paper at a ratio of 0.3, one thread, AVX-512: FP64 64 to 75 ms with 2, 63 to 67 with
 * 4, 68 with 8, 68 to 72 with 16; FP32 34 to 36, 31 to 37, 35 to 38, 36 to 38. */
#define GB_SPAMM_AT_ONCE 4
/* Inner sub-matrices that a block of the approximate product lists at a time, a multiple of 128:
 * one pass for matrices up to 8192 with sub-matrices of 32. */
#define GB_CUDA_SPAMM_LIST 256u
#endif
/* Rows of C that one task computes, a multiple of 64: a sub-matrix of B is fetched once for all of
 * them (256 take as long). Most rows of sub-matrices in that. Tasks per thread, at least. */
#define GB_SPAMM_ROWS 128u
#define GB_SPAMM_ROWS_MOST (GB_SPAMM_ROWS / 16u)
#define GB_SPAMM_TASKS 8.0
/* Side of sub-matrices unless a descriptor says otherwise: with it the taus of cuSpAMM's table 1
 * give the ratios that they stand for. */
#define GB_SPAMM_SIDE_UNASKED 32u
/* How near a valid ratio has to be to the one that is wanted, relative to it. */
#define GB_SPAMM_RATIO_ERROR 1e-3
/* Values that are rounded by one thread at a time. */
#define GB_SPAMM_ROUND 16384u
/* Sub-matrices of C that a block of a GPU computes (cuSpAMM's s, section 3.5.1). */
#define GB_CUDA_SPAMM_STRIDE 2

#endif
