/* SPDX-License-Identifier: Apache-2.0
 *
 * GBL_BLOCKING: every call finishes its work. Updates are in the arrays when they return, whatever
 * the form of the object; those of sorted rows do not rewrite them; one that fails changes nothing.
 */
#include "support/gb_test.h"

#include "matrix/object.h"
#include "matrix/check.h"
#include "matrix/matrix.h"

#include <stdlib.h>

static void begin_mode(gbl_Mode mode) {
    t_counted_setup(mode);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
}

static void begin(void) {
    begin_mode(GBL_BLOCKING);
}

#define BLOCKING_TEST(name) Test(blocking, name, .init = begin, .fini = t_brutal_teardown)

/* A matrix or a vector has the content d; both are freed. */
static void expect_and_free(gbl_Matrix A, bool vector, o_Matrix *d) {
    gbl_Vector v = (gbl_Vector)(void *)A;
    if (vector) {
        t_expect_vector("v", d, v, 0);
        OK(gbl_Vector_free(&v));
    } else {
        t_expect("A", d, A, 0);
        OK(gbl_Matrix_free(&A));
    }
    o_free(d);
}

/* Of a matrix or a vector. */
static uint64_t pending_of(gbl_Matrix A) {
    gbl_Formats formats;
    gb_matrix_formats(&A->m, &formats);
    return formats.pending;
}

/* Leaves only one form: rows, columns (the list of a vector), or a vector's dense arrays. */
static void keep_form(gbl_Matrix A, int form) {
    gb_CsView view;
    gb_DenseView dense;
    if (form == 2) {
        OK(gb_acquire_dense(&A->m, &dense));
        gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    } else {
        OK(gb_acquire_sorted(&A->m, (gb_Format)form, &view));
        gb_matrix_keep_only(&A->m, gb_has_bit((gb_Format)form));
    }
}

typedef struct {
    int type; /* gbl_Type_Code */
    int form;
    double density;
    bool iso, vector;
} Start;

static void update(gbl_Matrix A, o_Matrix *d, t_Random *r, double removals) {
    const gbl_Index i = t_below(r, d->nrows), j = t_below(r, d->ncols);
    o_Cell *cell = &d->x[i * d->ncols + j];
    if (t_chance(r, removals)) {
        cell->has = false;
        OK(d->ncols == 1 ? gbl_Vector_removeElement((gbl_Vector)(void *)A, i)
                         : gbl_Matrix_removeElement(A, i, j));
    } else {
        *cell = (o_Cell){true, t_value(r, d->type)};
        OK(gb_matrix_check(&A->m));
        OK(d->ncols == 1 ? t_set_vector((gbl_Vector)(void *)A, d->type, &cell->v, i)
                         : t_set_matrix(A, d->type, &cell->v, i, j));
    }
}

static void check_updates(const Start *start) {
    t_Random r = t_random(7);
    o_Matrix d = t_generate(&r, &(t_Content){o_type(start->type), 30, start->vector ? 1 : 20,
                                             T_RANDOM, start->density, false, start->iso});
    gbl_Matrix A = start->vector ? (gbl_Matrix)(void *)t_vector(&d) : t_matrix(&d);
    if (start->density > 0) keep_form(A, start->form);
    for (int step = 0; step < 300; step++) {
        t_case("type %d, form %d, density %g, iso %d, vector %d, step %d", start->type, start->form,
               start->density, start->iso, start->vector, step);
        update(A, &d, &r, step < 150 ? 0.2 : 0.8);
        CHECK_EQ(pending_of(A), 0);
        OK(gb_matrix_check(&A->m));
    }
    expect_and_free(A, start->vector, &d);
}

BLOCKING_TEST(updates) {
    static const int types[] = {GBL_BOOL_CODE, GBL_INT32_CODE, GBL_FP64_CODE};
    for (size_t t = 0; t < T_COUNT(types); t++)
        for (int k = 0; k < 12; k++) {
            Start start = {.type = types[t], .form = k % 3, .iso = k >= 6};
            start.vector = start.form == 2 || (k / 3) % 2 == 1;
            if (start.vector && start.form == 0) start.form = 1;
            start.density = k % 4 == 3 ? 0.0 : 0.3;
            check_updates(&start);
        }
}

/* New entries of rows move what is there: neither the arrays nor anything else is made anew for
 * each, and the arrays grow by doubling. */
BLOCKING_TEST(insertions_allocate_rarely) {
    enum { N = 2000, SIDE = 100 };
    gbl_Matrix A = t_new_matrix(GBL_FP64, SIDE, SIDE);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 0));
    const int64_t before = t_requests();
    t_Random r = t_random(3);
    for (int k = 0; k < N; k++)
        OK(gbl_Matrix_setElement_FP64(A, (double)k, t_below(&r, SIDE), t_below(&r, SIDE)));
    CHECK(t_requests() - before < 64);
    OK(gb_matrix_check(&A->m));
    OK(gbl_Matrix_free(&A));
}

/* The n-th allocation fails: the object is as it was before the call, and nothing is pending. */
static void update_brutally(int64_t n, bool vector) {
    t_Random r = t_random(5);
    const o_Type type = o_type(GBL_INT32_CODE);
    o_Matrix d =
        t_generate(&r, &(t_Content){type, 30, vector ? 1 : 20, T_RANDOM, 0.2, false, true});
    gbl_Matrix A = vector ? (gbl_Matrix)(void *)t_vector(&d) : t_matrix(&d);
    if (vector) keep_form(A, 2);
    t_fail_at(n);
    for (int step = 0; step < 200; step++) {
        const gbl_Index i = t_below(&r, 30), j = vector ? 0 : t_below(&r, 20);
        o_Cell *cell = &d.x[i * d.ncols + j];
        const o_Value x = t_value(&r, type);
        const gbl_Info info = vector ? t_set_vector((gbl_Vector)(void *)A, type, &x, i)
                                     : t_set_matrix(A, type, &x, i, j);
        CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
        if (info == GBL_SUCCESS) *cell = (o_Cell){true, x};
        CHECK_EQ(pending_of(A), 0);
        OK(gb_matrix_check(&A->m));
    }
    t_fail_at(0);
    expect_and_free(A, vector, &d);
}

BLOCKING_TEST(no_memory) {
    for (int vector = 0; vector < 2; vector++)
        for (int64_t n = 1; n == 1 || t_failed(); n++) {
            t_case("allocation %lld, vector %d", (long long)n, vector);
            update_brutally(n, vector);
        }
}

/* Cells take a line in their places, and so do rows and columns where it is as long as before;
 * whatever the form, nothing waits. */
BLOCKING_TEST(lines) {
    for (uint64_t seed = 0; seed < 90; seed++) {
        t_Random r = t_random(seed);
        const o_Type type = o_type(GBL_FP64_CODE);
        o_Matrix d = t_generate(&r, &(t_Content){type, 30, 30, T_RANDOM, 0.9, false, seed % 9 > 6});
        gbl_Matrix A = t_matrix(&d);
        keep_form(A, (int)(seed % 3));
        for (int step = 0; step < 10; step++) {
            const bool is_row = t_chance(&r, 0.5);
            const gbl_Index line = t_below(&r, 30);
            o_Matrix u = t_generate(&r, &(t_Content){type, 30, 1, T_RANDOM,
                                                     t_chance(&r, 0.5) ? 0.9 : 0.2, false, false});
            for (gbl_Index k = 0; step % 2 == 0 && k < 30; k++)
                u.x[k].has = d.x[is_row ? line * 30 + k : k * 30 + line].has;
            gbl_Vector v = t_vector(&u);
            OK(is_row ? gbl_Row_assign(A, NULL, NULL, v, line, GBL_ALL, 30, NULL)
                      : gbl_Col_assign(A, NULL, NULL, v, GBL_ALL, 30, line, NULL));
            for (gbl_Index k = 0; k < 30; k++) d.x[is_row ? line * 30 + k : k * 30 + line] = u.x[k];
            CHECK_EQ(pending_of(A), 0);
            OK(gb_matrix_check(&A->m));
            FREE(v, u);
        }
        expect_and_free(A, false, &d);
    }
}

/* What was put off before the library was begun in blocking mode is done by the next update. */
Test(blocking, after_nonblocking) {
    begin_mode(GBL_NONBLOCKING);
    gbl_Matrix A = t_new_matrix(GBL_FP64, 4, 4);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 3, 3));
    CHECK_EQ(pending_of(A), 1);
    OK(gbl_finalize());
    begin_mode(GBL_BLOCKING);
    OK(gbl_Matrix_setElement_FP64(A, 2.0, 0, 3));
    CHECK_EQ(pending_of(A), 0);
    CHECK_EQ(t_nvals(A), 2);
    OK(gb_matrix_check(&A->m));
    OK(gbl_Matrix_free(&A));
    t_brutal_teardown();
}
