/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices held as a bitmap or a full array and nothing else, which no call of the API promises.
 */
#pragma once

#include "matrix/matrix.h"
#include "support/gb_test.h"

static inline void hold_dense(gbl_Matrix A) {
    gb_DenseView dense;
    OK(gb_acquire_dense(&A->m, &dense));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
}
