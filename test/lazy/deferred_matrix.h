/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of products that are put off multiply.
 */
#pragma once

#include "support/gb_test.h"

enum { SIDE = 48 }; /* masks below have more entries than GB_DEFER_LEAST */

#define RING GBL_PLUS_TIMES_SEMIRING_INT64
#define SUM GBL_PLUS_MONOID_INT64

static inline gbl_Matrix random_matrix(t_Random *r, gbl_Type_Code code, double density) {
    const t_Content content = {o_type(code), SIDE, SIDE, T_RANDOM, density, false, false};
    const gbl_Matrix A = t_random_matrix(r, &content);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}
