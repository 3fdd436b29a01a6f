/* SPDX-License-Identifier: Apache-2.0
 *
 * The device house: no GPU, too little memory, launches and allocations that fail; copies that stay
 * on the device; what may run there. A product that was forced to the GPU fails and leaves C as it
 * was; one that was not is right all the same.
 */
#include "cuda/cuda_test.h"
#include "support/tuples.h"

#include "core/tune_cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 60 };

static o_Matrix content(uint64_t seed, gbl_Index nrows, gbl_Index ncols, double density) {
    t_Random r = t_random(seed);
    return t_generate(
        &r, &(t_Content){o_type(GBL_INT64_CODE), nrows, ncols, T_RANDOM, density, false, false});
}

static gbl_Matrix matrix(uint64_t seed, double density) {
    o_Matrix dense = content(seed, SIDE, SIDE, density);
    gbl_Matrix A = t_matrix(&dense);
    o_free(&dense);
    return A;
}

static gbl_Info multiply(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, NULL);
}

/* Entries of A * B, by the CPU. */
static t_Tuples expected_product(gbl_Matrix A, gbl_Matrix B) {
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    set_place(GBL_PLACE_CPU);
    OK(multiply(C, A, B));
    t_Tuples tuples = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    return tuples;
}

typedef struct {
    gbl_Matrix A, B, C;
    t_Tuples product, before; /* of A * B; of C as it is made */
} world;

static world world_new(void) {
    world o = {.A = matrix(1, 0.2), .B = matrix(2, 0.2), .C = matrix(3, 0.1)};
    o.product = expected_product(o.A, o.B);
    o.before = t_tuples_of(o.C);
    set_place(GBL_PLACE_GPU);
    return o;
}

static void world_free(world *o) {
    t_tuples_free(&o->product);
    t_tuples_free(&o->before);
    OK(gbl_Matrix_free(&o->A));
    OK(gbl_Matrix_free(&o->B));
    OK(gbl_Matrix_free(&o->C));
}

/* Factors with long columns and long rows of which none meet, so that the product is empty, on a
 * GPU that the planner believes to be fast. */
static void hopeful_factors(gbl_Matrix *A, gbl_Matrix *B, gbl_Matrix *C) {
    enum { ROWS = 3000, COLUMNS = 2000 };
    OK(gbl_Matrix_new(A, GBL_BOOL, ROWS, 2));
    OK(gbl_Matrix_new(B, GBL_BOOL, 2, COLUMNS));
    OK(gbl_Matrix_new(C, GBL_BOOL, ROWS, COLUMNS));
    for (gbl_Index i = 0; i < ROWS; i++) OK(gbl_Matrix_setElement_BOOL(*A, true, i, 0));
    for (gbl_Index j = 0; j < COLUMNS; j++) OK(gbl_Matrix_setElement_BOOL(*B, true, 1, j));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
}

/* The result is empty, wherever it is made. */
static gbl_Explanation run_hopeful(void) {
    gbl_Matrix A = NULL, B = NULL, C = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Index nvals = 1;
    hopeful_factors(&A, &B, &C);
    set_place(GBL_PLACE_AUTO);
    cuda_gpu_is_fast();
    OK(gbl_mxm(C, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, A, B, NULL));
    OK(gbl_Matrix_explain(&why, C));
    OK(gbl_Matrix_nvals(&nvals, C));
    CHECK_EQ(nvals, 0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
    return why;
}

/* ------------------------------------------------------------------------------------ places -- */

Test(cuda_device, without_a_gpu, .init = t_setup, .fini = t_teardown) {
    cuda_on_cpu_devices(0);
    world o = world_new();
    FAILS(GBL_INVALID_VALUE, multiply(o.C, o.A, o.B));
    CHECK(strstr(gbl_last_error(), "no usable GPU") != NULL);
    t_expect_tuples(&o.before, o.C);
    const gbl_Explanation why = run_hopeful();
    cr_assert_str_eq(why.place, "cpu");
    CHECK(strstr(why.place_reason, "no usable GPU") != NULL);
    world_free(&o);
    CHECK_EQ(cuda_on_cpu_counts().launches, 0);
}

Test(cuda_device, without_a_driver, .init = t_setup, .fini = t_teardown) {
    cuda_on_cpu_devices(-1);
    world o = world_new();
    FAILS(GBL_INVALID_VALUE, multiply(o.C, o.A, o.B));
    CHECK(strstr(gbl_last_error(), "no driver is installed") != NULL);
    t_expect_tuples(&o.before, o.C);
    world_free(&o);
}

CUDA_TEST(cuda_device, automatic_choice) {
    world o = world_new();
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    set_place(GBL_PLACE_AUTO);
    OK(multiply(o.C, o.A, o.B)); /* too small to be worth the way */
    OK(gbl_Matrix_explain(&why, o.C));
    cr_assert_str_eq(why.place, "cpu");
    CHECK(strstr(why.place_reason, "predicted") != NULL);
    t_expect_tuples(&o.product, o.C);
    why = run_hopeful();
    cr_assert_str_eq(why.place, "gpu");
    world_free(&o);
}

CUDA_TEST(cuda_device, environment) {
    world o = world_new();
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    set_place(GBL_PLACE_DEFAULT);
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_explain(&why, o.C));
    cr_assert_str_eq(why.place, "cpu");
    setenv("GBLITE_PLACE", "gpu", 1);
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_explain(&why, o.C));
    cr_assert_str_eq(why.place, "gpu");
    setenv("GBLITE_PLACE", "moon", 1);
    FAILS(GBL_INVALID_VALUE, multiply(o.C, o.A, o.B));
    unsetenv("GBLITE_PLACE");
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT32(GBL_GLOBAL, 4, GBL_PLACE));
    world_free(&o);
}

static void twice(void *z, const void *x, const void *y) {
    *(int64_t *)z = 2 * *(const int64_t *)x * *(const int64_t *)y;
}

CUDA_TEST(cuda_device, what_has_no_kernel) {
    world o = world_new();
    gbl_BinaryOp op = NULL;
    gbl_Semiring ring = NULL;
    gbl_Descriptor desc = NULL;
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_BinaryOp_new(&op, twice, GBL_INT64, GBL_INT64, GBL_INT64));
    OK(gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT64, op));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(o.C, NULL, NULL, ring, o.A, o.B, NULL));
    CHECK(strstr(gbl_last_error(), "semiring") != NULL);
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_PANEL));
    FAILS(GBL_INVALID_VALUE,
          gbl_mxm(o.C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, o.A, o.B, desc));
    CHECK(strstr(gbl_last_error(), "method") != NULL);
    t_expect_tuples(&o.product, o.C);
    set_place(GBL_PLACE_AUTO);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_mxm(o.C, NULL, NULL, ring, o.A, o.B, NULL));
    OK(gbl_Matrix_explain(&why, o.C));
    cr_assert_str_eq(why.place, "cpu");
    CHECK(strstr(why.place_reason, "no kernel for this semiring") != NULL);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Semiring_free(&ring));
    OK(gbl_BinaryOp_free(&op));
    world_free(&o);
}

/* ------------------------------------------------------------------------------------ copies -- */

CUDA_TEST(cuda_device, copies_stay) {
    world o = world_new();
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    int64_t bytes = 0, peak = 0;
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_explain(&why, o.C));
    CHECK(why.bytes_to_device > 0);
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_explain(&why, o.C));
    CHECK_EQ(why.bytes_to_device, 0);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_IN_USE));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    CHECK(bytes > 0 && peak > bytes);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_BYTES_PEAK));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    CHECK_EQ(peak, bytes);
    t_expect_tuples(&o.product, o.C);
    OK(gbl_Matrix_explain(&why, o.C));
    CHECK(why.bytes_from_device > 0);
    OK(gbl_Matrix_setElement_INT64(o.A, 100, 5, 5));
    t_tuples_free(&o.product);
    o.product = expected_product(o.A, o.B);
    set_place(GBL_PLACE_GPU);
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_explain(&why, o.C));
    CHECK(why.bytes_to_device > 0);
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_IN_USE));
    CHECK_EQ(bytes, 0);
}

/* A copy without values gets them when they are wanted. */
CUDA_TEST(cuda_device, values_follow) {
    world o = world_new();
    OK(gbl_mxm(o.C, NULL, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, o.A, o.B, NULL));
    OK(multiply(o.C, o.A, o.B));
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
}

/* ---------------------------------------------------------------------------------- failures -- */

CUDA_TEST(cuda_device, memory_limit) {
    world o = world_new();
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 15000, GBL_DEVICE_MEMORY_LIMIT)); /* not the factors */
    FAILS(GBL_OUT_OF_MEMORY, multiply(o.C, o.A, o.B));
    CHECK(strstr(gbl_last_error(), "on the GPU") != NULL);
    t_expect_tuples(&o.before, o.C);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 10000, GBL_DEVICE_MEMORY_LIMIT));
    const gbl_Explanation why = run_hopeful();
    cr_assert_str_eq(why.place, "cpu");
    CHECK(strstr(why.place_reason, "on the GPU") != NULL);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    set_place(GBL_PLACE_GPU);
    OK(multiply(o.C, o.A, o.B));
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
}

/* Methods whose products are made to fail at every step. */
static const char *const methods[] = {"rowwise", "tiled"};

static void use_method(size_t k) {
    setenv("GBLITE_METHOD", methods[k], 1);
    t_case("%s", methods[k]);
}

/* After the failure the device may be used again, and nothing is left on it. */
static void every_allocation_fails(void) {
    world o = world_new();
    int64_t n = 1;
    for (bool done = false; !done; n++) {
        gbl_Matrix A = NULL, B = NULL;
        OK(gbl_Matrix_dup(&A, o.A));
        OK(gbl_Matrix_dup(&B, o.B));
        cuda_on_cpu_fail_allocation(n);
        const gbl_Info info = multiply(o.C, A, B);
        cuda_on_cpu_fail_allocation(0);
        done = info == GBL_SUCCESS;
        if (!done) CHECK_EQ(info, GBL_OUT_OF_MEMORY);
        t_expect_tuples(done ? &o.product : &o.before, o.C);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&B));
        if (done) OK(gbl_Matrix_clear(o.C));
        CHECK_EQ(cuda_on_cpu_live(), 0);
    }
    CHECK(n > 8);
    world_free(&o);
}

CUDA_TEST(cuda_device, every_allocation_fails) {
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        use_method(k);
        every_allocation_fails();
    }
}

/* Where the place was left open the CPU does it then. */
CUDA_TEST(cuda_device, every_allocation_fails_and_nobody_minds) {
    int64_t n = 1;
    for (bool done = false; !done; n++) {
        cuda_on_cpu_fail_allocation(n);
        const gbl_Explanation why = run_hopeful();
        cuda_on_cpu_fail_allocation(0);
        done = strcmp(why.place, "gpu") == 0;
        if (!done) CHECK(strstr(why.place_reason, "memory") != NULL);
        CHECK_EQ(cuda_on_cpu_live(), 0);
    }
    CHECK(n > 10);
}

/* Less memory is free than there was at the start: copies go, and the pool gives back what it kept.
 */
CUDA_TEST(cuda_device, others_take_memory) {
    world o = world_new();
    gbl_Matrix A = matrix(11, 0.2), B = matrix(12, 0.2);
    int64_t copies = 0, peak = 0;
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_Matrix_clear(o.C));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &copies, GBL_DEVICE_BYTES_IN_USE));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    cuda_on_cpu_memory((uint64_t)(peak + copies / 3));
    OK(multiply(o.C, A, B));
    CHECK(cuda_on_cpu_trims() > 0);
    OK(multiply(o.C, o.A, o.B));
    t_expect_tuples(&o.product, o.C);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    world_free(&o);
}

/* The program's own use of CUDA may have failed before; that is not our kernels' doing. */
CUDA_TEST(cuda_device, errors_of_others) {
    world o = world_new();
    cuda_on_cpu_leave_error();
    OK(multiply(o.C, o.A, o.B));
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
}

/* A multiprocessor with too little shared memory for the windows of the longest rows. */
Test(cuda_device, small_multiprocessors) {
    enum { WIDE = 1 << 20, ENTRIES = GB_CUDA_SHARED / 13, ROWS = 9 }; /* more than blocks */
    for (int is_small = 0; is_small < 2; is_small++) {
        gbl_Matrix A = NULL, B = NULL, C = NULL;
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        gbl_Index nvals = 0;
        cuda_on_cpu_shared(is_small ? GB_CUDA_LONG_SHARED - 1024 : 0);
        cuda_setup();
        OK(gbl_Matrix_new(&A, GBL_FP64, ROWS, 2));
        OK(gbl_Matrix_new(&B, GBL_FP64, 2, WIDE));
        cuda_fill_row(B, 1); /* A has no entries for it */
        OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, WIDE));
        for (gbl_Index i = 0; i < ROWS; i++) OK(gbl_Matrix_setElement_FP64(A, 2.0, i, 0));
        for (gbl_Index e = 0; e < ENTRIES; e++)
            OK(gbl_Matrix_setElement_FP64(B, 1.0, 0, e * (WIDE / ENTRIES)));
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
        OK(gbl_Matrix_explain(&why, C));
        OK(gbl_Matrix_nvals(&nvals, C));
        CHECK_EQ(nvals, ROWS * ENTRIES);
        CHECK_EQ(why.rows_dense, ROWS);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C));
        cuda_teardown();
    }
    cuda_on_cpu_shared(0);
}

/* Content left on a device that is closed is gone; that is said. */
Test(cuda_device, closed_with_content) {
    t_setup();
    world o = world_new();
    OK(multiply(o.C, o.A, o.B));
    OK(gbl_finalize());
    CHECK_EQ(cuda_on_cpu_live(), 0);
    OK(gbl_init(GBL_NONBLOCKING));
    set_place(GBL_PLACE_GPU);
    FAILS(GBL_PANIC, multiply(o.B, o.C, o.A));
    CHECK(strstr(gbl_last_error(), "left on the GPU") != NULL);
    int64_t x = 0;
    FAILS(GBL_PANIC, gbl_Matrix_extractElement_INT64(&x, o.C, 0, 0));
    OK(multiply(o.C, o.A, o.B)); /* copies that are gone are made anew */
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
    cuda_teardown();
}

/* After a failed launch the device is lost until the library starts anew. */
static bool launch_fails(int64_t n) {
    OK(gbl_init(GBL_NONBLOCKING));
    world o = world_new();
    cuda_on_cpu_fail_launch(n);
    const gbl_Info info = multiply(o.C, o.A, o.B);
    cuda_on_cpu_fail_launch(0);
    const bool failed = info != GBL_SUCCESS;
    if (failed) {
        CHECK_EQ(info, GBL_PANIC);
        CHECK(strstr(gbl_last_error(), "asked to fail") != NULL);
        FAILS(GBL_PANIC, multiply(o.C, o.A, o.B));
        const gbl_Explanation why = run_hopeful();
        cr_assert_str_eq(why.place, "cpu");
        CHECK(strstr(why.place_reason, "the GPU failed at") != NULL);
    }
    t_expect_tuples(failed ? &o.before : &o.product, o.C);
    world_free(&o);
    CHECK_EQ(cuda_on_cpu_live(), 0);
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    cuda_on_cpu_devices(1);
    return failed;
}

/* Where cases are sampled every third launch, of another third with each method. */
static int64_t step(void) {
    return t_samples() ? 3 : 1;
}

Test(cuda_device, every_launch_fails) {
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        int64_t n = 1 + (int64_t)k % step();
        use_method(k);
        while (launch_fails(n)) n += step();
        CHECK(n > 8);
    }
}

/* A launch that CUDA refuses is the failure of its call alone. */
static bool launch_is_refused(int64_t n) {
    OK(gbl_init(GBL_NONBLOCKING));
    world o = world_new();
    cuda_on_cpu_refuse_launch(n);
    const gbl_Info info = multiply(o.C, o.A, o.B);
    cuda_on_cpu_refuse_launch(0);
    const bool refused = info != GBL_SUCCESS;
    if (refused) {
        CHECK_EQ(info, GBL_PANIC);
        CHECK(strstr(gbl_last_error(), "was to be refused") != NULL);
        t_expect_tuples(&o.before, o.C);
        OK(multiply(o.C, o.A, o.B));
    }
    t_expect_tuples(&o.product, o.C);
    world_free(&o);
    CHECK_EQ(cuda_on_cpu_live(), 0);
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    return refused;
}

Test(cuda_device, every_launch_is_refused) {
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        int64_t n = 1 + (int64_t)k % step();
        use_method(k);
        while (launch_is_refused(n)) n += step();
        CHECK(n > 8);
    }
}

Test(cuda_device, every_allocation_of_the_host_fails) {
    t_brutal_setup();
    world o = world_new();
    int64_t n = 1;
    for (bool failed = true; failed; n++) {
        gbl_Matrix A = NULL;
        OK(gbl_Matrix_dup(&A, o.A));
        t_fail_at(n);
        const gbl_Info info = multiply(o.C, A, o.B);
        failed = t_failed();
        t_fail_at(0);
        CHECK_EQ(info, failed ? GBL_OUT_OF_MEMORY : GBL_SUCCESS);
        t_expect_tuples(failed ? &o.before : &o.product, o.C);
        OK(gbl_Matrix_free(&A));
    }
    CHECK(n > 5);
    world_free(&o);
    CHECK_EQ(cuda_on_cpu_live(), 0);
    t_brutal_teardown();
}

/* ----------------------------------------------------------------------------------- threads -- */

static void *multiply_in_thread(void *context) {
    const world *o = context;
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    for (int round = 0; round < 3; round++) {
        OK(multiply(C, o->A, o->B));
        t_expect_tuples(&o->product, C);
    }
    OK(gbl_Matrix_free(&C));
    return NULL;
}

CUDA_TEST(cuda_device, threads_share_factors) {
    enum { THREADS = 4 };
    world o = world_new();
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(pthread_create(&thread[t], NULL, multiply_in_thread, &o), 0);
    for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(thread[t], NULL), 0);
    world_free(&o);
}
