/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of products with vectors, and of the forms of vectors that they read and write; included by
 * core/tune.h.
 */
#ifndef GB_CORE_TUNE_MXV_H
#define GB_CORE_TUNE_MXV_H

#ifdef GB_TINY
#define GB_MXV_STEPS 3u
#define GB_MXV_SHORT 2u
#define GB_PUSH_STEP 2u
#define GB_PUSH_SHORT 3u
#define GB_PUSH_BATCH 5u
#define GB_ROW_WINDOW 16u
#define GB_ROW_TRUST 2u
#define GB_SELL_WINDOW 16u
#define GB_SELL_NEAR 255u
#define GB_SMALL_ROWS 5u
#define GB_SCRATCH_WORTH 8u
#define GB_MERGES_WORTH 4u
#define GB_SOUGHT_WORTH 4u
#define GB_SOUGHT_CALL 1u
#define GB_SOUGHT_FULL 4u
#else
/* Steps that the two rows of a pull with a full vector take between two looks at whether a sum is
 * final; A is prefetched once in so many, the 64 bytes of 8 values of 8 bytes. */
#define GB_MXV_STEPS 8u
/* Rows of at most so many entries go alone: the processor overlaps them by itself. */
#define GB_MXV_SHORT 16u
/* Push of ANY under a mask looks at GB_PUSH_STEP entries of a row at once, without branches, where
 * rows have GB_PUSH_SHORT entries or fewer in the mean; GB_PUSH_BATCH products at a time stay in
 * the first cache. Searches for parents on a Zen 4: road:150:150 (2.3 entries) 2.21 ms as rows
 * come, 1.83 ms so; grid:400:400 (4, in a pattern) 1.1 times as long. */
#define GB_PUSH_STEP 4u
#define GB_PUSH_SHORT 3u
#define GB_PUSH_BATCH 256u
/* Rows, at most 256, that a pull with a full vector takes by their lengths, where one in
 * GB_ROW_CHANGES is not as long as the one before it; of windows from one that was not told apart
 * on, every GB_ROW_TRUST-th is looked at. PageRank, user cycles on one thread of a Zen 5:
 * p2p-Gnutella31 60 M as rows come, 33 M by length; grid:200:200 of similar rows 4.5 M when
 * every window is classified, 3.9 M so. */
#define GB_ROW_WINDOW 256u
#define GB_ROW_TRUST 8u
/* Rows sorted by length for SELL slices at a time; a matrix of a quarter has slices. Least ms
 * with 256, 1024, 4096, 16384: web:16:8 both ways .43, .44, .47, .48; rmats:16:16 1.6, 1.1, .96,
 * 1.1; rmat:18:4 2.8, 2.1, 2.0, 1.6 (in the library as with 4096); road:150:150 .08 with each. */
#define GB_SELL_WINDOW 4096u
/* The last column of a window of slices is so far from the first at most, where 2 bytes do. */
#define GB_SELL_NEAR UINT16_MAX
/* Rows that a product under a mask of bytes takes one by one, as vectors: each costs a call more,
 * some 0.3 us, but no table. */
#define GB_SMALL_ROWS 16u
/* Scratch of a push (matrix/matrix.h) is made once as many products as one for this many positions
 * have been sorted for want of it: clearing its bits takes 0.01 ns a position, sorting 20 ns for
 * each product. */
#define GB_SCRATCH_WORTH 2048u
/* A list vector becomes a bitmap once as many entries as one for this many positions have been
 * merged into it: a merged entry takes about 3 ns, a position of a new bitmap 0.2. */
#define GB_MERGES_WORTH 16u
/* A mask that is a list becomes a bitmap once as many positions as one for this many have been
 * looked up in it, a call counting for some more, if it has at least an entry for GB_SOUGHT_FULL
 * positions. A position looked up takes 60 ns, a call that does so 1.2 us, a position of a bitmap
 * of doubles 2.8 ns (pushes under masks of 2^16 and 10^6 positions, one thread of a Xeon). */
#define GB_SOUGHT_WORTH 16u
#define GB_SOUGHT_CALL 24u
#define GB_SOUGHT_FULL 4u
#endif
/* Push goes without the branch whether a position has a sum where it has at least one product for
 * so many positions: nobody predicts that branch where many have one, and where few have, to know
 * the sum's old value is to wait for it. Lists over 65536 positions, two threads of an Intel Xeon,
 * plus-times in FP64, least of 10 processes in turns, us with the branch and without: er:16:8, one
 * product for 12 positions 65, 83; for 1.25 positions 465, 357 (with the search of gb_walk_row). */
#define GB_PUSH_CROWDED 4u
/* Rows ahead whose entries a step of a search prefetches: grid:400:400 on a Zen 4, least ms of a
 * search, 4 rows 4.6, 12 rows 3.9 (other work beside). */
#define GB_FUSED_AHEAD 12u
/* See GB_ROW_WINDOW. */
#define GB_ROW_CHANGES 8u
/* Entries that a merge into a list counts for beside its own: a call takes some 0.3 us (estimated).
 */
#define GB_MERGE_LEAST 128u
/* Threads that scatter into a full vector, or one alone: each reads all positions and folds its
 * own, and reading takes about as long as folding, so that two would gain nothing. Not measured by
 * itself. */
#define GB_PLACED_THREADS 3
/* Entries ahead of which a pull with a full vector prefetches either row: the hardware follows one
 * row well, but not several. ns an entry of er:18:4 on one thread of a 2.5 GHz Cascade Lake: 6.0,
 * and 7.8 when rows that go alone are not prefetched. */
#define GB_MXV_AHEAD 512u
/* The product that makes slices, for what 2 to 4 products save by them (grid:400:400 11); entries
 * ahead of which they are prefetched: rmats:16:16 2.8, 2.1, 1.9 ms with 0, 128, 512; er:16:8 .43,
 * .39, .43. */
#define GB_SELL_WORTH 5u
/* The same where rows of so many entries in the mean take so many bytes with their values: they
 * come no faster than memory gives them, and slices save what 8 to 115 products do
 * (a program that was not kept). */
#define GB_SELL_WORTH_LONG 40u
#define GB_SELL_LONG 32u
#define GB_SELL_LARGE (10u << 20)
#define GB_SELL_AHEAD 128u

#endif
