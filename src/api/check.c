/* SPDX-License-Identifier: Apache-2.0
 *
 * Argument checks; see check.h. Handles are told apart by the magic number that every object starts
 * with, so an object of another kind, or one that was freed, is recognised as far as its memory can
 * still be read.
 */
#include "api/check.h"

#include "core/context.h"

#include <string.h>

static gbl_Info check_magic(const uint64_t *magic, uint64_t wanted, const char *name,
                            const char *kind) {
    if (magic == NULL) {
        return gb_fail(GBL_NULL_POINTER, "%s is NULL; pass a %s made by gbl_%s_new", name, kind,
                       kind);
    }
    if (*magic != wanted) {
        return gb_fail(GBL_UNINITIALIZED_OBJECT, "%s is not a %s: %s", name, kind,
                       *magic == GB_MAGIC_FREED ? "it was freed"
                                                : "it was never made or is another kind of object");
    }
    return GBL_SUCCESS;
}

gbl_Info gb_check_init(void) {
    gb_error_begin();
    if (!gb_initialised()) {
        return gb_fail(GBL_PANIC, "the library is not initialised: call gbl_init first");
    }
    return GBL_SUCCESS;
}

gbl_Info gb_check_pointer(const void *pointer, const char *name) {
    if (pointer == NULL) return gb_fail(GBL_NULL_POINTER, "%s is NULL", name);
    return GBL_SUCCESS;
}

/* No struct of any version is larger; a size that was never set mostly is, or is 0. */
enum { GB_SIZED_MOST = 1 << 16 };

gbl_Info gb_check_sized(const void *sized, const char *name, const char *initialiser) {
    const gbl_Info info = gb_check_pointer(sized, name);
    if (info != GBL_SUCCESS) return info;
    const size_t size = *(const size_t *)sized;
    if (size <= sizeof(size_t) || size > GB_SIZED_MOST)
        return gb_fail(GBL_INVALID_VALUE,
                       "%s has size %llu, which was not set: initialise the struct with %s", name,
                       (unsigned long long)size, initialiser);
    return GBL_SUCCESS;
}

void gb_give_sized(void *sized, const void *from, size_t whole) {
    const size_t room = *(const size_t *)sized, size = room < whole ? room : whole;
    memcpy(sized, from, size);
    *(size_t *)sized = size;
}

void gb_take_sized(void *to, size_t whole, const void *sized) {
    const size_t told = *(const size_t *)sized, size = told < whole ? told : whole;
    memset(to, 0, whole);
    memcpy(to, sized, size);
    *(size_t *)to = whole;
}

gbl_Info gb_check_mode(gbl_WaitMode mode) {
    if (gb_is_mode(mode)) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_VALUE, "mode is %d; it must be GBL_COMPLETE or GBL_MATERIALIZE",
                   (int)mode);
}

gbl_Info gb_check_handle(gbl_Matrix A, const char *name) {
    return check_magic(A ? &A->m.magic : NULL, GB_MAGIC_MATRIX, name, "Matrix");
}

gbl_Info gb_check_matrix(gbl_Matrix A, const char *name) {
    const gbl_Info info = gb_check_handle(A, name);
    return info == GBL_SUCCESS ? gb_complete(&A->m) : info;
}

gbl_Info gb_check_input(gbl_Matrix A, const char *name) {
    const gbl_Info info = gb_check_handle(A, name);
    return info == GBL_SUCCESS ? gb_complete_output(&A->m) : info;
}

gbl_Info gb_check_vector_handle(gbl_Vector v, const char *name) {
    return check_magic(v ? &v->m.magic : NULL, GB_MAGIC_VECTOR, name, "Vector");
}

gbl_Info gb_check_vector(gbl_Vector v, const char *name) {
    const gbl_Info info = gb_check_vector_handle(v, name);
    return info == GBL_SUCCESS ? gb_complete(&v->m) : info;
}

gbl_Info gb_check_scalar(gbl_Scalar s, const char *name) {
    return check_magic(s ? &s->magic : NULL, GB_MAGIC_SCALAR, name, "Scalar");
}

gbl_Info gb_check_descriptor(gbl_Descriptor desc, const char *name) {
    return check_magic(desc ? &desc->magic : NULL, GB_MAGIC_DESCRIPTOR, name, "Descriptor");
}

gbl_Info gb_begin_value(gb_Settings *settings, const gb_BinaryOp *accum, gbl_Descriptor desc) {
    *settings = (gb_Settings){0};
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS && accum) info = gb_check_binary(accum, "accum");
    if (info == GBL_SUCCESS && desc) info = gb_check_descriptor(desc, "desc");
    if (info != GBL_SUCCESS || desc == NULL) return info;
    settings->mask.structural = desc->structure;
    settings->mask.complement = desc->complement;
    settings->mask.replace = desc->replace;
    settings->transpose0 = desc->transpose0;
    settings->transpose1 = desc->transpose1;
    settings->choices = desc->choices;
    return GBL_SUCCESS;
}

gbl_Info gb_begin_matrix_deferred(gb_Settings *settings, gbl_Matrix C, gbl_Matrix M,
                                  const gb_BinaryOp *accum, gbl_Descriptor desc) {
    gbl_Info info = gb_begin_value(settings, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_handle(C, "C");
    if (info == GBL_SUCCESS && M) info = gb_check_handle(M, "the mask M");
    settings->mask.M = gb_of_matrix(M);
    return info;
}

gbl_Info gb_begin_vector_deferred(gb_Settings *settings, gbl_Vector w, gbl_Vector m,
                                  const gb_BinaryOp *accum, gbl_Descriptor desc) {
    gbl_Info info = gb_begin_value(settings, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_vector_handle(w, "w");
    if (info == GBL_SUCCESS && m) info = gb_check_vector_handle(m, "the mask m");
    settings->mask.M = gb_of_vector(m);
    return info;
}

gbl_Info gb_begin_matrix(gb_Settings *settings, gbl_Matrix C, gbl_Matrix M,
                         const gb_BinaryOp *accum, gbl_Descriptor desc) {
    const gbl_Info info = gb_begin_matrix_deferred(settings, C, M, accum, desc);
    return info == GBL_SUCCESS ? gb_complete_operands(&C->m, gb_of_matrix(M), NULL, NULL) : info;
}

gbl_Info gb_begin_vector(gb_Settings *settings, gbl_Vector w, gbl_Vector m,
                         const gb_BinaryOp *accum, gbl_Descriptor desc) {
    const gbl_Info info = gb_begin_vector_deferred(settings, w, m, accum, desc);
    return info == GBL_SUCCESS ? gb_complete_operands(&w->m, gb_of_vector(m), NULL, NULL) : info;
}
