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
static cuda_on_cpu_Counts count_product(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B,
                                        gbl_Descriptor desc) {
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc));
    const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc));
    const cuda_on_cpu_Counts after = cuda_on_cpu_counts();
    return (cuda_on_cpu_Counts){.launches = after.launches - before.launches,
                                .clearings = after.clearings - before.clearings,
                                .copies = after.copies - before.copies,
                                .allocations = after.allocations - before.allocations,
                                .attributes = after.attributes - before.attributes,
                                .bytes_read = after.bytes_read - before.bytes_read,
                                .bytes_written = after.bytes_written - before.bytes_written,
                                .timings = after.timings - before.timings,
                                .synchronisations =
                                    after.synchronisations - before.synchronisations};
}

/* Analysis, classes, order, scan; rows of two classes (those around the corner are wide) computed;
 * scan; all rows placed. Two waits: for classes, for the end. One arena, five arrays of C and of
 * rows before they are placed. */
CUDA_TEST(cuda_budget, of_a_small_product) {
    gbl_Matrix A = band(), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, SIDE, SIDE));
    const cuda_on_cpu_Counts took = count_product(C, A, A, NULL);
    t_case("%d launches, %d clearings, %d copies, %d allocations, %d attributes, %d waits",
           (int)took.launches, (int)took.clearings, (int)took.copies, (int)took.allocations,
           (int)took.attributes, (int)took.synchronisations);
#ifdef GB_TINY
    CHECK(took.launches <= 11); /* more classes, and a scan by three kernels */
#else
    CHECK(took.launches <= 8);
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

#ifndef GB_TINY /* whose classes are others */
/* Products of `rows` rows of `left` entries each with rows of `right` entries in `columns` columns:
 * C's rows have nearly left * right entries. */
typedef struct {
    gbl_Desc_Value workflow;
    gbl_Index rows, left, inner, right, columns;
} shape;

static gbl_Matrix scattered(gbl_Index nrows, gbl_Index ncols, gbl_Index each, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, nrows, ncols));
    for (gbl_Index i = 0; i < nrows; i++)
        for (gbl_Index e = 0; e < each; e++)
            OK(gbl_Matrix_setElement_FP64(A, (double)(1 + t_below(&r, 9)), i, t_below(&r, ncols)));
    return A;
}

/* What the product takes; its bytes of device memory per operation, of which a product has two. */
static cuda_on_cpu_Counts count_shape(const shape *of, double *bytes, gbl_Explanation *why) {
    gbl_Matrix A = scattered(of->rows, of->inner, of->left, 5);
    gbl_Matrix B = scattered(of->inner, of->columns, of->right, 6), C = NULL;
    gbl_Descriptor desc = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, of->rows, of->columns));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    if (of->workflow != GBL_DEFAULT) OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, of->workflow));
    const cuda_on_cpu_Counts took = count_product(C, A, B, desc);
    OK(gbl_Matrix_explain(why, C));
    *bytes = (double)(took.bytes_read + took.bytes_written) / (2.0 * (double)why->flops);
    t_case("%s: %d launches, %d waits, %d timings, %.1f bytes per operation; rows: %d by hash, %d "
           "dense, %d sorted",
           why->workflow, (int)took.launches, (int)took.synchronisations, (int)took.timings, *bytes,
           (int)why->rows_hashed, (int)why->rows_dense, (int)why->rows_sorted);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
    return took;
}

/* Bytes, launches and waits of products of a few hundred entries a row and more. Bytes are those
 * that blocks take from beyond their L1 cache; an atomic operation has its own, both ways. Rows by
 * hash go to C at once, in order; lists of rows are read on the device; rows of 20000 entries are
 * windows of bits. Before: 26.4, 27.6, 25.1, 10.4, 27.4 bytes, 5, 5, 2, 5, 6 waits. */
CUDA_TEST(cuda_budget, of_rows) {
    static const struct {
        shape of;
        double bytes;
        uint64_t launches, waits;
    } all[] = {{{GBL_WORKFLOW_SYMBOLIC, 96, 16, 400, 48, 16000}, 16.0, 13, 3},
               {{GBL_WORKFLOW_SYMBOLIC, 96, 16, 400, 24, 1 << 17}, 17.0, 13, 3},
               {{GBL_WORKFLOW_UPPER_BOUND, 96, 16, 400, 24, 1 << 17}, 26.5, 7, 2},
               {{GBL_WORKFLOW_SYMBOLIC, 6, 100, 200, 300, 500000}, 19.5, 13, 3},
               {{GBL_DEFAULT, 96, 16, 400, 48, 16000}, 17.0, 20, 4}};
    for (size_t k = 0; k < T_COUNT(all); k++) {
        double bytes;
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        const cuda_on_cpu_Counts took = count_shape(&all[k].of, &bytes, &why);
        CHECK(bytes > 4.0 && bytes <= all[k].bytes);
        CHECK(took.launches <= all[k].launches);
        CHECK(took.synchronisations <= all[k].waits);
        CHECK_EQ(took.timings, 0);
        CHECK_EQ(why.rows_hashed + why.rows_dense, all[k].of.rows);
    }
}
#endif

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
