/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost model: facts about a product and a table of the machine give the seconds and the bytes
 * of every way to compute it. All functions are pure.
 *
 * Seconds are a sum of terms, each a count of things that the method does (entries of A read,
 * products summed in a dense array, tiles met, ...) times what one of them takes: a rate of the
 * machine table, in ns of one thread. Counts are divided by the threads that can share them.
 */
#ifndef GB_MXM_COST_H
#define GB_MXM_COST_H

#include "mxm/plan/features.h"
#include "mxm/machine/machine.h"

typedef enum { GB_ROWWISE, GB_DOT, GB_TILED, GB_OUTER } gb_Method;

/* Ways to compute a product, in the order in which explanations list them. */
typedef enum {
    GB_WAY_BOUND,
    GB_WAY_ESTIMATE,
    GB_WAY_SYMBOLIC,
    GB_WAY_OUTER,
    GB_WAY_TILED,
    GB_WAY_DOT,
    GB_WAYS
} gb_Way;
gb_Method gb_way_method(gb_Way way);

/* What a way does, by the rate that it is multiplied with. */
typedef struct {
    double n[GB_RATES];
} gb_Counts;

typedef struct {
    double seconds; /* all of it; of that ... */
    double plan;    /* ... facts and choice */
    double size;    /* ... what tells how long rows of C are, before they are computed */
    double convert; /* ... conversions */
    double bytes;   /* workspace and C at the peak */
    double slices;
} gb_Cost;

/* Rows of C by the way they are summed. */
typedef struct {
    double short_rows, short_products, steps; /* sorted by networks; comparators per lane */
    double hash_products, hash_entries, hash_far;
    double dense_rows, dense_products, dense_entries, dense_blocks;
} gb_RowWays;

/* A product on a machine, and what several of its ways need: found once, since a small product
 * takes no longer than a few exponentials. */
typedef struct {
    const gb_Features *f;
    const gb_MachineTable *machine;
    double entries;   /* gb_expect_entries */
    double pairs;     /* gb_tile_pairs */
    double far_lines; /* of B's rows, fetched from beyond the caches */
    gb_RowWays rows;
} gb_CostCase;
void gb_cost_case(gb_CostCase *s, const gb_Features *f, const gb_MachineTable *machine);

/* Counts of one way; the part that is conversions apart from the rest. */
void gb_cost_count(gb_Counts *kernel, gb_Counts *convert, const gb_CostCase *s, gb_Way way);
/* Whether the way needs representations that do not exist: else the counts of conversions are 0. */
bool gb_cost_converts(const gb_Features *f, gb_Way way);
double gb_cost_sum(const gb_Counts *counts, const gb_MachineTable *machine); /* seconds */
gb_Cost gb_cost_of(const gb_CostCase *s, gb_Way way);
gb_Cost gb_cost_predict(const gb_Features *f, const gb_MachineTable *machine, gb_Way way);
/* Parts in which the memory limit lets the way compute C; 1: whole. */
double gb_cost_slices(const gb_Features *f, const gb_MachineTable *machine, gb_Way way);

double gb_tile_pairs(const gb_Features *f); /* expected pairs of tiles that meet */
/* Expected entries of a row of f products; of the product. */
double gb_expect_row(const gb_Features *f, double products);
double gb_expect_entries(const gb_Features *f);

#endif
