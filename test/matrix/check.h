/* SPDX-License-Identifier: Apache-2.0
 *
 * Verifies the invariants that matrix/object.h, matrix/hyper.h and core/view.h state.
 */
#pragma once

#include "matrix/object.h"

/* GBL_INVALID_OBJECT with a text. */
gbl_Info gb_matrix_check(gb_Matrix *A);
