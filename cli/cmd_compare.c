/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite compare: how far two clusterings are from each other.
 *
 * N(a, b) is the number of members that are in cluster a of the first and b of the second; all
 * measures are sums over N and over its rows and columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    const char *file[2];
    bool pairs; /* lines of a member and its cluster */
} Arguments;

enum { PAIRS = 256 };

static const struct argp_option options[] = {
    {"by-vertex", PAIRS, NULL, 0,
     "Files have lines \"vertex cluster\", as gblite cc writes, not a line for each cluster", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case PAIRS:
        a->pairs = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) argp_error(state, "two files are compared; '%s' is one more", text);
        a->file[state->arg_num] = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2) argp_error(state, "give the files of two clusterings");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* N, of FP64. */
static gbl_Info count(gbl_Matrix *N, const cli_Clustering *c, char *const *path) {
    const gbl_Index n = c[0].n;
    gbl_Index *list = malloc((2 * n + 1) * sizeof *list);
    double *ones = malloc((n + 1) * sizeof *ones);
    gbl_Info info =
        list && ones ? GBL_SUCCESS : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory");
    for (gbl_Index k = 0; k < n && !info; k++) {
        const int order = k < c[1].n ? strcmp(c[0].member[k].name, c[1].member[k].name) : -1;
        if (order != 0)
            info = gbl_fail(GBL_INVALID_VALUE, NULL, "'%s' is in %s, but not in %s",
                            c[order > 0].member[k].name, path[order > 0], path[order < 0]);
        if (info) break;
        list[k] = c[0].member[k].cluster;
        list[n + k] = c[1].member[k].cluster;
        ones[k] = 1;
    }
    if (!info && c[1].n > n)
        info = gbl_fail(GBL_INVALID_VALUE, NULL, "'%s' is in %s, but not in %s",
                        c[1].member[n].name, path[1], path[0]);
    if (!info) info = gbl_Matrix_new(N, GBL_FP64, c[0].clusters, c[1].clusters);
    if (!info) info = gbl_Matrix_build_FP64(*N, list, list + n, ones, n, GBL_PLUS_FP64);
    free(list);
    free(ones);
    return info;
}

/* Of the entries of N, or of its sums by rows or columns. */
typedef struct {
    double squares, entropy, greatest; /* greatest: the sum of the largest entry of each */
} Sums;

static gbl_Info sum_up(Sums *sums, gbl_Matrix N, bool columns) {
    const gbl_Descriptor desc = columns ? GBL_DESC_T0 : NULL;
    gbl_Vector v = NULL;
    cli_Values x = {0};
    gbl_Index n;
    gbl_Info info = columns ? gbl_Matrix_ncols(&n, N) : gbl_Matrix_nrows(&n, N);
    if (info || (info = gbl_Vector_new(&v, GBL_FP64, n)) ||
        (info = gbl_Matrix_reduce_Monoid(v, NULL, NULL, GBL_MAX_MONOID_FP64, N, desc)) ||
        (info = gbl_Vector_reduce_FP64(&sums->greatest, NULL, GBL_PLUS_MONOID_FP64, v, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(v, NULL, NULL, GBL_PLUS_MONOID_FP64, N, desc)) ||
        (info = cli_values_read(&x, v)))
        goto done;
    for (gbl_Index k = 0; k < x.n; k++) {
        sums->squares += x.x[k] * x.x[k];
        sums->entropy += x.x[k] * log2(x.x[k]);
    }
done:
    gbl_Vector_free(&v);
    cli_values_free(&x);
    return info;
}

static gbl_Info sum_entries(Sums *sums, gbl_Matrix N) {
    cli_Tuples t = {0};
    const gbl_Info info = cli_tuples_read(&t, N);
    for (gbl_Index k = 0; k < t.n && !info; k++) {
        sums->squares += t.x[k] * t.x[k];
        sums->entropy += t.x[k] * log2(t.x[k]);
    }
    cli_tuples_free(&t);
    return info;
}

static gbl_Info report_measures(cli_Report *report, gbl_Matrix N, double n) {
    Sums row = {0}, column = {0}, both = {0};
    gbl_Info info;
    if ((info = sum_up(&row, N, false)) || (info = sum_up(&column, N, true)) ||
        (info = sum_entries(&both, N)))
        return info;
    const double pairs = n * (n - 1) / 2, first = (row.squares - n) / 2;
    const double second = (column.squares - n) / 2, same = (both.squares - n) / 2;
    const double expected = pairs > 0 ? first * second / pairs : 0;
    const double most = (first + second) / 2;
    const double h1 = log2(n) - row.entropy / n, h2 = log2(n) - column.entropy / n;
    const double joint = log2(n) - both.entropy / n, mutual = h1 + h2 - joint;
    cli_report_number(report, "rand", pairs > 0 ? 1 - (first + second - 2 * same) / pairs : 1);
    cli_report_number(report, "adjusted_rand",
                      most > expected ? (same - expected) / (most - expected) : 1);
    cli_report_number(report, "mutual", h1 + h2 > 0 ? 2 * mutual / (h1 + h2) : 1);
    cli_report_number(report, "variation", fmax(0, 2 * joint - h1 - h2));
    cli_report_count(report, "split", (uint64_t)(n - row.greatest));
    cli_report_count(report, "join", (uint64_t)(n - column.greatest));
    cli_report_count(report, "mirkin", (uint64_t)(row.squares + column.squares - 2 * both.squares));
    return GBL_SUCCESS;
}

int cmd_compare(int argc, char **argv) {
    const cli_Usage usage = {
        .args = "CLUSTERS CLUSTERS",
        .about =
            "Tell how far two clusterings of the same vertices are from each other. A file has a "
            "line of names for each cluster, as gblite mcl writes, or is a matrix of mcl.\v"
            "  gblite compare clusters.I14 clusters.I20\n"
            "  gblite compare communities.tsv components.tsv --by-vertex\n"
            "rand is the share of pairs that both put together or both apart, adjusted_rand that "
            "beyond chance; mutual the normalised mutual information (1: the same), variation the "
            "variation of information in bits (0: the same). split is how many vertices must move "
            "so that each cluster of the first file is inside one of the second, join the other "
            "way round; their sum and mirkin are the distances of clm dist (0: the same).",
        .options = options,
        .parse = parse};
    Arguments a = {0};
    cli_Clustering clustering[2] = {{0}};
    gbl_Matrix N = NULL;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = cli_clustering_read(&clustering[0], a.file[0], a.pairs)) ||
        (info = cli_clustering_read(&clustering[1], a.file[1], a.pairs)) ||
        (info = count(&N, clustering, (char *const *)a.file)))
        goto done;
    const double start = cli_seconds();
    cli_report_count(report, "vertices", clustering[0].n);
    cli_report_count(report, "first", clustering[0].clusters);
    cli_report_count(report, "second", clustering[1].clusters);
    if ((info = report_measures(report, N, (double)clustering[0].n))) goto done;
    cli_report_text(report, "method", "counts");
    cli_report_number(report, "seconds", cli_seconds() - start);
done:
    for (int k = 0; k < 2; k++) cli_clustering_free(&clustering[k]);
    gbl_Matrix_free(&N);
    return cli_end(info, &report, &a.common);
}
