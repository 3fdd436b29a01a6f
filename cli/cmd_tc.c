/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite tc: triangles of an undirected graph.
 */
#include "../examples/triangle_count.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    bool undirected;
} Arguments;

static const struct argp_option options[] = {
    {"undirected", 'u', NULL, 0, "Take every edge of a directed graph in both directions", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    (void)text;
    if (key != 'u') return ARGP_ERR_UNKNOWN;
    a->undirected = true;
    return 0;
}

int cmd_tc(int argc, char **argv) {
    const cli_Usage usage = {.args = "GRAPH",
                             .about = "Count the triangles of GRAPH, a file or a generator. Loops "
                                      "do not matter.",
                             .operand = "graph",
                             .options = options,
                             .parse = parse};
    Arguments a = {0};
    gbl_Matrix A = NULL;
    gbl_Index n;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    uint64_t triangles;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common)) || (info = cli_report_new(&report, a.common.json)) ||
        (info = cli_load_undirected(&A, &n, a.common.operand, a.undirected)))
        goto done;
    double start = cli_seconds();
    if ((info = triangle_count(&triangles, &how, A))) goto done;
    double seconds = cli_seconds() - start;
    cli_report_count(report, "triangles", triangles);
    cli_report_text(report, "method", how.method);
    cli_report_number(report, "seconds", seconds);
    cli_progress_stop();
    info = cli_report_print(&report);
done:
    cli_report_free(&report);
    gbl_Matrix_free(&A);
    return cli_end(info);
}
