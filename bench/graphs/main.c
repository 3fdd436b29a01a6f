/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/graphs: options, the suite, the table or JSON. Exit status 0 when every job ran and both
 * sides agreed.
 */
#include "graphs/graphs.h"

#include <string.h>

#include "harness/rows.h"

static const graphs_job *const JOBS[] = {&graphs_bfs,      &graphs_paths,       &graphs_components,
                                         &graphs_pagerank, &graphs_betweenness, &graphs_triangles};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS };

/* The medians of one source: gblite's, by hand. 1: the graph is nothing for this job. */
static int race(double seconds[2], const graphs_job *job, graphs_input *in, int rounds) {
    graphs_input **state = graphs_array(in, 1, job->state_size);
    if (state == NULL) return -1;
    *state = in;
    int status = job->open(state);
    bench_contender pair[2] = {{"plain", job->plain, NULL, state, 0, 0},
                               {"gblite", job->mine, job->reset, state, 0, 0}};
    if (status == 0) status = bench_take_turns(pair, 2, rounds);
    if (status == 0) status = job->check(state);
    for (int k = 0; k < 2; k++) seconds[k] = pair[1 - k].median / job->sources;
    if (job->close != NULL) job->close(state);
    graphs_free_job(in);
    return status;
}

static void run_job(bench_sink *to, const graphs_job *job, graphs_input *in) {
    double seconds[2] = {0};
    const int status = race(seconds, job, in, to->o->rounds);
    if (status > 0) return;
    cJSON *row = bench_row(to, job->name, job->name, in->name);
    cJSON_AddNumberToObject(row, "vertices", in->n);
    cJSON_AddNumberToObject(row, "entries", (double)in->edges);
    cJSON *own = cJSON_AddObjectToObject(row, "seconds");
    cJSON_AddNumberToObject(own, "gblite", seconds[0]);
    cJSON_AddNumberToObject(own, "plain", seconds[1]);
    bench_row_done(to, status);
}

static void visit(void *context, const bench_line *line) {
    bench_sink *to = context;
    graphs_input in;
    const bool failed = graphs_load(&in, line->operand, to->o->threads) != 0;
    to->failures += failed;
    for (int k = 0; k < JOB_COUNT && !failed; k++) {
        const char *name = JOBS[k]->name;
        if (!bench_is_chosen(to->o, name)) continue;
        if (line->keyword[0] != '\0' && strcmp(line->keyword, name) != 0) continue;
        run_job(to, JOBS[k], &in);
    }
    graphs_unload(&in);
}

int main(int argc, char **argv) {
    static const char *const NAMES[] = {"bfs", "sssp", "cc", "pagerank", "bc", "tc", NULL};
    static const bench_command COMMAND = {
        .about = "Graph algorithms of examples/ and the same written by hand, in turns: seconds "
                 "of one source, and those by hand over gblite's.",
        .lines = "JOB GRAPH",
        .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
        .names = NAMES};
    bench_options o = {.rounds = 5, .suite = BENCH_FOLDER "/graphs/suite.txt"};
    bench_parse(argc, argv, &COMMAND, &o);
    if (bench_start(o.threads) != 0) return 1;
    const bench_load load = bench_load_now();
    bench_sink to = {cJSON_CreateObject(), &o, 0};
    bench_describe(to.document, o.threads, o.rounds);
    const cJSON *rows = cJSON_AddArrayToObject(to.document, "rows");
    if (bench_read_inputs(&o, visit, &to) != 0) to.failures++;
    if (cJSON_GetArraySize(rows) > 0) bench_rows_end(&to); /* else no job was for the graph */
    if (bench_show(to.document, &load, o.json) != 0) to.failures++;
    cJSON_Delete(to.document);
    gbl_finalize();
    return to.failures == 0 ? 0 : 1;
}
