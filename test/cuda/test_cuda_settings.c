/* SPDX-License-Identifier: Apache-2.0
 *
 * GBLITE_CUDA, and devices without pools of memory: products are right under every setting.
 */
#include "cuda/cuda_test.h"

enum { SIDE = 300, BAND = 3 };

/* C = A * A on a device that starts with these settings, and the allocations that it took. */
static uint64_t multiply(const char *settings) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Index nvals = 0;
    double sum = 0.0;
    OK(gbl_finalize());
    if (settings != NULL)
        setenv("GBLITE_CUDA", settings, 1);
    else
        unsetenv("GBLITE_CUDA");
    OK(gbl_init(GBL_NONBLOCKING));
    set_place(GBL_PLACE_GPU);
    OK(gbl_Matrix_new(&A, GBL_FP64, SIDE, SIDE));
    OK(gbl_Matrix_new(&C, GBL_FP64, SIDE, SIDE));
    for (gbl_Index i = 0; i < SIDE; i++)
        for (gbl_Index e = 0; e < BAND; e++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)e, i, (i + e) % SIDE));
    const uint64_t before = cuda_on_cpu_counts().allocations;
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    const uint64_t took = cuda_on_cpu_counts().allocations - before;
    OK(gbl_Matrix_nvals(&nvals, C));
    OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
    CHECK_EQ(nvals, (2 * BAND - 1) * SIDE);
    CHECK(sum == 36.0 * SIDE); /* (1 + 2 + 3)^2 a row */
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    return took;
}

CUDA_TEST(cuda_settings, change_no_result) {
    static const char *const all[] = {"carveout=58,lanes=4,query=1", "lanes=1", "query=0", ""};
    const uint64_t usual = multiply(NULL);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) CHECK_EQ(multiply(all[k]), usual);
    CHECK(multiply("arena=0") >= usual + 10); /* each array on its own */
    multiply(NULL);
}

/* Stages are timed by events only where somebody asks for their seconds. */
CUDA_TEST(cuda_settings, seconds_of_stages) {
    for (int asked = 0; asked < 2; asked++) {
        const uint64_t before = cuda_on_cpu_counts().timings;
        multiply(asked ? "stages=1" : NULL);
        CHECK_EQ(cuda_on_cpu_counts().timings > before, asked == 1);
    }
    multiply(NULL);
}

CUDA_TEST(cuda_settings, memory_without_pools) {
    const uint64_t usual = multiply(NULL);
    CHECK_EQ(multiply("pool=0"), usual);
    cuda_on_cpu_pools(false);
    CHECK_EQ(multiply(NULL), usual);
    cuda_on_cpu_pools(true);
}

CUDA_TEST(cuda_settings, that_are_wrong) {
    static const char *const all[] = {"lanes",   "lanes=17",       "carveout=x",
                                      "speed=1", "pool=0;arena=0", "=1"};
    gbl_Matrix A = NULL;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        OK(gbl_finalize());
        setenv("GBLITE_CUDA", all[k], 1);
        OK(gbl_init(GBL_NONBLOCKING));
        set_place(GBL_PLACE_GPU);
        OK(gbl_Matrix_new(&A, GBL_FP64, 2, 2));
        OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 1));
        CHECK_EQ(gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL),
                 GBL_INVALID_VALUE);
        CHECK(strstr(gbl_last_error(), "GBLITE_CUDA") != NULL);
        OK(gbl_Matrix_free(&A));
    }
    multiply(NULL);
}
