/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite kcore: the core numbers of the vertices of an undirected graph.
 */
#include "../examples/core_numbers.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    uint64_t k; /* 0: all vertices are written */
} Arguments;

static const struct argp_option options[] = {
    {"core", 'k', "K", 0, "Write the vertices of the K-core alone", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 'k') return ARGP_ERR_UNKNOWN;
    a->k = cli_parse_count(state, "--core", text, 1, UINT32_MAX);
    return 0;
}

/* Leaves the vertices of the k-core. */
static void keep(cli_Values *core, uint64_t k) {
    gbl_Index n = 0;
    for (gbl_Index v = 0; v < core->n; v++) {
        if (core->x[v] < (double)k) continue;
        core->vertex[n] = core->vertex[v];
        core->x[n++] = core->x[v];
    }
    core->n = n;
}

static void report_core(cli_Report *report, const cli_Values *core) {
    gbl_Index innermost = 0;
    const double most = core->n ? core->x[cli_values_largest(core)] : 0;
    for (gbl_Index v = 0; v < core->n; v++) innermost += core->x[v] == most;
    cli_report_count(report, "degeneracy", (uint64_t)most);
    cli_report_count(report, "innermost", innermost);
}

int cmd_kcore(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about =
            "Find the core number of each vertex of GRAPH, a file or a generator: the largest K "
            "such that it is in the K-core, the largest part of the graph in which every vertex "
            "has K neighbours. Loops do not matter.\v"
            "  gblite kcore links.csv --undirected -o cores.tsv\n"
            "  gblite kcore links.csv --undirected -k 5 -o - | cut -f 1\n"
            "degeneracy is the largest core number, innermost how many vertices have it.",
        .operand = "graph",
        .output = "Write a line \"vertex core\" for each vertex",
        .options = options,
        .parse = parse,
        .undirected = true};
    Arguments a = {0};
    gbl_Matrix A = NULL;
    gbl_Vector core = NULL;
    cli_Values values = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = cli_load_undirected(&A, &n, &a.common)))
        goto done;
    const double start = cli_seconds();
    cli_progress_call("kcore");
    cli_progress_only("call");
    if ((info = core_numbers(&core, A))) goto done;
    const double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, core))) goto done;
    cli_report_count(report, "vertices", n);
    report_core(report, &values);
    keep(&values, a.k);
    if (a.k > 0) cli_report_count(report, "in_core", values.n);
    cli_report_text(report, "method", "peeling");
    cli_report_number(report, "seconds", seconds);
    if (a.common.output) info = cli_values_write(&values, false, &a.common);
done:
    cli_values_free(&values);
    gbl_Vector_free(&core);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
