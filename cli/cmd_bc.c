/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite bc: betweenness centrality.
 */
#include "../examples/betweenness.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    uint64_t sources, seed; /* sources 0: all vertices */
} Arguments;

static const struct argp_option options[] = {
    {"sources", 's', "N", 0, "Search from N vertices drawn at random; 0: from all (4)", 0},
    {"seed", 'r', "N", 0, "Draw other vertices (1)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 's':
        a->sources = cli_parse_count(state, "--sources", text, 0, GBL_INDEX_MAX);
        return 0;
    case 'r':
        a->seed = cli_parse_count(state, "--seed", text, 0, UINT64_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

enum { TOGETHER = 16 }; /* sources of a call, which share its vectors */

/* The next source: vertex k of n when all are wanted, else one drawn at random. */
static gbl_Index next_source(Arguments *a, gbl_Index k, gbl_Index n) {
    if (a->sources >= n) return k;
    a->seed = a->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (a->seed >> 16) % n;
}

/* *sum = the centralities of all sources. */
static gbl_Info search(gbl_Vector *sum, gbl_Matrix A, Arguments *a, gbl_Index n) {
    gbl_Index sources[TOGETHER];
    gbl_Info info = gbl_Vector_new(sum, GBL_FP64, n);
    if (a->sources == 0 || a->sources > n) a->sources = n;
    if (info == GBL_SUCCESS) info = gbl_Vector_assign_FP64(*sum, NULL, NULL, 0, GBL_ALL, n, NULL);
    for (gbl_Index done = 0; info == GBL_SUCCESS && done < a->sources;) {
        gbl_Vector part = NULL;
        gbl_Index count = 0;
        for (; count < TOGETHER && done < a->sources; done++)
            sources[count++] = next_source(a, done, n);
        if ((info = betweenness(&part, A, sources, count)) == GBL_SUCCESS)
            info = gbl_Vector_eWiseAdd_BinaryOp(*sum, NULL, NULL, GBL_PLUS_FP64, *sum, part, NULL);
        gbl_Vector_free(&part);
    }
    return info;
}

int cmd_bc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the vertices of GRAPH, a file or a generator, that many shortest paths lead "
                 "through. A pair of vertices counts in both directions.",
        .operand = "graph",
        .output = "Write a line \"vertex centrality\" for each vertex",
        .options = options,
        .parse = parse};
    Arguments a = {.sources = 4, .seed = 1};
    gbl_Matrix A = NULL;
    gbl_Vector centrality = NULL;
    cli_Values values = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_BOOL, &a.common)))
        goto done;
    double start = cli_seconds();
    if ((info = search(&centrality, A, &a, n))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, centrality)) ||
        (a.common.output && (info = cli_values_write(&values, false, &a.common))))
        goto done;
    cli_report_count(report, "vertices", n);
    cli_report_count(report, "sources", a.sources);
    if (n > 0) {
        const gbl_Index top = cli_values_largest(&values);
        cli_report_vertex(report, "top", &a.common, values.vertex[top]);
        cli_report_number(report, "top_centrality", values.x[top]);
    }
    cli_report_text(report, "method", "brandes");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&centrality);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
