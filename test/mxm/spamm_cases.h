/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of approximate products share: what a product is asked for, and a dense loop that
 * leaves out what norms say.
 */
#pragma once

#include "support/spec.h"
#include "support/tuples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLUS64 GBL_PLUS_TIMES_SEMIRING_FP64
#define PLUS32 GBL_PLUS_TIMES_SEMIRING_FP32
#define ASK(field, x, n)                                                                           \
    (asked) {                                                                                      \
        .approximates = (field), .value = (x), .side = (n), .method = GBL_DEFAULT                  \
    }

/* What is asked of a product; approximates 0: nothing. */
typedef struct {
    int approximates;
    double value;
    int32_t side;
    bool tran0, tran1;
    gbl_Desc_Value method;
} asked;

static inline gbl_Descriptor descriptor(const asked *how) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, how->method));
    if (how->approximates != 0) OK(gbl_Descriptor_set_FP64(desc, how->value, how->approximates));
    OK(gbl_Descriptor_set_INT32(desc, how->side, GBL_SUBMATRIX));
    if (how->tran0) OK(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN));
    if (how->tran1) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    return desc;
}

static inline gbl_Matrix multiply(gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, const asked *how) {
    gbl_Descriptor desc = descriptor(how);
    gbl_Index rows, columns;
    OK(how->tran0 ? gbl_Matrix_ncols(&rows, A) : gbl_Matrix_nrows(&rows, A));
    OK(how->tran1 ? gbl_Matrix_nrows(&columns, B) : gbl_Matrix_ncols(&columns, B));
    gbl_Matrix C = t_new_matrix(ring == PLUS32 ? GBL_FP32 : GBL_FP64, rows, columns);
    OK(gbl_mxm(C, NULL, NULL, ring, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

/* An entry at every place. */
static inline gbl_Matrix full_matrix(gbl_Type type, gbl_Index rows, gbl_Index columns,
                                     uint64_t seed) {
    t_Random r = t_random(seed);
    const gbl_Index n = rows * columns;
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    double *X = malloc(n * sizeof *X);
    for (gbl_Index k = 0; k < n; k++) {
        I[k] = k / columns;
        J[k] = k % columns;
        X[k] = (double)t_below(&r, 1 << 24) / (1 << 23) - 1.0;
    }
    gbl_Matrix A = t_new_matrix(type, rows, columns);
    OK(gbl_Matrix_build_FP64(A, I, J, X, n, NULL));
    free(I);
    free(J);
    free(X);
    return A;
}

/* ------------------------------------------------------------------- against loops over all pairs
 */

enum { MOST = 160 };

/* A dense matrix with what is there. */
typedef struct {
    gbl_Index rows, columns;
    double x[MOST][MOST];
    bool there[MOST][MOST];
} dense;

static inline dense *dense_of(gbl_Matrix A) {
    dense *D = calloc(1, sizeof *D);
    OK(gbl_Matrix_nrows(&D->rows, A));
    OK(gbl_Matrix_ncols(&D->columns, A));
    t_Tuples t = t_tuples_of(A);
    for (gbl_Index k = 0; k < t.n; k++) {
        D->x[t.I[k]][t.J[k]] = t.X[k];
        D->there[t.I[k]][t.J[k]] = true;
    }
    t_tuples_free(&t);
    return D;
}

/* The norm of a sub-matrix, 0 where nothing is there, infinite where an entry is not finite. */
static inline double norm_of(const dense *D, gbl_Index I, gbl_Index J, gbl_Index side) {
    long double squares = 0;
    for (gbl_Index r = I * side; r < (I + 1) * side && r < D->rows; r++)
        for (gbl_Index c = J * side; c < (J + 1) * side && c < D->columns; c++) {
            if (D->there[r][c] && !isfinite(D->x[r][c])) return HUGE_VAL;
            squares += (long double)D->x[r][c] * D->x[r][c];
        }
    return (double)sqrtl(squares);
}

static inline bool has_any(const dense *D, gbl_Index I, gbl_Index J, gbl_Index side) {
    for (gbl_Index r = I * side; r < (I + 1) * side && r < D->rows; r++)
        for (gbl_Index c = J * side; c < (J + 1) * side && c < D->columns; c++)
            if (D->there[r][c]) return true;
    return false;
}

/* What leaving out does: C, how many pairs count, the sum of the products of norms that do not. */
typedef struct {
    dense C;
    long double left[MOST][MOST]; /* the sums of products that do not count */
    double valid, triples, skipped, error;
    double nearest; /* distance of a product of norms from tau, relative */
} outcome;

static inline void add_block(outcome *to, const dense *A, const dense *B, const gbl_Index at[3],
                             gbl_Index side) {
    for (gbl_Index r = at[0] * side; r < (at[0] + 1) * side && r < A->rows; r++)
        for (gbl_Index k = at[1] * side; k < (at[1] + 1) * side && k < B->rows; k++)
            for (gbl_Index c = at[2] * side; c < (at[2] + 1) * side && c < B->columns; c++) {
                if (!A->there[r][k] || !B->there[k][c]) continue;
                const double product = A->x[r][k] * B->x[k][c];
                to->C.x[r][c] += product;
                to->C.there[r][c] = true;
            }
}

static inline void leave_block(outcome *to, const dense *A, const dense *B, const gbl_Index at[3],
                               gbl_Index side) {
    for (gbl_Index r = at[0] * side; r < (at[0] + 1) * side && r < A->rows; r++)
        for (gbl_Index k = at[1] * side; k < (at[1] + 1) * side && k < B->rows; k++)
            for (gbl_Index c = at[2] * side; c < (at[2] + 1) * side && c < B->columns; c++)
                to->left[r][c] += (long double)A->x[r][k] * B->x[k][c];
}

/* The norm of what was left out. */
static inline double error_of(const outcome *of) {
    long double squares = 0;
    for (gbl_Index r = 0; r < MOST; r++)
        for (gbl_Index c = 0; c < MOST; c++) squares += of->left[r][c] * of->left[r][c];
    return (double)sqrtl(squares);
}

static inline outcome *leave_out(const dense *A, const dense *B, gbl_Index side, double tau) {
    outcome *to = calloc(1, sizeof *to);
    const gbl_Index rows = (A->rows + side - 1) / side, inner = (B->rows + side - 1) / side;
    const gbl_Index columns = (B->columns + side - 1) / side;
    double *a = malloc(rows * inner * sizeof *a), *b = malloc(inner * columns * sizeof *b);
    for (gbl_Index I = 0; I < rows; I++)
        for (gbl_Index K = 0; K < inner; K++) a[I * inner + K] = norm_of(A, I, K, side);
    for (gbl_Index K = 0; K < inner; K++)
        for (gbl_Index J = 0; J < columns; J++) b[K * columns + J] = norm_of(B, K, J, side);
    to->triples = (double)(rows * inner * columns);
    to->nearest = HUGE_VAL;
    for (gbl_Index I = 0; I < rows; I++)
        for (gbl_Index J = 0; J < columns; J++)
            for (gbl_Index K = 0; K < inner; K++) {
                if (!has_any(A, I, K, side) || !has_any(B, K, J, side)) continue;
                const double product = a[I * inner + K] * b[K * columns + J];
                to->nearest = fmin(to->nearest, fabs(product - tau) / fmax(tau, 1e-300));
                if (product < tau) {
                    to->skipped += product;
                    leave_block(to, A, B, (const gbl_Index[3]){I, K, J}, side);
                    continue;
                }
                to->valid += 1.0;
                add_block(to, A, B, (const gbl_Index[3]){I, K, J}, side);
            }
    to->error = error_of(to);
    free(a);
    free(b);
    return to;
}

static inline void expect_dense(const dense *expected, gbl_Matrix C) {
    gbl_Index there = 0;
    t_Tuples t = t_tuples_of(C);
    for (gbl_Index k = 0; k < t.n; k++) {
        const double x = expected->x[t.I[k]][t.J[k]];
        CHECK(expected->there[t.I[k]][t.J[k]]);
        CHECK(t.X[k] == x || (isnan(x) && isnan(t.X[k])));
    }
    for (gbl_Index r = 0; r < expected->rows; r++)
        for (gbl_Index c = 0; c < expected->columns; c++) there += expected->there[r][c];
    CHECK_EQ(t.n, there);
    t_tuples_free(&t);
}

static inline gbl_Explanation explanation(gbl_Matrix C) {
    return t_explain(C);
}
