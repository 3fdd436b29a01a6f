/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of types, operators, monoids and semirings, and their life: predefined objects stay, parts
 * may be freed before the whole.
 */
#include "support/errors.h"

static void nothing(void *z, const void *x) {
    (void)z;
    (void)x;
}

static void nothing2(void *z, const void *x, const void *y) {
    (void)y;
    nothing(z, x);
}

static void nothing_at(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)i;
    (void)j;
    nothing2(z, x, y);
}

ERROR_TEST(errors_algebra, types_and_operators) {
    gbl_Type type = NULL, wrong = WRONG(Type);
    size_t size = 7;
    gbl_Type_Code code = GBL_FP32_CODE;
    FAILS(GBL_NULL_POINTER, gbl_Type_new(NULL, 4));
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, 0));
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, SIZE_MAX));
    CHECK(type == NULL);
    FACT(gbl_Type_size(&size, NULL), gbl_Type_size(&size, wrong), gbl_Type_size(NULL, GBL_FP32));
    FACT(gbl_Type_code(&code, NULL), gbl_Type_code(&code, wrong), gbl_Type_code(NULL, GBL_FP32));
    CHECK(size == 7 && code == GBL_FP32_CODE);
    gbl_UnaryOp unary = NULL;
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(NULL, nothing, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, nothing, NULL, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, nothing, GBL_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_UnaryOp_new(&unary, nothing, wrong, GBL_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_UnaryOp_new(&unary, nothing, GBL_INT8, wrong));
    gbl_BinaryOp binary = NULL;
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(NULL, nothing2, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, NULL, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, nothing2, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, nothing2, GBL_INT8, NULL, GBL_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_BinaryOp_new(&binary, nothing2, GBL_INT8, GBL_INT8, wrong));
    gbl_IndexUnaryOp index = NULL;
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(NULL, nothing_at, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, NULL, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, nothing_at, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, nothing_at, GBL_INT8, GBL_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT,
          gbl_IndexUnaryOp_new(&index, nothing_at, GBL_INT8, wrong, GBL_INT8));
    CHECK(unary == NULL && binary == NULL && index == NULL);
}

ERROR_TEST(errors_algebra, monoids_and_semirings) {
    gbl_Monoid monoid = NULL;
    t_User user = t_user_colour();
#define CASE(N, T)                                                                                 \
    t_case("%s", #N);                                                                              \
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_##N(NULL, GBL_PLUS_##N, (T)0));                         \
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_##N(&monoid, NULL, (T)0));                              \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Monoid_new_##N(&monoid, WRONG(BinaryOp), (T)0));           \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_##N(&monoid, user.minus.handle, (T)0));              \
    FAILS(GBL_DOMAIN_MISMATCH,                                                                     \
          gbl_Monoid_new_##N(&monoid, GBL_LT_##N##_OR_INT32, (T)0)); /* T x T -> BOOL */
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    const t_Colour zero = {0, 0, 0};
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT8(&monoid, GBL_PLUS_INT16, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT32(&monoid, GBL_FIRSTI_INT32, 0));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_UDT(&monoid, user.minus.handle, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_UDT(NULL, user.minus.handle, &zero));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_UDT(&monoid, GBL_PLUS_INT8, &zero));
    CHECK(monoid == NULL);
    gbl_Semiring ring = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(NULL, GBL_PLUS_MONOID_INT8, GBL_TIMES_INT8));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, NULL, GBL_TIMES_INT8));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Semiring_new(&ring, WRONG(Monoid), GBL_TIMES_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, WRONG(BinaryOp)));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, GBL_TIMES_INT16));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, GBL_LT_INT8));
    CHECK(ring == NULL);
    t_user_free(&user);
}

/* predefined objects are not freed: only the handle is cleared */
ERROR_TEST(errors_algebra, predefined_objects_stay) {
    gbl_Type type = GBL_INT32;
    gbl_BinaryOp op = GBL_PLUS_INT32;
    gbl_Semiring ring = GBL_MIN_PLUS_SEMIRING_FP64;
    OK(gbl_Type_free(&type));
    OK(gbl_BinaryOp_free(&op));
    OK(gbl_Semiring_free(&ring));
    CHECK(type == NULL && op == NULL && ring == NULL);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT32, 2, 2));
    OK(gbl_mxm(A, NULL, GBL_PLUS_INT32, GBL_MIN_PLUS_SEMIRING_FP64, A, A, NULL));
    OK(gbl_Matrix_free(&A));
}

/* the parts of an operator may be freed first */
ERROR_TEST(errors_algebra, parts_may_be_freed_first) {
    t_User user = t_user_colour();
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, user.type.handle, 4, 4));
    const t_Colour colour = {3, 5, 7};
    OK(gbl_Matrix_setElement_UDT(A, &colour, 1, 1));
    OK(gbl_Type_free(&user.type.handle));
    OK(gbl_BinaryOp_free(&user.monoid.op.handle));
    OK(gbl_BinaryOp_free(&user.ring.multiply.handle));
    OK(gbl_Monoid_free(&user.monoid.handle));
    OK(gbl_mxm(A, NULL, user.minus.handle, user.ring.handle, A, A, NULL));
    t_user_free(&user);
    t_Colour out = {0, 0, 0};
    OK(gbl_Matrix_extractElement_UDT(&out, A, 1, 1));
    CHECK_EQ(out.r, (uint8_t)(3 - 9));
    OK(gbl_Matrix_free(&A));
}
