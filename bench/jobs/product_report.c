/* SPDX-License-Identifier: Apache-2.0
 *
 * The results as JSON.
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
    const product_result *automatic = product_find(race, PRODUCT_VARIANTS[0].name);
    if (automatic != NULL) cJSON_AddStringToObject(object, "reason", automatic->how.reason);
    const double regret = product_regret(race);
    if (!isnan(regret)) cJSON_AddNumberToObject(object, "regret", regret);
    cJSON *list = cJSON_AddArrayToObject(object, "contenders");
    for (int k = 0; k < race->count; k++)
        cJSON_AddItemToArray(list, report_contender(&race->list[k]));
    return object;
}

int product_write(const cJSON *document, const char *folder, const char *name) {
    char path[1024], fresh[1040];
    char *json = cJSON_Print(document);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = json != NULL ? fopen(fresh, "w") : NULL;
    bool written = file != NULL && fprintf(file, "%s\n", json) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written && rename(fresh, path) == 0;
    free(json);
    if (written) return 0;
    fprintf(stderr, "bench: cannot write %s: %s\n", path, strerror(errno));
    return -1;
}
