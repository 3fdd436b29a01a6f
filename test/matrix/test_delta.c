/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates that are read beside the content, content and updates that duplicates share, and other
 * shapes: random calls on an object and its duplicates against the oracle. Objects are just large
 * enough for updates to wait while they are read.
 */
#include "support/gb_test.h"

#include "matrix/check.h"
#include "matrix/hold_dense.h"
#include "matrix/matrix.h"
#include "matrix/updates.h"

#include <stdlib.h>
#include <string.h>

enum { COPIES = 3, STEPS = 300 };

typedef struct {
    gbl_Matrix g;
    o_Matrix d;
} Pair;

typedef enum { BY_ROWS, BY_COLUMNS, BY_BOTH, DENSE, ONE_VALUE, FORMS } Form;

static Pair begin(t_Random *r, Form form) {
    const t_Content content = {o_type(GBL_FP64_CODE), 64, 70, T_RANDOM, 0.6, false,
                               form == ONE_VALUE};
    Pair p = {NULL, t_generate(r, &content)};
    gb_CsView view;
    p.g = t_matrix(&p.d);
    if (form == DENSE) {
        hold_dense(p.g);
        return p;
    }
    OK(gb_acquire_sorted(&p.g->m, form == BY_COLUMNS ? GB_CSC : GB_CSR, &view));
    if (form == BY_BOTH) OK(gb_acquire_sorted(&p.g->m, GB_CSC, &view));
    gb_matrix_keep_only(&p.g->m, form == BY_BOTH      ? GBL_HAS_CSR | GBL_HAS_CSC
                                 : form == BY_COLUMNS ? GBL_HAS_CSC
                                                      : GBL_HAS_CSR);
    return p;
}

static void end(Pair *p) {
    OK(gbl_Matrix_free(&p->g));
    o_free(&p->d);
    *p = (Pair){0};
}

static void update(Pair *p, t_Random *r) {
    const gbl_Index i = t_below(r, p->d.nrows), j = t_below(r, p->d.ncols);
    o_Cell *cell = &p->d.x[i * p->d.ncols + j];
    if (t_chance(r, 0.5)) {
        cell->has = false;
        OK(gbl_Matrix_removeElement(p->g, i, j));
    } else {
        *cell = (o_Cell){true, t_value(r, p->d.type)};
        OK(t_set_matrix(p->g, p->d.type, &cell->v, i, j));
    }
}

static void look(const Pair *p, t_Random *r) {
    gbl_Index nvals, wanted = 0;
    double x;
    const gbl_Index i = t_below(r, p->d.nrows), j = t_below(r, p->d.ncols);
    for (gbl_Index k = 0; k < p->d.nrows * p->d.ncols; k++) wanted += p->d.x[k].has;
    OK(gbl_Matrix_nvals(&nvals, p->g));
    CHECK_EQ(nvals, wanted);
    CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, p->g, i, j),
             p->d.x[i * p->d.ncols + j].has ? GBL_SUCCESS : GBL_NO_VALUE);
}

/* A product by few rows has the bits of that with a copy whose updates are folded. */
static void multiply(const Pair *p, t_Random *r) {
    enum { MOST = 200 };
    gbl_Vector u, w[2];
    gbl_Matrix folded;
    gbl_Index I[2][MOST], n[2] = {MOST, MOST};
    double X[2][MOST];
    OK(gbl_Vector_new(&u, GBL_FP64, p->d.nrows));
    for (int k = 0; k < 2; k++)
        OK(gbl_Vector_setElement_FP64(u, 1.0 / (1 + k), t_below(r, p->d.nrows)));
    OK(gbl_Vector_wait(u, GBL_MATERIALIZE));
    OK(gbl_Matrix_dup(&folded, p->g));
    OK(gbl_Matrix_wait(folded, GBL_MATERIALIZE));
    for (int k = 0; k < 2; k++) {
        memset(X[k], 0, sizeof X[k]);
        OK(gbl_Vector_new(&w[k], GBL_FP64, p->d.ncols));
        OK(gbl_vxm(w[k], NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, k == 0 ? p->g : folded,
                   NULL));
        OK(gbl_Vector_extractTuples_FP64(I[k], X[k], &n[k], w[k]));
        OK(gbl_Vector_free(&w[k]));
    }
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(I[0], I[1], n[0] * sizeof I[0][0]) == 0);
    CHECK(memcmp(X[0], X[1], n[0] * sizeof X[0][0]) == 0);
    OK(gbl_Vector_free(&u));
    OK(gbl_Matrix_free(&folded));
}

/* By a few rows and columns, in each direction. */
static void resize(Pair *p, t_Random *r) {
    const gbl_Index n = p->d.nrows + t_below(r, 3), m = p->d.ncols + t_below(r, 2);
    const gbl_Index rows = t_chance(r, 0.3) ? n - 4 : n, cols = t_chance(r, 0.2) ? m - 3 : m;
    o_Matrix other = o_new(p->d.type, rows, cols);
    for (gbl_Index i = 0; i < p->d.nrows && i < rows; i++)
        for (gbl_Index j = 0; j < p->d.ncols && j < cols; j++)
            other.x[i * cols + j] = p->d.x[i * p->d.ncols + j];
    o_free(&p->d);
    p->d = other;
    OK(gbl_Matrix_resize(p->g, rows, cols));
}

static void copy(Pair *to, const Pair *from) {
    if (to->g != NULL) end(to);
    OK(gbl_Matrix_dup(&to->g, from->g));
    to->d = o_copy(&from->d);
}

/* In place, if nobody else has the values. */
static void negate(Pair *p) {
    OK(gbl_Matrix_apply(p->g, NULL, NULL, GBL_AINV_FP64, p->g, NULL));
    for (gbl_Index k = 0; k < p->d.nrows * p->d.ncols; k++)
        if (p->d.x[k].has) p->d.x[k].v.f64 = -p->d.x[k].v.f64;
}

static void walk(uint64_t seed, Form form) {
    t_Random r = t_random(seed);
    Pair p[COPIES] = {begin(&r, form)};
    for (int step = 0; step < STEPS; step++) {
        Pair *at = &p[t_below(&r, COPIES)];
        const uint64_t what = t_below(&r, 20);
        t_case("seed %llu form %d step %d: %llu", (unsigned long long)seed, (int)form, step,
               (unsigned long long)what);
        if (at->g == NULL || what == 0)
            copy(&p[1 + t_below(&r, COPIES - 1)], &p[0]);
        else if (what < 10)
            update(at, &r);
        else if (what < 15)
            look(at, &r);
        else if (what < 17)
            multiply(at, &r);
        else if (what == 17)
            resize(at, &r);
        else if (what == 18)
            negate(at);
        else if (t_chance(&r, 0.3))
            OK(gbl_Matrix_wait(at->g, GBL_COMPLETE));
        for (int k = 0; k < COPIES; k++)
            if (p[k].g != NULL) OK(gb_matrix_check(&p[k].g->m));
    }
    for (int k = 0; k < COPIES; k++) {
        if (p[k].g == NULL) continue;
        t_expect("A", &p[k].d, p[k].g, 0);
        end(&p[k]);
    }
}

GB_TEST(delta, walk) {
    for (uint64_t seed = 0; seed < 3; seed++)
        for (Form form = BY_ROWS; form < FORMS; form++) walk(seed, form);
}

/* Few updates wait while they are read, but for removals of what is not there; a read of the whole
 * folds them. */
GB_TEST(delta, waits) {
    t_Random r = t_random(1);
    Pair p = begin(&r, BY_ROWS);
    gbl_Formats formats;
    gbl_Index waiting = 0;
    for (int k = 0; k < 10; k++) {
        gbl_Index i = t_below(&r, 64), j = t_below(&r, 70);
        waiting += p.d.x[i * 70 + j].has;
        p.d.x[i * 70 + j].has = false;
        OK(gbl_Matrix_removeElement(p.g, i, j));
        look(&p, &r);
    }
    OK(gbl_Matrix_formats(&formats, p.g));
    CHECK(waiting > 0 && formats.pending >= waiting && formats.pending < 10);
    t_expect("A", &p.d, p.g, 0);
    OK(gbl_Matrix_formats(&formats, p.g));
    CHECK_EQ(formats.pending, 0);
    end(&p);
}

/* Another value for an entry that waits is no further update, but beside a duplicate. */
GB_TEST(delta, overwrites) {
    t_Random r = t_random(3);
    Pair p = begin(&r, BY_ROWS), copy_of_p = {0};
    gbl_Formats formats;
    gbl_Index nvals, I[] = {3, 3, 7}, J[] = {2, 5, 5};
    o_Cell *first = &p.d.x[3 * 70 + 2];
    for (int k = 0; k < 3; k++) OK(gbl_Matrix_removeElement(p.g, I[k], J[k]));
    OK(gbl_Matrix_wait(p.g, GBL_COMPLETE));
    for (int round = 0; round < 5; round++) {
        for (int k = 0; k < 3; k++) {
            p.d.x[I[k] * 70 + J[k]] = (o_Cell){true, {.f64 = round + k}};
            OK(gbl_Matrix_setElement_FP64(p.g, round + k, I[k], J[k]));
        }
        OK(gbl_Matrix_nvals(&nvals, p.g));
        OK(gbl_Matrix_formats(&formats, p.g));
        CHECK_EQ(formats.pending, 3);
        OK(gb_matrix_check(&p.g->m));
    }
    copy(&copy_of_p, &p);
    first->v.f64 = -1;
    OK(gbl_Matrix_setElement_FP64(p.g, -1, 3, 2));
    OK(gbl_Matrix_formats(&formats, p.g));
    CHECK_EQ(formats.pending, 4);
    t_expect("copy", &copy_of_p.d, copy_of_p.g, 0);
    t_expect("A", &p.d, p.g, 0);
    end(&copy_of_p);
    end(&p);
}

/* So too where a vector of few entries and the result could be hypersparse. */
GB_TEST(delta, waits_at_long_dimensions) {
    enum { N = 1 << 15, ENTRIES = 3 * N, UPDATES = 20 };
    t_Random r = t_random(2);
    gbl_Index *I = malloc(ENTRIES * sizeof *I), n = 0;
    gbl_Index *J = malloc(ENTRIES * sizeof *J);
    double *X = malloc(ENTRIES * sizeof *X);
    gbl_Matrix A = t_new_matrix(GBL_FP64, N, N);
    gbl_Vector u, w;
    gbl_Formats formats;
    CHECK(I != NULL && J != NULL && X != NULL);
    for (int k = 0; k < ENTRIES; k++) {
        I[k] = t_below(&r, N);
        J[k] = t_below(&r, N);
        X[k] = k;
    }
    OK(gbl_Matrix_build_FP64(A, I, J, X, ENTRIES, GBL_PLUS_FP64));
    OK(gbl_Vector_new(&u, GBL_FP64, N));
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    OK(gbl_Vector_setElement_FP64(u, 1, 5));
    for (int k = 0; k < UPDATES; k++) {
        OK(gbl_Matrix_setElement_FP64(A, 1, 5, t_below(&r, N)));
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
        OK(gbl_Vector_nvals(&n, w));
        CHECK(n > (gbl_Index)k / 2);
    }
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.pending > 0);
    free(I);
    free(J);
    free(X);
    FREE(A, u, w);
}
