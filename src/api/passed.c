/* SPDX-License-Identifier: Apache-2.0
 *
 * See passed.h.
 */
#include "api/passed.h"

static gbl_Info fail_type(gbl_Type_Code code, const gb_Type *own, const char *hint) {
    char space[2][GB_TYPE_TEXT];
    return gb_fail(GBL_DOMAIN_MISMATCH, "the values passed are %s, but the object is %s; %s",
                   code == GBL_UDT_CODE ? "of a user type"
                                        : gb_type_text(gb_type_of(code), space[0]),
                   gb_type_text(own, space[1]), hint);
}

gbl_Info gb_passed_type(const gb_Type **type, gbl_Type_Code code, const gb_Type *own) {
    *type = code == GBL_UDT_CODE ? own : gb_type_of(code);
    if ((code == GBL_UDT_CODE) == (own->code == GBL_UDT_CODE)) return GBL_SUCCESS;
    return fail_type(code, own,
                     "only built-in types cast into each other; user types need the _UDT function");
}

gbl_Info gb_passed_same(gbl_Type_Code code, const gb_Type *own) {
    if (code == own->code) return GBL_SUCCESS;
    return fail_type(code, own, "this function casts nothing, use the one for that type");
}

gbl_Info gb_check_index_below(uint64_t k, uint64_t n, const char *what) {
    if (k < n) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_INDEX, "%s is %llu, but must be below %llu", what,
                   (unsigned long long)k, (unsigned long long)n);
}
