/* SPDX-License-Identifier: Apache-2.0
 *
 * See huge.h. Values travel as INT64, which all types of these tests cast to and from.
 */
#include "support/huge.h"

#include <stdlib.h>

t_Scatter t_scatter(t_Random *r, gbl_Index small, gbl_Index n) {
    t_Scatter s = {.small = small, .n = n};
    cr_assert(small <= T_HUGE_MOST);
    for (gbl_Index k = 0; k < small; k++) { /* one in each part of the dimension */
        const gbl_Index part = n / small;
        s.at[k] = k * part + t_below(r, part);
    }
    if (small > 1 && t_chance(r, 0.5)) s.at[0] = 0;
    if (small > 1 && t_chance(r, 0.5)) s.at[small - 1] = n - 1;
    return s;
}

t_Scatter t_same_places(gbl_Index small) {
    t_Scatter s = {.small = small, .n = small};
    for (gbl_Index k = 0; k < small; k++) s.at[k] = k;
    return s;
}

typedef struct {
    gbl_Index n, *I, *J;
    int64_t *X;
} Tuples;

static Tuples room(gbl_Index n) {
    const size_t bytes = (n + 1) * sizeof(gbl_Index);
    return (Tuples){n, malloc(bytes), malloc(bytes), malloc(bytes)};
}

static void release(Tuples *t) {
    free(t->I);
    free(t->J);
    free(t->X);
}

static Tuples tuples_of(gbl_Matrix A) {
    gbl_Index n;
    OK(gbl_Matrix_nvals(&n, A));
    Tuples t = room(n);
    OK(gbl_Matrix_extractTuples_INT64(t.I, t.J, t.X, &t.n, A));
    return t;
}

static Tuples tuples_of_vector(gbl_Vector v) {
    gbl_Index n;
    OK(gbl_Vector_nvals(&n, v));
    Tuples t = room(n);
    OK(gbl_Vector_extractTuples_INT64(t.I, t.X, &t.n, v));
    return t;
}

static void scatter(gbl_Index *list, gbl_Index n, const t_Scatter *s) {
    for (gbl_Index k = 0; k < n; k++) list[k] = s->at[list[k]];
}

gbl_Matrix t_twin(gbl_Matrix A, const t_Scatter *rows, const t_Scatter *cols) {
    gbl_Type type;
    OK(gbl_Matrix_type(&type, A));
    gbl_Matrix twin = t_new_matrix(type, rows->n, cols->n);
    Tuples t = tuples_of(A);
    scatter(t.I, t.n, rows);
    scatter(t.J, t.n, cols);
    OK(gbl_Matrix_build_INT64(twin, t.I, t.J, t.X, t.n, NULL));
    release(&t);
    return twin;
}

gbl_Vector t_twin_vector(gbl_Vector v, const t_Scatter *places) {
    gbl_Type type;
    OK(gbl_Vector_type(&type, v));
    gbl_Vector twin = t_new_vector(type, places->n);
    Tuples t = tuples_of_vector(v);
    scatter(t.I, t.n, places);
    OK(gbl_Vector_build_INT64(twin, t.I, t.X, t.n, NULL));
    release(&t);
    return twin;
}

static void expect_same(const Tuples *expected, const Tuples *found, bool vector) {
    CHECK_EQ(found->n, expected->n);
    for (gbl_Index k = 0; k < expected->n; k++) {
        CHECK_EQ(found->I[k], expected->I[k]);
        if (!vector) CHECK_EQ(found->J[k], expected->J[k]);
        CHECK_EQ(found->X[k], expected->X[k]);
    }
}

void t_expect_twin(gbl_Matrix small, gbl_Matrix huge, const t_Scatter *rows,
                   const t_Scatter *cols) {
    Tuples expected = tuples_of(small), found = tuples_of(huge);
    gbl_Index nrows, ncols;
    OK(gbl_Matrix_nrows(&nrows, huge));
    OK(gbl_Matrix_ncols(&ncols, huge));
    CHECK_EQ(nrows, rows->n);
    CHECK_EQ(ncols, cols->n);
    scatter(expected.I, expected.n, rows);
    scatter(expected.J, expected.n, cols);
    expect_same(&expected, &found, false);
    release(&expected);
    release(&found);
}

void t_expect_twin_vector(gbl_Vector small, gbl_Vector huge, const t_Scatter *places) {
    Tuples expected = tuples_of_vector(small), found = tuples_of_vector(huge);
    gbl_Index size;
    OK(gbl_Vector_size(&size, huge));
    CHECK_EQ(size, places->n);
    scatter(expected.I, expected.n, places);
    expect_same(&expected, &found, true);
    release(&expected);
    release(&found);
}

t_Twins t_twins(t_Random *r, const t_Scatter *rows, const t_Scatter *cols, double density) {
    o_Matrix D = t_generate(r, &(t_Content){o_type(GBL_INT64_CODE), rows->small, cols->small,
                                            T_RANDOM, density, false, false});
    t_Twins p = {*rows, *cols, t_matrix(&D), NULL};
    p.H = t_twin(p.A, rows, cols);
    o_free(&D);
    return p;
}

void t_twins_free(t_Twins *p) {
    gbl_Matrix_free(&p->A);
    gbl_Matrix_free(&p->H);
}

t_TwinVectors t_twin_vectors(t_Random *r, const t_Scatter *places, double density) {
    o_Matrix D = t_generate(
        r, &(t_Content){o_type(GBL_INT64_CODE), places->small, 1, T_RANDOM, density, false, false});
    t_TwinVectors p = {.v = t_vector(&D)};
    p.h = t_twin_vector(p.v, places);
    o_free(&D);
    return p;
}

void t_twin_vectors_free(t_TwinVectors *p) {
    FREE(p->v, p->h);
}
