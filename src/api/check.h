/* SPDX-License-Identifier: Apache-2.0
 *
 * Argument checks that every operation starts with. Each returns GBL_SUCCESS, or fails with a text
 * that names the argument: GBL_PANIC before gbl_init, GBL_NULL_POINTER, GBL_UNINITIALIZED_OBJECT
 * for a handle that was freed or never made.
 *
 * An operation of the API fills a call (ops/op.h) with its arguments, checks handles by
 * gb_begin_call and one gb_check_X for each operator, and leaves domains, shapes and the rest to
 * gb_run. A function whose output is an object that the caller passes returns through gb_end,
 * whatever comes out.
 *
 * Matrices and vectors are one object, gb_Matrix, the only member of both structs behind handles:
 * GB_OF(handle) is it, NULL for NULL.
 */
#pragma once

#include "api/objects.h"
#include "ops/deferred.h"
#include "ops/op.h"

extern const char gb_library_name[]; /* with its version */

#define GB_OF(handle) ((gb_Matrix *)(handle))

/* The caller's structs that begin with their size, a size_t; see gblite_explain.h. gb_check_sized:
 * not NULL, and the size can be one. gb_give_sized fills such a struct from one of the library's,
 * `whole` bytes; gb_take_sized does the reverse, with zeros for fields that the caller's lacks. */
gbl_Info gb_check_sized(const void *sized, const char *name, const char *initialiser);
void gb_give_sized(void *sized, const void *from, size_t whole);
void gb_take_sized(void *to, size_t whole, const void *sized);

gbl_Info gb_check_init(void);
/* The first check of a call that makes an object: the handle, of that name, is NULL until then. */
gbl_Info gb_begin_new(void *handle, const char *name);
gbl_Info gb_check_pointer(const void *pointer, const char *name);
static inline gbl_Info gb_check_mode(gbl_WaitMode mode) {
    if (mode == GBL_COMPLETE || mode == GBL_MATERIALIZE) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_VALUE, "mode is %d; it must be GBL_COMPLETE or GBL_MATERIALIZE",
                   (int)mode);
}
/* X is a live Matrix, or Vector, by its magic number, and as complete as is wanted. */
gbl_Info gb_check_collection(gb_Matrix *X, uint64_t magic, const char *name, gb_Wanted wanted);
/* These for macros that define a function for K = Matrix and one for Vector: what errors call the
 * object, its magic number; its position as parameters, and the column of that. */
#define GB_NAME_Matrix "A"
#define GB_NAME_Vector "v"
#define GB_MAGIC_OF_Matrix GB_MAGIC_MATRIX
#define GB_MAGIC_OF_Vector GB_MAGIC_VECTOR
#define GB_AT_Matrix gbl_Index i, gbl_Index j
#define GB_AT_Vector gbl_Index i
#define GB_COLUMN_Matrix j
#define GB_COLUMN_Vector 0
#define GB_CHECK(K, X, NAME, WANTED)                                                               \
    gb_check_collection(GB_OF((gbl_##K){X}), GB_MAGIC_OF_##K, NAME, GB_WANTS_##WANTED)
/* The library is initialised, and X is as wanted. */
#define GB_BEGIN(K, X, WANTED)                                                                     \
    (gb_check_init() == GBL_SUCCESS ? GB_CHECK(K, X, GB_NAME_##K, WANTED) : GBL_PANIC)
/* info: of a check of an object that is to be freed, which a lost one may be (object.h). */
static inline bool gb_may_be_freed(const gb_Matrix *A, gbl_Info info) {
    return info == GBL_SUCCESS || (info == GBL_INVALID_OBJECT && gb_is_lost(A));
}
gbl_Info gb_check_scalar(gbl_Scalar s, const char *name);
gbl_Info gb_check_descriptor(gbl_Descriptor desc, const char *name); /* not NULL */

/* The exit of a call: what is returned, after the text of a failure has been filed with the output
 * object, or that of an earlier failure cleared by a success. `output` may be what gb_check_X has
 * refused: NULL or no live object has nothing filed. */
gbl_Info gb_end(const void *output, gbl_Info info);

/* The library is initialised; accum and desc are NULL or live. */
gbl_Info gb_begin_value(const gb_BinaryOp *accum, gbl_Descriptor desc);
/* The same of a call, whose objects are live; it gets what desc says of mask and transpositions.
 * `handles` has a letter for each of C, M, A and B that the operation has: upper case for a Matrix,
 * lower case for a Vector, named so in error texts; '-' where the caller looks, or the end of the
 * string. A mask may be NULL. No object need be complete. */
gbl_Info gb_begin_call(const gb_Op *op, void *call, const char *handles, gbl_Descriptor desc);
gb_Choices gb_choices_of(gbl_Descriptor desc);

/* A value as the user gave it. */
typedef struct {
    const void *x;
    const gb_Type *type; /* NULL: whatever type the operator wants (UDT) */
    gbl_Scalar scalar;   /* holds the value instead */
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
                       gb_Builtin *space, const char *name);

/* The type of the C values that one of the typed functions passes; there is one _UDT function for
 * all user-defined types, whose values have the type of the object. *type: the type of values
 * passed through the function for `code` to or from an object of type `own`. GBL_DOMAIN_MISMATCH
 * when they do not cast into each other. */
gbl_Info gb_passed_type(const gb_Type **type, gbl_Type_Code code, const gb_Type *own);
/* The same where values must have the very type of the object. */
gbl_Info gb_passed_same(gbl_Type_Code code, const gb_Type *own);

/* GBL_INVALID_INDEX unless k < n; what: "row index". */
gbl_Info gb_check_index_below(uint64_t k, uint64_t n, const char *what);

/* A is a live object that is part of nothing deferred: a call that finds in it at once what it
 * wants need not go through the other checks; where A is its output, if no failure is filed. */
static inline bool gb_has_fast_path(const gb_Matrix *A, uint64_t magic, bool is_output) {
    return A != NULL && gb_initialised() && A->magic == magic && !gb_is_deferred(A) &&
           !(is_output && gb_error_is_filed(&A->error));
}
