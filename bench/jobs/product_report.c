/* SPDX-License-Identifier: Apache-2.0
 *
 * The results as JSON, their means, and a line of each input on the terminal.
 */
#include "jobs/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INPUTS = 256 };

static void add_phases(cJSON *object, const gbl_Explanation *how) {
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
    cJSON_AddStringToObject(object, "method", how->method);
    cJSON_AddStringToObject(object, "workflow", how->workflow);
    cJSON_AddNumberToObject(object, "slices", (double)how->slices);
    cJSON *list = cJSON_AddObjectToObject(object, "phases");
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++)
        if (phases[k].seconds > 0) cJSON_AddNumberToObject(list, phases[k].name, phases[k].seconds);
}

static void add_first(cJSON *object, const product_first *first) {
    cJSON *own = cJSON_AddObjectToObject(object, "first");
    cJSON_AddNumberToObject(own, "seconds", first->seconds);
    cJSON_AddNumberToObject(own, "samples", first->samples);
    cJSON_AddNumberToObject(own, "resident", first->resident);
    if (first->counted >= 0) cJSON_AddNumberToObject(own, "counted", first->counted);
    if (first->held >= 0) cJSON_AddNumberToObject(own, "held", first->held);
}

static cJSON *report_contender(const product_contender *c) {
    const product_result *r = &c->result;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", c->of.name);
    if (r->why_not[0] != '\0') {
        cJSON_AddStringToObject(object, "why_not", r->why_not);
        return object;
    }
    cJSON_AddNumberToObject(object, "seconds", r->seconds);
    cJSON_AddNumberToObject(object, "samples", r->samples);
    if (r->bytes >= 0) cJSON_AddNumberToObject(object, "bytes", r->bytes);
    if (r->predicted >= 0) cJSON_AddNumberToObject(object, "predicted", r->predicted);
    if (r->first.samples > 0) add_first(object, &r->first);
    if (product_is_mine(c)) {
        cJSON_AddNumberToObject(object, "plan_share", product_plan_share(&r->how));
        add_phases(object, &r->how);
    }
    return object;
}

cJSON *product_report(const product_race *race, const product_problem *p) {
    char name[64];
    cJSON *object = cJSON_CreateObject();
    bench_operand_name(name, sizeof name, p->operand);
    cJSON_AddStringToObject(object, "operation", p->keyword);
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddBoolToObject(object, "held_out", p->held_out);
    cJSON_AddNumberToObject(object, "rows", (double)p->in.nrows);
    cJSON_AddNumberToObject(object, "columns", (double)p->in.ncols);
    cJSON_AddNumberToObject(object, "entries", (double)p->in.nvals);
    cJSON_AddNumberToObject(object, "fill", p->fill);
    cJSON_AddNumberToObject(object, "flops", p->flops);
    cJSON_AddNumberToObject(object, "result_entries", p->result_entries);
    const product_result *automatic = product_find(race, PRODUCT_VARIANTS[0].name);
    if (automatic != NULL) cJSON_AddStringToObject(object, "reason", automatic->how.reason);
    const double regret = product_regret(race);
    if (!isnan(regret)) cJSON_AddNumberToObject(object, "regret", regret);
    cJSON *list = cJSON_AddArrayToObject(object, "contenders");
    for (int k = 0; k < race->count; k++)
        cJSON_AddItemToArray(list, report_contender(&race->list[k]));
    return object;
}

void product_print(const product_race *race, const product_problem *p) {
    cJSON *row = bench_new_row(p->keyword, p->keyword, p->operand);
    cJSON *seconds = cJSON_AddObjectToObject(row, "seconds");
    const product_result *automatic = product_find(race, PRODUCT_VARIANTS[0].name);
    if (automatic != NULL) {
        cJSON_AddNumberToObject(seconds, PRODUCT_VARIANTS[0].name, automatic->seconds);
        cJSON_AddStringToObject(row, "method", automatic->how.method);
        cJSON_AddStringToObject(row, "workflow", automatic->how.workflow);
    }
    for (int k = 0; k < race->count; k++) {
        const product_contender *c = &race->list[k];
        if (c->result.why_not[0] == '\0' && &c->result != automatic)
            cJSON_AddNumberToObject(seconds, c->of.name, c->result.seconds);
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

void product_sum_up(cJSON *document) {
    cJSON *summary = cJSON_AddObjectToObject(document, "summary");
    for (size_t k = 0; k < sizeof SUMMARIES / sizeof *SUMMARIES; k++)
        sum_up(summary, cJSON_GetObjectItem(document, "inputs"), k);
}
