/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_X_error(&text, object): the text of the last call that had the object as output, whoever
 * found the error, until a call on it succeeds; and of no other object.
 */
#include "support/gb_test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(gbl_Matrix A) {
    const char *text = NULL;
    OK(gbl_Matrix_error(&text, A));
    CHECK(text != NULL);
    return text;
}

static const char *text_of_vector(gbl_Vector v) {
    const char *text = NULL;
    OK(gbl_Vector_error(&text, v));
    CHECK(text != NULL);
    return text;
}

static gbl_Matrix make(gbl_Type type, gbl_Index nrows, gbl_Index ncols) {
    return t_new_matrix(type, nrows, ncols);
}

/* checks that look at inputs, at C values and at nothing: the output has the text */
GB_TEST(texts, of_the_output) {
    gbl_Matrix A = make(GBL_FP64, 3, 4), C = make(GBL_FP64, 3, 3);
    gbl_Scalar s = NULL;
    const char *text = NULL;
    gbl_Vector w = t_new_vector(GBL_FP64, 3), u = t_new_vector(GBL_FP64, 3);
    OK(gbl_Scalar_new(&s, GBL_FP64));
    FAILS(GBL_NULL_POINTER, gbl_mxm(C, NULL, NULL, NULL, A, A, NULL));
    CHECK(strstr(text_of(C), "semiring") != NULL);
    FAILS(GBL_NULL_POINTER, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, NULL, NULL));
    CHECK(strstr(text_of(C), "B is NULL") != NULL);
    FAILS(GBL_EMPTY_OBJECT,
          gbl_Matrix_apply_BinaryOp2nd_Scalar(C, NULL, NULL, GBL_PLUS_FP64, A, s, NULL));
    CHECK(strstr(text_of(C), "empty") != NULL);
    OK(gbl_Scalar_error(&text, s));
    CHECK(text[0] == '\0');
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_BinaryOp(w, NULL, NULL, GBL_LT_FP64, A, NULL));
    CHECK(strstr(text_of_vector(w), "BOOL") != NULL);
    OK(gbl_BinaryOp_error(&text, GBL_LT_FP64));
    CHECK(text[0] == '\0');
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_reduce_BinaryOp_Scalar(s, NULL, GBL_LT_FP64, A, NULL));
    OK(gbl_Scalar_error(&text, s));
    CHECK(strstr(text, "BOOL") != NULL);
    FAILS(GBL_NULL_POINTER, gbl_Vector_build_FP64(w, NULL, NULL, 2, NULL));
    CHECK(strstr(text_of_vector(w), "I is NULL") != NULL);
    FAILS(GBL_DIMENSION_MISMATCH, gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
    CHECK(strstr(text_of_vector(w), "elements") != NULL);
    CHECK(text_of(A)[0] == '\0' && text_of_vector(u)[0] == '\0');
    FREE(A, C, w, u, s);
}

/* every object keeps its own text, until it is written with success */
GB_TEST(texts, are_kept_and_cleared) {
    gbl_Matrix A = make(GBL_INT8, 2, 2), B = make(GBL_INT8, 5, 5);
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_INT8(A, 1, 7, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_INT8(B, 1, 0, 9));
    CHECK(strstr(text_of(A), "row index is 7") != NULL);
    CHECK(strstr(text_of(B), "column index is 9") != NULL);
    gbl_Index n;
    OK(gbl_Matrix_nvals(&n, A)); /* an input: its text stays */
    FAILS(GBL_NULL_POINTER, gbl_Matrix_nvals(NULL, A));
    CHECK(strstr(text_of(A), "row index is 7") != NULL);
    OK(gbl_Matrix_setElement_INT8(A, 1, 1, 0));
    CHECK(text_of(A)[0] == '\0');
    CHECK(strstr(text_of(B), "column index is 9") != NULL);
    OK(gbl_Matrix_clear(B));
    CHECK(text_of(B)[0] == '\0');
    CHECK(gbl_last_error()[0] != '\0');
    FREE(A, B);
}

static void first_value(void *z, const void *x, const void *y) {
    (void)y;
    *(double *)z = *(const double *)x;
}

/* a new object at the address of a freed one begins without a text */
GB_TEST(texts, are_not_inherited) {
    for (int k = 0; k < 8; k++) {
        gbl_Matrix A = make(GBL_INT8, 2, 2);
        gbl_BinaryOp op = NULL;
        gbl_Scalar s = NULL;
        const char *text = NULL;
        OK(gbl_BinaryOp_new(&op, first_value, GBL_FP64, GBL_FP64, GBL_FP64));
        OK(gbl_Scalar_new(&s, GBL_INT8));
        CHECK(text_of(A)[0] == '\0');
        OK(gbl_BinaryOp_error(&text, op));
        CHECK(text[0] == '\0');
        OK(gbl_Scalar_error(&text, s));
        CHECK(text[0] == '\0');
        FAILS(GBL_INVALID_VALUE, gbl_Matrix_wait(A, (gbl_WaitMode)17));
        FAILS(GBL_INVALID_VALUE, gbl_Scalar_wait(s, (gbl_WaitMode)18));
        FAILS(GBL_INVALID_VALUE, gbl_BinaryOp_wait(op, (gbl_WaitMode)19));
        CHECK(strstr(text_of(A), "17") != NULL);
        OK(gbl_Scalar_error(&text, s));
        CHECK(strstr(text, "18") != NULL);
        OK(gbl_BinaryOp_error(&text, op));
        CHECK(strstr(text, "19") != NULL);
        FREE(A, op, s);
    }
}

/* constants have a text too, for the thread whose call failed; a success clears it */
GB_TEST(texts, of_constants) {
    const char *text = NULL;
    FAILS(GBL_INVALID_VALUE, gbl_Semiring_wait(GBL_MIN_PLUS_SEMIRING_FP32, (gbl_WaitMode)17));
    OK(gbl_Semiring_error(&text, GBL_MIN_PLUS_SEMIRING_FP32));
    CHECK(strstr(text, "17") != NULL);
    OK(gbl_Semiring_error(&text, GBL_MIN_PLUS_SEMIRING_FP64));
    CHECK(text[0] == '\0');
    OK(gbl_Semiring_wait(GBL_MIN_PLUS_SEMIRING_FP32, GBL_COMPLETE));
    OK(gbl_Semiring_error(&text, GBL_MIN_PLUS_SEMIRING_FP32));
    CHECK(text[0] == '\0');
    FAILS(GBL_ALREADY_SET, gbl_Descriptor_set(GBL_DESC_T0, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_error(&text, GBL_DESC_T0));
    CHECK(strstr(text, "predefined") != NULL);
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set(desc, GBL_OUTP, GBL_TRAN));
    OK(gbl_Descriptor_error(&text, desc));
    CHECK(text[0] != '\0');
    OK(gbl_Descriptor_set(desc, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_error(&text, desc));
    CHECK(text[0] == '\0');
    OK(gbl_Descriptor_free(&desc));
}

/* -- the text of what kernels and helpers find */

typedef struct {
    gbl_Matrix A, C;
    gbl_Vector u, w;
} Operands;

static gbl_Info multiply(Operands *x) {
    return gbl_mxm(x->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, x->A, x->A, NULL);
}

static gbl_Info pull(Operands *x) {
    return gbl_mxv(x->w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, x->A, x->u, NULL);
}

static gbl_Info add(Operands *x) {
    return gbl_Matrix_eWiseAdd_BinaryOp(x->C, NULL, NULL, GBL_PLUS_FP64, x->A, x->A, GBL_DESC_T1);
}

static gbl_Info reduce(Operands *x) {
    return gbl_Matrix_reduce_Monoid(x->w, NULL, NULL, GBL_PLUS_MONOID_FP64, x->A, GBL_DESC_T0);
}

static gbl_Info assign(Operands *x) {
    return gbl_Vector_assign_FP64(x->w, NULL, GBL_PLUS_FP64, 1.0, GBL_ALL, 0, NULL);
}

static gbl_Info set(Operands *x) {
    return gbl_Matrix_setElement_FP64(x->C, 1.0, 0, 0);
}

static void fill(Operands *x) {
    enum { N = 20 };
    *x = (Operands){.A = make(GBL_FP64, N, N), .C = make(GBL_FP64, N, N)};
    OK(gbl_Vector_new(&x->u, GBL_FP64, N));
    OK(gbl_Vector_new(&x->w, GBL_FP64, N));
    for (gbl_Index i = 0; i < N; i++) {
        OK(gbl_Matrix_setElement_FP64(x->A, 1.0 + (double)i, i, (i * 7 + 3) % N));
        OK(gbl_Vector_setElement_FP64(x->u, 2.0, i));
    }
    OK(gbl_Matrix_wait(x->A, GBL_COMPLETE));
    OK(gbl_Vector_wait(x->u, GBL_COMPLETE));
}

static void release(Operands *x) {
    FREE(x->A, x->C, x->u, x->w);
}

/* The n-th allocation of a call fails, for every n: the output says what was missing. */
static void check_every_failure(gbl_Info (*call)(Operands *), bool to_vector) {
    for (int64_t n = 1;; n++) {
        Operands x;
        fill(&x);
        bool failed;
        const gbl_Info info = FAIL_AT(n, call(&x), &failed);
        const char *text = to_vector ? text_of_vector(x.w) : text_of(x.C);
        t_case("allocation %d", (int)n);
        if (info == GBL_SUCCESS) {
            CHECK(text[0] == '\0');
        } else {
            CHECK_EQ(info, GBL_OUT_OF_MEMORY);
            CHECK(strstr(text, "memory") != NULL && strcmp(text, gbl_last_error()) == 0);
            CHECK(text_of(x.A)[0] == '\0' && text_of_vector(x.u)[0] == '\0');
        }
        release(&x);
        if (!failed) break;
    }
}

Test(texts, of_kernels, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    check_every_failure(multiply, false);
    check_every_failure(pull, true);
    check_every_failure(add, false);
    check_every_failure(reduce, true);
    check_every_failure(assign, true);
    check_every_failure(set, false);
}

/* -- threads: each has its output, and any may ask */

enum { THREADS = 4, CALLS = 200 };

static void *fail_often(void *context) {
    const gbl_Index id = (gbl_Index)(intptr_t)context;
    gbl_Matrix A = NULL;
    if (gbl_Matrix_new(&A, GBL_INT8, 2, 2) != GBL_SUCCESS) return NULL;
    for (gbl_Index k = 0; k < CALLS; k++) {
        const char *text = "";
        char wanted[32];
        snprintf(wanted, sizeof wanted, "is %llu,", (unsigned long long)(1000 * id + k + 2));
        const gbl_Info info = gbl_Matrix_setElement_INT8(A, 1, 1000 * id + k + 2, 0);
        if (info != GBL_INVALID_INDEX || gbl_Matrix_error(&text, A) != GBL_SUCCESS ||
            strstr(text, wanted) == NULL) {
            gbl_Matrix_free(&A);
            return NULL;
        }
    }
    return A;
}

GB_TEST(texts, of_threads) {
    pthread_t thread[THREADS];
    void *A[THREADS];
    for (intptr_t t = 0; t < THREADS; t++)
        CHECK_EQ(pthread_create(&thread[t], NULL, fail_often, (void *)t), 0);
    for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(thread[t], &A[t]), 0);
    for (int t = 0; t < THREADS; t++) {
        gbl_Matrix mine = A[t];
        char wanted[32];
        CHECK(mine != NULL);
        snprintf(wanted, sizeof wanted, "is %d,", 1000 * t + CALLS + 1);
        CHECK(strstr(text_of(mine), wanted) != NULL);
        OK(gbl_Matrix_free(&mine));
    }
}
