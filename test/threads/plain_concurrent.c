/* SPDX-License-Identifier: Apache-2.0
 *
 * Many threads read the same objects at once, in operations that make the library assemble pending
 * updates, sort, and convert between representations behind their backs. Every thread writes its
 * own outputs, and all must be right. Meant for ThreadSanitizer; exits 1 on a wrong result, with a
 * line that says which.
 *
 * Each round starts from fresh objects, since lazy work happens only once per object: A has pending
 * updates and then rows only, B has unsorted columns, v is a list; P and u are products that have
 * been updated since; S has no strips. A barrier lets all threads meet the unprepared objects at
 * the same time.
 */
#include "gblite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 12, SIDE = 60, WAYS = 13 };
enum { TALL = 1100, PRODUCTS = 12 }; /* rows that may become strips; products that make them */

static gbl_Matrix A, B, P, S;
static gbl_Vector v, u, full;
static int64_t a[SIDE][SIDE], b[SIDE][SIDE], x[SIDE]; /* the same contents; 0: no entry */
static pthread_barrier_t barrier;
static atomic_int wrong;

static void check(bool good, const char *what, unsigned round) {
    if (good) return;
    atomic_fetch_add(&wrong, 1);
    fprintf(stderr, "round %u: %s is wrong (%s)\n", round, what, gbl_last_error());
}

static bool is_ok(gbl_Info info) {
    return info == GBL_SUCCESS;
}

/* ------------------------------------------------------------------------ the shared objects -- */

static uint64_t state;

static uint64_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static bool make_a(void) {
    memset(a, 0, sizeof a);
    bool good = is_ok(gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE));
    gbl_Index I[SIDE], J[SIDE];
    int64_t X[SIDE];
    for (gbl_Index i = 0; i < SIDE; i++) {
        I[i] = i;
        J[i] = next() % SIDE;
        X[i] = a[I[i]][J[i]] = (int64_t)(next() % 20) + 1;
    }
    good = good && is_ok(gbl_Matrix_build_INT64(A, I, J, X, SIDE, NULL));
    for (int k = 0; k < 500; k++) {
        const gbl_Index i = next() % SIDE, j = next() % SIDE;
        a[i][j] = (int64_t)(next() % 20) + 1;
        good = good && is_ok(gbl_Matrix_setElement_INT64(A, a[i][j], i, j));
    }
    return good;
}

static bool make_b(void) {
    static gbl_Index p[SIDE + 1], i[SIDE * SIDE];
    static int64_t values[SIDE * SIDE];
    memset(b, 0, sizeof b);
    gbl_Index n = 0;
    for (gbl_Index j = 0; j < SIDE; j++) {
        p[j] = n;
        for (gbl_Index r = SIDE; r-- > 0;) { /* falling: not sorted */
            if (next() % 6 != 0) continue;
            i[n] = r;
            values[n] = b[r][j] = (int64_t)(next() % 20) + 1;
            n++;
        }
    }
    p[SIDE] = n;
    return is_ok(gbl_Matrix_import_INT64(&B, GBL_INT64, SIDE, SIDE, p, i, values, SIDE + 1, n, n,
                                         GBL_CSC_FORMAT));
}

static bool make_v(void) {
    memset(x, 0, sizeof x);
    bool good = is_ok(gbl_Vector_new(&v, GBL_INT64, SIDE));
    for (int k = 0; k < SIDE / 2; k++) {
        const gbl_Index i = next() % SIDE;
        x[i] = (int64_t)(next() % 20) + 1;
        good = good && is_ok(gbl_Vector_setElement_INT64(v, x[i], i));
    }
    return good;
}

/* Products with an explanation, which the updates make void. */
static bool make_products(void) {
    const gbl_Semiring plus = GBL_PLUS_TIMES_SEMIRING_INT64;
    gbl_Matrix one = NULL;
    bool good = is_ok(gbl_Matrix_new(&one, GBL_INT64, 2, 2)) &&
                is_ok(gbl_Matrix_new(&P, GBL_INT64, 2, 2)) &&
                is_ok(gbl_Vector_new(&u, GBL_INT64, 2)) &&
                is_ok(gbl_Matrix_setElement_INT64(one, 1, 0, 0)) &&
                is_ok(gbl_Vector_setElement_INT64(u, 1, 0)) &&
                is_ok(gbl_mxm(P, NULL, NULL, plus, one, one, NULL)) &&
                is_ok(gbl_mxv(u, NULL, NULL, plus, one, u, NULL));
    good = good && is_ok(gbl_Matrix_setElement_INT64(P, 5, 1, 1)) &&
           is_ok(gbl_Vector_setElement_INT64(u, 5, 1));
    gbl_Matrix_free(&one);
    return good;
}

/* Of S * full over (plus, times) and (plus, second). */
static double of_strips[2][TALL];

/* 0 to 3 entries a row, whole numbers: sums are exact. */
static bool make_s(void) {
    static gbl_Index p[TALL + 1], i[3 * TALL];
    static double values[3 * TALL];
    bool good = is_ok(gbl_Vector_new(&full, GBL_FP64, SIDE));
    memset(of_strips, 0, sizeof of_strips);
    for (gbl_Index k = 0; k < SIDE; k++)
        good = good && is_ok(gbl_Vector_setElement_FP64(full, (double)(k + 1), k));
    for (gbl_Index r = 0; r < TALL; r++) {
        p[r + 1] = p[r];
        for (gbl_Index k = next() % 4, c = next() % (SIDE / 3); k > 0; k--, c += SIDE / 3) {
            const double value = (double)(next() % 20) + 1, y = (double)(c + 1);
            i[p[r + 1]] = c;
            values[p[r + 1]++] = value;
            of_strips[0][r] += value * y;
            of_strips[1][r] += y;
        }
    }
    return good && is_ok(gbl_Matrix_import_FP64(&S, GBL_FP64, TALL, SIDE, p, i, values, TALL + 1,
                                                p[TALL], p[TALL], GBL_CSR_FORMAT));
}

/* -------------------------------------------------------------------------- what is compared -- */

typedef int64_t (*expected_cell)(gbl_Index i, gbl_Index j);

static int64_t product(gbl_Index i, gbl_Index j) {
    int64_t sum = 0;
    for (int k = 0; k < SIDE; k++) sum += a[i][k] * b[k][j];
    return sum;
}

static int64_t product_tran(gbl_Index i, gbl_Index j) {
    int64_t sum = 0;
    for (int k = 0; k < SIDE; k++) sum += a[k][i] * b[j][k];
    return sum;
}

static int64_t sum_of_both(gbl_Index i, gbl_Index j) {
    return a[i][j] + b[i][j];
}

static int64_t turned(gbl_Index i, gbl_Index j) {
    return a[j][i];
}

static int64_t as_it_is(gbl_Index i, gbl_Index j) {
    return a[i][j];
}

/* all values are positive, so 0 stands for no entry here too */
static bool is_matrix(gbl_Matrix C, expected_cell cell) {
    static _Thread_local gbl_Index I[SIDE * SIDE], J[SIDE * SIDE];
    static _Thread_local int64_t X[SIDE * SIDE], found[SIDE][SIDE];
    gbl_Index n = SIDE * SIDE;
    if (!is_ok(gbl_Matrix_extractTuples_INT64(I, J, X, &n, C))) return false;
    memset(found, 0, sizeof found);
    for (gbl_Index k = 0; k < n; k++) found[I[k]][J[k]] = X[k];
    for (gbl_Index i = 0; i < SIDE; i++)
        for (gbl_Index j = 0; j < SIDE; j++)
            if (found[i][j] != cell(i, j)) return false;
    return true;
}

static bool is_product_with_v(gbl_Vector w, bool transposed) {
    for (gbl_Index i = 0; i < SIDE; i++) {
        int64_t sum = 0, found = 0;
        for (int k = 0; k < SIDE; k++) sum += (transposed ? a[k][i] : a[i][k]) * x[k];
        const gbl_Info info = gbl_Vector_extractElement_INT64(&found, w, i);
        if (info != (sum == 0 ? GBL_NO_VALUE : GBL_SUCCESS) || found != sum) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------- the readers -- */

static void read_elements(unsigned round) {
    bool good = true;
    for (gbl_Index i = 0; i < SIDE; i++) {
        for (gbl_Index j = 0; j < SIDE; j += 7) {
            int64_t found = 0;
            const gbl_Info info = gbl_Matrix_extractElement_INT64(&found, A, i, j);
            good = good && info == (a[i][j] ? GBL_SUCCESS : GBL_NO_VALUE) && found == a[i][j];
        }
    }
    check(good, "extractElement", round);
}

static void read_by_copies(unsigned round) {
    gbl_Matrix C = NULL;
    gbl_Vector w = NULL;
    int64_t sum = 0, expected = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) expected += b[i][j];
    check(is_ok(gbl_Matrix_dup(&C, A)) && is_matrix(C, as_it_is), "dup", round);
    check(is_ok(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, B, NULL)) &&
              sum == expected,
          "reduce", round);
    check(is_ok(gbl_Vector_dup(&w, v)), "dup of v", round);
    gbl_Matrix_free(&C);
    gbl_Vector_free(&w);
}

/* The first reader groups the rows of A, and all others use them. */
static gbl_Descriptor grouped;

static bool make_grouped(void) {
    return is_ok(gbl_Descriptor_new(&grouped)) &&
           is_ok(gbl_Descriptor_set(grouped, GBL_METHOD, GBL_METHOD_PANEL)) &&
           is_ok(gbl_Descriptor_set(grouped, GBL_WORKFLOW, GBL_WORKFLOW_GROUPED));
}

static void read_matrices(unsigned way, unsigned round, gbl_Matrix C) {
    const gbl_Semiring plus = GBL_PLUS_TIMES_SEMIRING_INT64;
    switch (way) {
    case 0:
        check(is_ok(gbl_mxm(C, NULL, NULL, plus, A, B, round % 2 == 0 ? NULL : grouped)) &&
                  is_matrix(C, product),
              "A B", round);
        break;
    case 1:
        check(is_ok(gbl_mxm(C, NULL, NULL, plus, A, B, GBL_DESC_T0T1)) &&
                  is_matrix(C, product_tran),
              "A' B'", round);
        break;
    case 2:
        check(is_ok(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_INT64, A, B, NULL)) &&
                  is_matrix(C, sum_of_both),
              "A + B", round);
        break;
    case 3:
        check(is_ok(gbl_transpose(C, NULL, NULL, A, NULL)) && is_matrix(C, turned), "A'", round);
        break;
    case 4:
        check(is_ok(gbl_Matrix_apply(C, A, NULL, GBL_IDENTITY_INT64, A, GBL_DESC_RS)) &&
                  is_matrix(C, as_it_is),
              "apply with A as its own mask", round);
        break;
    default:
        check(is_matrix(A, as_it_is), "A", round);
    }
}

static void read_vectors(unsigned way, unsigned round, gbl_Vector w) {
    const gbl_Semiring plus = GBL_PLUS_TIMES_SEMIRING_INT64;
    if (way == 6)
        check(is_ok(gbl_mxv(w, NULL, NULL, plus, A, v, NULL)) && is_product_with_v(w, false), "A v",
              round);
    else if (way == 7)
        check(is_ok(gbl_vxm(w, NULL, NULL, plus, v, A, NULL)) && is_product_with_v(w, true), "v A",
              round);
    else if (way == 8)
        check(is_ok(gbl_mxv(w, v, NULL, plus, A, v, GBL_DESC_RSC)), "A v outside v", round);
    else
        check(is_ok(gbl_Matrix_wait(A, GBL_MATERIALIZE)) &&
                  is_ok(gbl_Vector_wait(v, GBL_COMPLETE)) &&
                  is_ok(gbl_Matrix_wait(B, GBL_MATERIALIZE)),
              "wait", round);
}

/* all sums are positive, so 0 stands for no entry here too */
static bool is_product_by_s(gbl_Vector w, bool second) {
    static _Thread_local gbl_Index I[TALL];
    static _Thread_local double X[TALL], found[TALL];
    gbl_Index n = TALL;
    if (!is_ok(gbl_Vector_extractTuples_FP64(I, X, &n, w))) return false;
    memset(found, 0, sizeof found);
    for (gbl_Index k = 0; k < n; k++) found[I[k]] = X[k];
    return memcmp(found, of_strips[second], sizeof found) == 0;
}

/* Whoever comes first makes strips of S, with values or without; later ones add what is missing,
 * while others read. */
static void read_strips(unsigned me, unsigned round) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Vector w = NULL;
    check(is_ok(gbl_Vector_new(&w, GBL_FP64, TALL)), "new", round);
    for (unsigned k = 0; k < PRODUCTS; k++) {
        const bool second = (k + me) % 2 == 0;
        const gbl_Semiring ring =
            second ? GBL_PLUS_SECOND_SEMIRING_FP64 : GBL_PLUS_TIMES_SEMIRING_FP64;
        check(is_ok(gbl_mxv(w, NULL, NULL, ring, S, full, NULL)) && is_product_by_s(w, second),
              "S full", round);
        const bool kept = is_ok(gbl_Vector_explain(&why, w)) && strcmp(why.workflow, "strips") == 0;
        check(kept || k < PRODUCTS - 2, "the workflow of S full", round);
    }
    gbl_Vector_free(&w);
}

static void look_at_products(unsigned round) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Index n = 0;
    check(gbl_Matrix_explain(&why, P) == GBL_NO_VALUE, "explanation of P", round);
    check(is_ok(gbl_Matrix_nvals(&n, P)) && n == 2, "nvals of P", round);
    check(gbl_Vector_explain(&why, u) == GBL_NO_VALUE, "explanation of u", round);
    check(is_ok(gbl_Vector_nvals(&n, u)) && n == 2, "nvals of u", round);
}

static void look_at_facts(unsigned round) {
    gbl_Index n = 0;
    gbl_Formats formats;
    gbl_Format hint;
    check(is_ok(gbl_Matrix_nvals(&n, A)) && n > 0, "nvals", round);
    check(is_ok(gbl_Matrix_formats(&formats, A)), "formats of A", round);
    check(is_ok(gbl_Matrix_formats(&formats, B)), "formats of B", round);
    check(is_ok(gbl_Matrix_exportHint(&hint, B)), "hint", round);
}

static void *reader(void *number) {
    const unsigned me = *(const unsigned *)number;
    gbl_Matrix C = NULL;
    gbl_Vector w = NULL;
    check(is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE)), "new", 0);
    check(is_ok(gbl_Vector_new(&w, GBL_INT64, SIDE)), "new", 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier); /* the objects of this round are there */
        look_at_products(round);
        for (unsigned k = 0; k < WAYS; k++) {
            const unsigned way = (k + 5 * me + round) % WAYS; /* every thread begins elsewhere */
            if (way < 6)
                read_matrices(way, round, C);
            else if (way < 9 || way == 11)
                read_vectors(way, round, w);
            else if (way == 9)
                read_elements(round);
            else if (way == 12)
                read_strips(me, round);
            else
                read_by_copies(round);
            look_at_facts(round);
        }
        pthread_barrier_wait(&barrier); /* nobody reads any more */
    }
    gbl_Matrix_free(&C);
    gbl_Vector_free(&w);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    state = 20240607;
    if (!is_ok(gbl_init(GBL_NONBLOCKING)) || !make_grouped()) return 1;
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (unsigned k = 0; k < THREADS; k++) {
        numbers[k] = k;
        if (pthread_create(&threads[k], NULL, reader, &numbers[k]) != 0) return 1;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        check(make_a() && make_b() && make_v() && make_products() && make_s(),
              "the making of the objects", round);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&B);
        gbl_Matrix_free(&P);
        gbl_Matrix_free(&S);
        gbl_Vector_free(&v);
        gbl_Vector_free(&u);
        gbl_Vector_free(&full);
    }
    for (unsigned k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
    pthread_barrier_destroy(&barrier);
    gbl_Descriptor_free(&grouped);
    int64_t blocks = -1;
    check(is_ok(gbl_Global_get_INT64(GBL_GLOBAL, &blocks, GBL_BLOCKS_IN_USE)) && blocks == 0,
          "the number of blocks left", ROUNDS);
    if (!is_ok(gbl_finalize())) return 1;
    return atomic_load(&wrong) == 0 ? 0 : 1;
}
