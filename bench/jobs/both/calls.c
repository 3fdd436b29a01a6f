/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call costs beside its work: calls on a 10 x 10 matrix with three diagonals (28 entries),
 * FP64, plus-times; and planning of products of under 10,000 flops. Nothing deferred is left
 * behind: results are waited for.
 */
#include "jobs/both/both.h"

enum { N = 10, MOST = 3 * N };
#define SEMIRING GrB_PLUS_TIMES_SEMIRING_FP64

static GrB_Index tuples_of(GrB_Index *I, GrB_Index *J, double *X) {
    GrB_Index n = 0;
    for (GrB_Index i = 0; i < N; i++)
        for (GrB_Index j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, n++) {
            I[n] = i;
            J[n] = j;
            X[n] = 1.0 / (double)(1 + i + j);
        }
    return n;
}

static GrB_Info fill(GrB_Matrix A) {
    GrB_Index I[MOST], J[MOST];
    double X[MOST];
    const GrB_Index n = tuples_of(I, J, X);
    TRY(GrB_Matrix_build_FP64(A, I, J, X, n, GrB_PLUS_FP64));
    return GrB_Matrix_wait(A, GrB_MATERIALIZE);
}

static int load(side_work *w) {
    TRY(GrB_Matrix_new(&w->A, GrB_FP64, N, N));
    TRY(fill(w->A));
    TRY(GrB_Matrix_dup(&w->M, w->A));
    TRY(GrB_Matrix_new(&w->C, GrB_FP64, N, N));
    TRY(GrB_Vector_new(&w->u, GrB_FP64, N));
    TRY(GrB_Vector_new(&w->w, GrB_FP64, N));
    for (GrB_Index i = 0; i < N; i++) TRY(GrB_Vector_setElement_FP64(w->u, 1.0, i));
    return BOTH(finish_vector)(w->u);
}

MATRIX_CALL(mxm, C, GrB_mxm(w->C, NULL, NULL, SEMIRING, w->A, w->A, NULL))
MATRIX_CALL(mxm_masked, C, GrB_mxm(w->C, w->M, NULL, SEMIRING, w->A, w->A, GrB_DESC_RS))
VECTOR_CALL(mxv, w, GrB_mxv(w->w, NULL, NULL, SEMIRING, w->A, w->u, NULL))
VECTOR_CALL(vxm, w, GrB_vxm(w->w, NULL, NULL, SEMIRING, w->u, w->A, NULL))
MATRIX_CALL(add, C, GrB_Matrix_eWiseAdd_BinaryOp(w->C, NULL, NULL, GrB_PLUS_FP64, w->A, w->M, NULL))
MATRIX_CALL(multiply, C,
            GrB_Matrix_eWiseMult_BinaryOp(w->C, NULL, NULL, GrB_TIMES_FP64, w->A, w->M, NULL))
MATRIX_CALL(apply, C, GrB_Matrix_apply(w->C, NULL, NULL, GrB_AINV_FP64, w->A, NULL))
MATRIX_CALL(select_lower, C, GrB_Matrix_select_INT64(w->C, NULL, NULL, GrB_TRIL, w->A, 0, NULL))
MATRIX_CALL(transpose, C, GrB_transpose(w->C, NULL, NULL, w->A, NULL))

static int reduce(side_work *w) {
    double sum = 0;
    return GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w->A, NULL);
}

VECTOR_CALL(reduce_rows, w,
            GrB_Matrix_reduce_Monoid(w->w, NULL, NULL, GrB_PLUS_MONOID_FP64, w->A, NULL))

static int new_matrix(side_work *w) {
    GrB_Matrix fresh = NULL;
    (void)w;
    TRY(GrB_Matrix_new(&fresh, GrB_FP64, N, N));
    return GrB_Matrix_free(&fresh);
}

static int new_vector(side_work *w) {
    GrB_Vector fresh = NULL;
    (void)w;
    TRY(GrB_Vector_new(&fresh, GrB_FP64, N));
    return GrB_Vector_free(&fresh);
}

static int dup_matrix(side_work *w) {
    GrB_Matrix fresh = NULL;
    TRY(GrB_Matrix_dup(&fresh, w->A));
    return GrB_Matrix_free(&fresh);
}

static int build(side_work *w) {
    GrB_Matrix fresh = NULL;
    (void)w;
    TRY(GrB_Matrix_new(&fresh, GrB_FP64, N, N));
    TRY(fill(fresh));
    return GrB_Matrix_free(&fresh);
}

static int nvals(side_work *w) {
    GrB_Index n;
    return GrB_Matrix_nvals(&n, w->A);
}

static int extract_element(side_work *w) {
    double x;
    return GrB_Matrix_extractElement_FP64(&x, w->A, 5, 5);
}

MATRIX_CALL(set_element, M, GrB_Matrix_setElement_FP64(w->M, 2.0, 5, 5))

static int set_elements(side_work *w) {
    GrB_Index I[MOST], J[MOST];
    double X[MOST];
    const GrB_Index n = tuples_of(I, J, X);
    TRY(GrB_Matrix_clear(w->C));
    for (GrB_Index k = 0; k < n; k++) TRY(GrB_Matrix_setElement_FP64(w->C, X[k], I[k], J[k]));
    return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
}

static int extract_tuples(side_work *w) {
    GrB_Index I[MOST], J[MOST], n = MOST;
    double X[MOST];
    return GrB_Matrix_extractTuples_FP64(I, J, X, &n, w->A);
}

/* -- planning, by gblite alone */

#ifdef BOTH_GBLITE
/* All positions (i, j) of an n x n matrix with |i - j| < width, and a matrix for A * A. */
static int load_band(side_work *w) {
    const GrB_Index n = (GrB_Index)w->row->of[0], width = (GrB_Index)w->row->of[1];
    TRY(GrB_Matrix_new(&w->A, GrB_FP64, n, n));
    TRY(GrB_Matrix_new(&w->C, GrB_FP64, n, n));
    for (GrB_Index i = 0; i < n; i++)
        for (GrB_Index j = i + 1 > width ? i + 1 - width : 0; j < i + width && j < n; j++)
            TRY(GrB_Matrix_setElement_FP64(w->A, 1.0 / (double)(1 + i + j), i, j));
    return GrB_Matrix_wait(w->A, GrB_MATERIALIZE);
}

static int plan(side_work *w) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    return gbl_mxm_plan(&how, w->C, NULL, NULL, SEMIRING, w->A, w->A, NULL);
}
#else
#define load_band NULL
#define plan NULL
#endif

#define CALL(text, function) ROW(text, load, NULL, function, side_close, 0)
#define PLAN(text, n, width) ROW(text, load_band, NULL, plan, side_close, n, width)
static const side_row CALLS[] = {
    CALL("mxm", mxm),
    CALL("mxm with a mask", mxm_masked),
    PLAN("mxm_plan, 82 flops", N, 2),
    PLAN("mxm_plan, 9261 flops of 441 entries", 21, 21),
    PLAN("mxm_plan, 9890 flops of 3298 entries", 1100, 2),
    CALL("mxv", mxv),
    CALL("vxm", vxm),
    CALL("eWiseAdd", add),
    CALL("eWiseMult", multiply),
    CALL("apply", apply),
    CALL("select", select_lower),
    CALL("transpose", transpose),
    CALL("reduce to a scalar", reduce),
    CALL("reduce to a vector", reduce_rows),
    CALL("Matrix_new and free", new_matrix),
    CALL("Vector_new and free", new_vector),
    CALL("Matrix_dup and free", dup_matrix),
    CALL("Matrix_build of 28 tuples and free", build),
    CALL("Matrix_nvals", nvals),
    CALL("Matrix_extractElement", extract_element),
    CALL("Matrix_setElement of an entry that is there", set_element),
    CALL("Matrix_setElement of 28 new entries, and wait", set_elements),
    CALL("Matrix_extractTuples of 28", extract_tuples)};
ROWS(calls, CALLS);
