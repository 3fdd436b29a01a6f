/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of apply and select have in common: the handles of one call, for matrices or
 * vectors, and a value given as a C value, a pointer or a Scalar.
 */
#ifndef GB_API_MAP_CALL_H
#define GB_API_MAP_CALL_H

#include "api/check.h"
#include "kernel_api/backend.h"

/* Handles as the user gave them: C, M and A, or w, m and u. */
typedef struct {
    bool is_vector;
    gbl_Matrix C, M, A;
    gbl_Vector w, m, u;
    gbl_BinaryOp accum;
    gbl_Descriptor desc;
} gb_MapHandles;
#define GB_HANDLES_Matrix(c, mask, acc, a, d)                                                      \
    (&(gb_MapHandles){.C = c, .M = mask, .A = a, .accum = acc, .desc = d})
#define GB_HANDLES_Vector(c, mask, acc, a, d)                                                      \
    (&(gb_MapHandles){.is_vector = true, .w = c, .m = mask, .u = a, .accum = acc, .desc = d})

/* The same, checked. */
typedef struct {
    gb_Settings settings;
    gb_Matrix *C, *A;
    const gb_BinaryOp *accum;
    bool transpose;
} gb_MapCall;
/* The operation may be put off: no object need be complete. */
gbl_Info gb_map_begin(gb_MapCall *call, const gb_MapHandles *handles);
/* T of type ztype can be written to C, has its shape, and A's values can be cast to xtype (NULL:
 * they are not looked at). */
gbl_Info gb_map_check(const gb_MapCall *call, const gb_Type *ztype, const gb_Type *xtype);

/* A value as the user gave it. */
typedef struct {
    const void *x;
    const gb_Type *type; /* NULL: whatever type the operator wants (UDT) */
    gbl_Scalar scalar;   /* the value is in here instead */
    bool is_scalar;
} gb_Value;
static inline gb_Value gb_value_at(const void *x, gbl_Type_Code code) {
    return (gb_Value){.x = x, .type = gb_type_of(code)};
}
static inline gb_Value gb_value_in(gbl_Scalar s) {
    return (gb_Value){.scalar = s, .is_scalar = true};
}
/* *bound = the value as one of type `to`, in space when it has to be cast. GBL_EMPTY_OBJECT for a
 * Scalar without a value. */
gbl_Info gb_value_bind(const void **bound, const gb_Value *value, const gb_Type *to,
                       uint64_t *space, const char *name);

#endif
