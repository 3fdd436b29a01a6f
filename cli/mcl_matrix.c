/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices in the form of the program mcl: "(mclheader ... )", which has the dimensions, and
 * "(mclmatrix begin ... )", where a line "column row:value row:value $" is a column, which may go
 * on over several lines. Indices count from 0, a value that is left out is 1. Domains, which
 * renumber indices, are refused.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    const char *path, *at; /* at: ends in a 0 */
    unsigned long long line;
    gbl_Index rows, cols;
    gbl_Index n, room; /* entries read, and there is room for */
    gbl_Index *I, *J;
    double *x;
} Text;

static gbl_Info wrong(const Text *t, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: line %llu: %s", t->path, t->line, what);
}

/* Blanks, ends of lines and comments. */
static void skip(Text *t) {
    for (; isspace((unsigned char)*t->at) || *t->at == '#'; t->at++) {
        if (*t->at == '#') t->at += strcspn(t->at, "\n");
        if (*t->at == '\0') return;
        t->line += *t->at == '\n';
    }
}

static bool take(Text *t, const char *word) {
    skip(t);
    const size_t n = strlen(word);
    if (strncmp(t->at, word, n) != 0) return false;
    t->at += n;
    return true;
}

static gbl_Info read_index(Text *t, gbl_Index end, gbl_Index *index) {
    char *after;
    skip(t);
    if (!isdigit((unsigned char)*t->at)) return wrong(t, "an index or $ is missing");
    *index = strtoull(t->at, &after, 10);
    t->at = after;
    return *index < end ? GBL_SUCCESS : wrong(t, "an index is not below the dimension");
}

/* A value that is not given is 1. */
static gbl_Info read_value(Text *t, double *x) {
    char *after;
    *x = 1;
    if (*t->at != ':') return GBL_SUCCESS;
    *x = strtod(t->at + 1, &after);
    if (after == t->at + 1) return wrong(t, "a number is missing behind a colon");
    t->at = after;
    return isfinite(*x) && *x >= 0 ? GBL_SUCCESS
                                   : wrong(t, "a weight is negative, infinite or NaN");
}

static gbl_Info grow(Text *t) {
    const gbl_Index room = 2 * t->room + 1024;
    gbl_Index *I = realloc(t->I, room * sizeof *I);
    if (I) t->I = I;
    gbl_Index *J = realloc(t->J, room * sizeof *J);
    if (J) t->J = J;
    double *x = realloc(t->x, room * sizeof *x);
    if (x) t->x = x;
    if (!I || !J || !x) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the edges");
    t->room = room;
    return GBL_SUCCESS;
}

static gbl_Info read_column(Text *t) {
    gbl_Index column;
    double x;
    gbl_Info info;
    if ((info = read_index(t, t->cols, &column)) || (info = read_value(t, &x))) return info;
    while (!take(t, "$")) {
        if (t->n == t->room && (info = grow(t))) return info;
        if ((info = read_index(t, t->rows, &t->I[t->n])) || (info = read_value(t, &t->x[t->n])))
            return info;
        t->J[t->n++] = column;
    }
    return GBL_SUCCESS;
}

static gbl_Info read_all(Text *t) {
    unsigned long long rows = 0, cols = 0;
    int used = 0;
    gbl_Info info = GBL_SUCCESS;
    if (!take(t, "(mclheader")) return wrong(t, "(mclheader is missing");
    while (!take(t, ")")) {
        if (take(t, "dimensions") && sscanf(t->at, " %llux%llu%n", &rows, &cols, &used) < 2)
            return wrong(t, "dimensions must be as 10x10");
        if (*t->at == '\0') return wrong(t, "the header has no end");
        t->at += strcspn(t->at, "\n");
    }
    if (used == 0) return wrong(t, "the header has no dimensions");
    t->rows = rows;
    t->cols = cols;
    if (!take(t, "(mclmatrix"))
        return wrong(t, "(mclmatrix must follow the header; domains of rows and columns, which "
                        "renumber them, are not read");
    if (!take(t, "begin")) return wrong(t, "begin is missing");
    while (!info && !take(t, ")")) info = read_column(t);
    return info;
}

static gbl_Info number_labels(gbl_Labels *labels, gbl_Index n) {
    gbl_labels_free(labels);
    labels->id = gbl_Memory_malloc((n + 1) * sizeof *labels->id);
    if (!labels->id) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the vertices");
    labels->n = n;
    for (gbl_Index k = 0; k < n; k++) labels->id[k] = k;
    return GBL_SUCCESS;
}

gbl_Info cli_mcl_read(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, const char *path,
                      const char *bytes) {
    Text t = {.path = path, .line = 1};
    char *own = NULL;
    size_t size;
    gbl_Matrix B = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!bytes && (info = gbl_file_bytes(&own, &size, SIZE_MAX / 2, path))) return info;
    t.at = bytes ? bytes : own;
    if (!(info = read_all(&t)) && !(info = gbl_Matrix_new(&B, type, t.rows, t.cols)) &&
        !(info = gbl_Matrix_build_FP64(B, t.I, t.J, t.x, t.n, GBL_MAX_FP64)) &&
        !(info = number_labels(labels, t.rows))) {
        *A = B;
        B = NULL;
    }
    gbl_Matrix_free(&B);
    gbl_Memory_free(own);
    free(t.I);
    free(t.J);
    free(t.x);
    return info;
}
