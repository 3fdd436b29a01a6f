/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of generators: a header alone, since not every test links gblite_io.
 */
#pragma once

#include "support/gb_test.h"

#include <gblite_io.h>

/* What gbl_generate makes of the spec, "er:10:6" and so on. */
static inline gbl_Matrix t_from_spec(gbl_Type type, const char *spec) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, type, spec));
    return A;
}
