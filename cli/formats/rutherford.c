/* SPDX-License-Identifier: Apache-2.0
 *
 * Rutherford-Boeing and Harwell-Boeing files: a matrix by columns, as lines of numbers in columns
 * of fixed width, of which Fortran formats in the header say how wide they are.
 *
 *   line 1   title                       (72 characters), key
 *   line 2   lines: of all, of pointers, of row indices, of values (Harwell: of right-hand sides)
 *   line 3   type, rows, columns, entries, elements
 *   line 4   formats of pointers, of row indices, of values
 *   line 5   Harwell-Boeing with right-hand sides: their type, which is skipped
 *
 * The type is R, P, I or C for real, pattern, integer or complex; U, R, S, Z or H for unsymmetric,
 * rectangular, symmetric, skew-symmetric or hermitian, of which the last three store one triangle;
 * and A for assembled, the one kind that is read.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

enum { NUMBER = 100 }; /* characters of a number are fewer */

typedef struct {
    const char *path, *at;
    unsigned long long line;
    long per_line, column; /* numbers of a line, and those of this one that have been read */
    size_t width;          /* of a number */
    const char *end;       /* of the line */
} Text;

static gbl_Info wrong(const Text *t, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: line %llu: %s", t->path, t->line, what);
}

/* Copies the next line, without blanks at its end, as far as there is room; false at the end. */
static bool next_line(Text *t, char *line, size_t room) {
    if (*t->at == '\0') return false;
    size_t n = strcspn(t->at, "\r\n");
    const char *const end = t->at + n;
    if (n >= room) n = room - 1;
    memcpy(line, t->at, n);
    line[n] = '\0';
    t->at = end + (*end == '\r') + (end[*end == '\r'] == '\n');
    t->line++;
    return true;
}

/* "(26I3)", "(1P,4E20.12)": so many numbers on a line, each so wide. */
static bool parse_format(Text *t, const char *text) {
    char *end;
    text += strspn(text, " (");
    t->per_line = strtol(text, &end, 10);
    if (toupper((unsigned char)*end) == 'P') { /* a scale factor */
        text = end + 1 + (end[1] == ',');
        t->per_line = strtol(text, &end, 10);
    }
    if (end == text) t->per_line = 1;
    if (!*end || !strchr("IEDFG", toupper((unsigned char)*end))) return false;
    t->width = strtoul(end + 1, &end, 10);
    t->column = t->per_line;
    return t->per_line > 0 && t->per_line < 1000 && t->width > 0 && t->width < NUMBER;
}

/* The next number, without blanks. */
static gbl_Info next_number(Text *t, char word[static NUMBER]) {
    if (t->column == t->per_line) {
        if (*t->at == '\0') return wrong(t, "the file ends too early; it may have been cut short");
        if (t->end) t->at = t->end + (*t->end == '\r') + (t->end[*t->end == '\r'] == '\n');
        t->end = t->at + strcspn(t->at, "\r\n");
        t->line++;
        t->column = 0;
    }
    size_t n = (size_t)(t->end - t->at);
    if (n > t->width) n = t->width;
    const char *from = t->at;
    t->at += n;
    t->column++;
    for (; n > 0 && *from == ' '; n--) from++;
    while (n > 0 && from[n - 1] == ' ') n--;
    memcpy(word, from, n);
    word[n] = '\0';
    return n > 0 ? GBL_SUCCESS : wrong(t, "a number is missing");
}

static gbl_Info next_index(Text *t, gbl_Index *index, gbl_Index most) {
    char word[NUMBER], *end;
    const gbl_Info info = next_number(t, word);
    if (info) return info;
    *index = strtoull(word, &end, 10);
    if (!isdigit((unsigned char)*word) || *end || *index < 1 || *index > most)
        return wrong(t, "an index or a pointer is no number, or out of range");
    --*index;
    return GBL_SUCCESS;
}

static gbl_Info next_value(Text *t, bool whole, format_Value *value) {
    char word[NUMBER], again[NUMBER + 2], *end;
    const gbl_Info info = next_number(t, word);
    if (info) return info;
    errno = 0;
    const long long exact = strtoll(word, &end, 10);
    if (whole && !*end && !errno) {
        value->whole = exact;
        return GBL_SUCCESS;
    }
    for (char *c = word; *c; c++) /* Fortran's exponents: 1.5D+3, 1.5+3 */
        if (*c == 'D' || *c == 'd') *c = 'E';
    double x = strtod(word, &end);
    const bool number = end > word;
    if (number && (*end == '+' || *end == '-')) {
        snprintf(again, sizeof again, "%.*sE%s", (int)(end - word), word, end);
        x = strtod(again, &end);
    }
    if (!number || *end) return wrong(t, "a value is no number");
    if (whole && !(x > -0x1p53 && x < 0x1p53 && x == (double)(int64_t)x))
        return wrong(t, "a value is no whole number of 64 bits");
    if (whole)
        value->whole = (int64_t)x;
    else
        value->real = x;
    return GBL_SUCCESS;
}

typedef struct {
    unsigned long long rows, cols, n;
    char kind[4]; /* "RUA" */
    char format[3][40];
} Header;

static gbl_Info read_header(Text *t, Header *h) {
    char line[256];
    long all, pointers, indices, values, sides = 0;
    if (!next_line(t, line, sizeof line) || !next_line(t, line, sizeof line) ||
        sscanf(line, "%ld%ld%ld%ld%ld", &all, &pointers, &indices, &values, &sides) < 3)
        return wrong(t, "the header must have the numbers of lines here");
    if (!next_line(t, line, sizeof line) ||
        sscanf(line, "%3s%llu%llu%llu", h->kind, &h->rows, &h->cols, &h->n) < 4)
        return wrong(t, "the header must have a type, as RUA, and three sizes here");
    for (char *c = h->kind; *c; c++) *c = (char)toupper((unsigned char)*c);
    if (strlen(h->kind) != 3 || !strchr("RPIC", h->kind[0]) || !strchr("URSZH", h->kind[1]))
        return wrong(t, "the type of the matrix is unknown");
    if (h->kind[2] != 'A')
        return wrong(t, "matrices of finite elements (type ..E) are not read; assemble them first");
    if (!next_line(t, line, sizeof line) || sscanf(line, "%39s%39s%39s", h->format[0], h->format[1],
                                                   h->format[2]) < (h->kind[0] == 'P' ? 2 : 3))
        return wrong(t, "the header must have the formats of numbers here");
    if (sides > 0 && !next_line(t, line, sizeof line))
        return wrong(t, "the header must have the type of right-hand sides here");
    const size_t left = strlen(t->at);
    if (h->cols >= left || h->n > left || h->rows > GBL_INDEX_MAX)
        return wrong(t, "the sizes announce more than the file has; it may have been cut short");
    return GBL_SUCCESS;
}

static gbl_Info use_format(Text *t, const Header *h, int k) {
    t->at = t->end ? t->end + (*t->end == '\r') + (t->end[*t->end == '\r'] == '\n') : t->at;
    t->end = NULL;
    return parse_format(t, h->format[k]) ? GBL_SUCCESS
                                         : wrong(t, "a format of the header is not understood");
}

static gbl_Info read_pattern(Text *t, const Header *h, format_Entries *e) {
    const format_Value none[2] = {{0}};
    gbl_Index *start = malloc((h->cols + 1) * sizeof *start), row;
    gbl_Info info = start ? use_format(t, h, 0)
                          : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for pointers");
    for (gbl_Index j = 0; j <= h->cols && !info; j++) {
        info = next_index(t, &start[j], h->n + 1);
        if (!info && start[j] < (j > 0 ? start[j - 1] : 0))
            info = wrong(t, "pointers must not descend");
    }
    if (!info && (start[0] != 0 || start[h->cols] != h->n))
        info = wrong(t, "pointers must go from 1 to the entries and one more");
    if (!info) info = use_format(t, h, 1);
    for (gbl_Index j = 0; j < h->cols && !info; j++)
        for (gbl_Index k = start[j]; k < start[j + 1] && !info; k++)
            if (!(info = next_index(t, &row, h->rows))) info = format_add(e, row, j, none);
    free(start);
    return info;
}

static gbl_Info read_values(Text *t, const Header *h, format_Entries *e) {
    const gbl_Index parts = e->field == FORMAT_COMPLEX ? 2 : 1;
    gbl_Info info = e->field == FORMAT_PATTERN ? GBL_SUCCESS : use_format(t, h, 2);
    for (gbl_Index k = 0; e->field != FORMAT_PATTERN && k < parts * h->n && !info; k++)
        info = next_value(t, e->field == FORMAT_WHOLE, &e->x[k]);
    return info;
}

/* The other triangle. */
static gbl_Info mirror(format_Entries *e, char symmetry) {
    const gbl_Index n = e->n, parts = e->field == FORMAT_COMPLEX ? 2 : 1;
    gbl_Info info = GBL_SUCCESS;
    if (!strchr("SZH", symmetry)) return info;
    for (gbl_Index k = 0; k < n && !info; k++) {
        format_Value x[2] = {{0}};
        if (e->I[k] == e->J[k]) continue;
        if (e->x) memcpy(x, e->x + parts * k, parts * sizeof *x);
        if (symmetry == 'Z' && e->field == FORMAT_WHOLE)
            x[0].whole = (int64_t)(0 - (uint64_t)x[0].whole);
        else if (symmetry == 'Z')
            x[0].real = -x[0].real;
        if (symmetry != 'S') x[1].real = -x[1].real;
        info = format_add(e, e->J[k], e->I[k], x);
    }
    return info;
}

gbl_Info format_read_rutherford(gbl_Matrix *A, gbl_Type type, const char *bytes, const char *path) {
    Text t = {.path = path, .at = bytes};
    Header h = {0};
    format_Entries e = {0};
    gbl_Info info = read_header(&t, &h);
    if (info) return info;
    e.nrows = h.rows;
    e.ncols = h.cols;
    e.field = h.kind[0] == 'P'   ? FORMAT_PATTERN
              : h.kind[0] == 'I' ? FORMAT_WHOLE
              : h.kind[0] == 'C' ? FORMAT_COMPLEX
                                 : FORMAT_REAL;
    if (!(info = read_pattern(&t, &h, &e)) && !(info = read_values(&t, &h, &e)) &&
        !(info = mirror(&e, h.kind[1])))
        info = format_build(A, type, &e, path);
    format_free(&e);
    return info;
}

/* -- writing */

static void write_indices(FILE *file, const gbl_Index *x, gbl_Index n) {
    for (gbl_Index k = 0; k < n; k++)
        fprintf(file, "%20llu%s", (unsigned long long)x[k] + 1,
                k % 4 == 3 || k + 1 == n ? "\n" : "");
}

static gbl_Info write_columns(const cli_Tuples *t, const char *path) {
    const gbl_Index n = t->n;
    const unsigned long long lines[] = {(t->nrows + 1 + 3) / 4, (n + 3) / 4,
                                        t->values ? (n + 2) / 3 : 0};
    gbl_Index *start = calloc(t->nrows + 2, sizeof *start);
    FILE *file = NULL;
    gbl_Info info = start ? cli_open(&file, path)
                          : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for pointers");
    if (info) goto done;
    for (gbl_Index k = 0; k < n; k++) start[t->I[k] + 1]++;
    for (gbl_Index j = 0; j < t->nrows; j++) start[j + 1] += start[j];
    fprintf(file, "%-72s%-8s\n", "Written by gblite", "gblite");
    fprintf(file, "%14llu%14llu%14llu%14llu\n", lines[0] + lines[1] + lines[2], lines[0], lines[1],
            lines[2]);
    fprintf(file, "%c%ca%11s%14llu%14llu%14llu%14d\n",
            !t->values ? 'p'
            : t->whole ? 'i'
                       : 'r',
            t->nrows == t->ncols ? 'u' : 'r', "", (unsigned long long)t->ncols,
            (unsigned long long)t->nrows, (unsigned long long)n, 0);
    fprintf(file, "%-16s%-16s%-20s\n", "(4I20)", "(4I20)",
            !t->values ? ""
            : t->whole ? "(3I26)"
                       : "(3E26.16)");
    write_indices(file, start, t->nrows + 1);
    write_indices(file, t->J, n);
    for (gbl_Index k = 0; t->values && k < n; k++) {
        cli_progress_written(path, k, n);
        if (t->whole)
            fprintf(file, "%26lld", (long long)t->whole_x[k]);
        else
            fprintf(file, "%26.16E", t->x[k]);
        if (k % 3 == 2 || k + 1 == n) fputc('\n', file);
    }
    info = cli_close(&file, path);
done:
    free(start);
    return info;
}

/* Columns of A are the rows of its transpose. */
gbl_Info format_write_rutherford(gbl_Matrix A, const char *path) {
    gbl_Matrix B = NULL;
    gbl_Index nrows, ncols;
    gbl_Type type;
    cli_Tuples t = {0};
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_type(&type, A)) || (info = gbl_Matrix_new(&B, type, ncols, nrows)) ||
        (info = gbl_transpose(B, NULL, NULL, A, NULL)) || (info = cli_tuples_read(&t, B)) ||
        (info = write_columns(&t, path)))
        goto done;
done:
    cli_tuples_free(&t);
    gbl_Matrix_free(&B);
    return info;
}
