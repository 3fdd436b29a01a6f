/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of ordinary dimensions with so few entries that they are held hypersparse: what makes
 * them, what is done in place, and what passes to the ordinary operations.
 */
#include "support/huge.h"

#include "matrix/check.h"

#include <stdlib.h>
#include <string.h>

enum { FACTOR = 60000, SMALL = 100000 }; /* bytes: no array has an element per row */
static const gbl_Index N = (gbl_Index)FACTOR * FACTOR;
#define RING GBL_PLUS_TIMES_SEMIRING_FP64

static gbl_Matrix of_one(gbl_Index nrows, gbl_Index ncols, gbl_Index i, gbl_Index j) {
    gbl_Matrix A;
    OK(gbl_Matrix_new(&A, GBL_FP64, nrows, ncols));
    OK(gbl_Matrix_setElement_FP64(A, 2, i, j));
    return A;
}

static uint64_t bytes_of(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats.bytes;
}

/* One entry, and no memory for rows without any. */
static void expect_one(gbl_Matrix C, gbl_Index i, gbl_Index j, double expected) {
    gbl_Index n;
    double x = 0;
    OK(gbl_Matrix_nvals(&n, C));
    CHECK_EQ(n, 1);
    OK(gbl_Matrix_extractElement_FP64(&x, C, i, j));
    CHECK(x == expected);
    CHECK(bytes_of(C) < SMALL);
    OK(gb_matrix_check((gb_Matrix *)(void *)C));
    OK(gbl_Matrix_clear(C));
}

/* -- results in an empty matrix of ordinary operands */

GB_TEST(hyper_need, results) {
    const gbl_Index I = 77;
    gbl_Matrix A = of_one(FACTOR, FACTOR, 5, 7), B = of_one(1, 1, 0, 0), C;
    gbl_Matrix u = of_one(N, 1, 9, 0), v = of_one(1, N, 0, N - 1);
    gbl_Vector w;
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
    OK(gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, A, NULL));
    expect_one(C, 5 * FACTOR + 5, 7 * FACTOR + 7, 4);
    OK(gbl_Matrix_assign(C, NULL, NULL, B, &I, 1, &I, 1, NULL));
    expect_one(C, I, I, 2);
    OK(gbl_Matrix_assign_FP64(C, NULL, NULL, 3, &I, 1, &I, 1, NULL));
    expect_one(C, I, I, 3);
    OK(gbl_mxm(C, NULL, NULL, RING, u, v, NULL));
    expect_one(C, 9, N - 1, 4);
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    OK(gbl_Vector_setElement_FP64(w, 1, 9));
    OK(gbl_Col_assign(C, NULL, NULL, w, GBL_ALL, N, 3, NULL));
    expect_one(C, 9, 3, 1);
    OK(gbl_Matrix_resize(A, N, N));
    expect_one(A, 5, 7, 2);
    gbl_Vector_free(&w);
    gbl_Matrix *matrices[] = {&A, &B, &C, &u, &v};
    for (size_t k = 0; k < T_COUNT(matrices); k++) gbl_Matrix_free(matrices[k]);
}

/* -- a value for all columns of one row: as in a matrix that is held otherwise */

GB_TEST(hyper_need, value_for_all) {
    const gbl_Index n = 3000000, five = 5;
    gbl_Matrix A, B = of_one(n, n, 1, 1);
    gbl_Index nvals;
    OK(gbl_Matrix_new(&A, GBL_FP64, n, n));
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 4, &five, 1, GBL_ALL, n, NULL));
    OK(gbl_Matrix_nvals(&nvals, A));
    CHECK_EQ(nvals, n);
    OK(gbl_Matrix_assign_FP64(B, NULL, NULL, 4, &five, 1, GBL_ALL, n, NULL));
    OK(gbl_Matrix_nvals(&nvals, B));
    CHECK_EQ(nvals, n + 1);
    OK(gb_matrix_check((gb_Matrix *)(void *)B));
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

/* -- explanations */

GB_TEST(hyper_need, explained) {
    gbl_Matrix A = of_one(N, N - 1, 3, 4), B = of_one(N - 1, N - 2, 4, 6), C;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Vector u, w;
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N - 2));
    OK(gbl_mxm(C, NULL, NULL, RING, A, B, NULL));
    OK(gbl_Matrix_explain(&why, C));
    CHECK(why.nrows == N && why.inner == N - 1 && why.ncols == N - 2);
    /* a product without entries, in place of some */
    OK(gbl_Matrix_removeElement(B, 4, 6));
    OK(gbl_Matrix_setElement_FP64(B, 1, 5, 6));
    OK(gbl_mxm(C, NULL, NULL, RING, A, B, NULL));
    OK(gbl_Matrix_explain(&why, C));
    OK(gbl_Matrix_setElement_FP64(C, 1, 3, 4));
    OK(gbl_mxm(C, C, NULL, RING, A, B, GBL_DESC_S));
    OK(gbl_Matrix_explain(&why, C));
    OK(gbl_Vector_new(&u, GBL_FP64, N - 1));
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    OK(gbl_Vector_setElement_FP64(u, 1, 4));
    OK(gbl_mxv(w, NULL, NULL, RING, A, u, NULL));
    OK(gbl_Vector_explain(&why, w));
    CHECK(why.nrows == N && why.inner == N - 1 && why.ncols == 1);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
    gbl_Matrix *matrices[] = {&A, &B, &C};
    for (size_t k = 0; k < T_COUNT(matrices); k++) gbl_Matrix_free(matrices[k]);
}

/* -- a value of an entry that exists is written at once */

GB_TEST(hyper_need, overwritten) {
    const gbl_Index sizes[] = {N, GBL_INDEX_MAX};
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        gbl_Matrix A = of_one(sizes[s], sizes[s], 8, 9);
        gbl_Formats formats;
        gbl_Format hint;
        double x;
        OK(gbl_Matrix_setElement_FP64(A, 3, 9, 8));
        OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
        OK(gbl_Matrix_setElement_FP64(A, 5, 8, 9));
        OK(gbl_Matrix_formats(&formats, A));
        CHECK_EQ(formats.pending, 0);
        OK(gbl_Matrix_extractElement_FP64(&x, A, 8, 9));
        CHECK(x == 5);
        OK(gbl_Matrix_setElement_FP64(A, 6, 8, 8)); /* on the axes, without an entry */
        OK(gbl_Matrix_removeElement(A, 8, 9));
        OK(gbl_Matrix_formats(&formats, A));
        CHECK_EQ(formats.pending, 2);
        OK(gbl_Matrix_extractElement_FP64(&x, A, 8, 8));
        CHECK(x == 6);
        CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, A, 8, 9), GBL_NO_VALUE);
        OK(gbl_Matrix_exportHint(&hint, A));
        CHECK_EQ(hint, GBL_COO_FORMAT);
        OK(gb_matrix_check((gb_Matrix *)(void *)A));
        gbl_Matrix_free(&A);
    }
}

/* -- bytes: few rows with entries of very many */

GB_TEST(hyper_need, bytes) {
    for (int turned = 0; turned < 2; turned++) {
        gbl_Matrix A = of_one(N, N - 1, N - 1, 70), back;
        gbl_Index size;
        if (turned) OK(gbl_Matrix_resize(A, N, N));
        if (turned) OK(gbl_transpose(A, NULL, NULL, A, NULL));
        OK(gbl_Matrix_serializeSize(&size, A));
        void *block = malloc(size);
        OK(gbl_Matrix_serialize(block, &size, A));
        OK(gbl_Matrix_deserialize(&back, GBL_FP64, block, size));
        expect_one(back, turned ? 70 : N - 1, turned ? N - 1 : 70, 2);
        free(block);
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&back);
    }
}

/* -- vectors with an entry at most places */

GB_TEST(hyper_need, filled_vectors) {
    enum { ROWS = 5000 };
    gbl_Matrix A = of_one(ROWS, ROWS, 8, 9);
    gbl_Vector u, w;
    double x;
    OK(gbl_Vector_new(&u, GBL_FP64, ROWS));
    OK(gbl_Vector_new(&w, GBL_FP64, ROWS));
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 3, GBL_ALL, ROWS, NULL));
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 1, GBL_ALL, ROWS, NULL));
    OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, RING, A, u, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 8));
    CHECK(x == 7);
    OK(gbl_Matrix_reduce_Monoid(w, NULL, GBL_PLUS_FP64, GBL_PLUS_MONOID_FP64, A, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 8));
    CHECK(x == 9);
    OK(gbl_Vector_extractElement_FP64(&x, w, 7));
    CHECK(x == 1);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
    gbl_Matrix_free(&A);
}

/* -- huge dimensions where there would be pointers */

GB_TEST(hyper_need, refusals) {
    const gbl_Index huge = GBL_INDEX_MAX;
    gbl_Matrix A = of_one(huge, huge, 3, 4), C = NULL;
    uint64_t pointers[2] = {0, 0};
    gbl_Arrays arrays = {.p = pointers};
    gbl_Index places[2] = {0, 0}, i = 0;
    double x = 0;
    FAILS(GBL_NOT_IMPLEMENTED,
          gbl_Matrix_moveIn(&C, GBL_FP64, huge, huge, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NOT_IMPLEMENTED,
          gbl_Matrix_lend(&C, GBL_FP64, huge, huge, GBL_CSC_FORMAT, &arrays, NULL));
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_import_FP64(&C, GBL_FP64, huge, huge, places, &i, &x, 2, 0,
                                                    0, GBL_CSR_FORMAT));
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
}
