/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite gen: writes a generated matrix to a Matrix Market file.
 */
#include <string.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    gbl_Type type;
} Arguments;

static const struct argp_option options[] = {
    {"type", 'T', "TYPE", 0, "Values: real (the default), integer, or pattern for none", 0},
    {0},
};

static gbl_Type parse_type(struct argp_state *state, const char *text) {
    if (!strcmp(text, "real")) return GBL_FP64;
    if (!strcmp(text, "integer")) return GBL_INT64;
    if (!strcmp(text, "pattern")) return GBL_BOOL;
    argp_error(state, "--type is real, integer or pattern, not '%s'", text);
    return NULL;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    if (key != 'T') return ARGP_ERR_UNKNOWN;
    a->type = parse_type(state, text);
    return 0;
}

int cmd_gen(int argc, char **argv) {
    const cli_Usage usage = {
        .args = "SPEC",
        .operand = "generator",
        .output = "Write to FILE, in the form that its name says; .gz compresses",
        .needs_output = true,
        .options = options,
        .parse = parse,
        .about =
            "Write the matrix that the generator SPEC makes to a file, in the form that its name "
            "says.\v"
            "Generators; one more number is the seed:\n"
            "  er:S:F       2^S vertices, F * 2^S directed edges, uniform\n"
            "  rmat:S:F     the same with the skewed degrees of R-MAT\n"
            "  rmats:S:F    R-MAT without direction: symmetric, no loops\n"
            "  web:S:F      2^S pages with up to F links each, most of them copied\n"
            "  grid:M:N     M x N crossings with edges to their neighbours\n"
            "  road:M:N     a grid with edges missing and vertices on the others\n"
            "  planted:K:S:I:O  K clusters of S vertices with I edges inside, O outside\n"
            "  fem:G:D      27-point stencil on G^3 points, blocks of D x D\n"
            "  cross:L:M:N  7-point stencil on L x M x N points\n"
            "  band:N:W     N x N, all entries with |i - j| <= W\n"
            "  rect:M:N:F   M x N, F entries a row at random places\n"
            "  tiles:N:T:F  16 N x 16 N, in each of N rows of tiles T tiles of F entries\n"
            "  decay:N:exp:L, decay:N:alg:L, decay:N:paper  N x N, full: at distance d of\n"
            "               the diagonal L^d, 1 / (d^L + 1), 0.1 / (d^0.1 + 1); with a seed\n"
            "               times random numbers between -1 and 1"};
    Arguments a = {.type = GBL_FP64};
    gbl_Matrix A = NULL;
    gbl_Index nrows, ncols, nvals;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    double start = cli_seconds();
    info = cli_begin(&a.common, &report);
    cli_progress_call("generating");
    if (info || (info = gbl_generate(&A, a.type, a.common.operand))) goto done;
    double seconds = cli_seconds() - start;
    if ((info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_nvals(&nvals, A)))
        goto done;
    cli_warn_full(nrows, ncols, nvals, a.common.output);
    if ((info = cli_save(A, a.common.output, NULL, NULL))) goto done;
    cli_report_count(report, "rows", nrows);
    cli_report_count(report, "columns", ncols);
    cli_report_count(report, "entries", nvals);
    cli_report_text(report, "output", a.common.output);
    cli_report_text(report, "method", "generate");
    cli_report_number(report, "seconds", seconds);
done:
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}
