/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of an object: the same content, or what of it is inside another shape.
 */
#ifndef GB_MATRIX_COPY_H
#define GB_MATRIX_COPY_H

#include "matrix/object.h"

/* *C has one of the representations of A. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
/* Entries outside the new shape go. */
gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols);

#endif
