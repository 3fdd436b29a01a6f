/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT on the GPU: against the oracle with every semiring and mask, and against the CPU on rows of
 * all lengths and spreads, so that every way to meet two lists is taken; products that are folded;
 * triangles.
 */
#include "cuda/cuda_test.h"
#include "support/product.h"
#include "support/tuples.h"

#include "core/tune_cuda.h"

#include <string.h>

/* -- against the oracle */

static const t_Shape shapes[] = {
    {14, 11, 12, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {9, 70, 40, T_FULL_ROW, T_RANDOM, 0.2, 0.15, 0.5},
    {7, 40, 90, T_RANDOM, T_FULL_ROW, 0.7, 0.4, 0.6},
    {40, 1, 65, T_FULL, T_FULL, 0.2, 0.3, 0.5},
};

/* Whether a kernel stands behind it: asked of the library itself, by a product of 1 x 1. */
static bool has_kernel(const o_Ring *ring) {
    gbl_Matrix A = NULL, C = NULL;
    OK(gbl_Matrix_new(&A, ring->multiply.x.handle, 1, 1));
    OK(gbl_Matrix_new(&C, ring->add.z.handle, 1, 1));
    OK(gbl_Matrix_setElement_INT32(A, 1, 0, 0));
    const gbl_Info info = gbl_mxm(C, NULL, NULL, ring->handle, A, A, NULL);
    CHECK(info == GBL_SUCCESS || info == GBL_INVALID_VALUE);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    return info == GBL_SUCCESS;
}

CUDA_TEST(cuda_dot, every_semiring) {
    size_t kernels = 0;
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        if (!has_kernel(&ring)) continue;
        kernels++;
        for (unsigned f = 0; f < 12; f++) {
            const uint64_t n = 12 * k + f;
            t_ProductCase of = t_mxm_case(t_rings[k].name, &ring, (unsigned)(n * 7) % T_FLAGS_ALL);
            if (of.flags.mask != T_VALUED && of.flags.mask != T_STRUCTURAL) continue;
            of.flags.method = GBL_METHOD_DOT;
            of.seed = n;
            of.shape = shapes[n % T_COUNT(shapes)];
            of.iso = n % 5 == 0;
            cuda_seed(n);
            t_product(&of);
        }
    }
    CHECK(kernels >= 27);
}

/* -- against the CPU: rows of A and columns of B by length and spread */

enum { WIDE = 1 << 20, LISTS = 12 };

/* Lengths around a warp's and a block's bits and tables, near and far; one of few lengths of the
 * other side, so that lists are searched, looked up and merged. */
static gbl_Matrix lists(uint64_t seed, gbl_Index last) {
    static const gbl_Index lengths[LISTS] = {0, 1, 2, 31, 33, 64, 250, 270, 700, 2000, 2100, 5000};
    static const gbl_Index spread[] = {1, 3, 200};
    gbl_Matrix A = NULL;
    t_Random r = t_random(seed);
    OK(gbl_Matrix_new(&A, GBL_INT64, 3 * LISTS, WIDE));
    for (gbl_Index i = 0; i < 3 * LISTS; i++)
        for (gbl_Index e = 0; e < lengths[i % LISTS]; e++) {
            const gbl_Index k = i % 5 * 1000 + e * spread[i / LISTS] + t_below(&r, 2);
            OK(gbl_Matrix_setElement_INT64(A, 1 + (int64_t)t_below(&r, 9), i, k < last ? k : last));
        }
    return A;
}

static gbl_Matrix full_mask(gbl_Index n, unsigned one_in) {
    gbl_Matrix M = NULL;
    OK(gbl_Matrix_new(&M, GBL_BOOL, n, n));
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = 0; j < n; j++)
            if ((i + j) % one_in == 0) OK(gbl_Matrix_setElement_BOOL(M, true, i, j));
    return M;
}

static gbl_Matrix multiply(gbl_Semiring ring, gbl_Matrix M, gbl_Matrix A, gbl_Matrix B,
                           gbl_Place place) {
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Index n = 0;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_nrows(&n, M));
    OK(gbl_Matrix_new(&C, GBL_INT64, n, n));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(gbl_mxm(C, M, NULL, ring, A, B, desc));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.place, place == GBL_PLACE_GPU ? "gpu" : "cpu");
    OK(gbl_Descriptor_free(&desc));
    return C;
}

CUDA_TEST(cuda_dot, lists_of_every_length) {
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_INT64, GBL_MIN_PLUS_SEMIRING_INT64,
                                  GBL_PLUS_PAIR_SEMIRING_INT64};
    gbl_Matrix A = lists(1, WIDE - 1), B = lists(2, WIDE - 1);
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        gbl_Matrix M = full_mask(3 * LISTS, 1 + (unsigned)k);
        cuda_seed(k);
        gbl_Matrix expected = multiply(rings[k], M, A, B, GBL_PLACE_CPU);
        gbl_Matrix actual = multiply(rings[k], M, A, B, GBL_PLACE_GPU);
        t_Tuples tuples = t_tuples_of(expected);
        CHECK(tuples.n > 0);
        t_expect_tuples(&tuples, actual);
        t_tuples_free(&tuples);
        OK(gbl_Matrix_free(&M));
        OK(gbl_Matrix_free(&expected));
        OK(gbl_Matrix_free(&actual));
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Rows of the mask that are cut into pieces: ends at, before and behind the cuts; two cut rows in
 * one piece, and rows between that are not. Some columns meet nothing. */
CUDA_TEST(cuda_dot, long_rows_of_the_mask) {
    enum { N = 2 * GB_CUDA_DOT_PIECE + 9, ROWS = 7, INNER = 40 };
    const gbl_Index lengths[ROWS] = {GB_CUDA_DOT_PIECE - 3,
                                     2 * GB_CUDA_DOT_PIECE + 5,
                                     GB_CUDA_DOT_PIECE + 1,
                                     1,
                                     GB_CUDA_DOT_PIECE,
                                     0,
                                     N};
    gbl_Matrix A = NULL, B = NULL, M = NULL;
    t_Random r = t_random(77);
    OK(gbl_Matrix_new(&A, GBL_INT64, N, INNER));
    OK(gbl_Matrix_new(&B, GBL_INT64, N, INNER));
    OK(gbl_Matrix_new(&M, GBL_BOOL, N, N));
    for (gbl_Index i = 0; i < ROWS; i++) {
        for (gbl_Index k = 0; k < INNER; k += 2)
            OK(gbl_Matrix_setElement_INT64(A, 1 + (int64_t)t_below(&r, 9), i, k));
        for (gbl_Index e = 0; e < lengths[i]; e++)
            OK(gbl_Matrix_setElement_BOOL(M, true, i, lengths[i] == N ? e : N - 1 - e));
    }
    for (gbl_Index j = 0; j < N; j++) /* odd rows meet nothing */
        OK(gbl_Matrix_setElement_INT64(B, 1 + (int64_t)t_below(&r, 9), j, t_below(&r, INNER)));
    for (uint64_t seed = 0; seed < (GB_CUDA_DOT_PIECE < 100 ? 9 : 1); seed++) {
        cuda_seed(seed);
        gbl_Matrix expected = multiply(GBL_PLUS_TIMES_SEMIRING_INT64, M, A, B, GBL_PLACE_CPU);
        gbl_Matrix actual = multiply(GBL_PLUS_TIMES_SEMIRING_INT64, M, A, B, GBL_PLACE_GPU);
        t_Tuples tuples = t_tuples_of(expected);
        CHECK(tuples.n > N);
        t_expect_tuples(&tuples, actual);
        t_tuples_free(&tuples);
        OK(gbl_Matrix_free(&expected));
        OK(gbl_Matrix_free(&actual));
    }
    int64_t sum[2];
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    for (int place = 0; place < 2; place++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, place ? GBL_PLACE_GPU : GBL_PLACE_CPU, GBL_PLACE));
        OK(gbl_mxm_reduce_INT64(&sum[place], M, NULL, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_TIMES_SEMIRING_INT64, A, B, desc));
    }
    CHECK(sum[0] > 0);
    CHECK_EQ(sum[1], sum[0]);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&M));
}

/* -- folds */

/* A symmetric graph of `hubs` vertices that have all others, and a ring through these. */
static gbl_Matrix graph(gbl_Index n, gbl_Index hubs) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT64, n, n));
    for (gbl_Index i = 0; i < n; i++) {
        for (gbl_Index j = 0; j < hubs; j++) {
            if (i == j) continue;
            OK(gbl_Matrix_setElement_INT64(A, 1, i, j));
            OK(gbl_Matrix_setElement_INT64(A, 1, j, i));
        }
        if (i < hubs) continue;
        const gbl_Index next = i + 1 < n ? i + 1 : hubs;
        OK(gbl_Matrix_setElement_INT64(A, 1, i, next));
        OK(gbl_Matrix_setElement_INT64(A, 1, next, i));
    }
    return A;
}

/* Triangles as six times their number; with rows of the mask that blocks do. Nothing comes home but
 * the sum. */
CUDA_TEST(cuda_dot, triangles) {
    enum { N = 400, HUBS = 3, RING = N - HUBS };
    /* three hubs; two hubs and one other; one hub and an edge of the ring */
    const int64_t triangles = 1 + 3 * RING + HUBS * RING;
    gbl_Matrix A = graph(N, HUBS);
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    for (uint64_t seed = 0; seed < 3; seed++) {
        int64_t sum = 0;
        cuda_seed(seed);
#ifndef GB_TEST_ON_GPU
        const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
#endif
        OK(gbl_mxm_reduce_INT64(&sum, A, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64,
                                A, A, desc));
        CHECK_EQ(sum, 6 * triangles);
#ifndef GB_TEST_ON_GPU
        const cuda_on_cpu_Counts after = cuda_on_cpu_counts();
        CHECK_EQ(after.launches - before.launches, 2);
        CHECK_EQ(after.bytes_home - before.bytes_home, 16);
#endif
    }
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
}

/* Rounded sums are the same in every run, however the warps of a block take turns: hubs are in one
 * block's rows, and have rows that it does as a whole. */
CUDA_TEST(cuda_dot, sums_in_one_order) {
    gbl_Matrix pattern = graph(300, 6), A = NULL;
    gbl_Descriptor desc = NULL;
    double first = 0;
    OK(gbl_Matrix_new(&A, GBL_FP64, 300, 300));
    t_Tuples tuples = t_tuples_of(pattern);
    for (gbl_Index k = 0; k < tuples.n; k++)
        OK(gbl_Matrix_setElement_FP64(A, 0.1 * (double)(1 + k % 37), tuples.I[k], tuples.J[k]));
    t_tuples_free(&tuples);
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    for (uint64_t seed = 0; seed < 3; seed++) {
        double sum = 0;
        cuda_seed(seed);
        OK(gbl_mxm_reduce_FP64(&sum, A, NULL, GBL_PLUS_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A,
                               A, desc));
        if (seed == 0) first = sum;
        CHECK(memcmp(&sum, &first, sizeof sum) == 0);
    }
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&pattern));
}

/* Another monoid than the semiring's folds what is stored; a product of nothing has no sum. */
CUDA_TEST(cuda_dot, other_folds) {
    gbl_Matrix A = graph(40, 2), M = NULL;
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    for (int place = 0; place < 2; place++) {
        int64_t most = 0, sum = 5;
        OK(gbl_Global_set_INT32(GBL_GLOBAL, place ? GBL_PLACE_GPU : GBL_PLACE_CPU, GBL_PLACE));
        OK(gbl_mxm_reduce_INT64(&most, A, NULL, GBL_MAX_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64,
                                A, A, desc));
        CHECK_EQ(most, 38); /* the hubs have all others in common */
        OK(gbl_Matrix_new(&M, GBL_INT64, 40, 40));
        OK(gbl_Matrix_setElement_INT64(M, 1, 7, 7));
        OK(gbl_Matrix_clear(M));
        OK(gbl_mxm_reduce_INT64(&sum, M, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64,
                                A, A, desc));
        CHECK_EQ(sum, 0);
        OK(gbl_Matrix_free(&M));
    }
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
}

/* -- failures */

#ifndef GB_TEST_ON_GPU

static gbl_Info dot(gbl_Matrix C, gbl_Matrix A) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    const gbl_Info info = gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc);
    gbl_Descriptor_free(&desc);
    return info;
}

/* C stays as it was, and nothing is left on the device. */
CUDA_TEST(cuda_dot, every_allocation_and_launch_fails) {
    for (int launches = 0; launches < 2; launches++) {
        int64_t n = 1;
        for (bool done = false; !done; n++) {
            gbl_Matrix A = graph(20, 2), C = NULL;
            gbl_Index nvals = 0;
            OK(gbl_Matrix_new(&C, GBL_INT64, 20, 20));
            OK(gbl_Matrix_setElement_INT64(C, 1, 3, 4));
            launches ? cuda_on_cpu_refuse_launch(n) : cuda_on_cpu_fail_allocation(n);
            const gbl_Info info = dot(C, A);
            cuda_on_cpu_refuse_launch(0);
            cuda_on_cpu_fail_allocation(0);
            done = info == GBL_SUCCESS;
            if (!done) CHECK_EQ(info, launches ? GBL_PANIC : GBL_OUT_OF_MEMORY);
            OK(gbl_Matrix_nvals(&nvals, C));
            CHECK_EQ(nvals == 1, !done);
            OK(gbl_Matrix_free(&A));
            OK(gbl_Matrix_free(&C));
            CHECK_EQ(cuda_on_cpu_live(), 0);
        }
        CHECK(n > (launches ? 3 : 8));
    }
}
#endif
