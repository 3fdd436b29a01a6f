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
/* A column this many times longer than the row is searched instead of scanned; long columns mostly
 * have bits. Triangles as generated, rmats:15:13, 16:16 and 17:10, reduced without being stored:
 * 21, 59 and 87 ms with 16, 15, 48 and 79 with 128; in degree order 4% slower at most. */
#define GB_DOT_SEARCH 128u
/* A column of at most so many entries is compared directly with a row of up to 8 where products are
 * only counted: marking and unmarking the row takes longer. ms of a fused count on one thread of a
 * Zen 5, entry by entry and by lanes: grid:400:400 2.15 and 0.74, road:150:150 1.04 and 0.37. */
#define GB_DOT_SHORT 16u
/* Of triangles, a list of at most so many entries is looked up in marks one by one, a longer one by
 * gathers. One thread of a Zen 4, all one by one and by gathers (a separate program): rmats:17:10
 * in degree order 13.6 and 14.8 ms, as generated, where lists are long, 95 and 98. */
#define GB_DOT_LOOKED 32u
/* Entries of the mask that are counted before any of them is packed. ms of a stored count on one
 * thread of a Zen 5, row by row and so: grid:400:400 2.26 and 0.79, road:150:150 0.91 and 0.47;
 * batches of 64 and of 1024 take as long. */
#define GB_DOT_BATCH 256u
/* A row is held as bits too when it has so many entries ... */
#define GB_BITS_LEAST 16u
#endif
/* ... and one for each of so many columns of its span. Triangles, the AND of a block of 512 columns
 * taking as long as 6 to 8 scanned entries: rmats:15:13 in degree order 9.6, 7.1, 5.2, 5.2 and 4.6
 * ms with 16, 32, 64, 128 and 256, as generated 25, 29, 24, 14 and 19 (2 threads of a 2.5 GHz
 * Cascade Lake, counting alone). */
#define GB_BITS_SPAN 128u
/* Cost of the AND of a block in scanned entries: 0.9 and 1.8 ns of one thread of a Zen 4, from
 * rmats:16:16 and rmats:17:10 as generated. With 6, graphs in degree order were intersected by
 * heavy rows after many products: least ms of a fused count of rmats:16:16 and rmats:17:10 14.4 and
 * 25.9, by bits 13.2 and 21.3. */
#define GB_BITS_COST 2u
/* Cost of uniting a block with a row in entries whose bits are set: 1.3 ns. */
#define GB_BITS_UNION 1u
/* Prefetch distance of rows of B that are united, in entries of A. */
#define GB_BITS_AHEAD 3u
/* A pattern row of C too long to be sorted is read off bits where it has a product for each of so
 * many columns: testing 4096 columns takes about 1 ns. Not varied. */
#define GB_BITS_SWEEP 16384u
/* With fewer than one product for so many columns, words are read two bits at a time, else 16 by
 * vectors. One thread of a Zen 4 with all by vectors, 16, and 2: rmat:15:7 52, 44 and 49 ms,
 * er:15:8 17.1, 12.6 and 12.7, email-Enron 59, 48 and 51, rmat:14:16 29, 28 and 32; er:13:20,
 * rmat:12:64 and wiki-Vote take as long. */
#define GB_BITS_SPARSE 16u
/* An inner index is heavy when at least sqrt(nvals) / GB_HEAVY_SHARE rows have it: a light one in f
 * rows costs a product f^2 steps, a heavy one costs each entry of the mask 1 / 512 of the AND of a
 * block. Triangles, least ms as generated / by degree, with 16, 32 and 64 (one thread of a Zen 5):
 * rmats:15:13 8.1 / 3.0, 7.0 / 2.8, 7.1 / 2.8, rmats:16:16 26 / 9.2, 22 / 9.0, 24 / 8.1,
 * rmats:17:10 41 / 18, 39 / 17, 37 / 14. And so many times the mean: where frequencies are uniform
 * none is heavy. */
#define GB_HEAVY_SKEW 2.0
#define GB_HEAVY_SHARE 32.0
#define GB_HEAVY_MOST 32768u
/* Parts that count inner indices, each with a counter for every one: 32 bytes per index at most. */
#define GB_HEAVY_PARTS 8
/* The heavy indices of a row are stored as indices where a block has fewer of them, else as bits,
 * which take at most 32 bytes an entry; rmats:16:16 as generated and by degree takes 34 and 17 ms
 * with 1, 34 and 18 with 4. */
#define GB_HEAVY_LIST 2u
/* Cost in scanned entries of an entry of the mask with heavy rows, and of one entry of a tail. */
#define GB_HEAVY_STEPS 4u
#define GB_HEAVY_TAIL 2.0
/* Prefetch distance of columns in entries of the mask. */
#define GB_HEAVY_AHEAD 6u
/* Cost of making them in scanned entries, per entry of the matrix: 16 ms for 0.9 million entries,
 * when 100 million scanned take 60. */
#define GB_HEAVY_WORTH 24u
/* A row with fewer entries than this many times the blocks to AND is intersected word by word:
 * looking up 8 words takes about as long as 8 blocks (estimated, not varied). */
#define GB_BITS_FEW 1u
/* Of a degree-ordered lower triangle (core/forms.h): cost of the AND of a block in scanned
 * entries (not varied), and lines of bits, so many and one for so many edges. */
#define GB_DEGREE_LOWER_COST 3.0
#define GB_DEGREE_LOWER_LEAST 1024u
#define GB_DEGREE_LOWER_SHARE 4u
/* The first count of a triangle makes it where sum(length^2) * rows / nvals^2 is at least this;
 * uniform rows of a triangle have 1.3. ms of one count on one thread of a Zen 5, by heavy rows and
 * so: rmats:15:13 11.4 and 5.2, rmats:17:10 58 and 27, in degree order (3.3 and 4.2) 4.2 and 3.2,
 * 21 and 15; er:16:16 (1.4) 6.1 and 12.0, er:12:256 (1.3) 5.3 and 6.2. */
#define GB_DEGREE_LOWER_SKEW 2.0
/* Prefetch distance of dot's columns in entries of the mask. Not varied. */
#define GB_DOT_PREFETCH 8u

#endif
