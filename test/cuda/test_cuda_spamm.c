/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate product by the GPU's kernels against the one of the CPU: the same tau and the
 * same products of sub-matrices, but for the roundings of products (FP32) and the order of sums
 * (FP64); norms that overflow or vanish, and entries that are not finite.
 */
#include "core/tune_cuda.h"
#include "cuda/cuda_test.h"
#include "mxm/spamm_cases.h"

#include <stdio.h>

static gbl_Matrix multiply_at(gbl_Place place, gbl_Semiring ring, const gbl_Matrix in[2],
                              const asked *how) {
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    gbl_Matrix C = multiply(ring, in[0], in[1], how);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    return C;
}

/* The same entries; values as near as `error` allows, relative to what the largest may be. */
static void expect_near(gbl_Matrix expected, gbl_Matrix C, double error) {
    t_Tuples x = t_tuples_of(expected), y = t_tuples_of(C);
    double most = 0.0;
    CHECK_EQ(x.n, y.n);
    for (gbl_Index k = 0; k < x.n; k++)
        if (isfinite(x.X[k])) most = fmax(most, fabs(x.X[k]));
    for (gbl_Index k = 0; k < x.n; k++) {
        CHECK(x.I[k] == y.I[k] && x.J[k] == y.J[k]);
        if (error == 0.0 || !isfinite(x.X[k]))
            CHECK(x.X[k] == y.X[k] || (isnan(x.X[k]) && isnan(y.X[k])));
        else
            CHECK(fabs(x.X[k] - y.X[k]) <= error * most);
    }
    t_tuples_free(&x);
    t_tuples_free(&y);
}

static void as_on_the_cpu(const gbl_Matrix in[2], gbl_Semiring ring, const asked *how) {
    gbl_Matrix C = multiply_at(GBL_PLACE_CPU, ring, in, how);
    gbl_Matrix D = multiply_at(GBL_PLACE_GPU, ring, in, how);
    const gbl_Explanation cpu = explanation(C), gpu = explanation(D);
    cr_assert_str_eq(gpu.method, "spamm");
    cr_assert_str_eq(gpu.place, "gpu");
    CHECK(gpu.tau == cpu.tau && gpu.valid_ratio == cpu.valid_ratio);
    CHECK(gpu.submatrix == cpu.submatrix && gpu.bytes_to_device > 0);
    CHECK(gpu.error_bound == cpu.error_bound ||
          fabs(gpu.error_bound - cpu.error_bound) <= 1e-5 * cpu.error_bound);
    expect_near(C, D, ring == PLUS32 ? 1e-6 : 1e-12);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&D));
}

/* Rows, columns, and columns of the second factor; decaying where all are the same. */
static const gbl_Index shapes[][3] = {{96, 96, 96}, {70, 70, 70}, {33, 65, 130},
                                      {1, 50, 1},   {130, 1, 17}, {1, 1, 1}};

static gbl_Matrix factor(gbl_Type type, gbl_Index rows, gbl_Index columns, bool decays) {
    char spec[40];
    snprintf(spec, sizeof spec, "decay:%d:exp:0.8:%d", (int)rows, (int)columns);
    return decays ? t_from_spec(type, spec) : full_matrix(type, rows, columns, rows + columns);
}

static void every_way(gbl_Semiring ring, gbl_Type type) {
    static const struct {
        int by;
        double value;
    } ways[] = {{0, 0.0}, {GBL_TAU, 0.3}, {GBL_VALID_RATIO, 0.3}, {GBL_ERROR_BOUND, 0.5}};
    for (unsigned n = 0; n < T_COUNT(shapes) * T_COUNT(ways); n++) {
        if (t_left_out()) continue;
        const unsigned p = n % T_COUNT(shapes), w = n / T_COUNT(shapes);
        const gbl_Index *s = shapes[p];
        const bool square = p < 2;
        const gbl_Matrix in[2] = {factor(type, s[0], s[1], square),
                                  factor(type, s[1], s[2], p == 0)};
        const asked how = {.approximates = ways[w].by,
                           .value = ways[w].value,
                           .side = 16 << (n + w) % 3,
                           .tran0 = square && n % 2 == 1,
                           .tran1 = square && w % 2 == 1,
                           .method = GBL_METHOD_SPAMM};
        t_case("shape %u, %d by %g, side %d", p, how.approximates, how.value, (int)how.side);
        cuda_seed(n);
        as_on_the_cpu(in, ring, &how);
        OK(gbl_Matrix_free((gbl_Matrix *)&in[0]));
        OK(gbl_Matrix_free((gbl_Matrix *)&in[1]));
    }
}

CUDA_TEST(cuda_spamm, every_way_fp64) {
    every_way(PLUS64, GBL_FP64);
}

CUDA_TEST(cuda_spamm, every_way_fp32) {
    every_way(PLUS32, GBL_FP32);
}

/* Values of the matrix are another type than those of the product, or one stands for all. */
CUDA_TEST(cuda_spamm, casts_and_iso) {
    gbl_Matrix A = t_from_spec(GBL_FP32, "decay:40:exp:0.9:3"), B = NULL;
    OK(gbl_Matrix_new(&B, GBL_FP64, 40, 40));
    OK(gbl_Matrix_assign_FP64(B, NULL, NULL, 0.75, GBL_ALL, 40, GBL_ALL, 40, NULL));
    as_on_the_cpu((const gbl_Matrix[]){A, B}, PLUS64, &ASK(GBL_TAU, 1.0, 16));
    as_on_the_cpu((const gbl_Matrix[]){B, A}, PLUS32, &ASK(GBL_VALID_RATIO, 0.5, 16));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Blocks of 16 x 16 have factors from 1e-160 to 1e160, so squares vanish and overflow. */
CUDA_TEST(cuda_spamm, wide_values) {
    static const double factors[] = {1e-160, 1e-300, 1.0, 1e160, 0.0};
    t_Random r = t_random(11);
    for (int n = 0; n < 6; n++) {
        gbl_Matrix in[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            OK(gbl_Matrix_new(&in[k], GBL_FP64, 48, 48));
            for (gbl_Index i = 0; i < 48; i++)
                for (gbl_Index j = 0; j < 48; j++)
                    OK(gbl_Matrix_setElement_FP64(
                        in[k],
                        factors[(i / 16 * 7 + j / 16 * 3 + (gbl_Index)(k + n)) % 5] *
                            (1.0 + (double)t_below(&r, 1000) / 1000.0),
                        i, j));
        }
        t_case("case %d", n);
        const double tau = n % 2 == 0 ? 1e-3 : 1e-310;
        as_on_the_cpu(in, PLUS64, &ASK(GBL_TAU, tau, 16 << n % 3));
        as_on_the_cpu(in, PLUS64, &ASK(GBL_VALID_RATIO, 0.6, 16));
        OK(gbl_Matrix_free(&in[0]));
        OK(gbl_Matrix_free(&in[1]));
    }
}

/* What is not finite is never left out; a tau above all else leaves nothing. */
CUDA_TEST(cuda_spamm, not_finite_or_nothing) {
    static const double wild[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 6; n++) {
        const bool single = n % 2 == 1;
        const gbl_Semiring ring = single ? PLUS32 : PLUS64;
        gbl_Matrix A = t_from_spec(single ? GBL_FP32 : GBL_FP64, "decay:50:exp:0.7:3");
        t_case("case %d", n);
        as_on_the_cpu((const gbl_Matrix[]){A, A}, ring, &ASK(GBL_TAU, 1e6, 16));
        OK(gbl_Matrix_setElement_FP64(A, wild[n % 3], 17, 3));
        as_on_the_cpu((const gbl_Matrix[]){A, A}, ring, &ASK(GBL_TAU, 1e6, 16));
        OK(gbl_Matrix_free(&A));
    }
}

/* More inner sub-matrices than a block lists at a time. */
CUDA_TEST(cuda_spamm, long_inner_dimension) {
    const gbl_Index inner = 16 * GB_CUDA_SPAMM_LIST + 40;
    gbl_Matrix A = full_matrix(GBL_FP32, 2, inner, 1), B = full_matrix(GBL_FP32, inner, 3, 2);
    as_on_the_cpu((const gbl_Matrix[]){A, B}, PLUS32, &ASK(GBL_TAU, 5.0, 16));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Against loops over all pairs of sub-matrices; the bound holds. */
CUDA_TEST(cuda_spamm, bound_holds) {
    for (unsigned n = 0; n < 9; n++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, n % 2 ? "decay:90:exp:0.8:5" : "decay:77:alg:1.2:6");
        dense *D = dense_of(A);
        const int32_t side = 16 << n % 3;
        gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_VALID_RATIO, 0.1 + 0.09 * n, side));
        const gbl_Explanation how = explanation(C);
        outcome *expected = leave_out(D, D, (gbl_Index)side, how.tau);
        t_case("case %u, tau %g", n, how.tau);
        CHECK(expected->error <= how.error_bound);
        CHECK(how.error_bound <= expected->skipped * (1 + 1e-5));
        CHECK(fabs(how.valid_ratio - expected->valid / expected->triples) < 1e-12);
        t_Tuples t = t_tuples_of(C);
        for (gbl_Index k = 0; k < t.n; k++)
            CHECK(fabs(t.X[k] - expected->C.x[t.I[k]][t.J[k]]) <= 1e-12);
        t_tuples_free(&t);
        free(expected);
        free(D);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
    }
}

/* Masks and accumulators are those of every product; other semirings and sparse factors are not for
 * it. */
CUDA_TEST(cuda_spamm, masks_and_refusals) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "decay:40:exp:0.9:7"), S = t_from_spec(GBL_FP64, "er:5:3");
    gbl_Matrix M = t_from_spec(GBL_BOOL, "rect:40:40:9"), C[2];
    gbl_Descriptor desc = descriptor(&ASK(GBL_TAU, 0.2, 16));
    for (int k = 0; k < 2; k++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, k ? GBL_PLACE_GPU : GBL_PLACE_CPU, GBL_PLACE));
        OK(gbl_Matrix_dup(&C[k], A));
        OK(gbl_mxm(C[k], M, GBL_PLUS_FP64, PLUS64, A, A, desc));
    }
    expect_near(C[0], C[1], 1e-12);
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C[1], NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, A, desc));
    OK(gbl_Matrix_free(&C[0]));
    OK(gbl_Matrix_dup(&C[0], S));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C[0], NULL, NULL, PLUS64, S, S, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&S));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Matrix_free(&C[0]));
    OK(gbl_Matrix_free(&C[1]));
}

/* Products of rounded factors are exact in FP32, sums are not; norms have the CPU's bits. */
CUDA_TEST(cuda_spamm, rounded_factors) {
    static const gbl_Desc_Value roundings[] = {GBL_ROUND_FP16, GBL_ROUND_BF16, GBL_ROUND_TF32};
    for (unsigned n = 0; n < 9; n++) {
        gbl_Matrix A = full_matrix(GBL_FP32, 40, 50, n), B = full_matrix(GBL_FP32, 50, 35, n + 1);
        gbl_Matrix C[2] = {NULL, NULL};
        gbl_Descriptor desc = descriptor(&ASK(GBL_TAU, n < 3 ? 0.0 : 15.0, 16 << n / 3));
        gbl_Explanation how[2];
        OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, roundings[n % 3]));
        if (n == 4) OK(gbl_Matrix_setElement_FP32(A, NAN, 20, 20));
        cuda_seed(n);
        t_case("case %u", n);
        for (int k = 0; k < 2; k++) {
            OK(gbl_Global_set_INT32(GBL_GLOBAL, k ? GBL_PLACE_GPU : GBL_PLACE_CPU, GBL_PLACE));
            OK(gbl_Matrix_new(&C[k], GBL_FP32, 40, 35));
            OK(gbl_mxm(C[k], NULL, NULL, PLUS32, A, B, desc));
            how[k] = explanation(C[k]);
        }
        expect_near(C[0], C[1], 1e-5);
        cr_assert_str_eq(how[1].place, "gpu");
        cr_assert_str_eq(how[1].rounding, how[0].rounding);
        CHECK(how[1].valid_ratio == how[0].valid_ratio);
        CHECK(how[1].rounding_error == how[0].rounding_error);
        CHECK(how[1].error_bound == how[0].error_bound ||
              fabs(how[1].error_bound - how[0].error_bound) <= 1e-4 * how[0].error_bound);
        OK(gbl_Descriptor_free(&desc));
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C[0]));
        OK(gbl_Matrix_free(&C[1]));
    }
}
