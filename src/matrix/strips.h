/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a representation in strips (core/strips.h), cached with the matrix until it is written:
 * as a pattern, and with values, which serve for a pattern too. 4 bytes and a value an entry, 7 a
 * row. The product number GB_STRIPS_WORTH that could have used them makes them, under the lock, so
 * that a matrix that is multiplied once or twice is not charged; where memory is short there are
 * none.
 */
#ifndef GB_MATRIX_STRIPS_H
#define GB_MATRIX_STRIPS_H

#include "matrix/object.h"

/* Those of A, a sorted view of cs[format], with its values, of 4 or 8 bytes, or without. */
gb_StripView gb_strips_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values);

#endif
