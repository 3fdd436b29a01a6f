/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/graphs: options, the suite, the table or JSON. Exit status 0 when every job ran and both
 * sides agreed.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <string.h>

static const graphs_job *const JOBS[] = {&graphs_bfs,      &graphs_paths,       &graphs_components,
                                         &graphs_pagerank, &graphs_betweenness, &graphs_triangles};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS, MOST_ROWS = 256 };

typedef struct {
    bench_options shared;
    cJSON *list; /* of rows */
    double ratios[MOST_ROWS];
    int rows, failures;
} options;

static void reset(void *state) {
    (void)state;
}

static void report(options *o, const char *job, const graphs_input *in, const double seconds[2]) {
    if (o->rows < MOST_ROWS) o->ratios[o->rows++] = seconds[0] / seconds[1];
    if (!o->shared.json) {
        printf("%-8s %-28s %10u %12llu %10.3f %10.3f %7.2fx\n", job, in->name, in->n,
               (unsigned long long)in->edges, 1e3 * seconds[0], 1e3 * seconds[1],
               seconds[0] / seconds[1]);
        fflush(stdout);
        return;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(o->list, row);
    cJSON_AddStringToObject(row, "job", job);
    cJSON_AddStringToObject(row, "graph", in->name);
    cJSON_AddNumberToObject(row, "vertices", in->n);
    cJSON_AddNumberToObject(row, "entries", (double)in->edges);
    cJSON_AddNumberToObject(row, "plain", seconds[0]);
    cJSON_AddNumberToObject(row, "gblite", seconds[1]);
}

static int race(options *o, const graphs_job *job, graphs_input *in) {
    graphs_input **state = graphs_array(in, 1, job->state_size);
    int status = -1;
    if (state == NULL) return -1;
    *state = in;
    const int opened = job->open(state);
    if (opened > 0) status = 0;
    if (opened != 0) goto done;
    bench_contender pair[2] = {{"plain", job->plain, reset, state, 0},
                               {"gblite", job->mine, job->reset ? job->reset : reset, state, 0}};
    if (bench_take_turns(pair, 2, o->shared.rounds) != 0 || job->check(state) != 0) goto done;
    const double seconds[2] = {pair[0].median / job->sources, pair[1].median / job->sources};
    report(o, job->name, in, seconds);
    status = 0;
done:
    if (job->close != NULL) job->close(state);
    graphs_free_job(in);
    return status;
}

static void visit(void *context, const bench_line *line) {
    options *o = context;
    graphs_input in;
    if (graphs_load(&in, line->operand, o->shared.threads) != 0) {
        o->failures++;
        graphs_unload(&in);
        return;
    }
    for (int k = 0; k < JOB_COUNT; k++) {
        const char *name = JOBS[k]->name;
        if (!bench_is_chosen(&o->shared, name)) continue;
        if (line->keyword[0] != '\0' && strcmp(line->keyword, name) != 0) continue;
        if (race(o, JOBS[k], &in) != 0) o->failures++;
    }
    graphs_unload(&in);
}

int main(int argc, char **argv) {
    static const char *const NAMES[] = {"bfs", "sssp", "cc", "pagerank", "bc", "tc", NULL};
    static const bench_command COMMAND = {
        .about = "Graph algorithms of examples/ and the same written by hand, in turns: "
                 "milliseconds of one source, and the ratio.",
        .lines = "JOB GRAPH",
        .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
        .names = NAMES};
    options o = {.shared = {.rounds = 5, .suite = BENCH_FOLDER "/graphs/suite.txt"}};
    bench_parse(argc, argv, &COMMAND, &o.shared);
    if (bench_start(o.shared.threads) != 0) return 1;
    const bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o.shared.threads, o.shared.rounds);
    o.list = cJSON_AddArrayToObject(document, "rows");
    if (!o.shared.json)
        printf("%-8s %-28s %10s %12s %10s %10s %8s\n", "job", "graph", "vertices", "edges x 2",
               "plain ms", "gblite ms", "ratio");
    if (bench_read_inputs(&o.shared, visit, &o) != 0) o.failures++;
    if (o.shared.json) return bench_end(document, &load, o.failures);
    if (o.rows > 0) printf("geometric mean %.2fx\n", bench_geometric_mean(o.ratios, o.rows));
    printf("other programs took %.0f%% of the processors\n", 100 * bench_others_since(&load));
    cJSON_Delete(document);
    gbl_finalize();
    return o.failures == 0 ? 0 : 1;
}
