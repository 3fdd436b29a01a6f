/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the GraphBLAS C API 2.0, and for the extensions that both libraries have. It is
 * compiled once for gblite and once for SuiteSparse:GraphBLAS, as the function ANSWERS, and both
 * are called by one program, which compares (compare.c).
 */
#include "answers.h"

#include <GraphBLAS.h>

enum { N = 40 };

static double *answers;
static size_t room, used;

static void answer(double x) {
    if (used < room) answers[used] = x;
    used++;
}

/* Every call's result is an answer too. */
static void done(GrB_Info info) {
    answer((double)info);
}

static void answer_matrix(GrB_Matrix A) {
    static GrB_Index I[N * N], J[N * N];
    static double X[N * N];
    GrB_Index n = N * N;
    done(GrB_Matrix_extractTuples(I, J, X, &n, A));
    answer((double)n);
    for (GrB_Index k = 0; k < n; k++) {
        answer((double)I[k]);
        answer((double)J[k]);
        answer(X[k]);
    }
}

static void answer_vector(GrB_Vector v) {
    GrB_Index I[N], n = N;
    double X[N];
    done(GrB_Vector_extractTuples(I, X, &n, v));
    answer((double)n);
    for (GrB_Index k = 0; k < n; k++) {
        answer((double)I[k]);
        answer(X[k]);
    }
}

static GrB_Matrix matrix(uint32_t seed) {
    GrB_Matrix A = NULL;
    done(GrB_Matrix_new(&A, GrB_INT32, N, N));
    for (int k = 0; k < 4 * N; k++) {
        seed = seed * 1664525 + 1013904223;
        done(
            GrB_Matrix_setElement(A, (int32_t)(seed >> 10) % 50, seed >> 16 & 31, seed >> 21 & 31));
    }
    return A;
}

static GrB_Vector vector(uint32_t seed) {
    GrB_Vector v = NULL;
    GrB_Index I[N / 2];
    double X[N / 2];
    for (int k = 0; k < N / 2; k++) {
        seed = seed * 1664525 + 1013904223;
        I[k] = (seed >> 16) % N;
        X[k] = (double)(seed >> 20) / 8;
    }
    done(GrB_Vector_new(&v, GrB_FP64, N));
    done(GrB_Vector_build(v, I, X, N / 2, GrB_PLUS_FP64));
    return v;
}

static void products(GrB_Matrix A, GrB_Matrix B, GrB_Vector v) {
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    done(GrB_Matrix_new(&C, GrB_FP64, N, N));
    done(GrB_Vector_new(&w, GrB_FP64, N));
    done(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
    answer_matrix(C);
    done(GrB_mxm(C, A, GrB_PLUS_FP64, GrB_MIN_PLUS_SEMIRING_INT32, A, B, GrB_DESC_RST1));
    answer_matrix(C);
    done(GrB_mxv(w, NULL, NULL, GrB_MAX_SECOND_SEMIRING_FP64, A, v, GrB_DESC_T0));
    answer_vector(w);
    done(GrB_vxm(w, v, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, v, B, GrB_DESC_SC));
    answer_vector(w);
    done(GrB_free(&C));
    done(GrB_free(&w));
}

static void entry_by_entry(GrB_Matrix A, GrB_Matrix B, GrB_Vector v) {
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    GrB_Scalar s = NULL;
    done(GrB_Matrix_new(&C, GrB_INT64, N, N));
    done(GrB_Vector_new(&w, GrB_FP64, N));
    done(GrB_Scalar_new(&s, GrB_INT32));
    done(GrB_Scalar_setElement(s, 20));
    done(GrB_eWiseAdd(C, NULL, NULL, GrB_MINUS_INT64, A, B, NULL));
    answer_matrix(C);
    done(GrB_eWiseMult(C, A, GrB_PLUS_INT64, GrB_MAX_MONOID_INT64, A, B, GrB_DESC_C));
    answer_matrix(C);
    done(GrB_apply(C, NULL, NULL, GrB_AINV_INT64, A, GrB_DESC_T0));
    answer_matrix(C);
    done(GrB_apply(C, NULL, NULL, GrB_MINUS_INT64, 3, A, NULL));
    answer_matrix(C);
    done(GrB_apply(C, NULL, NULL, GrB_ROWINDEX_INT64, A, (int64_t)2, NULL));
    answer_matrix(C);
    done(GrB_apply(w, NULL, NULL, GrB_TIMES_FP64, v, 0.5, NULL));
    answer_vector(w);
    done(GrB_select(C, NULL, NULL, GrB_VALUEGT_INT32, A, s, NULL));
    answer_matrix(C);
    done(GrB_select(C, NULL, NULL, GrB_TRIL, A, (int64_t)-1, NULL));
    answer_matrix(C);
    done(GrB_select(w, v, NULL, GrB_VALUELE_FP64, v, 100.0, GrB_DESC_R));
    answer_vector(w);
    done(GrB_transpose(C, NULL, GrB_PLUS_INT64, A, NULL));
    answer_matrix(C);
    done(GrB_free(&C));
    done(GrB_free(&w));
    done(GrB_free(&s));
}

static void parts(GrB_Matrix A, GrB_Matrix B, GrB_Vector v) {
    static const GrB_Index I[5] = {7, 3, 3, 30, 12}, J[4] = {9, 1, 5, 20}, once[4] = {4, 2, 8, 6};
    GrB_Matrix C = NULL, D = NULL, K = NULL;
    GrB_Vector w = NULL, five = NULL;
    done(GrB_Matrix_new(&C, GrB_FP32, 5, 4));
    done(GrB_Vector_new(&w, GrB_FP64, N));
    done(GrB_Vector_new(&five, GrB_FP64, 5));
    done(GrB_extract(C, NULL, NULL, A, I, 5, J, 4, NULL));
    answer_matrix(C);
    done(GrB_extract(w, NULL, NULL, A, GrB_ALL, N, 3, NULL));
    answer_vector(w);
    done(GrB_extract(w, NULL, NULL, A, GrB_ALL, N, 3, GrB_DESC_T0));
    answer_vector(w);
    done(GrB_extract(five, NULL, NULL, v, I, 5, NULL));
    answer_vector(five);
    done(GrB_Matrix_dup(&D, B));
    done(GrB_Matrix_resize(C, 4, 4));
    done(GrB_assign(D, NULL, NULL, C, once, 4, once, 4, NULL));
    answer_matrix(D);
    done(GrB_assign(D, NULL, GrB_PLUS_INT32, 7, once, 4, J, 4, NULL));
    answer_matrix(D);
    done(GrB_assign(D, NULL, NULL, v, 5, GrB_ALL, N, NULL));
    answer_matrix(D);
    done(GrB_assign(D, NULL, NULL, v, GrB_ALL, N, 6, NULL));
    answer_matrix(D);
    done(GrB_assign(w, v, NULL, 1.5, GrB_ALL, N, GrB_DESC_S));
    answer_vector(w);
    done(GrB_Matrix_new(&K, GrB_FP64, 16, 16));
    done(GrB_kronecker(K, NULL, NULL, GrB_TIMES_FP64, C, C, NULL));
    answer_matrix(K);
    done(GrB_free(&C));
    done(GrB_free(&D));
    done(GrB_free(&K));
    done(GrB_free(&w));
    done(GrB_free(&five));
}

static void sums(GrB_Matrix A, GrB_Vector v) {
    GrB_Vector w = NULL;
    GrB_Scalar s = NULL;
    int64_t total = 5;
    double x = 0;
    done(GrB_Vector_new(&w, GrB_FP64, N));
    done(GrB_Scalar_new(&s, GrB_FP64));
    done(GrB_reduce(w, NULL, NULL, GrB_PLUS_MONOID_FP64, A, GrB_DESC_T0));
    answer_vector(w);
    done(GrB_reduce(&total, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, A, NULL));
    answer((double)total);
    done(GrB_reduce(&x, NULL, GrB_MAX_MONOID_FP64, v, NULL));
    answer(x);
    done(GrB_reduce(s, NULL, GrB_MIN_MONOID_FP64, v, NULL));
    done(GrB_Scalar_extractElement(&x, s));
    answer(x);
    done(GrB_free(&w));
    done(GrB_free(&s));
}

/* What is wrong is refused with the same code. */
static void refusals(GrB_Matrix A, GrB_Vector v) {
    const GrB_Index outside = N;
    GrB_Matrix C = NULL, none = NULL;
    int32_t x = 0;
    done(GrB_Matrix_new(&C, GrB_FP64, N, N + 1));
    done(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    done(GrB_mxm(NULL, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    done(GrB_Matrix_setElement(A, 1, N, 0));
    done(GrB_Matrix_extractElement(&x, A, 39, 39));
    done(GrB_Vector_extractElement(&x, v, N));
    done(GrB_extract(v, NULL, NULL, A, &outside, 1, 0, NULL));
    done(GrB_apply(C, NULL, NULL, GrB_AINV_FP64, A, NULL));
    done(GrB_Matrix_new(&none, NULL, 1, 1));
    done(GrB_free(&C));
}

/* -- dimensions of 2^60 - 1: hypersparse in both libraries */

#define HUGE_DIMENSION (((GrB_Index)1 << 60) - 1)

/* An index as two numbers that doubles hold. */
static void answer_index(GrB_Index i) {
    answer((double)(i >> 30));
    answer((double)(i & (((GrB_Index)1 << 30) - 1)));
}

static void swap_indices(GrB_Index *a, GrB_Index *b) {
    const GrB_Index kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_tuples(GrB_Index *I, GrB_Index *J, int64_t *X, GrB_Index n) {
    for (GrB_Index k = 1; k < n; k++)
        for (GrB_Index l = k; l > 0; l--) {
            if (I[l - 1] < I[l] || (I[l - 1] == I[l] && J[l - 1] <= J[l])) break;
            swap_indices(&I[l], &I[l - 1]);
            swap_indices(&J[l], &J[l - 1]);
            const int64_t x = X[l];
            X[l] = X[l - 1];
            X[l - 1] = x;
        }
}

static void answer_huge(GrB_Matrix A) {
    static GrB_Index I[N * N], J[N * N];
    static int64_t X[N * N];
    GrB_Index n = N * N;
    done(GrB_Matrix_extractTuples(I, J, X, &n, A));
    answer((double)n);
    sort_tuples(I, J, X, n); /* they may come in any order */
    for (GrB_Index k = 0; k < n; k++) {
        answer_index(I[k]);
        answer_index(J[k]);
        answer((double)(X[k] % 1000003));
    }
}

static void answer_huge_vector(GrB_Vector v) {
    GrB_Index I[N], J[N] = {0}, n = N;
    int64_t X[N];
    done(GrB_Vector_extractTuples(I, X, &n, v));
    answer((double)n);
    sort_tuples(I, J, X, n);
    for (GrB_Index k = 0; k < n; k++) {
        answer_index(I[k]);
        answer((double)X[k]);
    }
}

enum { PLACES = 11 };
static GrB_Index place[PLACES]; /* of all entries */

static GrB_Matrix huge_matrix(uint32_t seed) {
    GrB_Matrix A = NULL;
    GrB_Index I[2 * N], J[2 * N];
    int64_t X[2 * N];
    for (int k = 0; k < 2 * N; k++) {
        seed = seed * 1664525 + 1013904223;
        I[k] = place[(seed >> 8) % PLACES];
        J[k] = place[(seed >> 16) % PLACES];
        X[k] = (int64_t)(seed >> 24) % 9;
    }
    done(GrB_Matrix_new(&A, GrB_INT64, HUGE_DIMENSION, HUGE_DIMENSION));
    done(GrB_Matrix_build(A, I, J, X, 2 * N, GrB_PLUS_INT64));
    done(GrB_Matrix_setElement(A, (int64_t)5, place[3] + 1, place[4]));
    done(GrB_Matrix_removeElement(A, I[0], J[0]));
    return A;
}

/* One operation after the other onto C, with one mask, accumulator and descriptor. */
static void huge_steps(GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A, GrB_Matrix B,
                       GrB_Descriptor desc) {
    done(GrB_mxm(C, M, accum, GrB_PLUS_TIMES_SEMIRING_INT64, A, B, desc));
    answer_huge(C);
    done(GrB_eWiseAdd(C, M, accum, GrB_PLUS_INT64, A, B, desc));
    answer_huge(C);
    done(GrB_eWiseMult(C, M, accum, GrB_TIMES_INT64, A, B, desc));
    answer_huge(C);
    done(GrB_apply(C, M, accum, GrB_AINV_INT64, A, desc));
    answer_huge(C);
    done(GrB_apply(C, M, accum, GrB_ROWINDEX_INT64, A, (int64_t)1, desc));
    answer_huge(C);
    done(GrB_select(C, M, accum, GrB_TRIL, A, (int64_t)0, desc));
    answer_huge(C);
    done(GrB_select(C, M, accum, GrB_VALUEGT_INT64, A, (int64_t)3, desc));
    answer_huge(C);
    done(GrB_transpose(C, M, accum, A, desc));
    answer_huge(C);
    done(GrB_assign(C, M, accum, A, place, 1, place + 1, 1, desc)); /* shapes differ */
    done(GrB_assign(C, M, accum, (int64_t)4, place + 2, 4, place + 1, 5, desc));
    answer_huge(C);
}

static void huge_vectors(GrB_Matrix A, GrB_Descriptor desc) {
    GrB_Vector u = NULL, w = NULL;
    done(GrB_Vector_new(&u, GrB_INT64, HUGE_DIMENSION));
    done(GrB_Vector_new(&w, GrB_INT64, HUGE_DIMENSION));
    for (int k = 0; k < PLACES; k += 2) done(GrB_Vector_setElement(u, (int64_t)k, place[k]));
    done(GrB_mxv(w, u, NULL, GrB_MIN_PLUS_SEMIRING_INT64, A, u, desc));
    answer_huge_vector(w);
    done(GrB_vxm(w, NULL, GrB_PLUS_INT64, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, desc));
    answer_huge_vector(w);
    done(GrB_reduce(w, u, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, A, desc));
    answer_huge_vector(w);
    done(GrB_extract(w, u, NULL, A, GrB_ALL, HUGE_DIMENSION, place[2], desc));
    answer_huge_vector(w);
    done(GrB_assign(w, u, NULL, (int64_t)8, place, 3, desc));
    answer_huge_vector(w);
    done(GrB_free(&u));
    done(GrB_free(&w));
}

static void huge(void) {
    const GrB_Descriptor descs[] = {NULL,          GrB_DESC_R,    GrB_DESC_S,  GrB_DESC_C,
                                    GrB_DESC_RSC,  GrB_DESC_T0,   GrB_DESC_T1, GrB_DESC_RST0T1,
                                    GrB_DESC_SCT0, GrB_DESC_RCT1, GrB_DESC_RC, GrB_DESC_T0T1};
    for (GrB_Index k = 0; k < PLACES; k++) place[k] = HUGE_DIMENSION / PLACES * k + 7 * k;
    place[PLACES - 1] = HUGE_DIMENSION - 1;
    GrB_Matrix A = huge_matrix(4), B = huge_matrix(5), M = huge_matrix(6), C = NULL, P = NULL;
    done(GrB_Matrix_dup(&C, A));
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        huge_steps(C, M, NULL, A, B, descs[d]);
        huge_steps(C, M, GrB_PLUS_INT64, A, B, descs[d]);
        huge_steps(C, NULL, d % 2 ? GrB_PLUS_INT64 : NULL, A, B, NULL);
        huge_vectors(A, descs[d]);
    }
    done(GrB_Matrix_new(&P, GrB_INT64, 4, 5));
    done(GrB_extract(P, NULL, NULL, A, place + 3, 4, place, 5, NULL));
    answer_huge(P);
    done(GrB_assign(C, NULL, GrB_PLUS_INT64, P, place + 1, 4, place + 6, 5, NULL));
    answer_huge(C);
    int64_t sum = 0;
    done(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_INT64, A, NULL));
    answer((double)sum);
    done(GrB_Matrix_resize(C, place[6], place[9]));
    answer_huge(C);
    done(GrB_free(&A));
    done(GrB_free(&B));
    done(GrB_free(&C));
    done(GrB_free(&M));
    done(GrB_free(&P));
}

/* -- compressed rows of huge columns, and columns of huge rows */

static void huge_compressed(void) {
    enum { FEW = 3, ENTRIES = 4 };
    const GrB_Index p[FEW + 1] = {0, 2, 2, ENTRIES};
    const GrB_Index i[ENTRIES] = {1, HUGE_DIMENSION - 1, 0, (GrB_Index)1 << 40};
    const int64_t x[ENTRIES] = {4, 5, 6, 7};
    GrB_Index P[FEW + 1], I[ENTRIES];
    int64_t X[ENTRIES];
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        const GrB_Format format = by_rows ? GrB_CSR_FORMAT : GrB_CSC_FORMAT;
        GrB_Index np = FEW + 1, ni = ENTRIES, nx = ENTRIES;
        GrB_Matrix A = NULL;
        done(GrB_Matrix_import(&A, GrB_INT64, by_rows ? FEW : HUGE_DIMENSION,
                               by_rows ? HUGE_DIMENSION : FEW, p, i, x, np, ni, nx, format));
        answer_huge(A);
        done(GrB_Matrix_export(P, I, X, &np, &ni, &nx, format, A));
        for (int k = 0; k <= FEW; k++) answer((double)P[k]);
        for (int k = 0; k < ENTRIES; k++) answer((double)I[k] + (double)X[k]);
        done(GrB_free(&A));
    }
}

/* -- extensions: semirings, monoids and operators under SuiteSparse's names */

static void extended_products(GrB_Matrix A, GrB_Matrix B) {
    const GrB_Semiring rings[] = {
        GxB_PLUS_PAIR_INT64,  GxB_ANY_PAIR_BOOL,    GxB_PLUS_FIRST_INT32,  GxB_PLUS_SECOND_FP64,
        GxB_MIN_FIRSTI_INT64, GxB_MIN_FIRSTJ_INT64, GxB_MAX_SECONDI_INT32, GxB_MAX_SECONDJ_INT64,
        GxB_EQ_LOR_BOOL,      GxB_PLUS_MIN_INT16,   GxB_MIN_MAX_FP32};
    GrB_Matrix C = NULL;
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        done(GrB_Matrix_new(&C, GrB_INT64, N, N));
        done(GrB_mxm(C, A, NULL, rings[k], A, B, GrB_DESC_RS));
        done(GrB_wait(C, GrB_MATERIALIZE)); /* which sorts */
        answer_matrix(C);
        done(GrB_free(&C));
    }
    done(GrB_Matrix_new(&C, GrB_INT32, N, N));
    done(GrB_apply(C, NULL, NULL, GxB_ONE_INT32, A, NULL));
    answer_matrix(C);
    done(GrB_eWiseMult(C, NULL, NULL, GxB_PAIR_INT32, A, B, NULL));
    answer_matrix(C);
    bool iso = false;
    done(GxB_Matrix_iso(&iso, A));
    answer(iso);
    done(GrB_assign(C, A, NULL, 3, GrB_ALL, N, GrB_ALL, N, GrB_DESC_RS));
    done(GxB_Matrix_iso(&iso, C));
    answer(iso);
    done(GrB_free(&C));
}

static void extended_sums(GrB_Matrix A, GrB_Vector v) {
    const GrB_Monoid monoids[] = {GxB_PLUS_INT64_MONOID, GxB_MAX_FP32_MONOID, GxB_LOR_BOOL_MONOID,
                                  GxB_EQ_BOOL_MONOID, GxB_BXOR_UINT16_MONOID};
    GxB_Scalar s = NULL;
    GrB_Vector w = NULL, p = NULL;
    double x = 0;
    for (size_t k = 0; k < sizeof monoids / sizeof *monoids; k++) {
        done(GrB_reduce(&x, NULL, monoids[k], A, NULL));
        answer(x);
    }
    done(GxB_Scalar_new(&s, GrB_FP64));
    done(GxB_Scalar_setElement_INT32(s, 12));
    done(GxB_Scalar_extractElement_FP64(&x, s));
    answer(x);
    done(GrB_free(&s));
    done(GrB_Vector_new(&w, GrB_FP64, N));
    done(GrB_Vector_new(&p, GrB_INT64, N));
    done(GxB_Vector_sort(w, p, GrB_GT_FP64, v, NULL));
    answer_vector(w);
    answer_vector(p);
    done(GrB_free(&w));
    done(GrB_free(&p));
}

/* By the place of a vector's one row, and by inner places. (SuiteSparse 7.4 sorts no vectors that
 * it holds hypersparse: of several entries one is left.) */
static void extended_huge(void) {
    GrB_Vector u = NULL, w = NULL;
    GrB_Matrix A = huge_matrix(9);
    done(GrB_Vector_new(&u, GrB_INT64, HUGE_DIMENSION));
    done(GrB_Vector_new(&w, GrB_INT64, HUGE_DIMENSION));
    for (int k = 0; k < PLACES; k += 2)
        done(GrB_Vector_setElement(u, (int64_t)(k * 37 % 11), place[k]));
    for (int turned = 0; turned < 2; turned++) {
        done(GrB_vxm(w, NULL, NULL, GxB_MIN_FIRSTI_INT64, u, A, turned ? GrB_DESC_T1 : NULL));
        answer_huge_vector(w);
        done(GrB_mxv(w, NULL, NULL, GxB_MAX_SECONDJ_INT64, A, u, turned ? GrB_DESC_T0 : NULL));
        answer_huge_vector(w);
        done(GrB_mxv(w, NULL, NULL, GxB_MAX_FIRSTJ_INT64, A, u, turned ? GrB_DESC_T0 : NULL));
        answer_huge_vector(w);
    }
    done(GrB_free(&u));
    done(GrB_free(&w));
    done(GrB_free(&A));
}

size_t ANSWERS(double *out, size_t length) {
    answers = out;
    room = length;
    used = 0;
    done(GrB_init(GrB_NONBLOCKING));
    GrB_Matrix A = matrix(1), B = matrix(2);
    GrB_Vector v = vector(3);
    done(GrB_wait(A, GrB_MATERIALIZE));
    products(A, B, v);
    entry_by_entry(A, B, v);
    parts(A, B, v);
    sums(A, v);
    refusals(A, v);
    huge();
    huge_compressed();
    extended_products(A, B);
    extended_sums(A, v);
    extended_huge();
    done(GrB_free(&A));
    done(GrB_free(&B));
    done(GrB_free(&v));
    done(GrB_finalize());
    return used;
}
