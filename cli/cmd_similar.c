/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite jaccard, gblite cosine: how similar the rows of a matrix are.
 */
#include "../examples/similarity.h"
#include "cli.h"

typedef struct {
    cli_Common common;
    similarity_options how;
} Arguments;

static const struct argp_option options[] = {
    {"topn", 'n', "N", 0, "Of each row the N that are most similar (all pairs, each once)", 0},
    {"threshold", 'x', "X", 0, "Leave out what is less similar than X (0)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'n':
        a->how.top = cli_parse_count(state, "--topn", text, 1, GBL_INDEX_MAX);
        return 0;
    case 'x':
        a->how.least = cli_parse_real(state, "--threshold", text, -1, 1);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool show(double done) {
    cli_progress_part("similarities", done);
    return true;
}

/* As a matrix, where the name of the file says so, else as lines, of each row the best first. */
static gbl_Info write_pairs(const similar_pairs *found, gbl_Index n, cli_Common *common) {
    const cli_Kind kind = cli_kind_of(common->output);
    gbl_Matrix M = NULL;
    char room[24];
    FILE *file;
    gbl_Info info;
    if (kind != CLI_EDGES && kind != CLI_UNKNOWN) {
        if (!(info = gbl_Matrix_new(&M, GBL_FP64, n, n)) &&
            !(info = gbl_Matrix_build_FP64(M, found->I, found->J, found->x, found->n, NULL)) &&
            !(info = cli_expand(&M, common)))
            info = cli_save(M, common->output, NULL, &common->reading.labels);
        gbl_Matrix_free(&M);
        return info;
    }
    if ((info = cli_open(&file, common->output))) return info;
    for (gbl_Index k = 0; k < found->n; k++) {
        fprintf(file, "%s\t", cli_vertex(common, found->I[k], room));
        fprintf(file, "%s\t%.9g\n", cli_vertex(common, found->J[k], room), found->x[k]);
    }
    return cli_close(&file, common->output);
}

/* n: its rows. */
static gbl_Info load(gbl_Matrix *A, gbl_Index *n, Arguments *a) {
    gbl_Index ncols;
    gbl_Info info;
    if ((info = cli_load(A, a->how.cosine ? GBL_FP64 : GBL_BOOL, a->common.operand,
                         &a->common.reading)) ||
        (info = gbl_Matrix_nrows(n, *A)) || (info = gbl_Matrix_ncols(&ncols, *A)))
        return info;
    if (*n == ncols) {
        if ((info = cli_compact(A, n, &a->common))) return info;
        ncols = *n;
    }
    if (!a->common.undirected) return info;
    if (*n != ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "--undirected is for square matrices");
    return gbl_Matrix_eWiseAdd_BinaryOp(*A, NULL, NULL, a->how.cosine ? GBL_MAX_FP64 : GBL_LOR, *A,
                                        *A, GBL_DESC_T1);
}

static int run(int argc, char **argv, cli_Usage *usage, bool cosine) {
    Arguments a = {.how = {.cosine = cosine, .progress = show}};
    gbl_Matrix A = NULL;
    gbl_Index n;
    similar_pairs found = {.n = 0};
    cli_Report *report = NULL;
    gbl_Info info;

    usage->reads = true;
    usage->operand = "matrix";
    usage->output = "Write a line \"row row similarity\" for each pair, or a matrix to FILE.mtx";
    usage->undirected = true;
    usage->options = options;
    usage->parse = parse;
    cli_parse(argc, argv, usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&A, &n, &a))) goto done;
    const double start = cli_seconds();
    show(0);
    if ((info = similar_rows(&found, A, &a.how))) goto done;
    const double seconds = cli_seconds() - start;
    cli_progress_stop();
    if (a.common.output && (info = write_pairs(&found, n, &a.common))) goto done;
    cli_report_count(report, "rows", n);
    cli_report_count(report, "pairs", found.n);
    cli_report_text(report, "method", "products");
    cli_report_number(report, "seconds", seconds);
done:
    similar_free(&found);
    gbl_Matrix_free(&A);
    return cli_end(info, &report, &a.common);
}

int cmd_jaccard(int argc, char **argv) {
    cli_Usage usage = {
        .args = "MATRIX",
        .about = "Tell for pairs of rows of MATRIX, a file or a generator, which share of the "
                 "columns that one of them has both have. Of a graph: of the neighbours of two "
                 "vertices the share that is common. Pairs that have none are left out.\v"
                 "  gblite jaccard links.csv --topn 10 -o similar.tsv\n"
                 "  gblite jaccard buyers_items.csv --threshold 0.5 -o similar.mtx"};
    return run(argc, argv, &usage, false);
}

int cmd_cosine(int argc, char **argv) {
    cli_Usage usage = {
        .args = "MATRIX",
        .about = "Tell for pairs of rows of MATRIX, a file or a generator, the cosine of the angle "
                 "between them, by their values. Pairs that have no column in common are left "
                 "out.\v"
                 "  gblite cosine terms.mtx --topn 10 -o similar.tsv\n"
                 "  gblite cosine ratings.csv --threshold 0.8 -o similar.mtx"};
    return run(argc, argv, &usage, true);
}
