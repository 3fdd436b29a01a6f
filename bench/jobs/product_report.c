/* SPDX-License-Identifier: Apache-2.0
 *
 * The results as JSON, and as CSV with one line per input and contender.
 */
#include "jobs/product.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    cJSON_AddStringToObject(object, "name", c->name);
    if (r->why_not[0] != '\0') {
        cJSON_AddStringToObject(object, "why_not", r->why_not);
        return object;
    }
    cJSON_AddNumberToObject(object, "seconds", r->seconds);
    cJSON_AddNumberToObject(object, "samples", r->samples);
    if (r->bytes >= 0) cJSON_AddNumberToObject(object, "bytes", r->bytes);
    if (r->predicted >= 0) cJSON_AddNumberToObject(object, "predicted", r->predicted);
    if (r->first.samples > 0) add_first(object, &r->first);
    if (c->explain != NULL) {
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
    cJSON_AddNumberToObject(object, "longest_row", (double)p->longest_row);
    cJSON_AddNumberToObject(object, "fill", p->fill);
    cJSON_AddNumberToObject(object, "flops", p->flops);
    cJSON_AddNumberToObject(object, "result_entries", p->result_entries);
    const product_result *automatic = product_find(race, PRODUCT_WAYS[0].name);
    if (automatic != NULL) cJSON_AddStringToObject(object, "reason", automatic->how.reason);
    const double regret = product_regret(race);
    if (!isnan(regret)) cJSON_AddNumberToObject(object, "regret", regret);
    cJSON *list = cJSON_AddArrayToObject(object, "contenders");
    for (int k = 0; k < race->count; k++)
        cJSON_AddItemToArray(list, report_contender(&race->list[k]));
    return object;
}

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return item != NULL ? item->valuedouble : -1;
}

static const char *text(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return item != NULL && item->valuestring != NULL ? item->valuestring : "";
}

/* A cell that is left empty when there is no such number. */
static void print_cell(FILE *file, double x) {
    if (x >= 0) fprintf(file, "%.6g", x);
    fputc(',', file);
}

static void print_input(FILE *file, const cJSON *input) {
    const cJSON *c;
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(input, "contenders")) {
        fprintf(file, "%s,%s,%d,", text(input, "operation"), text(input, "name"),
                cJSON_IsTrue(cJSON_GetObjectItem(input, "held_out")));
        print_cell(file, number(input, "flops"));
        print_cell(file, number(input, "result_entries"));
        print_cell(file, number(input, "fill"));
        fprintf(file, "%s,", text(c, "name"));
        print_cell(file, number(c, "seconds"));
        print_cell(file, number(c, "samples"));
        print_cell(file, number(c, "predicted"));
        print_cell(file, number(c, "bytes"));
        const cJSON *first = cJSON_GetObjectItem(c, "first");
        print_cell(file, number(first, "seconds"));
        print_cell(file, number(first, "resident"));
        fprintf(file, "%s,%s\n", text(c, "method"), text(c, "workflow"));
    }
}

static bool print_csv(FILE *file, const cJSON *document) {
    const cJSON *input;
    fputs("operation,input,held_out,flops,result_entries,fill,contender,seconds,samples,"
          "predicted_seconds,peak_bytes,first_seconds,first_resident_bytes,method,workflow\n",
          file);
    cJSON_ArrayForEach(input, cJSON_GetObjectItem(document, "inputs")) print_input(file, input);
    return true;
}

static bool print_json(FILE *file, const cJSON *document) {
    char *json = cJSON_Print(document);
    if (json == NULL) return false;
    fprintf(file, "%s\n", json);
    free(json);
    return true;
}

static int write_file(const char *path, const cJSON *document,
                      bool (*print)(FILE *, const cJSON *)) {
    char fresh[1040];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = fopen(fresh, "w");
    bool written = file != NULL;
    if (file != NULL) {
        written = print(file, document) && !ferror(file);
        written = fclose(file) == 0 && written && rename(fresh, path) == 0;
    }
    if (written) return 0;
    fprintf(stderr, "bench: cannot write %s: %s\n", path, strerror(errno));
    return -1;
}

int product_write(const cJSON *document, const char *folder, const char *name) {
    char json[1024], csv[1024];
    snprintf(json, sizeof json, "%s/%s.json", folder, name);
    snprintf(csv, sizeof csv, "%s/%s.csv", folder, name);
    if (write_file(json, document, print_json) != 0) return -1;
    return write_file(csv, document, print_csv);
}
