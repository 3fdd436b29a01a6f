/* SPDX-License-Identifier: Apache-2.0
 *
 * One line of a Matrix Market body: its indices, its value, its end, and the words for what is
 * wrong with it. An entry of a symmetric matrix may stand on either side of the diagonal.
 */
#include <float.h>

#include "mm.h"

bool gb_mm_next_entry(const char **p, const char *end, uint64_t *line) {
    while (*p < end) {
        const char *const first = gb_skip_blank(*p);
        if (!gb_is_comment(GB_MM_MARKS, *first)) {
            *p = first;
            return true;
        }
        *p = gb_next_line(first, end);
        ++*line;
    }
    return false;
}

bool gb_mm_finish_line(const char **p, gb_Problem *problem) {
    const char *rest = gb_skip_blank(*p);
    if (*rest == '%' && !problem->strict) {
        problem->mended |= GB_MM_BEHIND;
        while (*rest != '\n') rest++;
    }
    if (*rest != '\n')
        return gb_problem_note(problem, GBL_INVALID_VALUE, rest, "the line should end here");
    *p = rest + 1;
    return true;
}

static bool ends_word(const char *p) {
    return *p == ' ' || *p == '\n' || *p == '\t' || *p == '\r';
}

/* A number that ends where its exponent in Fortran's way begins: 1.5D+3, 1.5+3, 1.5Q3. */
static bool read_fortran(const char **p, const char *at, double *value, gb_Problem *problem) {
    const char *const end = at + gb_mm_word_length(at);
    if (problem->strict || !gb_number_read_fortran(at, *p, end, value)) return false;
    *p = end;
    problem->mended |= GB_MM_EXPONENT;
    return true;
}

static bool read_integer(const gb_MmBody *body, const char **p, gb_Integer *value,
                         gb_Problem *problem) {
    const char *s = *p;
    const gbl_Type_Code code = body->kind.code;
    const bool named = body->named && code < GBL_FP32_CODE;
    const bool sign = named ? code % 2 == 0 : code < GBL_UINT64_CODE; /* floats hold all */
    const unsigned bits = !named ? 64 : code == GBL_BOOL_CODE ? 1 : 8 * (unsigned)body->kind.size;
    *value = (gb_Integer){.negative = *s == '-'};
    if (*s == '-' || *s == '+') s++;
    const char *const first = s;
    const bool fits = gb_read_whole(&s, &value->magnitude);
    if (s == first || !ends_word(s))
        return gb_problem_note(problem, GBL_INVALID_VALUE, *p, "the value must be an integer");
    if (value->negative && value->magnitude > 0 && body->header.field == GB_MM_UNSIGNED)
        return gb_problem_note(problem, GBL_INVALID_VALUE, *p,
                               "the banner says unsigned-integer; the value is negative");
    const uint64_t half = UINT64_C(1) << (bits - 1), all = UINT64_MAX >> (64 - bits);
    const uint64_t below = half - (body->header.symmetry == GB_MM_SKEW); /* and the image above 0 */
    const uint64_t most = value->negative ? (named && !sign ? 0 : below) : sign ? half - 1 : all;
    if (!fits || value->magnitude > most)
        return gb_problem_note(problem, GBL_INVALID_VALUE, *p, "the value does not fit into %s",
                               named ? "the type that the comment above names"
                               : value->negative || !sign
                                   ? "64 bits"
                                   : "INT64; ask for UINT64 or FP64, or write "
                                     "unsigned-integer in the banner");
    *p = s;
    return true;
}

/* Reads one of `most` numbers from `first` on, with or without a plus sign, as an index from 0. */
static bool read_index(const char **p, unsigned first, gbl_Index most, gbl_Index *index) {
    const char *s = *p + (**p == '+');
    uint64_t value; /* the character behind is checked by what is read next */
    if (!gb_read_whole(&s, &value) || value - first >= most) return false;
    *index = value - first;
    *p = s;
    return true;
}

static bool note_index(gb_Problem *problem, const char *at, const char *what, unsigned first,
                       gbl_Index most) {
    const char *const digit = at + (*at == '-' || *at == '+'), *p = digit;
    uint64_t value;
    if (*digit < '0' || *digit > '9')
        return gb_problem_note(problem, GBL_INVALID_VALUE, at, "a %s index is missing", what);
    const bool is_0 = gb_read_whole(&p, &value) && value == 0;
    if (is_0 && !problem->strict) problem->mended |= GB_MM_FROM_0;
    return gb_problem_note(problem, GBL_INDEX_OUT_OF_BOUNDS, at,
                           "the %s index must be in %u..%llu%s", what, first,
                           (unsigned long long)most - !first,
                           is_0    ? ", not from 0"
                           : first ? ""
                                   : ", since some index is 0");
}

/* Moves *p over the blanks behind the index that started at `first`. */
static bool skip_to_next(const char **p, const char *first, const char *what, gb_Problem *problem) {
    const char *const next = gb_skip_blank(*p);
    if (next == *p && *next != '\n')
        return gb_problem_note(problem, GBL_INVALID_VALUE, first, "the %s index must be an integer",
                               what);
    *p = next;
    return true;
}

bool gb_mm_read_indices(const gb_MmHeader *header, const char **p, gb_Place *at,
                        gb_Problem *problem) {
    const char *const first = *p;
    const unsigned from = !header->from_0;
    if (!read_index(p, from, header->nrows, &at->i))
        return note_index(problem, *p, "row", from, header->nrows);
    if (!skip_to_next(p, first, "row", problem)) return false;
    const char *const second = *p;
    if (!read_index(p, from, header->ncols, &at->j))
        return note_index(problem, *p, "column", from, header->ncols);
    return skip_to_next(p, second, "column", problem);
}

static bool note_weight(const char *at, gb_Problem *problem) {
    return gb_problem_note(problem, GBL_INVALID_VALUE, at,
                           "the weight of an edge must be a finite number of 0 or more");
}

static bool read_real(const char **p, double *value, gb_Problem *problem) {
    const char *const at = *p;
    if (gb_number_read(p, value) && (ends_word(*p) || read_fortran(p, at, value, problem)))
        return true;
    return gb_problem_note(problem, GBL_INVALID_VALUE, at, "the value must be a number");
}

/* Reads a value at *p and stores it at x[k], and for its mirror image at x[k + 1]. */
static bool read_value(const gb_MmBody *body, const char **p, uint64_t k, gb_Problem *problem) {
    const gb_MmSymmetry symmetry = body->header.symmetry;
    const gb_MmField field = body->header.field;
    const gbl_Type_Code code = body->kind.code;
    const bool mirrors = symmetry != GB_MM_GENERAL, negate = symmetry == GB_MM_SKEW;
    void *const x = body->list.x;
    const char *const at = *p;
    if (*at == '\n') return gb_problem_note(problem, GBL_INVALID_VALUE, at, "the value is missing");
    if (problem->weights && *at == '-') return note_weight(at, problem);
    if (field == GB_MM_INTEGER || field == GB_MM_UNSIGNED) {
        gb_Integer value;
        if (!read_integer(body, p, &value, problem)) return false;
        gb_io_store_integer(x, k, code, value);
        value.negative ^= negate;
        if (mirrors) gb_io_store_integer(x, k + 1, code, value);
        return true;
    }
    double re, im = 0;
    if (!read_real(p, &re, problem)) return false;
    if (field == GB_MM_COMPLEX) {
        *p = gb_skip_blank(*p);
        if (**p == '\n')
            return gb_problem_note(problem, GBL_INVALID_VALUE, *p, "the imaginary part is missing");
        if (!read_real(p, &im, problem)) return false;
    }
    if (problem->weights && (field == GB_MM_COMPLEX || !(re <= DBL_MAX)))
        return note_weight(at, problem);
    gb_io_store_complex(x, k, code, re, im);
    if (mirrors)
        gb_io_store_complex(x, k + 1, code, negate ? -re : re,
                            symmetry == GB_MM_SYMMETRIC ? im : 0 - im);
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
                            gb_Problem *problem) {
    const gb_MmHeader *const header = &body->header;
    const char *const line = *p;
    gb_Place at;
    double unused;
    if (!gb_mm_read_indices(header, p, &at, problem)) return false;
    const char *end = *p;
    if (header->field != GB_MM_PATTERN) {
        if (!read_value(body, p, k, problem)) return false;
    } else if (!problem->strict && gb_number_read(&end, &unused) && ends_word(end)) {
        problem->mended |= GB_MM_VALUES;
        *p = end;
    }
    if (header->symmetry == GB_MM_SKEW && at.i == at.j)
        return gb_problem_note(problem, GBL_INVALID_VALUE, line,
                               "a skew-symmetric matrix has no entries on the diagonal");
    store_place(&body->list, k, at, header->symmetry != GB_MM_GENERAL);
    return true;
}

bool gb_mm_read_line(const gb_MmBody *body, const char **p, uint64_t k, gb_Problem *problem) {
    const bool read =
        body->header.array ? read_value(body, p, k, problem) : read_coordinate(body, p, k, problem);
    return read && gb_mm_finish_line(p, problem);
}
