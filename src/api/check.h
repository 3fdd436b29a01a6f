/* SPDX-License-Identifier: Apache-2.0
 *
 * Argument checks that every operation starts with. Each returns GBL_SUCCESS, or fails with a text
 * that names the argument: GBL_PANIC before gbl_init, GBL_NULL_POINTER, GBL_UNINITIALIZED_OBJECT
 * for a handle that was freed or never made.
 *
 * An operation's first paragraph is gb_begin_matrix or gb_begin_vector (output, mask, accum,
 * descriptor), then one gb_check_X per further handle. A function whose output is an object that
 * the caller passes returns through gb_end, whatever comes out.
 */
#ifndef GB_API_CHECK_H
#define GB_API_CHECK_H

#include "api/descriptor.h"
#include "api/scalar.h"
#include "matrix/matrix.h"
#include "mxm/model/call.h"
#include "lazy/queue.h"
#include "ops/domain.h"

extern const char gb_library_name[]; /* with its version */

/* What mask and descriptor say of one call. */
typedef struct {
    gb_Mask mask;
    bool transpose0, transpose1;
    gb_Choices choices;
} gb_Settings;

/* Structs of the caller's that begin with a size_t, their size; the rule stands in
 * gblite_explain.h. gb_check_sized: not NULL, and the size can be one. gb_give_sized fills such a
 * struct from one of the library's, `whole` bytes; gb_take_sized does the reverse, with zeros for
 * what the caller's does not have. */
gbl_Info gb_check_sized(const void *sized, const char *name, const char *initialiser);
void gb_give_sized(void *sized, const void *from, size_t whole);
void gb_take_sized(void *to, size_t whole, const void *sized);

gbl_Info gb_check_init(void);
gbl_Info gb_check_pointer(const void *pointer, const char *name);
static inline bool gb_is_mode(gbl_WaitMode mode) {
    return mode == GBL_COMPLETE || mode == GBL_MATERIALIZE;
}
gbl_Info gb_check_mode(gbl_WaitMode mode);
/* A is complete afterwards, and so is a product that was put off and has A as an input: A may be
 * written. */
gbl_Info gb_check_matrix(gbl_Matrix A, const char *name);
/* A may be read, but not written. */
gbl_Info gb_check_input(gbl_Matrix A, const char *name);
/* A may not even be complete (lazy/queue.h). */
gbl_Info gb_check_handle(gbl_Matrix A, const char *name);
/* v is complete afterwards, and what was put off and has v as an input: v may be written. */
gbl_Info gb_check_vector(gbl_Vector v, const char *name);
gbl_Info gb_check_vector_handle(gbl_Vector v, const char *name);
gbl_Info gb_check_scalar(gbl_Scalar s, const char *name);
gbl_Info gb_check_descriptor(gbl_Descriptor desc, const char *name); /* not NULL */

/* The exit of a call: what is returned, after the text of a failure has been filed with the output
 * object, or that of an earlier failure cleared by a success. `output` may be what gb_check_X has
 * refused: NULL or no live object has nothing filed. */
gbl_Info gb_end(const void *output, gbl_Info info);

/* The library is initialised; C is a live object; M, accum and desc are NULL or live. Fills in
 * settings; desc NULL means defaults. */
gbl_Info gb_begin_matrix(gb_Settings *settings, gbl_Matrix C, gbl_Matrix M,
                         const gb_BinaryOp *accum, gbl_Descriptor desc);
gbl_Info gb_begin_vector(gb_Settings *settings, gbl_Vector w, gbl_Vector m,
                         const gb_BinaryOp *accum, gbl_Descriptor desc);
/* The same of operations that may be put off: C and M need not be complete. */
gbl_Info gb_begin_matrix_deferred(gb_Settings *settings, gbl_Matrix C, gbl_Matrix M,
                                  const gb_BinaryOp *accum, gbl_Descriptor desc);
gbl_Info gb_begin_vector_deferred(gb_Settings *settings, gbl_Vector w, gbl_Vector m,
                                  const gb_BinaryOp *accum, gbl_Descriptor desc);
/* The same without a mask, for reductions to a value: only init, accum and desc. */
gbl_Info gb_begin_value(gb_Settings *settings, const gb_BinaryOp *accum, gbl_Descriptor desc);

/* A is a live object that is part of no product put off: a call that finds in it at once what it
 * wants need not go through the other checks; where A is its output, if no failure is filed. */
static inline bool gb_has_fast_path(const gb_Matrix *A, uint64_t magic) {
    return A != NULL && gb_initialised() && A->magic == magic && !gb_is_deferred(A);
}
static inline bool gb_output_has_fast_path(const gb_Matrix *A, uint64_t magic) {
    return gb_has_fast_path(A, magic) && !gb_error_is_filed(&A->error);
}

/* The object behind a handle, NULL for NULL. */
static inline gb_Matrix *gb_of_matrix(gbl_Matrix A) {
    return A ? &A->m : NULL;
}
static inline gb_Matrix *gb_of_vector(gbl_Vector v) {
    return v ? &v->m : NULL;
}

#endif
