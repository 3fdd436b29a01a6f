/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse times full, and full times sparse: A is the input, B has an entry at every place.
 */
#include "jobs/both/both.h"

#include "harness/values.h"

/* SuiteSparse finds by itself that all entries are there. */
static GrB_Info build_full(GrB_Matrix *B, GrB_Index rows, GrB_Index columns) {
    const GrB_Index n = rows * columns;
    GrB_Index *I = malloc((n + 1) * sizeof *I), *J = malloc((n + 1) * sizeof *J);
    double *X = malloc((n + 1) * sizeof *X);
    uint64_t state = rows + columns;
    GrB_Info info = I && J && X ? GrB_Matrix_new(B, GrB_FP64, rows, columns) : GrB_OUT_OF_MEMORY;
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < n; k++) {
        I[k] = k / columns;
        J[k] = k % columns;
        X[k] = bench_unit(&state);
    }
    if (info == GrB_SUCCESS) info = GrB_Matrix_build_FP64(*B, I, J, X, n, GrB_PLUS_FP64);
    free(I);
    free(J);
    free(X);
    return info == GrB_SUCCESS ? GrB_Matrix_wait(*B, GrB_MATERIALIZE) : info;
}

static int load(side_work *w) {
    const side_task *t = w->task;
#ifdef BOTH_GBLITE
    TRY(gbl_Descriptor_new(&w->desc));
    if (w->row->of[0]) TRY(gbl_Descriptor_set(w->desc, GBL_METHOD, GBL_METHOD_ROWWISE));
#endif
    return t->left ? build_full(&w->B, t->count, t->in->nrows)
                   : build_full(&w->B, t->in->ncols, t->count);
}

static int renew(side_work *w) {
    return GrB_Matrix_free(&w->C);
}

static int call(side_work *w) {
    const side_task *t = w->task;
    const GrB_Index rows = t->left ? t->count : t->in->nrows;
    const GrB_Index columns = t->left ? t->in->ncols : t->count;
    const GrB_Matrix left = t->left ? w->B : w->in, right = t->left ? w->in : w->B;
    TRY(GrB_Matrix_new(&w->C, GrB_FP64, rows, columns));
    TRY(GrB_mxm(w->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, left, right, w->desc));
    return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
}

static const side_row FULL[] = {ROW("spmm", load, renew, call, side_close, 0),
                                ROW("rowwise", load, renew, call, side_close, 1)};
ROWS(full, FULL);
