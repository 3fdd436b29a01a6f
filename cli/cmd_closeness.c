/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite closeness: how near the other vertices are.
 */
#include "../examples/closeness.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    bool harmonic;
} Arguments;

enum { HARMONIC = 256 };

static const struct argp_option options[] = {
    {"harmonic", HARMONIC, NULL, 0, "The sum of 1 / distance instead", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    (void)text;
    if (key != HARMONIC) return ARGP_ERR_UNKNOWN;
    a->harmonic = true;
    return 0;
}

static bool tell(double done) {
    cli_progress_part("closeness", done);
    return true;
}

static gbl_Info load(gbl_Matrix *A, gbl_Index *n, cli_Common *common) {
    const gbl_Info info = cli_load_square(A, n, GBL_BOOL, common);
    return info || !common->undirected ? info : cli_symmetrize(*A);
}

int cmd_closeness(int argc, char **argv) {
    const cli_Usage usage = {
        .reads = true,
        .args = "GRAPH",
        .about =
            "Tell how near the vertices of GRAPH, a file or a generator, are to each vertex: with "
            "r the vertices that reach it, of n in all, r / (n - 1) times r / (the sum of their "
            "distances in edges). Takes time of vertices times edges, divided by up to 64.\v"
            "  gblite closeness links.csv -o closeness.tsv\n"
            "  gblite closeness links.csv --harmonic -o - | sort -k2,2gr | head\n"
            "Distances lead to the vertex, as in networkx; those of a graph whose edges go both "
            "ways are the same from it.",
        .operand = "graph",
        .output = "Write a line \"vertex closeness\" for each vertex",
        .options = options,
        .parse = parse,
        .undirected = true};
    Arguments a = {0};
    gbl_Matrix A = NULL;
    gbl_Vector found = NULL;
    cli_Values values = {0};
    gbl_Index n;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&A, &n, &a.common))) goto done;
    const double start = cli_seconds();
    tell(0);
    if ((info = closeness(a.harmonic ? NULL : &found, a.harmonic ? &found : NULL, A, tell)))
        goto done;
    const double seconds = cli_seconds() - start;
    if ((info = cli_values_read(&values, found)) ||
        (a.common.output && (info = cli_values_write(&values, false, &a.common))))
        goto done;
    cli_report_count(report, "vertices", n);
    if (n > 0) {
        const gbl_Index top = cli_values_largest(&values);
        cli_report_vertex(report, "top", &a.common, values.vertex[top]);
        cli_report_number(report, a.harmonic ? "top_harmonic" : "top_closeness", values.x[top]);
    }
    cli_report_text(report, "method", "searches");
    cli_report_number(report, "seconds", seconds);
done:
    cli_values_free(&values);
    gbl_Vector_free(&found);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
