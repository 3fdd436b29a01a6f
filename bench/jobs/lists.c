/* SPDX-License-Identifier: Apache-2.0
 *
 * Job lists: extract and assign by lists of rows and columns, and Kronecker products, FP64, by
 * gblite and SuiteSparse in turns.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

typedef struct {
    cJSON *document;
    const bench_options *o;
    int failures;
} context;

static void visit(void *of, const bench_line *line) {
    context *c = of;
    const side_setup setup = {.rules = {.rounds = c->o->rounds, .least = 3, .budget = 0.6}};
    peer_input in;
    const int loaded = peer_load(&in, line->operand, false);
    const side_task task = {.in = &in};
    for (int k = 0; k < gblite_indexed.count; k++) {
        const char *name = gblite_indexed.rows[k].name;
        if (!bench_is_chosen(c->o, name)) continue;
        cJSON *row = bench_row(c->document, "lists", name, line->operand);
        int status = loaded;
        if (status == 0)
            status = side_pair(row, &gblite_indexed, &suitesparse_indexed, k, &task, &setup);
        c->failures += bench_row_done(c->document, c->o, status);
    }
    peer_unload(&in);
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    context c = {document, o, 0};
    (void)job;
    if (bench_read_inputs(o, visit, &c) != 0) c.failures++;
    return c.failures + bench_rows_end(document, o);
}

const bench_job JOB_LISTS = {
    .name = "lists",
    .about = "extract and assign by lists of rows and columns, Kronecker products",
    .lines = "INPUT",
    .suite = "suites/lists.txt",
    .rounds = 9,
    .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .measure = measure};
