/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on few entries takes memory by the entries, not by the dimension: every operation on vectors
 * of the largest dimension, with an allocator that refuses blocks of more than 64 KB (an array as
 * long as the dimension has 4 GB or more). Matrices of that many rows are held by columns. And the
 * n-th allocation fails, for every n.
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

/* ------------------------------------------------------------------ the n-th allocation fails --
 */

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
        t_fail_at(n);
        const gbl_Info info = call(&o);
        failed = t_failed();
        t_fail_at(0);
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
