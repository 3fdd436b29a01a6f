/* SPDX-License-Identifier: Apache-2.0
 *
 * Job updates: calls that touch few entries of large objects, gblite and SuiteSparse in turns;
 * seconds of one call.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdlib.h>

static int calls = 5, thousands = 1000;

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key == 'c')
        calls = bench_positive(argument, "--calls", state);
    else if (key == 's')
        thousands = bench_positive(argument, "--size", state);
    else
        return ARGP_ERR_UNKNOWN;
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
    return failures + bench_rows_end(document, o);
}

static const struct argp_option OPTIONS[] = {
    {"calls", 'c', "N", 0, "calls per run (default 5)", 0},
    {"size", 's', "N", 0, "thousands of rows and columns (default 1000)", 0},
    {0}};
const bench_job JOB_UPDATES = {.name = "updates",
                               .about =
                                   "updates and calls that touch few entries of large matrices",
                               .rounds = 5,
                               .takes = BENCH_THREADS | BENCH_ONLY | BENCH_JSON,
                               .own = {.options = OPTIONS, .parser = parse},
                               .measure = measure};
