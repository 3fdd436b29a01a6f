/* SPDX-License-Identifier: Apache-2.0
 *
 * What cost models of methods are made of. All functions are pure.
 *
 * Seconds are a sum of terms, each a count of things that a method does (entries of A read, flops
 * summed in a dense array, pairs of tiles multiplied, ...) times what one of them takes: a rate of
 * the machine table, in ns of one thread. Counts are divided by the threads that can share them.
 */
#pragma once

#include "mxm/model/features.h"

/* What a method does, by the rate that it is multiplied with. */
typedef struct {
    double n[GB_RATES];
} gb_Counts;

/* Rows of C by the way rowwise sums them; outer sorts its short rows as rowwise does. */
typedef struct {
    double short_rows, short_flops, steps; /* sorted by networks; comparators per lane */
    double hash_flops, hash_entries;
    double dense_rows, dense_flops, dense_entries, dense_blocks;
} gb_RowSplit;

/* A product on a machine, and what several methods need of it: found once, since a small product
 * takes no longer than a few exponentials. */
typedef struct {
    const gb_Features *f;
    const gb_MachineTable *machine;
    double entries;   /* gb_expect_entries */
    double pairs;     /* gb_tile_pairs */
    double far_lines; /* of B's rows, fetched from beyond the caches */
    gb_RowSplit rows;
} gb_CostCase;
void gb_cost_case(gb_CostCase *s, const gb_Features *f, const gb_MachineTable *machine);

double gb_cost_sum(const gb_Counts *counts, const gb_MachineTable *machine); /* seconds */
void gb_cost_scale(gb_Counts *counts, double by);

/* -- expectations */

/* Expected distinct entries of partial products that fall on `places` columns at random. */
double gb_expect_distinct(double flops, double places);
/* Expected entries of a row of so many flops; of the product. */
double gb_expect_row(const gb_Features *f, double flops);
double gb_expect_entries(const gb_Features *f);
double gb_expect_tiles(const gb_FactorFacts *X); /* of a factor */
double gb_tile_pairs(const gb_Features *f);      /* pairs of tiles that are multiplied */
double gb_result_tiles(const gb_CostCase *s);    /* of C */

/* -- bytes */

double gb_entry_bytes(const gb_Features *f); /* column and value of an entry of C */
/* Capacity of C's arrays before its size is known, by flops and mask. */
double gb_upper_bound(const gb_Features *f);
/* The share of so many bytes that is not in a cache of so many. */
double gb_share_outside(double bytes, double cache);

/* -- parts that methods share */

/* Threads that work all the time; one row is work of one thread unless rows are split. */
double gb_busy_threads(const gb_Features *f, bool rows_split);
/* GB_SMALL_ROWS_COST of such rows, else 1. */
double gb_small_rows_cost(const gb_Features *f);
/* Blocks of a dense accumulator that a row of so many entries touches. */
double gb_blocks_touched(const gb_Features *f, double entries);
/* Whether rows of so many flops are read off bits (cpu/rowwise/rowwork.h). */
bool gb_suits_bits(const gb_Features *f, double flops);
/* Comparators per key of networks that sort up to 2^p keys (Batcher's odd-even merge sort). */
double gb_network_steps(unsigned p);
/* Flops of the longest row; all where they were not counted. */
double gb_longest_flops(const gb_Features *f);
/* Bookkeeping of a chunk: rows, capacity, count, start, and the head of its buffer. */
#define GB_CHUNK_HEAD 112.0
/* Marks and ranks of a row of so many entries during the filter (cpu/rowwise/rowfilter.c). */
double gb_filter_bytes(const gb_Features *f, double entries);
/* Entries of C streamed from buffers to C's arrays. */
void gb_count_streaming(gb_Counts *c, const gb_CostCase *s);

/* -- panels of A's rows (methods/panel.c) */

/* Rows of a panel of the product: 16 for values of 1 or 4 bytes, else 8. */
double gb_panel_lanes(const gb_Features *f);
/* Whether the product may read and make panels that A keeps (core/forms.h): A's values, if it
 * reads any, need no cast, and memory is not limited. */
bool gb_may_keep_panels(const gb_Features *f, const gb_Factor *A);
/* Whether it wants them with values. */
bool gb_panels_have_values(const gb_Factor *A);
