/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite tc: triangles of an undirected graph.
 */
#include "../examples/triangle_count.h"
#include "cli.h"

int cmd_tc(int argc, char **argv) {
    const cli_Usage usage = {.reads = true,
                             .args = "GRAPH",
                             .about = "Count the triangles of GRAPH, a file or a generator. Loops "
                                      "do not matter.",
                             .operand = "graph",
                             .undirected = true};
    cli_Common common = {0};
    gbl_Matrix A = NULL;
    gbl_Index n;
    uint64_t triangles;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    if ((info = cli_begin(&common, &report)) || (info = cli_load_undirected(&A, &n, &common)))
        goto done;
    double start = cli_seconds();
    if ((info = triangle_count(&triangles, A))) goto done;
    double seconds = cli_seconds() - start;
    cli_report_count(report, "triangles", triangles);
    cli_report_text(report, "method", "triangle sum");
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &common);
}
