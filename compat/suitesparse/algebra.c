/* SPDX-License-Identifier: Apache-2.0
 *
 * Types, operators, monoids and semirings: making them with a name in C, looking at their parts,
 * and the few predefined operators that gblite has not.
 */
#include "compat.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------- operators made -- */

static void pow_bool(void *z, const void *x, const void *y) {
    *(bool *)z = *(const bool *)x || !*(const bool *)y;
}
/* Only its address matters: as dup of build it keeps the last of several. */
static void ignore_dup(void *z, const void *x, const void *y) {
    (void)x;
    *(bool *)z = *(const bool *)y;
}
static void nonzombie(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)x, (void)i, (void)j, (void)y;
    *(bool *)z = true;
}
static void flip_int32(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)x;
    *(int32_t *)z = (int32_t)((int64_t)i - ((int64_t)j + *(const int32_t *)y));
}
static void flip_int64(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)x;
    *(int64_t *)z = (int64_t)i - ((int64_t)j + *(const int64_t *)y);
}
extern const compat_Function GxB_POW_BOOL_function, GxB_IGNORE_DUP_function, GxB_NONZOMBIE_function,
    GxB_FLIPDIAGINDEX_INT32_function, GxB_FLIPDIAGINDEX_INT64_function;
const compat_Function GxB_POW_BOOL_function = {(void (*)(void))pow_bool, &GBL_BOOL, &GBL_BOOL,
                                               &GBL_BOOL};
const compat_Function GxB_IGNORE_DUP_function = {(void (*)(void))ignore_dup, &GBL_BOOL, &GBL_BOOL,
                                                 &GBL_BOOL};
const compat_Function GxB_NONZOMBIE_function = {(void (*)(void))nonzombie, &GBL_BOOL, &GBL_INT64,
                                                &GBL_INT64};
const compat_Function GxB_FLIPDIAGINDEX_INT32_function = {(void (*)(void))flip_int32, &GBL_INT32,
                                                          &GBL_INT64, &GBL_INT32};
const compat_Function GxB_FLIPDIAGINDEX_INT64_function = {(void (*)(void))flip_int64, &GBL_INT64,
                                                          &GBL_INT64, &GBL_INT64};

/* ---------------------------------------------------------------------------------- making -- */

static gbl_Info keep_names(const void *object, const char *name, const char *definition) {
    COMPAT_TRY(compat_keep_text(object, name, TEXT_C_NAME));
    return compat_keep_text(object, definition, TEXT_DEFINITION);
}

COMPAT(GxB_Type_new, gbl_Type *type, size_t size, const char *name, const char *definition) {
    if (size == 0) return GBL_INVALID_VALUE; /* a compiler would have to tell */
    COMPAT_TRY(gbl_Type_new(type, size));
    return keep_names(*type, name, definition);
}
COMPAT(GxB_UnaryOp_new, gbl_UnaryOp *op, gbl_unary_function f, gbl_Type z, gbl_Type x,
       const char *name, const char *definition) {
    if (f == NULL) return gbl_fail(GBL_NULL_POINTER, NULL, "there is no compiler: give a function");
    COMPAT_TRY(gbl_UnaryOp_new(op, f, z, x));
    return keep_names(*op, name, definition);
}
COMPAT(GxB_BinaryOp_new, gbl_BinaryOp *op, gbl_binary_function f, gbl_Type z, gbl_Type x,
       gbl_Type y, const char *name, const char *definition) {
    if (f == NULL) return gbl_fail(GBL_NULL_POINTER, NULL, "there is no compiler: give a function");
    COMPAT_TRY(gbl_BinaryOp_new(op, f, z, x, y));
    return keep_names(*op, name, definition);
}
COMPAT(GxB_IndexUnaryOp_new, gbl_IndexUnaryOp *op, gbl_index_unary_function f, gbl_Type z,
       gbl_Type x, gbl_Type y, const char *name, const char *definition) {
    if (f == NULL) return gbl_fail(GBL_NULL_POINTER, NULL, "there is no compiler: give a function");
    COMPAT_TRY(gbl_IndexUnaryOp_new(op, f, z, x, y));
    return keep_names(*op, name, definition);
}

#define DEFINE(N, T)                                                                               \
    SAME(GxB_Monoid_terminal_new_##N,                                                              \
         (gbl_Monoid * monoid, gbl_BinaryOp op, T identity, T terminal),                           \
         gbl_Monoid_new_terminal_##N(monoid, op, identity, terminal))
GBL_FOREACH_VALUE(DEFINE)
#undef DEFINE

/* ----------------------------------------------------------------------------------- parts -- */

SAME(GxB_Type_name, (char *name, gbl_Type type), compat_type_name(name, type))
COMPAT(GxB_Type_from_name, gbl_Type *type, const char *name) {
    static gbl_Type const *const types[] = {
        &GBL_BOOL,   &GBL_INT8,   &GBL_INT16, &GBL_INT32, &GBL_INT64, &GBL_UINT8, &GBL_UINT16,
        &GBL_UINT32, &GBL_UINT64, &GBL_FP32,  &GBL_FP64,  &GBL_FC32,  &GBL_FC64};
    if (type == NULL || name == NULL) return GBL_NULL_POINTER;
    *type = NULL;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        char text[GxB_MAX_NAME_LEN];
        COMPAT_TRY(compat_type_name(text, *types[k]));
        if (strcmp(text, name) == 0 || strcmp(compat_name_of(*types[k]), name) == 0)
            *type = *types[k];
    }
    if (strcmp(name, "float complex") == 0) *type = GBL_FC32;
    if (strcmp(name, "double complex") == 0) *type = GBL_FC64;
    return GBL_SUCCESS;
}
#define DEFINE(K)                                                                                  \
    COMPAT(GxB_##K##_type_name, char *name, gbl_##K object) {                                      \
        gbl_Type type;                                                                             \
        COMPAT_TRY(gbl_##K##_type(&type, object));                                                 \
        return compat_type_name(name, type);                                                       \
    }
DEFINE(Matrix)
DEFINE(Vector)
DEFINE(Scalar)
#undef DEFINE
#define DEFINE(O, F)                                                                               \
    SAME(GxB_##O##_##F, (gbl_Type * type, gbl_##O op),                                             \
         op == NULL ? GBL_NULL_POINTER : GIVE(type, op->F))                                        \
    SAME(GxB_##O##_##F##_name, (char *name, gbl_##O op),                                           \
         op == NULL ? GBL_NULL_POINTER : compat_type_name(name, op->F))
DEFINE(UnaryOp, ztype)
DEFINE(UnaryOp, xtype)
DEFINE(BinaryOp, ztype)
DEFINE(BinaryOp, xtype)
DEFINE(BinaryOp, ytype)
DEFINE(IndexUnaryOp, ztype)
DEFINE(IndexUnaryOp, xtype)
DEFINE(IndexUnaryOp, ytype)
#undef DEFINE
gbl_Info GrB_Monoid_get_VOID(gbl_Monoid, void *, int);
gbl_Info GrB_Semiring_get_VOID(gbl_Semiring, void *, int);
SAME(GxB_Monoid_operator, (gbl_BinaryOp * op, gbl_Monoid monoid),
     GrB_Monoid_get_VOID(monoid, op, GxB_MONOID_OPERATOR))
SAME(GxB_Monoid_identity, (void *identity, gbl_Monoid monoid),
     GrB_Monoid_get_VOID(monoid, identity, GxB_MONOID_IDENTITY))
SAME(GxB_Semiring_add, (gbl_Monoid * add, gbl_Semiring ring),
     GrB_Semiring_get_VOID(ring, add, GxB_SEMIRING_MONOID))
SAME(GxB_Semiring_multiply, (gbl_BinaryOp * multiply, gbl_Semiring ring),
     GrB_Semiring_get_VOID(ring, multiply, GxB_SEMIRING_MULTIPLY))
COMPAT(GxB_Monoid_terminal, bool *has, void *terminal, gbl_Monoid monoid) {
    if (has == NULL || terminal == NULL || monoid == NULL) return GBL_NULL_POINTER;
    *has = monoid->terminal != NULL;
    if (*has) memcpy(terminal, monoid->terminal, monoid->op->ztype->size);
    return GBL_SUCCESS;
}
#define DEFINE(F) /* any */                                                                        \
    SAME(GxB_SelectOp_##F, (gbl_Type * type, GxB_SelectOp op),                                     \
         op == NULL ? GBL_NULL_POINTER : GIVE(type, NULL))
DEFINE(xtype)
DEFINE(ttype)
#undef DEFINE
