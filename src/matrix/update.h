/* SPDX-License-Identifier: Apache-2.0
 *
 * setElement and removeElement.
 */
#ifndef GB_MATRIX_UPDATE_H
#define GB_MATRIX_UPDATE_H

#include "matrix/object.h"

/* The entry at (row, col), which is in range, becomes *x, or goes when x is NULL: now in blocking
 * mode, else perhaps when the content is next needed. */
gbl_Info gb_update(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);

#endif
