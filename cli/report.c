/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts in the order they are added, printed at the end as aligned lines or as one JSON object.
 * Both forms are kept in a cJSON object; whole numbers are raw text in it, because cJSON's numbers
 * are doubles and counts may exceed 2^53.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cli.h"

/* Name of the fact that is lines of text, printed as they are. */
#define BLOCK "explanation"

struct cli_Report {
    cJSON *facts;
    bool json;
    bool lost; /* a fact could not be stored */
};

gbl_Info cli_report_new(cli_Report **report, bool json) {
    *report = malloc(sizeof **report);
    if (!*report) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the report");
    **report = (cli_Report){.facts = cJSON_CreateObject(), .json = json};
    (*report)->lost = !(*report)->facts;
    return GBL_SUCCESS;
}

void cli_report_count(cli_Report *report, const char *name, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    report->lost |= !cJSON_AddRawToObject(report->facts, name, text);
}

void cli_report_number(cli_Report *report, const char *name, double value) {
    /* JSON has no infinity and no NaN */
    report->lost |= !(isfinite(value) ? cJSON_AddNumberToObject(report->facts, name, value)
                                      : cJSON_AddNullToObject(report->facts, name));
}

/* Bytes of the character of UTF-8 at p; 0: there is none. */
static size_t character(const unsigned char *p) {
    const size_t n = *p < 0x80                  ? 1
                     : *p >= 0xC2 && *p < 0xE0  ? 2
                     : *p >= 0xE0 && *p < 0xF0  ? 3
                     : *p >= 0xF0 && *p <= 0xF4 ? 4
                                                : 0;
    for (size_t k = 1; k < n; k++)
        if ((p[k] & 0xC0) != 0x80) return 0;
    const unsigned two = n < 3 ? 0 : (unsigned)(p[0] << 8 | p[1]);
    const bool longer = (two >= 0xE000 && two < 0xE0A0) || (two >= 0xF000 && two < 0xF090);
    const bool half = two >= 0xEDA0 && two < 0xEE00; /* of a pair of UTF-16 */
    return longer || half || two >= 0xF490 ? 0 : n;
}

/* JSON is UTF-8, names in files may be something else: their bytes that are no characters become
 * U+FFFD. NULL: there is no memory. */
static char *make_utf8(const char *text) {
    char *const made = malloc(3 * strlen(text) + 1), *to = made;
    for (const char *p = text; made && *p;) {
        const size_t n = character((const unsigned char *)p);
        memcpy(to, n > 0 ? p : "\xEF\xBF\xBD", n > 0 ? n : 3);
        to += n > 0 ? n : 3;
        p += n > 0 ? n : 1;
    }
    if (made) *to = '\0';
    return made;
}

void cli_report_text(cli_Report *report, const char *name, const char *value) {
    char *const text = report->json ? make_utf8(value) : NULL;
    const bool lost = report->json && !text;
    report->lost |= lost || !cJSON_AddStringToObject(report->facts, name, text ? text : value);
    free(text);
}

void cli_report_flag(cli_Report *report, const char *name, bool value) {
    report->lost |= !cJSON_AddBoolToObject(report->facts, name, value);
}

void cli_report_counts(cli_Report *report, const char *name, const uint64_t *values, size_t n) {
    cJSON *array = cJSON_AddArrayToObject(report->facts, name);
    report->lost |= !array;
    for (size_t k = 0; k < n; k++) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, values[k]);
        report->lost |= !cJSON_AddItemToArray(array, cJSON_CreateRaw(text));
    }
}

gbl_Info cli_report_explanation(cli_Report *report, const gbl_Explanation *how) {
    gbl_Info (*const form)(char *, size_t *, const gbl_Explanation *) =
        report->json ? gbl_Explanation_json : gbl_Explanation_text;
    size_t size = 0;
    gbl_Info info = form(NULL, &size, how);
    if (info) return info;
    char *text = malloc(size);
    if (!text) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the report");
    if (!(info = form(text, &size, how)))
        report->lost |= !(report->json ? cJSON_AddRawToObject(report->facts, BLOCK, text)
                                       : cJSON_AddStringToObject(report->facts, BLOCK, text));
    free(text);
    return info;
}

static void print_value(const cJSON *fact, FILE *file) {
    if (cJSON_IsNumber(fact))
        fprintf(file, "%.6g", fact->valuedouble);
    else if (cJSON_IsBool(fact))
        fprintf(file, "%s", cJSON_IsTrue(fact) ? "yes" : "no");
    else if (cJSON_IsNull(fact))
        fprintf(file, "-");
    else
        fprintf(file, "%s", fact->valuestring);
}

static void print_lines(const cJSON *facts, FILE *file) {
    const cJSON *fact, *element;
    cJSON_ArrayForEach(fact, facts) {
        if (!strcmp(fact->string, BLOCK)) {
            fprintf(file, "\n%s", fact->valuestring);
            continue;
        }
        fprintf(file, "%-18s", fact->string);
        if (cJSON_IsArray(fact)) {
            cJSON_ArrayForEach(element, fact) {
                fprintf(file, "%s", element == fact->child ? "" : " ");
                print_value(element, file);
            }
        } else {
            print_value(fact, file);
        }
        fprintf(file, "\n");
    }
}

gbl_Info cli_report_print(const cli_Report *r, FILE *file) {
    gbl_Info info = GBL_SUCCESS;
    char *text = r->json && !r->lost ? cJSON_PrintUnformatted(r->facts) : NULL;
    if (r->lost || (r->json && !text))
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the report");
    else if (r->json)
        fprintf(file, "%s\n", text);
    else
        print_lines(r->facts, file);
    cJSON_free(text);
    return info;
}

void cli_report_free(cli_Report **report) {
    if (!*report) return;
    cJSON_Delete((*report)->facts);
    free(*report);
    *report = NULL;
}
