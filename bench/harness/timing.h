/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing of contenders that do the same job. Seconds drift on a busy machine, so the contenders
 * take turns: every round runs each once, the order turns round by round, and what counts is the
 * median over the rounds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;
    int (*run)(void *context); /* timed; 0 when all went well */
    void (*reset)(
        void *context); /* untimed; drops what run left behind, may be called twice; or NULL */
    void *context;
    double median;    /* out: seconds of one run */
    double processor; /* out: those of all processors, which other programs add little to */
} bench_contender;

/* One warm-up each, then `rounds` rounds. A job much shorter than the clock's noise is repeated
 * within its turn, all contenders equally often, and the mean counts as one sample. What the last
 * run of each contender left is kept for the caller to look at. One round is not to measure but to
 * see that all works, and takes as little time as it can. Returns 0, or -1 when a run failed or
 * memory is short. */
int bench_take_turns(bench_contender *list, int count, int rounds);

/* The same with as many rounds as fit into `budget` seconds, at least `least`, at most `rounds`;
 * drop: nothing of the last round is kept. Returns how many rounds there were, or -1. */
typedef struct {
    int rounds, least;
    double budget;
    bool drop;
} bench_rules;
int bench_take_turns_by(const bench_rules *rules, bench_contender *list, int count);
bench_rules bench_all_rounds(int rounds); /* whatever they take */

double bench_seconds(void); /* of a clock that only runs forward */

double bench_median(double *x, int n); /* sorts x; n >= 1 */
double bench_geometric_mean(const double *x, int n);

/* What other programs take from the machine: their share, 0 to 1, of all processors since `start`,
 * as the system counts it; 0 where it does not tell. */
typedef struct {
    double wall, own, all; /* seconds: passed, used by this program, used by all programs */
} bench_load;
bench_load bench_load_now(void);
double bench_others_since(const bench_load *start);

/* The processor's name, family and model as the system reports them. */
void bench_cpu_name(char *name, size_t size);
