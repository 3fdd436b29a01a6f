/* SPDX-License-Identifier: Apache-2.0
 *
 * C = A + B where one operand has few entries beside the other's, which are shared and updated; and
 * assignments to few places of huge vectors, and rows cut by resize. Against the same call through
 * a mask that allows all, or elements one by one; and what is written to the result later does not
 * show in the operand.
 */
#include "support/tuples.h"

#include "matrix/check.h"

#include <stdlib.h>

enum { MANY = 6000, FEW = 7 };

static gbl_Matrix random_matrix(t_Random *r, gbl_Index n, gbl_Index nvals) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index k = 0; k < nvals; k++) /* some of the few are at places of the many */
        OK(gbl_Matrix_setElement_FP64(A, (double)t_below(r, 100), t_below(r, 30) * (n / 100),
                                      t_below(r, 300) * (n / 1000)));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* The mask is empty and complemented: calls with it take another path. */
static t_Tuples expected_sum(gbl_BinaryOp op, gbl_Matrix A, gbl_Matrix B, gbl_Index n) {
    gbl_Matrix C = t_new_matrix(GBL_FP64, n, n), M = t_new_matrix(GBL_BOOL, n, n);
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, M, NULL, op, A, B, GBL_DESC_C));
    const t_Tuples sum = t_tuples_of(C);
    FREE(C, M);
    return sum;
}

static void expect_kept(const t_Tuples *sum, gbl_Matrix C) {
    t_expect_tuples(sum, C);
    OK(gb_matrix_check((gb_Matrix *)(void *)C));
}

static void add(gbl_Index n, gbl_BinaryOp op, bool few_first, int output) {
    t_Random r = t_random(n + (uint64_t)output);
    gbl_Matrix many = random_matrix(&r, n, MANY), few = random_matrix(&r, n, FEW);
    gbl_Matrix A = few_first ? few : many, B = few_first ? many : few;
    const t_Tuples a = t_tuples_of(A), b = t_tuples_of(B), sum = expected_sum(op, A, B, n);
    gbl_Matrix C = output == 1 ? A : output == 2 ? B : t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, op, A, B, NULL));
    expect_kept(&sum, C);
    if (C != A) expect_kept(&a, A);
    if (C != B) expect_kept(&b, B);
    for (gbl_Index k = 0; k < sum.n; k += 97) {
        OK(gbl_Matrix_setElement_FP64(C, -1, sum.I[k], sum.J[k]));
        sum.X[k] = -1;
    }
    OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
    expect_kept(&sum, C);
    if (C != A) expect_kept(&a, A);
    if (C != B) expect_kept(&b, B);
    if (output == 0) FREE(C);
    FREE(many, few);
    t_Tuples all[] = {a, b, sum};
    for (int k = 0; k < 3; k++) t_tuples_free(&all[k]);
}

GB_TEST(add_few, matrices) {
    const gbl_BinaryOp ops[] = {GBL_PLUS_FP64, GBL_MINUS_FP64, GBL_SECOND_FP64, GBL_MAX_FP64};
    const gbl_Index sides[] = {1000, 100000, (gbl_Index)1 << 40};
    for (size_t s = 0; s < T_COUNT(sides); s++)
        for (size_t k = 0; k < T_COUNT(ops); k++)
            for (int output = 0; output < 3; output++) {
                t_case("n %llu, operator %zu, output %d", (unsigned long long)sides[s], k, output);
                add(sides[s], ops[k], false, output);
                add(sides[s], ops[k], true, output);
            }
}

/* A full vector takes them in place of its duplicate. */
GB_TEST(add_few, full_vector) {
    gbl_Vector u = NULL, v = NULL, w = NULL;
    double x, y, z;
    OK(gbl_Vector_new(&u, GBL_FP64, MANY));
    OK(gbl_Vector_new(&v, GBL_FP64, MANY));
    OK(gbl_Vector_new(&w, GBL_FP64, MANY));
    for (gbl_Index k = 0; k < MANY; k++) OK(gbl_Vector_setElement_FP64(u, (double)k, k));
    for (gbl_Index k = 0; k < FEW; k++) OK(gbl_Vector_setElement_FP64(v, 0.5, k * 800));
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GBL_PLUS_FP64, v, u, NULL));
    for (gbl_Index k = 0; k < MANY; k++) {
        OK(gbl_Vector_extractElement_FP64(&x, u, k));
        OK(gbl_Vector_extractElement_FP64(&z, w, k));
        CHECK_EQ(x, (double)k);
        y = k % 800 == 0 && k / 800 < FEW ? 0.5 : 0;
        CHECK_EQ(z, x + y);
    }
    OK(gb_matrix_check((gb_Matrix *)(void *)w));
    FREE(u, v, w);
}

/* Of places that are listed in any order, and twice, the last counts; updates of one index more
 * are folded into rows that stand in front, between and behind. */
GB_TEST(add_few, lists_of_huge_vectors) {
    const gbl_Index n = (gbl_Index)1 << 50, step = n / (MANY + 1);
    const gbl_Index I[] = {step * 7, 5, step * 3, step * 7, n - 1, step * 2 + 1};
    const double X[] = {1, 2, 3, 4, 5, 6}, wanted[] = {4, 2, 3, 4, 5, 6};
    gbl_Vector part = NULL, w = NULL;
    OK(gbl_Vector_new(&w, GBL_FP64, n));
    OK(gbl_Vector_new(&part, GBL_FP64, T_COUNT(I)));
    for (gbl_Index k = 1; k <= MANY; k++) OK(gbl_Vector_setElement_FP64(w, 10, k * step));
    OK(gbl_Vector_wait(w, GBL_MATERIALIZE));
    for (gbl_Index k = 0; k < T_COUNT(I); k++) OK(gbl_Vector_setElement_FP64(part, X[k], k));
    for (int accum = 0; accum < 2; accum++) {
        OK(gbl_Vector_assign(w, NULL, accum ? GBL_PLUS_FP64 : NULL, part, I, T_COUNT(I), NULL));
        for (int folded = 0; folded < 2; folded++) {
            gbl_Index nvals;
            double x;
            for (size_t k = 0; k < T_COUNT(I); k++) {
                OK(gbl_Vector_extractElement_FP64(&x, w, I[k]));
                CHECK_EQ(x, accum ? 2 * wanted[k] : wanted[k]);
            }
            OK(gbl_Vector_nvals(&nvals, w));
            CHECK_EQ(nvals, MANY + 3);
            OK(gbl_Vector_extractElement_FP64(&x, w, step * MANY));
            CHECK_EQ(x, 10);
            OK(gbl_Vector_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, w, NULL));
            CHECK_EQ(x, 10 * (MANY - 2) + (accum ? 2 : 1) * (4 + 2 + 3 + 5 + 6));
            OK(gbl_Vector_wait(w, GBL_MATERIALIZE));
            OK(gb_matrix_check((gb_Matrix *)(void *)w));
        }
    }
    FREE(part, w);
}

/* Long sorted rows are cut by a search, short ones entry by entry; iso ones too. */
GB_TEST(add_few, resize_cuts_rows) {
    const gbl_Index rows = 40, cols = 900;
    for (int iso = 0; iso < 2; iso++)
        for (gbl_Index step = 5; step < 400; step *= 3)
            for (gbl_Index cut = 0; cut <= cols; cut += cut < 10 ? 1 : 127) {
                gbl_Matrix A = t_new_matrix(GBL_FP64, rows, cols);
                gbl_Index nvals, wanted = 0;
                for (gbl_Index i = 0; i < rows; i += 2)
                    for (gbl_Index j = i % 7; j < cols; j += step)
                        OK(gbl_Matrix_setElement_FP64(A, iso ? 4 : (double)(i + j), i, j));
                OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
                t_case("iso %d, every %llu, %llu columns", iso, (unsigned long long)step,
                       (unsigned long long)cut);
                OK(gbl_Matrix_resize(A, rows - 3, cut + 1));
                for (gbl_Index i = 0; i < rows - 3; i += 2)
                    for (gbl_Index j = i % 7; j <= cut && j < cols; j += step, wanted++) {
                        double x = -1;
                        OK(gbl_Matrix_extractElement_FP64(&x, A, i, j));
                        CHECK_EQ(x, iso ? 4 : (double)(i + j));
                    }
                OK(gbl_Matrix_nvals(&nvals, A));
                CHECK_EQ(nvals, wanted);
                OK(gb_matrix_check((gb_Matrix *)(void *)A));
                FREE(A);
            }
}
