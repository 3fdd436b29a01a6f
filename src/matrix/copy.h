/* SPDX-License-Identifier: Apache-2.0
 *
 * An object made of another: a copy, what of it is inside another shape, a diagonal matrix.
 */
#ifndef GB_MATRIX_COPY_H
#define GB_MATRIX_COPY_H

#include "matrix/object.h"

/* *C has one of the representations of A. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
/* Arrays that are lent become copies of the library's own. Writers only. */
gbl_Info gb_matrix_own(gb_Matrix *A, gb_Format format);
/* Entries outside the new shape go. */
gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols);
/* Entry i of v becomes (i, i + k), or (i - k, i) when k is negative. */
gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k);

#endif
