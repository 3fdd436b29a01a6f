/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of kernels that only ordinary objects reach.
 */
#pragma once

#include "matrix/object.h"
#include "matrix/matrix.h"
#include "support/gb_test.h"

/* A matrix that may be hypersparse has ordinary rows, and nothing else. */
static inline void t_keep_rows(gbl_Matrix A) {
    gb_CsView rows;
    OK(gb_acquire(&A->m, GB_CSR, &rows));
    gb_matrix_keep_only(&A->m, GBL_HAS_CSR);
}
