/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs in the form of METIS: a line "vertices edges [format [weights]]", then a line for each
 * vertex: its neighbours, counted from 1, each edge at both of its ends. The format has three
 * digits: there are sizes of vertices; weights of vertices, one or as many as the header says,
 * before the neighbours; a weight behind each neighbour. Sizes and weights of vertices are skipped.
 * Lines that begin with % are comments; a vertex without neighbours has an empty line.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

typedef struct {
    const char *path, *at;
    unsigned long long line;
    unsigned long long vertices, edges, skip; /* numbers to be skipped in front of a line */
    bool weights;
} Text;

static gbl_Info wrong(const Text *t, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: line %llu: %s", t->path, t->line, what);
}

/* The end of the line that t->at is in. */
static const char *line_end(const Text *t) {
    return t->at + strcspn(t->at, "\n");
}

static void next_line(Text *t) {
    t->at = line_end(t);
    t->at += *t->at == '\n';
    t->line++;
}

static void skip_comments(Text *t) {
    while (*t->at == '%') next_line(t);
}

/* The next whole number of the line; false at its end. */
static bool next_number(Text *t, unsigned long long *x) {
    char *end;
    t->at += strspn(t->at, " \t\r");
    if (!isdigit((unsigned char)*t->at)) return false;
    *x = strtoull(t->at, &end, 10);
    t->at = end;
    return true;
}

static gbl_Info end_line(Text *t) {
    if (*t->at != '\n' && *t->at != '\0') return wrong(t, "here must be a whole number");
    next_line(t);
    return GBL_SUCCESS;
}

static gbl_Info read_header(Text *t) {
    unsigned long long format = 0, weights = 1;
    skip_comments(t);
    if (!next_number(t, &t->vertices) || !next_number(t, &t->edges))
        return wrong(t, "the first line must have the numbers of vertices and of edges");
    if (next_number(t, &format)) next_number(t, &weights);
    if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1)
        return wrong(t, "the format must have three digits, each 0 or 1");
    t->weights = format % 10;
    if (t->vertices > strlen(t->at) + 1)
        return wrong(t, "the file has fewer lines than vertices; it may have been cut short");
    t->skip = format / 100 + (format / 10 % 10 ? weights : 0);
    return end_line(t);
}

static gbl_Info read_vertex(Text *t, gbl_Index v, format_Entries *e) {
    unsigned long long skipped, to, weight = 1;
    gbl_Info info = GBL_SUCCESS;
    skip_comments(t);
    for (unsigned long long k = 0; k < t->skip; k++)
        if (!next_number(t, &skipped)) return wrong(t, "a size or weight of the vertex is missing");
    while (!info && next_number(t, &to)) {
        if (to < 1 || to > t->vertices)
            return wrong(t, "a neighbour is not from 1 to the vertices");
        if (t->weights && !next_number(t, &weight))
            return wrong(t, "the weight of the edge to the last neighbour is missing");
        if (weight > INT64_MAX) return wrong(t, "the weight of an edge is above 2^63 - 1");
        const format_Value x = {.whole = (int64_t)weight};
        info = format_add(e, v, to - 1, &x);
    }
    return info ? info : end_line(t);
}

gbl_Info format_read_metis(gbl_Matrix *A, gbl_Type type, const char *bytes, const char *path) {
    Text t = {.path = path, .at = bytes, .line = 1};
    format_Entries e = {0};
    gbl_Info info = read_header(&t);
    e.nrows = e.ncols = t.vertices;
    e.field = t.weights ? FORMAT_WHOLE : FORMAT_PATTERN;
    for (gbl_Index v = 0; v < t.vertices && !info; v++) {
        if (*t.at == '\0' && v + 1 < t.vertices)
            info = wrong(&t, "the file has fewer lines than vertices; it may have been cut short");
        else
            info = read_vertex(&t, v, &e);
    }
    if (!info && e.n != 2 * t.edges)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the first line announces %llu edges, each in the lines of both ends; "
                        "the lines have %llu neighbours",
                        path, t.edges, (unsigned long long)e.n);
    if (!info) info = format_build(A, type, &e, path);
    format_free(&e);
    return info;
}

/* -- writing */

/* Whether the entries, by rows, are those of a graph; *weights: with weights that are not all 1. */
static gbl_Info check(gbl_Matrix A, const cli_Tuples *t, bool *weights) {
    bool symmetric = false;
    if (t->nrows != t->ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "a graph of METIS must be square");
    const gbl_Info info = cli_is_symmetric(&symmetric, A);
    if (info) return info;
    for (gbl_Index k = 0; k < t->n; k++) {
        const double x = !t->values ? 1 : t->whole ? (double)t->whole_x[k] : t->x[k];
        symmetric &= t->I[k] != t->J[k];
        *weights |= x != 1;
        if (!(x >= 1 && x <= 0x1p53) || x != (double)(uint64_t)x)
            return gbl_fail(GBL_INVALID_VALUE, NULL,
                            "a graph of METIS has whole weights of 1 and more; (%llu, %llu) is %g",
                            (unsigned long long)t->I[k] + 1, (unsigned long long)t->J[k] + 1, x);
    }
    if (symmetric) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "a graph of METIS has its edges in both directions and no loops");
}

gbl_Info format_write_metis(gbl_Matrix A, const char *path) {
    cli_Tuples t = {0};
    FILE *file = NULL;
    bool weights = false;
    gbl_Info info;
    if ((info = cli_tuples_read(&t, A)) || (info = check(A, &t, &weights)) ||
        (info = cli_open(&file, path)))
        goto done;
    fprintf(file, "%llu %llu%s\n", (unsigned long long)t.nrows, (unsigned long long)t.n / 2,
            weights ? " 001" : "");
    for (gbl_Index v = 0, k = 0; v < t.nrows; v++) {
        cli_progress_written(path, v, t.nrows);
        for (const char *gap = ""; k < t.n && t.I[k] == v; k++, gap = " ") {
            fprintf(file, "%s%llu", gap, (unsigned long long)t.J[k] + 1);
            if (weights)
                fprintf(file, " %llu",
                        t.whole   ? (unsigned long long)t.whole_x[k]
                        : t.large ? (unsigned long long)t.large[k]
                                  : (unsigned long long)t.x[k]);
        }
        fputc('\n', file);
    }
    info = cli_close(&file, path);
done:
    cli_tuples_free(&t);
    return info;
}
