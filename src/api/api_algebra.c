/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_{Type,UnaryOp,BinaryOp,IndexUnaryOp,Monoid,Semiring}_{new,free,wait}, gbl_Type_size and
 * gbl_Type_code.
 *
 * A handle that could not be made is NULL. Algebra objects are complete once made, so wait only
 * checks its arguments.
 */
#include "api/check.h"

/* -- arguments common to the _new functions */

static gbl_Info gb_check_types(bool has_function, const gb_Type *z, const gb_Type *x,
                               const gb_Type *y) {
    if (!has_function) return gb_fail(GBL_NULL_POINTER, "f is NULL; it must be a function");
    gbl_Info info = gb_check_type(z, "z");
    if (info == GBL_SUCCESS) info = gb_check_type(x, "x");
    if (info == GBL_SUCCESS) info = gb_check_type(y, "y");
    return info;
}

/* -- types */

gbl_Info gbl_Type_new(gbl_Type *type, size_t size) {
    gbl_Info info = gb_begin_new(type, "type");
    if (info != GBL_SUCCESS) return info;
    if (size == 0 || size > GB_TYPE_SIZE_MAX)
        return gb_fail(GBL_INVALID_VALUE,
                       "size is %zu; values of a type have 1 to %zu bytes (keep larger ones "
                       "elsewhere and store a pointer or an index)",
                       size, GB_TYPE_SIZE_MAX);
    *type = gb_type_make(size);
    return *type != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

#define GB_DEFINE(T, FIELD)                                                                        \
    gbl_Info gbl_Type_##FIELD(T *FIELD, gbl_Type type) {                                           \
        gbl_Info info = gb_check_pointer(FIELD, #FIELD);                                           \
        if (info == GBL_SUCCESS) info = gb_check_type(type, "type");                               \
        if (info == GBL_SUCCESS) *FIELD = type->FIELD;                                             \
        return info;                                                                               \
    }
GB_DEFINE(size_t, size)
GB_DEFINE(gbl_Type_Code, code)
#undef GB_DEFINE

/* -- operators */

gbl_Info gbl_UnaryOp_new(gbl_UnaryOp *op, gbl_unary_function f, gbl_Type z, gbl_Type x) {
    gbl_Info info = gb_begin_new(op, "op");
    if (info == GBL_SUCCESS) info = gb_check_types(f != NULL, z, x, x);
    if (info != GBL_SUCCESS) return info;
    *op = gb_unary_make(f, z, x);
    return *op != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

/* Operators of two arguments, of a function of the kind F. */
#define GB_DEFINE(O, F, MAKE)                                                                      \
    gbl_Info gbl_##O##_new(gbl_##O *op, F f, gbl_Type z, gbl_Type x, gbl_Type y) {                 \
        gbl_Info info = gb_begin_new(op, "op");                                                    \
        if (info == GBL_SUCCESS) info = gb_check_types(f != NULL, z, x, y);                        \
        if (info != GBL_SUCCESS) return info;                                                      \
        *op = MAKE(f, z, x, y);                                                                    \
        return *op != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;                                      \
    }
GB_DEFINE(BinaryOp, gbl_binary_function, gb_binary_make)
GB_DEFINE(IndexUnaryOp, gbl_index_unary_function, gb_index_make)
#undef GB_DEFINE

gbl_Info gbl_BinaryOp_new_index(gbl_BinaryOp *op, gbl_index_binary_function f, gbl_Type z,
                                gbl_Type x, gbl_Type y, gbl_Scalar theta) {
    gbl_Info info = gb_begin_new(op, "op");
    if (info == GBL_SUCCESS) info = gb_check_types(f != NULL, z, x, y);
    if (info == GBL_SUCCESS) info = gb_check_scalar(theta, "theta");
    if (info == GBL_SUCCESS && !theta->present)
        info = gb_fail(GBL_EMPTY_OBJECT,
                       "theta holds no value; set it with gbl_Scalar_setElement before");
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = theta->type->size;
    void *block = gb_malloc(bytes);
    if (block == NULL) return gb_fail_memory(bytes);
    memcpy(block, theta->value, bytes);
    *op = gb_binary_make_index(f, z, x, y, block, bytes);
    if (*op == NULL) gb_free(block, bytes);
    return *op != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

/* -- monoids and semirings */

static gbl_Info gb_new_monoid(gbl_Monoid *monoid, gbl_BinaryOp op, gbl_Type_Code code,
                              const void *identity, const void *terminal) {
    gbl_Info info = gb_begin_new(monoid, "monoid");
    if (info == GBL_SUCCESS) info = gb_check_binary(op, "op");
    if (info != GBL_SUCCESS) return info;
    if (identity == NULL) return gb_fail(GBL_NULL_POINTER, "identity is NULL");
    if (gb_binary_is_positional(op))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op works on positions, not values; it can only be the multiplication of a "
                       "semiring");
    if (op->xtype != op->ztype || op->ytype != op->ztype)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op is %s x %s -> %s; the operator of a monoid has one type throughout",
                       gb_type_name(op->xtype), gb_type_name(op->ytype), gb_type_name(op->ztype));
    if (op->ztype->code != code)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "identity is of type %s and op of type %s; cast the identity or use the "
                       "gbl_Monoid_new_ function of the operator's type",
                       code == GBL_UDT_CODE ? "UDT" : gb_type_name(gb_type_of(code)),
                       gb_type_name(op->ztype));
    *monoid = gb_monoid_make(op, identity, terminal);
    return *monoid != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Monoid_new_##N(gbl_Monoid *monoid, gbl_BinaryOp op, T identity) {                 \
        return gb_new_monoid(monoid, op, GBL_##N##_CODE, &identity, NULL);                         \
    }                                                                                              \
    gbl_Info gbl_Monoid_new_terminal_##N(gbl_Monoid *monoid, gbl_BinaryOp op, T identity,          \
                                         T terminal) {                                             \
        return gb_new_monoid(monoid, op, GBL_##N##_CODE, &identity, &terminal);                    \
    }
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

gbl_Info gbl_Monoid_new_UDT(gbl_Monoid *monoid, gbl_BinaryOp op, const void *identity) {
    return gb_new_monoid(monoid, op, GBL_UDT_CODE, identity, NULL);
}

gbl_Info gbl_Monoid_new_terminal_UDT(gbl_Monoid *monoid, gbl_BinaryOp op, const void *identity,
                                     const void *terminal) {
    if (monoid != NULL) *monoid = NULL;
    const gbl_Info info = gb_check_pointer(terminal, "terminal");
    return info == GBL_SUCCESS ? gb_new_monoid(monoid, op, GBL_UDT_CODE, identity, terminal) : info;
}

gbl_Info gbl_Semiring_new(gbl_Semiring *semiring, gbl_Monoid add, gbl_BinaryOp multiply) {
    gbl_Info info = gb_begin_new(semiring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_monoid(add, "add");
    if (info == GBL_SUCCESS) info = gb_check_binary(multiply, "multiply");
    if (info != GBL_SUCCESS) return info;
    if (multiply->ztype != add->op->ztype)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "multiply gives %s, but the monoid is of %s; both must be the same type",
                       gb_type_name(multiply->ztype), gb_type_name(add->op->ztype));
    *semiring = gb_semiring_make(add, multiply);
    return *semiring != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

static gbl_Info check_compiled(const gb_Type *type, const gbl_CompiledSemiring *kernels,
                               const gb_KernelHelpers *helpers) {
    if (helpers == NULL)
        return gb_fail(GBL_NOT_IMPLEMENTED,
                       "the kernels of '%s' were compiled for %s, which this processor or this "
                       "build of the library lacks; compile them without its flags",
                       kernels->name, kernels->set);
    if (kernels->layout != helpers->layout)
        return gb_fail(GBL_NOT_IMPLEMENTED,
                       "the kernels of '%s' were compiled with the headers of another version; "
                       "compile them with those of this library, %d.%d.%d",
                       kernels->name, GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
                       GBLITE_VERSION_PATCH);
    if (kernels->size != type->size)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "values of '%s' have %u bytes, those of the type %zu; pass the type that "
                       "the kernels were compiled for",
                       kernels->name, kernels->size, type->size);
    return GBL_SUCCESS;
}

/* *use: of the sets that the kernels were compiled for the best one that runs here. */
static gbl_Info choose_compiled(const gbl_CompiledSemiring **use, const gb_Type *type,
                                const gbl_CompiledSemiring *kernels) {
    if (kernels->contract != GB_KERNEL_CONTRACT)
        return gb_fail(GBL_NOT_IMPLEMENTED,
                       "the kernels are of contract %u, this library's of %d; compile them with "
                       "the headers of this library",
                       kernels->contract, GB_KERNEL_CONTRACT);
    *use = kernels;
    for (int k = 0; kernels->others != NULL && k < GB_KERNEL_OTHERS && *use == kernels; k++) {
        const gbl_CompiledSemiring *other = kernels->others[k];
        if (other != NULL && gb_helpers_of(other->set) != NULL) *use = other;
    }
    const gb_KernelHelpers *helpers = gb_helpers_of((*use)->set);
    const gbl_Info info = check_compiled(type, *use, helpers);
    if (info == GBL_SUCCESS) __atomic_store_n((*use)->helpers, helpers, __ATOMIC_RELEASE);
    return info;
}

gbl_Info gbl_Semiring_compiled(gbl_Semiring *semiring, gbl_Type type,
                               const gbl_CompiledSemiring *kernels) {
    const gbl_CompiledSemiring *use = NULL;
    gbl_Info info = gb_begin_new(semiring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    if (info == GBL_SUCCESS) info = gb_check_pointer(kernels, "kernels");
    if (info == GBL_SUCCESS) info = choose_compiled(&use, type, kernels);
    if (info != GBL_SUCCESS) return info;
    *semiring = gb_semiring_make_compiled(type, use);
    if (*semiring == NULL) return GBL_OUT_OF_MEMORY;
    (*semiring)->device = kernels->device;
    return GBL_SUCCESS;
}

/* A part of an object; the caller frees it as one that it has made. */
#define GB_DEFINE(name, Part, Object, CHECK, field)                                                \
    gbl_Info name(gbl_##Part *part, gbl_##Object whole) {                                          \
        gbl_Info info = gb_begin_new(part, "part");                                                \
        if (info == GBL_SUCCESS) info = CHECK(whole, "whole");                                     \
        if (info == GBL_SUCCESS) *part = gb_retain(whole->field);                                  \
        return info;                                                                               \
    }
GB_DEFINE(gbl_Monoid_operator, BinaryOp, Monoid, gb_check_monoid, op)
GB_DEFINE(gbl_Semiring_add, Monoid, Semiring, gb_check_semiring, add)
GB_DEFINE(gbl_Semiring_multiply, BinaryOp, Semiring, gb_check_semiring, multiply)
#undef GB_DEFINE

/* -- free, wait. Freeing NULL or a predefined object only clears the handle; an object that
 * others refer to lives on until they are freed. */
#define GB_DEFINE(O, CHECK)                                                                        \
    gbl_Info gbl_##O##_free(gbl_##O *object) {                                                     \
        gbl_Info info = gb_check_pointer(object, "object");                                        \
        if (info != GBL_SUCCESS || *object == NULL) return info;                                   \
        info = CHECK(*object, "*object");                                                          \
        if (info != GBL_SUCCESS) return info;                                                      \
        gb_release(*object);                                                                       \
        *object = NULL;                                                                            \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    gbl_Info gbl_##O##_wait(gbl_##O object, gbl_WaitMode mode) {                                   \
        const gbl_Info info = CHECK(object, "object");                                             \
        return gb_end(object, info == GBL_SUCCESS ? gb_check_mode(mode) : info);                   \
    }
GB_DEFINE(Type, gb_check_type)
GB_DEFINE(UnaryOp, gb_check_unary)
GB_DEFINE(BinaryOp, gb_check_binary)
GB_DEFINE(IndexUnaryOp, gb_check_index)
GB_DEFINE(Monoid, gb_check_monoid)
GB_DEFINE(Semiring, gb_check_semiring)
