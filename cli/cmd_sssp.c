/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite sssp: shortest paths from a vertex.
 */
#include <math.h>

#include "../examples/shortest_paths.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    const char *source; /* a vertex */
    double delta;       /* 0: the mean weight */
} Arguments;

static const struct argp_option options[] = {
    {"source", 's', "V", 0, "Start at vertex V, a label or a number from 1 (the first vertex)", 0},
    {"delta", 'd', "X", 0, "Width of a bucket of distances (the mean weight of an edge)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 's':
        a->source = text;
        return 0;
    case 'd':
        a->delta = cli_parse_real(state, "--delta", text, 1e-300, 1e300);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Weights must not be negative; without a delta it becomes their mean. */
static gbl_Info check_weights(Arguments *a, gbl_Matrix A) {
    double least = 0, sum = 0;
    gbl_Index edges;
    gbl_Info info;
    if ((info = gbl_Matrix_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_nvals(&edges, A)))
        return info;
    if (least < 0 || sum != sum)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has edges of negative weight (the least is %g) or of none; shortest "
                        "paths want weights of 0 or more",
                        a->common.operand, least);
    if (a->delta == 0) a->delta = sum > 0 && sum < INFINITY ? sum / (double)edges : 1;
    return GBL_SUCCESS;
}

int cmd_sssp(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the shortest paths from a vertex of GRAPH, a file or a generator: an entry "
                 "(i,j) is an edge from i to j with its value as weight.",
        .operand = "graph",
        .output = "Write a line \"vertex distance\" for each vertex reached",
        .options = options,
        .parse = parse};
    Arguments a = {.common.reading.weights = true};
    gbl_Matrix A = NULL;
    gbl_Vector distance = NULL;
    cli_Values values = {0};
    gbl_Index n, source = 0;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_FP64, &a.common)) ||
        (a.source && (info = cli_find_vertex(&source, "--source", a.source, n, &a.common))) ||
        (info = check_weights(&a, A)))
        goto done;
    double start = cli_seconds();
    if ((info = shortest_paths(&distance, GBL_FP64, A, source, a.delta))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, distance)) ||
        (a.common.output && (info = cli_values_write(&values, false, &a.common))))
        goto done;
    const gbl_Index last = cli_values_largest(&values);
    cli_report_vertex(report, "source", &a.common, source);
    cli_report_count(report, "reached", values.n);
    cli_report_vertex(report, "farthest", &a.common, values.vertex[last]);
    cli_report_number(report, "distance", values.x[last]);
    cli_report_number(report, "delta", a.delta);
    cli_report_text(report, "method", "delta-stepping");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&distance);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
