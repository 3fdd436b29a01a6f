/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts in the order they are added, printed at the end as aligned lines or as one JSON object.
 * Both forms are kept in a cJSON object; whole numbers are raw text in it, because cJSON's numbers
 * are doubles and counts may exceed 2^53.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "cli.h"

struct cli_Report {
    cJSON *facts;
    cJSON *into; /* facts, or the row that is open */
    bool json;
    bool lost; /* a fact could not be stored */
};

gbl_Info cli_report_new(cli_Report **report, bool json) {
    *report = malloc(sizeof **report);
    if (!*report) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "out of memory for the report");
    **report = (cli_Report){.facts = cJSON_CreateObject(), .json = json};
    (*report)->into = (*report)->facts;
    (*report)->lost = !(*report)->facts;
    return GBL_SUCCESS;
}

void cli_report_count(cli_Report *report, const char *name, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    report->lost |= !cJSON_AddRawToObject(report->into, name, text);
}

void cli_report_number(cli_Report *report, const char *name, double value) {
    /* JSON has no infinity and no NaN */
    report->lost |= !(isfinite(value) ? cJSON_AddNumberToObject(report->into, name, value)
                                      : cJSON_AddNullToObject(report->into, name));
}

void cli_report_text(cli_Report *report, const char *name, const char *value) {
    report->lost |= !cJSON_AddStringToObject(report->into, name, value);
}

void cli_report_flag(cli_Report *report, const char *name, bool value) {
    report->lost |= !cJSON_AddBoolToObject(report->into, name, value);
}

void cli_report_counts(cli_Report *report, const char *name, const uint64_t *values, size_t n) {
    cJSON *array = cJSON_AddArrayToObject(report->into, name);
    report->lost |= !array;
    for (size_t k = 0; k < n; k++) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, values[k]);
        report->lost |= !cJSON_AddItemToArray(array, cJSON_CreateRaw(text));
    }
}

void cli_report_begin_row(cli_Report *report, const char *table) {
    cJSON *rows = cJSON_GetObjectItem(report->facts, table);
    if (!rows) rows = cJSON_AddArrayToObject(report->facts, table);
    report->into = cJSON_CreateObject();
    if (cJSON_AddItemToArray(rows, report->into)) return;
    report->lost = true;
    report->into = report->facts;
}

void cli_report_end_row(cli_Report *report) {
    report->into = report->facts;
}

static void print_value(const cJSON *fact, int width) {
    if (cJSON_IsNumber(fact))
        printf("%-*.6g", width, fact->valuedouble);
    else if (cJSON_IsBool(fact))
        printf("%-*s", width, cJSON_IsTrue(fact) ? "yes" : "no");
    else if (cJSON_IsNull(fact))
        printf("%-*s", width, "-");
    else
        printf("%-*s", width, fact->valuestring);
}

enum { COLUMN = 12 };

/* Rows that are objects: a line each, below the names of their facts. */
static void print_table(const cJSON *rows) {
    const cJSON *row, *fact;
    cJSON_ArrayForEach(fact, rows->child) {
        printf("  %-*s", fact->next ? COLUMN : 0, fact->string);
    }
    printf("\n");
    cJSON_ArrayForEach(row, rows) {
        cJSON_ArrayForEach(fact, row) {
            printf("  ");
            print_value(fact, fact->next ? COLUMN : 0);
        }
        printf("\n");
    }
}

static void print_lines(const cJSON *facts) {
    const cJSON *fact, *element;
    cJSON_ArrayForEach(fact, facts) {
        if (cJSON_IsArray(fact) && cJSON_IsObject(fact->child)) {
            printf("%s\n", fact->string);
            print_table(fact);
            continue;
        }
        printf("%-18s", fact->string);
        if (cJSON_IsArray(fact)) {
            cJSON_ArrayForEach(element, fact) {
                printf("%s", element == fact->child ? "" : " ");
                print_value(element, 0);
            }
        } else {
            print_value(fact, 0);
        }
        printf("\n");
    }
}

gbl_Info cli_report_print(cli_Report **report) {
    cli_Report *r = *report;
    gbl_Info info = GBL_SUCCESS;
    char *text = r->json && !r->lost ? cJSON_PrintUnformatted(r->facts) : NULL;
    if (r->lost || (r->json && !text))
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "out of memory for the report");
    else if (r->json)
        printf("%s\n", text);
    else
        print_lines(r->facts);
    cJSON_free(text);
    cli_report_free(report);
    return info;
}

void cli_report_free(cli_Report **report) {
    if (!*report) return;
    cJSON_Delete((*report)->facts);
    free(*report);
    *report = NULL;
}
