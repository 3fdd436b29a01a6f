/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite cc: connected components of an undirected graph.
 */
#include <stdlib.h>

#include "../examples/components.h"
#include "cli.h"

/* How many components there are, and vertices in the largest. */
static gbl_Info count(const cli_Values *label, gbl_Index *components, uint64_t *largest) {
    uint64_t *size = calloc(label->n + 1, sizeof *size);
    if (!size) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the components");
    *components = *largest = 0;
    for (gbl_Index k = 0; k < label->n; k++) {
        const uint64_t now = ++size[(gbl_Index)label->x[k]];
        *components += now == 1;
        if (now > *largest) *largest = now;
    }
    free(size);
    return GBL_SUCCESS;
}

int cmd_cc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the connected components of GRAPH, a file or a generator.",
        .operand = "graph",
        .output = "Write a line \"vertex component\" for each vertex, a component being called by "
                  "its first vertex",
        .undirected = true};
    cli_Common common = {0};
    gbl_Matrix A = NULL;
    gbl_Vector label = NULL;
    cli_Values values = {0};
    gbl_Index found = 0, largest = 0;
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    if ((info = cli_begin(&common, &report)) || (info = cli_load_undirected(&A, &n, &common)))
        goto done;
    double start = cli_seconds();
    if ((info = components(&label, A))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, label)) || (info = count(&values, &found, &largest)))
        goto done;
    if (common.output && (info = cli_values_write(&values, true, &common))) goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "components", found);
    cli_report_count(report, "largest", largest);
    cli_report_text(report, "method", "afforest");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&label);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &common);
}
