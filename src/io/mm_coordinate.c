/* SPDX-License-Identifier: Apache-2.0
 *
 * Coordinate bodies: "row column [value]" per line, in any order, counted from 1. An entry of a
 * symmetric matrix may stand on either side of the diagonal; it takes two slots of the list, the
 * second for its mirror image, or for nothing when it is on the diagonal.
 */
#include "coo.h"
#include "mm.h"

#include <stdlib.h>

typedef struct {
    uint32_t i, j;
} gb_Indices;

/* Reads a number in 1..most as an index from 0. */
static bool read_index(const char **p, gbl_Index most, uint32_t *index) {
    const char *s = *p;
    uint64_t value = 0;
    unsigned digit;
    for (; (digit = (unsigned)*s - '0') < 10; s++) value = value * 10 + digit;
    /* 19 digits fit into 64 bits; the character behind is checked by what is read next */
    if (s == *p || s - *p > 19 || value - 1 >= most) return false;
    *index = (uint32_t)(value - 1);
    *p = s;
    return true;
}

static bool note_index(gb_MmProblem *problem, const char *at, const char *what, gbl_Index most) {
    const char *digit = at + (*at == '-');
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

static bool read_indices(const gb_MmHeader *header, const char **p, gb_Indices *at,
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

/* Reads the line at *p to slot k. */
static bool read_entry(const gb_MmBody *body, gb_Coo *coo, const char **p, uint64_t k,
                       gb_MmProblem *problem) {
    const gb_MmHeader *const header = body->header;
    const char *const line = *p;
    gb_Indices at;
    if (!read_indices(header, p, &at, problem)) return false;
    if (header->field != GB_MM_PATTERN && !gb_mm_read_value(body, p, coo->x, k, problem)) {
        return false;
    }
    if (header->symmetry == GB_MM_SKEW && at.i == at.j) {
        gb_mm_note(problem, GBL_INVALID_VALUE, line,
                   "a skew-symmetric matrix has no entries on the diagonal");
        return false;
    }
    coo->i[k] = at.i;
    coo->j[k] = at.j;
    if (header->symmetry != GB_MM_GENERAL) {
        coo->i[k + 1] = at.i == at.j ? GB_COO_NONE : at.j;
        coo->j[k + 1] = at.i;
    }
    return gb_mm_finish_line(p, problem);
}

static void read_piece(const gb_MmBody *body, gb_Coo *coo, gb_MmPiece *piece) {
    const unsigned copies = gb_mm_copies(body->header);
    const char *p = piece->begin;
    uint64_t k = piece->entry * copies;
    gb_MmProblem problem = {.line = piece->line};
    while (gb_mm_next_entry(&p, piece->end, &problem.line)) {
        if (!read_entry(body, coo, &p, k, &problem)) {
            piece->problem = problem;
            return;
        }
        problem.line++;
        k += copies;
    }
}

/* Names the two lines that give the same entry; they are looked up again in the text. */
static gbl_Info fail_twice(const gb_MmBody *body, gb_Place twice) {
    const gb_MmHeader *const header = body->header;
    const bool symmetric = header->symmetry != GB_MM_GENERAL;
    const char *const end = body->text->bytes + body->text->size;
    uint64_t line = header->line, first = 0;
    for (const char *p = header->body; gb_mm_next_entry(&p, end, &line); line++) {
        gb_Indices at;
        gb_MmProblem problem;
        read_indices(header, &p, &at, &problem);
        const bool same = at.i == twice.i && at.j == twice.j;
        const bool mirrored = symmetric && at.i == twice.j && at.j == twice.i;
        if ((same || mirrored) && first > 0) break;
        if (same || mirrored) first = line;
        while (*p != '\n') p++;
        p++;
    }
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: line %llu: the entry (%llu, %llu) was given before, in line %llu",
                    body->text->name, (unsigned long long)line, (unsigned long long)twice.i + 1,
                    (unsigned long long)twice.j + 1, (unsigned long long)first);
}

/* The one value of a pattern. */
static gbl_Info add_one(gbl_Arrays *arrays, const gb_Kind *kind) {
    arrays->iso = true;
    arrays->x = malloc(kind->size);
    if (!arrays->x) return gb_io_no_memory("a value");
    gb_io_store_real(arrays->x, 0, kind->code, 1);
    return GBL_SUCCESS;
}

gbl_Info gb_mm_read_coordinate(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = body->header;
    const bool pattern = header->field == GB_MM_PATTERN;
    gb_Coo coo = {.nrows = header->nrows,
                  .ncols = header->ncols,
                  .n = header->entries * gb_mm_copies(header),
                  .size = pattern ? 0 : body->kind.size};
    gbl_Info info = gb_coo_alloc(&coo, "the matrix in the file");
    if (info != GBL_SUCCESS) return info;
#pragma omp parallel for schedule(dynamic, 1) num_threads(gb_io_threads())
    for (int64_t k = 0; k < body->pieces; k++) read_piece(body, &coo, &body->piece[k]);
    info = gb_mm_check_pieces(body);
    if (info != GBL_SUCCESS) {
        gb_coo_free(&coo);
        return info;
    }
    gbl_Arrays arrays = {0};
    gb_Place twice;
    info = gb_coo_to_rows(&coo, GB_COO_REFUSE, &arrays, &twice);
    if (info == GBL_NO_VALUE) return fail_twice(body, twice);
    if (info == GBL_SUCCESS && pattern) info = add_one(&arrays, &body->kind);
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    return gb_io_move_in(A, &body->kind, header->nrows, header->ncols, &arrays);
}
