/* SPDX-License-Identifier: Apache-2.0
 *
 * The object behind gbl_Scalar.
 */
#ifndef GB_API_SCALAR_H
#define GB_API_SCALAR_H

#include "core/text.h"
#include "core/status.h"
#include "semiring/algebra.h"

#define GB_MAGIC_SCALAR 0x676273636c720001u

struct gbl_Scalar_opaque {
    uint64_t magic;
    gb_Type *type;
    bool present;
    void *value; /* [type->size], whether present or not */
    gb_Label label;
    gb_Error error;
};

#endif
