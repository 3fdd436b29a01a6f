/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading libgblite_cuda.so, with planted libraries in its place (test/cuda_library): what is wrong
 * with a library is said and changes nothing; one that fits is attached once, whoever asks first.
 */
#include "support/gb_test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_api/device.h"

static void name_library(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TEST_LIBRARIES, name);
    cr_assert(setenv("GBLITE_CUDA_LIBRARY", path, 1) == 0);
}

/* A product that is forced to the GPU fails, with these words, and changes nothing. */
static void product_says(gbl_Info code, const char *words) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 3), C = t_new_matrix(GBL_FP64, 3, 3);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 0));
    OK(gbl_Matrix_setElement_FP64(C, 5.0, 2, 2));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    FAILS(code, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    cr_assert(strstr(gbl_last_error(), words) != NULL, "'%s' is not in: %s", words,
              gbl_last_error());
    CHECK_EQ(t_nvals(C), 1);
    FREE(A, C);
}

static gb_DeviceFacts facts_now(void) {
    gb_DeviceFacts facts;
    gb_device()->facts(&facts);
    return facts;
}

GB_TEST(device_library, that_is_not_there) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 1000, GBL_DEVICE_MEMORY_LIMIT));
    cr_assert(unsetenv("GBLITE_CUDA_LIBRARY") == 0);
    product_says(GBL_INVALID_VALUE, "libgblite_cuda.so is not installed: ");
    product_says(GBL_INVALID_VALUE, "or let products run on the CPU");
    CHECK_EQ(facts_now().memory, 0);
    gb_device()->release(NULL);
    gb_device()->forget_peak();
}

GB_TEST(device_library, that_is_named_and_missing) {
    name_library("no_such_file.so");
    product_says(GBL_INVALID_VALUE, "no_such_file.so cannot be loaded (GBLITE_CUDA_LIBRARY): ");
}

GB_TEST(device_library, that_is_no_library) {
    cr_assert(setenv("GBLITE_CUDA_LIBRARY", __FILE__, 1) == 0);
    product_says(GBL_INVALID_VALUE, "cannot be loaded (GBLITE_CUDA_LIBRARY): ");
}

GB_TEST(device_library, of_somebody_else) {
    name_library("stranger.so");
    product_says(GBL_INVALID_VALUE,
                 "stranger.so is no library of gblite: it has no symbol gblite_cuda_library");
}

GB_TEST(device_library, of_another_version) {
    name_library("other_version.so");
    product_says(GBL_INVALID_VALUE, "of another build of gblite (99.0.0) than this library");
}

GB_TEST(device_library, of_another_layout) {
    name_library("other_layout.so");
    product_says(GBL_INVALID_VALUE, "install both from the same build");
}

/* A failure is remembered, since looking again costs more than a small product, until gblite is
 * started anew. */
GB_TEST(device_library, is_tried_again_after_finalize) {
    name_library("other_version.so");
    product_says(GBL_INVALID_VALUE, "99.0.0");
    name_library("right.so");
    product_says(GBL_INVALID_VALUE, "99.0.0");
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
    product_says(GBL_NOT_IMPLEMENTED, "the planted device does nothing");
}

GB_TEST(device_library, gets_the_limit_that_was_set_before) {
    name_library("right.so");
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 12345, GBL_DEVICE_MEMORY_LIMIT));
    CHECK_EQ(facts_now().memory_limit, 0);
    product_says(GBL_NOT_IMPLEMENTED, "the planted device does nothing");
    CHECK_EQ(facts_now().memory_limit, 12345);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 777, GBL_DEVICE_MEMORY_LIMIT));
    CHECK_EQ(facts_now().memory_limit, 777);
}

static void *allocate_none(void *state, size_t bytes, void *stream) {
    (void)bytes, (void)stream;
    return state == stream ? state : NULL;
}

static void release_none(void *state, void *block, size_t bytes, void *stream) {
    (void)state, (void)block, (void)bytes, (void)stream;
}

/* The planted device tells what it got: the stream as bytes_down, the state as bytes_in_use. */
GB_TEST(device_library, gets_stream_and_allocator_that_were_set_before) {
    int state = 0;
    name_library("right.so");
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 31, GBL_CUDA_STREAM));
    OK(gbl_cuda_allocator(allocate_none, release_none, &state));
    product_says(GBL_NOT_IMPLEMENTED, "the planted device does nothing");
    CHECK_EQ(facts_now().bytes_down, 31);
    CHECK_EQ(facts_now().bytes_in_use, (uintptr_t)&state);
}

GB_TEST(device_library, forgets_stream_and_allocator_at_the_end) {
    int state = 0;
    name_library("right.so");
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 31, GBL_CUDA_STREAM));
    OK(gbl_cuda_allocator(allocate_none, release_none, &state));
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
    product_says(GBL_NOT_IMPLEMENTED, "the planted device does nothing");
    CHECK_EQ(facts_now().bytes_down, 0);
    CHECK_EQ(facts_now().bytes_in_use, 0);
}

GB_TEST(device_library, refuses_half_an_allocator) {
    FAILS(GBL_NULL_POINTER, gbl_cuda_allocator(allocate_none, NULL, NULL));
    FAILS(GBL_NULL_POINTER, gbl_cuda_allocator(NULL, release_none, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, -1, GBL_CUDA_STREAM));
    OK(gbl_finalize());
    FAILS(GBL_PANIC, gbl_cuda_allocator(NULL, NULL, NULL));
    OK(gbl_init(GBL_NONBLOCKING));
}

/* gb_device() as it was before the library came still serves. */
GB_TEST(device_library, does_not_leave_old_tables_behind) {
    const gb_Device *before = gb_device();
    name_library("right.so");
    product_says(GBL_NOT_IMPLEMENTED, "the planted device does nothing");
    CHECK(gb_device() != before);
    CHECK_EQ(before->open(), GBL_NOT_IMPLEMENTED);
    OK(before->set(GB_DEVICE_LIMIT, &(gb_DeviceSettings){.memory_limit = 55}));
    CHECK_EQ(facts_now().memory_limit, 55);
}

enum { THREADS = 8 };

static void *open_device(void *start) {
    pthread_barrier_wait(start);
    return gb_device()->open() == GBL_NOT_IMPLEMENTED ? start : NULL;
}

GB_TEST(device_library, is_attached_once) {
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    name_library("right.so");
    cr_assert(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int k = 0; k < THREADS; k++)
        cr_assert(pthread_create(&threads[k], NULL, open_device, &start) == 0);
    for (int k = 0; k < THREADS; k++) {
        void *good = NULL;
        cr_assert(pthread_join(threads[k], &good) == 0);
        cr_assert(good == &start, "thread %d got another answer", k);
    }
    pthread_barrier_destroy(&start);
    CHECK_EQ(facts_now().multiprocessors, 1);
    CHECK_EQ(facts_now().bytes_up, THREADS);
}
