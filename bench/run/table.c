/* SPDX-License-Identifier: Apache-2.0
 *
 * The table, its summary, and the progress bar.
 */
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_INPUTS = 256, BAR = 24 };

static void print_time(double s) {
    if (s < 1e-3)
        printf(" %7.1f us", s * 1e6);
    else if (s < 1)
        printf(" %7.2f ms", s * 1e3);
    else
        printf(" %7.3f s ", s);
}

void run_table_head(void) {
    printf("%-16s %9s %7s %10s %-21s %-12s %7s %9s %9s %7s\n", "input", "products", "/ entry",
           "automatic", "method", "best forced", "regret", "predicted", "SuiteS.", "MKL");
}

/* Ratio to the automatic choice; blank when that contender did not run. */
static void print_ratio(const run_race *race, const char *name, double automatic) {
    const run_result *r = run_find(race, name);
    if (r != NULL)
        printf(" %7.2f", r->seconds / automatic);
    else
        printf(" %7s", "-");
}

void run_table_row(const run_race *race, const run_problem *p) {
    char name[64], method[64];
    const run_result *mine = run_find(race, RUN_WAYS[0].name);
    const run_contender *best = run_best_forced(race);
    if (mine == NULL || best == NULL) return;
    bench_operand_name(name, sizeof name, p->operand);
    snprintf(method, sizeof method, "%s, %s", mine->how.method, mine->how.workflow);
    printf("%-15s%c %9.3g %7.2f", name, p->held_out ? '*' : ' ', p->products,
           p->products / p->result_entries);
    print_time(mine->seconds);
    printf(" %-21s %-12s %7.3f", method, best->name, mine->seconds / best->result.seconds);
    if (mine->predicted > 0)
        printf(" %9.2f ", mine->predicted / mine->seconds);
    else
        printf(" %9s ", "-");
    print_ratio(race, "suitesparse", mine->seconds);
    print_ratio(race, "mkl", mine->seconds);
    printf("\n");
    fflush(stdout);
}

static double seconds_of(const cJSON *input, const char *name) {
    const cJSON *c;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(input, "contenders")) {
        const cJSON *seconds = cJSON_GetObjectItem(c, "seconds");
        if (strcmp(cJSON_GetObjectItem(c, "name")->valuestring, name) == 0 && seconds != NULL)
            return seconds->valuedouble;
    }
    return NAN;
}

/* The quickest forced way when name is NULL. */
static double seconds_of_rival(const cJSON *input, const char *name) {
    if (name != NULL) return seconds_of(input, name);
    double best = NAN;
    for (int w = 1; w < RUN_WAY_COUNT; w++) best = fmin(best, seconds_of(input, RUN_WAYS[w].name));
    return best;
}

/* Geometric mean, least and most of numerator / denominator. */
static void print_summary(const cJSON *inputs, const char *title, const char *rival, bool regret) {
    double ratio[MOST_INPUTS];
    int n = 0;
    const cJSON *input;
    cJSON_ArrayForEach(input, inputs) {
        const double mine = seconds_of(input, RUN_WAYS[0].name);
        const double theirs = seconds_of_rival(input, rival);
        if (isnan(theirs) || n == MOST_INPUTS) continue;
        ratio[n++] = regret ? mine / theirs : theirs / mine;
    }
    if (n == 0) return;
    double least = ratio[0], most = ratio[0];
    for (int k = 1; k < n; k++) {
        least = fmin(least, ratio[k]);
        most = fmax(most, ratio[k]);
    }
    printf("%s: geometric mean %.3f, from %.3f to %.3f (%d inputs)\n", title,
           bench_geometric_mean(ratio, n), least, most, n);
}

void run_table_foot(const cJSON *inputs) {
    printf(
        "* held out: nothing was fitted to this input; regret: automatic / best forced; predicted, "
        "SuiteS., MKL: over automatic\n");
    print_summary(inputs, "automatic / best forced", NULL, true);
    print_summary(inputs, "SuiteSparse / automatic", "suitesparse", false);
    print_summary(inputs, "MKL / automatic", "mkl", false);
}

void run_progress(int done, int all, double started, const char *name) {
    char bar[BAR + 1], left[40] = "";
    if (!isatty(STDERR_FILENO)) return;
    if (name == NULL) {
        fprintf(stderr, "\r\033[K");
        return;
    }
    const int filled = BAR * done / all;
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';
    if (done > 0) {
        const double seconds = (bench_seconds() - started) / done * (all - done);
        snprintf(left, sizeof left, ", about %d:%02d left", (int)seconds / 60, (int)seconds % 60);
    }
    fprintf(stderr, "\r\033[K[%s] %d of %d%s: %s", bar, done + 1, all, left, name);
}
