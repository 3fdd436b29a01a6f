/* SPDX-License-Identifier: Apache-2.0
 *
 * The results as JSON, their means, and a line of each input on the terminal.
 */
#include "jobs/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INPUTS = 256 };

/* What planning takes of a product, without what its kernel reads. */
static double plan_share(const gbl_Explanation *how) {
    const double all = how->seconds_prepare + how->seconds_kernel + how->seconds_finish;
    const bool reads = strcmp(how->method, "rowwise") == 0 || strcmp(how->method, "outer") == 0;
    /* flops of rows that the kernel reads would be counted without a plan too */
    return all > 0 ? (how->seconds_plan - (reads ? how->seconds_count : 0)) / all : 0;
}

void product_explain(cJSON *object, const gbl_Explanation *how) {
    const struct {
        const char *name;
        double seconds;
    } phases[] = {{"prepare", how->seconds_prepare},   {"kernel", how->seconds_kernel},
                  {"finish", how->seconds_finish},     {"analysis", how->seconds_analysis},
                  {"sketch", how->seconds_sketch},     {"estimate", how->seconds_estimate},
                  {"symbolic", how->seconds_symbolic}, {"compact", how->seconds_compact},
                  {"sort", how->seconds_sort},         {"expand", how->seconds_expand},
                  {"convert", how->seconds_convert},   {"layout", how->seconds_layout},
                  {"masks", how->seconds_masks},       {"values", how->seconds_values},
                  {"plan", how->seconds_plan},         {"count", how->seconds_count}};
    cJSON_AddNumberToObject(object, "plan_share", plan_share(how));
    cJSON_AddStringToObject(object, "method", how->method);
    cJSON_AddStringToObject(object, "workflow", how->workflow);
    cJSON_AddNumberToObject(object, "slices", (double)how->slices);
    cJSON *list = cJSON_AddObjectToObject(object, "phases");
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++)
        if (phases[k].seconds > 0) cJSON_AddNumberToObject(list, phases[k].name, phases[k].seconds);
}

void product_print(const cJSON *input) {
    const char *operation = bench_text(input, "operation");
    cJSON *row = bench_new_row(operation, operation, bench_text(input, "name"));
    cJSON *seconds = cJSON_AddObjectToObject(row, "seconds");
    const cJSON *contenders = cJSON_GetObjectItem(input, "contenders"), *c;
    for (int others = 0; others < 2; others++) cJSON_ArrayForEach(c, contenders) {
            const char *name = bench_text(c, "name");
            const cJSON *own = cJSON_GetObjectItem(c, "seconds");
            const bool automatic = strcmp(name, PRODUCT_VARIANTS[0].name) == 0;
            if (own == NULL || automatic != (others == 0)) continue;
            cJSON_AddNumberToObject(seconds, name, own->valuedouble);
            if (!automatic) continue;
            cJSON_AddStringToObject(row, "method", bench_text(c, "method"));
            cJSON_AddStringToObject(row, "workflow", bench_text(c, "workflow"));
        }
    bench_print_row(row);
    cJSON_Delete(row);
}

/* A number of a contender; NAN where it has none, of what is within `part` unless that is NULL. */
static double number_of(const cJSON *input, const char *name, const char *part, const char *key) {
    const cJSON *c;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(input, "contenders")) {
        const cJSON *from = part != NULL ? cJSON_GetObjectItem(c, part) : c;
        const cJSON *value = cJSON_GetObjectItem(from, key);
        if (strcmp(bench_text(c, "name"), name) == 0 && value != NULL) return value->valuedouble;
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
        if (value > most) where = bench_text(input, "name");
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

void product_sum_up(cJSON *document) {
    cJSON *summary = cJSON_AddObjectToObject(document, "summary");
    for (size_t k = 0; k < sizeof SUMMARIES / sizeof *SUMMARIES; k++)
        sum_up(summary, cJSON_GetObjectItem(document, "inputs"), k);
}
