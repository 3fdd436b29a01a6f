/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of filled tiles through tensor cores: exact where sums are, close where they are rounded,
 * and the CPU's where values of factors are not finite; not taken where there are none, or when
 * switched off.
 */
#include "cuda/cuda_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tune_cuda.h"

enum { ROWS = 83, COLUMNS = 66 };

/* Values of a plan made by f(number of the entry, from random values). */
static gbl_Matrix make(const cuda_Plan *of, uint64_t seed, double (*f)(t_Random *r)) {
    t_Random r = t_random(seed + 1000);
    gbl_Matrix A = cuda_make(of, seed);
    t_Tuples tuples = t_tuples_of(A);
    for (gbl_Index k = 0; k < tuples.n; k++)
        OK(gbl_Matrix_setElement_FP64(A, f(&r), tuples.I[k], tuples.J[k]));
    t_tuples_free(&tuples);
    return A;
}

/* Never 0: sums of nothing but -0 are 0 there. */
static double whole(t_Random *r) {
    const double x = 1.0 + (double)t_below(r, 9);
    return t_chance(r, 0.5) ? x : -x;
}

static double rounded(t_Random *r) {
    return cuda_value(r) - 500.0;
}

/* One in 40 is not finite. */
static double wild(t_Random *r) {
    static const double values[] = {INFINITY, -INFINITY, NAN};
    return t_chance(r, 0.025) ? values[t_below(r, T_COUNT(values))] : whole(r);
}

static bool on_tensor_cores; /* so the last explanation of a product there says */

static gbl_Matrix product(gbl_Place place, gbl_Matrix mask, gbl_Matrix A, gbl_Matrix B) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    cuda_How h = cuda_plus_times(GBL_METHOD_TILED);
    h.mask = mask;
    gbl_Matrix C = cuda_multiply(&h, A, B, place, &why);
    if (place == GBL_PLACE_GPU) on_tensor_cores = strcmp(why.isa, "cuda, tensor cores") == 0;
    return C;
}

/* Sums of up to 83 products of values below 1000 that cancel. */
static void expect_close(const t_Tuples *expected, const t_Tuples *found) {
    CHECK_EQ(expected->n, found->n);
    for (gbl_Index k = 0; k < found->n; k++) {
        CHECK(expected->I[k] == found->I[k] && expected->J[k] == found->J[k]);
        CHECK(fabs(expected->X[k] - found->X[k]) < 83.0 * 250000.0 * 83.0 * 2.3e-16);
    }
}

/* Tiles below, at and above the number of entries from which they go there, in one product. */
static void run(double (*f)(t_Random *r), double fill, bool masked, bool close) {
    const cuda_Plan of = {.rows = ROWS, .columns = COLUMNS, .tiles = 0.7, .fill = fill};
    const cuda_Plan across = {.rows = COLUMNS, .columns = ROWS, .tiles = 0.7, .fill = fill};
    const cuda_Plan inside = {.rows = ROWS, .columns = ROWS, .tiles = 0.8, .fill = 0.6};
    gbl_Matrix A = make(&of, 1, f), B = make(&across, 2, f);
    gbl_Matrix M = masked ? cuda_make(&inside, 3) : NULL;
    t_case("fill %g", fill);
    gbl_Matrix expected = product(GBL_PLACE_CPU, M, A, B);
    gbl_Matrix actual = product(GBL_PLACE_GPU, M, A, B);
    t_Tuples host = t_tuples_of(expected), there = t_tuples_of(actual);
    CHECK(host.n > 0);
    if (close)
        expect_close(&host, &there);
    else
        t_same_tuples(&host, &there, true);
    t_tuples_free(&host);
    t_tuples_free(&there);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

#ifndef GB_TEST_ON_GPU
static uint64_t products(void) {
    return cuda_on_cpu_counts().tensor_products;
}
#else
static uint64_t products(void) {
    return 0;
}
#endif

/* Whether products went through tensor cores since there were `before`: the explanation says so,
 * and the stand-in counts them. */
static void expect_products(uint64_t before, bool some) {
    CHECK_EQ(on_tensor_cores, some);
#ifndef GB_TEST_ON_GPU
    CHECK_EQ(products() > before, some);
#else
    (void)before;
#endif
}

CUDA_TEST(cuda_tensor, sums_of_whole_numbers) {
    static const double fills[] = {0.24, 0.26, 0.5, 1.0};
    for (size_t k = 0; k < T_COUNT(fills); k++) {
        const uint64_t before = products();
        cuda_seed(k);
        run(whole, fills[k], k % 2 == 1, false);
        expect_products(before, true);
    }
}

CUDA_TEST(cuda_tensor, sums_that_are_rounded) {
    run(rounded, 0.5, false, true);
}

/* Absent entries count as zeros, which would make NaN of what is not finite. */
CUDA_TEST(cuda_tensor, values_that_are_not_finite) {
    const uint64_t before = products();
    run(wild, 0.4, false, false);
    run(wild, 0.9, true, false);
    expect_products(before, true);
}

/* One value for all entries. */
CUDA_TEST(cuda_tensor, iso) {
    const cuda_Plan of = {.rows = 48, .columns = 48, .tiles = 1.0, .fill = 0.6};
    gbl_Matrix pattern = cuda_make(&of, 5), A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, 48, 48));
    OK(gbl_Matrix_assign_FP64(A, pattern, NULL, 3.0, GBL_ALL, 48, GBL_ALL, 48, GBL_DESC_S));
    const uint64_t before = products();
    gbl_Matrix expected = product(GBL_PLACE_CPU, NULL, A, pattern);
    gbl_Matrix actual = product(GBL_PLACE_GPU, NULL, A, A);
    OK(gbl_Matrix_free(&expected));
    expected = product(GBL_PLACE_CPU, NULL, A, A);
    t_Tuples tuples = t_tuples_of(expected);
    t_expect_tuples(&tuples, actual);
    expect_products(before, true);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&pattern));
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

CUDA_TEST(cuda_tensor, switched_off) {
    const uint64_t before = products();
    setenv("GBLITE_TENSOR_CORES", "off", 1);
    run(whole, 1.0, false, false);
    expect_products(before, false);
}

#ifndef GB_TEST_ON_GPU
/* Seconds of its kernels that a tiled product is predicted to take there, once it is known what is
 * there; the GPU is started by a first product. */
static double predicted(int slower, double fill) {
    const cuda_Plan of = {.rows = 64, .columns = 64, .tiles = 1.0, .fill = fill};
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_finalize());
    cuda_on_cpu_fp64_slower(slower);
    OK(gbl_init(GBL_NONBLOCKING));
    const cuda_How h = cuda_plus_times(GBL_METHOD_TILED);
    gbl_Matrix A = cuda_make(&of, 9);
    gb_MachineTable table = *gb_machine();
    table.ns[GB_RATE_GPU_CALL] = table.ns[GB_RATE_GPU_TILE] = 0.0;
    gb_machine_use(&table);
    for (int k = 0; k < 2; k++) {
        gbl_Matrix C = cuda_multiply(&h, A, A, GBL_PLACE_GPU, &why);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Matrix_free(&A));
    cuda_on_cpu_fp64_slower(2);
    return why.candidates[why.chosen].seconds_kernel;
}

/* Full tiles take less time with tensor cores than without, those below the threshold the same. */
CUDA_TEST(cuda_tensor, predictions_know_of_them) {
    const double with = predicted(2, 1.0), without = predicted(64, 1.0);
    CHECK(with > 0.0 && with < without);
    CHECK(fabs(predicted(2, 0.15) / predicted(64, 0.15) - 1.0) < 1e-9);
}

/* Chips that run FP64 on few units gain nothing. */
CUDA_TEST(cuda_tensor, slow_chips) {
    cuda_on_cpu_fp64_slower(64);
    const uint64_t before = products();
    run(whole, 1.0, false, false);
    expect_products(before, false);
    cuda_on_cpu_fp64_slower(2);
}
#endif
