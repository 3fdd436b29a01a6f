/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite louvain: communities of an undirected graph, by modularity.
 */
#include "../examples/communities.h"
#include "markov.h"

typedef struct {
    cli_Common common;
    double resolution;
    bool lines; /* a line per vertex */
} Arguments;

enum { BY_VERTEX = 256 };

static const struct argp_option options[] = {
    {"resolution", 'r', "X", 0, "More makes smaller communities (1)", 0},
    {"by-vertex", BY_VERTEX, NULL, 0,
     "Write a line \"vertex community\" for each vertex, a community being called by its first", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'r':
        a->resolution = cli_parse_real(state, "--resolution", text, 0, 1e9);
        return 0;
    case BY_VERTEX:
        a->lines = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Weights are those of both directions, whose larger one counts, as in mcl. */
static gbl_Info load(gbl_Matrix *A, gbl_Index *n, Arguments *a) {
    gbl_Info info = cli_load_square(A, n, GBL_FP64, &a->common);
    if (!info) info = cli_check_weights(*A, &a->common);
    if (info) return info;
    return gbl_Matrix_eWiseAdd_BinaryOp(*A, NULL, NULL, GBL_MAX_FP64, *A, *A, GBL_DESC_T1);
}

static gbl_Info write_found(gbl_Vector found, const cli_Clusters *c, Arguments *a) {
    cli_Values values = {0};
    gbl_Info info = GBL_SUCCESS;
    if (!a->common.output && a->common.json) return info;
    if (!a->lines) return cli_clusters_write(c, &a->common.reading.labels, a->common.output);
    if (!(info = cli_values_read(&values, found)))
        info = cli_values_write(&values, true, &a->common);
    cli_values_free(&values);
    return info;
}

int cmd_louvain(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about =
            "Find communities of GRAPH, a file or a generator, by the method of Louvain: vertices, "
            "then whole communities, move where the modularity grows most. Directions are ignored; "
            "of two weights the larger counts. Prints one community per line, largest first; with "
            "--json or -o a report instead.\v"
            "  gblite louvain proteins.tsv > communities.txt\n"
            "  gblite louvain links.csv --resolution 2 -o communities.txt\n"
            "  gblite compare communities.txt clusters_of_mcl.txt\n"
            "The modularity is from -1 to 1: the share of weights inside communities, less what "
            "it would be if edges were drawn at random. Communities do not depend on threads.",
        .operand = "graph",
        .output = "Write the communities to FILE and a report to stdout",
        .options = options,
        .parse = parse};
    Arguments a = {.common.reading.weights = true, .resolution = 1};
    gbl_Matrix A = NULL;
    gbl_Vector found = NULL;
    cli_Clusters clusters = {0};
    double quality = 0;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&A, &n, &a))) goto done;
    const double start = cli_seconds();
    cli_progress_call("louvain");
    cli_progress_only("call");
    if ((info = communities(&found, &quality, A, a.resolution))) goto done;
    const double seconds = cli_seconds() - start;
    cli_progress_stop();
    if ((info = cli_clusters_of(&clusters, found, n)) || (info = write_found(found, &clusters, &a)))
        goto done;
    if (!a.common.output && !a.common.json) goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "communities", clusters.count);
    cli_report_count(report, "largest", clusters.count ? clusters.clusters[0].size : 0);
    cli_report_number(report, "modularity", quality);
    cli_report_text(report, "method", "louvain");
    cli_report_number(report, "seconds", seconds);
done:
    cli_clusters_free(&clusters);
    gbl_Vector_free(&found);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
