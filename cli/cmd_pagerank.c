/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite pagerank: how often a random walker is at each vertex.
 */
#include "../examples/pagerank.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    pagerank_options options;
} Arguments;

static const struct argp_option options[] = {
    {"damping", 'd', "X", 0, "Follow an edge with probability X (0.85)", 0},
    {"tolerance", 'e', "X", 0, "Stop when ranks change by less than X in sum (1e-4)", 0},
    {"undirected", 'u', NULL, 0, "Edges go both ways, which takes fewer steps; not checked", 0},
    {"steps", 'n', "N", 0, "Make at most N steps (100)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'd':
        a->options.damping = cli_parse_real(state, "--damping", text, 0, 1);
        return 0;
    case 'e':
        a->options.tolerance = cli_parse_real(state, "--tolerance", text, 0, 1);
        return 0;
    case 'n':
        a->options.steps = (int64_t)cli_parse_count(state, "--steps", text, 1, 1000000);
        return 0;
    case 'u':
        a->options.undirected = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_pagerank(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Rank the vertices of GRAPH, a file or a generator, by where a random walker is "
                 "along its edges: an entry (i,j) is an edge from i to j.",
        .operand = "graph",
        .output = "Write a line \"vertex rank\" for each vertex",
        .options = options,
        .parse = parse};
    Arguments a = {.options = {.damping = .85, .tolerance = 1e-4, .steps = 100}};
    gbl_Matrix A = NULL;
    gbl_Vector rank = NULL;
    cli_Values values = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_BOOL, &a.common)))
        goto done;
    double start = cli_seconds();
    if ((info = pagerank(&rank, A, &a.options))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, rank)) ||
        (a.common.output && (info = cli_values_write(&values, false, &a.common))))
        goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "steps", (uint64_t)a.options.steps);
    if (n > 0) {
        const gbl_Index top = cli_values_largest(&values);
        cli_report_vertex(report, "top", &a.common, values.vertex[top]);
        cli_report_number(report, "top_rank", values.x[top]);
    }
    cli_report_text(report, "method", "power");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&rank);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
