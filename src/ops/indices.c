/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of indices; see indices.h.
 */
#include "ops/indices.h"

#include "ops/op.h"

gbl_Info gb_check_indices(const gb_Matrix *v, const char *name) {
    const gbl_Type_Code code = v->type->code;
    char space[GB_TYPE_TEXT];
    if (code >= GBL_INT8_CODE && code <= GBL_UINT64_CODE) return GBL_SUCCESS;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "%s has values of type %s, but they are indices: an integer type is needed",
                   name, gb_type_text(v->type, space));
}

gbl_Info gb_check_holds(const gb_Matrix *v, const char *name, const gb_Type *fit) {
    const bool is_signed = (v->type->code - GBL_INT8_CODE) % 2 == 0; /* INT8, UINT8, INT16 ... */
    const size_t bits = 8 * v->type->size - is_signed;
    const uint64_t last = v->nrows > 0 ? v->nrows - 1 : 0;
    char space[2][GB_TYPE_TEXT];
    if (bits >= 63 || last >> bits == 0) return GBL_SUCCESS;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "%s gets indices up to %llu, which its type %s does not hold: take %s", name,
                   (unsigned long long)last, gb_type_text(v->type, space[0]),
                   gb_type_text(fit, space[1]));
}

gbl_Info gb_fail_index(const char *name, uint64_t k, uint64_t index, uint64_t limit) {
    return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                   "%s(%llu) is %lld, but must be at least 0 and below %llu", name,
                   (unsigned long long)k, (long long)index, (unsigned long long)limit);
}

gbl_Info gb_check_length(const char *name, uint64_t length, uint64_t wanted, const char *reason) {
    if (length == wanted) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH, "%s has %llu elements, but must have %llu, %s", name,
                   (unsigned long long)length, (unsigned long long)wanted, reason);
}
