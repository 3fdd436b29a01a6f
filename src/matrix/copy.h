/* SPDX-License-Identifier: Apache-2.0
 *
 * An object made of another: a copy, what of it is inside another shape, a diagonal matrix.
 */
#ifndef GB_MATRIX_COPY_H
#define GB_MATRIX_COPY_H

#include "matrix/object.h"

/* *C shares lists, dense arrays, the compact matrix's likewise, and pending updates with A: O(1).
 * Whoever writes first gets arrays of its own. Tiles are not shared, and the user's arrays are
 * copied. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
/* *C has one of the representations of A, in arrays of its own. */
gbl_Info gb_matrix_copy(gb_Matrix **C, gb_Matrix *A);
/* Arrays that others have too become copies of A's own; dense ones of objects that have them.
 * Writers only. */
gbl_Info gb_matrix_own(gb_Matrix *A, gb_Format format);
gbl_Info gb_matrix_own_dense(gb_Matrix *A);
/* Entries outside the new shape go. A larger shape keeps forms and pending updates, in amortised
 * O(rows or elements that are new), but for tiles, and dense arrays that get columns. */
gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols);
/* Entry i of v becomes (i, i + k), or (i - k, i) when k is negative. */
gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k);

#endif
