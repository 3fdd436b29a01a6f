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

/* Words up to the end of the line; *whole: all consist of digits. */
static int count_words(const char *p, bool *whole) {
    int n = 0;
    *whole = true;
    for (p = gb_skip_blank(p); *p != '\n' && *p != '%'; p = gb_skip_blank(p), n++)
        for (const char *const end = p + gb_mm_word_length(p); p < end; p++)
            *whole &= *p >= '0' && *p <= '9';
    return n;
}

/* Whether the first line that is no comment is a size line. */
static bool starts_with_sizes(const char *p, const char *end) {
    uint64_t line = 1;
    bool whole;
    return gb_mm_next_entry(&p, end, &line) && count_words(p, &whole) == 3 && whole;
}

/* Looks at the first portion of the text, which may be of any length and need not have lines.
 * scan->p: behind the mark; NULL: there are sizes instead. */
static gbl_Info find_start(gb_MmBody *body, gb_Scan *scan, gb_Lines *lines) {
    gb_Text *const text = body->text;
    const char *const begin = text->bytes, *const end = begin + text->size;
    *scan = (gb_Scan){.problem = {.line = 1, .begin = begin, .strict = body->strict}};
    const char *const found = find_mark(begin, end, &scan->problem);
    const char *line = found ? found : begin;
    if (!found && (body->strict || !starts_with_sizes(begin, end + 1))) {
        scan->problem.line = 1;
        gb_problem_note(&scan->problem, GBL_INVALID_VALUE, begin,
                        "not a Matrix Market file: it must start with %s", mark);
        return gb_problem_fail(text, &scan->problem);
    }
    while (line > begin && line[-1] != '\n') line--;
    const ptrdiff_t length = found ? found - line : 0; /* of the mark, and what is before it */
    text->used = (size_t)(line - begin);
    const gbl_Info info = gb_text_next(text, lines);
    scan->problem.begin = lines->begin;
    scan->p = found ? lines->begin + length : NULL;
    return info;
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
    const bool pattern = field == GB_MM_PATTERN, skew = symmetry == GB_MM_SKEW;
    if ((pattern && (header->array || skew)) || (field == GB_MM_UNSIGNED && skew))
        return gb_problem_note(&scan->problem, GBL_INVALID_VALUE, kind, "%s",
                               pattern ? "a pattern is neither array nor skew-symmetric"
                                       : "unsigned integers are not skew-symmetric");
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

/* A body that begins without a size line: two indices of a pattern, or two and a number that is not
 * whole. Entries say how large the matrix is. */
static bool has_no_sizes(const gb_Scan *scan, gb_MmHeader *header) {
    bool whole;
    const int words = count_words(scan->p, &whole);
    const bool pattern = words == 2 && header->field == GB_MM_PATTERN && whole;
    const bool real = words == 3 && header->field == GB_MM_REAL && !whole;
    if (scan->problem.strict || header->array || !(pattern || real)) return false;
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
        if (!is_mark(p, next, structured)) continue;
        const char *const word = gb_skip_blank(p + strlen(structured));
        if (!is_mark(word, next, type)) continue;
        const gbl_Type named = named_type(gb_skip_blank(word + strlen(type)));
        if (named != NULL) header->type = named;
    }
}

/* Moves lines->begin to the next line that is no comment; there are no lines at the end. */
static gbl_Info find_line(gb_MmBody *body, gb_Lines *lines) {
    gb_Text *const text = body->text;
    for (;;) {
        const char *const from = lines->begin;
        const bool found = gb_mm_next_entry(&lines->begin, lines->end, &text->line);
        gbl_Info info = gb_mm_count_comments(body, (uint64_t)(lines->begin - from));
        if (info == GBL_SUCCESS) read_types(&body->header, from, lines->begin);
        if (info != GBL_SUCCESS || found) return info;
        info = gb_text_next(text, lines);
        if (info != GBL_SUCCESS || lines->begin == lines->end) return info;
    }
}

gbl_Info gb_mm_read_header(gb_MmBody *body, gb_Lines *lines) {
    gb_Text *const text = body->text;
    gb_MmHeader *const header = &body->header;
    bool whole;
    body->comments = 0;
    gb_Scan scan;
    gbl_Info info = find_start(body, &scan, lines);
    if (info != GBL_SUCCESS) return info;
    if (text->cr_ends && body->strict) {
        gb_problem_note(&scan.problem, GBL_INVALID_VALUE, scan.p, "lines end in CR alone");
        return gb_problem_fail(text, &scan.problem);
    }
    if (scan.p && !read_banner(&scan, header)) return gb_problem_fail(text, &scan.problem);
    if (scan.p) {
        lines->begin = scan.p;
        text->line = scan.problem.line + 1;
    }
    body->mended = scan.p ? scan.problem.mended : GB_MM_NO_BANNER;
    if (text->cr_ends) body->mended |= GB_MM_CR;
    info = find_line(body, lines);
    if (info == GBL_SUCCESS && lines->begin == lines->end)
        info = gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the size line is missing: %s",
                        text->input.name, header->array ? "rows columns" : "rows columns entries");
    if (info != GBL_SUCCESS) return info;
    if (!body->strict && header->field == GB_MM_INTEGER &&
        (header->type == GBL_FP32 || header->type == GBL_FP64))
        header->field = GB_MM_REAL; /* some values may be inf */
    scan.p = scan.problem.begin = lines->begin;
    scan.problem.line = text->line;
    if (has_no_sizes(&scan, header)) {
        body->mended |= GB_MM_NO_SIZE;
        return GBL_SUCCESS;
    }
    if (!read_sizes(&scan, header)) return gb_problem_fail(text, &scan.problem);
    body->mended |= scan.problem.mended;
    lines->begin = scan.p;
    text->line++;
    if (!(body->mended & GB_MM_NO_BANNER)) return GBL_SUCCESS;
    info = find_line(body, lines);
    if (info == GBL_SUCCESS && lines->begin < lines->end && count_words(lines->begin, &whole) == 2)
        header->field = GB_MM_PATTERN;
    return info;
}
