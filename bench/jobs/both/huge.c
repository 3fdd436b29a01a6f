/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps on a matrix of random entries, n x n: of a pattern's compact indices, or of its huge ones.
 */
#include "jobs/both/both.h"

static const side_indices *indices_of(const side_task *t) {
    return t->huge ? &t->pattern->huge : &t->pattern->compact;
}

static GrB_Index n_of(const side_task *t) {
    return indices_of(t)->n;
}

static int renew(side_work *w) {
    GrB_Matrix_free(&w->C);
    return GrB_Vector_free(&w->w);
}

static GrB_Info build_into(GrB_Matrix *A, const side_task *t) {
    const side_pattern *p = t->pattern;
    const side_indices *x = indices_of(t);
    TRY(GrB_Matrix_new(A, GrB_FP64, x->n, x->n));
    TRY(GrB_Matrix_build_FP64(*A, x->I, x->J, p->X, p->entries, GrB_PLUS_FP64));
    return GrB_Matrix_wait(*A, GrB_MATERIALIZE);
}

static int load(side_work *w) {
    return build_into(&w->A, w->task);
}

static int build(side_work *w) {
    return build_into(&w->C, w->task);
}

static int reduce(side_work *w) {
    TRY(GrB_Vector_new(&w->w, GrB_FP64, n_of(w->task)));
    TRY(GrB_Matrix_reduce_Monoid(w->w, NULL, NULL, GrB_PLUS_MONOID_FP64, w->A, NULL));
    return BOTH(finish_vector)(w->w);
}

/* One of so many of the list. */
static int extract(side_work *w) {
    const GrB_Index n = w->task->pattern->most / (GrB_Index)w->row->of[0];
    const GrB_Index *list = indices_of(w->task)->list;
    TRY(GrB_Matrix_new(&w->C, GrB_FP64, n, n));
    TRY(GrB_Matrix_extract(w->C, NULL, NULL, w->A, list, n, list, n, NULL));
    return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
}

static int load_export(side_work *w) {
    const size_t n = w->task->pattern->entries + 1;
    TRY(load(w));
    w->I = malloc(n * sizeof *w->I);
    w->J = malloc(n * sizeof *w->J);
    w->X = malloc(n * sizeof *w->X);
    w->exported = true;
    return w->I != NULL && w->J != NULL && w->X != NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
}

static int export(side_work *w) {
    w->nj = w->task->pattern->entries;
    return GrB_Matrix_extractTuples_FP64(w->I, w->J, w->X, &w->nj, w->A);
}

static int multiply(side_work *w) {
    TRY(GrB_Matrix_new(&w->C, GrB_FP64, n_of(w->task), n_of(w->task)));
    TRY(GrB_mxm(w->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->A, w->A, NULL));
    return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
}

/* SuiteSparse 7.4 takes minutes for the long list. */
#ifdef BOTH_GBLITE
#define LONG_EXTRACT extract
#else
#define LONG_EXTRACT NULL
#endif
static const side_row STEPS[] = {ROW("build", NULL, renew, build, side_close, 0),
                                 ROW("reduce rows", load, renew, reduce, side_close, 0),
                                 ROW("extract a tenth", load, renew, LONG_EXTRACT, side_close, 1),
                                 ROW("extract a 10000th", load, renew, extract, side_close, 1000),
                                 ROW("export", load_export, NULL, export, side_close, 0),
                                 ROW("multiply", load, renew, multiply, side_close, 0)};
ROWS(huge, STEPS);
