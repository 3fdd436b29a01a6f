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

/* Seconds of one run, or -1. */
static double turn(bench_contender *c, int runs) {
    double sum = 0;
    for (int k = 0; k < runs; k++) {
        c->reset(c->context);
        double start = bench_seconds();
        if (c->run(c->context) != 0) return -1;
        sum += bench_seconds() - start;
    }
    return sum / runs;
}

/* One run of each. *slowest and *sum: seconds of the longest run and of all. */
static int warm_up(bench_contender *list, int count, double *slowest, double *sum) {
    *slowest = *sum = 0;
    for (int c = 0; c < count; c++) {
        const double s = turn(&list[c], 1);
        list[c].reset(list[c].context);
        if (s < 0) return -1;
        *sum += s;
        if (s > *slowest) *slowest = s;
    }
    return 0;
}

int bench_take_turns_by(const bench_rules *rules, bench_contender *list, int count) {
    int done = -1;
    double slowest, sum;
    double *seconds = calloc((size_t)count * (size_t)rules->rounds, sizeof *seconds);
    if (seconds == NULL || warm_up(list, count, &slowest, &sum) != 0) goto done;
    const bool tries = rules->rounds == 1; /* whether all works: nobody looks at the seconds */
    const int runs =
        tries || slowest > SHORT_TURN ? 1 : (int)fmin(MOST_RUNS_A_TURN, ceil(SHORT_TURN / slowest));
    const int rounds = (int)fmin(rules->rounds, fmax(rules->least, rules->budget / (sum * runs)));

    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < count; k++) {
            const int c = (k + r) % count;
            if (count > 1 && !tries) usleep(SETTLE);
            const double s = turn(&list[c], runs);
            if (s < 0) goto done;
            seconds[c * rounds + r] = s;
            if (r + 1 < rounds || rules->drop) list[c].reset(list[c].context);
        }
    for (int c = 0; c < count; c++) list[c].median = bench_median(seconds + c * rounds, rounds);
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

/* The value of a line "KEY : VALUE" of a file, without the spaces around it; false without one. */
static bool find_line(char *value, size_t size, const char *path, const char *key) {
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL) continue;
        *colon = '\0';
        line[strcspn(line, "\t")] = '\0';
        if (strcmp(line, key) != 0) continue;
        colon[1 + strcspn(colon + 1, "\n")] = '\0';
        snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " "));
        found = true;
    }
    if (file != NULL) fclose(file);
    return found;
}

void bench_cpu_name(char *name, size_t size) {
    static const char *const PATH = "/proc/cpuinfo";
    char brand[96] = "unknown processor", family[16], model[16];
    find_line(brand, sizeof brand, PATH, "model name");
    if (find_line(family, sizeof family, PATH, "cpu family") &&
        find_line(model, sizeof model, PATH, "model"))
        snprintf(name, size, "%s (family %s, model %s)", brand, family, model);
    else
        snprintf(name, size, "%s", brand);
}
