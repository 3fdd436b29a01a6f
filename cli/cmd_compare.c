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

typedef struct {
    const char *name;
    gbl_Index cluster;
} Member;

typedef struct {
    char *text; /* that names lie in */
    Member *member;
    gbl_Index n, room, clusters;
} Clustering;

static int by_name(const void *a, const void *b) {
    return strcmp(((const Member *)a)->name, ((const Member *)b)->name);
}

static gbl_Info add(Clustering *c, const char *name, gbl_Index cluster) {
    if (c->n == c->room) {
        const gbl_Index room = 2 * c->room + 1024;
        Member *more = realloc(c->member, room * sizeof *more);
        if (!more) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the clusters");
        c->member = more;
        c->room = room;
    }
    c->member[c->n++] = (Member){name, cluster};
    return GBL_SUCCESS;
}

/* A line of members between tabs, or blanks where it has no tab. */
static gbl_Info read_cluster(Clustering *c, char *line) {
    gbl_Info info = GBL_SUCCESS;
    const char *const gaps = strchr(line, '\t') ? "\t" : " ";
    char *rest = NULL;
    for (char *name = strtok_r(line, gaps, &rest); name && !info;
         name = strtok_r(NULL, gaps, &rest))
        info = add(c, name, c->clusters);
    c->clusters++;
    return info;
}

/* Sorts "cluster member" by cluster; members then get numbers for their clusters. */
static void number_clusters(Clustering *c, Member *of) {
    qsort(of, c->n, sizeof *of, by_name);
    for (gbl_Index k = 0; k < c->n; k++) {
        c->clusters += k == 0 || strcmp(of[k - 1].name, of[k].name) != 0;
        c->member[of[k].cluster].cluster = c->clusters - 1;
    }
}

/* Lines "member cluster": the names of clusters are noted beside the members. */
static gbl_Info read_pairs(Clustering *c, char *line, Clustering *of, const char *path) {
    const char *const gaps = strchr(line, '\t') ? "\t" : " ";
    char *rest = NULL;
    char *const name = strtok_r(line, gaps, &rest), *const cluster = strtok_r(NULL, gaps, &rest);
    if (!cluster || strtok_r(NULL, gaps, &rest))
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the line of '%s' must have a vertex and its cluster", path, name);
    const gbl_Info info = add(of, cluster, of->n);
    return info ? info : add(c, name, 0);
}

static gbl_Info check_members(const Clustering *c, const char *path) {
    for (gbl_Index k = 1; k < c->n; k++)
        if (!strcmp(c->member[k - 1].name, c->member[k].name))
            return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: '%s' is in two places", path,
                            c->member[k].name);
    return GBL_SUCCESS;
}

/* A matrix of mcl has a line for each cluster, which ends in $, behind its number. */
static char *find_lines(char *text, bool *native) {
    char *const matrix = strstr(text, "(mclmatrix"), *const begin =
                                                         matrix ? strstr(matrix, "begin") : NULL;
    *native = begin != NULL;
    return begin ? begin + strlen("begin") : text;
}

static gbl_Info read_native(Clustering *c, char *at) {
    gbl_Info info = GBL_SUCCESS;
    bool inside = false; /* a cluster, whose number has been read */
    char *rest = NULL;
    for (char *word = strtok_r(at, " \t\r\n", &rest); word && *word != ')' && !info;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        word[strcspn(word, ":")] = '\0';
        if (*word == '$')
            c->clusters++;
        else if (inside)
            info = add(c, word, c->clusters);
        inside = *word != '$';
    }
    return info;
}

static gbl_Info read_clusters(Clustering *c, const char *path, bool pairs) {
    Clustering of = {0};
    size_t size;
    bool native = false;
    gbl_Info info = gbl_file_bytes(&c->text, &size, SIZE_MAX / 2, path);
    if (info) return info;
    char *const at = find_lines(c->text, &native), *rest = NULL;
    if (native) info = read_native(c, at);
    for (char *line = native ? NULL : strtok_r(at, "\r\n", &rest); line && !info;
         line = strtok_r(NULL, "\r\n", &rest))
        if (*line != '#' && line[strspn(line, " \t")])
            info = pairs ? read_pairs(c, line, &of, path) : read_cluster(c, line);
    if (!info && pairs) number_clusters(c, of.member);
    free(of.member);
    if (info) return info;
    if (c->n == 0) return gbl_fail(GBL_INVALID_VALUE, NULL, "%s has no clusters", path);
    qsort(c->member, c->n, sizeof *c->member, by_name);
    return check_members(c, path);
}

/* N, of FP64. */
static gbl_Info count(gbl_Matrix *N, const Clustering *c, char *const *path) {
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
    Clustering clustering[2] = {{0}};
    gbl_Matrix N = NULL;
    cli_Report *report = NULL;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) ||
        (info = read_clusters(&clustering[0], a.file[0], a.pairs)) ||
        (info = read_clusters(&clustering[1], a.file[1], a.pairs)) ||
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
    for (int k = 0; k < 2; k++) {
        gbl_Memory_free(clustering[k].text);
        free(clustering[k].member);
    }
    gbl_Matrix_free(&N);
    return cli_end(info, &report, &a.common);
}
