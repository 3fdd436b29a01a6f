/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of shapes and types; see domain.h.
 */
#include "ops/domain.h"

#include <stdio.h>

gbl_Info gb_check_shape(const gb_Matrix *A, bool transposed, uint64_t nrows, uint64_t ncols,
                        const char *name) {
    const uint64_t m = transposed ? A->ncols : A->nrows;
    const uint64_t n = transposed ? A->nrows : A->ncols;
    if (m == nrows && n == ncols) return GBL_SUCCESS;
    if (gb_is_vector(A)) {
        return gb_fail(GBL_DIMENSION_MISMATCH, "%s has %llu elements, but must have %llu", name,
                       (unsigned long long)m, (unsigned long long)nrows);
    }
    return gb_fail(GBL_DIMENSION_MISMATCH, "%s%s is %llu x %llu, but must be %llu x %llu", name,
                   transposed ? " (transposed)" : "", (unsigned long long)m, (unsigned long long)n,
                   (unsigned long long)nrows, (unsigned long long)ncols);
}

const char *gb_type_text(const gb_Type *type, char *space) {
    static const char *const names[] = {"",      "BOOL",   "INT8",  "UINT8",  "INT16", "UINT16",
                                        "INT32", "UINT32", "INT64", "UINT64", "FP32",  "FP64"};
    if (type->code == GBL_UDT_CODE) {
        snprintf(space, GB_TYPE_TEXT, "a user type of %zu bytes", type->size);
        return space;
    }
    return names[type->code];
}

gbl_Info gb_check_cast(const gb_Type *to, const gb_Type *from, const char *what) {
    if (gb_type_castable(to, from)) return GBL_SUCCESS;
    char space[2][GB_TYPE_TEXT];
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "cannot cast %s: the value is %s, wanted is %s; user types fit only themselves",
                   what, gb_type_text(from, space[0]), gb_type_text(to, space[1]));
}
