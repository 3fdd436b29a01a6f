/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite bc: betweenness centrality.
 */
#include <stdlib.h>

#include "../examples/betweenness.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    uint64_t samples, seed; /* samples 0: all vertices */
} Arguments;

enum { SEED = 256 };

static const struct argp_option options[] = {
    {"samples", 'k', "K", 0, "Estimate: search from K vertices drawn at random, not from all", 0},
    {"seed", SEED, "N", 0, "Draw other vertices (1)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'k':
        a->samples = cli_parse_count(state, "--samples", text, 1, GBL_INDEX_MAX);
        return 0;
    case SEED:
        a->seed = cli_parse_count(state, "--seed", text, 0, UINT64_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Of n vertices, the first `count` become the sources, drawn without replacement. */
static gbl_Index *draw(gbl_Index n, gbl_Index count, uint64_t seed) {
    gbl_Index *vertex = malloc((n + 1) * sizeof *vertex);
    for (gbl_Index k = 0; vertex && k < n; k++) vertex[k] = k;
    for (gbl_Index k = 0; vertex && count < n && k < count; k++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const gbl_Index from = k + (seed >> 16) % (n - k), drawn = vertex[from];
        vertex[from] = vertex[k];
        vertex[k] = drawn;
    }
    return vertex;
}

/* *sum = the centralities from all sources, in proportion where these are not all vertices. */
static gbl_Info search(gbl_Vector *sum, gbl_Matrix A, Arguments *a, gbl_Index n) {
    enum { TOGETHER = 16 }; /* sources of a call, which share its vectors */
    const gbl_Index count = a->samples == 0 || a->samples > n ? n : a->samples;
    gbl_Index *sources = draw(n, count, a->seed);
    gbl_Info info = gbl_Vector_new(sum, GBL_FP64, n);
    a->samples = count;
    if (!sources) info = gbl_fail(GBL_OUT_OF_MEMORY, A, "not enough memory for the sources");
    if (!info) info = gbl_Vector_assign_FP64(*sum, NULL, NULL, 0, GBL_ALL, n, NULL);
    for (gbl_Index done = 0, m; !info && done < count; done += m) {
        gbl_Vector part = NULL;
        m = count - done < TOGETHER ? count - done : TOGETHER;
        cli_progress_part("betweenness", (double)done / (double)count);
        if ((info = betweenness(&part, A, sources + done, m)) == GBL_SUCCESS)
            info = gbl_Vector_eWiseAdd_BinaryOp(*sum, NULL, NULL, GBL_PLUS_FP64, *sum, part, NULL);
        gbl_Vector_free(&part);
    }
    free(sources);
    if (info || count == n) return info;
    return gbl_Vector_apply_BinaryOp2nd_FP64(*sum, NULL, NULL, GBL_TIMES_FP64, *sum,
                                             (double)n / (double)count, NULL);
}

int cmd_bc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the vertices of GRAPH, a file or a generator, that many shortest paths lead "
                 "through. A pair of vertices counts in both directions. All vertices are sources, "
                 "in time of vertices * edges, unless --samples says otherwise.",
        .operand = "graph",
        .output = "Write a line \"vertex centrality\" for each vertex",
        .options = options,
        .parse = parse};
    Arguments a = {.seed = 1};
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
    cli_report_count(report, "sources", a.samples);
    cli_report_flag(report, "exact", a.samples == n);
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
