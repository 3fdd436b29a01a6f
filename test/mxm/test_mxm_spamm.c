/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate product: to the bit the tiled one where nothing is left out, and a dense loop
 * that leaves out what norms say elsewhere, for all sides, types, forms, transposes and numbers of
 * threads; entries that are not finite; the bound and the ratio, against sums over all pairs of
 * sub-matrices.
 */
#include "mxm/spamm_cases.h"

/* ------------------------------------------------------------------------------------ exactness */

typedef struct {
    const char *A, *B;
    bool tran0, tran1;
} pair;

static void as_tiled(const pair *of, bool single) {
    const gbl_Type type = single ? GBL_FP32 : GBL_FP64;
    const gbl_Semiring ring = single ? PLUS32 : PLUS64;
    gbl_Matrix A = t_from_spec(type, of->A), B = t_from_spec(type, of->B);
    gbl_Matrix T = multiply(
        ring, A, B, &(asked){.method = GBL_METHOD_TILED, .tran0 = of->tran0, .tran1 = of->tran1});
    t_Tuples expected = t_tuples_of(T);
    for (int32_t n = 0; n < 12; n++) {
        static const int32_t threads[] = {1, 2, 3};
        const int32_t side = 16 << n % 3;
        if (t_left_out()) continue;
        t_case("%s, %s, FP%d, side %d, %d threads", of->A, of->B, single ? 32 : 64, (int)side,
               (int)threads[n / 3 % 3]);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads[n / 3 % 3], GBL_NTHREADS));
        gbl_Matrix C = multiply(ring, A, B,
                                &(asked){.approximates = n < 9 ? GBL_TAU : 0,
                                         .side = side,
                                         .tran0 = of->tran0,
                                         .tran1 = of->tran1,
                                         .method = n < 9 ? GBL_DEFAULT : GBL_METHOD_SPAMM});
        const gbl_Explanation how = t_explain(C);
        cr_assert_str_eq(how.method, "spamm");
        CHECK_EQ(how.submatrix, side);
        CHECK(how.error_bound == 0.0 && how.tau == 0.0);
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    t_tuples_free(&expected);
    FREE(A, B, T);
}

GB_TEST(mxm_spamm, exact_without_tau) {
    static const pair of[] = {
        {"fem:4:3", "fem:4:3", false, false},
        {"fem:4:3", "fem:4:3", true, true},
        {"rmat:8:9", "er:8:5", false, true},
        {"band:301:40", "band:301:9", true, false},
        {"rect:90:130:20", "rect:130:77:30", false, false},
        {"rect:1:65:40", "rect:65:1:1", false, false},
        {"tiles:9:4:200", "tiles:9:3:17", false, false},
        {"decay:130:exp:0.8:3", "decay:130:alg:1.5:4", false, false},
        {"decay:65:exp:0.9", "decay:65:paper", true, true},
        {"decay:48:exp:0.9:5", "rect:48:20:9", false, false},
        {"decay:1:paper", "decay:1:paper", false, false},
    };
    for (size_t k = 0; k < T_COUNT(of); k++) {
        as_tiled(&of[k], false);
        as_tiled(&of[k], true);
    }
}

/* Masks and accumulators are those of every method. */
GB_TEST(mxm_spamm, masks) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "fem:3:4"), M = t_from_spec(GBL_BOOL, "rect:108:108:30");
    gbl_Matrix F = t_from_spec(GBL_FP64, "decay:108:exp:0.9:7");
    for (unsigned n = 0; n < T_MASKS * 4; n++) {
        t_Flags flags = {.mask = (t_Mask)(n % T_MASKS), .replace = n / T_MASKS % 2 == 1};
        gbl_Matrix C[2], X = n / T_MASKS / 2 ? A : F;
        t_case("%s", t_flags_text(&flags));
        for (int k = 0; k < 2; k++) {
            flags.method = k ? GBL_METHOD_SPAMM : GBL_METHOD_ROWWISE;
            gbl_Descriptor desc = t_descriptor(&flags);
            OK(gbl_Matrix_dup(&C[k], A));
            OK(gbl_mxm(C[k], t_has_mask(flags.mask) ? M : NULL, n % 2 ? GBL_PLUS_FP64 : NULL,
                       PLUS64, X, X, desc));
            OK(gbl_Descriptor_free(&desc));
        }
        t_Tuples expected = t_tuples_of(C[0]);
        t_expect_tuples(&expected, C[1]);
        t_tuples_free(&expected);
        FREE(C[0], C[1]);
    }
    FREE(A, M, F);
}

/* Some sparse, some full; some decay. Wide: blocks of 16 x 16 have factors from 1e-150 to 1e150. */
static gbl_Matrix some(t_Random *r, gbl_Index rows, gbl_Index columns, bool wide) {
    static const double factors[] = {1e-150, 1.0, 1e150};
    double of[MOST / 16][MOST / 16];
    const double density = t_chance(r, 0.4) ? 1.0 : 0.02 + 0.3 * (double)t_below(r, 100) / 100.0;
    const double rate = t_chance(r, 0.5) ? 0.0 : 0.05 + (double)t_below(r, 100) / 200.0;
    gbl_Matrix A = t_new_matrix(GBL_FP64, rows, columns);
    for (int n = 0; n < MOST / 16 * (MOST / 16); n++)
        of[n / (MOST / 16)][n % (MOST / 16)] = wide ? factors[t_below(r, 3)] : 1.0;
    for (gbl_Index i = 0; i < rows; i++)
        for (gbl_Index j = 0; j < columns; j++) {
            const double x = ((double)t_below(r, 1 << 30) / (1 << 29) - 1.0) *
                             exp(-rate * fabs((double)i - (double)j)) * of[i / 16][j / 16];
            if (density == 1.0 || t_chance(r, density)) OK(gbl_Matrix_setElement_FP64(A, x, i, j));
        }
    return A;
}

static void random_case(uint64_t seed, gbl_Index most) {
    t_Random r = t_random(seed);
    const gbl_Index m = 1 + t_below(&r, most), k = 1 + t_below(&r, most), n = 1 + t_below(&r, most);
    const bool wide = seed % 3 == 2;
    gbl_Matrix A = some(&r, m, k, wide), B = some(&r, k, n, wide);
    dense *a = dense_of(A), *b = dense_of(B);
    const int32_t side = 16 << t_below(&r, 3);
    double scale = norm_of(a, 0, 0, 16) * norm_of(b, 0, 0, 16);
    if (scale == 0.0) scale = 1.0;
    const double tau = scale * exp(4.0 * ((double)t_below(&r, 1000) / 500.0 - 1.5));
    outcome *expected = leave_out(a, b, (gbl_Index)side, tau);
    gbl_Index in_a, in_b;
    t_case("seed %llu, %llu x %llu x %llu, side %d, tau %g", (unsigned long long)seed,
           (unsigned long long)m, (unsigned long long)k, (unsigned long long)n, (int)side, tau);
    gbl_Matrix C = multiply(PLUS64, A, B, &ASK(GBL_TAU, tau, side));
    OK(gbl_Matrix_nvals(&in_a, A));
    OK(gbl_Matrix_nvals(&in_b, B));
    if (in_a > 0 && in_b > 0) {
        const gbl_Explanation how = t_explain(C);
        CHECK(how.tau == tau);
        if (expected->nearest > 1e-9) {
            CHECK(expected->error <= how.error_bound * (1 + 1e-9));
            expected->C.rows = m;
            expected->C.columns = n;
            expect_dense(&expected->C, C);
            CHECK(fabs(how.valid_ratio - expected->valid / expected->triples) < 1e-12);
            CHECK(how.error_bound <= expected->skipped * (1 + 1e-5));
        }
    }
    FREE(A, B, C);
    free(a);
    free(b);
    free(expected);
}

GB_TEST(mxm_spamm, bound_holds) {
    for (uint64_t seed = 0; seed < 10000; seed++)
        if (!t_left_out()) random_case(seed, 40);
}

GB_TEST(mxm_spamm, larger) {
    for (uint64_t seed = 0; seed < 60; seed++)
        if (!t_left_out()) random_case(20000 + seed, MOST);
}

/* ------------------------------------------------------------------------------------ the search
 */

/* The largest tau whose bound is at most what is wanted: at it the bound holds, and above it there
 * is none. */
GB_TEST(mxm_spamm, error_bound) {
    static const char *const specs[] = {"decay:150:exp:0.7:2", "decay:160:alg:3:3", "fem:3:5"};
    for (size_t s = 0; s < T_COUNT(specs); s++)
        for (int k = 0; k < 24; k++) {
            if (t_left_out()) continue;
            const int32_t side = 16 << k % 3;
            const double wanted = pow(10.0, 2.0 - k / 2);
            gbl_Matrix A = t_from_spec(GBL_FP64, specs[s]);
            dense *D = dense_of(A);
            gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_ERROR_BOUND, wanted, side));
            const gbl_Explanation how = t_explain(C);
            t_case("%s, error %g, side %d, tau %g", specs[s], wanted, (int)side, how.tau);
            CHECK(how.error_bound <= wanted);
            outcome *found = leave_out(D, D, (gbl_Index)side, how.tau);
            CHECK(found->error <= wanted + 1e-12);
            free(found);
            OK(gbl_Matrix_free(&C));
            C = multiply(PLUS64, A, A, &ASK(GBL_TAU, how.tau * (1 + 1e-5), side));
            CHECK(t_explain(C).error_bound > wanted || t_explain(C).valid_ratio == 0.0 ||
                  t_explain(C).valid_ratio == how.valid_ratio);
            FREE(C, A);
            free(D);
        }
}

/* The ratio that is nearest, but for products that are equal: against the sorted list of all. */
static int falling(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

GB_TEST(mxm_spamm, valid_ratio) {
    enum { BLOCKS = 10 };
    gbl_Matrix A = t_from_spec(GBL_FP64, "decay:160:exp:0.97:5");
    dense *D = dense_of(A);
    double product[BLOCKS * BLOCKS * BLOCKS];
    int n = 0;
    for (gbl_Index i = 0; i < BLOCKS; i++)
        for (gbl_Index k = 0; k < BLOCKS; k++)
            for (gbl_Index j = 0; j < BLOCKS; j++)
                product[n++] = norm_of(D, i, k, 16) * norm_of(D, k, j, 16);
    qsort(product, (size_t)n, sizeof *product, falling);
    for (int k = 0; k <= 50; k++) {
        const double wanted = k / 50.0;
        gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_VALID_RATIO, wanted, 16));
        const gbl_Explanation how = t_explain(C);
        const int valid = (int)lround(how.valid_ratio * n);
        t_case("ratio %g: %g by tau %g", wanted, how.valid_ratio, how.tau);
        CHECK(fabs(how.valid_ratio - wanted) <= 1e-3 * wanted + 1.0 / n + 1e-9);
        CHECK(valid == n || how.tau > product[valid] * (1 - 1e-9));
        CHECK(valid == 0 || how.tau <= product[valid - 1] * (1 + 1e-9));
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Matrix_free(&A));
    free(D);
}

/* Of a sparse matrix fewer products are there than all: then nothing is left out. */
GB_TEST(mxm_spamm, ratio_beyond_reach) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "band:600:3");
    gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_VALID_RATIO, 0.9, 16));
    CHECK(t_explain(C).tau == 0.0 && t_explain(C).error_bound == 0.0);
    CHECK(t_explain(C).valid_ratio < 0.01);
    FREE(C, A);
}

/* --------------------------------------------------------------------------------- special values
 */

GB_TEST(mxm_spamm, nothing_left) {
    static const char *const specs[] = {"decay:70:exp:0.5", "fem:3:3"};
    for (size_t s = 0; s < T_COUNT(specs); s++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, specs[s]);
        gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_TAU, 1e300, 0));
        CHECK_EQ(t_nvals(C), 0);
        FREE(C, A);
    }
}

/* Sub-matrices with an entry that is not finite are multiplied whatever tau is, entries that are
 * there alone; norms whose squares would overflow or vanish are as good as others. */
static void wild_case(const char *spec, double x, double tau) {
    gbl_Matrix A = t_from_spec(GBL_FP64, spec), B = t_from_spec(GBL_FP64, spec);
    gbl_Index n;
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Matrix_setElement_FP64(A, x, n / 2, n / 3));
    OK(gbl_Matrix_setElement_FP64(B, x, 3, 2));
    dense *a = dense_of(A), *b = dense_of(B);
    for (int32_t side = 16; side <= 64; side *= 2) {
        outcome *expected = leave_out(a, b, (gbl_Index)side, tau);
        expected->C.rows = expected->C.columns = n;
        gbl_Matrix C = multiply(PLUS64, A, B, &ASK(GBL_TAU, tau, side));
        t_case("%s with %g, tau %g, side %d", spec, x, tau, (int)side);
        expect_dense(&expected->C, C);
        OK(gbl_Matrix_free(&C));
        free(expected);
    }
    free(a);
    free(b);
    FREE(A, B);
}

GB_TEST(mxm_spamm, wild) {
    static const char *const specs[] = {"decay:75:exp:0.4:2", "rect:75:75:9", "band:75:5",
                                        "tiles:5:2:40"};
    for (size_t s = 0; s < T_COUNT(specs); s++) {
        wild_case(specs[s], NAN, 1e300);
        wild_case(specs[s], HUGE_VAL, 1e300);
        wild_case(specs[s], -HUGE_VAL, 3.0);
        wild_case(specs[s], 1e200, 1e150);
        wild_case(specs[s], 1e-200, 0.5);
    }
}

/* What is left out is 1e-180 of the largest of its row. */
GB_TEST(mxm_spamm, bound_beside_large_values) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 16, 16), B = t_new_matrix(GBL_FP64, 16, 32);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 0));
    OK(gbl_Matrix_setElement_FP64(B, 1e200, 0, 0));
    OK(gbl_Matrix_setElement_FP64(B, 1e20, 0, 20));
    gbl_Matrix C = multiply(PLUS64, A, B, &ASK(GBL_TAU, 1e30, 16));
    CHECK(t_explain(C).error_bound >= 1e20 && t_explain(C).error_bound < 1.00001e20);
    FREE(A, B, C);
}

/* Subnormal norms are rounded up: 1.4 of the least number would be one of them. */
GB_TEST(mxm_spamm, bound_of_subnormals) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 16, 16), B = t_new_matrix(GBL_FP64, 16, 16);
    OK(gbl_Matrix_setElement_FP64(A, 0x1p-1074, 0, 0));
    OK(gbl_Matrix_setElement_FP64(A, 0x1p-1074, 1, 0));
    OK(gbl_Matrix_setElement_FP64(B, 0x1p1000, 0, 0));
    gbl_Matrix C = multiply(PLUS64, A, B, &ASK(GBL_TAU, 1.0, 16));
    CHECK(t_explain(C).error_bound >= sqrt(2.0) * 0x1p-74);
    FREE(A, B, C);
}

GB_TEST(mxm_spamm, tiny_values) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 40, 40), B = t_new_matrix(GBL_FP64, 40, 40);
    OK(gbl_Matrix_setElement_FP64(A, 3e-200, 1, 2));
    OK(gbl_Matrix_setElement_FP64(A, 4e-200, 3, 2));
    OK(gbl_Matrix_setElement_FP64(B, 2e200, 2, 0));
    for (int k = 0; k < 2; k++) { /* the product of norms is 10 */
        gbl_Matrix C = multiply(PLUS64, A, B, &ASK(GBL_TAU, k ? 10.001 : 9.999, 32));
        const gbl_Explanation how = t_explain(C);
        CHECK_EQ(t_nvals(C), k ? 0 : 2);
        CHECK(k ? fabs(how.error_bound - 10.0) < 1e-3 : how.error_bound == 0.0);
        OK(gbl_Matrix_free(&C));
    }
    FREE(A, B);
}
