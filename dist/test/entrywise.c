/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on blocks and pieces, transposition, reduction, assignment.
 */
#include "dist_test.h"

/* Operands of one shape, of this process and of all. */
typedef struct {
    gbl_Matrix A, B, C, M, T; /* T: the shape transposed */
    gbl_DistMatrix a, b, c, m, t;
} Set;

static Set new_set(const char *const specs[5]) {
    Set s;
    s.A = t_make(GBL_INT64, specs[0]);
    s.B = t_make(GBL_INT64, specs[1]);
    s.C = t_make(GBL_INT64, specs[2]);
    s.M = t_make(GBL_BOOL, specs[3]);
    s.T = t_make(GBL_INT64, specs[4]);
    s.a = t_spread(s.A);
    s.b = t_spread(s.B);
    s.c = t_spread(s.C);
    s.m = t_spread(s.M);
    s.t = t_spread(s.T);
    return s;
}

static void free_set(Set *s) {
    gbl_Matrix *local[] = {&s->A, &s->B, &s->C, &s->M, &s->T};
    gbl_DistMatrix *all[] = {&s->a, &s->b, &s->c, &s->m, &s->t};
    for (int k = 0; k < 5; k++) {
        OK(gbl_Matrix_free(local[k]));
        OK(gbl_DistMatrix_free(all[k]));
    }
}

static void unions(Set *s) {
    OK(gbl_Matrix_eWiseAdd_BinaryOp(s->C, NULL, NULL, GBL_MINUS_INT64, s->A, s->B, NULL));
    OK(gbl_DistMatrix_eWiseAdd(s->c, NULL, NULL, GBL_MINUS_INT64, s->a, s->b, NULL));
    t_compare(s->c, s->C, 0, "eWiseAdd");
    OK(gbl_Matrix_eWiseMult_BinaryOp(s->C, s->M, GBL_PLUS_INT64, GBL_TIMES_INT64, s->A, s->T,
                                     GBL_DESC_ST1));
    OK(gbl_DistMatrix_eWiseMult(s->c, s->m, GBL_PLUS_INT64, GBL_TIMES_INT64, s->a, s->t,
                                GBL_DESC_ST1));
    t_compare(s->c, s->C, 0, "eWiseMult");
    OK(gbl_Matrix_apply(s->C, s->M, NULL, GBL_AINV_INT64, s->A, GBL_DESC_RSC));
    OK(gbl_DistMatrix_apply(s->c, s->m, NULL, GBL_AINV_INT64, s->a, GBL_DESC_RSC));
    t_compare(s->c, s->C, 0, "apply");
    OK(gbl_Matrix_apply(s->C, NULL, GBL_MAX_INT64, GBL_AINV_INT64, s->T, GBL_DESC_T0));
    OK(gbl_DistMatrix_apply(s->c, NULL, GBL_MAX_INT64, GBL_AINV_INT64, s->t, GBL_DESC_T0));
    t_compare(s->c, s->C, 0, "apply, transposed");
}

static void positions(Set *s) {
    const gbl_IndexUnaryOp at[] = {GBL_ROWINDEX_INT64, GBL_COLINDEX_INT64, GBL_DIAGINDEX_INT64};
    const gbl_IndexUnaryOp of[] = {GBL_TRIL,  GBL_TRIU,  GBL_DIAG,  GBL_OFFDIAG,      GBL_ROWLE,
                                   GBL_ROWGT, GBL_COLLE, GBL_COLGT, GBL_VALUEGT_INT64};
    gbl_Scalar y = t_scalar_INT64(3);
    for (int k = 0; k < 3; k++) {
        OK(gbl_Matrix_apply_IndexOp_Scalar(s->C, NULL, NULL, at[k], s->A, y, NULL));
        OK(gbl_DistMatrix_apply_IndexOp(s->c, NULL, NULL, at[k], s->a, y, NULL));
        t_compare(s->c, s->C, 0, "apply by position");
    }
    for (int k = 0; k < 9; k++) {
        OK(gbl_Matrix_select_Scalar(s->C, NULL, NULL, of[k], s->A, y, NULL));
        OK(gbl_DistMatrix_select(s->c, NULL, NULL, of[k], s->a, y, NULL));
        t_compare(s->c, s->C, 0, "select");
        OK(gbl_Matrix_select_Scalar(s->C, s->M, NULL, of[k], s->T, y, GBL_DESC_ST0));
        OK(gbl_DistMatrix_select(s->c, s->m, NULL, of[k], s->t, y, GBL_DESC_ST0));
        t_compare(s->c, s->C, 0, "select, transposed");
    }
    OK(gbl_Scalar_clear(y));
    CHECK(gbl_DistMatrix_select(s->c, NULL, NULL, GBL_TRIL, s->a, y, NULL) == GBL_EMPTY_OBJECT);
    OK(gbl_Scalar_free(&y));
}

static void transposed(Set *s) {
    OK(gbl_transpose(s->T, NULL, NULL, s->A, NULL));
    OK(gbl_DistMatrix_transpose(s->t, NULL, NULL, s->a, NULL));
    t_compare(s->t, s->T, 0, "transpose");
    OK(gbl_transpose(s->C, s->M, GBL_PLUS_INT64, s->T, NULL));
    OK(gbl_DistMatrix_transpose(s->c, s->m, GBL_PLUS_INT64, s->t, NULL));
    t_compare(s->c, s->C, 0, "masked transpose");
    OK(gbl_transpose(s->C, s->M, NULL, s->A, GBL_DESC_CT0));
    OK(gbl_DistMatrix_transpose(s->c, s->m, NULL, s->a, GBL_DESC_CT0));
    t_compare(s->c, s->C, 0, "transpose, twice");
}

static void assigned(Set *s) {
    gbl_Scalar x = t_scalar_INT64(11);
    OK(gbl_Matrix_assign(s->C, s->M, NULL, s->B, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_R));
    OK(gbl_DistMatrix_assign(s->c, s->m, NULL, s->b, GBL_DESC_R));
    t_compare(s->c, s->C, 0, "assign");
    OK(gbl_Matrix_assign_Scalar(s->C, s->M, NULL, x, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
    OK(gbl_DistMatrix_assign_Scalar(s->c, s->m, NULL, x, GBL_DESC_S));
    t_compare(s->c, s->C, 0, "assign a value");
    OK(gbl_Scalar_free(&x));
}

static void reduced(Set *s) {
    gbl_Index nrows, ncols;
    int64_t wanted, got = 0;
    OK(gbl_Matrix_nrows(&nrows, s->A));
    OK(gbl_Matrix_ncols(&ncols, s->A));
    gbl_Vector rows = t_vector(GBL_INT64, nrows, 2, 1), cols = t_vector(GBL_INT64, ncols, 2, 1);
    gbl_DistVector r = t_spread_vector(rows), c = t_spread_vector(cols);
    OK(gbl_Matrix_reduce_Monoid(rows, NULL, GBL_MINUS_INT64, GBL_PLUS_MONOID_INT64, s->A, NULL));
    OK(gbl_DistMatrix_reduce_rows(r, NULL, GBL_MINUS_INT64, GBL_PLUS_MONOID_INT64, s->a, NULL));
    t_compare_vector(r, rows, 0, "sums of rows");
    OK(gbl_Matrix_reduce_Monoid(cols, NULL, NULL, GBL_MAX_MONOID_INT64, s->A, GBL_DESC_T0));
    OK(gbl_DistMatrix_reduce_rows(c, NULL, NULL, GBL_MAX_MONOID_INT64, s->a, GBL_DESC_T0));
    t_compare_vector(c, cols, 0, "sums of columns");
    gbl_Scalar sum = t_scalar_INT64(1000);
    OK(gbl_Matrix_reduce_INT64(&wanted, NULL, GBL_PLUS_MONOID_INT64, s->A, NULL));
    OK(gbl_DistMatrix_reduce(sum, GBL_PLUS_INT64, GBL_PLUS_MONOID_INT64, s->a));
    OK(gbl_Scalar_extractElement_INT64(&got, sum));
    CHECK(got == wanted + 1000);
    OK(gbl_Vector_reduce_INT64(&wanted, NULL, GBL_MIN_MONOID_INT64, rows, NULL));
    OK(gbl_DistVector_reduce(sum, NULL, GBL_MIN_MONOID_INT64, r));
    OK(gbl_Scalar_extractElement_INT64(&got, sum));
    CHECK(got == wanted);
    OK(gbl_Scalar_free(&sum));
    OK(gbl_DistVector_free(&r));
    OK(gbl_DistVector_free(&c));
    OK(gbl_Vector_free(&rows));
    OK(gbl_Vector_free(&cols));
}

static void vectors(gbl_Index n) {
    gbl_Vector u = t_vector(GBL_INT64, n, 2, 1), v = t_vector(GBL_INT64, n, 3, 2);
    gbl_Vector w = t_vector(GBL_INT64, n, 5, 3), m = t_vector(GBL_BOOL, n, 2, 4);
    gbl_DistVector du = t_spread_vector(u), dv = t_spread_vector(v), dw = t_spread_vector(w);
    gbl_DistVector dm = t_spread_vector(m);
    gbl_Scalar y = t_scalar_INT64(4);
    gbl_DistMatrix d;
    gbl_Matrix D;
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, m, GBL_PLUS_INT64, GBL_MINUS_INT64, u, v, GBL_DESC_RSC));
    OK(gbl_DistVector_eWiseAdd(dw, dm, GBL_PLUS_INT64, GBL_MINUS_INT64, du, dv, GBL_DESC_RSC));
    t_compare_vector(dw, w, 0, "eWiseAdd of vectors");
    OK(gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GBL_TIMES_INT64, u, v, NULL));
    OK(gbl_DistVector_eWiseMult(dw, NULL, NULL, GBL_TIMES_INT64, du, dv, NULL));
    t_compare_vector(dw, w, 0, "eWiseMult of vectors");
    OK(gbl_Vector_apply_IndexOp_Scalar(w, NULL, NULL, GBL_ROWINDEX_INT64, u, y, NULL));
    OK(gbl_DistVector_apply_IndexOp(dw, NULL, NULL, GBL_ROWINDEX_INT64, du, y, NULL));
    t_compare_vector(dw, w, 0, "positions of vectors");
    OK(gbl_Vector_select_Scalar(w, NULL, NULL, GBL_VALUEGT_INT64, u, y, NULL));
    OK(gbl_DistVector_select(dw, NULL, NULL, GBL_VALUEGT_INT64, du, y, NULL));
    t_compare_vector(dw, w, 0, "select of vectors");
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_AINV_INT64, u, NULL));
    OK(gbl_DistVector_apply(dw, NULL, NULL, GBL_AINV_INT64, du, NULL));
    OK(gbl_Vector_assign(w, m, NULL, v, GBL_ALL, n, GBL_DESC_S));
    OK(gbl_DistVector_assign(dw, dm, NULL, dv, GBL_DESC_S));
    t_compare_vector(dw, w, 0, "assign of vectors");
    OK(gbl_Vector_assign_Scalar(w, m, NULL, y, GBL_ALL, n, GBL_DESC_SC));
    OK(gbl_DistVector_assign_Scalar(dw, dm, NULL, y, GBL_DESC_SC));
    t_compare_vector(dw, w, 0, "assign of a value");
    OK(gbl_DistMatrix_diag(&d, du));
    OK(gbl_Matrix_diag(&D, u, 0));
    t_compare(d, D, 0, "diagonal");
    OK(gbl_DistMatrix_free(&d));
    OK(gbl_Matrix_free(&D));
    OK(gbl_Scalar_free(&y));
    gbl_Vector *local[] = {&u, &v, &w, &m};
    gbl_DistVector *all[] = {&du, &dv, &dw, &dm};
    for (int k = 0; k < 4; k++) {
        OK(gbl_Vector_free(local[k]));
        OK(gbl_DistVector_free(all[k]));
    }
}

void test_entrywise(void) {
    static const char *const shapes[][5] = {
        {"er:6:9", "er:6:7:2", "er:6:4:3", "er:6:9:4", "er:6:8:5"},
        {"rect:40:23:6", "rect:40:23:5:2", "rect:40:23:4:3", "rect:40:23:9:4", "rect:23:40:9:5"},
        {"rect:2:1:1", "rect:2:1:1:2", "rect:2:1:1:3", "rect:2:1:1:4", "rect:1:2:1:5"}};
    for (int k = 0; k < 3; k++) {
        Set s = new_set(shapes[k]);
        unions(&s);
        positions(&s);
        transposed(&s);
        assigned(&s);
        reduced(&s);
        free_set(&s);
    }
    vectors(100);
    vectors(3);
}
