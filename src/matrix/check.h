/* SPDX-License-Identifier: Apache-2.0
 *
 * Verifies the integrity that object.h and core/view.h state, for tests.
 */
#ifndef GB_MATRIX_CHECK_H
#define GB_MATRIX_CHECK_H

#include "matrix/object.h"

/* GBL_INVALID_OBJECT with a text. */
gbl_Info gb_matrix_check(gb_Matrix *A);

#endif
