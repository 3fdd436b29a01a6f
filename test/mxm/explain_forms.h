/* SPDX-License-Identifier: Apache-2.0
 *
 * An explanation's text and JSON held against the struct. The fields are written down here a second
 * time, on purpose: one that the JSON lacks, has too many, or gives another value is found.
 */
#pragma once

#include "support/gb_test.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef gbl_Info Form(char *, size_t *, const gbl_Explanation *);

/* The text, in a block of exactly the size that was told. */
static char *written(Form *form, const gbl_Explanation *how) {
    size_t size = 0, needed;
    OK(form(NULL, &size, how));
    needed = size;
    CHECK(size > 1);
    char *text = malloc(size);
    CHECK(text != NULL);
    OK(form(text, &size, how));
    CHECK_EQ(size, needed);
    CHECK_EQ(strlen(text) + 1, size);
    return text;
}

/* -- the JSON against the struct --------------------------------------------------------------- */

static int fields_seen;

static const cJSON *field(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    t_case("field %s", name);
    CHECK(item != NULL);
    fields_seen++;
    return item;
}

static void same_number(const cJSON *object, const char *name, double x) {
    const cJSON *item = field(object, name);
    if (isfinite(x))
        CHECK(cJSON_IsNumber(item) && item->valuedouble == x);
    else
        CHECK(cJSON_IsNull(item));
}

static void same_text(const cJSON *object, const char *name, const char *s) {
    const cJSON *item = field(object, name);
    if (s == NULL)
        CHECK(cJSON_IsNull(item));
    else
        CHECK(cJSON_IsString(item) && strcmp(item->valuestring, s) == 0);
}

static void same_flag(const cJSON *object, const char *name, bool x) {
    const cJSON *item = field(object, name);
    CHECK(cJSON_IsBool(item) && cJSON_IsTrue(item) == x);
}

static void same_formats(const cJSON *object, const char *name, unsigned formats) {
    static const char *const names[] = {"rows", "columns", "tiles", "bitmap", "full"};
    const cJSON *list = field(object, name);
    CHECK(cJSON_IsArray(list));
    int at = 0;
    for (unsigned k = 0; k < 5; k++) {
        if (!(formats & 1u << k)) continue;
        const cJSON *item = cJSON_GetArrayItem(list, at++);
        CHECK(cJSON_IsString(item) && strcmp(item->valuestring, names[k]) == 0);
    }
    CHECK_EQ(cJSON_GetArraySize(list), at);
}

#define NUMBER(name) same_number(json, #name, (double)how->name)
#define TEXT(name) same_text(json, #name, how->name)
#define TRUTH(name) same_flag(json, #name, how->name)

static void same_candidate(const cJSON *json, const gbl_Candidate *how, bool chosen) {
    fields_seen = 0;
    TEXT(method), TEXT(workflow), TEXT(place), TRUTH(legal), TEXT(why_not), NUMBER(seconds);
    NUMBER(seconds_plan), NUMBER(seconds_size), NUMBER(seconds_convert), NUMBER(seconds_pages);
    NUMBER(seconds_kernel);
    NUMBER(bytes), NUMBER(slices);
    same_flag(json, "chosen", chosen);
    CHECK_EQ(cJSON_GetArraySize(json), fields_seen);
}

static void same_candidates(const cJSON *json, const gbl_Explanation *how) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "candidates");
    CHECK(cJSON_IsArray(list));
    CHECK_EQ(cJSON_GetArraySize(list), how->ncandidates);
    for (int w = 0; w < how->ncandidates; w++)
        same_candidate(cJSON_GetArrayItem(list, w), &how->candidates[w], w == how->chosen);
}

static void same_measures(const cJSON *json, const gbl_Explanation *how) {
    NUMBER(flops), NUMBER(nvals), NUMBER(rows_copied), NUMBER(rows_sorted), NUMBER(rows_hashed);
    NUMBER(rows_dense), NUMBER(rows_overflowed), NUMBER(flops_mean), NUMBER(flops_spread);
    NUMBER(expansion_ratio), NUMBER(compression_ratio), NUMBER(compression_error);
    NUMBER(nvals_estimated), NUMBER(registers), NUMBER(seconds_prepare), NUMBER(seconds_kernel);
    NUMBER(seconds_finish), NUMBER(seconds_analysis), NUMBER(seconds_sketch);
    NUMBER(seconds_estimate), NUMBER(seconds_symbolic), NUMBER(seconds_compact);
    NUMBER(seconds_sort), NUMBER(seconds_expand), NUMBER(seconds_convert), NUMBER(seconds_layout);
    NUMBER(seconds_masks), NUMBER(seconds_values), NUMBER(slices), NUMBER(bins);
    NUMBER(bytes_expanded), NUMBER(bytes_to_device), NUMBER(bytes_from_device);
    NUMBER(seconds_transfer), NUMBER(hubs_bits), NUMBER(rows_bits), NUMBER(seconds_count);
    NUMBER(tau), NUMBER(valid_ratio), NUMBER(error_bound), NUMBER(submatrix);
    NUMBER(seconds_norms), NUMBER(seconds_search), NUMBER(rounding_error), NUMBER(devices);
    NUMBER(panel_share), NUMBER(panel_share_grouped), NUMBER(rows_grouped), TRUTH(panels_kept);
    NUMBER(fused), TRUTH(folded), TRUTH(filtered), TEXT(semiring);
}

static void same(const cJSON *json, const gbl_Explanation *how) {
    same_candidates(json, how);
    fields_seen = 1;
    same_measures(json, how);
    TEXT(operation), TEXT(method), TEXT(workflow), TEXT(isa), TEXT(reason), NUMBER(chosen);
    TRUTH(forced), NUMBER(seconds_predicted), NUMBER(seconds_plan), NUMBER(nrows), NUMBER(inner);
    NUMBER(ncols), NUMBER(nnz_a), NUMBER(nnz_b), NUMBER(nnz_mask), NUMBER(mask_density);
    NUMBER(flops_most), NUMBER(entries_expected), NUMBER(rows_sampled), NUMBER(fill_a);
    NUMBER(fill_b), NUMBER(rows_used_a), NUMBER(rows_used_b), NUMBER(longest_a), NUMBER(longest_b);
    NUMBER(spread_a), NUMBER(spread_b), NUMBER(tile_pairs), TRUTH(iso_a), TRUTH(iso_b);
    NUMBER(bytes_limit), TEXT(machine), TEXT(place), TEXT(place_reason), TEXT(rounding);
    same_formats(json, "formats_a", how->formats_a);
    same_formats(json, "formats_b", how->formats_b);
    CHECK_EQ(cJSON_GetArraySize(json), fields_seen);
}

/* -- the text ---------------------------------------------------------------------------------- */

static bool has_line(const char *text, const char *start, const char *rest) {
    const size_t n = strlen(start);
    for (const char *line = text; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n'), *found = strstr(line, rest);
        if (strncmp(line, start, n) == 0 && found != NULL && found < end) return true;
        line = end != NULL ? end + 1 : NULL;
    }
    return false;
}

/* The line of a candidate. */
static bool tells(const char *text, const gbl_Candidate *c, bool chosen) {
    char start[64];
    snprintf(start, sizeof start, "%s %-8s %-12s",
             chosen     ? ">"
             : c->legal ? " "
                        : "-",
             c->method, c->workflow);
    return has_line(text, start, "");
}

/* Tables fit on a terminal of 80 columns; sentences may be longer. */
static bool tables_fit(const char *text) {
    static const char *const starts[] = {"> ", "- ", "  factor ", "  method ", "  time ", "  (l"};
    for (const char *line = text; line != NULL; line = strchr(line, '\n'), line += line != NULL)
        for (size_t k = 0; k < T_COUNT(starts); k++)
            if (strncmp(line, starts[k], strlen(starts[k])) == 0 && strcspn(line, "\n") > 80)
                return false;
    return true;
}

/* A candidate that is excluded is in the line of its reason, by its name or with others; one of the
 * GPU only where the product ran there. */
static bool leaves_out(const char *text, const gbl_Explanation *how, const gbl_Candidate *c) {
    char both[64], why[200];
    snprintf(both, sizeof both, "%s %s", c->method, c->workflow);
    snprintf(why, sizeof why, ": %s\n", c->why_not);
    for (const char *line = text; (line = strchr(line, '\n')) != NULL;) {
        const char *end = strchr(++line, '\n'), *reason = strstr(line, why);
        const char *named = strstr(line, both), *others = strstr(line, " others:");
        if (end == NULL || strncmp(line, "  ", 2) != 0 || reason + strlen(why) - 1 != end) continue;
        if ((named != NULL && named < reason) || (others != NULL && others < end)) return true;
    }
    return strcmp(c->place, "gpu") == 0 && strcmp(how->place, "gpu") != 0;
}

/* The predicted seconds in the line of a phase, 0 where there are none. */
static double predicted_for(const char *text, const char *phase) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    char head[40], unit[8] = "";
    double number = 0;
    snprintf(head, sizeof head, "\n  %-20s", phase);
    const char *line = strstr(text, head);
    CHECK(line != NULL);
    if (line == NULL || sscanf(line + strlen(head), "%lf %7s", &number, unit) != 2) return 0.0;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(unit, units[k].unit) == 0) return number * units[k].seconds;
    return 0.0;
}

/* Predictions of the phases have the sum that the last line has, but for three digits. */
static void check_phases(const char *text) {
    static const char *const phases[] = {"planning", "sizes of C's rows", "conversions",
                                         "kernel, fresh pages"};
    double sum = 0, digits = 0;
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        const double seconds = predicted_for(text, phases[k]);
        sum += seconds;
        digits += 0.01 * fabs(seconds);
    }
    CHECK(fabs(sum - predicted_for(text, "all")) <= digits);
}

static void check_text(const gbl_Explanation *how) {
    char *text = written(gbl_Explanation_text, how);
    const bool measured = how->seconds_kernel > 0.0;
    t_case("text:\n%s", text);
    CHECK(has_line(text, how->operation, how->method));
    CHECK(has_line(text, "  why ", how->reason));
    CHECK_EQ(has_line(text, "  time ", "measured"), measured);
    if (measured && how->chosen >= 0 && how->ncandidates > 0) check_phases(text);
    CHECK_EQ(has_line(text, "  entries ", ""), measured || how->nvals > 0 || how->flops > 0);
    for (int w = 0; w < how->ncandidates; w++) {
        const gbl_Candidate *c = &how->candidates[w];
        const bool chosen = w == how->chosen;
        CHECK_EQ(c->legal, c->why_not == NULL);
        CHECK_EQ(tells(text, c, chosen), chosen || c->legal || c->seconds > 0);
        CHECK(chosen || c->legal || leaves_out(text, how, c));
    }
    CHECK(tables_fit(text));
    free(text);
}

/* Both forms say what the struct has. */
static inline void check(const gbl_Explanation *how) {
    char *text = written(gbl_Explanation_json, how);
    CHECK(strchr(text, '\n') == NULL);
    cJSON *json = cJSON_Parse(text);
    CHECK(json != NULL);
    same(json, how);
    cJSON_Delete(json);
    free(text);
    check_text(how);
}
