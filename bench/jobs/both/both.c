/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of a row, its runs, and its results as tuples.
 */
#include "jobs/both/both.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/values.h"
#ifndef BOTH_GBLITE
#include "peers/suitesparse.h"
#endif

/* For messages. */
static const char *name_of(const side_work *w) {
    return w->task->variant != NULL ? w->task->variant->name : w->row->name;
}

static int failed(GrB_Info info, const char *what) {
#ifdef BOTH_GBLITE
    return bench_failed(info, what) ? -1 : 0;
#else
    return peer_failed(info, what) ? -1 : 0;
#endif
}

GrB_Info BOTH(finish)(GrB_Matrix C) {
    double first;
    TRY(GrB_Matrix_wait(C, GrB_MATERIALIZE));
#ifdef BOTH_GBLITE /* C is wanted in CSR, not in tiles: a look at one entry converts it */
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&first, C, 0, 0);
    return info == GrB_NO_VALUE ? GrB_SUCCESS : info;
#else
    (void)first;
    return GrB_SUCCESS;
#endif
}

GrB_Info BOTH(finish_vector)(GrB_Vector w) {
    return GrB_Vector_wait(w, GrB_MATERIALIZE);
}

GrB_Info BOTH(spread)(GrB_Vector *v, GrB_Index n, GrB_Index entries, uint64_t seed) {
    TRY(GrB_Vector_new(v, GrB_FP64, n));
    for (GrB_Index k = 0; k < entries; k++)
        TRY(GrB_Vector_setElement_FP64(*v, bench_unit(&seed), k * n / entries));
    return BOTH(finish_vector)(*v);
}

GrB_Info BOTH(new_sparse)(GrB_Matrix *C, GrB_Type type, GrB_Index nrows, GrB_Index ncols) {
    TRY(GrB_Matrix_new(C, type, nrows, ncols));
#ifdef BOTH_GBLITE
    return GrB_SUCCESS;
#else
    return peer_keep_sparse(*C);
#endif
}

static void close(side_work *w) {
    if (w == NULL) return;
    GrB_Matrix *matrices[] = {&w->A, &w->B, &w->M, &w->C};
    GrB_Vector *vectors[] = {&w->u, &w->m, &w->w, &w->f};
    for (int k = 0; k < 4; k++) GrB_Matrix_free(matrices[k]);
    for (int k = 0; k < 4; k++) GrB_Vector_free(vectors[k]);
    GrB_Descriptor_free(&w->desc);
    GrB_Semiring_free(&w->made);
    GrB_Monoid_free(&w->monoid);
    GrB_Monoid_free(&w->of_ring);
    GrB_BinaryOp *operators[] = {&w->plus, &w->times, &w->add};
    for (int k = 0; k < 3; k++) GrB_BinaryOp_free(operators[k]);
    GrB_Type_free(&w->type);
    free(w->I);
    free(w->J);
    free(w->X);
    free(w);
}

static side_work *open(const side_row *row, const side_task *task) {
    side_work *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->row = row;
    w->task = task;
#ifdef BOTH_GBLITE
    w->how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    if (task->in != NULL) w->in = task->in->A;
#else
    if (task->in != NULL) w->in = task->in->S;
#endif
    if (row->load == NULL || failed(row->load(w), name_of(w)) == 0) return w;
    close(w);
    return NULL;
}

static int renew(side_work *w) {
    return w->row->renew == NULL ? 0 : failed(w->row->renew(w), name_of(w));
}

static int run(side_work *w) {
    return failed(w->row->call(w), name_of(w));
}

static int attempt(side_work *w, char *why_not, size_t size) {
    const GrB_Info info = w->row->call(w);
    if (info == GrB_SUCCESS) return 1;
#ifdef BOTH_GBLITE
    if (w->task->variant != NULL && w->task->variant->method != GBL_DEFAULT &&
        (info == GrB_INVALID_VALUE || info == GrB_OUT_OF_MEMORY)) {
        snprintf(why_not, size, "%s", gbl_last_error());
        return 0;
    }
#endif
    (void)why_not, (void)size;
    failed(info, name_of(w));
    return -1;
}

static int64_t entries(side_work *w) {
    GrB_Index n = 0;
    if (w->C == NULL || w->exported || w->counted) return 0;
    return failed(GrB_Matrix_nvals(&n, w->C), "nvals") == 0 ? (int64_t)n : -1;
}

static GrB_Info take_tuples(side_tuples *t, GrB_Matrix C) {
    GrB_Index n = 0;
    TRY(GrB_Matrix_nvals(&n, C));
    if (!side_tuples_new(t, n)) return GrB_OUT_OF_MEMORY;
    return GrB_Matrix_extractTuples_FP64(t->I, t->J, t->X, &t->n, C);
}

/* *part = C(rows, :) with values of FP64, as tuples have them; to be freed also after a failure. */
static GrB_Info copy_rows(GrB_Matrix *part, GrB_Matrix C, const GrB_Index *rows, GrB_Index n) {
    GrB_Index ncols = 0;
    TRY(GrB_Matrix_ncols(&ncols, C));
    TRY(GrB_Matrix_new(part, GrB_FP64, n, ncols));
    return GrB_Matrix_extract(*part, NULL, NULL, C, rows, n, GrB_ALL, ncols, NULL);
}

/* Row numbers count from the first one of the part. */
static GrB_Info take_matrix(side_tuples *t, GrB_Matrix C, side_part of) {
    GrB_Index nrows = 0;
    if (of.slabs == 1) return take_tuples(t, C);
    TRY(GrB_Matrix_nrows(&nrows, C));
    const GrB_Index from = nrows * of.slab / of.slabs, to = nrows * (of.slab + 1) / of.slabs;
    GrB_Index *rows = malloc((to - from + 1) * sizeof *rows);
    if (rows == NULL) return GrB_OUT_OF_MEMORY;
    for (GrB_Index i = from; i < to; i++) rows[i - from] = i;
    GrB_Matrix part = NULL;
    GrB_Info info = copy_rows(&part, C, rows, to - from);
    if (info == GrB_SUCCESS) info = take_tuples(t, part);
    GrB_Matrix_free(&part);
    free(rows);
    return info;
}

static GrB_Info take_vector(side_tuples *t, GrB_Vector w) {
    TRY(GrB_Vector_nvals(&t->n, w));
    t->I = malloc((t->n + 1) * sizeof *t->I);
    t->X = malloc((t->n + 1) * sizeof *t->X);
    if (t->I == NULL || t->X == NULL) return GrB_OUT_OF_MEMORY;
    return GrB_Vector_extractTuples_FP64(t->I, t->X, &t->n, w);
}

/* Exported tuples move; matrices and vectors stay. */
static int take(side_work *w, side_part part, side_result *r) {
    *r = (side_result){.count = w->count};
    if (w->exported) {
        r->part[SIDE_C] = (side_tuples){w->nj, w->I, w->J, w->X};
        w->I = w->J = NULL;
        w->X = NULL;
        return 0;
    }
    if (w->counted) {
        GrB_Index *n = &r->part[SIDE_W].n;
        return failed(w->C ? GrB_Matrix_nvals(n, w->C) : GrB_Vector_nvals(n, w->w), "nvals");
    }
    GrB_Info info = GrB_SUCCESS;
    if (w->C != NULL) info = take_matrix(&r->part[SIDE_C], w->C, part);
    if (info == GrB_SUCCESS && w->w != NULL) info = take_vector(&r->part[SIDE_W], w->w);
    if (info == GrB_SUCCESS && w->f != NULL) info = take_vector(&r->part[SIDE_F], w->f);
    if (info == GrB_SUCCESS && w->u != NULL) info = take_vector(&r->part[SIDE_U], w->u);
    return failed(info, "tuples");
}

#ifdef BOTH_GBLITE
static gbl_Explanation explain(side_work *w) {
    if (w->how.method != NULL && w->how.method[0] != '\0') return w->how;
    if (w->C != NULL)
        failed(gbl_Matrix_explain(&w->how, w->C), "explain");
    else if (w->w != NULL)
        failed(gbl_Vector_explain(&w->how, w->w), "explain");
    return w->how;
}
const side_library GBLITE_SIDE = {"gblite", open, renew,   run,  attempt,
                                  entries,  take, explain, NULL, close};
#else
const side_library SUITESPARSE_SIDE = {"suitesparse", open, renew, run,  attempt,
                                       entries,       take, NULL,  NULL, close};
#endif
