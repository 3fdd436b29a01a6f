/* SPDX-License-Identifier: Apache-2.0
 *
 * A team of any number of threads, played by one: in the place of src/core/parallel.c. Parts of a
 * loop run one after the other, each by the imagined thread that is free first. A loop takes as
 * long as its busiest thread, and what lies outside of loops takes the time it takes. So a machine
 * of one core says how evenly work is divided among 64 threads and what is not divided at all. It
 * knows nothing of what cores share: memory and the last cache, which make real machines slower
 * than this.
 */
#pragma once

#include <stdint.h>

/* All loops of one place since team_begin. */
typedef struct {
    void (*part)(void *context, uint64_t k);
    const char *inner; /* the function that part calls, of gb_parallel and gb_parallel_ranges */
    uint64_t loops, parts;
    int threads;    /* at most; 1: run by the caller alone */
    double work;    /* seconds of all parts */
    double path;    /* seconds of the busiest thread, waking included */
    double elapsed; /* what they took here */
} team_loop;

/* Of the processor, by the one thread that there is. */
double team_seconds(void);
/* Forgets what was recorded. */
void team_begin(void);
/* What was recorded; loops inside parts belong to the part. */
const team_loop *team_loops(int *count);
