/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a Matrix Market text: the banner
 *   %%MatrixMarket matrix <format> <field> <symmetry>
 * then comments and blank lines, then the size line: rows, columns and, for coordinate, entries.
 * One comment means something, as SuiteSparse:GraphBLAS and LAGraph write it:
 *   %%GraphBLAS type <the C name of a built-in type>
 */
#include <strings.h>

#include "mm.h"

typedef struct {
    const char *text;
    int value;
} gb_Word;

static const gb_Word formats[] = {{"coordinate", 0}, {"array", 1}, {NULL, 0}};
static const gb_Word fields[] = {{"real", GB_MM_REAL},
                                 {"double", GB_MM_REAL},
                                 {"integer", GB_MM_INTEGER},
                                 {"pattern", GB_MM_PATTERN},
                                 {"complex", GB_MM_COMPLEX},
                                 {"unsigned-integer", GB_MM_UNSIGNED},
                                 {NULL, 0}};
static const gb_Word symmetries[] = {{"general", GB_MM_GENERAL},
                                     {"symmetric", GB_MM_SYMMETRIC},
                                     {"skew-symmetric", GB_MM_SKEW},
                                     {"hermitian", GB_MM_HERMITIAN},
                                     {NULL, 0}};

static const char mark[] = "%%MatrixMarket";

typedef struct {
    const char *p;
    gb_Problem problem;
} gb_Scan;

/* Reads one word of the banner; `wanted` lists the right ones for the error text. */
static bool read_word(gb_Scan *scan, const gb_Word *words, const char *wanted, int *value) {
    scan->p = gb_skip_blank(scan->p);
    const size_t n = gb_mm_word_length(scan->p);
    for (; words->text; words++) {
        if (strlen(words->text) != n || strncasecmp(scan->p, words->text, n) != 0) continue;
        *value = words->value;
        scan->p += n;
        return true;
    }
    return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, scan->p,
                           "the banner must say %s here", wanted);
}

static bool is_mark(const char *p, const char *end, const char *what) {
    const size_t n = strlen(what);
    return (size_t)(end - p) >= n && strncasecmp(p, what, n) == 0 && gb_mm_word_length(p) == n;
}

/* Behind the mark in p[0 .. end), perhaps one with blanks before it or the wrong number of %; NULL
 * where there is none. */
static const char *find_mark(const char *p, const char *end, gb_Problem *problem) {
    static const char bom[] = "\xEF\xBB\xBF";
    const char *const begin = p;
    if (is_mark(p, end, mark)) return p + strlen(mark);
    if (problem->strict) return NULL;
    if ((size_t)(end - p) > strlen(bom) && memcmp(p, bom, strlen(bom)) == 0) p += strlen(bom);
    for (; p < end && (*p == '\n' || gb_skip_blank(p) != p); p++) problem->line += *p == '\n';
    if (p > begin) problem->mended |= GB_MM_BEFORE_BANNER;
    if (is_mark(p, end, mark)) return p + strlen(mark);
    while (p < end && (*p == '%' || *p == ' ')) p++;
    problem->mended |= GB_MM_BANNER;
    return p > begin && is_mark(p, end, mark + 2) ? p + strlen(mark) - 2 : NULL;
}

/* Looks at the first portion of the text, which may be of any length and need not have lines. */
static gbl_Info check_mark(const gb_MmBody *body) {
    const gb_Text *const text = body->text;
    gb_Problem problem = {.line = 1, .begin = text->bytes, .strict = body->strict};
    if (find_mark(text->bytes, text->bytes + text->size, &problem)) return GBL_SUCCESS;
    problem.line = 1;
    gb_problem_note(&problem, GBL_INVALID_VALUE, text->bytes,
                    "not a Matrix Market file: it must start with %s", mark);
    return gb_problem_fail(text, &problem);
}

static bool read_banner(gb_Scan *scan, gb_MmHeader *header) {
    static const gb_Word objects[] = {{"matrix", 0}, {NULL, 0}};
    int object, format, field, symmetry;
    if (!read_word(scan, objects, "matrix", &object)) return false;
    const char *const kind = gb_skip_blank(scan->p);
    if (!read_word(scan, formats, "coordinate or array", &format) ||
        !read_word(scan, fields, "real, integer, complex or pattern", &field) ||
        !read_word(scan, symmetries, "general, symmetric, skew-symmetric or hermitian", &symmetry))
        return false;
    header->array = format == 1;
    header->field = (gb_MmField)field;
    header->symmetry = (gb_MmSymmetry)symmetry;
    if (header->field == GB_MM_PATTERN && (header->array || header->symmetry == GB_MM_SKEW))
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, kind,
                               "a pattern is neither array nor skew-symmetric");
    if (header->field == GB_MM_UNSIGNED && header->symmetry == GB_MM_SKEW)
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, kind,
                               "unsigned integers are not skew-symmetric");
    return gb_mm_finish_line(&scan->p, &scan->problem);
}

static bool read_size(gb_Scan *scan, const char *what, uint64_t most, uint64_t *size) {
    const char *const at = gb_skip_blank(scan->p), *const first = at + (*at == '+');
    uint64_t value;
    scan->p = first;
    const bool fits = gb_read_whole(&scan->p, &value);
    if (scan->p == first)
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, at,
                               "the size line needs the number of %s", what);
    if (!fits || value > most)
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, at,
                               "the number of %s is above %llu", what, (unsigned long long)most);
    *size = value;
    return true;
}

/* Entries that an array file lists: all, or those on and below the diagonal, or below it. */
static uint64_t array_entries(const gb_MmHeader *header) {
    const unsigned __int128 n = header->nrows;
    if (header->symmetry == GB_MM_GENERAL) return header->nrows * header->ncols;
    return (uint64_t)(n * (n + 1) / 2 - (header->symmetry == GB_MM_SKEW ? n : 0));
}

/* Words up to the end of the line; *whole: all consist of digits. */
static int count_words(const char *p, bool *whole) {
    int n = 0;
    *whole = true;
    for (p = gb_skip_blank(p); *p != '\n' && *p != '%'; p = gb_skip_blank(p), n++)
        for (const char *const end = p + gb_mm_word_length(p); p < end; p++)
            *whole &= *p >= '0' && *p <= '9';
    return n;
}

/* A body that begins without a size line: two indices of a pattern, or two and a number that is not
 * whole. Entries say how large the matrix is. */
static bool has_no_sizes(const gb_Scan *scan, gb_MmHeader *header) {
    bool whole;
    const int words = count_words(scan->p, &whole);
    if (scan->problem.strict || header->array) return false;
    if (!(words == 2 && header->field == GB_MM_PATTERN && whole) &&
        !(words == 3 && header->field == GB_MM_REAL && !whole))
        return false;
    header->sizeless = true;
    header->nrows = header->ncols = GBL_INDEX_MAX + 1;
    header->entries = UINT64_MAX;
    return true;
}

/* The columns of an array; a vector may leave them out. */
static bool read_columns(gb_Scan *scan, gb_MmHeader *header, gbl_Index most) {
    if (header->array && !scan->problem.strict && *gb_skip_blank(scan->p) == '\n') {
        header->ncols = 1;
        scan->problem.mended |= GB_MM_ARRAY_SIZE;
        return true;
    }
    return read_size(scan, "columns", most, &header->ncols);
}

static bool read_sizes(gb_Scan *scan, gb_MmHeader *header) {
    const char *const line = scan->p;
    const gbl_Index most = header->array ? GB_IO_DIMENSION_MAX : GBL_INDEX_MAX + 1;
    uint64_t places;
    if (!read_size(scan, "rows", most, &header->nrows) || !read_columns(scan, header, most))
        return false;
    if (__builtin_mul_overflow(header->nrows, header->ncols, &places)) places = UINT64_MAX;
    if (header->symmetry != GB_MM_GENERAL && header->nrows != header->ncols)
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, line,
                               "a symmetric matrix must be square");
    if (header->array)
        header->entries = array_entries(header);
    else if (!read_size(scan, "entries", places, &header->entries))
        return false;
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
            {"float complex", &GBL_FC32},
        {"double complex", &GBL_FC64},
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        const size_t n = strlen(types[k].name);
        if (strncasecmp(p, types[k].name, n) == 0 && *gb_skip_blank(p + n) == '\n')
            return *types[k].type;
    }
    return NULL;
}

/* Looks at comments and blank lines for one that says which type the entries have. */
static void read_types(gb_MmHeader *header, const char *p, const char *end) {
    static const char structured[] = "%%GraphBLAS", type[] = "type";
    for (const char *next; p < end; p = next) {
        const char *const line_end = memchr(p, '\n', (size_t)(end - p));
        next = line_end != NULL ? line_end + 1 : end;
        if (strncasecmp(p, structured, strlen(structured)) != 0) continue;
        const char *const word = gb_skip_blank(p + strlen(structured));
        if (gb_mm_word_length(word) != strlen(type) || strncasecmp(word, type, strlen(type)) != 0)
            continue;
        const gbl_Type named = named_type(gb_skip_blank(word + strlen(type)));
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
        if (lines->begin == lines->end)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the size line is missing: %s",
                            text->input.name,
                            body->header.array ? "rows columns" : "rows columns entries");
    }
}

gbl_Info gb_mm_read_header(gb_MmBody *body, gb_Lines *lines) {
    gb_Text *const text = body->text;
    body->comments = 0;
    gbl_Info info = check_mark(body);
    if (info == GBL_SUCCESS) info = gb_text_next(text, lines);
    if (info != GBL_SUCCESS) return info;
    gb_Scan scan = {.problem = {.line = text->line, .begin = lines->begin, .strict = body->strict}};
    scan.p = find_mark(lines->begin, lines->end, &scan.problem); /* check_mark has seen it */
    if (text->cr_ends && body->strict) {
        gb_problem_note(&scan.problem, GBL_INVALID_VALUE, scan.p, "lines end in CR alone");
        return gb_problem_fail(text, &scan.problem);
    }
    if (!read_banner(&scan, &body->header)) return gb_problem_fail(text, &scan.problem);
    body->mended = scan.problem.mended | (text->cr_ends ? GB_MM_CR : 0);
    lines->begin = scan.p;
    text->line = scan.problem.line + 1;
    info = find_sizes(body, lines);
    if (info != GBL_SUCCESS) return info;
    scan.p = scan.problem.begin = lines->begin;
    scan.problem.line = text->line;
    if (has_no_sizes(&scan, &body->header)) {
        body->mended |= GB_MM_NO_SIZE;
        return GBL_SUCCESS;
    }
    if (!read_sizes(&scan, &body->header)) return gb_problem_fail(text, &scan.problem);
    body->mended |= scan.problem.mended;
    lines->begin = scan.p;
    text->line++;
    return GBL_SUCCESS;
}
