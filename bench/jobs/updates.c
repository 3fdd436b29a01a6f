/* SPDX-License-Identifier: Apache-2.0
 *
 * Job updates: calls that touch few entries of large objects, gblite and SuiteSparse in turns;
 * seconds of one call. And what thousands of matrices with few entries take of memory.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdio.h>
#include <stdlib.h>

static int calls = 5, thousands = 1000;

static int measure_memory(cJSON *document, const bench_options *o) {
    const char *name = "3000 matrices of 14,000,000 x 14,000,000, 10 entries each";
    if (!bench_is_chosen(o, name)) return 0;
    const double mine = gblite_bytes_of_many(), other = suitesparse_bytes_of_many();
    if (mine < 0 || other < 0) {
        fprintf(stderr, "bench: %s failed\n", name);
        return 1;
    }
    cJSON *bytes = cJSON_AddObjectToObject(bench_row(document, "memory", name, ""), "bytes");
    cJSON_AddNumberToObject(bytes, "gblite", mine);
    cJSON_AddNumberToObject(bytes, "suitesparse", other);
    if (!o->json)
        printf("%s: gblite %.1f MB, suitesparse %.1f MB\n", name, mine / 1e6, other / 1e6);
    return 0;
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    const side_setup setup = {bench_all_rounds(o->rounds), calls};
    const side_task task = {.entries = (uint64_t)thousands * 1000};
    int failures = 0;
    (void)job;
    for (int k = 0; k < gblite_updates.count; k++) {
        const char *name = gblite_updates.rows[k].name;
        if (!bench_is_chosen(o, name)) continue;
        cJSON *row = bench_row(document, "updates", name, "");
        cJSON_AddNumberToObject(row, "n", (double)task.entries);
        const int status = side_pair(row, &gblite_updates, &suitesparse_updates, k, &task, &setup);
        failures += bench_row_done(document, o, status);
    }
    failures += measure_memory(document, o);
    return failures + bench_rows_end(document, o);
}

static const bench_option OPTIONS[] = {
    {"calls", 'c', "N", "calls per run (default 5)", bench_take_number, &calls, 0, NULL},
    {"size", 's', "N", "thousands of rows and columns (default 1000)", bench_take_number,
     &thousands, 0, NULL},
    {0}};
const bench_job JOB_UPDATES = {.name = "updates",
                               .about =
                                   "updates and calls that touch few entries of large matrices",
                               .rounds = 5,
                               .takes = BENCH_THREADS | BENCH_ONLY | BENCH_JSON,
                               .own = OPTIONS,
                               .measure = measure};
