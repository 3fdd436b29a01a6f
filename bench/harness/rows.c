/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows: their lines on the terminal, and geometric means of seconds over gblite's.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "harness/rows.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RATIOS = 1024 };
static const double BUSY = 0.1; /* share of other programs above which times deserve a warning */

cJSON *bench_new_row(const char *operation, const char *name, const char *input) {
    char text[64];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "operation", operation);
    cJSON_AddStringToObject(row, "case", name);
    bench_operand_name(text, sizeof text, input);
    cJSON_AddStringToObject(row, "input", text);
    return row;
}

cJSON *bench_row(bench_sink *to, const char *operation, const char *name, const char *input) {
    cJSON *rows = cJSON_GetObjectItem(to->document, "rows");
    cJSON *row = bench_new_row(operation, name, input);
    if (rows == NULL) rows = cJSON_AddArrayToObject(to->document, "rows");
    cJSON_AddItemToArray(rows, row);
    return row;
}

const char *bench_text(const cJSON *row, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, key);
    return item != NULL ? item->valuestring : "";
}

static void print_time(double s) {
    if (s < 1e-3)
        printf(" %9.2f us", s * 1e6);
    else if (s < 1)
        printf(" %9.3f ms", s * 1e3);
    else
        printf(" %9.3f s ", s);
}

void bench_print_row(const cJSON *row) {
    const cJSON *seconds = cJSON_GetObjectItem(row, "seconds"), *one;
    printf("%-20s %-46s", bench_text(row, "input"), bench_text(row, "case"));
    cJSON_ArrayForEach(one, seconds) {
        print_time(one->valuedouble);
        if (one != seconds->child)
            printf(" %s %.2fx", one->string, one->valuedouble / seconds->child->valuedouble);
    }
    printf("  %s %s", bench_text(row, "method"), bench_text(row, "workflow"));
    if (bench_text(row, "form")[0] != '\0') printf(" (SuiteSparse: %s)", bench_text(row, "form"));
    printf("\n");
    fflush(stdout);
}

void bench_row_done(bench_sink *to, int status) {
    cJSON *rows = cJSON_GetObjectItem(to->document, "rows");
    const int last = cJSON_GetArraySize(rows) - 1;
    const cJSON *row = cJSON_GetArrayItem(rows, last);
    if (status == 0) {
        if (!to->o->json) bench_print_row(row);
        return;
    }
    fprintf(stderr, "%s: %s of %s failed\n", program_invocation_short_name, bench_text(row, "case"),
            bench_text(row, "input"));
    cJSON_DeleteItemFromArray(rows, last);
    to->failures++;
}

/* One contender over gblite in the rows of an operation; "" for all. */
static void add_mean(cJSON *means, const cJSON *rows, const char *operation, const char *name) {
    double ratios[MOST_RATIOS];
    char key[128];
    int n = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, rows) {
        const cJSON *seconds = cJSON_GetObjectItem(row, "seconds");
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(seconds, name);
        const bool is_of =
            operation[0] == '\0' || strcmp(bench_text(row, "operation"), operation) == 0;
        if (is_of && other != NULL && n < MOST_RATIOS)
            ratios[n++] = other->valuedouble / seconds->child->valuedouble;
    }
    snprintf(key, sizeof key, "%s%s%s / gblite", operation, operation[0] ? ": " : "", name);
    if (n == 0 || cJSON_GetObjectItemCaseSensitive(means, key) != NULL) return;
    cJSON_AddNumberToObject(means, key, bench_geometric_mean(ratios, n));
}

void bench_rows_end(bench_sink *to) {
    cJSON *document = to->document;
    const cJSON *rows = cJSON_GetObjectItem(document, "rows"), *row, *one, *mean;
    cJSON *means = cJSON_AddObjectToObject(document, "geometric_means");
    if (cJSON_GetArraySize(rows) == 0) {
        fprintf(stderr, "%s: nothing was measured\n", program_invocation_short_name);
        to->failures++;
        return;
    }
    for (int all = 0; all < 2; all++) cJSON_ArrayForEach(row, rows) {
            const cJSON *seconds = cJSON_GetObjectItem(row, "seconds");
            cJSON_ArrayForEach(one, seconds) if (one != seconds->child)
                add_mean(means, rows, all ? "" : bench_text(row, "operation"), one->string);
        }
    if (to->o->json) return;
    printf("geometric means:");
    cJSON_ArrayForEach(mean, means)
        printf("%s %s %.2fx", mean == means->child ? "" : ",", mean->string, mean->valuedouble);
    printf("\n%s, %d threads; gblite %s%s%s; medians of %d\n", bench_text(document, "machine"),
           to->o->threads, bench_text(document, "gblite"),
           cJSON_HasObjectItem(document, "suitesparse") ? ", SuiteSparse:GraphBLAS " : "",
           bench_text(document, "suitesparse"), to->o->rounds);
}

int bench_show(cJSON *document, const bench_load *load, bool json) {
    const double share = bench_others_since(load);
    bench_set_number(document, "share_of_other_programs", share);
    if (json) return bench_print(document);
    if (share > BUSY)
        printf("note: other programs used %.0f%% of the processors meanwhile; repeat this on an "
               "idle machine\n",
               100 * share);
    return 0;
}
