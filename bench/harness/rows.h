/* SPDX-License-Identifier: Apache-2.0
 *
 * Documents of rows: seconds of several contenders that do the same, as JSON or for people.
 */
#pragma once

#include "harness/program.h"

/* What is measured into. */
typedef struct {
    cJSON *document;
    const bench_options *o;
    int failures; /* inputs or rows */
} bench_sink;

/* A text of an object, "" where it has none. */
const char *bench_text(const cJSON *object, const char *key);

/* A row. Its members: "case", "input", "seconds" by
 * contender, gblite's first, and what is known of the result. */
cJSON *bench_new_row(const char *operation, const char *name, const char *input);
void bench_print_row(const cJSON *row);
/* The same in the document. */
cJSON *bench_row(bench_sink *to, const char *operation, const char *name, const char *input);
/* Prints the last row unless JSON is wanted; status: of its measurement. A row that failed leaves
 * the document. */
void bench_row_done(bench_sink *to, int status);
/* Adds the geometric means by operation and contender, and prints them unless JSON is wanted. */
void bench_rows_end(bench_sink *to);
/* Adds what other programs took, prints the document or, for people, whether that was much; 0, or
 * -1 when it cannot be printed. */
int bench_show(cJSON *document, const bench_load *load, bool json);
