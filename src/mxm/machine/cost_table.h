/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that choices rest on.
 */
#pragma once

#include "core/tune.h"

/* -- rates of the cost model (cost.c) ---------------------------------------------------------- */

/* Nanoseconds of one thread for one of the things that the comments name, by instruction set:
 * name, portable, AVX2, AVX-512. Measured on 2 cores of an AMD EPYC (Zen 5, 1 MB second cache), gcc
 * 12 -O3, November 2026: the samples of `gblite calibrate` and, for AVX-512, forced runs of those
 * inputs of bench/suite.txt that are not held out, fitted as fit.c does. Later, by the same
 * inputs, those of OUTER for entries, flops and packets times 1.2 and DENSE_RUN halved, for all
 * sets as for AVX-512: of predicted over measured seconds the geometric mean was 0.83 for OUTER,
 * and 1.5 to 2.1 for ROWWISE on runs (fem:6:6 takes 8.9, 8.1 and 8.3 ms by the three sets).
 * PANEL_STEP of the portable set was 2: five of fem and band take 2.0 to 2.7 times AVX-512's
 * processor time. */
#define GB_FOREACH_RATE(RATE)                                                                      \
    /* entries of A whose flops are counted for the plan; calls on several threads */              \
    RATE(PLAN_ENTRY, 2.13, 1.66, 1.45)                                                             \
    RATE(START_THREADS, 11574, 8886, 8300)                                                         \
    /* calls of most methods */                                                                    \
    RATE(CALL, 2297, 2232, 2230)                                                                   \
    /* rowwise: calls with estimates; rows of C; entries of A; rows of B that are far, in ns of */ \
    /* latency */                                                                                  \
    RATE(CALL_ESTIMATE, 1235, 1197, 1160)                                                          \
    RATE(ROW, 43.7, 38.2, 31.4)                                                                    \
    RATE(FETCH, 6.71, 4.82, 4.36)                                                                  \
    RATE(FETCH_FAR, 0.462, 0.407, 0.313)                                                           \
    /* flops of copied and of short rows; comparators that sort 16 short rows, per row */          \
    RATE(EXPAND, 0.0863, 0.0821, 0.08)                                                             \
    RATE(SORT_STEP, 0.411, 0.229, 0.133)                                                           \
    /* dense array: flops; beyond the caches; where columns come in runs; sweeps of 4096 */        \
    /* columns; blocks of 64 columns touched; entries of C */                                      \
    RATE(DENSE, 0.652, 0.567, 0.531)                                                               \
    RATE(DENSE_FAR, 0.585, 0.559, 0.531)                                                           \
    RATE(DENSE_RUN, 0.247, 0.22, 0.209)                                                            \
    RATE(DENSE_SWEEP, 0.578, 0.562, 0.556)                                                         \
    RATE(DENSE_BLOCK, 5.91, 5.98, 5.34)                                                            \
    RATE(DENSE_OUT, 2.23, 1.52, 1.41)                                                              \
    /* hash table: flops; entries of C */                                                          \
    RATE(HASH, 1.73, 1.52, 1.38)                                                                   \
    RATE(HASH_OUT, 6.6, 7.14, 7.32)                                                                \
    /* 12 bytes of C put in place; 12 bytes of C moved to smaller arrays, or to other rows */      \
    RATE(PLACE, 0.787, 0.588, 0.496)                                                               \
    RATE(SLACK, 0.888, 0.946, 0.955)                                                               \
    /* entries of B sketched; entries of A whose 32 registers are merged; flops counted, and */    \
    /* entries of A for it */                                                                      \
    RATE(SKETCH, 4.96, 4.96, 4.96)                                                                 \
    RATE(MERGE, 7.07, 4.72, 4.22)                                                                  \
    RATE(SYMBOLIC, 0.481, 0.449, 0.459)                                                            \
    RATE(SYMBOLIC_ENTRY, 8.94, 7.42, 7.1)                                                          \
    /* inside or outside a mask: flops; entries of the mask; entries that dot scans */             \
    RATE(MASKED_PRODUCT, 1.09, 0.837, 0.749)                                                       \
    RATE(MASK_ENTRY, 0.241, 0.242, 0.241)                                                          \
    RATE(DOT_ENTRY, 0.333, 0.341, 0.346)                                                           \
    /* sparse times full (docs/spmm.md), rows and entries by an Intel Xeon, lines of lower */      \
    /* sets by a Cascade Lake: rows of A; its entries; 64 bytes of B added to a row */             \
    /* of C, and ns of bandwidth for those beyond the caches, between bands (half of it) and */    \
    /* rows of B at random places (three times as long) */                                         \
    RATE(SPMM_ROW, 4, 4, 4)                                                                        \
    RATE(SPMM_ENTRY, 0.5, 0.5, 0.5)                                                                \
    RATE(SPMM_LINE, 2, 1.2, 0.6)                                                                   \
    RATE(SPMM_FAR, 0.9, 0.9, 0.9)                                                                  \
    /* vector, from its ratio to rowwise (docs/vector.md): flops */                                \
    RATE(VECTOR_PRODUCT, 14, 13, 12)                                                               \
    /* panels, fitted to processor times of one thread (docs/panel.md), those of lower sets */     \
    /* times what rowwise is predicted to take over what it took: calls; rows and entries */       \
    /* of A; of these, entries that are far apart in panels, whose rows are merged by heads; */    \
    /* entries of B read for a panel, and those of them whose columns are looked up */             \
    /* in a table; columns of panels; entries of C. Rows of A later, from band:100000:1 */         \
    /* and :3: rowwise and panel take 6.4 and 9.6, 4.9 and 7.0, 4.8 and 5.5 ms by the three */     \
    /* sets, and 32 and 17, 22 and 13, 18 and 9.4; held out band:50000:2: 7.6 and 6.3, 5.6 */      \
    /* and 4.6, 5.2 and 3.4 */                                                                     \
    RATE(CALL_PANEL, 3000, 3000, 3000)                                                             \
    RATE(PANEL_ROW, 40, 20, 36)                                                                    \
    RATE(PANEL_ENTRY, 10, 9.7, 2)                                                                  \
    RATE(PANEL_MERGE, 24, 20, 18)                                                                  \
    RATE(PANEL_STEP, 1.4, 0.98, 0.55)                                                              \
    RATE(PANEL_FIND, 16, 14, 11)                                                                   \
    RATE(PANEL_COLUMN, 10.7, 8.4, 5.5)                                                             \
    RATE(PANEL_OUT, 0.1, 0.1, 0.1)                                                                 \
    /* rows of A grouped: entries of A, and its rows, to group them; beside what panels take, */   \
    /* rows of B read, which lie apart, and their entries (docs/panel.md) */                       \
    RATE(GROUP_ENTRY, 4, 2.5, 2)                                                                   \
    RATE(GROUP_ROW, 150, 130, 120)                                                                 \
    RATE(GROUP_FETCH, 40, 40, 40)                                                                  \
    RATE(GROUP_STEP, 0.6, 0.6, 0.6)                                                                \
    /* flops by the user's functions, beside what they take otherwise */                           \
    RATE(GENERIC, 11.5, 11.1, 10.2)                                                                \
    /* outer: calls; entries of A; flops; comparators; flops of long rows per pass of */           \
    /* sorting; in dense arrays; ns of bandwidth for packets; entries passed again by a slice */   \
    RATE(CALL_OUTER, 7794, 8073, 7500)                                                             \
    RATE(OUTER_ENTRY, 32, 29.6, 17.4)                                                              \
    RATE(OUTER_PRODUCT, 1.67, 1.58, 1.14)                                                          \
    RATE(OUTER_STEP, 0.349, 0.316, 0.208)                                                          \
    RATE(OUTER_LONG, 3.11, 3.13, 2.78)                                                             \
    RATE(OUTER_DENSE, 1.54, 1.56, 1.33)                                                            \
    RATE(OUTER_STREAM, 0.134, 0.134, 0.132)                                                        \
    RATE(OUTER_SLICE, 2.08, 2.08, 2.08)                                                            \
    /* tiled: calls; pairs of tiles; entries of A times tiles of B, 8 bytes a value; flops */      \
    /* of nearly empty tiles; tiles of C */                                                        \
    RATE(CALL_TILED, 1491, 1474, 1470)                                                             \
    RATE(TILE_PAIR, 19.5, 16.8, 16.4)                                                              \
    RATE(TILE_LANE, 1.66, 1.09, 0.85)                                                              \
    RATE(TILE_PRODUCT, 0.4, 0.4, 0.4)                                                              \
    RATE(TILE_OUT, 242, 173, 159)                                                                  \
    /* spamm (docs/spamm.md): pairs of tiles, as parts of sub-matrices: AVX-512 measured, others   \
     */                                                                                            \
    /* by the width of registers; values copied */                                                 \
    RATE(SPAMM_PAIR, 440, 220, 110)                                                                \
    RATE(SPAMM_VALUE, 1, 1, 1)                                                                     \
    /* conversions: entries between rows and columns, and those of full matrices; entries and */   \
    /* tiles to tiles, and back or of a product in tiles */                                        \
    RATE(CONVERT, 4.42, 4.42, 4.42)                                                                \
    RATE(CONVERT_FULL, 1.2, 1.2, 1.2)                                                              \
    RATE(TILES_ENTRY, 4.08, 4.08, 4.08)                                                            \
    RATE(TILES_TILE, 47.5, 47.5, 47.5)                                                             \
    RATE(ROWS_ENTRY, 3.25, 2.17, 1.77)                                                             \
    RATE(ROWS_TILE, 21, 19.8, 19.6)                                                                \
    /* positions made rows, on one thread: of 1 to 17 million full ones 0.6 to 1.2, where */       \
    /* a tenth have entries 0.8 to 1.5, half 1.3 to 1.5; but of 4 columns 4.5 */                   \
    RATE(FROM_DENSE, 0.68, 0.68, 0.68)                                                             \
    /* bytes of large blocks that are touched for the first time: 0.20 ns in huge pages, 0.44 in   \
     */                                                                                            \
    /* pages of 4 KB, on one thread as on two; up to 8 where the host of a virtual machine has */  \
    /* to find them first */                                                                       \
    RATE(FRESH_BYTE, 0.25, 0.25, 0.25)                                                             \
    /* on a GPU, from the paper and data sheets (never measured): calls, about 40 launches and */  \
    /* waits of 5 us; flops, 108 GFLOPS of an H100, two a product, in the paper's table 2; */      \
    /* bytes moved between host and device, through a pinned buffer */                             \
    RATE(GPU_CALL, 200e3, 200e3, 200e3)                                                            \
    RATE(GPU_PRODUCT, 0.02, 0.02, 0.02)                                                            \
    RATE(GPU_BYTE, 0.1, 0.1, 0.1)                                                                  \
    /* tiles on a GPU, from counts of instructions and bytes of an H100 (docs/cuda.md; never */    \
    /* measured): pairs; tiles of A, B and C; products */                                          \
    RATE(GPU_TILE_PAIR, 0.6, 0.6, 0.6)                                                             \
    RATE(GPU_TILE, 0.5, 0.5, 0.5)                                                                  \
    RATE(GPU_TILE_PRODUCT, 0.002, 0.002, 0.002)                                                    \
    /* pairs of tiles by tensor cores, 8192 flops at the 20 TFLOPS that docs/spamm.md predicts */  \
    RATE(GPU_SPAMM_PAIR, 0.4, 0.4, 0.4)

/* Larger blocks are mapped anew by the C library each time (glibc: the most that its threshold
 * grows to). fem:20:1, whose upper bound takes 65 MB: 35 ms, by estimates 29. */
#define GB_MAPPED_BYTES (32.0 * 1048576.0)

/* Where no calibration tells: ns of a load from memory, bytes per ns of one thread of several. */
#define GB_LATENCY 100.0
#define GB_BANDWIDTH 12.0

/* Predictions that differ by less than this are equal: then what needs no conversion is taken. */
#define GB_TIE 1.05

/* Below so many flops only methods that suit few of them are compared. Comparing all takes 1.6 us,
 * as long as ROWWISE takes for a thousand products: 10 x 10 with 82 flops 3.4 us, without 1.9. */
#define GB_SMALL_FLOPS 512u

/* Products of lists, words of bits and entries of C in rows read off bits (cpu/rowwise/bitrow.h),
 * relative to products, blocks and entries of dense arrays. One thread of a Zen 4, ms predicted and
 * measured: fitted er:13:20 10.5, 11.7, er:12:9 1.4, 1.5, er:12:64 11.7, 10.6, rmat:12:64 7.2, 8.6;
 * held out rmat:14:16 31, 29, rmat:15:7 37, 44, rmat:13:30 15.5, 17.6, web:15:8 5.5, 4.5, er:15:8
 * 10.2, 12.6, email-Enron 58, 48, wiki-Vote 4.1, 6.0. */
#define GB_PATTERN_PRODUCT 2.5
#define GB_PATTERN_BLOCK 0.55
#define GB_PATTERN_OUT 0.3
/* Pairs of tiles and tiles of C where no value is made, relative to others, on a Zen 4. */
#define GB_PATTERN_PAIR 0.214
#define GB_PATTERN_TILE 0.347
/* An entry of B read for a panel where no value is made: fem:22:3, fem:12:4 and band:20000:20. */
#define GB_PATTERN_STEP 0.4
/* Rows made of tiles that have one value: fem:22:3 0.42 ns an entry, 1.8 with values. */
#define GB_PATTERN_ROWS 0.25

/* -- features (plan/features.c, plan/sample.c, matrix/facts.c) --------------------------------- */

/* Below so many flops nothing is sampled: looking costs more than choosing well can save. */
#define GB_SAMPLE_FLOPS GB_TUNED(32768u, 16u)
/* ... or fewer than rows of both factors over this: features of rows take a pass over them. */
#define GB_FACTS_ROWS 16u
/* Triangles of a pattern with no longer rows are counted as it is, others in the order of degrees.
 * Not varied. Rows and entries of which, counted so, pay for a thread: some 3 ns each. */
#define GB_TRIANGLE_SUM_LONGEST GB_TUNED(24u, 4u)
#define GB_TRIANGLE_SUM_GRAIN GB_TUNED(16384u, 8u)
/* Flops that samples may look at, 1.2 ns each: a part of many, a larger part of few; and of one row
 * so many (8192 before: docs/cost_model.md). */
#define GB_SAMPLE_PART 1024u
#define GB_SAMPLE_PART_OF_FEW 256u
#define GB_SAMPLE_FEW ((uint64_t)1 << 23)
#define GB_SAMPLE_FLOPS_MOST 4096u
#define GB_SAMPLE_FLOPS_LEAST 128u
/* Of long rows of B columns are looked at among which so many rows have a part of these flops. */
#define GB_SAMPLE_ROWS_SEEN 8u
/* Rows they are taken from, fewer once the deviation of the mean is this part of it. */
#define GB_SAMPLE_ROWS_LEAST 8u
#define GB_SAMPLE_ROWS 128u
#define GB_SAMPLE_ERROR 0.01
/* Panels of A's rows that are compared, entries of A looked at for it, 3 ns each: a part of the
 * flops, and no more than so many; and of one panel about so many. */
#define GB_PANEL_SAMPLES_LEAST 8u
#define GB_PANEL_SAMPLES 32u
#define GB_PANEL_SAMPLE_PART 1024u
#define GB_PANEL_SAMPLE_MOST 4096u
#define GB_PANEL_ENTRIES 256u
/* PANEL is not considered where a panel reads more entries of B per product. By one thread, times
 * of the best other method over those of PANEL: 1.6 for 0.59 (facebook_combined), 0.8 to 1.0 for
 * 0.63 to 0.78 (email-Enron, yeast-ppi, cage8, rmat:12:16), 0.2 to 0.8 beyond. */
#define GB_PANEL_SHARE_MOST 0.6
/* Panels are kept where of those looked at this part has inner indices far apart: where they are
 * close together, reading panels takes as long as uniting rows (docs/panel.md). Not varied. */
#define GB_PANEL_MERGED_LEAST 0.5
/* Similar rows are looked for where neighbours have less than this in common, in products of
 * so many flops, and so many an entry of A; with a pass over A's entries, 0.6 ns each, where there
 * are more flops. So far these have not been varied. */
#define GB_GROUP_SHARE_LEAST 0.25
#define GB_GROUP_WORTH 8u
#define GB_GROUP_FLOPS ((uint64_t)1 << 19)
#define GB_GROUP_PASS 32u
/* For that so many entries of A are chosen at most, one for each 2^20 flops, and at least so many;
 * of each so many rows with its column, and of each of these so many entries are compared. u is
 * off by up to 0.03 so (docs/panel.md); not varied. */
#define GB_GROUP_FLOPS_BITS 20u
#define GB_GROUP_SAMPLES 16u
#define GB_GROUP_SAMPLES_LEAST 4u
#define GB_GROUP_MATES 256u
#define GB_GROUP_ENTRIES 24u
/* Rows of tiles of C whose tiles are counted, where both factors have so many entries per tile:
 * below, tiled loses by far whatever C is like (docs/tiled.md). */
#define GB_SAMPLE_TILE_ROWS 4u
/* Tiles are fewer than entries, and as well known from this part of the flops: band:1500:40, of
 * whose 0.95 ms with all of them, and with 8192 for GB_SAMPLE_FLOPS_MOST, planning took 66 us. */
#define GB_SAMPLE_TILE_PART 2u
#define GB_SAMPLE_FILL 6.0
/* Entries of a mask whose columns of B are looked at to expect the work of DOT: 20 us, 10 % off. */
#define GB_MASK_SAMPLES 1024u
/* Entries of A whose rows of B are looked up in the mask, and entries of these at most: 30 us. */
#define GB_FOUND_SAMPLES 128u
#define GB_FOUND_LOOKS 32u
/* A product of values that an inner product finds takes as long as so many of rowwise inside a
 * mask: it is foreseen by nobody, and waits for the one before. A * A inside A, one thread of a
 * Zen 4: 10 ns a product on fem:20:1, 4 on band:2000:100. */
#define GB_DOT_FOUND 5.0
/* Entries of A and of the columns that a mask asks for from which flops are sampled: the sample
 * takes 40 us, 8 % of a level of a betweenness on grid:400:400 (2.5 GHz Cascade Lake), in which DOT
 * has 6 thousand entries to scan. */
#define GB_MEETINGS_WORTH 16384u
/* Rows that are gathered to be looked at take this part of what GBL_MEMORY_LIMIT leaves. */
#define GB_SAMPLE_MEMORY 4.0
/* Chebyshev: more than sqrt(20) deviations in at most 1 of 20 cases, whatever the distribution. */
#define GB_CHEBYSHEV 20.0

/* -- gbl_mxm_estimate and estimates of rows (estimate.c, rowwise.c) ---------------------------- */

/* 32 registers below this expansion ratio, 64 from it on. */
#define GB_REGISTERS_EXPANSION 48.0
/* Capacity of a row relative to its estimate, with 32 and with more registers: estimates are low by
 * more in about 1 of 1000 rows. */
#define GB_CAPACITY_FACTOR_32 2.0
#define GB_CAPACITY_FACTOR 1.5
/* Share of A's rows that gbl_mxm_estimate samples, and its limits. */
#define GB_SAMPLE_SHARE 0.03
#define GB_SAMPLE_LEAST 600u
#define GB_SAMPLE_MOST 10000u

/* -- outer ------------------------------------------------------------------------------------- */

/* Part of the memory that a product may take for packets that wait to be summed. */
#define GB_TUPLE_SHARE 2u
/* Bytes of a local bin with values of 8 bytes. */
#define GB_OUTER_LOCAL_BYTES 384.0
/* Rows of more than GB_RUN_MOST flops that are cut: a run has this part of it on average (0.65
 * to 0.7 for rows of 80 to 2000 flops in any order), and passing a packet in a cut takes as
 * long as so many comparators (uniform rows of 100 to 1900 flops: 5 to 7). */
#define GB_CUT_RUN 0.65
#define GB_CUT_STEPS 6.5

/* -- vector (methods/vector.c) ----------------------------------------------------------------- */

/* What the paper's hybrids call t: flops of a row from which on it is summed alone. */
#define GB_VECTOR_BELOW 40u
/* The variant unless one is asked for. */
#define GB_VECTOR_UNASKED GBL_VECTOR_H_HASH_256_256
/* -- mxv (mxv.c) ------------------------------------------------------------------------------- */

/* One position of the result swept by a pull without a mask. 2 cores of an AMD EPYC (AVX-512, 1 MB
 * second cache), gcc 12 -O3. */
#define GB_NS_SWEEP 0.3
/* One entry looked at by pull; one product scattered by push, and one entry of its vector, whose
 * row of A is fetched from far; under a mask, one position that pull may not write, and one that it
 * may, beside its entries. Levels of searches (GBLITE_TRACE of bench/graphs), 2 cores of a 2.5 GHz
 * Cascade Lake: er:18:16, push of 980 entries and 31 k products .48 ms, pull of 29 k entries and
 * 232 k open rows 5.9 ms where push took more than twice that; rmats:18:16, push of 52 k entries
 * and 110 k products 2.4 ms, pull of 120 k entries and 136 k open rows 1.2 ms. What is between push
 * and pull are the lengths of open rows, which are sampled, as Beamer's rule counts the edges left.
 */
#define GB_NS_PULL_ENTRY 1.5
#define GB_NS_PUSH_ENTRY 4.0
#define GB_NS_PUSH_ROW 20.0
#define GB_NS_PULL_SKIP 0.05
#define GB_NS_PULL_ROW 4.0
/* An entry of a pull without a mask that hits the vector where the one before did not, or the other
 * way round. The same machine, 2 threads, MIN_PLUS in FP64 on er:16:16 and rmats:16:16: with 2, 10,
 * 20, 50, 70 and 90 % of the vector's entries there, a pull takes 1.9, 3.0, 3.9, 7.1, 6.0 and 4.9
 * ns an entry of A, a push 8 to 9 ns a product: it is faster up to 70 %. */
#define GB_NS_PULL_TURN 6.0
/* A push that takes so long is worth a look at the rows that pull would read: 256 lookups. */
#define GB_NS_LOOK 20000.0
/* Work of a pull under a mask that pays for one more thread: two teams, 5 us each, for half. */
#define GB_NS_GRAIN 30000.0
/* Entries of a vector that are always looked at one by one to count the products of push. */
#define GB_COUNTED 1024u
/* One entry of the vector or product of a push with few of them, expanded, sorted and summed:
 * er:18:4, 260 entries and 1050 flops, 26 us. */
#define GB_NS_PUSH_SORTED 20.0
/* Entries of the vector whose columns are looked at to guess the work of push: 256 lookups cost
 * about 10 us at worst, a tenth of the smallest product for which the choice matters. */
#define GB_SAMPLES 256u

/* Chains of products (docs/chains.md). Registers of the sketches: an error of 12.5% per row, and a
 * cache line; rows sampled where only their sum is wanted. */
#define GB_CHAIN_REGISTERS 64
#define GB_CHAIN_SAMPLES 1024u
/* One entry of a result; one product, and one entry of the left factor, whose row of the right
 * factor is fetched: near while the right factor fits into the second cache, far beyond the third,
 * by the logarithm of its bytes between (er:16:8 and er:20:4 of bench/results/run.json; the orders
 * of galerkin-smooth, fourth-er and shapes of docs/chains.md). */
#define GB_NS_CHAIN_ENTRY 8.0
#define GB_NS_CHAIN_PRODUCT 0.6
#define GB_NS_CHAIN_PRODUCT_FAR 2.4
#define GB_NS_CHAIN_LEFT 2.0
#define GB_NS_CHAIN_LEFT_FAR 35.0
#define GB_CHAIN_NEAR_BYTES 1e6
#define GB_CHAIN_FAR_BYTES 32e6
#define GB_CHAIN_ENTRY_BYTES 12.0

/* -- GPU. Never measured: none was at hand. The first run of scripts/gpu_check.sh replaces it. */
/* Bytes per ns of the memory that the rates above are for, an H100's; where the device tells of
 * another they are as many times longer or shorter, since products there move data more than they
 * compute. H200: 4800, A100: 1555 or 2039 (data sheets). */
#define GB_DEVICE_BANDWIDTH 3350.0
/* A pair of tiles through tensor cores, its products included, relative to GPU_TILE_PAIR: both
 * steps issue 450 instructions for it, 112 cycles of a multiprocessor; at 132 of them, 1.785 GHz
 * and two fifths of that 1.2 ns (docs/cuda.md). */
#define GB_DEVICE_TENSOR_PAIR 2.0
/* The paper's table 1: flops a row below which the upper bound is taken, and the least expansion
 * and compression for estimates. */
#define GB_DEVICE_BOUND_PRODUCTS 64.0
#define GB_DEVICE_ESTIMATE_EXPANSION 8.0
#define GB_DEVICE_ESTIMATE_COMPRESSION 8.0
#define GB_DEVICE_RULES                                                                            \
    (gb_DeviceRules) {                                                                             \
        .bound_products = GB_DEVICE_BOUND_PRODUCTS,                                                \
        .estimate_expansion = GB_DEVICE_ESTIMATE_EXPANSION,                                        \
        .estimate_compression = GB_DEVICE_ESTIMATE_COMPRESSION,                                    \
        .registers_expansion = GB_REGISTERS_EXPANSION,                                             \
        .capacity_factor_32 = GB_CAPACITY_FACTOR_32, .capacity_factor = GB_CAPACITY_FACTOR,        \
        .sample_share = GB_SAMPLE_SHARE, .sample_least = GB_SAMPLE_LEAST,                          \
        .sample_most = GB_SAMPLE_MOST                                                              \
    }

/* -- deferred products (src/lazy) -------------------------------------------------------- */

/* Entries of the mask from which a product is. */
#define GB_DEFER_LEAST GB_TUNED(1024u, 1u)
/* Products that were summed and not stored are made again at most once for so many that nobody
 * read: a sum so formed saves up to a sixth of a product (docs/architecture.md). */
#define GB_FOLDS_WORTH 16u
/* Products with vectors under one mask that are deferred though no assign follows, which takes four
 * locks more (not measured); then they are made at once. */
#define GB_FUSED_IN_VAIN 2u
/* Products that such a pass lists as they come and sorts, on one thread; more find their places in
 * a set. */
#define GB_FUSED_MOST GB_TUNED(8192u, 24u)
