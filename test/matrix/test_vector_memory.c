/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on few entries takes memory by the entries, not by the dimension: every operation on vectors
 * of the largest dimension, with an allocator that refuses blocks of more than 64 KB (an array as
 * long as the dimension has 4 GB or more); matrices of that many rows are held by columns; and the
 * n-th allocation fails, for every n. Calls on sparse vectors of a million positions, by the bytes
 * that they allocate.
 */
#include "support/gb_test.h"

#include <string.h>

enum { BLOCK_MOST = 64 << 10, FEW = 9 };

static const gbl_Index LONG = T_COMPACT_MAX;

static void setup(void) {
    t_brutal_setup();
    t_refuse_above(BLOCK_MOST);
}

static void teardown(void) {
    t_refuse_above(0);
    t_brutal_teardown();
}

#define FEW_TEST(name) Test(vector_memory, name, .init = setup, .fini = teardown)

/* Positions spread over the dimension, the last one included. */
static gbl_Index place(gbl_Index k) {
    return k == FEW - 1 ? LONG - 1 : k * (LONG / (FEW - 1));
}

/* v(place(k)) = first + k for every step-th k; pending updates are assembled. */
static gbl_Vector sparse(double first, gbl_Index step) {
    gbl_Vector v = t_new_vector(GBL_FP64, LONG);
    for (gbl_Index k = 0; k < FEW; k += step)
        OK(gbl_Vector_setElement_FP64(v, first + (double)k, place(k)));
    OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
    return v;
}

static void expect(gbl_Vector v, gbl_Index k, double value) {
    double x = -1;
    OK(gbl_Vector_extractElement_FP64(&x, v, place(k)));
    CHECK(x == value);
}

static void expect_none(gbl_Vector v, gbl_Index k) {
    double x = -1;
    CHECK_EQ(gbl_Vector_extractElement_FP64(&x, v, place(k)), GBL_NO_VALUE);
}

/* ------------------------------------------------------------------------------- containers -- */

FEW_TEST(containers) {
    gbl_Vector v = sparse(1, 1), w = NULL;
    gbl_Index at[FEW], n = FEW;
    double x[FEW];
    OK(gbl_Vector_extractTuples_FP64(at, x, &n, v));
    CHECK_EQ(n, FEW);
    CHECK_EQ(at[FEW - 1], LONG - 1);
    OK(gbl_Vector_dup(&w, v));
    OK(gbl_Vector_removeElement(w, place(3)));
    CHECK_EQ(t_nvals_vector(w), FEW - 1);
    OK(gbl_Vector_setElement_FP64(w, 7, place(3)));
    OK(gbl_Vector_resize(w, LONG - 1));
    CHECK_EQ(t_nvals_vector(w), FEW - 1);
    OK(gbl_Vector_clear(w));
    OK(gbl_Vector_build_FP64(w, at, x, FEW - 1, GBL_PLUS_FP64));
    CHECK_EQ(t_nvals_vector(w), FEW - 1);
    FREE(v, w);
}

/* ------------------------------------------------------------------- operations on elements -- */

FEW_TEST(elementwise) {
    gbl_Vector u = sparse(1, 1), v = sparse(10, 2), w = NULL;
    double sum = 0;
    OK(gbl_Vector_new(&w, GBL_FP64, LONG));
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GBL_PLUS_FP64, u, v, NULL));
    CHECK_EQ(t_nvals_vector(w), FEW);
    expect(w, 2, 3 + 12);
    expect(w, 3, 4);
    OK(gbl_Vector_eWiseMult_BinaryOp(w, v, GBL_PLUS_FP64, GBL_TIMES_FP64, u, v, GBL_DESC_RS));
    CHECK_EQ(t_nvals_vector(w), FEW / 2 + 1);
    expect(w, 2, 15 + 3 * 12);
    OK(gbl_Vector_apply(w, v, NULL, GBL_AINV_FP64, u, GBL_DESC_RSC));
    CHECK_EQ(t_nvals_vector(w), FEW / 2);
    expect(w, 1, -2);
    OK(gbl_Vector_select_FP64(w, NULL, NULL, GBL_VALUEGT_FP64, u, 4, NULL));
    CHECK_EQ(t_nvals_vector(w), FEW - 4);
    OK(gbl_Vector_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, u, NULL));
    CHECK(sum == 45);
    FREE(u, v, w);
}

FEW_TEST(assignments) {
    gbl_Vector w = sparse(1, 1), m = sparse(1, 2), u = NULL;
    const gbl_Index one[] = {place(4)}, two[] = {place(5), place(2)}, again[] = {one[0], one[0]};
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 50, one, 1, NULL));
    expect(w, 4, 50);
    OK(gbl_Vector_assign_FP64(w, NULL, GBL_PLUS_FP64, 1, again, 2, NULL));
    expect(w, 4, 51);
    OK(gbl_Vector_assign_FP64(w, m, NULL, 60, two, 2, GBL_DESC_S));
    expect(w, 2, 60);
    expect(w, 5, 6);
    OK(gbl_Vector_assign_FP64(w, m, NULL, 70, two, 2, GBL_DESC_SC));
    expect(w, 2, 60);
    expect(w, 5, 70);
    OK(gbl_Vector_new(&u, GBL_FP64, 2));
    OK(gbl_Vector_setElement_FP64(u, 80, 0)); /* for place(5); nothing for place(2) */
    OK(gbl_Vector_assign(w, NULL, NULL, u, again, 2, NULL)); /* the last of u: nothing */
    expect_none(w, 4);
    OK(gbl_Vector_assign(w, NULL, NULL, u, two, 2, NULL));
    expect(w, 5, 80);
    expect_none(w, 2);
    OK(gbl_Vector_assign_FP64(w, m, NULL, 90, GBL_ALL, LONG, GBL_DESC_S));
    expect(w, 2, 90);
    expect(w, 5, 80);
    OK(gbl_Vector_assign(w, m, NULL, m, GBL_ALL, LONG, GBL_DESC_RS));
    CHECK_EQ(t_nvals_vector(w), FEW / 2 + 1);
    FREE(w, m, u);
}

/* --------------------------------------------------------------------------------- products -- */

enum { WIDTH = 4 };

/* LONG x WIDTH, by columns: entry (place(k), c) = k + 1 where k % WIDTH == c or k == 2. */
static gbl_Matrix tall(void) {
    gbl_Index p[WIDTH + 1] = {0}, i[2 * FEW], n = 0;
    double x[2 * FEW];
    gbl_Matrix A = NULL;
    for (gbl_Index c = 0; c < WIDTH; c++) {
        for (gbl_Index k = 0; k < FEW; k++) {
            if (k % WIDTH != c && k != 2) continue;
            i[n] = place(k);
            x[n++] = (double)(k + 1);
        }
        p[c + 1] = n;
    }
    OK(gbl_Matrix_import_FP64(&A, GBL_FP64, LONG, WIDTH, p, i, x, WIDTH + 1, n, n, GBL_CSC_FORMAT));
    return A;
}

static gbl_Vector short_vector(void) {
    gbl_Vector u = t_new_vector(GBL_FP64, WIDTH);
    for (gbl_Index c = 0; c < WIDTH; c++) OK(gbl_Vector_setElement_FP64(u, 10, c));
    return u;
}

/* Forced or not, the method is the one that needs no pointers to all the rows. */
static const char *method_of(gbl_Vector w) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&how, w));
    return how.method;
}

FEW_TEST(push) {
    gbl_Matrix A = tall();
    gbl_Vector u = short_vector(), w = sparse(1, 2), m = sparse(1, 2);
    for (int call = 0; call < 20; call++) { /* no history of calls makes pointers to all rows */
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
        CHECK(strcmp(method_of(w), "push") == 0);
    }
    CHECK_EQ(t_nvals_vector(w), FEW);
    expect(w, 2, 4 * 30);
    expect(w, 8, 90);
    OK(gbl_mxv(w, m, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, u, GBL_DESC_RSC));
    CHECK_EQ(t_nvals_vector(w), FEW / 2);
    expect(w, 1, 12);
    OK(gbl_mxv(w, m, GBL_PLUS_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    expect(w, 1, 12);
    expect(w, 2, 120);
    OK(gbl_vxm(w, m, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, GBL_DESC_T1));
    expect(w, 4, 50);
    FREE(A, u, w, m);
}

FEW_TEST(pull) {
    gbl_Matrix A = tall();
    gbl_Vector u = sparse(1, 2), w = short_vector();
    double x = 0;
    for (int call = 0; call < 20; call++) {
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
        CHECK(strcmp(method_of(w), "pull") == 0);
    }
    CHECK_EQ(t_nvals_vector(w), WIDTH);           /* all columns have k = 2 */
    OK(gbl_Vector_extractElement_FP64(&x, w, 0)); /* k = 0, 2, 4, 8 */
    CHECK(x == 1 + 9 + 25 + 81);
    OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, GBL_DESC_T0));
    OK(gbl_Vector_extractElement_FP64(&x, w, 0));
    CHECK(x == 2 * (1 + 9 + 25 + 81));
    FREE(A, u, w);
}

FEW_TEST(columns_of_a_tall_matrix) {
    gbl_Matrix A = tall();
    const gbl_Index row[] = {place(3)}, column[] = {1};
    double x = 0;
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 5, row, 1, column, 1, NULL));
    OK(gbl_Matrix_extractElement_FP64(&x, A, place(3), 1));
    CHECK(x == 5);
    OK(gbl_Matrix_free(&A));
}

/* ---------------------------------------------------------------- the n-th allocation fails -- */

typedef struct {
    gbl_Matrix A;
    gbl_Vector u, v, w, m;
} world;

static gbl_Info push_few(world *o) {
    return gbl_mxv(o->w, o->m, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o->A, o->u, GBL_DESC_RSC);
}

static gbl_Info push_few_generic(world *o) {
    return gbl_mxv(o->w, NULL, GBL_MINUS_FP64, GBL_MAX_TIMES_SEMIRING_FP64, o->A, o->u, NULL);
}

static gbl_Info pull_few(world *o) {
    return gbl_vxm(o->u, NULL, GBL_PLUS_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, o->v, o->A, NULL);
}

static gbl_Info assign_few(world *o) {
    const gbl_Index at[] = {place(5), place(2), place(5)};
    return gbl_Vector_assign_FP64(o->w, o->m, NULL, 70, at, 3, NULL);
}

static void run_brutal(const char *name, gbl_Info (*call)(world *)) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        world o = {tall(), short_vector(), sparse(3, 1), sparse(1, 3), sparse(2, 2)};
        gbl_Vector before = NULL, u = NULL;
        OK(gbl_Vector_dup(&before, o.w));
        OK(gbl_Vector_dup(&u, o.u));
        t_case("%s: allocation %lld fails", name, (long long)n);
        const gbl_Info info = FAIL_AT(n, call(&o), &failed);
        if (info != GBL_SUCCESS) {
            CHECK_EQ(info, GBL_OUT_OF_MEMORY);
            o_Value x, y;
            for (gbl_Index k = 0; k < FEW; k++) {
                const gbl_Info has = gbl_Vector_extractElement_FP64(&x.f64, before, place(k));
                CHECK_EQ(gbl_Vector_extractElement_FP64(&y.f64, o.w, place(k)), has);
                if (has == GBL_SUCCESS) CHECK(x.f64 == y.f64);
            }
            for (gbl_Index c = 0; c < WIDTH; c++) {
                OK(gbl_Vector_extractElement_FP64(&x.f64, u, c));
                OK(gbl_Vector_extractElement_FP64(&y.f64, o.u, c));
                CHECK(x.f64 == y.f64);
            }
            OK(call(&o));
        }
        FREE(o.A, o.u, o.v, o.w, o.m, before, u);
    }
}

FEW_TEST(failing_allocations) {
    run_brutal("push", push_few);
    run_brutal("push, generic", push_few_generic);
    run_brutal("pull", pull_few);
    run_brutal("assign", assign_few);
}

/* ------------------------------------------------------------------------------------ bytes -- */

static uint64_t asked; /* bytes, of all blocks since it was set to 0 */

static void *counting_malloc(size_t bytes) {
    asked += bytes;
    return malloc(bytes);
}

static void *counting_realloc(void *block, size_t bytes) {
    asked += bytes;
    return realloc(block, bytes);
}

static void counting_setup(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, counting_malloc, counting_realloc, free));
}

static void counting_teardown(void) {
    OK(gbl_finalize());
    t_end_reached();
}

/* A search along a path of a million vertices: from the thousandth level on, a level asks for no
 * more than some small blocks. */
Test(frontier_cost, levels_of_a_path, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000, WARM = 1000, LEVELS = 3000, LEVEL_BYTES = 2048 };
    gbl_Index *I = malloc(N * sizeof *I), *J = malloc(N * sizeof *J), found = 1;
    gbl_Scalar one = NULL;
    CHECK(I != NULL && J != NULL);
    for (gbl_Index v = 0; v + 1 < N; v++) {
        I[v] = v;
        J[v] = v + 1;
    }
    OK(gbl_Scalar_new(&one, GBL_BOOL));
    OK(gbl_Scalar_setElement_BOOL(one, true));
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    OK(gbl_Matrix_build_Scalar(A, I, J, one, N - 1));
    gbl_Vector q = t_new_vector(GBL_INT64, N), l = t_new_vector(GBL_INT64, N);
    gbl_Vector p = t_new_vector(GBL_INT64, N);
    OK(gbl_Vector_setElement_INT64(q, 7, 7));
    for (int64_t depth = 0; depth < LEVELS; depth++) {
        if (depth == WARM) asked = 0;
        OK(gbl_Vector_assign_INT64(l, q, NULL, depth, GBL_ALL, N, GBL_DESC_S));
        OK(gbl_Vector_assign(p, q, NULL, q, GBL_ALL, N, GBL_DESC_S));
        OK(gbl_vxm(q, p, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, q, A, GBL_DESC_RSC));
        OK(gbl_Vector_nvals(&found, q));
        CHECK_EQ(found, 1);
    }
    t_case("%llu bytes", (unsigned long long)asked);
    CHECK(asked < (uint64_t)LEVEL_BYTES * (LEVELS - WARM));
    OK(gbl_Vector_nvals(&found, p));
    CHECK_EQ(found, LEVELS);
    free(I);
    free(J);
    FREE(one, A, q, l, p);
}

/* A pull that is asked for looks at rows that its mask opens, however few the products are. */
Test(frontier_cost, a_masked_pull, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000 };
    gbl_Index *I = malloc(N * sizeof *I), *J = malloc(N * sizeof *J), found;
    gbl_Scalar one = NULL;
    gbl_Descriptor pull = NULL;
    CHECK(I != NULL && J != NULL);
    for (gbl_Index v = 0; v < N; v++) {
        I[v] = v;
        J[v] = (v + 5) % N;
    }
    OK(gbl_Scalar_new(&one, GBL_BOOL));
    OK(gbl_Scalar_setElement_BOOL(one, true));
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    OK(gbl_Matrix_build_Scalar(A, I, J, one, N));
    gbl_Vector q = t_new_vector(GBL_INT64, N), w = t_new_vector(GBL_INT64, N);
    gbl_Vector m = t_new_vector(GBL_BOOL, N);
    OK(gbl_Vector_setElement_INT64(q, 7, 7));
    OK(gbl_Vector_assign_BOOL(m, NULL, NULL, true, GBL_ALL, N, NULL));
    for (gbl_Index k = 0; k < 10; k++) OK(gbl_Vector_removeElement(m, k));
    OK(gbl_Descriptor_new(&pull));
    OK(gbl_Descriptor_set(pull, GBL_METHOD, GBL_METHOD_PULL));
    OK(gbl_Descriptor_set(pull, GBL_MASK, GBL_COMP));
    OK(gbl_Descriptor_set(pull, GBL_MASK, GBL_STRUCTURE));
    for (int round = 0; round < 3; round++) {
        if (round == 1) asked = 0;
        OK(gbl_mxv(w, m, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, A, q, pull));
        OK(gbl_Vector_nvals(&found, w));
        CHECK_EQ(found, 1);
    }
    t_case("%llu bytes", (unsigned long long)asked);
    CHECK(asked < N);
    free(I);
    free(J);
    FREE(one, A, q, w, m, pull);
}

static uint64_t sum_of(gbl_Vector v) {
    uint64_t sum = 0;
    OK(gbl_Vector_reduce_UINT64(&sum, NULL, GBL_PLUS_MONOID_UINT64, v, NULL));
    return sum;
}

/* The second of two rounds of a call asks for less than a byte for each position. */
#define CHEAP(call)                                                                                \
    for (int round = 0; round < 2; round++) {                                                      \
        asked = 0;                                                                                 \
        OK(call);                                                                                  \
        t_case("%s: %llu bytes", #call, (unsigned long long)asked);                                \
        CHECK(round == 0 || asked < N);                                                            \
    }

/* u is a list, f full: it was built of a value for each position, in some order. */
Test(frontier_cost, a_list_and_a_full_vector, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000, LISTED = 10 };
    gbl_Index *I = malloc(N * sizeof *I);
    uint64_t *X = malloc(N * sizeof *X);
    uint64_t whole = 0, few = 0;
    CHECK(I != NULL && X != NULL);
    gbl_Vector u = t_new_vector(GBL_UINT64, N), f = t_new_vector(GBL_UINT64, N);
    gbl_Vector w = t_new_vector(GBL_UINT64, N);
    for (gbl_Index k = 0; k < N; k++) {
        I[k] = k * 7 % N;
        X[k] = 3 + k % 11;
        whole += X[k];
    }
    OK(gbl_Vector_build_UINT64(f, I, X, N, NULL));
    for (gbl_Index k = 0; k < LISTED; k++) {
        OK(gbl_Vector_setElement_UINT64(u, 1 + k % 2, I[100 * k]));
        few += X[100 * k];
    }
    CHEAP(gbl_Vector_extract(w, u, NULL, f, GBL_ALL, N, GBL_DESC_RS));
    CHECK_EQ(sum_of(w), few);
    CHEAP(gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GBL_TIMES_UINT64, u, f, NULL));
    CHEAP(gbl_Vector_eWiseAdd_BinaryOp(f, NULL, NULL, GBL_MIN_UINT64, f, u, NULL));
    CHECK_EQ(sum_of(f), whole - few + sum_of(u));
    free(I);
    free(X);
    FREE(u, f, w);
}
