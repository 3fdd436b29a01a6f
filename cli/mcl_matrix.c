/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices in the form of the program mcl: "(mclheader ... )", which has the dimensions, rows x
 * columns, and "(mclmatrix begin ... )", where "column row:value row:value $" is a column, which
 * may go on over several lines. Indices count from 0, a value that is left out is 1. The arcs of a
 * graph lead from columns to rows, so that columns become rows here, and rows columns. Domains,
 * "(mclrows 3 5 8 $)", "(mclcols ...)" or "(mcldoms ...)" of both, list the indices that there are.
 * A tab file names indices: lines of an index, a tab and a label.
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
    uint64_t *row, *col; /* [rows], [cols] the indices that there are; NULL: 0, 1 ... */
    gbl_Index n, room;   /* entries read, and there is room for */
    gbl_Index *I, *J;
    double *x;
} Text;

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the matrix");
}

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

static gbl_Info read_index(Text *t, gbl_Index end, const uint64_t *domain, gbl_Index *index) {
    char *after;
    skip(t);
    if (!isdigit((unsigned char)*t->at)) return wrong(t, "an index or $ is missing");
    const uint64_t found = strtoull(t->at, &after, 10);
    t->at = after;
    *index = found;
    if (!domain) return found < end ? GBL_SUCCESS : wrong(t, "an index is not below the dimension");
    gbl_Index low = 0;
    for (gbl_Index high = end; low < high;) {
        const gbl_Index middle = low + (high - low) / 2;
        if (domain[middle] < found)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return low < end && domain[low] == found ? GBL_SUCCESS
                                             : wrong(t, "an index is not in the domain");
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
    if (!I || !J || !x) return no_memory();
    t->room = room;
    return GBL_SUCCESS;
}

static gbl_Info read_column(Text *t) {
    gbl_Index column;
    double x;
    gbl_Info info;
    if ((info = read_index(t, t->cols, t->col, &column)) || (info = read_value(t, &x))) return info;
    while (!take(t, "$")) {
        if (t->n == t->room && (info = grow(t))) return info;
        if ((info = read_index(t, t->rows, t->row, &t->J[t->n])) ||
            (info = read_value(t, &t->x[t->n])))
            return info;
        t->I[t->n++] = column;
    }
    return GBL_SUCCESS;
}

static uint64_t *copy(const uint64_t *from, gbl_Index n) {
    uint64_t *to = gbl_Memory_malloc((n + 1) * sizeof *to);
    if (to) memcpy(to, from, n * sizeof *to);
    return to;
}

/* The indices of a domain, n in ascending order. */
static gbl_Info read_domain(Text *t, gbl_Index n, uint64_t **domain) {
    gbl_Info info = GBL_SUCCESS;
    if (*domain) return wrong(t, "a domain is given twice");
    if (n > strlen(t->at)) return wrong(t, "the domain has fewer indices than the dimension says");
    *domain = gbl_Memory_malloc((n + 1) * sizeof **domain);
    if (!*domain) return no_memory();
    for (gbl_Index k = 0; k < n && !info; k++) {
        info = read_index(t, GBL_INDEX_MAX, NULL, &(*domain)[k]);
        if (!info && k > 0 && (*domain)[k - 1] >= (*domain)[k])
            info = wrong(t, "the indices of a domain must ascend");
    }
    if (info) return info;
    return take(t, "$") && take(t, ")") ? GBL_SUCCESS
                                        : wrong(t, "the domain must end here, by $ and )");
}

static gbl_Info read_domains(Text *t) {
    gbl_Info info = GBL_SUCCESS;
    while (!info) {
        const bool both = take(t, "(mcldoms");
        if (both && (t->rows != t->cols || t->col))
            return wrong(t, "one domain is for as many rows as columns, and for both");
        if (both || take(t, "(mclrows"))
            info = read_domain(t, t->rows, &t->row);
        else if (take(t, "(mclcols"))
            info = read_domain(t, t->cols, &t->col);
        else
            break;
        if (!info && both && !(t->col = copy(t->row, t->rows))) info = no_memory();
    }
    return info;
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
    if (rows > INT32_MAX || cols > INT32_MAX)
        return wrong(t, "dimensions are up to 2147483647, as in mcl");
    t->rows = rows;
    t->cols = cols;
    if ((info = read_domains(t))) return info;
    if (!take(t, "(mclmatrix"))
        return wrong(t, "(mclmatrix must follow the header and the domains");
    if (!take(t, "begin")) return wrong(t, "begin is missing");
    while (!info && !take(t, ")")) info = read_column(t);
    return info;
}

/* Rows are called by their indices. */
static gbl_Info number_labels(gbl_Labels *labels, const Text *t) {
    gbl_labels_free(labels);
    labels->id =
        t->col ? copy(t->col, t->cols) : gbl_Memory_malloc((t->cols + 1) * sizeof *labels->id);
    if (!labels->id) return no_memory();
    labels->n = t->cols;
    for (gbl_Index k = 0; !t->col && k < t->cols; k++) labels->id[k] = k;
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
    if (!(info = read_all(&t)) &&
        !(info = gbl_Matrix_new(&B, type ? type : GBL_FP64, t.cols, t.rows)) &&
        !(info = gbl_Matrix_build_FP64(B, t.I, t.J, t.x, t.n, GBL_MAX_FP64)) &&
        !(info = number_labels(labels, &t))) {
        *A = B;
        B = NULL;
    }
    gbl_Matrix_free(&B);
    gbl_Memory_free(own);
    gbl_Memory_free(t.row);
    gbl_Memory_free(t.col);
    free(t.I);
    free(t.J);
    free(t.x);
    return info;
}

/* -- writing */

gbl_Info cli_mcl_write(gbl_Matrix A, const char *path) {
    cli_Tuples t = {0};
    FILE *file = NULL;
    gbl_Info info = cli_tuples_read(&t, A);
    if (!info && !(info = cli_open(&file, path))) {
        fprintf(file, "(mclheader\nmcltype matrix\ndimensions %llux%llu\n)\n(mclmatrix\nbegin\n",
                (unsigned long long)t.ncols, (unsigned long long)t.nrows);
        for (gbl_Index k = 0; k < t.n; k++) {
            cli_progress_written(path, k, t.n);
            if (k == 0 || t.I[k - 1] != t.I[k]) fprintf(file, "%llu", (unsigned long long)t.I[k]);
            fprintf(file, " %llu", (unsigned long long)t.J[k]);
            if (t.values) fputc(':', file);
            if (t.values) cli_tuples_print(file, &t, k);
            if (k + 1 == t.n || t.I[k + 1] != t.I[k]) fputs(" $\n", file);
        }
        fputs(")\n", file);
        info = cli_close(&file, path);
    }
    cli_tuples_free(&t);
    return info;
}

/* -- tab files */

/* Sets names[n] to what the lines of the text, which is cut, call the indices. */
static gbl_Info read_names(char **names, const gbl_Labels *labels, char *text, const char *path) {
    unsigned long long line = 1;
    for (char *next; *text; text = next, line++) {
        char *label, *const end = text + strcspn(text, "\n");
        gbl_Index vertex;
        next = end + (*end == '\n');
        *end = '\0';
        if (end > text && end[-1] == '\r') end[-1] = '\0';
        if (*text == '#' || *text == '\0') continue;
        label = strpbrk(text, "\t ");
        if (!label || !isdigit((unsigned char)*text))
            return gbl_fail(GBL_INVALID_VALUE, NULL,
                            "%s: line %llu: a tab file has an index, a tab and a label on a line",
                            path, line);
        *label++ = '\0';
        if (gbl_label_find(&vertex, labels, text) == GBL_SUCCESS && vertex < labels->n)
            names[vertex] = label;
    }
    return GBL_SUCCESS;
}

/* The labels by these names, and by numbers where there is none. */
static gbl_Info use_names(gbl_Labels *labels, char **names) {
    gbl_Labels named = {.n = labels->n};
    char room[24];
    uint64_t size = 0;
    for (gbl_Index v = 0; v < labels->n; v++)
        size += strlen(names[v] ? names[v] : gbl_label(labels, v, room)) + 1;
    named.start = gbl_Memory_malloc((labels->n + 1) * sizeof *named.start);
    named.text = gbl_Memory_malloc(size + 1);
    if (!named.start || !named.text) {
        gbl_labels_free(&named);
        return no_memory();
    }
    size = 0;
    for (gbl_Index v = 0; v < labels->n; v++) {
        named.start[v] = size;
        strcpy(named.text + size, names[v] ? names[v] : gbl_label(labels, v, room));
        size += strlen(named.text + size) + 1;
    }
    gbl_labels_free(labels);
    *labels = named;
    return GBL_SUCCESS;
}

gbl_Info cli_tab_read(gbl_Labels *labels, const char *path) {
    char *text = NULL, **names = calloc(labels->n + 1, sizeof *names);
    size_t size;
    gbl_Info info = names ? gbl_file_bytes(&text, &size, SIZE_MAX / 2, path) : no_memory();
    if (!info) info = read_names(names, labels, text, path);
    if (!info) info = use_names(labels, names);
    gbl_Memory_free(text);
    free(names);
    return info;
}

gbl_Info cli_tab_write(const gbl_Labels *labels, gbl_Index n, const char *path) {
    FILE *file;
    char room[24];
    const gbl_Info info = cli_open(&file, path);
    for (gbl_Index v = 0; !info && v < n; v++)
        fprintf(file, "%llu\t%s\n", (unsigned long long)v, gbl_label(labels, v, room));
    return info ? info : cli_close(&file, path);
}
