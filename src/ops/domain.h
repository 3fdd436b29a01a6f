/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of shapes and types that the operations share, with the texts of their failures.
 */
#ifndef GB_OPS_DOMAIN_H
#define GB_OPS_DOMAIN_H

#include "matrix/matrix.h"

/* GBL_DIMENSION_MISMATCH unless A, transposed when asked, is nrows x ncols (or has nrows elements,
 * for a vector). */
gbl_Info gb_check_shape(const gb_Matrix *A, bool transposed, uint64_t nrows, uint64_t ncols,
                        const char *name);
/* GBL_DOMAIN_MISMATCH unless values of `from` can be cast to `to`; what: "A into op's input". */
gbl_Info gb_check_cast(const gb_Type *to, const gb_Type *from, const char *what);
/* "INT32", "a user type of 24 bytes": for messages; space holds at least GB_TYPE_TEXT bytes. */
enum { GB_TYPE_TEXT = 48 };
const char *gb_type_text(const gb_Type *type, char *space);

#endif
