/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds, medians, and facts about the machine. See timing.h.
 */
#include "harness/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS_A_TURN = 50 };
static const double SHORT_TURN = 0.02; /* seconds; shorter jobs are repeated up to this */
/* Microseconds between turns: threads of the GNU OpenMP runtime, on which other libraries run, spin
 * for about 18 ms after their last loop (2.5 GHz Cascade Lake), on the processors of whoever is
 * next. */
enum { SETTLE = 25000 };

double bench_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void reset(const bench_contender *c) {
    if (c->reset != NULL) c->reset(c->context);
}

/* Seconds of one run, or -1. */
static double turn(bench_contender *c, int runs, double *processor) {
    double sum = 0;
    *processor = 0;
    for (int k = 0; k < runs; k++) {
        reset(c);
        const double before = processor_seconds(), start = bench_seconds();
        if (c->run(c->context) != 0) return -1;
        sum += bench_seconds() - start;
        *processor += (processor_seconds() - before) / runs;
    }
    return sum / runs;
}

/* One run of each. *slowest and *sum: seconds of the longest run and of all. */
static int warm_up(bench_contender *list, int count, double *slowest, double *sum) {
    *slowest = *sum = 0;
    for (int c = 0; c < count; c++) {
        double processor;
        const double s = turn(&list[c], 1, &processor);
        reset(&list[c]);
        if (s < 0) return -1;
        *sum += s;
        if (s > *slowest) *slowest = s;
    }
    return 0;
}

int bench_take_turns_by(const bench_rules *rules, bench_contender *list, int count) {
    int done = -1;
    double slowest, sum;
    const size_t samples = (size_t)count * (size_t)rules->rounds;
    double *seconds = calloc(2 * samples, sizeof *seconds);
    if (seconds == NULL || warm_up(list, count, &slowest, &sum) != 0) goto done;
    double *processor = seconds + samples;
    const bool tries = rules->rounds == 1; /* whether all works: nobody looks at the seconds */
    const int runs =
        tries || slowest > SHORT_TURN ? 1 : (int)fmin(MOST_RUNS_A_TURN, ceil(SHORT_TURN / slowest));
    const int rounds = (int)fmin(rules->rounds, fmax(rules->least, rules->budget / (sum * runs)));

    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < count; k++) {
            const int c = (k + r) % count;
            if (count > 1 && !tries) usleep(SETTLE);
            const double s = turn(&list[c], runs, &processor[c * rounds + r]);
            if (s < 0) goto done;
            seconds[c * rounds + r] = s;
            if (r + 1 < rounds || rules->drop) reset(&list[c]);
        }
    for (int c = 0; c < count; c++) {
        list[c].median = bench_median(seconds + c * rounds, rounds);
        list[c].processor = bench_median(processor + c * rounds, rounds);
    }
    done = rounds;
done:
    free(seconds);
    return done;
}

bench_rules bench_all_rounds(int rounds) {
    return (bench_rules){.rounds = rounds, .least = rounds, .budget = INFINITY};
}

int bench_take_turns(bench_contender *list, int count, int rounds) {
    const bench_rules rules = bench_all_rounds(rounds);
    return bench_take_turns_by(&rules, list, count) < 0 ? -1 : 0;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_value);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double bench_geometric_mean(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += log(x[i]);
    return exp(sum / n);
}

bench_load bench_load_now(void) {
    bench_load now = {.wall = bench_seconds()};
    struct rusage self;
    getrusage(RUSAGE_SELF, &self);
    now.own = (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) +
              1e-6 * (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec);

    double user, nice, system, idle, iowait, irq, softirq, steal;
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) return now;
    if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &iowait,
               &irq, &softirq, &steal) == 8)
        now.all = (user + nice + system + irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK);
    fclose(file);
    return now;
}

double bench_others_since(const bench_load *start) {
    bench_load now = bench_load_now();
    double capacity = (now.wall - start->wall) * (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = (now.all - start->all) - (now.own - start->own);
    return others > 0 && capacity > 0 ? fmin(1, others / capacity) : 0;
}

void bench_cpu_name(char *name, size_t size) {
    char line[512], brand[96] = "unknown processor";
    int family = -1, model = -1;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "model name : %95[^\n]", brand); /* each changes what its line tells alone */
        sscanf(line, "cpu family : %d", &family);
        sscanf(line, "model : %d", &model);
    }
    if (file != NULL) fclose(file);
    if (family >= 0 && model >= 0)
        snprintf(name, size, "%s (family %d, model %d)", brand, family, model);
    else
        snprintf(name, size, "%s", brand);
}
