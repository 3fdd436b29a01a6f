/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/outer: how close the outer product comes to the memory's speed, and where it is the faster
 * way. Random values. The parts:
 *   main.c      its parts, and what is said of an input and of a product
 *   stream.c    stream: what the memory can do
 *   race.c      race: A*A against SuiteSparse, the row-wise product and the planner's choice
 *   phases.c    phases: seconds and bytes of each step; bins: the same for bins of several
 *               sizes; threads: for several numbers of threads
 *   labels.c    labels: natural, sorted and shuffled names of the vertices
 *   crossing.c  crossing: from which density and skew on it is the slower way
 *   turns.c     products in turns, and the times of their steps
 *
 * Every part makes one JSON object of an input. Times are seconds, medians over the rounds of
 * contenders that take turns. A result that is not that of the other contenders fails the program.
 */
#ifndef OUTER_H
#define OUTER_H

#include "harness/parts.h"
#include "harness/product.h"

/* OUTER, ROWWISE and AUTO find A's columns where they need them; COLD and AUTO_COLD convert. */
extern const bench_way OUTER_WARM, OUTER_COLD, OUTER_ROWWISE, OUTER_AUTO, OUTER_AUTO_COLD;

/* A*A by plus-times; A*A' where A is not square. */
bench_product outer_product(const bench_way *way, gbl_Matrix A);

/* Adds rows, columns, entries. */
gbl_Info outer_describe(cJSON *object, gbl_Matrix A);
/* Adds products, result_entries, bins, slices, bytes_expanded. */
void outer_describe_product(cJSON *object, const gbl_Explanation *how);

typedef struct {
    double total; /* of the call, with what the planner counts first */
    double analysis, symbolic, expand, sort;
} outer_times;

/* A product, the threads it runs on (0: as many as there are), and out: the run with the median
 * time. */
typedef struct {
    bench_product product;
    int threads;
    outer_times median;
} outer_turn;

/* Runs products in turns. Neighbours in the list with the same A must have the same result, bit by
 * bit. Leaves no results. 0, or -1 after saying why. */
int outer_take_turns(outer_turn *list, int count, const bench_setup *setup);
/* Adds the times of a median run. */
void outer_add_times(cJSON *object, const outer_times *t);

/* Bytes a second of the fastest loop of the part stream, now; -1 after saying why. Memory is shared
 * with neighbours on many machines, and their share changes by the minute. */
double outer_stream_rate(const bench_setup *setup);

/* Parts: the members of an input's object; 0, or -1 after saying why. */
int outer_stream(cJSON *object, const char *operand, const bench_setup *setup);
int outer_race(cJSON *object, const char *operand, const bench_setup *setup);
int outer_phases(cJSON *object, const char *operand, const bench_setup *setup);
int outer_bins(cJSON *object, const char *operand, const bench_setup *setup);
int outer_threads(cJSON *object, const char *operand, const bench_setup *setup);
int outer_labels(cJSON *object, const char *operand, const bench_setup *setup);
int outer_crossing(cJSON *object, const char *operand, const bench_setup *setup);

#endif
