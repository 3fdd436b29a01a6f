/* SPDX-License-Identifier: Apache-2.0
 *
 * Verifies the invariants that matrix/object.h, matrix/hyper.h and core/view.h state.
 */
#ifndef GB_TEST_MATRIX_CHECK_H
#define GB_TEST_MATRIX_CHECK_H

#include "matrix/object.h"

/* GBL_INVALID_OBJECT with a text. */
gbl_Info gb_matrix_check(gb_Matrix *A);

#endif
