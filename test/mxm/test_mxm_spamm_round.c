/* SPDX-License-Identifier: Apache-2.0
 *
 * Factors rounded to FP16, BF16 and TF32: every value by a slow definition, the product to the bit
 * one of factors that are rounded before, and the true error below the bound.
 */
#include "mxm/spamm_cases.h"

static const gbl_Desc_Value roundings[] = {GBL_ROUND_FP16, GBL_ROUND_BF16, GBL_ROUND_TF32};
static const char *const names[] = {"fp16", "bf16", "tf32"};

/* The nearest of the values m * 2^e with `digits` binary digits, least place 2^least; half way to
 * even; infinite from 2^(beyond) less half a place on. */
static double nearest(double x, int which) {
    static const struct {
        int digits, least, beyond;
    } of[] = {{11, -24, 16}, {8, -133, 128}, {11, -136, 128}};
    int e;
    if (!isfinite(x) || x == 0.0) return x;
    frexp(x, &e); /* |x| < 2^e */
    int place = e - of[which].digits;
    if (place < of[which].least) place = of[which].least;
    const double y = ldexp(nearbyint(ldexp(x, -place)), place);
    return fabs(y) >= ldexp(1.0, of[which].beyond) ? copysign(HUGE_VAL, x) : y;
}

static gbl_Matrix product(gbl_Matrix A, gbl_Matrix B, gbl_Desc_Value rounding, const asked *how) {
    gbl_Descriptor desc = descriptor(how);
    gbl_Index rows, columns;
    OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, rounding));
    OK(gbl_Matrix_nrows(&rows, A));
    OK(gbl_Matrix_ncols(&columns, B));
    gbl_Matrix C = t_new_matrix(GBL_FP32, rows, columns);
    OK(gbl_mxm(C, NULL, NULL, PLUS32, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

/* A with rounded values. */
static gbl_Matrix rounded(gbl_Matrix A, int which) {
    gbl_Matrix R = NULL;
    OK(gbl_Matrix_dup(&R, A));
    t_Tuples t = t_tuples_of(A);
    for (gbl_Index k = 0; k < t.n; k++)
        OK(gbl_Matrix_setElement_FP64(R, nearest(t.X[k], which), t.I[k], t.J[k]));
    t_tuples_free(&t);
    return R;
}

/* A column of values times 1: each comes back as it was rounded. */
GB_TEST(mxm_spamm_round, values) {
    enum { N = 4000 };
    t_Random r = t_random(3);
    static const float special[] = {
        0.0F,           -0.0F,          65504.0F,    65519.996F,      65520.0F,    -65536.0F,
        0x1p-24F,       0x1p-25F,       0x1.8p-25F,  0x1.0002p-25F,   0x1p-14F,    0x1.ffep-15F,
        0x1.fffp-15F,   0x1p-149F,      3.0F,        0x1.fffffep127F, 0x1.fep127F, 1.0009765625F,
        1.00048828125F, 1.00146484375F, 1.00390625F, 1.01171875F};
    gbl_Matrix A = t_new_matrix(GBL_FP32, N, 1), one = t_new_matrix(GBL_FP32, 1, 1);
    OK(gbl_Matrix_setElement_FP32(one, 1.0F, 0, 0));
    for (gbl_Index i = 0; i < N; i++) {
        const double wide = ldexp(1.0 + (double)t_below(&r, 1 << 24) / (1 << 24),
                                  (int)t_below(&r, i % 2 ? 40 : 250) - (i % 2 ? 24 : 126));
        const float x = i < T_COUNT(special) ? special[i] : (float)(i % 3 ? wide : -wide);
        OK(gbl_Matrix_setElement_FP32(A, x, i, 0));
    }
    for (int which = 0; which < 3; which++) {
        gbl_Matrix C = product(A, one, roundings[which], &ASK(GBL_TAU, 0.0, 16));
        t_Tuples before = t_tuples_of(A), after = t_tuples_of(C);
        CHECK_EQ(after.n, N);
        for (gbl_Index k = 0; k < N; k++) {
            t_case("%s of %a", names[which], before.X[k]);
            CHECK(after.X[k] == nearest(before.X[k], which));
        }
        t_tuples_free(&before);
        t_tuples_free(&after);
        OK(gbl_Matrix_free(&C));
    }
    FREE(A, one);
}

/* Of full factors and of tiles, one value for all too, and of one matrix squared. */
GB_TEST(mxm_spamm_round, factors_rounded_before) {
    static const char *const specs[][2] = {{"decay:70:exp:0.9:3", "decay:70:exp:0.8:4"},
                                           {"fem:3:4", "fem:3:4"},
                                           {"rect:40:60:20", "rect:60:50:9"}};
    for (unsigned n = 0; n < 3 * T_COUNT(specs); n++) {
        const int which = (int)(n % 3), side = 16 << n / 3 % 3;
        gbl_Matrix A = t_from_spec(GBL_FP32, specs[n / 3][0]);
        gbl_Matrix B = n % 2 == 1 && n < 6 ? A : t_from_spec(GBL_FP32, specs[n / 3][1]);
        if (n == 4)
            OK(gbl_Matrix_assign_FP32(A, A, NULL, 0.3F, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
        gbl_Matrix P = rounded(A, which), Q = rounded(B, which);
        t_case("%s, %s, side %d", specs[n / 3][0], names[which], side);
        gbl_Matrix C = product(A, B, roundings[which], &ASK(GBL_TAU, 0.25, side));
        gbl_Matrix D = product(P, Q, GBL_DEFAULT, &ASK(GBL_TAU, 0.25, side));
        const gbl_Explanation how = t_explain(C), exact = t_explain(D);
        t_Tuples expected = t_tuples_of(D);
        t_expect_tuples(&expected, C);
        cr_assert_str_eq(how.rounding, names[which]);
        CHECK(exact.rounding == NULL && exact.rounding_error == 0.0);
        CHECK(how.rounding_error > 0.0 && how.valid_ratio == exact.valid_ratio);
        CHECK(fabs(how.error_bound - exact.error_bound - how.rounding_error) <=
              1e-6 * how.error_bound);
        t_tuples_free(&expected);
        if (B != A) OK(gbl_Matrix_free(&B));
        FREE(A, C, D, P, Q);
    }
}

/* The norm of A * B - C, of small matrices, and what FP32 sums may add to it. */
static double true_error(gbl_Matrix A, gbl_Matrix B, gbl_Matrix C, double *sums) {
    dense *a = dense_of(A), *b = dense_of(B), *c = dense_of(C);
    long double squares = 0, all = 0;
    for (gbl_Index i = 0; i < a->rows; i++)
        for (gbl_Index j = 0; j < b->columns; j++) {
            long double sum = 0, sizes = 0;
            for (gbl_Index k = 0; k < b->rows; k++) {
                sum += (long double)a->x[i][k] * b->x[k][j];
                sizes += fabsl((long double)a->x[i][k] * b->x[k][j]);
            }
            squares += (sum - c->x[i][j]) * (sum - c->x[i][j]);
            all += sizes * sizes;
        }
    *sums = (double)sqrtl(all) * (double)b->rows * 0x1p-23;
    free(a);
    free(b);
    free(c);
    return (double)sqrtl(squares);
}

GB_TEST(mxm_spamm_round, bound_holds) {
    t_Random r = t_random(5);
    for (uint64_t n = 0; n < 300; n++) {
        if (t_left_out()) continue;
        const int which = (int)(n % 3);
        const gbl_Index m = 1 + t_below(&r, 40), k = 1 + t_below(&r, 40), l = 1 + t_below(&r, 40);
        gbl_Matrix A = full_matrix(GBL_FP32, m, k, n), B = full_matrix(GBL_FP32, k, l, n + 1000);
        const double tau = n % 4 == 0 ? 0.0 : (double)t_below(&r, 100) / 10.0;
        gbl_Matrix C = product(A, B, roundings[which], &ASK(GBL_TAU, tau, 16));
        double sums;
        const double error = true_error(A, B, C, &sums);
        t_case("case %llu, %s, tau %g", (unsigned long long)n, names[which], tau);
        CHECK(error <= t_explain(C).error_bound + sums);
        FREE(A, B, C);
    }
}

/* What rounding takes of an error that was asked for is not left for leaving out. */
GB_TEST(mxm_spamm_round, error_bound) {
    gbl_Matrix A = full_matrix(GBL_FP32, 60, 60, 1), C = NULL;
    C = product(A, A, GBL_ROUND_BF16, &ASK(GBL_TAU, 0.0, 16));
    const double least = t_explain(C).error_bound;
    CHECK(least > 0.0 && least == t_explain(C).rounding_error);
    for (int k = 0; k < 5; k++) {
        const double wanted = least * (1.0 + 20.0 * k * k);
        OK(gbl_Matrix_free(&C));
        C = product(A, A, GBL_ROUND_BF16, &ASK(GBL_ERROR_BOUND, wanted, 16));
        t_case("error %g", wanted);
        CHECK(t_explain(C).error_bound <= wanted);
        CHECK(k < 4 || t_explain(C).valid_ratio < 1.0);
    }
    gbl_Descriptor desc = descriptor(&ASK(GBL_ERROR_BOUND, least * 0.9, 16));
    OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, GBL_ROUND_BF16));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, PLUS32, A, A, desc));
    CHECK(strstr(gbl_last_error(), "bf16") != NULL);
    FREE(desc, A, C);
}

/* What is beyond FP16 becomes infinite, and says so. */
GB_TEST(mxm_spamm_round, beyond_the_range) {
    gbl_Matrix A = full_matrix(GBL_FP32, 20, 20, 1), C = NULL;
    OK(gbl_Matrix_setElement_FP32(A, 70000.0F, 3, 4));
    C = product(A, A, GBL_ROUND_FP16, &ASK(GBL_TAU, 1e9, 16));
    float x = 0.0F;
    OK(gbl_Matrix_extractElement_FP32(&x, C, 3, 5));
    CHECK(isinf(x) && isinf(t_explain(C).error_bound));
    OK(gbl_Matrix_free(&C));
    C = product(A, A, GBL_ROUND_TF32, &ASK(GBL_TAU, 0.0, 16));
    CHECK(isfinite(t_explain(C).error_bound));
    FREE(A, C);
}

/* Of FP32 alone, and by a descriptor that asks for nothing else. */
GB_TEST(mxm_spamm_round, refusals) {
    gbl_Matrix A = full_matrix(GBL_FP32, 20, 20, 1), C = NULL, list[2] = {A, A};
    gbl_Descriptor desc = NULL;
    int32_t value = -1;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Matrix_new(&C, GBL_FP32, 20, 20));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, GBL_TRAN));
    OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, GBL_ROUND_FP16));
    OK(gbl_Descriptor_get_INT32(desc, &value, GBL_ROUND_FACTORS));
    CHECK_EQ(value, GBL_ROUND_FP16);
    OK(gbl_mxm(C, NULL, NULL, PLUS32, A, A, desc));
    cr_assert_str_eq(t_explain(C).method, "spamm");
    CHECK(t_explain(C).valid_ratio == 1.0);
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP32, A, A, desc));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain(C, NULL, NULL, PLUS32, list, 2, desc));
    FREE(desc, A, C);
}

/* Every allocation fails once: C stays as it was. */
Test(mxm_spamm_round, brutal, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    gbl_Matrix A = full_matrix(GBL_FP32, 30, 30, 1), B = full_matrix(GBL_FP32, 30, 30, 2), C = NULL;
    gbl_Descriptor desc = descriptor(&ASK(GBL_ERROR_BOUND, 9.0, 16));
    OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, GBL_ROUND_TF32));
    OK(gbl_Matrix_dup(&C, A));
    t_Tuples before = t_tuples_of(C);
    int64_t n = 1;
    for (bool failed = true; failed && n < 200; n++) {
        const gbl_Info info =
            FAIL_AT(n, gbl_mxm(C, NULL, GBL_PLUS_FP32, PLUS32, A, B, desc), &failed);
        t_case("allocation %lld fails", (long long)n);
        CHECK(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY));
        if (info == GBL_OUT_OF_MEMORY) t_expect_tuples(&before, C);
        if (info == GBL_OUT_OF_MEMORY) continue;
        OK(gbl_Matrix_free(&C));
        OK(gbl_Matrix_dup(&C, A));
    }
    CHECK(n > 10 && n < 200);
    t_tuples_free(&before);
    FREE(desc, A, B, C);
}
