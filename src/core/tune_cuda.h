/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of products on a GPU (src/cuda) that affect speed only: those of Ocean (ICS '26, section
 * 4.3) unless a comment says otherwise, not measured on this project's kernels.
 */
#pragma once

#include "core/tune.h"

/* Shared memory and threads of a block of the largest class of rows: half of what a multiprocessor
 * has (128 KB, the rest is its L1), and half of its threads. Each class below takes half of the one
 * above. */
#define GB_CUDA_SHARED GB_TUNED(65536, 16384)
#define GB_CUDA_THREADS GB_TUNED(1024, 256)
/* The same of rows wider than 262144 columns, the bits in GB_CUDA_SHARED. Words of bits below which
 * a window is not divided: filling 8192 columns takes as long as a row of A of some hundred
 * entries. Not measured. */
#define GB_CUDA_LONG_SHARED GB_TUNED(196608, 24576)
#define GB_CUDA_WINDOW_LEAST GB_TUNED(256u, 4u)
/* Bytes of a pinned buffer: transfers of 4 MB reach the full speed of PCIe. */
#define GB_CUDA_STAGING GB_TUNED(((size_t)4 << 20), ((size_t)1 << 10))
/* Blocks of a grid; kernels loop over further rows. */
#define GB_CUDA_GRID_MOST GB_TUNED((1u << 30), 3u)
/* Products of a thread above which a row gets more threads. */
#define GB_CUDA_SHARE GB_TUNED(256u, 8u)
/* Words of bits of a row of A, and as many positions: 32 KB a block, of which seven fit; a block's
 * row spans up to 131072 columns, a warp's 16384. */
#define GB_CUDA_DOT_WORDS GB_TUNED(4096, 128)
/* Entries of a row of the mask per block: 256 a warp, about 50 us, against 5 us to prepare a row of
 * A. Not measured. */
#define GB_CUDA_DOT_PIECE GB_TUNED(2048, 32)
/* Bytes of a slice of a product that is downloaded slice by slice: about 2 ms of PCIe 5, ten times
 * the launch overhead of a product. */
#define GB_CUDA_SLICE GB_TUNED(((size_t)64 << 20), 2048u)
/* Entries of a row of tiles that 16 lanes convert to tiles one after the other: 128 for each of 16
 * rows, which is 8 steps of a full tile. Words of the bits that sort a column of more than 256
 * tiles: 16 KB, 2 million rows. */
#define GB_CUDA_TILE_CHUNK GB_TUNED(2048u, 24u)
#define GB_CUDA_TILE_WINDOW GB_TUNED(4096u, 3u)
/* Inner sub-matrices that a block of the approximate product (docs/spamm.md) lists at a time, a
 * multiple of 128: one pass for matrices up to 8192 with sub-matrices of 32. */
#define GB_CUDA_SPAMM_LIST GB_TUNED(256u, 128u)
/* Values of a row above which a block folds it: 32 steps of a warp. Not measured. */
#define GB_CUDA_LONG_FOLD GB_TUNED(1024u, 40u)
/* One lane traverses a row of a product with a vector up to so many entries (a cache line is 32), a
 * block above the second: 128 steps of a warp. */
#define GB_CUDA_PULL_SHORT GB_TUNED(32u, 4u)
#define GB_CUDA_PULL_LONG GB_TUNED(4096u, 64u)
/* A vector with fewer entries, relative to its length, keeps sorted indices: an index is four bytes
 * and one random access, a bit an eighth of a byte in order. */
#define GB_CUDA_LISTED_BELOW 8u
/* Sub-matrices of C that such a block computes (cuSpAMM's s, section 3.5.1). */
#define GB_CUDA_SPAMM_STRIDE 2
/* Entries of a tile of C up to which each is summed by itself: two a lane; then a lane reads at
 * most 16 + 16 bits for a pair of tiles, instead of 8 positions for each of 16. TileSpGEMM says 192
 * for sums in shared memory; not measured here. A multiple of 32. */
#define GB_CUDA_TILE_SPARSE 64u
/* Entries of both tiles of a pair from which it uses tensor cores, where FP64 has them: a quarter
 * of the positions. Without them a warp has 54 instructions for each entry of the longest row of
 * A's tile, with them 260 for a pair: equal where that row has 5 entries, as it has with 40 at
 * random positions; with 64 it has 7. Counted in PTX (docs/cuda.md), not measured. */
#define GB_CUDA_TILE_TENSOR 64u
#define GB_CUDA_SLICES 1024u /* parts of all rows, of which the first slice is one */
/* A product with at most so many rows puts its small arrays in one block and makes its classes
 * before it knows that the upper bound is their workflow; up to so many entries of the upper bound
 * C is allocated before its size is known. Both trade bytes for host waits, some microseconds
 * each. */
#define GB_CUDA_FEW_ROWS ((uint64_t)1 << 16)
#define GB_CUDA_FEW_ENTRIES ((uint64_t)1 << 20)
/* Values that one block sums up: it takes a microsecond for each 2048, a launch takes two. */
#define GB_CUDA_ONE_SCAN 8192u
/* Blocks per multiprocessor below which windows of long rows are divided over blocks. */
#define GB_CUDA_LONG_BLOCKS 2u
/* DOT: a sorted array so many times as long as the other is searched; blocks per multiprocessor of
 * a reduction to one value: as many as shared memory holds. Not measured. */
#define GB_CUDA_DOT_SEARCH 16u
#define GB_CUDA_SUM_BLOCKS 7u
#define GB_CUDA_LEVELS 5
/* Shared memory of a multiprocessor, in per cent, while rows are computed: 164 of an H100's 228 KB
 * hold two blocks of the largest class and leave 92 KB of L1 instead of 28; and streams on which
 * classes of rows are computed side by side, one each. Predicted, not measured; GBLITE_CUDA=
 * carveout=..,lanes=.. tries others. */
#define GB_CUDA_CARVEOUT 72
#define GB_CUDA_LANES 16
#define GB_CUDA_SHORT_ROWS 2 /* rows of a block of the smallest class, where they are short */
/* A row with more entries than this part of its table is recomputed. */
#define GB_CUDA_LOAD_PERCENT 80u
/* Slots of a table for a row whose size is certain, relative to it. */
#define GB_CUDA_SPACE_PERCENT 150u
/* Probes after which an insertion tests whether the row has overflowed. At the load above a probe
 * has 13 steps on average, (1 + 1 / (1 - load)^2) / 2; beyond it that number has no bound. */
#define GB_CUDA_LONG_PROBE 32u
/* Windows of bits, 16 columns a slot, up to which they rank a table's columns: some 25 instructions
 * an entry each; a sort has 200 (256 entries) to 350 (4096). Counted, not measured. */
#define GB_CUDA_RANK_WINDOWS 8u
/* Where operations run by default: no rate of a GPU has been measured yet. */
#define GB_PLACE_UNASKED GBL_PLACE_CPU
