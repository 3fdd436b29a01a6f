/* SPDX-License-Identifier: Apache-2.0
 *
 * Job hyper: a matrix of 2^50 x 2^50 against the same pattern compacted, and against SuiteSparse
 * with the same huge dimensions. Random entries, values in (0, 1]; each step is timed alone.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/values.h"
#include "peers/suitesparse.h"

static side_pattern pattern = {.huge = {.n = (gbl_Index)1 << 50}};
static const char *input = "10000000:16777216";

/* One block: rows, columns, the list, which has no more. */
static bool new_indices(side_indices *x) {
    x->I = malloc(3 * pattern.entries * sizeof *x->I);
    if (x->I == NULL) return false;
    x->J = x->I + pattern.entries;
    x->list = x->J + pattern.entries;
    return true;
}

/* Compact index k lies at a random place of the k-th of n equal parts. */
static int make_pattern(side_pattern *p) {
    side_indices *x = &p->compact, *huge = &p->huge;
    const gbl_Index part = huge->n / x->n, stride = x->n / p->most;
    uint64_t state = 1;
    gbl_Index *at = malloc(x->n * sizeof *at);
    p->X = malloc(p->entries * sizeof *p->X);
    const bool ready = new_indices(x) && new_indices(huge) && at != NULL && p->X != NULL;
    for (gbl_Index k = 0; ready && k < x->n; k++) at[k] = k * part + bench_random(&state) % part;
    for (gbl_Index k = 0; ready && k < p->entries; k++) {
        x->I[k] = bench_random(&state) % x->n;
        x->J[k] = bench_random(&state) % x->n;
        p->X[k] = (double)(bench_random(&state) % 1000 + 1) / 1000;
        huge->I[k] = at[x->I[k]];
        huge->J[k] = at[x->J[k]];
    }
    for (gbl_Index k = 0; ready && k < p->most; k++) {
        x->list[k] = k * stride + bench_random(&state) % stride;
        huge->list[k] = at[x->list[k]];
    }
    free(at);
    return ready ? 0 : -1;
}

static void measure_pattern(bench_sink *to) {
    const side_setup setup = {.rules = bench_all_rounds(to->o->rounds)};
    const side_task compact = {.pattern = &pattern}, huge = {.pattern = &pattern, .huge = true};
    for (int k = 0; k < gblite_huge.count; k++) {
        const side_row *mine = &gblite_huge.rows[k], *other = &suitesparse_huge.rows[k];
        const side_entrant list[] = {{"gblite", &GBLITE_SIDE, mine, huge},
                                     {"compact", &GBLITE_SIDE, mine, compact},
                                     {"suitesparse", &SUITESPARSE_SIDE, other, huge}};
        if (!bench_is_chosen(to->o, mine->name)) continue;
        cJSON *row = bench_row(to, "hyper", mine->name, input);
        bench_row_done(to, side_race(row, list, other->call != NULL ? 3 : 2, &setup));
    }
}

static int start(const bench_job *job, const bench_options *o) {
    char *end;
    (void)job;
    if (o->input_count > 0) input = o->inputs[0];
    pattern.entries = strtoull(input, &end, 10);
    pattern.compact.n = *end == ':' ? strtoull(end + 1, &end, 10) : (gbl_Index)1 << 24;
    pattern.most =
        pattern.compact.n / 10 < pattern.entries ? pattern.compact.n / 10 : pattern.entries;
    if (*end == '\0' && pattern.entries >= 100 && pattern.compact.n >= 10000)
        return bench_start(o->threads) == 0 && peer_start(o->threads) == 0 ? 0 : -1;
    fprintf(stderr, "bench: %s is not ENTRIES:INDICES, at least 100 and 10000\n", input);
    return -1;
}

static void measure(bench_sink *to) {
    if (make_pattern(&pattern) == 0) {
        measure_pattern(to);
    } else {
        fprintf(stderr, "bench: no memory for %s\n", input);
        to->failures++;
    }
    free(pattern.compact.I);
    free(pattern.huge.I);
    free(pattern.X);
}

const bench_job JOB_HYPER = {
    .name = "hyper",
    .about = "a matrix of 2^50 x 2^50 against its compact pattern; INPUT is ENTRIES:INDICES",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .start = start,
    .measure = measure};
