/* SPDX-License-Identifier: Apache-2.0
 *
 * The table, its summary, and the progress bar.
 */
#include "jobs/product.h"

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

void product_table_head(void) {
    printf("%-16s %9s %7s %10s %-21s %-12s %7s %6s %9s %8s %7s %7s\n", "input", "flops", "compr.",
           "automatic", "method", "best forced", "regret", "plan", "predicted", "first", "SuiteS.",
           "MKL");
}

/* Ratio to the automatic choice; blank when that contender did not run. */
static void print_ratio(const product_race *race, const char *name, double automatic) {
    const product_result *r = product_find(race, name);
    if (r != NULL)
        printf(" %7.2f", r->seconds / automatic);
    else
        printf(" %7s", "-");
}

void product_table_row(const product_race *race, const product_problem *p) {
    char name[64], method[64];
    const product_result *mine = product_find(race, PRODUCT_VARIANTS[0].name);
    const product_contender *best = product_best_forced(race);
    if (mine == NULL) return;
    bench_operand_name(name, sizeof name, p->operand);
    snprintf(method, sizeof method, "%s, %s", mine->how.method, mine->how.workflow);
    printf("%-15s%c %9.3g %7.2f", name, p->held_out ? '*' : ' ', p->flops,
           p->flops / p->result_entries);
    print_time(mine->seconds);
    if (best != NULL)
        printf(" %-21s %-12s %7.3f", method, best->name, product_regret(race));
    else
        printf(" %-21s %-12s %7s", method, "-", "-");
    printf(" %5.1f%%", 100 * product_plan_share(&mine->how));
    if (mine->predicted > 0)
        printf(" %9.2f ", mine->predicted / mine->seconds);
    else
        printf(" %9s ", "-");
    if (mine->first.samples > 0)
        printf(" %8.2f", mine->first.seconds / mine->seconds);
    else
        printf(" %8s", "-");
    print_ratio(race, "suitesparse", mine->seconds);
    print_ratio(race, "mkl", mine->seconds);
    printf("\n");
    fflush(stdout);
}

/* A number of a contender; NAN where it has none, of what is within `part` unless that is NULL. */
static double number_of(const cJSON *input, const char *name, const char *part, const char *key) {
    const cJSON *c;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(input, "contenders")) {
        const cJSON *from = part != NULL ? cJSON_GetObjectItem(c, part) : c;
        const cJSON *value = cJSON_GetObjectItem(from, key);
        if (strcmp(cJSON_GetObjectItem(c, "name")->valuestring, name) == 0 && value != NULL)
            return value->valuedouble;
    }
    return NAN;
}

/* What is summed up of every input: seconds of one contender over those of the automatic choice,
 * both warm or both of the first call; or a number of the input. */
static const struct {
    const char *key, *title, *contender, *part;
} SUMMARIES[] = {
    {"regret", "automatic / best forced", NULL, NULL},
    {"regret_held_out", "automatic / best forced, held out", NULL, NULL},
    {"plan_share", "planning / automatic", NULL, NULL},
    {"suitesparse", "SuiteSparse / automatic", "suitesparse", NULL},
    {"mkl", "MKL / automatic", "mkl", NULL},
    {"first_over_warm", "automatic, first call / warm", NULL, "first"},
    {"suitesparse_first", "SuiteSparse / automatic, first call", "suitesparse", "first"},
    {"mkl_first", "MKL / automatic, first call", "mkl", "first"}};
enum { REGRET, HELD_OUT, PLAN_SHARE, FIRST_OVER_WARM = 5 };

/* NAN where it does not apply. */
static double value_of(const cJSON *input, size_t which) {
    const char *automatic = PRODUCT_VARIANTS[0].name, *part = SUMMARIES[which].part;
    const cJSON *regret = cJSON_GetObjectItem(input, "regret");
    if (which == HELD_OUT && !cJSON_IsTrue(cJSON_GetObjectItem(input, "held_out"))) return NAN;
    if (which == REGRET || which == HELD_OUT) return regret != NULL ? regret->valuedouble : NAN;
    if (which == PLAN_SHARE) {
        const double share = number_of(input, automatic, NULL, "plan_share");
        return share > 0 ? share : NAN;
    }
    const char *name = which == FIRST_OVER_WARM ? automatic : SUMMARIES[which].contender;
    return number_of(input, name, part, "seconds") /
           number_of(input, automatic, which == FIRST_OVER_WARM ? NULL : part, "seconds");
}

/* Geometric mean, least and most, and where the most is. */
static void sum_up(cJSON *summary, const cJSON *inputs, size_t which) {
    double values[MOST_INPUTS], least = INFINITY, most = -INFINITY;
    const char *where = "";
    int n = 0;
    const cJSON *input;
    cJSON_ArrayForEach(input, inputs) {
        const double value = value_of(input, which);
        if (isnan(value) || n == MOST_INPUTS) continue;
        values[n++] = value;
        least = fmin(least, value);
        if (value > most) where = cJSON_GetObjectItem(input, "name")->valuestring;
        most = fmax(most, value);
    }
    if (n == 0) return;
    const double mean = bench_geometric_mean(values, n);
    cJSON *own = cJSON_AddObjectToObject(summary, SUMMARIES[which].key);
    cJSON_AddNumberToObject(own, "geometric_mean", mean);
    cJSON_AddNumberToObject(own, "least", least);
    cJSON_AddNumberToObject(own, "most", most);
    cJSON_AddStringToObject(own, "most_of", where);
    cJSON_AddNumberToObject(own, "inputs", n);
    printf("%s: geometric mean %.3f, from %.3f to %.3f (%s) on %d inputs\n", SUMMARIES[which].title,
           mean, least, most, where, n);
}

void product_table_foot(cJSON *document) {
    printf("* held out: nothing was fitted to this input; compr.: flops / entries of C; regret: "
           "automatic / best forced; plan: of automatic; predicted, first call, SuiteS., MKL: over "
           "automatic\n");
    cJSON *summary = cJSON_AddObjectToObject(document, "summary");
    for (size_t k = 0; k < sizeof SUMMARIES / sizeof *SUMMARIES; k++)
        sum_up(summary, cJSON_GetObjectItem(document, "inputs"), k);
}

void product_progress(int done, int all, double started, const char *name) {
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
