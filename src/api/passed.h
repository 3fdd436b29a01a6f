/* SPDX-License-Identifier: Apache-2.0
 *
 * The type of the C values that one of the typed functions passes. There is one _UDT function for
 * all user-defined types: its values have the type of the object.
 */
#ifndef GB_API_PASSED_H
#define GB_API_PASSED_H

#include "api/check.h"

/* *type: the type of values passed through the function for `code` to or from an object of type
 * `own`. GBL_DOMAIN_MISMATCH when they do not cast into each other. */
gbl_Info gb_passed_type(const gb_Type **type, gbl_Type_Code code, const gb_Type *own);
/* The same where values must have the very type of the object. */
gbl_Info gb_passed_same(gbl_Type_Code code, const gb_Type *own);

/* GBL_INVALID_INDEX unless k < n; what: "row index". */
gbl_Info gb_check_index_below(uint64_t k, uint64_t n, const char *what);

#endif
