/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of more entries than are folded to one partial result: rows, vectors and whole
 * matrices, of one value or many, with built-in and user-defined monoids. And what cannot be
 * filled.
 */
#include "support/gb_test.h"

enum { LONG = 200000, SHORT = 3, MIDDLE = 70000 };
static const gbl_Index lengths[] = {LONG, SHORT, MIDDLE};

static int32_t value(gbl_Index i, gbl_Index j) {
    return (int32_t)(i * 7 + j * 13) % 29 - 11;
}

static gbl_Matrix rows(gbl_Type type, bool iso) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, type, T_COUNT(lengths), LONG));
    for (gbl_Index i = 0; i < T_COUNT(lengths); i++)
        for (gbl_Index j = 0; j < lengths[i]; j++)
            OK(gbl_Matrix_setElement_INT32(A, iso ? 3 : value(i, j), i, LONG - 1 - j));
    if (iso) /* now as one value */
        OK(gbl_Matrix_assign_INT32(A, A, NULL, 3, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
    return A;
}

static int64_t sum_of(gbl_Index i, bool iso) {
    int64_t sum = 0;
    for (gbl_Index j = 0; j < lengths[i]; j++) sum += iso ? 3 : value(i, j);
    return sum;
}

GB_TEST(long_folds, rows) {
    const gbl_Type types[] = {GBL_FP64, GBL_INT64, GBL_INT32};
    for (size_t k = 0; k < 2 * T_COUNT(types); k++) {
        const bool iso = k % 2 == 1;
        gbl_Matrix A = rows(types[k / 2], iso);
        gbl_Vector w = NULL;
        double total = 0, x;
        int64_t all = 0;
        OK(gbl_Vector_new(&w, GBL_FP64, T_COUNT(lengths)));
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        for (gbl_Index i = 0; i < T_COUNT(lengths); i++) {
            OK(gbl_Vector_extractElement_FP64(&x, w, i));
            CHECK(x == (double)sum_of(i, iso));
            all += sum_of(i, iso);
        }
        OK(gbl_Matrix_reduce_FP64(&total, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        CHECK(total == (double)all);
        OK(gbl_Vector_free(&w));
        OK(gbl_Matrix_free(&A));
    }
}

/* An operator of the user's, which runs through its function. */
static void add(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x + *(const double *)y;
}

GB_TEST(long_folds, of_the_user) {
    gbl_BinaryOp op = NULL;
    gbl_Monoid sum = NULL;
    OK(gbl_BinaryOp_new(&op, add, GBL_FP64, GBL_FP64, GBL_FP64));
    OK(gbl_Monoid_new_FP64(&sum, op, 0));
    for (int iso = 0; iso < 2; iso++) {
        gbl_Matrix A = rows(GBL_FP64, iso);
        gbl_Vector w = NULL;
        double x, total = 0;
        OK(gbl_Vector_new(&w, GBL_FP64, T_COUNT(lengths)));
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, sum, A, NULL));
        OK(gbl_Vector_extractElement_FP64(&x, w, 0));
        CHECK(x == (double)sum_of(0, iso));
        OK(gbl_Matrix_reduce_FP64(&total, NULL, sum, A, NULL));
        CHECK(total == (double)(sum_of(0, iso) + sum_of(1, iso) + sum_of(2, iso)));
        OK(gbl_Vector_free(&w));
        OK(gbl_Matrix_free(&A));
    }
    OK(gbl_Monoid_free(&sum));
    OK(gbl_BinaryOp_free(&op));
}

/* Two elements of three, so that the vector is a bitmap. */
GB_TEST(long_folds, vectors) {
    gbl_Vector v = NULL;
    double expected = 0, found = 0;
    OK(gbl_Vector_new(&v, GBL_FP64, LONG));
    OK(gbl_Vector_assign_FP64(v, NULL, NULL, 1, GBL_ALL, LONG, NULL));
    for (gbl_Index i = 0; i < LONG; i++) {
        if (i % 3 == 0)
            OK(gbl_Vector_removeElement(v, i));
        else
            OK(gbl_Vector_setElement_FP64(v, value(i, i), i));
        expected += i % 3 == 0 ? 0 : value(i, i);
    }
    OK(gbl_Vector_reduce_FP64(&found, NULL, GBL_PLUS_MONOID_FP64, v, NULL));
    CHECK(found == expected);
    OK(gbl_Vector_free(&v));
}

/* Every cell of a matrix that has more of them than any memory. */
GB_TEST(long_folds, cannot_be_filled) {
    const gbl_Index n = (gbl_Index)1 << 31;
    gbl_Matrix A = NULL;
    gbl_Index nvals = 77;
    OK(gbl_Matrix_new(&A, GBL_FP64, n, n));
    FAILS(GBL_OUT_OF_MEMORY,
          gbl_Matrix_assign_FP64(A, NULL, NULL, 1, GBL_ALL, n, GBL_ALL, n, NULL));
    OK(gbl_Matrix_nvals(&nvals, A));
    CHECK_EQ(nvals, 0);
    OK(gbl_Matrix_free(&A));
}
