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

#define HUGE_N ((gbl_Index)1 << 50)

static side_pattern pattern = {.huge_n = HUGE_N};
static const char *input = "10000000:16777216";

static void free_pattern(side_pattern *p) {
    gbl_Index *arrays[] = {p->I, p->J, p->huge_I, p->huge_J, p->list, p->huge_list};
    for (int k = 0; k < 6; k++) free(arrays[k]);
    free(p->X);
}

/* Compact index k lies at a random place of the k-th of n equal parts. */
static int make_pattern(side_pattern *p) {
    const size_t bytes = (p->entries + 1) * sizeof(gbl_Index);
    gbl_Index **arrays[] = {&p->I, &p->J, &p->huge_I, &p->huge_J, &p->list, &p->huge_list};
    const gbl_Index part = HUGE_N / p->n, stride = p->n / p->most;
    uint64_t state = 1;
    for (int k = 0; k < 6; k++)
        if ((*arrays[k] = malloc(bytes)) == NULL) return -1;
    gbl_Index *at = malloc(p->n * sizeof *at);
    p->X = malloc(bytes);
    if (at == NULL || p->X == NULL) {
        free(at);
        return -1;
    }
    for (gbl_Index k = 0; k < p->n; k++) at[k] = k * part + bench_random(&state) % part;
    for (gbl_Index k = 0; k < p->entries; k++) {
        p->I[k] = bench_random(&state) % p->n;
        p->J[k] = bench_random(&state) % p->n;
        p->X[k] = (double)(bench_random(&state) % 1000 + 1) / 1000;
        p->huge_I[k] = at[p->I[k]];
        p->huge_J[k] = at[p->J[k]];
    }
    for (gbl_Index k = 0; k < p->most; k++) {
        p->list[k] = k * stride + bench_random(&state) % stride;
        p->huge_list[k] = at[p->list[k]];
    }
    free(at);
    return 0;
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
    pattern.n = *end == ':' ? strtoull(end + 1, &end, 10) : (gbl_Index)1 << 24;
    pattern.most = pattern.n / 10 < pattern.entries ? pattern.n / 10 : pattern.entries;
    if (*end == '\0' && pattern.entries >= 100 && pattern.n >= 10000)
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
    free_pattern(&pattern);
}

const bench_job JOB_HYPER = {
    .name = "hyper",
    .about = "a matrix of 2^50 x 2^50 against its compact pattern; INPUT is ENTRIES:INDICES",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .start = start,
    .measure = measure};
