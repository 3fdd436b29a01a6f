/* SPDX-License-Identifier: Apache-2.0
 *
 * The errors of places; see places.h.
 */
#include "ops/places.h"

#include "ops/domain.h"

gbl_Info gb_check_places(const gb_Matrix *v, const char *name) {
    const gbl_Type_Code code = v->type->code;
    char space[GB_TYPE_TEXT];
    if (code >= GBL_INT8_CODE && code <= GBL_UINT64_CODE) return GBL_SUCCESS;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "%s has values of type %s, but they are indices: an integer type is needed",
                   name, gb_type_text(v->type, space));
}

gbl_Info gb_fail_place(const char *name, uint64_t k, uint64_t place, uint64_t limit) {
    return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                   "%s(%llu) is %lld, but must be at least 0 and below %llu", name,
                   (unsigned long long)k, (long long)place, (unsigned long long)limit);
}
