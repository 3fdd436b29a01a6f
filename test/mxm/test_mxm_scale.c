/* SPDX-License-Identifier: Apache-2.0
 *
 * The last step of gbl_mxm_select, powers and scaling of what was kept, against the same product
 * without that step: rows that are copied, sorted and dense, with and without marks.
 */
#include "support/gb_test.h"

#include <math.h>

#include "support/tuples.h"

/* What a row of some values becomes: T is the product filtered alone. */
static void expect_reshaped(const t_Tuples *T, gbl_Matrix C, const gbl_RowFilter *keep,
                            double tolerance) {
    t_Tuples got = t_tuples_of(C);
    CHECK(got.n == T->n);
    for (gbl_Index k = 0, end; k < T->n; k = end) {
        const double power = keep->power > 0 ? keep->power : 1;
        double sum = 0;
        for (end = k; end < T->n && T->I[end] == T->I[k]; end++) sum += pow(T->X[end], power);
        for (gbl_Index e = k; e < end; e++) {
            const double x = pow(T->X[e], power) / (keep->scale ? sum : 1);
            CHECK(got.I[e] == T->I[e] && got.J[e] == T->J[e]);
            CHECK(fabs(got.X[e] - x) <= tolerance * x);
        }
    }
    t_tuples_free(&got);
}

/* n x n positive values; rows are short and long, so that every accumulator has some. */
static void check_reshaping(gbl_Type type, gbl_Index n, gbl_RowFilter *keep) {
    static const double powers[] = {0, 1, 2, 1.4};
    const bool single = type == GBL_FP32;
    const gbl_Semiring ring = single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64;
    t_Random r = t_random(n);
    gbl_Matrix A = t_new_matrix(type, n, n), C = t_new_matrix(type, n, n);
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index e = 0; e < (i < n / 4 ? i % 3 : n / 2); e++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0 / (1.0 + (double)t_below(&r, 50)), i,
                                          t_below(&r, n)));
    keep->power = 0;
    keep->scale = false;
    OK(gbl_mxm_select(C, NULL, NULL, ring, keep, A, A, NULL));
    t_Tuples T = t_tuples_of(C);
    for (size_t p = 0; p < 2 * T_COUNT(powers); p++) {
        keep->power = powers[p / 2];
        keep->scale = p % 2;
        t_case("%d rows, power %g, scale %d", (int)n, keep->power, (int)keep->scale);
        OK(gbl_mxm_select(C, NULL, NULL, ring, keep, A, A, NULL));
        expect_reshaped(&T, C, keep, single ? 1e-6 : 1e-13);
    }
    t_tuples_free(&T);
    FREE(A, C);
}

GB_TEST(mxm_scale, powers_and_sums) {
    const gbl_Index sizes[] = {5, 70, 150};
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
        check_reshaping(GBL_FP32, sizes[k], &keep);
        check_reshaping(GBL_FP64, sizes[k], &keep);
        keep.most = 7;
        check_reshaping(GBL_FP64, sizes[k], &keep);
    }
}

/* n values x on the diagonal, a row in front of them that has all, and their shares of it. */
static void expect_shares(gbl_Type type, const double *x, gbl_Index n, double power,
                          const double *shares) {
    const bool single = type == GBL_FP32;
    const gbl_Semiring ring = single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.power = power;
    keep.scale = true;
    gbl_Matrix A = t_new_matrix(type, 1, n), B = t_new_matrix(type, n, n);
    gbl_Matrix C = t_new_matrix(type, 1, n);
    for (gbl_Index j = 0; j < n; j++) {
        OK(gbl_Matrix_setElement_FP64(A, 1, 0, j));
        OK(gbl_Matrix_setElement_FP64(B, x[j], j, j));
    }
    OK(gbl_mxm_select(C, NULL, NULL, ring, &keep, A, B, NULL));
    for (gbl_Index j = 0; j < n; j++) {
        double share = NAN;
        OK(gbl_Matrix_extractElement_FP64(&share, C, 0, j));
        cr_assert(isnan(shares[j]) ? isnan(share)
                                   : fabs(share - shares[j]) <= (single ? 1e-6 : 1e-13),
                  "%g of %g\n  case: %s", share, x[j], t_case_text());
    }
    FREE(A, B, C);
}

/* Powers of the values, or their sum, are beyond the range of doubles; their shares are not, but
 * for rows of zeros and rows with infinity or NaN. */
GB_TEST(mxm_scale, powers_out_of_range) {
    static const struct {
        double x[3], power, shares[3];
    } table[] = {
        {{1e-200, 3e-200, 0}, 2, {0.1, 0.9, 0}},
        {{1e-162, 3e-162, 0}, 2, {0.1, 0.9, 0}}, /* subnormal */
        {{1e200, -3e200, 1}, 2, {0.1, 0.9, 0}},
        {{0x1p1023, 0x1p1023, 0x1p1023}, 1, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {{0x1p1023, 0x1.8p1023, 0x1p1022}, 2, {4.0 / 14, 9.0 / 14, 1.0 / 14}},
        {{0x1p-1074, 0x3p-1074, 0}, 2, {0.1, 0.9, 0}},
        {{0.25, 0.25, 0.125}, 3000, {0.5, 0.5, 0}},
        {{5e-5, 5e-5, 5e-5}, 100, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {{1e250, 1e250, -1e250}, 3, {1, 1, -1}},
        {{INFINITY, 1, 2}, 2, {NAN, 0, 0}},
        {{0, 0, -0.0}, 2, {NAN, NAN, NAN}},
        {{NAN, 1, 2}, 2, {NAN, NAN, NAN}},
        {{1e-300, 1e300, 1e-300}, 0.5, {0, 1, 0}},
    };
    static const double small[] = {1e-30, 1e-30, 5e-31}, halves[] = {0.5, 0.5, 0};
    for (size_t k = 0; k < T_COUNT(table); k++) {
        t_case("case %zu", k);
        expect_shares(GBL_FP64, table[k].x, 3, table[k].power, table[k].shares);
    }
    t_case("FP32");
    expect_shares(GBL_FP32, small, 3, 100, halves);
}
