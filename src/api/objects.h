/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects behind gbl_Scalar and gbl_Descriptor.
 */
#pragma once

#include "mxm/model/call.h"

#define GB_MAGIC_SCALAR 0x676273636c720001u

struct gbl_Scalar_opaque {
    uint64_t magic;
    gb_Type *type;
    bool present;
    void *value; /* [type->size], whether present or not */
    gb_Label label;
    gb_Error error;
};

#define GB_MAGIC_DESCRIPTOR 0x6762646573630001u

struct gbl_Descriptor_opaque {
    uint64_t magic;
    bool predefined; /* never changes */
    bool replace, complement, structure, transpose0, transpose1;
    gb_Choices choices;
    double deadline; /* seconds; 0: that of the library */
    char *name;      /* predefined: the standard's */
    gb_Error error;  /* of the user's descriptors */
};

/* The value of a field that is a number. */
gbl_Info gb_descriptor_get(gbl_Descriptor desc, int32_t *value, int field);
gbl_Info gb_descriptor_set(gbl_Descriptor desc, int32_t value, int field);
/* Of one that is real; GBL_NO_VALUE where it is not set. */
bool gb_descriptor_is_real(int field);
gbl_Info gb_descriptor_get_real(gbl_Descriptor desc, double *value, int field);
gbl_Info gb_descriptor_set_real(gbl_Descriptor desc, double value, int field);
