/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices held in one form alone, which calls of the API do not promise. A header, since it sees
 * the inside of a matrix, as not every test does.
 */
#ifndef TEST_SUPPORT_FORMS_H
#define TEST_SUPPORT_FORMS_H

#include "matrix/matrix.h"
#include "support/gb_test.h"

/* As a bitmap or a full array alone. */
static inline void t_hold_dense(gbl_Matrix A) {
    gb_DenseView dense;
    OK(gb_acquire_dense(&A->m, &dense));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
}

#endif
