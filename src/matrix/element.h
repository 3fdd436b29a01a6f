/* SPDX-License-Identifier: Apache-2.0
 *
 * One entry of an object.
 */
#ifndef GB_MATRIX_ELEMENT_H
#define GB_MATRIX_ELEMENT_H

#include "matrix/object.h"

/* *x: the value at (row, col), which are in range, or NULL when there is no entry; valid until the
 * object is next written. Assembles, but converts nothing: O(log) in sorted rows, O(entries of the
 * row) in unsorted ones, O(1) in dense vectors. */
gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x);

#endif
