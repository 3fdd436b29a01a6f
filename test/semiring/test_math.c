/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that are functions of <math.h>: each gives the bits of the C library's function, over
 * values of all kinds, for one value and for arrays; powers of integers wrap as products do.
 */
#include <float.h>
#include <math.h>

#include "support/gb_test.h"

#include <string.h>

typedef struct {
    const char *name;
    gbl_UnaryOp of64, of32;
    double (*f64)(double);
    float (*f32)(float);
} Function;

static double signum(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}
static float signumf(float x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* The handles are no constants, so the table is filled when it is asked for. */
static const Function *functions(size_t *n) {
#define F(NAME, call)                                                                              \
    { #call, GBL_##NAME##_FP64, GBL_##NAME##_FP32, call, call##f }
    static Function list[30];
    const Function made[] = {
        F(SQRT, sqrt),   F(CBRT, cbrt),   F(EXP, exp),     F(EXP2, exp2),     F(EXPM1, expm1),
        F(LOG, log),     F(LOG2, log2),   F(LOG10, log10), F(LOG1P, log1p),   F(SIN, sin),
        F(COS, cos),     F(TAN, tan),     F(ASIN, asin),   F(ACOS, acos),     F(ATAN, atan),
        F(SINH, sinh),   F(COSH, cosh),   F(TANH, tanh),   F(ASINH, asinh),   F(ACOSH, acosh),
        F(ATANH, atanh), F(ERF, erf),     F(ERFC, erfc),   F(LGAMMA, lgamma), F(TGAMMA, tgamma),
        F(CEIL, ceil),   F(FLOOR, floor), F(ROUND, round), F(TRUNC, trunc),   F(SIGNUM, signum)};
#undef F
    memcpy(list, made, sizeof made);
    *n = T_COUNT(made);
    return list;
}

enum { COUNT = 14 };
static const double values[COUNT] = {0,    -0.0, 0.5,      -0.5,      1,   -1,     2.5,
                                     -2.5, 10,   INFINITY, -INFINITY, NAN, 1e-300, 1e300};

static bool same(double x, double y) {
    return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

static gbl_Vector all_values(gbl_Type type) {
    gbl_Vector v = t_new_vector(type, COUNT);
    for (gbl_Index k = 0; k < COUNT; k++) OK(gbl_Vector_setElement_FP64(v, values[k], k));
    return v;
}

GB_TEST(math, unary) {
    size_t n;
    const Function *list = functions(&n);
    gbl_Vector x = all_values(GBL_FP64), y = all_values(GBL_FP32);
    for (size_t f = 0; f < n; f++) {
        gbl_Vector z = t_new_vector(GBL_FP64, COUNT), w = t_new_vector(GBL_FP32, COUNT);
        OK(gbl_Vector_apply(z, NULL, NULL, list[f].of64, x, NULL));
        OK(gbl_Vector_apply(w, NULL, NULL, list[f].of32, y, NULL));
        for (gbl_Index k = 0; k < COUNT; k++) {
            double a = 0;
            float b = 0;
            t_case("%s of %g", list[f].name, values[k]);
            OK(gbl_Vector_extractElement_FP64(&a, z, k));
            OK(gbl_Vector_extractElement_FP32(&b, w, k));
            CHECK(same(a, list[f].f64(values[k])));
            CHECK(same(b, list[f].f32((float)values[k])));
        }
        FREE(z, w);
    }
    FREE(x, y);
}

/* One value for all, as kept by a matrix. */
GB_TEST(math, of_one_value) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 5, 7);
    double x = 0;
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 16, GBL_ALL, 5, GBL_ALL, 7, NULL));
    OK(gbl_Matrix_apply(A, NULL, NULL, GBL_SQRT_FP64, A, NULL));
    OK(gbl_Matrix_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
    CHECK(x == 4 * 35);
    OK(gbl_Matrix_free(&A));
}

GB_TEST(math, truths) {
    gbl_Vector x = all_values(GBL_FP64), z = t_new_vector(GBL_BOOL, COUNT);
    const struct {
        gbl_UnaryOp op;
        int kind;
    } list[] = {{GBL_ISNAN_FP64, 0}, {GBL_ISINF_FP64, 1}, {GBL_ISFINITE_FP64, 2}};
    for (size_t f = 0; f < T_COUNT(list); f++) {
        OK(gbl_Vector_apply(z, NULL, NULL, list[f].op, x, NULL));
        for (gbl_Index k = 0; k < COUNT; k++) {
            bool found = false;
            t_case("truth %zu of %g", f, values[k]);
            OK(gbl_Vector_extractElement_BOOL(&found, z, k));
            const double v = values[k];
            const bool kinds[] = {isnan(v) != 0, isinf(v) != 0, isfinite(v) != 0};
            CHECK_EQ(found, kinds[list[f].kind]);
        }
    }
    FREE(x, z);
}

GB_TEST(math, binary) {
    const struct {
        const char *name;
        gbl_BinaryOp op;
        double (*f)(double, double);
    } list[] = {{"pow", GBL_POW_FP64, pow},
                {"atan2", GBL_ATAN2_FP64, atan2},
                {"hypot", GBL_HYPOT_FP64, hypot},
                {"fmod", GBL_FMOD_FP64, fmod},
                {"remainder", GBL_REMAINDER_FP64, remainder},
                {"copysign", GBL_COPYSIGN_FP64, copysign}};
    gbl_Vector x = all_values(GBL_FP64), z = t_new_vector(GBL_FP64, COUNT);
    for (size_t f = 0; f < T_COUNT(list); f++)
        for (int j = 0; j < COUNT; j++) {
            OK(gbl_Vector_apply_BinaryOp2nd_FP64(z, NULL, NULL, list[f].op, x, values[j], NULL));
            for (gbl_Index k = 0; k < COUNT; k++) {
                double a = 0;
                t_case("%s of %g, %g", list[f].name, values[k], values[j]);
                OK(gbl_Vector_extractElement_FP64(&a, z, k));
                CHECK(same(a, list[f].f(values[k], values[j])));
            }
        }
    OK(gbl_Vector_apply_BinaryOp2nd_FP64(z, NULL, NULL, GBL_LDEXP_FP64, x, 3, NULL));
    for (gbl_Index k = 0; k < COUNT; k++) {
        double a = 0;
        OK(gbl_Vector_extractElement_FP64(&a, z, k));
        CHECK(same(a, values[k] * 8));
    }
    FREE(x, z);
}

GB_TEST(math, powers_of_integers) {
    const struct {
        int64_t x, y, z;
    } cases[] = {{3, 4, 81},         {-2, 3, -8},        {5, 0, 1},    {0, 0, 1},
                 {0, -1, INT64_MAX}, {1, -7, 1},         {-1, -7, -1}, {-1, -8, 1},
                 {7, -1, 0},         {2, 63, INT64_MIN}, {2, 64, 0},   {3, 41, 0}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        gbl_Vector v = t_new_vector(GBL_INT64, 1);
        int64_t z = 0;
        uint64_t wraps = 1;
        for (int64_t p = 0; p < cases[k].y; p++) wraps *= (uint64_t)cases[k].x;
        const int64_t expected = cases[k].y >= 0 ? (int64_t)wraps : cases[k].z;
        t_case("%d ^ %d", (int)cases[k].x, (int)cases[k].y);
        OK(gbl_Vector_setElement_INT64(v, cases[k].x, 0));
        OK(gbl_Vector_apply_BinaryOp2nd_INT64(v, NULL, NULL, GBL_POW_INT64, v, cases[k].y, NULL));
        OK(gbl_Vector_extractElement_INT64(&z, v, 0));
        CHECK_EQ(z, expected);
        OK(gbl_Vector_free(&v));
    }
    gbl_Vector v = t_new_vector(GBL_UINT8, 1);
    uint8_t z = 0;
    OK(gbl_Vector_setElement_UINT8(v, 3, 0));
    OK(gbl_Vector_apply_BinaryOp2nd_UINT8(v, NULL, NULL, GBL_POW_UINT8, v, 6, NULL));
    OK(gbl_Vector_extractElement_UINT8(&z, v, 0));
    CHECK_EQ(z, 729 % 256);
    OK(gbl_Vector_free(&v));
}
