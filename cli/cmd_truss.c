/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite truss: the k-truss of an undirected graph.
 */
#include "../examples/truss.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    uint64_t k;
} Arguments;

static const struct argp_option options[] = {
    {"k", 'k', "K", 0, "Keep edges in at least K - 2 triangles (3)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 'k') return ARGP_ERR_UNKNOWN;
    a->k = cli_parse_count(state, "-k", text, 3, GBL_INDEX_MAX);
    return 0;
}

int cmd_truss(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about =
            "Find the largest part of GRAPH, a file or a generator, in which each edge is in at "
            "least k - 2 triangles. Loops do not matter.",
        .operand = "graph",
        .output = "Write its edges as a Matrix Market file, with the triangles of each",
        .undirected = true,
        .options = options,
        .parse = parse};
    Arguments a = {.k = 3};
    gbl_Matrix A = NULL;
    gbl_Matrix truss = NULL;
    gbl_Index entries;
    int64_t steps;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = cli_load_undirected(&A, &n, &a.common)))
        goto done;
    double start = cli_seconds();
    if ((info = k_truss(&truss, &steps, A, (int64_t)a.k))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = gbl_Matrix_nvals(&entries, truss)) ||
        (a.common.output && cli_kind_of(a.common.output) != CLI_EDGES &&
         (info = cli_expand(&truss, &a.common))) ||
        (a.common.output &&
         (info = cli_save(truss, a.common.output, NULL, &a.common.reading.labels))))
        goto done;
    cli_report_count(report, "k", a.k);
    cli_report_count(report, "edges", entries / 2);
    cli_report_count(report, "steps", (uint64_t)steps);
    cli_report_text(report, "method", "dot");
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Matrix_free(&truss);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
