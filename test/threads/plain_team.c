/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads run loops and operations on the library's threads at once, while workers come, sleep
 * and wake. Meant for ThreadSanitizer, which sees all that threads hand to each other; exits 1 on a
 * wrong result, with a line that says which.
 *
 * Sums: every part writes its own places, and the caller reads them when the loop has ended. The
 * operations are chosen so that each works on several threads: A is a circulant of bands of ones,
 * large enough, and every result is known.
 */
#include "plain.h"

#include <pthread.h>

#include "support/asleep.h"

enum { CALLERS = 4, LOOPS = 150, PARTS = 200, ROUNDS = 2, BANDS = 5, SIDE = 20000, LIVES = 2 };
enum { WAKINGS = 20 }; /* of workers that have fallen asleep */

/* ---------------------------------------------------------------------------------- loops -- */

typedef struct {
    gbl_Index from;
    gbl_Index square[PARTS];
} Loop;

static void write_square(void *context, gbl_Index k) {
    Loop *loop = context;
    loop->square[k] = (loop->from + k) * (loop->from + k);
}

static void run_loop(gbl_Index from, gbl_Index parts) {
    Loop loop = {.from = from};
    gbl_parallel(parts, write_square, &loop);
    bool good = true;
    for (gbl_Index k = 0; k < parts; k++) good = good && loop.square[k] == (from + k) * (from + k);
    check(good, "a loop left something out");
}

/* ----------------------------------------------------------------------------- operations -- */

static gbl_Matrix band_matrix(void) {
    static gbl_Index I[SIDE * BANDS], J[SIDE * BANDS];
    static int64_t X[SIDE * BANDS];
    gbl_Matrix A = NULL;
    for (gbl_Index k = 0; k < SIDE * BANDS; k++) {
        I[k] = k / BANDS;
        J[k] = (k / BANDS + k % BANDS) % SIDE;
        X[k] = 1;
    }
    check(gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE) == GBL_SUCCESS &&
              gbl_Matrix_build_INT64(A, I, J, X, SIDE * BANDS, NULL) == GBL_SUCCESS,
          "A was not made");
    return A;
}

/* The sum over all entries of C is what it should be. */
static void check_sum(gbl_Matrix C, int64_t expected, const char *what) {
    int64_t sum = 0;
    check(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL) == GBL_SUCCESS &&
              sum == expected,
          what);
}

static void operate(gbl_Matrix A) {
    gbl_Matrix C = NULL;
    gbl_Vector w = NULL, ones = NULL;
    int64_t sum = 0;
    bool good = gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE) == GBL_SUCCESS &&
                gbl_Vector_new(&w, GBL_INT64, SIDE) == GBL_SUCCESS &&
                gbl_Vector_new(&ones, GBL_INT64, SIDE) == GBL_SUCCESS;
    check(good, "no outputs");
    good = gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL) == GBL_SUCCESS;
    check(good, "no product");
    check_sum(C, (int64_t)SIDE * BANDS * BANDS, "A * A is wrong");
    good = gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_RST1) == GBL_SUCCESS;
    check(good, "no masked product");
    good = gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_INT64, A, A, NULL) == GBL_SUCCESS;
    check(good, "no sum");
    check_sum(C, (int64_t)SIDE * BANDS * 2, "A + A is wrong");
    good = gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, A, 0, NULL) == GBL_SUCCESS;
    check(good, "no triangle");
    good = gbl_transpose(C, NULL, NULL, A, NULL) == GBL_SUCCESS;
    check(good, "no transpose");
    check_sum(C, (int64_t)SIDE * BANDS, "the transpose is wrong");
    good = gbl_Vector_assign_INT64(ones, NULL, NULL, 1, GBL_ALL, SIDE, NULL) == GBL_SUCCESS &&
           gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, ones, NULL) == GBL_SUCCESS &&
           gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, w, NULL) == GBL_SUCCESS;
    check(good && sum == (int64_t)SIDE * BANDS, "A * 1 is wrong");
    gbl_Matrix_free(&C);
    gbl_Vector_free(&w);
    gbl_Vector_free(&ones);
}

/* -------------------------------------------------------------------------------- callers -- */

static gbl_Matrix shared;

static void *call(void *argument) {
    const gbl_Index number = (gbl_Index)(size_t)argument;
    for (gbl_Index k = 0; k < LOOPS; k++) run_loop(1000 * number + k, 1 + (number + k) * 7 % PARTS);
    for (int round = 0; round < ROUNDS; round++) operate(shared);
    return NULL;
}

int main(void) {
    for (int life = 0; life < LIVES; life++) {
        pthread_t caller[CALLERS];
        if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 1;
        check(gbl_Global_set_INT32(GBL_GLOBAL, 2 + life, GBL_NTHREADS) == GBL_SUCCESS, "threads");
        for (gbl_Index k = 0; k < WAKINGS; k++) {
            run_loop(k, PARTS);
            t_until_others_sleep();
        }
        shared = band_matrix();
        for (size_t k = 0; k < CALLERS; k++)
            if (pthread_create(&caller[k], NULL, call, (void *)k) != 0) return 1;
        for (size_t k = 0; k < CALLERS; k++) pthread_join(caller[k], NULL);
        gbl_Matrix_free(&shared);
        check(gbl_finalize() == GBL_SUCCESS, "gbl_finalize failed");
    }
    return atomic_load(&wrong) > 0 ? 1 : 0;
}
