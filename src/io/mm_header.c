/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a Matrix Market text: the banner
 *   %%MatrixMarket matrix <format> <field> <symmetry>
 * then comments and blank lines, then the size line: rows, columns and, for coordinate, entries.
 * One comment means something, as SuiteSparse:GraphBLAS and LAGraph write it:
 *   %%GraphBLAS type <the C name of a built-in type>
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mm.h"
#include "number.h"

typedef struct {
    const char *text;
    int value;
    bool refused; /* known, but not supported */
} gb_Word;

static const gb_Word formats[] = {{"coordinate", 0, false}, {"array", 1, false}, {NULL, 0, false}};
static const gb_Word fields[] = {{"real", GB_MM_REAL, false},
                                 {"double", GB_MM_REAL, false},
                                 {"integer", GB_MM_INTEGER, false},
                                 {"pattern", GB_MM_PATTERN, false},
                                 {"complex", 0, true},
                                 {NULL, 0, false}};
static const gb_Word symmetries[] = {{"general", GB_MM_GENERAL, false},
                                     {"symmetric", GB_MM_SYMMETRIC, false},
                                     {"skew-symmetric", GB_MM_SKEW, false},
                                     {"hermitian", 0, true},
                                     {NULL, 0, false}};

static const char mark[] = "%%MatrixMarket";

typedef struct {
    const char *p;
    gb_MmProblem problem;
} gb_Scan;

static size_t word_length(const char *p) {
    size_t n = 0;
    while (p[n] != ' ' && p[n] != '\t' && p[n] != '\r' && p[n] != '\n') n++;
    return n;
}

/* Reads one word of the banner; `wanted` lists the right ones for the error text. */
static bool read_word(gb_Scan *scan, const gb_Word *words, const char *wanted, int *value) {
    scan->p = gb_mm_skip_blank(scan->p);
    const size_t n = word_length(scan->p);
    for (; words->text; words++) {
        if (strlen(words->text) != n || strncasecmp(scan->p, words->text, n) != 0) continue;
        if (words->refused) {
            gb_mm_note(&scan->problem, GBL_NOT_IMPLEMENTED, scan->p,
                       "%s matrices are not supported; %s are", words->text, wanted);
            return false;
        }
        *value = words->value;
        scan->p += n;
        return true;
    }
    gb_mm_note(&scan->problem, GBL_INVALID_VALUE, scan->p, "the banner must say %s here", wanted);
    return false;
}

/* Looks at the first portion of the text, which may be of any length and need not have lines. */
static gbl_Info check_mark(const gb_Text *text) {
    const size_t n = strlen(mark);
    if (text->size >= n && strncasecmp(text->bytes, mark, n) == 0 && word_length(text->bytes) == n)
        return GBL_SUCCESS;
    gb_MmProblem problem = {.line = 1};
    gb_mm_note(&problem, GBL_INVALID_VALUE, text->bytes,
               "not a Matrix Market file: it must start with %s", mark);
    return gb_mm_fail(text, &problem);
}

static bool read_banner(gb_Scan *scan, gb_MmHeader *header) {
    static const gb_Word objects[] = {{"matrix", 0, false}, {NULL, 0, false}};
    int object, format, field, symmetry;
    scan->p += strlen(mark);
    if (!read_word(scan, objects, "matrix", &object)) return false;
    const char *const kind = gb_mm_skip_blank(scan->p);
    if (!read_word(scan, formats, "coordinate or array", &format) ||
        !read_word(scan, fields, "real, integer or pattern", &field) ||
        !read_word(scan, symmetries, "general, symmetric or skew-symmetric", &symmetry)) {
        return false;
    }
    header->array = format == 1;
    header->field = (gb_MmField)field;
    header->symmetry = (gb_MmSymmetry)symmetry;
    if (header->field == GB_MM_PATTERN && (header->array || header->symmetry == GB_MM_SKEW)) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, kind,
                   "a pattern is neither array nor skew-symmetric");
        return false;
    }
    return gb_mm_finish_line(&scan->p, &scan->problem);
}

static bool read_size(gb_Scan *scan, const char *what, uint64_t most, uint64_t *size) {
    const char *const at = gb_mm_skip_blank(scan->p), *const first = at + (*at == '+');
    uint64_t value = 0;
    bool overflow = false;
    unsigned digit;
    for (scan->p = first; (digit = (unsigned)*scan->p - '0') < 10; scan->p++) {
        overflow |= __builtin_mul_overflow(value, 10, &value);
        overflow |= __builtin_add_overflow(value, digit, &value);
    }
    if (scan->p == first) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, at, "the size line needs the number of %s",
                   what);
        return false;
    }
    if (overflow || value > most) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, at, "the number of %s is above %llu", what,
                   (unsigned long long)most);
        return false;
    }
    *size = value;
    return true;
}

/* Entries that an array file lists: all, or those on and below the diagonal, or below it. */
static uint64_t array_entries(const gb_MmHeader *header) {
    const unsigned __int128 n = header->nrows;
    switch (header->symmetry) {
    case GB_MM_SYMMETRIC:
        return (uint64_t)(n * (n + 1) / 2);
    case GB_MM_SKEW:
        return n > 0 ? (uint64_t)(n * (n - 1) / 2) : 0;
    default:
        return header->nrows * header->ncols;
    }
}

static bool read_sizes(gb_Scan *scan, gb_MmHeader *header) {
    const char *const line = scan->p;
    const gbl_Index most = header->array ? GB_IO_DIMENSION_MAX : GBL_INDEX_MAX;
    uint64_t places;
    if (!read_size(scan, "rows", most, &header->nrows) ||
        !read_size(scan, "columns", most, &header->ncols)) {
        return false;
    }
    if (__builtin_mul_overflow(header->nrows, header->ncols, &places)) places = UINT64_MAX;
    if (header->symmetry != GB_MM_GENERAL && header->nrows != header->ncols) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, line, "a symmetric matrix must be square");
        return false;
    }
    if (header->array) {
        header->entries = array_entries(header);
    } else if (!read_size(scan, "entries", places, &header->entries)) {
        return false;
    }
    return gb_mm_finish_line(&scan->p, &scan->problem);
}

gbl_Info gb_mm_count_comments(gb_MmBody *body, uint64_t bytes) {
    body->comments += bytes;
    if (body->comments <= GB_MM_COMMENTS_MAX) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: line %llu: comments and blank lines take more than %llu bytes up to here; "
                    "remove them",
                    body->text->input.name, (unsigned long long)body->text->line,
                    (unsigned long long)GB_MM_COMMENTS_MAX);
}

/* The type whose C name is the rest of the line, or NULL. */
static gbl_Type named_type(const char *p) {
    static const struct {
        const char *name;
        const gbl_Type *type;
    } types[] = {
#define GB_ENTRY(N, T) {#T, &GBL_##N},
        GBL_FOREACH_TYPE(GB_ENTRY)
#undef GB_ENTRY
    };
    const size_t n = word_length(p);
    if (*gb_mm_skip_blank(p + n) != '\n') return NULL; /* "float complex" is not float */
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strlen(types[k].name) == n && strncasecmp(p, types[k].name, n) == 0)
            return *types[k].type;
    return NULL;
}

/* Looks at comments and blank lines for one that says which type the entries have. */
static void read_types(gb_MmHeader *header, const char *p, const char *end) {
    static const char structured[] = "%%GraphBLAS", type[] = "type";
    for (const char *next; p < end; p = next) {
        const char *const line_end = memchr(p, '\n', (size_t)(end - p));
        next = line_end != NULL ? line_end + 1 : end;
        if (strncasecmp(p, structured, strlen(structured)) != 0) continue;
        const char *const word = gb_mm_skip_blank(p + strlen(structured));
        if (word_length(word) != strlen(type) || strncasecmp(word, type, strlen(type)) != 0)
            continue;
        const gbl_Type named = named_type(gb_mm_skip_blank(word + strlen(type)));
        if (named != NULL) header->type = named;
    }
}

/* Moves lines->begin to the size line, reading on over comments. */
static gbl_Info find_sizes(gb_MmBody *body, gb_Lines *lines) {
    gb_Text *const text = body->text;
    for (;;) {
        const char *const from = lines->begin;
        const bool found = gb_mm_next_entry(&lines->begin, lines->end, &text->line);
        gbl_Info info = gb_mm_count_comments(body, (uint64_t)(lines->begin - from));
        if (info == GBL_SUCCESS) read_types(&body->header, from, lines->begin);
        if (info != GBL_SUCCESS || found) return info;
        info = gb_text_next(text, lines);
        if (info != GBL_SUCCESS) return info;
        if (lines->begin == lines->end) {
            return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the size line is missing: %s",
                            text->input.name,
                            body->header.array ? "rows columns" : "rows columns entries");
        }
    }
}

gbl_Info gb_mm_read_header(gb_MmBody *body, gb_Lines *lines) {
    gb_Text *const text = body->text;
    body->comments = 0;
    gbl_Info info = check_mark(text);
    if (info == GBL_SUCCESS) info = gb_text_next(text, lines);
    if (info != GBL_SUCCESS) return info;
    gb_Scan scan = {.p = lines->begin, .problem.line = text->line};
    if (!read_banner(&scan, &body->header)) return gb_mm_fail(text, &scan.problem);
    lines->begin = scan.p;
    text->line++;
    info = find_sizes(body, lines);
    if (info != GBL_SUCCESS) return info;
    scan = (gb_Scan){.p = lines->begin, .problem.line = text->line};
    if (!read_sizes(&scan, &body->header)) return gb_mm_fail(text, &scan.problem);
    lines->begin = scan.p;
    text->line++;
    return GBL_SUCCESS;
}

/* -- lines ---------------------------------------------------------------------------------- */

/* One line of a Matrix Market body: its indices, its value, its end, and the words for what is
 * wrong with it. An entry of a symmetric matrix may stand on either side of the diagonal.
 */

/* Copies the start of the rest of the line, made printable. */
static void quote(char *out, size_t size, const char *at) {
    size_t n = 0;
    for (; at[n] != '\n' && at[n] != '\r' && n + 4 < size; n++) {
        out[n] = at[n] >= ' ' && at[n] <= '~' ? at[n] : '?';
    }
    const bool more = at[n] != '\n' && at[n] != '\r';
    strcpy(out + n, more ? "..." : "");
}

void gb_mm_note(gb_MmProblem *problem, gbl_Info code, const char *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->what, sizeof problem->what, format, arguments);
    va_end(arguments);
    problem->code = code;
    quote(problem->found, sizeof problem->found, at);
}

gbl_Info gb_mm_fail(const gb_Text *text, const gb_MmProblem *problem) {
    const char *const name = text->input.name;
    const unsigned long long line = problem->line;
    if (problem->found[0] == '\0') {
        return gbl_fail(problem->code, NULL, "%s: line %llu: %s; the line ends there", name, line,
                        problem->what);
    }
    return gbl_fail(problem->code, NULL, "%s: line %llu: %s; found '%s'", name, line, problem->what,
                    problem->found);
}

bool gb_mm_next_entry(const char **p, const char *end, uint64_t *line) {
    while (*p < end) {
        const char *const first = gb_mm_skip_blank(*p);
        if (!gb_mm_is_comment(*first)) {
            *p = first;
            return true;
        }
        *p = (const char *)memchr(first, '\n', (size_t)(end - first)) + 1;
        ++*line;
    }
    return false;
}

bool gb_mm_finish_line(const char **p, gb_MmProblem *problem) {
    const char *const rest = gb_mm_skip_blank(*p);
    if (*rest != '\n') {
        gb_mm_note(problem, GBL_INVALID_VALUE, rest, "the line should end here");
        return false;
    }
    *p = rest + 1;
    return true;
}

static bool ends_word(const char *p) {
    return *p == ' ' || *p == '\n' || *p == '\t' || *p == '\r';
}

static bool read_integer(const gb_MmBody *body, const char **p, gb_Integer *value,
                         gb_MmProblem *problem) {
    const char *s = *p;
    const gbl_Type_Code code = body->kind.code;
    const bool unsigned_fits =
        code == GBL_UINT64_CODE || code == GBL_FP32_CODE || code == GBL_FP64_CODE;
    *value = (gb_Integer){.negative = *s == '-'};
    if (*s == '-' || *s == '+') s++;
    const char *const first = s;
    bool overflow = false;
    unsigned digit;
    for (; (digit = (unsigned)*s - '0') < 10; s++) {
        overflow |= __builtin_mul_overflow(value->magnitude, 10, &value->magnitude);
        overflow |= __builtin_add_overflow(value->magnitude, digit, &value->magnitude);
    }
    if (s == first || !ends_word(s)) {
        gb_mm_note(problem, GBL_INVALID_VALUE, *p, "the value must be an integer");
        return false;
    }
    const uint64_t most = value->negative ? (uint64_t)INT64_MAX + 1
                          : unsigned_fits ? UINT64_MAX
                                          : (uint64_t)INT64_MAX;
    if (overflow || value->magnitude > most) {
        gb_mm_note(problem, GBL_INVALID_VALUE, *p, "the value does not fit into %s",
                   unsigned_fits || value->negative ? "64 bits" : "INT64; ask for UINT64 or FP64");
        return false;
    }
    *p = s;
    return true;
}

/* Reads a number in 1..most, with or without a plus sign, as an index from 0. */
static bool read_index(const char **p, gbl_Index most, gbl_Index *index) {
    const char *const first = *p + (**p == '+'), *s = first;
    uint64_t value = 0;
    unsigned digit;
    for (; (digit = (unsigned)*s - '0') < 10; s++) value = value * 10 + digit;
    /* 19 digits fit into 64 bits; the character behind is checked by what is read next */
    if (s == first || s - first > 19 || value - 1 >= most) return false;
    *index = value - 1;
    *p = s;
    return true;
}

static bool note_index(gb_MmProblem *problem, const char *at, const char *what, gbl_Index most) {
    const char *const digit = at + (*at == '-' || *at == '+');
    const bool number = *digit >= '0' && *digit <= '9';
    if (number) {
        gb_mm_note(problem, GBL_INDEX_OUT_OF_BOUNDS, at, "the %s index must be in 1..%llu", what,
                   (unsigned long long)most);
    } else {
        gb_mm_note(problem, GBL_INVALID_VALUE, at, "a %s index is missing", what);
    }
    return false;
}

/* Moves *p over the blanks behind the index that started at `first`. */
static bool skip_to_next(const char **p, const char *first, const char *what,
                         gb_MmProblem *problem) {
    const char *const next = gb_mm_skip_blank(*p);
    if (next == *p && *next != '\n') {
        gb_mm_note(problem, GBL_INVALID_VALUE, first, "the %s index must be an integer", what);
        return false;
    }
    *p = next;
    return true;
}

bool gb_mm_read_indices(const gb_MmHeader *header, const char **p, gb_Place *at,
                        gb_MmProblem *problem) {
    const char *const first = *p;
    if (!read_index(p, header->nrows, &at->i)) return note_index(problem, *p, "row", header->nrows);
    if (!skip_to_next(p, first, "row", problem)) return false;
    const char *const second = *p;
    if (!read_index(p, header->ncols, &at->j)) {
        return note_index(problem, *p, "column", header->ncols);
    }
    return skip_to_next(p, second, "column", problem);
}

/* Reads a value at *p and stores it at x[k], and for its mirror image at x[k + 1]. */
static bool read_value(const gb_MmBody *body, const char **p, uint64_t k, gb_MmProblem *problem) {
    const gb_MmSymmetry symmetry = body->header.symmetry;
    const gbl_Type_Code code = body->kind.code;
    void *const x = body->list.x;
    if (**p == '\n') {
        gb_mm_note(problem, GBL_INVALID_VALUE, *p, "the value is missing");
        return false;
    }
    if (body->header.field == GB_MM_INTEGER) {
        gb_Integer value;
        if (!read_integer(body, p, &value, problem)) return false;
        gb_io_store_integer(x, k, code, value);
        value.negative ^= symmetry == GB_MM_SKEW;
        if (symmetry != GB_MM_GENERAL) gb_io_store_integer(x, k + 1, code, value);
        return true;
    }
    const char *const at = *p;
    double value;
    if (!gb_number_read(p, &value) || !ends_word(*p)) {
        gb_mm_note(problem, GBL_INVALID_VALUE, at, "the value must be a number");
        return false;
    }
    gb_io_store_real(x, k, code, value);
    if (symmetry != GB_MM_GENERAL) {
        gb_io_store_real(x, k + 1, code, symmetry == GB_MM_SKEW ? -value : value);
    }
    return true;
}

/* To slot k, and its mirror image to slot k + 1. */
static void store_place(const gb_Coo *list, uint64_t k, gb_Place at, bool mirrors) {
    if (list->wide) {
        list->wi[k] = at.i;
        list->wj[k] = at.j;
        if (mirrors) list->wi[k + 1] = at.i == at.j ? GB_COO_WIDE_NONE : at.j;
        if (mirrors) list->wj[k + 1] = at.i;
        return;
    }
    list->i[k] = (uint32_t)at.i;
    list->j[k] = (uint32_t)at.j;
    if (mirrors) list->i[k + 1] = at.i == at.j ? GB_COO_NONE : (uint32_t)at.j;
    if (mirrors) list->j[k + 1] = (uint32_t)at.i;
}

static bool read_coordinate(const gb_MmBody *body, const char **p, uint64_t k,
                            gb_MmProblem *problem) {
    const gb_MmHeader *const header = &body->header;
    const char *const line = *p;
    gb_Place at;
    if (!gb_mm_read_indices(header, p, &at, problem)) return false;
    if (header->field != GB_MM_PATTERN && !read_value(body, p, k, problem)) return false;
    if (header->symmetry == GB_MM_SKEW && at.i == at.j) {
        gb_mm_note(problem, GBL_INVALID_VALUE, line,
                   "a skew-symmetric matrix has no entries on the diagonal");
        return false;
    }
    store_place(&body->list, k, at, header->symmetry != GB_MM_GENERAL);
    return true;
}

bool gb_mm_read_line(const gb_MmBody *body, const char **p, uint64_t k, gb_MmProblem *problem) {
    const bool read =
        body->header.array ? read_value(body, p, k, problem) : read_coordinate(body, p, k, problem);
    return read && gb_mm_finish_line(p, problem);
}
