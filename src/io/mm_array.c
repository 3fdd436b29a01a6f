/* SPDX-License-Identifier: Apache-2.0
 *
 * Array bodies: one value per line, column by column; of symmetric matrices only what is on and
 * below the diagonal, of skew-symmetric ones what is below. The result stores every place of the
 * matrix, also the zeros, so that each value's place follows from its number.
 */
#include "coo.h"
#include "mm.h"

/* The first row that the file lists of column j. */
static uint64_t first_row(const gb_MmHeader *header, uint64_t j) {
    switch (header->symmetry) {
    case GB_MM_SYMMETRIC:
        return j;
    case GB_MM_SKEW:
        return j + 1;
    default:
        return 0;
    }
}

/* How many values the file lists before column j: nrows - first_row(c), summed over c < j. */
static uint64_t values_before(const gb_MmHeader *header, uint64_t j) {
    const uint64_t all = j * header->nrows;
    switch (header->symmetry) {
    case GB_MM_SYMMETRIC:
        return all - j * (j - 1) / 2;
    case GB_MM_SKEW:
        return all - j * (j + 1) / 2;
    default:
        return all;
    }
}

/* The column of a value: the last one that does not start behind it. */
static uint64_t column_of(const gb_MmHeader *header, uint64_t entry) {
    uint64_t low = 0, high = header->ncols;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (values_before(header, middle) <= entry) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void read_piece(const gb_MmBody *body, void *x, gb_MmPiece *piece) {
    const gb_MmHeader *const header = body->header;
    const size_t size = body->kind.size;
    const char *p = piece->begin;
    uint64_t j = column_of(header, piece->entry);
    uint64_t i = first_row(header, j) + piece->entry - values_before(header, j);
    gb_MmProblem problem = {.line = piece->line};
    while (gb_mm_next_entry(&p, piece->end, &problem.line)) {
        uint64_t pair[2]; /* room for two values of any type */
        if (!gb_mm_read_value(body, &p, pair, 0, &problem) || !gb_mm_finish_line(&p, &problem)) {
            piece->problem = problem;
            return;
        }
        gb_coo_move(x, i * header->ncols + j, pair, 0, size);
        if (header->symmetry != GB_MM_GENERAL && i != j) {
            gb_coo_move(x, j * header->ncols + i, pair, 1, size);
        }
        problem.line++;
        if (++i == header->nrows) i = first_row(header, ++j);
    }
}

static void fill_structure(const gb_MmHeader *header, gbl_Arrays *arrays) {
    const int64_t nrows = (int64_t)header->nrows;
#pragma omp parallel for schedule(static) num_threads(gb_io_threads())
    for (int64_t r = 0; r < nrows; r++) {
        const uint64_t start = (uint64_t)r * header->ncols;
        arrays->p[r] = start;
        for (uint64_t j = 0; j < header->ncols; j++) arrays->i[start + j] = (uint32_t)j;
    }
    arrays->p[nrows] = header->nrows * header->ncols;
}

gbl_Info gb_mm_read_array(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = body->header;
    const uint64_t places = header->nrows * header->ncols;
    /* a 1 x 1 skew-symmetric file lists nothing; all others list about half of it at least, which
     * the count of the lines has confirmed, so that these products do not overflow */
    gbl_Info info = gb_io_claim(places * (body->kind.size + sizeof(uint32_t)) +
                                    (header->nrows + 1) * sizeof(uint64_t),
                                "the matrix in the file");
    if (info != GBL_SUCCESS) return info;
    gbl_Arrays arrays = {.p = gb_io_alloc(header->nrows + 1, sizeof *arrays.p),
                         .i = gb_io_alloc(places, sizeof *arrays.i),
                         .x = gb_io_alloc_zero(places, body->kind.size)};
    if (!arrays.p || !arrays.i || !arrays.x) {
        gb_io_free_arrays(&arrays);
        return gb_io_no_memory("the matrix in the file");
    }
    fill_structure(header, &arrays);
#pragma omp parallel for schedule(dynamic, 1) num_threads(gb_io_threads())
    for (int64_t k = 0; k < body->pieces; k++) read_piece(body, arrays.x, &body->piece[k]);
    info = gb_mm_check_pieces(body);
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    return gb_io_move_in(A, &body->kind, header->nrows, header->ncols, &arrays);
}
