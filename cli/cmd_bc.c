/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite bc: betweenness centrality.
 */
#include <math.h>
#include <stdlib.h>

#include "../examples/path_shares.h"
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
static uint32_t *draw(gbl_Index n, gbl_Index count, uint64_t seed) {
    uint32_t *vertex = malloc((n + 1) * sizeof *vertex);
    for (gbl_Index k = 0; vertex && k < n; k++) vertex[k] = (uint32_t)k;
    for (gbl_Index k = 0; vertex && count < n && k < count; k++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const gbl_Index from = k + (seed >> 16) % (n - k);
        const uint32_t drawn = vertex[from];
        vertex[from] = vertex[k];
        vertex[k] = drawn;
    }
    return vertex;
}

/* total->x = the centralities from these sources, in proportion where they are not all vertices. */
static gbl_Info add_shares(cli_Values *total, const gbl_Arrays *edges, const uint32_t *sources,
                           gbl_Index count) {
    /* sources between two reports of progress, shared by threads: half a second of edges, or 64 */
    const gbl_Index n = total->n, many = (UINT64_C(1) << 26) / (edges->p[n] + 1);
    const gbl_Index together = many < 64 ? 64 : many > 2048 ? 2048 : many;
    double all = 0;
    gbl_Info info = GBL_SUCCESS;
    for (gbl_Index done = 0, m; !info && done < count; done += m) {
        m = count - done < together ? count - done : together;
        cli_progress_part("betweenness", (double)done / (double)count);
        shares_search some = {.edges = edges, .n = n, .count = m, .source = sources + done};
        info = path_shares(total->x, &some);
    }
    for (gbl_Index v = 0; v < n && !info; v++) {
        total->x[v] *= (double)n / (double)count;
        all += total->x[v];
    }
    if (!info && !isfinite(all))
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "there are more shortest paths between two vertices than a double counts");
    return info;
}

/* A is left without entries. */
static gbl_Info search(cli_Values *total, gbl_Matrix A, Arguments *a, gbl_Index n) {
    const gbl_Index count = a->samples == 0 || a->samples > n ? n : a->samples;
    gbl_Arrays edges = {.p = NULL};
    uint32_t *sources = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (n >= UINT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "the graph has more than 2^32 - 2 vertices");
    if ((info = gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &edges))) return info;
    a->samples = count;
    total->n = n;
    total->vertex = malloc((n + 1) * sizeof *total->vertex);
    total->x = calloc(n + 1, sizeof *total->x);
    sources = draw(n, count, a->seed);
    if (!sources || !total->vertex || !total->x)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the vertices");
    for (gbl_Index v = 0; v < n && !info; v++) total->vertex[v] = v;
    if (!info) info = add_shares(total, &edges, sources, count);
    free(sources);
    gbl_Memory_free(edges.p);
    gbl_Memory_free(edges.i);
    gbl_Memory_free(edges.x);
    return info;
}

int cmd_bc(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about = "Find the vertices of GRAPH, a file or a generator, that many shortest paths lead "
                 "through. A pair of vertices counts in both directions. All vertices are sources, "
                 "in time of vertices * edges, unless --samples says otherwise.\v"
                 "  gblite bc links.csv -o - | sort -k2,2gr | head\n"
                 "  gblite bc rmat:18:8 --samples 200",
        .operand = "graph",
        .output = "Write a line \"vertex centrality\" for each vertex",
        .options = options,
        .parse = parse};
    Arguments a = {.seed = 1};
    gbl_Matrix A = NULL;
    cli_Values values = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_load_square(&A, &n, GBL_BOOL, &a.common)))
        goto done;
    double start = cli_seconds();
    if ((info = search(&values, A, &a, n))) goto done;
    double seconds = cli_seconds() - start;
    if (a.common.output && (info = cli_values_write(&values, false, &a.common))) goto done;
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
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
