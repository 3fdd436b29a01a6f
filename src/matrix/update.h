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

/* The usual case of it: there is one sorted list of entries with values of their own, and this is
 * one of them. False: another case. */
bool gb_overwrite_at_hand(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);

#endif
