/* SPDX-License-Identifier: Apache-2.0
 *
 * eWise of operands whose patterns are equal, or differ in one entry, against sums of arrays:
 * types, one value for all, the same object twice, several threads, allocations that fail.
 */
#include "support/gb_test.h"

#include <stdlib.h>

enum { N = 120, POSITIONS = N * N };

static double value_of(gbl_Index k, unsigned side) {
    return side == 0 ? (double)(k % 7) : (double)(k % 5) + 1;
}

static bool is_there(gbl_Index k) {
    return k % 3 == 0 || k % 11 == 5;
}

/* one: the value of all entries, or 0; less: without its last entry. */
static gbl_Matrix side_of(gbl_Type type, unsigned side, double one, bool less) {
    gbl_Matrix A = t_new_matrix(type, N, N);
    gbl_Index last = 0;
    for (gbl_Index k = 0; k < POSITIONS; k++) {
        if (!is_there(k)) continue;
        last = k;
        OK(gbl_Matrix_setElement_FP64(A, one != 0 ? one : value_of(k, side), k / N, k % N));
    }
    if (less) OK(gbl_Matrix_removeElement(A, last / N, last % N));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    if (one != 0 && !less)
        OK(gbl_Matrix_assign_FP64(A, A, NULL, one, GBL_ALL, N, GBL_ALL, N, GBL_DESC_S));
    return A;
}

static void expect(gbl_Matrix C, bool unite, double one, bool less, bool twice) {
    gbl_Index n = POSITIONS, e = 0, last = 0, *I = malloc(2 * POSITIONS * sizeof *I);
    double *X = malloc(POSITIONS * sizeof *X);
    OK(gbl_Matrix_extractTuples_FP64(I, I + POSITIONS, X, &n, C));
    for (gbl_Index k = 0; k < POSITIONS; k++) last = is_there(k) ? k : last;
    for (gbl_Index k = 0; k < POSITIONS; k++) {
        const bool alone = less && k == last;
        if (!is_there(k) || (alone && !unite)) continue;
        const double x = value_of(k, 0), y = twice ? x : one != 0 ? one : value_of(k, 1);
        CHECK(e < n && I[e] * N + I[POSITIONS + e] == k);
        CHECK(X[e] == (alone ? x : 2 * x - y));
        e++;
    }
    CHECK_EQ(e, n);
    free(I);
    free(X);
}

static void twice_less(void *z, const void *x, const void *y) {
    *(double *)z = 2 * *(const double *)x - *(const double *)y;
}

GB_TEST(equal_patterns, sums_and_products) {
    gbl_BinaryOp op;
    OK(gbl_BinaryOp_new(&op, twice_less, GBL_FP64, GBL_FP64, GBL_FP64));
    for (unsigned k = 0; k < 2 * 2 * 2 * 2 * 3; k++) {
        const bool unite = k % 2, less = k / 2 % 2, twice = k / 4 % 2 && !less;
        const double one = k / 8 % 2 ? 3 : 0;
        const gbl_Type type = k / 16 == 0 ? GBL_FP64 : k / 16 == 1 ? GBL_INT32 : GBL_UINT8;
        t_case("k %u", k);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)(k % 3), GBL_NTHREADS));
        gbl_Matrix A = side_of(k % 5 == 0 ? GBL_INT64 : GBL_FP64, 0, 0, false);
        gbl_Matrix B = side_of(type, 1, one, less), C = t_new_matrix(GBL_FP64, N, N);
        if (unite)
            OK(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, op, A, twice ? A : B, NULL));
        else
            OK(gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, op, A, twice ? A : B, NULL));
        expect(C, unite, one, less, twice);
        FREE(A, B, C);
    }
    FREE(op);
}

/* C is as it was where an allocation fails. */
BRUTAL(equal_patterns) {
    gbl_Matrix A = side_of(GBL_FP64, 0, 0, false), B = side_of(GBL_FP64, 1, 0, false);
    gbl_Matrix C = t_new_matrix(GBL_FP64, N, N);
    gbl_Index nvals;
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        const gbl_Info info = FAIL_AT(
            n, gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GBL_MINUS_FP64, A, B, NULL), &failed);
        OK(gbl_Matrix_nvals(&nvals, C));
        CHECK((nvals == 0) == (info != GBL_SUCCESS));
    }
    FREE(A, B, C);
}
