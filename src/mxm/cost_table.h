/* SPDX-License-Identifier: Apache-2.0
 *
 * What work costs, in nanoseconds of one thread, for the choice between methods. Measured on 2
 * cores of an AMD EPYC (Zen 4, AVX-512, 1 MB L2 per core, 32 MB L3), gcc 12 -O3, November 2026.
 */
#ifndef GB_MXM_COST_TABLE_H
#define GB_MXM_COST_TABLE_H

/* One entry scanned by a masked inner product: rmats:16:16 triangles, degree order. */
#define GB_NS_DOT_ENTRY 0.8
/* One product of a masked row: the same product forced to ROWWISE. */
#define GB_NS_MASKED_PRODUCT 2.0
/* One entry of a matrix converted between CSR and CSC. */
#define GB_NS_CONVERT 6.0
/* One entry looked at by pull, one scattered by push, and one position of the result swept. */
#define GB_NS_PULL_ENTRY 1.0
#define GB_NS_PUSH_ENTRY 2.0
#define GB_NS_SWEEP 0.3

/* Entries of the vector whose columns are looked at to guess the work of push: 256 lookups cost
 * about 10 us at worst, a tenth of the smallest product for which the choice matters. */
#define GB_SAMPLES 256u

/* Workflow of a row-wise product: table 1 of Ocean (ICS '26), re-fitted. On a GPU the symbolic pass
 * pays for what the paper calls the remaining cases, since room must be exact there; here pages
 * that are not touched cost nothing, and forced runs over the suite (bench/rowwise --choice,
 * docs/rowwise.md) never found it fastest. It is left for products whose upper bound exceeds
 * memory.
 */
#define GB_REMAINING_WORKFLOW GB_UPPER_BOUND
/* Below this many products per row of A the upper bound is taken; the paper's value. */
#define GB_BOUND_PRODUCTS 64.0
/* Smaller products are over before their analysis has paid: it takes about 50 us. */
#define GB_ESTIMATE_PRODUCTS 400e3
/* Sketches pay from this expansion ratio on (the paper's value), and from this compression ratio on
 * (the paper: 8): it is GB_SLACK_MAX, from which an upper bound is given back to the system. */
#define GB_ESTIMATE_EXPANSION 8.0
#define GB_ESTIMATE_COMPRESSION 2.0
/* 32 registers below this expansion ratio, 64 from it on. */
#define GB_REGISTERS_EXPANSION 48.0
/* Room of a row relative to its estimate, with 32 and with more registers: estimates are low by
 * more in about 1 of 1000 rows. */
#define GB_ROOM_FACTOR_32 2.0
#define GB_ROOM_FACTOR 1.5
/* Share of A's rows that is sampled, and its limits. */
#define GB_SAMPLE_SHARE 0.03
#define GB_SAMPLE_LEAST 600u
#define GB_SAMPLE_MOST 10000u
/* Chebyshev: more than sqrt(20) deviations in at most 1 of 20 cases, whatever the distribution. */
#define GB_CHEBYSHEV 20.0

/* Method tiled: rows of tiles whose entries are looked at for the fill of the tiles, and columns of
 * tiles remembered of each. */
#define GB_FILL_SAMPLES 16u
#define GB_FILL_LIST 1024u
/* Entries per tile, of both factors, from which tiled is taken; fewer where masks alone decide. The
 * sweep of docs/tiled.md: C left as tiles, + and * cross rowwise at 30 and are 1.5 times faster at
 * 64, C wanted by rows they cross at 96 (random tiles; fem:12:6 is 1.6 times faster, fem:24:3, 62,
 * 0.9 times); counts and booleans cross at 12, and at 24 to 32 by rows. */
#define GB_TILED_FILL 64.0
#define GB_TILED_FILL_MASKS 24.0
/* Method outer: part of the memory that a product may take for products that wait to be summed. */
#define GB_TUPLE_SHARE 2u
/* Rows whose products are listed to see whether they fall together, and the longest that is. */
#define GB_COMPRESSION_SAMPLES 32u
#define GB_COMPRESSION_LIST 1024u
/* Outer beats rowwise for products that hardly fall together, of factors beyond the second cache
 * (docs/outer.md: er:16:8 1.3, er:20:4 1.5, er:20:8 2.2 times; rmat:18:4, 1.42 products an entry,
 * 0.9 times), if they pay for having A by columns: er:20:4, 4 products per entry of A, gains 45 ms
 * and converts in 50. */
#define GB_OUTER_COMPRESSION 1.25
#define GB_OUTER_PRODUCTS 4e6
#define GB_OUTER_ENTRIES 350e3
#define GB_OUTER_EXPANSION 4.0
/* Products below which choosing costs more than a better method could save. */
#define GB_TILED_PRODUCTS 1e6

#endif
