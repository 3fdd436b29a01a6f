/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call may ask of the device, counted by the stand-in: a product of few rows is launches and
 * waits before it is anything else.
 */
#include "cuda/cuda_test.h"

#include "core/tune.h"
#include "core/tune_cuda.h"

enum { SIDE = 1000, BAND = 3 };

static gbl_Matrix band(void) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, SIDE, SIDE));
    for (gbl_Index i = 0; i < SIDE; i++)
        for (gbl_Index e = 0; e < BAND; e++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)e, i, (i + e) % SIDE));
    return A;
}

/* What one more product of factors that are there takes. */
static cuda_on_cpu_Counts count_product(gbl_Matrix C, gbl_Matrix A) {
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    const cuda_on_cpu_Counts after = cuda_on_cpu_counts();
    return (cuda_on_cpu_Counts){.launches = after.launches - before.launches,
                                .clearings = after.clearings - before.clearings,
                                .copies = after.copies - before.copies,
                                .allocations = after.allocations - before.allocations,
                                .attributes = after.attributes - before.attributes,
                                .synchronisations =
                                    after.synchronisations - before.synchronisations};
}

/* Analysis, classes, order, scan; rows of two classes (those around the corner are wide) computed;
 * scan; the same two classes placed. Two waits: for classes, for the end. One arena, five arrays of
 * C and of rows before they are placed. */
CUDA_TEST(cuda_budget, of_a_small_product) {
    gbl_Matrix A = band(), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, SIDE, SIDE));
    const cuda_on_cpu_Counts took = count_product(C, A);
    t_case("%d launches, %d clearings, %d copies, %d allocations, %d attributes, %d waits",
           (int)took.launches, (int)took.clearings, (int)took.copies, (int)took.allocations,
           (int)took.attributes, (int)took.synchronisations);
#ifdef GB_TINY
    CHECK(took.launches <= 11); /* more classes, and a scan by three kernels */
#else
    CHECK(took.launches <= 9);
#endif
    CHECK(took.clearings <= 1);
    CHECK(took.copies <= 4);
    CHECK(took.allocations <= 6);
    CHECK_EQ(took.attributes, 0);
    CHECK(took.synchronisations <= 2);
    gbl_Index nvals = 0;
    OK(gbl_Matrix_nvals(&nvals, C));
    CHECK_EQ(nvals, (2 * BAND - 1) * SIDE);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

/* Entries of vectors are counted by blocks: one addition for each of them, not for each 32 places,
 * since additions to one address queue. */
CUDA_TEST(cuda_budget, of_counts_in_vectors) {
    enum { N = 1 << 16, BLOCKS = 4 * (int)GB_CUDA_SUM_BLOCKS }; /* of 4 multiprocessors */
    gbl_Vector u = NULL, w = NULL;
    gbl_Index nvals = 0;
    OK(gbl_Vector_new(&u, GBL_FP64, N));
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 2.0, GBL_ALL, N, NULL));
    OK(gbl_Vector_setElement_FP64(u, 4.0, N / 2)); /* a vector of one value has nothing to count */
    const uint64_t before = cuda_on_cpu_counts().atomics;
    OK(gbl_Vector_select_FP64(w, NULL, NULL, GBL_VALUEGE_FP64, u, 1.0, NULL));
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GBL_PLUS_FP64, w, u, NULL));
    OK(gbl_Vector_assign_FP64(w, u, NULL, 3.0, GBL_ALL, N, GBL_DESC_S));
    OK(gbl_Vector_nvals(&nvals, w));
    const uint64_t took = cuda_on_cpu_counts().atomics - before;
    t_case("%d atomic operations", (int)took);
    CHECK_EQ(nvals, N);
    CHECK(took > 0 && took <= 3 * BLOCKS);
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
}
