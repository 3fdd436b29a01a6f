/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense forms, a bitmap or a full array: updates in place, and a matrix as the vector of its flat
 * indices.
 *
 * Invariants: (i, j) has flat index i * ncols + j, the order of the dense form. A gb_FlatVector
 * lives as long as a call, on the stack, and nobody else sees its vector: that of a dense matrix
 * borrows its arrays, that of rows has indices of its own and borrows the values.
 */
#ifndef GB_MATRIX_DENSE_H
#define GB_MATRIX_DENSE_H

#include "matrix/object.h"

/* -- updates ----------------------------------------------------------------------------------- */

/* Element k becomes *x, or goes when x is NULL, in place. False, and nothing has happened, where
 * the object is not held as dense arrays alone or they cannot take it. For the writer of v, who has
 * no pending updates. O(1). */
bool gb_dense_write(gb_Matrix *v, uint64_t k, const void *x);

/* The entries of the list (nmajor = 1) become v's, their values x of v's type: one for all, or one
 * each. v is dense and not iso, and has no pending updates; the list is not v's own. Other
 * representations go. O(entries of the list); cannot fail. */
void gb_dense_write_list(gb_Matrix *v, const gb_CsView *list, const void *x, bool one);

/* A writer has set values of the dense v, and bytes of its bitmap, of so many elements that were
 * not there. Other representations go. */
void gb_dense_gained(gb_Matrix *v, uint64_t added);

/* Under the lock: the dense arrays take the updates in the order of the calls. */
gbl_Info gb_dense_assemble(gb_Matrix *v, const gb_Pending *list);

/* -- a matrix as a vector ---------------------------------------------------------------------- */

typedef struct {
    gb_Matrix v;
    bool lends_dense, lends_x; /* v's dense arrays, or the values of its list, are the matrix's */
} gb_FlatVector;

/* A, which has entries, by flat index: dense where A is, else a list. A is not written meanwhile.
 */
gbl_Info gb_flat_open(gb_FlatVector *cells, gb_Matrix *A);
/* A structural mask: the pattern of sorted rows. */
gbl_Info gb_flat_of_pattern(gb_FlatVector *cells, const gb_CsView *rows);
/* Frees what was made beside borrowed arrays; does nothing where all is zero. */
void gb_flat_close(gb_FlatVector *cells);

/* Writing: the vector takes the dense arrays of A and gives them back; `written`: A gets what the
 * vector has become. Neither can fail. */
void gb_flat_take(gb_FlatVector *cells, const gb_Matrix *A);
void gb_flat_give(gb_FlatVector *cells, gb_Matrix *A, bool written);

/* Sorted rows become one list of flat indices, and the other way round. On failure they stay. */
gbl_Info gb_flat_from_rows(gb_Cs *cs, uint64_t ncols);
gbl_Info gb_flat_to_rows(gb_Cs *cs, uint64_t nrows, uint64_t ncols);

#endif
