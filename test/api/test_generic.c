/* SPDX-License-Identifier: Apache-2.0
 *
 * Every form of every name of gblite_generic.h. The choice by C type is checked on the function
 * that comes out; the forms are checked by what they compute.
 */
#include "support/gb_test.h"

#include <limits.h>

/* -------------------------------------------------------------------------- choice by type -- */

#define CHECK_CHOICE(N, T)                                                                         \
    {                                                                                              \
        T x = 0;                                                                                   \
        T *out = &x;                                                                               \
        const T *in = &x;                                                                          \
        (void)out, (void)in;                                                                       \
        t_case("%s of %s", #T, #N);                                                                \
        CHECK(GBL_OF_VALUE(x, gbl_Monoid_new) == gbl_Monoid_new_##N);                              \
        CHECK(GBL_OF_VALUE(*in, gbl_Monoid_new) == gbl_Monoid_new_##N);                            \
        CHECK(GBL_OF_VALUE_OR_SCALAR(x, gbl_Matrix_select) == gbl_Matrix_select_##N);              \
        CHECK(GBL_OF_ARRAY(out, gbl_Matrix_export) == gbl_Matrix_export_##N);                      \
        CHECK(GBL_OF_ARRAY_OR_SCALAR(out, gbl_Vector_extractElement) ==                            \
              gbl_Vector_extractElement_##N);                                                      \
        CHECK(GBL_OF_INPUT(in, gbl_Matrix_import) == gbl_Matrix_import_##N);                       \
        CHECK(GBL_OF_INPUT(out, gbl_Matrix_import) == gbl_Matrix_import_##N);                      \
        CHECK(GBL_OF_INPUT_OR_SCALAR(in, gbl_Vector_build) == gbl_Vector_build_##N);               \
        CHECK(GBL_OF_ASSIGN(Matrix, x) == gbl_Matrix_assign_##N);                                  \
        CHECK(GBL_OF_REDUCE(Vector, out, GBL_PLUS_MONOID_FP64) == gbl_Vector_reduce_##N);          \
        CHECK(GBL_OF_APPLY(Vector, GBL_PLUS_FP64, x, (gbl_Vector)0) ==                             \
              gbl_Vector_apply_BinaryOp1st_##N);                                                   \
        CHECK(GBL_OF_APPLY(Vector, GBL_PLUS_FP64, (gbl_Vector)0, x) ==                             \
              gbl_Vector_apply_BinaryOp2nd_##N);                                                   \
        CHECK(GBL_OF_APPLY(Matrix, GBL_TRIL, (gbl_Matrix)0, x) == gbl_Matrix_apply_IndexOp_##N);   \
    }

GB_TEST(generic, choice_by_type) {
    GBL_FOREACH_TYPE(CHECK_CHOICE)
    CHECK_CHOICE(INT64, long)
    CHECK_CHOICE(INT64, long long)
    CHECK_CHOICE(UINT64, unsigned long long)
    CHECK(GBL_OF_VALUE(1, gbl_Monoid_new) == gbl_Monoid_new_INT32);
#if CHAR_MIN < 0
    CHECK(GBL_OF_VALUE((char)1, gbl_Monoid_new) == gbl_Monoid_new_INT8);
#else
    CHECK(GBL_OF_VALUE((char)1, gbl_Monoid_new) == gbl_Monoid_new_UINT8);
#endif
}

/* ---------------------------------------------------------------------------------- objects -- */

typedef struct {
    double re, im;
} point;

static void point_add(void *z, const void *x, const void *y) {
    const point *a = x, *b = y;
    *(point *)z = (point){a->re + b->re, a->im + b->im};
}

static void point_copy(void *z, const void *x) {
    *(point *)z = *(const point *)x;
}

static void point_shift(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const point *a = x, *b = y;
    *(point *)z = (point){a->re + b->re + (double)i, a->im + b->im + (double)j};
}

static void point_is_right(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)i, (void)j;
    *(bool *)z = ((const point *)x)->re > ((const point *)y)->re;
}

static double at(gbl_Matrix A, gbl_Index i, gbl_Index j) {
    double x = -99;
    cr_assert((int)gbl_Matrix_extractElement(&x, A, i, j) >= 0);
    return x;
}

static double at_vector(gbl_Vector v, gbl_Index i) {
    double x = -99;
    cr_assert((int)gbl_Vector_extractElement(&x, v, i) >= 0);
    return x;
}

static point point_at(gbl_Matrix A, gbl_Index i, gbl_Index j) {
    point x = {-99, -99};
    OK(gbl_Matrix_extractElement(&x, A, i, j));
    return x;
}

/* what the forms work on: A = [1.5 2; . 3], u = [4 .], s = 10, P(0,0) = 1+2i, p = {1+2i}, all kept
 * in one place so that each test names only what it uses */
typedef struct {
    gbl_Matrix A, C, P, Q;
    gbl_Vector u, w, p;
    gbl_Scalar s;
    gbl_Type type;
    gbl_BinaryOp add;
} world;

static world make(void) {
    world x;
    const point one = {1, 2};
    OK(gbl_Type_new(&x.type, sizeof(point)));
    OK(gbl_BinaryOp_new(&x.add, point_add, x.type, x.type, x.type));
    OK(gbl_Matrix_new(&x.A, GBL_FP64, 2, 2));
    OK(gbl_Matrix_new(&x.C, GBL_FP64, 2, 2));
    OK(gbl_Matrix_new(&x.P, x.type, 2, 2));
    OK(gbl_Matrix_new(&x.Q, x.type, 2, 2));
    OK(gbl_Vector_new(&x.u, GBL_FP64, 2));
    OK(gbl_Vector_new(&x.w, GBL_FP64, 2));
    OK(gbl_Vector_new(&x.p, x.type, 2));
    OK(gbl_Scalar_new(&x.s, GBL_FP64));
    OK(gbl_Matrix_setElement(x.A, 1.5, 0, 0));
    OK(gbl_Matrix_setElement(x.A, 2, 0, 1));
    OK(gbl_Matrix_setElement(x.A, 3.0f, 1, 1));
    OK(gbl_Matrix_setElement(x.P, &one, 0, 0));
    OK(gbl_Vector_setElement(x.u, 4LL, 0));
    OK(gbl_Vector_setElement(x.p, &one, 1));
    OK(gbl_Scalar_setElement(x.s, (uint8_t)10));
    return x;
}

static void unmake(world *x) {
    OK(gbl_free(&x->A));
    OK(gbl_free(&x->C));
    OK(gbl_free(&x->P));
    OK(gbl_free(&x->Q));
    OK(gbl_free(&x->u));
    OK(gbl_free(&x->w));
    OK(gbl_free(&x->p));
    OK(gbl_free(&x->s));
    OK(gbl_free(&x->type));
    OK(gbl_free(&x->add));
    CHECK(x->A == NULL && x->u == NULL && x->s == NULL && x->type == NULL && x->add == NULL);
}

GB_TEST(generic, free_wait_error) {
    world x = make();
    const char *text = NULL;
    gbl_UnaryOp unary;
    gbl_IndexUnaryOp index;
    gbl_Monoid monoid;
    gbl_Semiring ring;
    gbl_Descriptor desc;
    OK(gbl_UnaryOp_new(&unary, point_copy, x.type, x.type));
    OK(gbl_IndexUnaryOp_new(&index, point_shift, x.type, x.type, x.type));
    OK(gbl_Monoid_new(&monoid, x.add, &(point){0}));
    OK(gbl_Semiring_new(&ring, monoid, x.add));
    OK(gbl_Descriptor_new(&desc));
#define WAIT(object)                                                                               \
    OK(gbl_wait(object, GBL_COMPLETE));                                                            \
    OK(gbl_error(&text, object));                                                                  \
    CHECK(text != NULL && text[0] == '\0');
    WAIT(x.type)
    WAIT(unary)
    WAIT(x.add)
    WAIT(index)
    WAIT(monoid)
    WAIT(ring)
    WAIT(x.s)
    WAIT(x.u)
    WAIT(x.A)
    WAIT(desc)
    WAIT(GBL_PLUS_TIMES_SEMIRING_FP64)
#undef WAIT
    OK(gbl_free(&unary));
    OK(gbl_free(&index));
    OK(gbl_free(&monoid));
    OK(gbl_free(&ring));
    OK(gbl_free(&desc));
    CHECK(!unary && !index && !monoid && !ring && !desc);
    OK(gbl_Monoid_new(&monoid, GBL_PLUS_INT32, 7));
    OK(gbl_free(&monoid));
    unmake(&x);
}

GB_TEST(generic, elements) {
    world x = make();
    long long integer = 0;
    char small = 0;
    point z = {0, 0};
    const point five = {5, 6};
    gbl_Scalar t;
    OK(gbl_Scalar_extractElement(&integer, x.s));
    CHECK_EQ(integer, 10);
    OK(gbl_Vector_extractElement(&small, x.u, 0));
    CHECK_EQ(small, 4);
    CHECK(at(x.A, 0, 0) == 1.5 && at(x.A, 0, 1) == 2 && at(x.A, 1, 1) == 3);
    OK(gbl_Vector_extractElement(&z, x.p, 1));
    CHECK(z.re == 1 && z.im == 2);
    OK(gbl_Vector_setElement(x.u, x.s, 1));
    OK(gbl_Matrix_setElement(x.A, x.s, 1, 0));
    CHECK(at_vector(x.u, 1) == 10 && at(x.A, 1, 0) == 10);
    OK(gbl_Vector_extractElement(x.s, x.u, 0));
    OK(gbl_Scalar_extractElement(&integer, x.s));
    CHECK_EQ(integer, 4);
    OK(gbl_Matrix_extractElement(x.s, x.A, 1, 1));
    OK(gbl_Scalar_extractElement(&small, x.s));
    CHECK_EQ(small, 3);
    OK(gbl_Scalar_new(&t, x.type));
    OK(gbl_Scalar_setElement(t, &five));
    OK(gbl_Scalar_extractElement(&z, t));
    CHECK(z.re == 5 && z.im == 6);
    OK(gbl_free(&t));
    unmake(&x);
}

GB_TEST(generic, tuples) {
    world x = make();
    const gbl_Index I[] = {0, 1}, J[] = {1, 0};
    const long long values[] = {7, 8};
    char chars[] = {3, 4};
    point points[] = {{1, 2}, {3, 4}};
    gbl_Index n = 2, rows[2], columns[2];
    long long back[2] = {0, 0};
    OK(gbl_Matrix_build(x.C, I, J, values, 2, GBL_PLUS_FP64));
    OK(gbl_Matrix_extractTuples(rows, columns, back, &n, x.C));
    CHECK(n == 2 && rows[1] == 1 && columns[1] == 0 && back[0] == 7 && back[1] == 8);
    OK(gbl_Vector_build(x.w, I, chars, 2, NULL));
    OK(gbl_Vector_extractTuples(rows, chars, &n, x.w));
    CHECK(n == 2 && chars[0] == 3 && chars[1] == 4 && at_vector(x.w, 1) == 4);
    OK(gbl_Matrix_build(x.Q, I, J, points, 2, NULL));
    CHECK(point_at(x.Q, 1, 0).im == 4);
    OK(gbl_Matrix_clear(x.C));
    OK(gbl_Vector_clear(x.w));
    OK(gbl_Matrix_build(x.C, I, J, x.s, 2));
    OK(gbl_Vector_build(x.w, I, x.s, 2));
    CHECK(at(x.C, 0, 1) == 10 && at_vector(x.w, 0) == 10);
    unmake(&x);
}

GB_TEST(generic, import_export) {
    gbl_Matrix A = NULL;
    const gbl_Index p[] = {0, 1, 2}, i[] = {1, 0};
    const long long values[] = {25, -35};
    gbl_Index P[3], I[2], np = 3, ni = 2, nx = 2;
    long long X[2] = {0, 0};
    OK(gbl_Matrix_import(&A, GBL_INT64, 2, 2, p, i, values, 3, 2, 2, GBL_CSR_FORMAT));
    CHECK(at(A, 0, 1) == 25);
    OK(gbl_Matrix_export(P, I, X, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    CHECK(X[0] == 25 && X[1] == -35 && P[2] == 2 && I[0] == 1);
    OK(gbl_free(&A));
}

/* ------------------------------------------------------------------------------- operations -- */

GB_TEST(generic, ewise) {
    world x = make();
    gbl_BinaryOp op = GBL_PLUS_FP64;
    gbl_Monoid monoid = GBL_PLUS_MONOID_FP64;
    gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64; /* adds with PLUS, multiplies with TIMES */
    OK(gbl_Vector_setElement(x.w, 5, 1));
    OK(gbl_Vector_setElement(x.u, 6, 1));
    OK(gbl_eWiseAdd(x.C, NULL, NULL, op, x.A, x.A, NULL));
    CHECK(at(x.C, 1, 1) == 6);
    OK(gbl_eWiseAdd(x.C, NULL, NULL, monoid, x.C, x.A, NULL));
    CHECK(at(x.C, 1, 1) == 9);
    OK(gbl_eWiseAdd(x.C, NULL, NULL, ring, x.C, x.A, NULL));
    CHECK(at(x.C, 1, 1) == 12);
    OK(gbl_eWiseMult(x.C, NULL, NULL, op, x.C, x.A, NULL));
    CHECK(at(x.C, 1, 1) == 15);
    OK(gbl_eWiseMult(x.C, NULL, NULL, monoid, x.C, x.A, GBL_DESC_R));
    CHECK(at(x.C, 1, 1) == 18);
    OK(gbl_eWiseMult(x.C, NULL, NULL, ring, x.C, x.A, NULL));
    CHECK(at(x.C, 1, 1) == 54);
    OK(gbl_eWiseAdd(x.w, NULL, NULL, op, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 0) == 4 && at_vector(x.w, 1) == 11);
    OK(gbl_eWiseAdd(x.w, NULL, NULL, monoid, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 1) == 17);
    OK(gbl_eWiseAdd(x.w, NULL, NULL, ring, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 1) == 23);
    OK(gbl_eWiseMult(x.w, NULL, NULL, op, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 1) == 29);
    OK(gbl_eWiseMult(x.w, NULL, NULL, monoid, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 1) == 35);
    OK(gbl_eWiseMult(x.w, NULL, NULL, ring, x.w, x.u, NULL));
    CHECK(at_vector(x.w, 1) == 210);
    unmake(&x);
}

GB_TEST(generic, apply) {
    world x = make();
    gbl_UnaryOp unary;
    gbl_IndexUnaryOp index;
    const point d = {100, 200};
    OK(gbl_UnaryOp_new(&unary, point_copy, x.type, x.type));
    OK(gbl_IndexUnaryOp_new(&index, point_shift, x.type, x.type, x.type));
    OK(gbl_apply(x.C, NULL, NULL, GBL_AINV_FP64, x.A, NULL));
    CHECK(at(x.C, 0, 0) == -1.5);
    OK(gbl_apply(x.w, NULL, NULL, GBL_AINV_FP64, x.u, NULL));
    CHECK(at_vector(x.w, 0) == -4);
    OK(gbl_apply(x.C, NULL, NULL, GBL_MINUS_FP64, 1, x.A, NULL));
    CHECK(at(x.C, 0, 1) == -1);
    OK(gbl_apply(x.C, NULL, NULL, GBL_MINUS_FP64, x.A, 1.25, NULL));
    CHECK(at(x.C, 0, 0) == 0.25);
    OK(gbl_apply(x.C, NULL, NULL, GBL_MINUS_FP64, x.s, x.A, NULL));
    CHECK(at(x.C, 0, 1) == 8);
    OK(gbl_apply(x.C, NULL, NULL, GBL_MINUS_FP64, x.A, x.s, NULL));
    CHECK(at(x.C, 0, 1) == -8);
    OK(gbl_apply(x.w, NULL, NULL, GBL_MINUS_FP64, 1, x.u, NULL));
    CHECK(at_vector(x.w, 0) == -3);
    OK(gbl_apply(x.w, NULL, NULL, GBL_MINUS_FP64, x.u, x.s, NULL));
    CHECK(at_vector(x.w, 0) == -6);
    OK(gbl_apply(x.C, NULL, NULL, GBL_ROWINDEX_INT64, x.A, (int64_t)5, NULL));
    CHECK(at(x.C, 1, 1) == 6);
    OK(gbl_apply(x.C, NULL, NULL, GBL_COLINDEX_INT64, x.A, x.s, NULL));
    CHECK(at(x.C, 0, 1) == 11);
    OK(gbl_apply(x.w, NULL, NULL, GBL_ROWINDEX_INT64, x.u, 7, NULL));
    CHECK(at_vector(x.w, 0) == 7);
    OK(gbl_apply(x.Q, NULL, NULL, unary, x.P, NULL));
    CHECK(point_at(x.Q, 0, 0).im == 2);
    OK(gbl_apply(x.Q, NULL, NULL, x.add, &d, x.P, NULL));
    CHECK(point_at(x.Q, 0, 0).im == 202);
    OK(gbl_apply(x.Q, NULL, NULL, x.add, x.Q, &d, NULL));
    CHECK(point_at(x.Q, 0, 0).re == 201);
    OK(gbl_apply(x.Q, NULL, NULL, index, x.P, &d, NULL));
    CHECK(point_at(x.Q, 0, 0).re == 101);
    OK(gbl_free(&unary));
    OK(gbl_free(&index));
    unmake(&x);
}

GB_TEST(generic, select) {
    world x = make();
    const point bound = {0.5, 0};
    gbl_IndexUnaryOp is_right;
    gbl_Index n = 99;
    OK(gbl_IndexUnaryOp_new(&is_right, point_is_right, GBL_BOOL, x.type, x.type));
    OK(gbl_select(x.C, NULL, NULL, GBL_VALUEGT_FP64, x.A, 1.75, NULL));
    OK(gbl_Matrix_nvals(&n, x.C));
    CHECK_EQ(n, 2);
    OK(gbl_select(x.C, NULL, NULL, GBL_VALUEGT_FP64, x.A, x.s, NULL));
    OK(gbl_Matrix_nvals(&n, x.C));
    CHECK_EQ(n, 0);
    OK(gbl_select(x.w, NULL, NULL, GBL_ROWLE, x.u, 0, NULL));
    OK(gbl_Vector_nvals(&n, x.w));
    CHECK_EQ(n, 1);
    OK(gbl_select(x.Q, NULL, NULL, is_right, x.P, &bound, NULL));
    OK(gbl_Matrix_nvals(&n, x.Q));
    CHECK_EQ(n, 1);
    OK(gbl_free(&is_right));
    unmake(&x);
}

GB_TEST(generic, assign) {
    world x = make();
    const gbl_Index I[] = {1};
    const point eight = {8, 9};
    OK(gbl_assign(x.C, NULL, NULL, x.A, GBL_ALL, 2, GBL_ALL, 2, NULL));
    CHECK(at(x.C, 0, 1) == 2);
    OK(gbl_assign(x.C, NULL, NULL, 5, I, 1, GBL_ALL, 2, NULL));
    CHECK(at(x.C, 1, 0) == 5 && at(x.C, 0, 1) == 2);
    OK(gbl_assign(x.C, NULL, NULL, x.s, I, 1, I, 1, NULL));
    CHECK(at(x.C, 1, 1) == 10);
    OK(gbl_assign(x.w, NULL, NULL, x.u, GBL_ALL, 2, NULL));
    CHECK(at_vector(x.w, 0) == 4);
    OK(gbl_assign(x.w, NULL, NULL, 2.5f, I, 1, NULL));
    CHECK(at_vector(x.w, 1) == 2.5);
    OK(gbl_assign(x.w, NULL, NULL, x.s, GBL_ALL, 2, NULL));
    CHECK(at_vector(x.w, 0) == 10);
    OK(gbl_assign(x.Q, NULL, NULL, &eight, GBL_ALL, 2, I, 1, NULL));
    CHECK(point_at(x.Q, 0, 1).im == 9);
    unmake(&x);
}

GB_TEST(generic, lines_and_parts) {
    world x = make();
    const gbl_Index I[] = {1, 0};
    gbl_Index J[] = {0, 1};
    OK(gbl_extract(x.C, NULL, NULL, x.A, I, 2, GBL_ALL, 2, NULL));
    CHECK(at(x.C, 1, 1) == at(x.A, 0, 1));
    OK(gbl_extract(x.w, NULL, NULL, x.A, J, 2, 1, NULL));
    CHECK(at_vector(x.w, 0) == at(x.A, 0, 1));
    OK(gbl_extract(x.w, NULL, NULL, x.u, J, 2, NULL));
    CHECK(at_vector(x.w, 0) == at_vector(x.u, 0));
    OK(gbl_assign(x.C, NULL, NULL, x.u, 1, J, 2, NULL));
    CHECK(at(x.C, 1, 0) == at_vector(x.u, 0));
    OK(gbl_assign(x.C, NULL, NULL, x.u, I, 2, 0, NULL));
    CHECK(at(x.C, 1, 0) == at_vector(x.u, 0));
    OK(gbl_assign(x.C, NULL, NULL, x.u, GBL_ALL, 2, 1, NULL));
    CHECK(at(x.C, 0, 1) == at_vector(x.u, 0));
    unmake(&x);
}

GB_TEST(generic, kronecker) {
    world x = make();
    const double first = at(x.A, 0, 1);
    gbl_Matrix C = t_new_matrix(GBL_FP64, 4, 4);
    OK(gbl_kronecker(C, NULL, NULL, GBL_MINUS_FP64, x.A, x.A, NULL));
    CHECK(at(C, 0, 3) == 0);
    OK(gbl_kronecker(C, NULL, NULL, GBL_PLUS_MONOID_FP64, x.A, x.A, NULL));
    CHECK(at(C, 0, 3) == 2 * first);
    OK(gbl_kronecker(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, x.A, x.A, NULL));
    CHECK(at(C, 0, 3) == first * first);
    OK(gbl_Matrix_free(&C));
    unmake(&x);
}

GB_TEST(generic, reduce) {
    world x = make();
    gbl_Monoid monoid;
    double sum = 0;
    long long whole = 0;
    point z = {0, 0};
    OK(gbl_Monoid_new(&monoid, x.add, &z));
    OK(gbl_reduce(x.w, NULL, NULL, GBL_PLUS_MONOID_FP64, x.A, NULL));
    CHECK(at_vector(x.w, 0) == 3.5 && at_vector(x.w, 1) == 3);
    OK(gbl_reduce(x.w, NULL, NULL, GBL_MAX_FP64, x.A, NULL));
    CHECK(at_vector(x.w, 0) == 2);
    OK(gbl_reduce(&sum, NULL, GBL_PLUS_MONOID_FP64, x.A, NULL));
    CHECK(sum == 6.5);
    OK(gbl_reduce(&sum, NULL, GBL_PLUS_MONOID_FP64, x.u, NULL));
    CHECK(sum == 4);
    OK(gbl_reduce(&whole, NULL, GBL_PLUS_MONOID_FP64, x.A, NULL));
    CHECK_EQ(whole, 6);
    OK(gbl_mxm_reduce(&sum, x.A, NULL, GBL_PLUS_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, x.A, x.A,
                      NULL));
    OK(gbl_reduce(x.s, GBL_PLUS_FP64, GBL_PLUS_MONOID_FP64, x.A, NULL));
    OK(gbl_Scalar_extractElement(&sum, x.s));
    CHECK(sum == 16.5);
    OK(gbl_reduce(x.s, NULL, GBL_PLUS_FP64, x.A, NULL));
    OK(gbl_Scalar_extractElement(&sum, x.s));
    CHECK(sum == 6.5);
    OK(gbl_reduce(x.s, NULL, GBL_PLUS_MONOID_FP64, x.u, NULL));
    OK(gbl_Scalar_extractElement(&sum, x.s));
    CHECK(sum == 4);
    OK(gbl_reduce(x.s, NULL, GBL_MIN_FP64, x.w, NULL));
    OK(gbl_Scalar_extractElement(&sum, x.s));
    CHECK(sum == 2);
    OK(gbl_reduce(&z, NULL, monoid, x.P, NULL));
    CHECK(z.re == 1 && z.im == 2);
    OK(gbl_free(&monoid));
    unmake(&x);
}
