/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream and an allocator of the program's: work goes there, results stay right, and both are
 * the program's again afterwards.
 */
#include "cuda/cuda_test.h"

enum { SIDE = 300, BAND = 3 };

static gbl_Matrix new_band(void) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, SIDE, SIDE);
    for (gbl_Index i = 0; i < SIDE; i++)
        for (gbl_Index e = 0; e < BAND; e++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)e, i, (i + e) % SIDE));
    return A;
}

static gbl_Info square(gbl_Matrix C, gbl_Matrix A) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static double sum_of(gbl_Matrix C) {
    double sum = 0.0;
    OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
    return sum;
}

#define SUM_OF_SQUARE (36.0 * SIDE) /* (1 + 2 + 3)^2 a row */

static void use_stream(void *stream) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, (int64_t)(intptr_t)stream, GBL_CUDA_STREAM));
}

CUDA_TEST(cuda_given, stream_gets_the_work) {
    void *stream = cuda_on_cpu_new_stream();
    gbl_Matrix A = new_band(), C = t_new_matrix(GBL_FP64, SIDE, SIDE);
    use_stream(stream);
    OK(square(C, A));
    CHECK(cuda_on_cpu_steps(stream) > 0);
    CHECK(sum_of(C) == SUM_OF_SQUARE);
    use_stream(NULL);
    const uint64_t before = cuda_on_cpu_steps(stream);
    OK(square(C, A));
    CHECK_EQ(cuda_on_cpu_steps(stream), before);
    CHECK(sum_of(C) == SUM_OF_SQUARE);
    cuda_on_cpu_end_stream(stream);
    FREE(A, C);
}

/* Content that one stream made is there for the next. */
CUDA_TEST(cuda_given, streams_change_between_calls) {
    void *streams[] = {cuda_on_cpu_new_stream(), cuda_on_cpu_new_stream()};
    gbl_Matrix A = new_band(), C = t_new_matrix(GBL_FP64, SIDE, SIDE);
    for (unsigned k = 0; k < 6; k++) {
        use_stream(k % 3 < 2 ? streams[k % 3] : NULL);
        OK(square(C, A));
        use_stream(k % 3 < 1 ? streams[1] : NULL);
        OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, C, NULL));
        CHECK(sum_of(C) == -SUM_OF_SQUARE);
    }
    use_stream(NULL);
    for (unsigned k = 0; k < 2; k++) cuda_on_cpu_end_stream(streams[k]);
    FREE(A, C);
}

CUDA_TEST(cuda_given, stream_outlives_the_library) {
    void *stream = cuda_on_cpu_new_stream();
    for (unsigned k = 0; k < 2; k++) {
        gbl_Matrix A = new_band(), C = t_new_matrix(GBL_FP64, SIDE, SIDE);
        const uint64_t before = cuda_on_cpu_steps(stream);
        if (k == 0) use_stream(stream);
        OK(square(C, A));
        CHECK_EQ(cuda_on_cpu_steps(stream) > before, k == 0); /* forgotten by gbl_finalize */
        CHECK(sum_of(C) == SUM_OF_SQUARE);
        FREE(A, C);
        OK(gbl_finalize());
        OK(gbl_init(GBL_NONBLOCKING));
        set_place(GBL_PLACE_GPU);
    }
    cuda_on_cpu_end_stream(stream);
}

/* An allocator that counts, and has no more than `most` bytes. */
typedef struct {
    uint64_t taken, blocks, bytes, most, refused;
} Pool;

static void *pool_allocate(void *state, size_t bytes, void *stream) {
    Pool *pool = state;
    if (bytes > pool->most || pool->bytes > pool->most - bytes) {
        pool->refused++;
        return NULL;
    }
    void *block = cuda_on_cpu_allocate(NULL, bytes, stream);
    if (block == NULL) return NULL;
    pool->taken++;
    pool->blocks++;
    pool->bytes += bytes;
    return block;
}

static void pool_release(void *state, void *block, size_t bytes, void *stream) {
    Pool *pool = state;
    pool->blocks--;
    pool->bytes -= bytes;
    cuda_on_cpu_release(NULL, block, bytes, stream);
}

CUDA_TEST(cuda_given, allocator_gets_every_block_back) {
    Pool pool = {.most = UINT64_MAX};
    OK(gbl_cuda_allocator(pool_allocate, pool_release, &pool));
    gbl_Matrix A = new_band(), C = t_new_matrix(GBL_FP64, SIDE, SIDE);
    const uint64_t before = cuda_on_cpu_counts().allocations;
    OK(square(C, A));
    CHECK(pool.taken > 0);
    CHECK_EQ(cuda_on_cpu_counts().allocations - before, pool.taken); /* none from our own pool */
    CHECK(sum_of(C) == SUM_OF_SQUARE);
    CHECK(pool.bytes > 0);
    FAILS(GBL_INVALID_VALUE, gbl_cuda_allocator(NULL, NULL, NULL));
    FREE(A, C);
    CHECK_EQ(pool.blocks, 0);
    CHECK_EQ(pool.bytes, 0);
    OK(gbl_cuda_allocator(NULL, NULL, NULL));
}

/* Where it has no more, copies that are not in use go, and it is asked again. */
CUDA_TEST(cuda_given, allocator_that_is_full) {
    Pool pool = {.most = UINT64_MAX};
    OK(gbl_cuda_allocator(pool_allocate, pool_release, &pool));
    gbl_Matrix A = new_band(), B = new_band(), C = t_new_matrix(GBL_FP64, SIDE, SIDE);
    OK(square(C, A));
    pool.most = pool.bytes; /* the copies of A and C */
    OK(square(C, B));
    CHECK(pool.refused > 0);
    CHECK(sum_of(C) == SUM_OF_SQUARE);
    pool.most = 0;
    gbl_Matrix D = new_band();
    FAILS(GBL_OUT_OF_MEMORY, square(C, D));
    CHECK(sum_of(C) == SUM_OF_SQUARE);
    pool.most = UINT64_MAX;
    OK(square(C, D));
    FREE(A, B, C, D);
    CHECK_EQ(pool.blocks, 0);
    OK(gbl_cuda_allocator(NULL, NULL, NULL));
}
