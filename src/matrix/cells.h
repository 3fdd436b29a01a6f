/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a matrix as a vector, for what is written once for vectors: cell (i, j) is element
 * i * ncols + j. That is the order of a dense form, so the vector of a dense matrix borrows its
 * arrays; that of a list has its own indices and borrows the values. Such a vector lives as long as
 * a call, on the stack, and nobody else sees it.
 */
#ifndef GB_MATRIX_CELLS_H
#define GB_MATRIX_CELLS_H

#include "matrix/object.h"

typedef struct {
    gb_Matrix v;
    bool lends_dense, lends_x; /* v's dense arrays, or the values of its list, are the matrix's */
} gb_Cells;

/* The cells of A, which has entries: dense where A is, else a list. A is not written meanwhile. */
gbl_Info gb_cells_open(gb_Cells *cells, gb_Matrix *A);
/* A structural mask: the pattern of sorted rows. */
gbl_Info gb_cells_of_pattern(gb_Cells *cells, const gb_CsView *rows);
/* What was made beside borrowed arrays is freed. Cells all zero were never opened: that is fine. */
void gb_cells_close(gb_Cells *cells);

/* Writing: the vector gets the dense arrays of A, whose cells become those of the vector when it
 * was written, and stay as they were when not. Neither can fail. */
void gb_cells_take(gb_Cells *cells, const gb_Matrix *A);
void gb_cells_give(gb_Cells *cells, gb_Matrix *A, bool written);

/* Sorted rows become one list of cells, and the other way round. On failure they stay. */
gbl_Info gb_cells_from_rows(gb_Cs *cs, uint64_t ncols);
gbl_Info gb_cells_to_rows(gb_Cs *cs, uint64_t nrows, uint64_t ncols);

#endif
