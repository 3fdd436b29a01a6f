/* SPDX-License-Identifier: Apache-2.0
 *
 * One entry of an object.
 */
#ifndef GB_MATRIX_ELEMENT_H
#define GB_MATRIX_ELEMENT_H

#include "matrix/matrix.h"

/* *x: the value at (row, col), which are in range, or NULL when there is no entry; valid until the
 * object is next written. Assembles, but converts nothing: O(log) in sorted rows, O(entries of the
 * row) in unsorted ones, O(1) in dense vectors. */
gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x);
/* Position of the entry in row k (column k, of columns), or UINT64_MAX; costs as above. */
uint64_t gb_element_at(const gb_CsView *view, uint64_t k, uint64_t minor);

#endif
