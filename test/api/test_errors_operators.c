/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of operations in what test_errors_operations.c leaves out: operators, bound values,
 * Scalars, reductions to a value, forced methods, and every call before gbl_init.
 */
#include "support/errors.h"

#include <stdlib.h>

static struct {
    gbl_Matrix A, user;
    gbl_Vector u, strange;
    gbl_Scalar one, empty, odd;
    t_User colour;
} f;

static void setup(void) {
    t_errors_setup();
    f.colour = t_user_colour();
    const t_Colour value = {1, 2, 3};
    OK(gbl_Matrix_new(&f.A, GBL_INT32, 3, 3));
    OK(gbl_Matrix_setElement_INT32(f.A, 4, 1, 2));
    OK(gbl_Matrix_new(&f.user, f.colour.type.handle, 3, 3));
    OK(gbl_Vector_new(&f.u, GBL_INT32, 3));
    OK(gbl_Vector_setElement_INT32(f.u, 5, 1));
    OK(gbl_Vector_new(&f.strange, f.colour.type.handle, 3));
    OK(gbl_Scalar_new(&f.one, GBL_INT32));
    OK(gbl_Scalar_setElement_INT32(f.one, 1));
    OK(gbl_Scalar_new(&f.empty, GBL_INT32));
    OK(gbl_Scalar_new(&f.odd, f.colour.type.handle));
    OK(gbl_Scalar_setElement_UDT(f.odd, &value));
}

static void teardown(void) {
    gbl_Index n = 0;
    OK(gbl_Matrix_nvals(&n, f.A));
    CHECK_EQ(n, 1);
    OK(gbl_Vector_nvals(&n, f.u));
    CHECK_EQ(n, 1);
    FREE(f.A, f.user, f.u, f.strange, f.one, f.empty, f.odd);
    t_user_free(&f.colour);
    t_errors_teardown();
}

#define OPERATOR_ERRORS(name) Test(errors_operators, name, .init = setup, .fini = teardown)

OPERATOR_ERRORS(semirings) {
    const gbl_Semiring bad = WRONG(Semiring), user = f.colour.ring.handle;
    FAILS(GBL_NULL_POINTER, gbl_mxm(f.A, NULL, NULL, NULL, f.A, f.A, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm(f.A, NULL, NULL, bad, f.A, f.A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm(f.A, NULL, NULL, user, f.A, f.A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxv(f.u, NULL, NULL, NULL, f.A, f.u, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxv(f.u, NULL, NULL, bad, f.A, f.u, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxv(f.u, NULL, NULL, user, f.A, f.u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm(f.u, NULL, NULL, NULL, f.u, f.A, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_vxm(f.u, NULL, NULL, bad, f.u, f.A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm(f.u, NULL, NULL, user, f.u, f.A, NULL));
    /* the matrix of a product with a vector */
    const gbl_Semiring plus = GBL_PLUS_TIMES_SEMIRING_INT32;
    FAILS(GBL_NULL_POINTER, gbl_mxv(f.u, NULL, NULL, plus, NULL, f.u, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxv(f.u, NULL, NULL, plus, WRONG(Matrix), f.u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm(f.u, NULL, NULL, plus, f.u, NULL, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm(f.u, NULL, NULL, plus, f.u, f.user, NULL));
#define RING_CASES(K, x)                                                                           \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseAdd_Semiring(x, NULL, NULL, NULL, x, x, NULL));         \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseMult_Semiring(x, NULL, NULL, NULL, x, x, NULL));        \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseAdd_Semiring(x, NULL, NULL, bad, x, x, NULL));  \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseMult_Semiring(x, NULL, NULL, bad, x, x, NULL)); \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_eWiseAdd_Semiring(x, NULL, NULL, user, x, x, NULL));      \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_eWiseMult_Semiring(x, NULL, NULL, user, x, x, NULL))
    RING_CASES(Matrix, f.A);
    RING_CASES(Vector, f.u);
}

OPERATOR_ERRORS(operators) {
    const gbl_BinaryOp bad = WRONG(BinaryOp), user = f.colour.minus.handle;
    const gbl_Monoid none = WRONG(Monoid), sum = f.colour.monoid.handle;
#define OP_CASES(K, x)                                                                             \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseAdd_BinaryOp(x, NULL, NULL, NULL, x, x, NULL));         \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseMult_BinaryOp(x, NULL, NULL, NULL, x, x, NULL));        \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseAdd_BinaryOp(x, NULL, NULL, bad, x, x, NULL));  \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseMult_BinaryOp(x, NULL, NULL, bad, x, x, NULL)); \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_eWiseAdd_BinaryOp(x, NULL, NULL, user, x, x, NULL));      \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_eWiseMult_BinaryOp(x, NULL, NULL, user, x, x, NULL));     \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseAdd_Monoid(x, NULL, NULL, NULL, x, x, NULL));           \
    FAILS(GBL_NULL_POINTER, gbl_##K##_eWiseMult_Monoid(x, NULL, NULL, NULL, x, x, NULL));          \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseAdd_Monoid(x, NULL, NULL, none, x, x, NULL));   \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_eWiseMult_Monoid(x, NULL, NULL, none, x, x, NULL));  \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_eWiseAdd_Monoid(x, NULL, NULL, sum, x, x, NULL));         \
    FAILS(GBL_NULL_POINTER, gbl_##K##_apply(x, NULL, NULL, NULL, x, NULL));                        \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_apply(x, NULL, NULL, WRONG(UnaryOp), x, NULL));      \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_apply(x, NULL, NULL, f.colour.twist.handle, x, NULL))
    OP_CASES(Matrix, f.A);
    OP_CASES(Vector, f.u);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, NULL, f.A, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, none, f.A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, sum, f.A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_BinaryOp(f.u, NULL, NULL, NULL, f.A, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_reduce_BinaryOp(f.u, NULL, NULL, bad, f.A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_Matrix_reduce_BinaryOp(f.u, NULL, NULL, GBL_LT_INT32, f.A, NULL));
    const gbl_Monoid plus = GBL_PLUS_MONOID_INT32;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, plus, NULL, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT,
          gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, plus, WRONG(Matrix), NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_Monoid(f.u, NULL, NULL, plus, f.user, NULL));
    gbl_Vector shorter = t_new_vector(GBL_INT32, 2);
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_reduce_Monoid(shorter, NULL, NULL, plus, f.A, NULL));
    OK(gbl_Vector_free(&shorter));
}

/* every function that takes a value: the operator may be missing, or not fit */
OPERATOR_ERRORS(values_of_every_type) {
    const gbl_BinaryOp bad = WRONG(BinaryOp), user = f.colour.minus.handle;
    const gbl_IndexUnaryOp odd = WRONG(IndexUnaryOp), keep = f.colour.keep.handle;
#define VALUE_CASES(K, x, N, v)                                                                    \
    FAILS(GBL_NULL_POINTER, gbl_##K##_apply_BinaryOp1st_##N(x, NULL, NULL, NULL, v, x, NULL));     \
    FAILS(GBL_NULL_POINTER, gbl_##K##_apply_BinaryOp2nd_##N(x, NULL, NULL, NULL, x, v, NULL));     \
    FAILS(GBL_UNINITIALIZED_OBJECT,                                                                \
          gbl_##K##_apply_BinaryOp1st_##N(x, NULL, NULL, bad, v, x, NULL));                        \
    FAILS(GBL_UNINITIALIZED_OBJECT,                                                                \
          gbl_##K##_apply_BinaryOp2nd_##N(x, NULL, NULL, bad, x, v, NULL));                        \
    FAILS(GBL_NULL_POINTER, gbl_##K##_apply_IndexOp_##N(x, NULL, NULL, NULL, x, v, NULL));         \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_apply_IndexOp_##N(x, NULL, NULL, odd, x, v, NULL));  \
    FAILS(GBL_NULL_POINTER, gbl_##K##_select_##N(x, NULL, NULL, NULL, x, v, NULL));                \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_select_##N(x, NULL, NULL, odd, x, v, NULL))
#define MISFIT_CASES(K, x, N, v)                                                                   \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_apply_BinaryOp1st_##N(x, NULL, NULL, user, v, x, NULL));  \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_apply_BinaryOp2nd_##N(x, NULL, NULL, user, x, v, NULL));  \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_apply_IndexOp_##N(x, NULL, NULL, keep, x, v, NULL));      \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_select_##N(x, NULL, NULL, keep, x, v, NULL))
#define CASE(N, T)                                                                                 \
    t_case("%s", #N);                                                                              \
    VALUE_CASES(Matrix, f.A, N, (T)1);                                                             \
    VALUE_CASES(Vector, f.u, N, (T)1);                                                             \
    MISFIT_CASES(Matrix, f.A, N, (T)1);                                                            \
    MISFIT_CASES(Vector, f.u, N, (T)1);
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    t_case("Scalar");
    VALUE_CASES(Matrix, f.A, Scalar, f.one);
    VALUE_CASES(Vector, f.u, Scalar, f.one);
    MISFIT_CASES(Matrix, f.A, Scalar, f.one);
    MISFIT_CASES(Vector, f.u, Scalar, f.one);
    t_case("UDT");
    const t_Colour colour = {1, 2, 3};
    VALUE_CASES(Matrix, f.A, UDT, &colour);
    VALUE_CASES(Vector, f.u, UDT, &colour);
    MISFIT_CASES(Matrix, f.A, UDT, &colour); /* the operator takes the value, but not A */
    MISFIT_CASES(Vector, f.u, UDT, &colour);
}

/* the Scalar itself: missing, of another kind, empty, or of a type that does not fit */
OPERATOR_ERRORS(scalars) {
    const gbl_BinaryOp plus = GBL_PLUS_INT32;
    const gbl_IndexUnaryOp gt = GBL_VALUEGT_INT32;
    static gbl_Info const codes[] = {GBL_NULL_POINTER, GBL_UNINITIALIZED_OBJECT, GBL_EMPTY_OBJECT,
                                     GBL_DOMAIN_MISMATCH};
    gbl_Scalar bad[] = {NULL, (gbl_Scalar)(void *)f.u, f.empty, f.odd};
    for (size_t k = 0; k < T_COUNT(codes); k++) {
        const gbl_Scalar s = bad[k];
        t_case("scalar %zu", k);
#define SCALAR_CASES(K, x)                                                                         \
    FAILS(codes[k], gbl_##K##_apply_BinaryOp1st_Scalar(x, NULL, NULL, plus, s, x, NULL));          \
    FAILS(codes[k], gbl_##K##_apply_BinaryOp2nd_Scalar(x, NULL, NULL, plus, x, s, NULL));          \
    FAILS(codes[k], gbl_##K##_apply_IndexOp_Scalar(x, NULL, NULL, gt, x, s, NULL));                \
    FAILS(codes[k], gbl_##K##_select_Scalar(x, NULL, NULL, gt, x, s, NULL))
        SCALAR_CASES(Matrix, f.A);
        SCALAR_CASES(Vector, f.u);
        if (codes[k] == GBL_EMPTY_OBJECT) continue; /* assign: means "no entry" */
        FAILS(codes[k], gbl_Matrix_assign_Scalar(f.A, NULL, NULL, s, GBL_ALL, 3, GBL_ALL, 3, NULL));
        FAILS(codes[k], gbl_Vector_assign_Scalar(f.u, NULL, NULL, s, GBL_ALL, 3, NULL));
    }
    const int32_t x = 1;
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_Matrix_assign_UDT(f.A, NULL, NULL, &x, GBL_ALL, 3, GBL_ALL, 3, NULL));
    FAILS(GBL_NULL_POINTER,
          gbl_Matrix_assign_UDT(f.user, NULL, NULL, NULL, GBL_ALL, 3, GBL_ALL, 3, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_assign_UDT(f.u, NULL, NULL, &x, GBL_ALL, 3, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_assign_UDT(f.strange, NULL, NULL, NULL, GBL_ALL, 3, NULL));
}

OPERATOR_ERRORS(reduce_to_values) {
    const gbl_Monoid bad = WRONG(Monoid), user = f.colour.monoid.handle;
#define CASE(N, T)                                                                                 \
    {                                                                                              \
        T x = (T)1;                                                                                \
        const gbl_Monoid sum = GBL_ANY_MONOID_##N;                                                 \
        t_case("%s", #N);                                                                          \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_##N(NULL, NULL, sum, f.A, NULL));                \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_##N(&x, NULL, NULL, f.A, NULL));                 \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_##N(&x, NULL, sum, NULL, NULL));                 \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_reduce_##N(&x, NULL, bad, f.A, NULL));          \
        FAILS(GBL_UNINITIALIZED_OBJECT,                                                            \
              gbl_Matrix_reduce_##N(&x, WRONG(BinaryOp), sum, f.A, NULL));                         \
        FAILS(GBL_UNINITIALIZED_OBJECT,                                                            \
              gbl_Matrix_reduce_##N(&x, NULL, sum, WRONG(Matrix), NULL));                          \
        FAILS(GBL_UNINITIALIZED_OBJECT,                                                            \
              gbl_Matrix_reduce_##N(&x, NULL, sum, f.A, WRONG(Descriptor)));                       \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_##N(&x, NULL, sum, f.user, NULL));            \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_##N(&x, NULL, user, f.user, NULL));           \
        FAILS(GBL_DOMAIN_MISMATCH,                                                                 \
              gbl_Matrix_reduce_##N(&x, f.colour.minus.handle, sum, f.A, NULL));                   \
        FAILS(GBL_NULL_POINTER, gbl_Vector_reduce_##N(NULL, NULL, sum, f.u, NULL));                \
        FAILS(GBL_NULL_POINTER, gbl_Vector_reduce_##N(&x, NULL, NULL, f.u, NULL));                 \
        FAILS(GBL_NULL_POINTER, gbl_Vector_reduce_##N(&x, NULL, sum, NULL, NULL));                 \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_reduce_##N(&x, NULL, bad, f.u, NULL));          \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_reduce_##N(&x, NULL, sum, f.strange, NULL));         \
        CHECK(x == (T)1);                                                                          \
    }
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    const gbl_Monoid sum = GBL_PLUS_MONOID_INT32;
#define TO_SCALAR(K, x, y)                                                                         \
    FAILS(GBL_NULL_POINTER, gbl_##K##_reduce_Monoid_Scalar(NULL, NULL, sum, x, NULL));             \
    FAILS(GBL_NULL_POINTER, gbl_##K##_reduce_Monoid_Scalar(f.one, NULL, NULL, x, NULL));           \
    FAILS(GBL_NULL_POINTER, gbl_##K##_reduce_Monoid_Scalar(f.one, NULL, sum, NULL, NULL));         \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##K##_reduce_Monoid_Scalar(f.one, NULL, bad, x, NULL));    \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_reduce_Monoid_Scalar(f.one, NULL, sum, y, NULL));         \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_##K##_reduce_Monoid_Scalar(f.odd, NULL, sum, x, NULL));         \
    FAILS(GBL_NULL_POINTER,                                                                        \
          gbl_##K##_reduce_BinaryOp_Scalar(NULL, NULL, GBL_PLUS_INT32, x, NULL));                  \
    FAILS(GBL_NULL_POINTER, gbl_##K##_reduce_BinaryOp_Scalar(f.one, NULL, NULL, x, NULL));         \
    FAILS(GBL_DOMAIN_MISMATCH,                                                                     \
          gbl_##K##_reduce_BinaryOp_Scalar(f.one, NULL, GBL_LT_INT32, x, NULL));                   \
    FAILS(GBL_DOMAIN_MISMATCH,                                                                     \
          gbl_##K##_reduce_BinaryOp_Scalar(f.one, NULL, GBL_PLUS_INT32, y, NULL))
    TO_SCALAR(Matrix, f.A, f.user);
    TO_SCALAR(Vector, f.u, f.strange);
    int32_t one = 0;
    OK(gbl_Scalar_extractElement_INT32(&one, f.one));
    CHECK_EQ(one, 1);
    t_Colour out = {9, 9, 9};
    FAILS(GBL_NULL_POINTER, gbl_Matrix_reduce_UDT(NULL, NULL, user, f.user, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_UDT(&out, NULL, user, f.A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_reduce_UDT(&out, NULL, NULL, f.strange, NULL));
    CHECK(out.r == 9 && out.g == 9 && out.b == 9);
}

/* ----------------------------------------------------------------------------------- methods -- */

/* A method that cannot be is an error that says why, never another method. */
OPERATOR_ERRORS(forced_methods) {
    const gbl_Semiring plus = GBL_PLUS_TIMES_SEMIRING_INT32;
    gbl_Matrix C = NULL, M = NULL;
    OK(gbl_Matrix_dup(&C, f.A));
    OK(gbl_Matrix_dup(&M, f.A));
    OK(gbl_Matrix_setElement_INT32(f.A, 0, 1, 2)); /* two entries to be multiplied */
    OK(gbl_Matrix_setElement_INT32(f.A, 6, 2, 2));
    o_Matrix before = t_dense(C);
    static const t_Mask impossible[] = {T_NO_MASK, T_COMP, T_COMP_STRUCTURAL};
    for (size_t k = 0; k < T_COUNT(impossible); k++) {
        t_Flags flags = {.mask = impossible[k], .method = GBL_METHOD_DOT};
        gbl_Descriptor desc = t_descriptor(&flags);
        FAILS(GBL_INVALID_VALUE,
              gbl_mxm(C, t_has_mask(flags.mask) ? M : NULL, NULL, plus, f.A, f.A, desc));
        OK(gbl_Descriptor_free(&desc));
    }
    OK(setenv("GBLITE_METHOD", "sideways", 1) == 0 ? GBL_SUCCESS : GBL_PANIC);
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, plus, f.A, f.A, NULL));
    t_expect("C", &before, C, 0);
    FREE(before, C, M);
    OK(gbl_Matrix_removeElement(f.A, 2, 2));
}

/* --------------------------------------------------------------------------- before gbl_init -- */

Test(errors_operators, before_init) {
    gbl_Matrix A = NULL;
    gbl_Vector v = NULL;
    gbl_Scalar s = NULL;
    gbl_Type type = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Monoid monoid = NULL;
    gbl_Semiring ring = NULL;
    int64_t n = 0;
    int32_t x = 0;
    FAILS(GBL_PANIC, gbl_Matrix_new(&A, GBL_INT32, 3, 3));
    FAILS(GBL_PANIC, gbl_Vector_new(&v, GBL_INT32, 3));
    FAILS(GBL_PANIC, gbl_Scalar_new(&s, GBL_INT32));
    FAILS(GBL_PANIC, gbl_Type_new(&type, 3));
    FAILS(GBL_PANIC, gbl_Descriptor_new(&desc));
    FAILS(GBL_PANIC, gbl_Monoid_new_INT32(&monoid, GBL_PLUS_INT32, 0));
    FAILS(GBL_PANIC, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT32, GBL_TIMES_INT32));
    FAILS(GBL_PANIC, gbl_Global_get_INT64(GBL_GLOBAL, &n, GBL_NTHREADS));
    FAILS(GBL_PANIC, gbl_mxm(A, NULL, NULL, ring, A, A, NULL));
    FAILS(GBL_PANIC, gbl_mxv(v, NULL, NULL, ring, A, v, NULL));
    FAILS(GBL_PANIC, gbl_vxm(v, NULL, NULL, ring, v, A, NULL));
    FAILS(GBL_PANIC, gbl_transpose(A, NULL, NULL, A, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_PLUS_INT32, A, A, NULL));
    FAILS(GBL_PANIC, gbl_Vector_eWiseMult_Monoid(v, NULL, NULL, monoid, v, v, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_apply(A, NULL, NULL, GBL_ABS_INT32, A, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_select_INT32(A, NULL, NULL, GBL_TRIL, A, 1, NULL));
    FAILS(GBL_PANIC, gbl_Vector_assign_INT32(v, NULL, NULL, 1, GBL_ALL, 3, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_assign(A, NULL, NULL, A, GBL_ALL, 3, GBL_ALL, 3, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_reduce_INT32(&x, NULL, GBL_PLUS_MONOID_INT32, A, NULL));
    FAILS(GBL_PANIC, gbl_Matrix_setElement_INT32(A, 1, 0, 0));
    FAILS(GBL_PANIC, gbl_Matrix_extractElement_INT32(&x, A, 0, 0));
    FAILS(GBL_INVALID_VALUE, gbl_finalize());
}
