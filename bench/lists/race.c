/* SPDX-License-Identifier: Apache-2.0
 *
 * One case by gblite and SuiteSparse. What is written to exists before the clock starts, as a copy
 * of the input where its content matters; the result is in its final form when it stops.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lists/lists.h"

typedef struct {
    const lists_case *of;
    gbl_Matrix C;
    gbl_Vector w;
    GrB_Matrix S;
    GrB_Vector sw;
} side;

static const double VALUE = 0.25;

static bool begins_as_input(lists_kind kind) {
    return kind == LISTS_ASSIGN || kind == LISTS_ASSIGN_MASK || kind == LISTS_ACCUM ||
           kind == LISTS_VALUE || kind == LISTS_ROW_ASSIGN;
}
static bool is_product(lists_kind kind) {
    return kind == LISTS_KRONECKER || kind == LISTS_KRONECKER_LEFT;
}
static bool is_vector(lists_kind kind) {
    return kind == LISTS_VECTOR || kind == LISTS_VECTOR_VALUE || kind == LISTS_ROW;
}

/* -- gblite */

static void reset_mine(void *context) {
    side *s = context;
    const lists_case *of = s->of;
    const gbl_Index times = is_product(of->kind) ? 3 : 1;
    gbl_Info info;
    gbl_Matrix_free(&s->C);
    gbl_Vector_free(&s->w);
    if (of->kind == LISTS_ROW)
        info = gbl_Vector_new(&s->w, GBL_FP64, of->in->ncols);
    else if (is_vector(of->kind))
        info = gbl_Vector_dup(&s->w, of->w);
    else if (begins_as_input(of->kind))
        info = gbl_Matrix_dup(&s->C, of->in->A);
    else
        info = gbl_Matrix_new(&s->C, GBL_FP64, times * of->ni, times * of->nj);
    bench_failed(info, "output");
}

static gbl_Info extract_rows(side *s) {
    const lists_case *of = s->of;
    gbl_Info info = GBL_SUCCESS;
    for (gbl_Index k = 0; k < of->ni && info == GBL_SUCCESS; k++)
        info = gbl_Col_extract(s->w, NULL, NULL, of->in->A, GBL_ALL, of->nj, of->I[k], GBL_DESC_T0);
    return info;
}

static gbl_Info assign_rows(side *s) {
    const lists_case *of = s->of;
    gbl_Info info = GBL_SUCCESS;
    for (gbl_Index k = 0; k < of->ni && info == GBL_SUCCESS; k++)
        info = gbl_Row_assign(s->C, NULL, NULL, of->u, of->I[k], GBL_ALL, of->nj, NULL);
    return info;
}

static gbl_Info do_mine(side *s) {
    const lists_case *of = s->of;
    const gbl_Index *I = of->I != NULL ? of->I : GBL_ALL, *J = of->J != NULL ? of->J : GBL_ALL;
    const gbl_Index ni = of->ni, nj = of->nj;
    gbl_Matrix A = of->in->A, B = of->B, C = s->C;
    switch (of->kind) {
    case LISTS_EXTRACT:
        return gbl_Matrix_extract(C, NULL, NULL, A, I, ni, J, nj, NULL);
    case LISTS_ROW:
        return extract_rows(s);
    case LISTS_ASSIGN:
        return gbl_Matrix_assign(C, NULL, NULL, B, I, ni, J, nj, NULL);
    case LISTS_ASSIGN_MASK:
        return gbl_Matrix_assign(C, A, NULL, B, I, ni, J, nj, GBL_DESC_S);
    case LISTS_ACCUM:
        return gbl_Matrix_assign(C, NULL, GBL_PLUS_FP64, B, I, ni, J, nj, NULL);
    case LISTS_VALUE:
        return gbl_Matrix_assign_FP64(C, NULL, NULL, VALUE, I, ni, J, nj, NULL);
    case LISTS_ROW_ASSIGN:
        return assign_rows(s);
    case LISTS_VECTOR:
        return gbl_Vector_assign(s->w, NULL, NULL, of->u, I, ni, NULL);
    case LISTS_VECTOR_VALUE:
        return gbl_Vector_assign_FP64(s->w, NULL, NULL, VALUE, I, ni, NULL);
    case LISTS_KRONECKER:
        return gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, B, NULL);
    default:
        return gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, B, A, NULL);
    }
}

static int run_mine(void *context) {
    side *s = context;
    gbl_Info info = do_mine(s);
    if (info == GBL_SUCCESS && s->C != NULL) info = gbl_Matrix_wait(s->C, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS && s->w != NULL) info = gbl_Vector_wait(s->w, GBL_MATERIALIZE);
    return bench_failed(info, s->of->name) ? -1 : 0;
}

/* -- SuiteSparse */

static void reset_other(void *context) {
    side *s = context;
    const lists_case *of = s->of;
    const gbl_Index times = is_product(of->kind) ? 3 : 1;
    GrB_Info info;
    GrB_Matrix_free(&s->S);
    GrB_Vector_free(&s->sw);
    if (of->kind == LISTS_ROW)
        info = GrB_Vector_new(&s->sw, GrB_FP64, of->in->ncols);
    else if (is_vector(of->kind))
        info = GrB_Vector_dup(&s->sw, of->sw);
    else if (begins_as_input(of->kind))
        info = GrB_Matrix_dup(&s->S, of->in->S);
    else
        info = GrB_Matrix_new(&s->S, GrB_FP64, times * of->ni, times * of->nj);
    peer_failed(info, "output");
}

static GrB_Info extract_rows_other(side *s) {
    const lists_case *of = s->of;
    GrB_Info info = GrB_SUCCESS;
    for (gbl_Index k = 0; k < of->ni && info == GrB_SUCCESS; k++)
        info =
            GrB_Col_extract(s->sw, NULL, NULL, of->in->S, GrB_ALL, of->nj, of->I[k], GrB_DESC_T0);
    return info;
}

static GrB_Info assign_rows_other(side *s) {
    const lists_case *of = s->of;
    GrB_Info info = GrB_SUCCESS;
    for (gbl_Index k = 0; k < of->ni && info == GrB_SUCCESS; k++)
        info = GrB_Row_assign(s->S, NULL, NULL, of->su, of->I[k], GrB_ALL, of->nj, NULL);
    return info;
}

static GrB_Info do_other(side *s) {
    const lists_case *of = s->of;
    const GrB_Index *I = of->I != NULL ? of->I : GrB_ALL, *J = of->J != NULL ? of->J : GrB_ALL;
    const gbl_Index ni = of->ni, nj = of->nj;
    GrB_Matrix A = of->in->S, B = of->SB, C = s->S;
    switch (of->kind) {
    case LISTS_EXTRACT:
        return GrB_Matrix_extract(C, NULL, NULL, A, I, ni, J, nj, NULL);
    case LISTS_ROW:
        return extract_rows_other(s);
    case LISTS_ASSIGN:
        return GrB_Matrix_assign(C, NULL, NULL, B, I, ni, J, nj, NULL);
    case LISTS_ASSIGN_MASK:
        return GrB_Matrix_assign(C, A, NULL, B, I, ni, J, nj, GrB_DESC_S);
    case LISTS_ACCUM:
        return GrB_Matrix_assign(C, NULL, GrB_PLUS_FP64, B, I, ni, J, nj, NULL);
    case LISTS_VALUE:
        return GrB_Matrix_assign_FP64(C, NULL, NULL, VALUE, I, ni, J, nj, NULL);
    case LISTS_ROW_ASSIGN:
        return assign_rows_other(s);
    case LISTS_VECTOR:
        return GrB_Vector_assign(s->sw, NULL, NULL, of->su, I, ni, NULL);
    case LISTS_VECTOR_VALUE:
        return GrB_Vector_assign_FP64(s->sw, NULL, NULL, VALUE, I, ni, NULL);
    case LISTS_KRONECKER:
        return GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_FP64, A, B, NULL);
    default:
        return GrB_Matrix_kronecker_BinaryOp(C, NULL, NULL, GrB_TIMES_FP64, B, A, NULL);
    }
}

static int run_other(void *context) {
    side *s = context;
    GrB_Info info = do_other(s);
    if (info == GrB_SUCCESS && s->S != NULL) info = GrB_Matrix_wait(s->S, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS && s->sw != NULL) info = GrB_Vector_wait(s->sw, GrB_MATERIALIZE);
    return peer_failed(info, s->of->name) ? -1 : 0;
}

/* -- whether they agree; the results go */

static bool equal_vectors(const side *mine, const side *other, uint64_t *nvals) {
    gbl_Index n = 0, m = 0;
    bool equal = false;
    if (bench_failed(gbl_Vector_nvals(&n, mine->w), "nvals")) return false;
    if (peer_failed(GrB_Vector_nvals(&m, other->sw), "nvals") || n != m) return false;
    gbl_Index *I = malloc((n + 1) * sizeof *I), *J = malloc((n + 1) * sizeof *J);
    double *X = malloc((n + 1) * sizeof *X), *Y = malloc((n + 1) * sizeof *Y);
    if (I != NULL && J != NULL && X != NULL && Y != NULL)
        equal = !bench_failed(gbl_Vector_extractTuples_FP64(I, X, &n, mine->w), "tuples") &&
                !peer_failed(GrB_Vector_extractTuples_FP64(J, Y, &m, other->sw), "tuples");
    for (gbl_Index k = 0; equal && k < n; k++) equal = I[k] == J[k] && X[k] == Y[k];
    free(I), free(J), free(X), free(Y);
    *nvals = n;
    return equal;
}

static bool agree(side *mine, side *other, uint64_t *nvals) {
    if (mine->w != NULL) return equal_vectors(mine, other, nvals);
    peer_csr csr = {.C = other->S};
    other->S = NULL;
    const bool equal = peer_take(&csr) == 0 && peer_equal(mine->C, &csr, PEER_FP64, nvals);
    peer_drop(&csr);
    return equal;
}

int lists_race(cJSON *object, lists_case *of, int rounds, double *ratio) {
    side mine = {.of = of}, other = {.of = of};
    bench_contender list[] = {{"gblite", run_mine, reset_mine, &mine, 0},
                              {"suitesparse", run_other, reset_other, &other, 0}};
    const bench_rules rules = {.rounds = rounds, .least = 3, .budget = 0.6};
    uint64_t nvals = 0;
    int status = bench_take_turns_by(&rules, list, 2) < 0 ? -1 : 0;
    if (status == 0 && !agree(&mine, &other, &nvals)) {
        fprintf(stderr, "lists: %s: %s: the results differ\n", of->in->name, of->name);
        status = -1;
    }
    *ratio = list[1].median / list[0].median;
    cJSON_AddStringToObject(object, "case", of->name);
    cJSON_AddNumberToObject(object, "result_entries", (double)nvals);
    cJSON_AddNumberToObject(object, "gblite", list[0].median);
    cJSON_AddNumberToObject(object, "suitesparse", list[1].median);
    gbl_Matrix_free(&mine.C);
    gbl_Vector_free(&mine.w);
    GrB_Matrix_free(&other.S);
    GrB_Vector_free(&other.sw);
    return status;
}
