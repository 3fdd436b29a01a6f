/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite lcc: local clustering coefficients of an undirected graph.
 */
#include "../examples/clustering_coefficient.h"
#include "cli.h"

int cmd_lcc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Tell which share of the pairs of neighbours of each vertex of GRAPH, a file or a "
                 "generator, are neighbours themselves. Loops do not matter.",
        .operand = "graph",
        .output = "Write a line \"vertex coefficient\" for each vertex",
        .undirected = true};
    cli_Common common = {0};
    gbl_Matrix A = NULL;
    gbl_Vector coefficient = NULL;
    cli_Values values = {0};
    double sum = 0;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    if ((info = cli_begin(&common, &report)) || (info = cli_load_undirected(&A, &n, &common)))
        goto done;
    double start = cli_seconds();
    if ((info = clustering_coefficient(&coefficient, A))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, coefficient)) ||
        (common.output && (info = cli_values_write(&values, false, &common))))
        goto done;
    for (gbl_Index k = 0; k < values.n; k++) sum += values.x[k];
    cli_report_count(report, "vertices", n);
    cli_report_number(report, "mean", n > 0 ? sum / (double)n : 0);
    cli_report_text(report, "method", "dot");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&coefficient);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &common);
}
