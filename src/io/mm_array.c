/* SPDX-License-Identifier: Apache-2.0
 *
 * Array bodies: one value per line, column by column; of symmetric matrices only what is on and
 * below the diagonal, of skew-symmetric ones what is below. The result stores every place of the
 * matrix by rows, also the zeros.
 */
#include "mm.h"

#include <string.h>

enum { ROWS_AT_ONCE = 16 }; /* of two cache lines of 8-byte values that each column lends */

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

typedef struct {
    const gb_MmBody *body;
    gbl_Arrays *arrays;
} Filling;

/* Fills the rows of block b from the list. */
static void fill_rows(void *context, gbl_Index b) {
    const gb_MmBody *const body = ((Filling *)context)->body;
    const gbl_Arrays *const arrays = ((Filling *)context)->arrays;
    const gb_MmHeader *const header = &body->header;
    const uint64_t first = b * ROWS_AT_ONCE, left = header->nrows - first;
    const uint64_t end = first + (left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE);
    const unsigned copies = gb_mm_copies(header);
    const size_t size = body->kind.size;
    for (uint64_t r = first; r < end; r++) {
        arrays->p[r] = r * header->ncols;
        for (uint64_t j = 0; j < header->ncols; j++) {
            arrays->i[r * header->ncols + j] = (uint32_t)j;
        }
    }
    for (uint64_t j = 0; j < header->ncols; j++) {
        for (uint64_t r = first; r < end; r++) {
            const uint64_t to = r * header->ncols + j;
            const bool listed = r >= first_row(header, j);
            const uint64_t row = listed ? r : j, column = listed ? j : r; /* of the value */
            if (header->symmetry == GB_MM_SKEW && r == j) {
                memset((char *)arrays->x + to * size, 0, size);
                continue;
            }
            const uint64_t value = values_before(header, column) + row - first_row(header, column);
            gb_io_copy_value(arrays->x, to, body->list.x, value * copies + !listed, size);
        }
    }
}

gbl_Info gb_mm_make_array(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    const uint64_t places = header->nrows * header->ncols;
    /* a 1 x 1 skew-symmetric file lists nothing; all others list about half of it at least, and all
     * that is there, so that these sizes do not overflow */
    gbl_Info info = gb_io_claim(places * (body->kind.size + sizeof(uint32_t)) +
                                    (header->nrows + 1) * sizeof(uint64_t),
                                "the matrix");
    if (info != GBL_SUCCESS) goto done;
    gbl_Arrays arrays = {.p = gb_io_alloc(header->nrows + 1, sizeof *arrays.p),
                         .i = gb_io_alloc(places, sizeof *arrays.i),
                         .x = gb_io_alloc(places, body->kind.size)};
    if (!arrays.p || !arrays.i || !arrays.x) {
        gb_io_free_arrays(&arrays);
        info = gb_io_no_memory("the matrix");
        goto done;
    }
    const gbl_Index blocks = (header->nrows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    gbl_parallel(blocks, fill_rows, &(Filling){body, &arrays});
    arrays.p[header->nrows] = places;
    info = gb_io_move_in(A, &body->kind, (gb_Shape){header->nrows, header->ncols}, GBL_CSR_FORMAT,
                         &arrays);
done:
    gb_coo_free(&body->list);
    return info;
}
