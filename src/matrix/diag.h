/* SPDX-License-Identifier: Apache-2.0
 *
 * A diagonal matrix from a vector.
 */
#ifndef GB_MATRIX_DIAG_H
#define GB_MATRIX_DIAG_H

#include "matrix/object.h"

/* Entry i of v becomes (i, i + k), or (i - k, i) when k is negative. */
gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k);

#endif
