/* SPDX-License-Identifier: Apache-2.0
 *
 * Seconds of one call, gblite and SuiteSparse in turns. Job overhead: what calls cost beside their
 * work, on objects so small that it is nothing. Job updates: calls that touch few entries of large
 * objects, and what thousands of matrices with few entries take of memory.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdio.h>

static int overhead_calls = 1000, update_calls = 5, thousands = 1000;

static void measure_overhead(bench_sink *to) {
    side_group g = {.operation = "calls",
                    .input = "",
                    .mine = &gblite_calls,
                    .other = &suitesparse_calls,
                    .setup = {bench_all_rounds(to->o->rounds), overhead_calls}};
    side_race_group(to, &g);
    g.operation = "vectors";
    g.fact = "entries";
    for (int row = 0; row < 4; row++) { /* the last one is of a search along a path */
        static const int ENTRIES[] = {1, 10, 100, 1};
        char input[32];
        snprintf(input, sizeof input, "%d entries", ENTRIES[row]);
        g.input = input;
        g.task.entries = (uint64_t)ENTRIES[row];
        g.mine = row < 3 ? &gblite_vectors : &gblite_path;
        g.other = row < 3 ? &suitesparse_vectors : &suitesparse_path;
        side_race_group(to, &g);
    }
}

static void measure_memory(bench_sink *to) {
    const char *name = "3000 matrices of 14,000,000 x 14,000,000, 10 entries each";
    if (!bench_is_chosen(to->o, name)) return;
    const double mine = gblite_bytes_of_many(), other = suitesparse_bytes_of_many();
    if (mine < 0 || other < 0) {
        fprintf(stderr, "bench: %s failed\n", name);
        to->failures++;
        return;
    }
    cJSON *bytes = cJSON_AddObjectToObject(bench_row(to, "memory", name, ""), "bytes");
    cJSON_AddNumberToObject(bytes, "gblite", mine);
    cJSON_AddNumberToObject(bytes, "suitesparse", other);
    if (!to->o->json)
        printf("%s: gblite %.1f MB, suitesparse %.1f MB\n", name, mine / 1e6, other / 1e6);
}

static void measure_updates(bench_sink *to) {
    side_race_group(to, &(side_group){.operation = "updates",
                                      .input = "",
                                      .fact = "n",
                                      .mine = &gblite_updates,
                                      .other = &suitesparse_updates,
                                      .task = {.entries = (uint64_t)thousands * 1000},
                                      .setup = {bench_all_rounds(to->o->rounds), update_calls}});
    measure_memory(to);
}

static const bench_option OVERHEAD_OPTIONS[] = {{"calls", 'c', "N", "calls per run (default 1000)",
                                                 bench_take_number, &overhead_calls, 0, NULL},
                                                {0}};
const bench_job JOB_OVERHEAD = {
    .name = "overhead",
    .about = "calls on 10 x 10 matrices, planning, calls on sparse vectors of 1, 10, 100 entries",
    .rounds = 21,
    .takes = BENCH_THREADS | BENCH_ONLY | BENCH_JSON,
    .own = OVERHEAD_OPTIONS,
    .measure = measure_overhead};
static const bench_option UPDATES_OPTIONS[] = {
    {"calls", 'c', "N", "calls per run (default 5)", bench_take_number, &update_calls, 0, NULL},
    {"size", 's', "N", "thousands of rows and columns (default 1000)", bench_take_number,
     &thousands, 0, NULL},
    {0}};
const bench_job JOB_UPDATES = {.name = "updates",
                               .about =
                                   "updates and calls that touch few entries of large matrices",
                               .rounds = 5,
                               .takes = BENCH_THREADS | BENCH_ONLY | BENCH_JSON,
                               .own = UPDATES_OPTIONS,
                               .measure = measure_updates};
