/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite cdlp: communities of an undirected graph, by label propagation.
 */
#include "../examples/label_propagation.h"
#include "markov.h"

typedef struct {
    cli_Common common;
    int64_t steps;
} Arguments;

static const struct argp_option options[] = {
    {"steps", 'n', "N", 0, "Stop after N steps (10)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 'n') return ARGP_ERR_UNKNOWN;
    a->steps = (int64_t)cli_parse_count(state, "--steps", text, 1, INT32_MAX);
    return 0;
}

static gbl_Info write_found(gbl_Vector found, const cli_Common *common) {
    cli_Values values = {0};
    gbl_Info info = cli_values_read(&values, found);
    if (!info) info = cli_values_write(&values, true, common);
    cli_values_free(&values);
    return info;
}

int cmd_cdlp(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find communities of GRAPH, a file or a generator, by label propagation as LDBC "
                 "Graphalytics has it: in a step each vertex takes the label that most of its "
                 "neighbours have, of several the least. Weights and loops do not matter.\v"
                 "  gblite cdlp links.csv --undirected -o communities.tsv\n"
                 "  gblite cdlp links.csv --undirected -o - | cut -f 2 | sort | uniq -c | sort -n",
        .operand = "graph",
        .output = "Write a line \"vertex community\" for each vertex, a community being called by "
                  "its first vertex",
        .options = options,
        .parse = parse,
        .undirected = true};
    Arguments a = {.steps = 10};
    gbl_Matrix A = NULL;
    gbl_Vector found = NULL;
    cli_Clusters clusters = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = cli_load_undirected(&A, &n, &a.common)))
        goto done;
    const double start = cli_seconds();
    cli_progress_call("cdlp");
    cli_progress_only("call");
    if ((info = label_propagation(&found, A, &a.steps))) goto done;
    const double seconds = cli_seconds() - start;
    if ((info = cli_clusters_of(&clusters, found, n)) ||
        (a.common.output && (info = write_found(found, &a.common))))
        goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "communities", clusters.count);
    cli_report_count(report, "largest", clusters.count ? clusters.clusters[0].size : 0);
    cli_report_count(report, "steps", (uint64_t)a.steps);
    cli_report_text(report, "method", "label propagation");
    cli_report_number(report, "seconds", seconds);
done:
    cli_clusters_free(&clusters);
    gbl_Vector_free(&found);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
