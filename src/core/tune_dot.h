/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of masked inner products, and of the bits, heavy rows and degree-ordered triangle of a
 * matrix (matrix/derived.h); included by core/tune.h.
 */
#ifndef GB_CORE_TUNE_DOT_H
#define GB_CORE_TUNE_DOT_H

#ifdef GB_TINY
#define GB_BITS_LEAST 3u
#define GB_DOT_SEARCH 4u
#define GB_DOT_SHORT 2u
#define GB_DOT_LOOKED 3u
#define GB_DOT_BATCH 5u
#else
/* A column this many times longer than the row is searched instead of scanned; what is long is
 * mostly held as bits. Triangles as generated, rmats:15:13, 16:16 and 17:10, reduced without being
 * stored: 21, 59 and 87 ms with 16, 15, 48 and 79 with 128; in the order of degrees 4% slower at
 * most. */
#define GB_DOT_SEARCH 128u
/* A column of at most so many entries is compared with a row of up to 8 as it stands, where
 * products are only counted: marking and unmarking the row takes longer. ms of a fused count on one
 * thread of a Zen 5, entry by entry and by lanes: grid:400:400 2.15 and 0.74, road:150:150 1.04 and
 * 0.37. */
#define GB_DOT_SHORT 16u
/* A list of at most so many entries is looked up in marks one by one where only the sum is wanted,
 * a longer one by gathers. One thread of a Zen 4, all lists one by one and by gathers (a program of
 * its own): rmats:17:10 in the order of degrees 13.6 and 14.8 ms, as generated, where lists are
 * long, 95 and 98. */
#define GB_DOT_LOOKED 32u
/* Entries of the mask that are counted before any of them is packed. ms of a stored count on one
 * thread of a Zen 5, row by row and so: grid:400:400 2.26 and 0.79, road:150:150 0.91 and 0.47;
 * batches of 64 and of 1024 take as long. */
#define GB_DOT_BATCH 256u
/* A row is held as bits too when it has so many entries ... */
#define GB_BITS_LEAST 16u
#endif
/* ... and one for each of so many columns of its span. Triangles, the AND of a block of 512 columns
 * taking as long as 6 to 8 entries that are scanned: rmats:15:13 in the order of degrees 9.6, 7.1,
 * 5.2, 5.2 and 4.6 ms with 16, 32, 64, 128 and 256, as generated 25, 29, 24, 14 and 19 (2 threads
 * of a 2.5 GHz Cascade Lake, counting alone). */
#define GB_BITS_SPAN 128u
/* Entries scanned that take as long as the AND of a block: 0.9 and 1.8 ns of one thread of a Zen 4,
 * from rmats:16:16 and rmats:17:10 as generated. With 6, graphs in the order of degrees were met by
 * hubs once many products had been made: least ms of a fused count of rmats:16:16 and rmats:17:10
 * there 14.4 and 25.9, by bits 13.2 and 21.3. */
#define GB_BITS_COST 2u
/* Entries whose bits are set that take as long as uniting a block with a row: 1.3 ns. */
#define GB_BITS_UNION 1u
/* Entries of A ahead of which rows of B are asked for where they are united. */
#define GB_BITS_AHEAD 3u
/* A row of C of which only the pattern is wanted, and which is too long to be sorted, is read off
 * bits where it has a product for each of so many columns: a look at 4096 of them takes about a
 * nanosecond. Not varied. */
#define GB_BITS_SWEEP 16384u
/* Where it has fewer than one for so many columns, words are read two bits at a time, else 16 by
 * vectors. One thread of a Zen 4 with all by vectors, 16, and 2: rmat:15:7 52, 44 and 49 ms,
 * er:15:8 17.1, 12.6 and 12.7, email-Enron 59, 48 and 51, rmat:14:16 29, 28 and 32; er:13:20,
 * rmat:12:64 and wiki-Vote take as long. */
#define GB_BITS_SPARSE 16u
/* An inner index is a hub when 1 / GB_HEAVY_SHARE of the square root of the entries, or more, of
 * rows have it: what is in f rows costs a product f^2 steps of walking, as a hub it costs each
 * entry of the mask 1 / 512 of the AND of a block. Triangles, least ms as generated / by degree,
 * with 16, 32 and 64 (one thread of a Zen 5): rmats:15:13 8.1 / 3.0, 7.0 / 2.8, 7.1 / 2.8,
 * rmats:16:16 26 / 9.2, 22 / 9.0, 24 / 8.1, rmats:17:10 41 / 18, 39 / 17, 37 / 14. And so many
 * times the mean: where all are alike there are none. */
#define GB_HEAVY_SKEW 2.0
#define GB_HEAVY_SHARE 32.0
#define GB_HEAVY_MOST 32768u
/* Parts that count inner indices, each with a counter for every one: 32 bytes of them at most. */
#define GB_HEAVY_PARTS 8
/* What a row has of the hubs is held as a list where a block has fewer of it. Bits take at most 32
 * bytes an entry so; rmats:16:16 as generated and by degree takes 34 and 17 ms with 1, 34 and 18
 * with 4. */
#define GB_HEAVY_LIST 2u
/* Entries scanned that take as long as an entry of the mask with hubs, and as a step of a walk over
 * a tail. */
#define GB_HEAVY_STEPS 4u
#define GB_HEAVY_TAIL 2.0
/* Entries of the mask ahead of which columns are prefetched. */
#define GB_HEAVY_AHEAD 6u
/* Entries scanned that take as long as making them, for each entry of the matrix: 16 ms for 0.9
 * million entries, when 100 million scanned take 60. */
#define GB_HEAVY_WORTH 24u
/* A row with fewer entries than this many times the blocks to AND is met word by word: looking up 8
 * words takes about as long as 8 blocks (estimated, not varied). */
#define GB_BITS_FEW 1u
/* Of an oriented graph (core/degree_lower.h): entries scanned that take as long as the AND of a
 * block (not varied), and lines of bits, so many and one for so many edges. */
#define GB_DEGREE_LOWER_COST 3.0
#define GB_DEGREE_LOWER_LEAST 1024u
#define GB_DEGREE_LOWER_SHARE 4u
/* Entries of the mask ahead of which dot prefetches columns. Not varied. */
#define GB_DOT_PREFETCH 8u

#endif
