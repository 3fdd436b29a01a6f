/* SPDX-License-Identifier: Apache-2.0
 *
 * Job overhead: what a call costs beside its work: calls on objects so small that the work is
 * nothing, gblite and SuiteSparse in turns; seconds of one call.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdio.h>

static int calls = 1000;

/* entries: of the sparse vectors; 0: there are none. */
static int measure_rows(cJSON *document, const bench_options *o, const side_rows *mine,
                        const side_rows *other, uint64_t entries) {
    const side_setup setup = {bench_all_rounds(o->rounds), calls};
    const side_task task = {.entries = entries};
    int failures = 0;
    for (int k = 0; k < mine->count; k++) {
        const char *name = mine->rows[k].name;
        char input[32] = "";
        if (!bench_is_chosen(o, name)) continue;
        if (entries > 0) snprintf(input, sizeof input, "%d entries", (int)entries);
        cJSON *row = bench_row(document, entries > 0 ? "vectors" : "calls", name, input);
        if (entries > 0) cJSON_AddNumberToObject(row, "entries", (double)entries);
        failures += bench_row_done(document, o, side_pair(row, mine, other, k, &task, &setup));
    }
    return failures;
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    int failures = measure_rows(document, o, &gblite_calls, &suitesparse_calls, 0);
    (void)job;
    for (uint64_t entries = 1; entries <= 100; entries *= 10)
        failures += measure_rows(document, o, &gblite_vectors, &suitesparse_vectors, entries);
    failures += measure_rows(document, o, &gblite_path, &suitesparse_path, 1);
    return failures + bench_rows_end(document, o);
}

static const bench_option OPTIONS[] = {
    {"calls", 'c', "N", "calls per run (default 1000)", bench_take_number, &calls, 0, NULL}, {0}};
const bench_job JOB_OVERHEAD = {
    .name = "overhead",
    .about = "calls on 10 x 10 matrices, planning, calls on sparse vectors of 1, 10, 100 entries",
    .rounds = 21,
    .takes = BENCH_THREADS | BENCH_ONLY | BENCH_JSON,
    .own = OPTIONS,
    .measure = measure};
