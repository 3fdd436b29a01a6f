/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that were left on the GPU and are folded there: every monoid and type with a kernel, and
 * what others do; sizes around a warp and a block. Only the sum comes home.
 */
#include "cuda/cuda_test.h"

/* A product of n entries, of values 1 to 7, left there; and its copy on the host. */
static void left_product(gbl_Matrix *C, gbl_Matrix *copy, gbl_Semiring ring, gbl_Type type,
                         gbl_Index n) {
    gbl_Matrix A = NULL, B = NULL;
    t_Random r = t_random(n);
    OK(gbl_Matrix_new(&A, GBL_INT32, n, 1));
    OK(gbl_Matrix_new(&B, GBL_INT32, 1, 2));
    OK(gbl_Matrix_setElement_INT32(B, 1, 0, 1));
    for (gbl_Index i = 0; i < n; i++)
        OK(gbl_Matrix_setElement_INT32(A, 1 + (int32_t)t_below(&r, 7), i, 0));
    OK(gbl_Matrix_new(C, type, n, 2));
    OK(gbl_mxm(*C, NULL, NULL, ring, A, B, NULL));
    OK(gbl_Matrix_dup(copy, *C));
    OK(gbl_Matrix_wait(*copy, GBL_MATERIALIZE));
    OK(gbl_Matrix_free(C));
    OK(gbl_Matrix_new(C, type, n, 2));
    OK(gbl_mxm(*C, NULL, NULL, ring, A, B, NULL));
    CHECK_EQ(formats_of(*C), GBL_HAS_DEVICE);
    CHECK(formats_of(*copy) != GBL_HAS_DEVICE);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Sums are of small whole numbers, exact in any order; products of few factors. */
static void compare(gbl_Semiring ring, gbl_Type type, const gbl_Monoid *monoids, size_t count,
                    gbl_Index n) {
    gbl_Matrix C = NULL, copy = NULL;
    left_product(&C, &copy, ring, type, n);
    for (size_t k = 0; k < count; k++) {
        double here = -1.0, there = -2.0;
        t_case("%d entries, monoid %d", (int)n, (int)k);
        cuda_seed(k);
        OK(gbl_Matrix_reduce_FP64(&here, NULL, monoids[k], copy, NULL));
        const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
        OK(gbl_Matrix_reduce_FP64(&there, NULL, monoids[k], C, NULL));
        const cuda_on_cpu_Counts after = cuda_on_cpu_counts();
        CHECK_EQ(here, there);
        CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
        CHECK_EQ(after.bytes_home - before.bytes_home, 16);
        CHECK_EQ(after.launches - before.launches, 2);
        CHECK_EQ(after.bytes_there, before.bytes_there);
    }
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&copy));
}

#define NUMBERS(N)                                                                                 \
    { GBL_PLUS_MONOID_##N, GBL_MIN_MONOID_##N, GBL_MAX_MONOID_##N }

CUDA_TEST(cuda_reduce, monoids) {
    static const gbl_Index sizes[] = {1, 31, 33, 257, 5000};
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        const gbl_Monoid fp64[] = NUMBERS(FP64), fp32[] = NUMBERS(FP32), int64[] = NUMBERS(INT64),
                         int32[] = NUMBERS(INT32);
        const gbl_Index n = sizes[s];
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, fp64, 3, n);
        if (n > 257) continue; /* the others are the same but for the type */
        compare(GBL_PLUS_TIMES_SEMIRING_FP32, GBL_FP32, fp32, 3, n);
        compare(GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64, int64, 3, n);
        compare(GBL_PLUS_TIMES_SEMIRING_INT32, GBL_INT32, int32, 3, n);
        const gbl_Monoid truth[] = {GBL_LOR_MONOID_BOOL, GBL_LAND_MONOID_BOOL,
                                    GBL_LXOR_MONOID_BOOL};
        compare(GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL, truth, 3, n);
    }
}

/* TIMES wraps, so nothing is lost. */
CUDA_TEST(cuda_reduce, products) {
    const gbl_Monoid times[] = {GBL_TIMES_MONOID_INT64};
    compare(GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64, times, 1, 20);
}

/* Of another type than the values: these come home, and the sum is right. */
CUDA_TEST(cuda_reduce, of_another_type) {
    gbl_Matrix C = NULL, copy = NULL;
    double here = -1.0, there = -2.0;
    left_product(&C, &copy, GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64, 300);
    OK(gbl_Matrix_reduce_FP64(&here, NULL, GBL_PLUS_MONOID_FP64, copy, NULL));
    OK(gbl_Matrix_reduce_FP64(&there, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
    CHECK_EQ(here, there);
    CHECK(formats_of(C) & GBL_HAS_CSR);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&copy));
}

/* *x stays as it was, and so does the matrix; without room there the host does it. */
CUDA_TEST(cuda_reduce, failures) {
    gbl_Matrix C = NULL, copy = NULL;
    left_product(&C, &copy, GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64, 300);
    for (int64_t n = 1; n <= 3; n++) {
        int64_t x = 77;
        cuda_on_cpu_refuse_launch(n);
        const gbl_Info info = gbl_Matrix_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, C, NULL);
        cuda_on_cpu_refuse_launch(0);
        CHECK_EQ(info, n < 3 ? GBL_PANIC : GBL_SUCCESS);
        CHECK_EQ(x == 77, n < 3);
        CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
    }
    cuda_on_cpu_fail_allocation(1);
    int64_t x = 77;
    OK(gbl_Matrix_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    cuda_on_cpu_fail_allocation(0);
    int64_t here = 78;
    OK(gbl_Matrix_reduce_INT64(&here, NULL, GBL_PLUS_MONOID_INT64, copy, NULL));
    CHECK_EQ(x, here);
    CHECK(formats_of(C) != GBL_HAS_DEVICE);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&copy));
}
