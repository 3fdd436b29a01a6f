/* SPDX-License-Identifier: Apache-2.0
 *
 * Means over the inputs of the document, for all of them and for those of each workflow. Errors and
 * shares of time are arithmetic means, so that every input counts the same; ratios of times are
 * geometric means.
 */
#include "rowwise/rowwise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const GROUPS[] = {"all", "upper bound", "estimate", "symbolic"};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS, MOST_INPUTS = 256 };

double rowwise_number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : cJSON_IsTrue(item) ? 1 : 0;
}

const char *rowwise_text(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "";
}

/* The parts of the inputs of one group; a part of a list is its item k. Returns how many. */
static int gather(const cJSON **parts, const cJSON *inputs, const char *part, int k,
                  const char *group) {
    int count = 0;
    const cJSON *input;
    cJSON_ArrayForEach(input, inputs) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(input, part);
        if (cJSON_IsArray(item)) item = cJSON_GetArrayItem(item, k);
        if (item == NULL || count == MOST_INPUTS) continue;
        if (strcmp(group, "all") == 0 || strcmp(group, rowwise_text(input, "workflow")) == 0)
            parts[count++] = item;
    }
    return count;
}

static double mean(const cJSON **parts, int count, const char *key) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += rowwise_number(parts[i], key);
    return sum / count;
}

static double largest(const cJSON **parts, int count, const char *key) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, rowwise_number(parts[i], key));
    return most;
}

static double root_mean_square(const cJSON **parts, int count, const char *key) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double x = rowwise_number(parts[i], key);
        sum += x * x;
    }
    return sqrt(sum / count);
}

/* Adds name: the geometric mean of before / after, and its least and most. */
static void add_ratio(cJSON *object, const char *name, const cJSON **parts, int count,
                      const char *before, const char *after) {
    double ratios[MOST_INPUTS], least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        ratios[i] = rowwise_number(parts[i], before) / rowwise_number(parts[i], after);
        least = fmin(least, ratios[i]);
        most = fmax(most, ratios[i]);
    }
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(item, "mean", bench_geometric_mean(ratios, count));
    cJSON_AddNumberToObject(item, "least", least);
    cJSON_AddNumberToObject(item, "most", most);
}

static void sum_errors(cJSON *list, const cJSON **parts, int count, const char *group, int k) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "group", group);
    cJSON_AddNumberToObject(object, "registers", ROWWISE_REGISTERS[k]);
    cJSON_AddNumberToObject(object, "inputs", count);
    static const char *const MEANS[] = {"mean_error",  "mean_error_unclamped", "bias",
                                        "overflow",    "overflow_ocean",       "compression_error",
                                        "nvals_error", "stated_error",         "within_stated"};
    for (size_t m = 0; m < sizeof MEANS / sizeof *MEANS; m++)
        cJSON_AddNumberToObject(object, MEANS[m], mean(parts, count, MEANS[m]));
    cJSON_AddNumberToObject(object, "deviation", root_mean_square(parts, count, "deviation"));
    cJSON_AddNumberToObject(object, "overflow_most", largest(parts, count, "overflow"));
    cJSON_AddNumberToObject(object, "overflow_ocean_most", largest(parts, count, "overflow_ocean"));
}

static void sum_times(cJSON *list, const cJSON **parts, int count, const char *group) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "group", group);
    cJSON_AddNumberToObject(object, "inputs", count);
    for (int t = 0; t < ROWWISE_TIMES; t++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum +=
                rowwise_number(parts[i], ROWWISE_TIME_KEYS[t]) / rowwise_number(parts[i], "total");
        cJSON_AddNumberToObject(object, ROWWISE_TIME_KEYS[t], sum / count);
    }
}

/* As section 5.4 of Ocean judges its choices: what chose symbolic should not gain 5% by estimates,
 * what did not choose it should be 5% faster than with it. */
static void sum_choice(cJSON *list, const cJSON **parts, int count, const char *group) {
    const char *method = strcmp(group, "all") == 0 ? "auto" : group;
    int best = 0, would_gain = 0, gains = 0;
    double losses[MOST_INPUTS];
    for (int i = 0; i < count; i++) {
        const double own = rowwise_number(parts[i], method);
        losses[i] = fmax(1, rowwise_number(parts[i], "loss"));
        best += strcmp(rowwise_text(parts[i], "chosen"), rowwise_text(parts[i], "best")) == 0;
        would_gain += own > 1.05 * rowwise_number(parts[i], "estimate");
        gains += rowwise_number(parts[i], "symbolic") > 1.05 * own;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "group", group);
    cJSON_AddNumberToObject(object, "inputs", count);
    cJSON_AddNumberToObject(object, "best", best);
    cJSON_AddNumberToObject(object, "right", mean(parts, count, "right") * count);
    cJSON_AddNumberToObject(object, "faster_than_symbolic", gains);
    cJSON_AddNumberToObject(object, "slower_than_estimate", would_gain);
    cJSON_AddNumberToObject(object, "loss", bench_geometric_mean(losses, count));
}

static void sum_ablation(cJSON *list, const cJSON **parts, int count, const char *group) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "group", group);
    cJSON_AddNumberToObject(object, "inputs", count);
    add_ratio(object, "V2 over V1", parts, count, "V1", "V2");
    add_ratio(object, "V3 over V2", parts, count, "V2", "V3");
    add_ratio(object, "V4 over V3", parts, count, "V3", "V4");
    add_ratio(object, "V4 over V1", parts, count, "V1", "V4");
    add_ratio(object, "auto over V1", parts, count, "V1", "auto");
}

static void sum_scaling(cJSON *list, const cJSON **parts, int count, const char *group) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "group", group);
    cJSON_AddNumberToObject(object, "inputs", count);
    add_ratio(object, "speedup", parts, count, "one", "all");
}

cJSON *rowwise_summary(const cJSON *inputs) {
    static const struct {
        const char *part;
        void (*sum)(cJSON *list, const cJSON **parts, int count, const char *group);
    } SUMS[] = {{"times", sum_times},
                {"choice", sum_choice},
                {"ablation", sum_ablation},
                {"scaling", sum_scaling}};
    const cJSON *parts[MOST_INPUTS];
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "errors");
    for (int g = 0; g < GROUP_COUNT; g++)
        for (int k = 0; k < ROWWISE_REGISTER_COUNTS; k++) {
            const int count = gather(parts, inputs, "errors", k, GROUPS[g]);
            if (count > 0) sum_errors(list, parts, count, GROUPS[g], k);
        }
    for (size_t s = 0; s < sizeof SUMS / sizeof *SUMS; s++) {
        list = cJSON_AddArrayToObject(root, SUMS[s].part);
        for (int g = 0; g < GROUP_COUNT; g++) {
            const int count = gather(parts, inputs, SUMS[s].part, 0, GROUPS[g]);
            if (count > 0) SUMS[s].sum(list, parts, count, GROUPS[g]);
        }
    }
    return root;
}
