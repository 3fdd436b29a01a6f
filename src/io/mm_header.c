/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a Matrix Market text: the banner
 *   %%MatrixMarket matrix <format> <field> <symmetry>
 * then comments and blank lines, then the size line: rows, columns and, for coordinate, entries.
 */
#include "mm.h"

#include <string.h>
#include <strings.h>

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

static bool read_banner(gb_Scan *scan, gb_MmHeader *header) {
    static const char mark[] = "%%MatrixMarket";
    static const gb_Word objects[] = {{"matrix", 0, false}, {NULL, 0, false}};
    int object, format, field, symmetry;
    if (word_length(scan->p) != strlen(mark) || strncasecmp(scan->p, mark, strlen(mark)) != 0) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, scan->p,
                   "not a Matrix Market file: it must start with %s", mark);
        return false;
    }
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
    const char *const at = scan->p = gb_mm_skip_blank(scan->p);
    uint64_t value = 0;
    bool overflow = false;
    unsigned digit;
    for (; (digit = (unsigned)*scan->p - '0') < 10; scan->p++) {
        overflow |= __builtin_mul_overflow(value, 10, &value);
        overflow |= __builtin_add_overflow(value, digit, &value);
    }
    if (scan->p == at) {
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
    if (!read_size(scan, "rows", GBL_INDEX_MAX, &header->nrows) ||
        !read_size(scan, "columns", GBL_INDEX_MAX, &header->ncols)) {
        return false;
    }
    if (header->symmetry != GB_MM_GENERAL && header->nrows != header->ncols) {
        gb_mm_note(&scan->problem, GBL_INVALID_VALUE, line, "a symmetric matrix must be square");
        return false;
    }
    if (header->array) {
        header->entries = array_entries(header);
    } else if (!read_size(scan, "entries", header->nrows * header->ncols, &header->entries)) {
        return false;
    }
    return gb_mm_finish_line(&scan->p, &scan->problem);
}

gbl_Info gb_mm_read_header(gb_MmHeader *header, const gb_Text *text) {
    gb_Scan scan = {.p = text->bytes, .problem.line = 1};
    const char *const end = text->bytes + text->size;
    if (!read_banner(&scan, header)) return gb_mm_fail(text, &scan.problem);
    scan.problem.line = 2;
    if (!gb_mm_next_entry(&scan.p, end, &scan.problem.line)) {
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the size line is missing: %s", text->name,
                        header->array ? "rows columns" : "rows columns entries");
    }
    if (!read_sizes(&scan, header)) return gb_mm_fail(text, &scan.problem);
    header->body = scan.p;
    header->line = scan.problem.line + 1;
    return GBL_SUCCESS;
}
