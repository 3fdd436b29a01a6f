/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers: casts from and to every type, functions against those of C, parts and angles,
 * names, and what has no type. Operators, semirings and operations are compared with the oracle
 * beside those of other types (support/lists.h).
 */
#include "support/gb_test.h"
#include "support/complex_values.h"

#include <math.h>
#include <string.h>

static bool same(double x, double y) {
    return (isnan(x) && isnan(y)) || x == y;
}

static bool same_complex(double complex x, double complex y) {
    return same(creal(x), creal(y)) && same(cimag(x), cimag(y));
}

static const double parts[] = {0, 1, -1, 0.5, -2.5, 3, 1e9, -1e20, INFINITY, NAN};
enum { PARTS = (int)T_COUNT(parts), COUNT = PARTS * PARTS };

static double complex value_at(gbl_Index k) {
    return CMPLX(parts[k / PARTS], parts[k % PARTS]);
}

/* All pairs of parts. */
static gbl_Vector all_values(gbl_Type type) {
    gbl_Vector v = t_new_vector(type, COUNT);
    for (gbl_Index k = 0; k < COUNT; k++) OK(gbl_Vector_setElement_FC64(v, value_at(k), k));
    return v;
}

static double complex element(gbl_Vector v, gbl_Index k) {
    double complex x = 0;
    OK(gbl_Vector_extractElement_FC64(&x, v, k));
    return x;
}

/* -- casts */

/* w = v, of another type, by an assign, by extractElement and by a mask of values. */
static void check_cast(gbl_Vector v, o_Type from, o_Type to) {
    gbl_Vector w = t_new_vector(to.handle, COUNT), kept = t_new_vector(GBL_BOOL, COUNT);
    OK(gbl_Vector_assign(w, NULL, NULL, v, GBL_ALL, COUNT, NULL));
    OK(gbl_Vector_assign_BOOL(kept, v, NULL, true, GBL_ALL, COUNT, NULL));
    o_Matrix V = t_dense_vector(v), W = t_dense_vector(w), K = t_dense_vector(kept);
    for (gbl_Index k = 0; k < COUNT; k++) {
        const o_Value wanted = o_cast(to, from, V.x[k].v);
        CHECK(W.x[k].has && o_same(to, &W.x[k].v, &wanted));
        CHECK_EQ(K.x[k].has, o_truth(from, &V.x[k].v));
    }
    FREE(V, W, K, w, kept);
}

GB_TEST(complex_numbers, casts) {
    for (size_t s = 0; s < T_COUNT(t_types); s++) {
        const o_Type from = o_type(t_types[s]);
        gbl_Vector v = all_values(from.handle);
        for (size_t t = 0; t < T_COUNT(t_types); t++) check_cast(v, from, o_type(t_types[t]));
        FREE(v);
    }
}

GB_TEST(complex_numbers, typed_functions) {
    gbl_Scalar s = NULL;
    double x = 0;
    float complex z = 0;
    int8_t small = 0;
    bool truth = false;
    OK(gbl_Scalar_new(&s, GBL_FC64));
    OK(gbl_Scalar_setElement_FC64(s, CMPLX(300.5, 2)));
    OK(gbl_Scalar_extractElement(&x, s));
    OK(gbl_Scalar_extractElement(&z, s));
    OK(gbl_Scalar_extractElement(&small, s));
    CHECK(x == 300.5 && z == CMPLXF(300.5f, 2) && small == INT8_MAX);
    OK(gbl_Scalar_setElement(s, CMPLXF(0, -1)));
    OK(gbl_Scalar_extractElement(&truth, s));
    CHECK(truth);
    OK(gbl_Scalar_setElement(s, 7));
    OK(gbl_Scalar_extractElement(&z, s));
    CHECK(z == 7);
    FREE(s);
}

/* A bitmap whose absent positions hold no value is cast to and from 16 bytes. */
GB_TEST(complex_numbers, bitmaps) {
    enum { N = 700 };
    gbl_Vector v = t_new_vector(GBL_FC64, N), w = t_new_vector(GBL_INT32, N);
    for (gbl_Index k = 0; k < N; k += 1 + k % 3) OK(gbl_Vector_setElement_FC64(v, CMPLX(k, 1), k));
    OK(gbl_Vector_eWiseAdd_BinaryOp(v, NULL, NULL, GBL_PLUS_FC64, v, v, NULL));
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_CREAL_FC64, v, NULL));
    OK(gbl_Vector_eWiseMult_BinaryOp(w, NULL, GBL_PLUS_FC64, GBL_TIMES_FC32, v, w, NULL));
    for (gbl_Index k = 0; k < N; k += 1 + k % 3) {
        int32_t x = -1;
        OK(gbl_Vector_extractElement(&x, w, k));
        CHECK_EQ(x, (int32_t)(2 * k + 4 * k * k));
    }
    FREE(v, w);
}

/* -- functions */

typedef struct {
    const char *name;
    gbl_UnaryOp of64, of32;
    double complex (*f64)(double complex);
    float complex (*f32)(float complex);
} Function;

static double complex signum(double complex x) {
    return x == 0 ? 0 : x / cabs(x);
}
static float complex signumf(float complex x) {
    return x == 0 ? 0 : x / cabsf(x);
}
static double complex inverse(double complex x) {
    return 1 / x;
}
static float complex inversef(float complex x) {
    return 1 / x;
}
static double complex down(double complex x) {
    return CMPLX(floor(creal(x)), floor(cimag(x)));
}
static float complex downf(float complex x) {
    return CMPLXF(floorf(crealf(x)), floorf(cimagf(x)));
}

/* The same bits as C's function; a bound input too. */
static void check_function(const Function *f) {
    gbl_Vector v = all_values(GBL_FC64), w = t_new_vector(GBL_FC64, COUNT);
    t_case("%s", f->name);
    OK(gbl_Vector_apply(w, NULL, NULL, f->of64, v, NULL));
    for (gbl_Index k = 0; k < COUNT; k++) CHECK(same_complex(element(w, k), f->f64(element(v, k))));
    OK(gbl_Vector_apply(w, NULL, NULL, f->of32, v, NULL));
    for (gbl_Index k = 0; k < COUNT; k++)
        CHECK(same_complex(element(w, k), f->f32((float complex)element(v, k))));
    OK(gbl_Vector_assign_FC64(v, NULL, NULL, CMPLX(0.5, -2), GBL_ALL, COUNT, NULL));
    OK(gbl_Vector_apply(w, NULL, NULL, f->of64, v, NULL));
    CHECK(same_complex(element(w, 3), f->f64(CMPLX(0.5, -2))));
    FREE(v, w);
}

GB_TEST(complex_numbers, functions) {
#define F(NAME, call)                                                                              \
    { #call, GBL_##NAME##_FC64, GBL_##NAME##_FC32, call, call##f }
    const Function list[] = {
        F(SQRT, csqrt),    F(EXP, cexp),     F(LOG, clog),     F(SIN, csin),     F(COS, ccos),
        F(TAN, ctan),      F(ASIN, casin),   F(ACOS, cacos),   F(ATAN, catan),   F(SINH, csinh),
        F(COSH, ccosh),    F(TANH, ctanh),   F(ASINH, casinh), F(ACOSH, cacosh), F(ATANH, catanh),
        F(SIGNUM, signum), F(MINV, inverse), F(CONJ, conj),    F(FLOOR, down)};
#undef F
    for (size_t k = 0; k < T_COUNT(list); k++) check_function(&list[k]);
}

static double complex apply(gbl_UnaryOp op, double complex x) {
    gbl_Vector v = t_new_vector(GBL_FC64, 1), w = t_new_vector(GBL_FC64, 1);
    OK(gbl_Vector_setElement_FC64(v, x, 0));
    OK(gbl_Vector_apply(w, NULL, NULL, op, v, NULL));
    const double complex z = element(w, 0);
    FREE(v, w);
    return z;
}

static bool is_near(double complex x, double complex y) {
    return cabs(x - y) < 1e-6;
}

/* Those that C lacks, by what they mean. */
GB_TEST(complex_numbers, other_functions) {
    const double complex x = CMPLX(1.5, -0.75);
    CHECK(is_near(apply(GBL_EXP2_FC64, x), cpow(2, x)));
    CHECK(is_near(apply(GBL_EXPM1_FC64, x) + 1, cexp(x)));
    CHECK(is_near(apply(GBL_LOG2_FC64, x) * log(2), clog(x)));
    CHECK(is_near(apply(GBL_LOG10_FC64, x) * log(10), clog(x)));
    CHECK(is_near(apply(GBL_LOG1P_FC64, x), clog(1 + x)));
    CHECK(is_near(apply(GBL_EXP2_FC32, x), cpow(2, x)));
    CHECK(apply(GBL_CEIL_FC64, x) == CMPLX(2, 0) && apply(GBL_TRUNC_FC64, x) == 1);
    CHECK(apply(GBL_ROUND_FC32, x) == CMPLX(2, -1));
}

/* Parts, the absolute value and the angle are real. */
GB_TEST(complex_numbers, parts) {
    const gbl_UnaryOp ops[] = {GBL_ABS_FC64, GBL_CREAL_FC64, GBL_CIMAG_FC64, GBL_CARG_FC64};
    double (*const f[])(double complex) = {cabs, creal, cimag, carg};
    for (size_t o = 0; o < T_COUNT(ops); o++) {
        gbl_Vector v = all_values(GBL_FC64), w = t_new_vector(GBL_FP64, COUNT);
        gbl_Type_Code code;
        OK(gbl_UnaryOp_get_INT32(ops[o], (int32_t *)&code, GBL_OUTP_TYPE_CODE));
        CHECK_EQ(code, GBL_FP64_CODE);
        OK(gbl_Vector_apply(w, NULL, NULL, ops[o], v, NULL));
        for (gbl_Index k = 0; k < COUNT; k++) {
            double x = 0;
            OK(gbl_Vector_extractElement_FP64(&x, w, k));
            CHECK(same(x, f[o](element(v, k))));
        }
        FREE(v, w);
    }
    CHECK(apply(GBL_ABS_FC32, CMPLX(3, -4)) == 5);
}

GB_TEST(complex_numbers, numbers_or_not) {
    gbl_Vector v = all_values(GBL_FC64), w = t_new_vector(GBL_BOOL, COUNT);
    const gbl_UnaryOp ops[] = {GBL_ISNAN_FC64, GBL_ISINF_FC64, GBL_ISFINITE_FC64};
    for (size_t o = 0; o < T_COUNT(ops); o++) {
        OK(gbl_Vector_apply(w, NULL, NULL, ops[o], v, NULL));
        for (gbl_Index k = 0; k < COUNT; k++) {
            const double a = parts[k / PARTS], b = parts[k % PARTS];
            const bool wanted[] = {isnan(a) || isnan(b), isinf(a) || isinf(b),
                                   isfinite(a) && isfinite(b)};
            bool x = false;
            OK(gbl_Vector_extractElement_BOOL(&x, w, k));
            CHECK_EQ(x, wanted[o]);
        }
    }
    FREE(v, w);
}

GB_TEST(complex_numbers, powers_and_pairs) {
    gbl_Vector x = t_new_vector(GBL_FP64, 3), y = t_new_vector(GBL_FP64, 3);
    gbl_Vector z = t_new_vector(GBL_FC64, 3);
    for (gbl_Index k = 0; k < 3; k++) {
        OK(gbl_Vector_setElement_FP64(x, 1.5 * (double)k, k));
        OK(gbl_Vector_setElement_FP64(y, 2.0 - (double)k, k));
    }
    OK(gbl_Vector_eWiseMult_BinaryOp(z, NULL, NULL, GBL_CMPLX_FP64, x, y, NULL));
    CHECK(element(z, 2) == CMPLX(3, 0) && element(z, 1) == CMPLX(1.5, 1));
    OK(gbl_Vector_apply_BinaryOp2nd_FC64(z, NULL, NULL, GBL_POW_FC64, z, CMPLX(0, 1), NULL));
    CHECK(is_near(element(z, 1), cexp(CMPLX(0, 1) * clog(CMPLX(1.5, 1)))));
    /* exact where real numbers are */
    static const double real[][3] = {{0, 0, 1}, {2, 3, 8}, {5, 8, 390625}, {-2, 3, -8}, {0, 2, 0}};
    for (size_t k = 0; k < T_COUNT(real); k++) {
        OK(gbl_Vector_setElement_FC64(z, CMPLX(real[k][0], 0), 0));
        OK(gbl_Vector_apply_BinaryOp2nd_FC64(z, NULL, NULL, GBL_POW_FC64, z, CMPLX(real[k][1], 0),
                                             NULL));
        CHECK(element(z, 0) == CMPLX(real[k][2], 0));
    }
    OK(gbl_Vector_setElement_FC64(z, CMPLX(-4, 0), 0));
    OK(gbl_Vector_apply_BinaryOp2nd_FC64(z, NULL, NULL, GBL_POW_FC64, z, CMPLX(0.5, 0), NULL));
    CHECK(is_near(element(z, 0), CMPLX(0, 2)));
    FREE(x, y, z);
}

/* -- names and handles */

static void check_name(gbl_Semiring ring, const char *wanted) {
    char name[64];
    OK(gbl_Semiring_get_String(ring, name, GBL_NAME));
    CHECK(strcmp(name, wanted) == 0);
}

GB_TEST(complex_numbers, names) {
    char name[64];
    OK(gbl_Type_get_String(GBL_FC32, name, GBL_NAME));
    CHECK(strcmp(name, "GBL_FC32") == 0);
    OK(gbl_BinaryOp_get_String(GBL_RMINUS_FC64, name, GBL_NAME));
    CHECK(strcmp(name, "GBL_RMINUS_FC64") == 0);
    check_name(GBL_PLUS_TIMES_SEMIRING_FC64, "GBL_PLUS_TIMES_SEMIRING_FC64");
    check_name(GBL_ANY_PAIR_SEMIRING_FC32, "GBL_ANY_PAIR_SEMIRING_FC32");
}

/* User types do not become complex numbers, and the reason is told. */
GB_TEST(complex_numbers, user_types) {
    gbl_Type type = NULL;
    gbl_Vector v = NULL;
    OK(gbl_Type_new(&type, sizeof(double complex)));
    OK(gbl_Vector_new(&v, type, 3));
    CHECK_EQ(gbl_Vector_setElement_FC64(v, 1, 0), GBL_DOMAIN_MISMATCH);
    CHECK(strstr(gbl_last_error(), "FC64") != NULL);
    FREE(v, type);
}
