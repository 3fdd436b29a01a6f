/* SPDX-License-Identifier: Apache-2.0
 *
 * The document as tables: a table is a list of columns, each a member of the objects it shows.
 */
#include "rowwise/rowwise.h"

#include <stdio.h>
#include <string.h>

typedef enum { TEXT, COUNT, MILLIONS, NUMBER, PERCENT, SECONDS, RATIO } kind;

typedef struct {
    const char *heading, *key;
    kind kind;
    const char *over; /* the number is divided by this member, or NULL */
} column;

static const column FEATURES[] = {
    {"rows", "rows", COUNT, NULL},
    {"entries", "entries", COUNT, NULL},
    {"flops", "flops", MILLIONS, NULL},
    {"in C", "result_entries", MILLIONS, NULL},
    {"per row", "flops_mean", NUMBER, NULL},
    {"ER", "expansion_ratio", NUMBER, NULL},
    {"CR", "compression_ratio", NUMBER, NULL},
    {"workflow", "workflow", TEXT, NULL},
    {NULL, NULL, TEXT, NULL},
};
static const column ERRORS[] = {
    {"registers", "registers", COUNT, NULL},
    {"mean", "mean_error", PERCENT, NULL},
    {"unclamped", "mean_error_unclamped", PERCENT, NULL},
    {"bias", "bias", PERCENT, NULL},
    {"deviation", "deviation", PERCENT, NULL},
    {"overflow", "overflow", PERCENT, NULL},
    {"(Ocean's)", "overflow_ocean", PERCENT, NULL},
    {"CR error", "compression_error", PERCENT, NULL},
    {"nvals error", "nvals_error", PERCENT, NULL},
    {"stated", "stated_error", PERCENT, NULL},
    {"within", "within_stated", RATIO, NULL},
    {NULL, NULL, TEXT, NULL},
};
static const column TIMES[] = {
    {"total", "total", SECONDS, NULL},
    {"analysis", "analysis", PERCENT, "total"},
    {"sketch", "sketch", PERCENT, "total"},
    {"(cold)", "sketch_cold", PERCENT, "total"},
    {"estimate", "estimate", PERCENT, "total"},
    {"symbolic", "symbolic", PERCENT, "total"},
    {"numeric", "numeric", PERCENT, "total"},
    {"compact", "compact", PERCENT, "total"},
    {"sort", "sort", PERCENT, "total"},
    {"rest", "rest", PERCENT, "total"},
    {NULL, NULL, TEXT, NULL},
};
static const column CHOICE[] = {
    {"upper bound", "upper bound", SECONDS, NULL},
    {"estimate", "estimate", SECONDS, NULL},
    {"symbolic", "symbolic", SECONDS, NULL},
    {"auto", "auto", SECONDS, NULL},
    {"chosen", "chosen", TEXT, NULL},
    {"best", "best", TEXT, NULL},
    {"loss", "loss", RATIO, NULL},
    {NULL, NULL, TEXT, NULL},
};
static const column ABLATION[] = {
    {"V1", "V1", SECONDS, NULL},      {"V2", "V2", SECONDS, NULL},     {"V3", "V3", SECONDS, NULL},
    {"V4", "V4", SECONDS, NULL},      {"auto", "auto", SECONDS, NULL}, {"V1/V2", "V1", RATIO, "V2"},
    {"V2/V3", "V2", RATIO, "V3"},     {"V3/V4", "V3", RATIO, "V4"},    {"V1/V4", "V1", RATIO, "V4"},
    {"V1/auto", "V1", RATIO, "auto"}, {NULL, NULL, TEXT, NULL},
};
static const column SCALING[] = {
    {"one thread", "one", SECONDS, NULL},
    {"all", "all", SECONDS, NULL},
    {"threads", "threads", COUNT, NULL},
    {"speedup", "speedup", RATIO, NULL},
    {NULL, NULL, TEXT, NULL},
};
static const column CHOICE_MEANS[] = {
    {"inputs", "inputs", COUNT, NULL},
    {"best", "best", COUNT, NULL},
    {"within 5%", "right", COUNT, NULL},
    {"beat symb.", "faster_than_symbolic", COUNT, NULL},
    {"lose to est.", "slower_than_estimate", COUNT, NULL},
    {"loss", "loss", RATIO, NULL},
    {NULL, NULL, TEXT, NULL},
};

static void print_seconds(char text[32], double s) {
    if (s < 1e-3)
        snprintf(text, 32, "%.0f us", s * 1e6);
    else if (s < 1)
        snprintf(text, 32, "%.2f ms", s * 1e3);
    else
        snprintf(text, 32, "%.3f s", s);
}

static void print_cell(const cJSON *object, const column *c) {
    char text[32];
    double x = rowwise_number(object, c->key);
    if (c->over != NULL) x /= rowwise_number(object, c->over);
    switch (c->kind) {
    case TEXT:
        snprintf(text, sizeof text, "%s", rowwise_text(object, c->key));
        break;
    case COUNT:
        snprintf(text, sizeof text, "%.0f", x);
        break;
    case MILLIONS:
        snprintf(text, sizeof text, "%.3f M", x / 1e6);
        break;
    case NUMBER:
        snprintf(text, sizeof text, "%.1f", x);
        break;
    case PERCENT:
        snprintf(text, sizeof text, "%.2f%%", 100 * x);
        break;
    case SECONDS:
        print_seconds(text, x);
        break;
    case RATIO:
        snprintf(text, sizeof text, "%.2f", x);
        break;
    }
    printf(" %11s", text);
}

static void print_headings(const char *title, const column *columns) {
    printf("\n%-18s", title);
    for (const column *c = columns; c->heading != NULL; c++) printf(" %11s", c->heading);
    printf("\n");
}

static void print_line(const char *name, const cJSON *object, const column *columns) {
    printf("%-18s", name);
    for (const column *c = columns; c->heading != NULL; c++) print_cell(object, c);
    printf("\n");
}

/* One line for each input; several where the part is a list. part NULL: the input itself. */
static void print_part(const cJSON *inputs, const char *part, const char *title,
                       const column *columns) {
    bool any = false;
    const cJSON *input;
    cJSON_ArrayForEach(input, inputs) {
        const cJSON *object = part != NULL ? cJSON_GetObjectItemCaseSensitive(input, part) : input;
        if (object == NULL) continue;
        if (!any) print_headings(title, columns);
        any = true;
        if (cJSON_IsArray(object)) {
            const cJSON *item;
            cJSON_ArrayForEach(item, object) print_line(rowwise_text(input, "name"), item, columns);
        } else {
            print_line(rowwise_text(input, "name"), object, columns);
        }
    }
}

/* One line for each group of a summary. */
static void print_groups(const cJSON *summary, const char *part, const char *title,
                         const column *columns) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(summary, part), *item;
    if (cJSON_GetArraySize(list) == 0) return;
    print_headings(title, columns);
    cJSON_ArrayForEach(item, list) print_line(rowwise_text(item, "group"), item, columns);
}

/* Geometric means with their range, a line for each ratio and group. */
static void print_ratios(const cJSON *summary, const char *part) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(summary, part), *item, *ratio;
    if (cJSON_GetArraySize(list) == 0) return;
    printf("\nmean of %s\n", part);
    cJSON_ArrayForEach(item, list) {
        cJSON_ArrayForEach(ratio, item) {
            if (!cJSON_IsObject(ratio)) continue;
            printf("%-12s %3.0f inputs  %-13s %.2f (%.2f to %.2f)\n", rowwise_text(item, "group"),
                   rowwise_number(item, "inputs"), ratio->string, rowwise_number(ratio, "mean"),
                   rowwise_number(ratio, "least"), rowwise_number(ratio, "most"));
        }
    }
}

void rowwise_print(const cJSON *document) {
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(document, "inputs");
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(document, "summary");
    print_part(inputs, NULL, "input", FEATURES);
    print_part(inputs, "errors", "errors", ERRORS);
    print_groups(summary, "errors", "mean of errors", ERRORS);
    print_part(inputs, "times", "times", TIMES);
    print_part(inputs, "choice", "choice", CHOICE);
    print_groups(summary, "choice", "sum of choice", CHOICE_MEANS);
    print_part(inputs, "ablation", "ablation", ABLATION);
    print_ratios(summary, "ablation");
    print_part(inputs, "scaling", "scaling", SCALING);
    print_ratios(summary, "scaling");
    printf("\n%s, %.0f threads, gblite %s, medians of %.0f; other programs used %.0f%% of the "
           "processors meanwhile\n",
           rowwise_text(document, "machine"), rowwise_number(document, "threads"),
           rowwise_text(document, "gblite"), rowwise_number(document, "rounds"),
           100 * rowwise_number(document, "share_of_other_programs"));
}
