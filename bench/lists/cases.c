/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases: lists that are ranges, ascending or in any order, long beside the dimension and short, and
 * what is assigned by them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "lists/lists.h"

typedef enum { ALL, RANGE, ASCENDING, SHUFFLED } order;

/* One of `share` indices is listed. */
typedef struct {
    const char *name;
    lists_kind kind;
    order rows, columns;
    gbl_Index share;
} recipe;

static const recipe RECIPES[] = {
    {"extract, half of rows and columns, ascending", LISTS_EXTRACT, ASCENDING, ASCENDING, 2},
    {"extract, an eighth, ascending", LISTS_EXTRACT, ASCENDING, ASCENDING, 8},
    {"extract, a 512th, ascending", LISTS_EXTRACT, ASCENDING, ASCENDING, 512},
    {"extract, half, ranges", LISTS_EXTRACT, RANGE, RANGE, 2},
    {"extract, half of the rows, ascending", LISTS_EXTRACT, ASCENDING, ALL, 2},
    {"extract, half of the columns, ascending", LISTS_EXTRACT, ALL, ASCENDING, 2},
    {"extract, all, shuffled", LISTS_EXTRACT, SHUFFLED, SHUFFLED, 1},
    {"extract, half, shuffled", LISTS_EXTRACT, SHUFFLED, SHUFFLED, 2},
    {"extract rows one by one", LISTS_ROW, ASCENDING, ALL, 512},
    {"assign, half, ascending", LISTS_ASSIGN, ASCENDING, ASCENDING, 2},
    {"assign, an eighth, ascending", LISTS_ASSIGN, ASCENDING, ASCENDING, 8},
    {"assign, a 512th, ascending", LISTS_ASSIGN, ASCENDING, ASCENDING, 512},
    {"assign, half, ranges", LISTS_ASSIGN, RANGE, RANGE, 2},
    {"assign, half, shuffled", LISTS_ASSIGN, SHUFFLED, SHUFFLED, 2},
    {"assign, half of the rows, ascending", LISTS_ASSIGN, ASCENDING, ALL, 2},
    {"assign under a mask, half, ascending", LISTS_ASSIGN_MASK, ASCENDING, ASCENDING, 2},
    {"assign and add, half, ascending", LISTS_ACCUM, ASCENDING, ASCENDING, 2},
    {"assign and add, a 512th, ascending", LISTS_ACCUM, ASCENDING, ASCENDING, 512},
    {"assign a value, a 512th, ascending", LISTS_VALUE, ASCENDING, ASCENDING, 512},
    {"assign a row", LISTS_ROW_ASSIGN, ASCENDING, ALL, 0},
    {"assign rows one by one", LISTS_ROW_ASSIGN, ASCENDING, ALL, 512},
    {"assign to a full vector, half, ascending", LISTS_VECTOR, ASCENDING, ALL, 2},
    {"assign to a full vector, half, shuffled", LISTS_VECTOR, SHUFFLED, ALL, 2},
    {"assign to a full vector, a 512th, ascending", LISTS_VECTOR, ASCENDING, ALL, 512},
    {"assign a value to a full vector, a 512th", LISTS_VECTOR_VALUE, ASCENDING, ALL, 512},
    {"kronecker, times 3 x 3", LISTS_KRONECKER, ALL, ALL, 1},
    {"kronecker, 3 x 3 times", LISTS_KRONECKER_LEFT, ALL, ALL, 1},
};
enum { COUNT = sizeof RECIPES / sizeof *RECIPES };

static int by_size(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* *n of the indices below `dimension`; NULL for all or without memory, which then shows as such. */
static gbl_Index *list_of(order how, gbl_Index dimension, gbl_Index *n, uint64_t seed) {
    gbl_Index *list = malloc((*n + 1) * sizeof *list);
    uint32_t *chosen = malloc((dimension + 1) * sizeof *chosen);
    for (gbl_Index k = 0; chosen != NULL && k < dimension; k++) chosen[k] = (uint32_t)k;
    if (chosen != NULL && how != RANGE) bench_shuffle(chosen, dimension, *n, &seed);
    if (chosen != NULL && how == ASCENDING) qsort(chosen, *n, sizeof *chosen, by_size);
    for (gbl_Index k = 0; chosen != NULL && list != NULL && k < *n; k++)
        list[k] = how == RANGE ? dimension / 4 + k : chosen[k];
    free(chosen);
    return list;
}

static int set_lists(lists_case *of, const recipe *by) {
    const gbl_Index m = of->in->nrows, n = of->in->ncols;
    of->ni = by->rows == ALL ? m : by->share == 0 ? 1 : (m + by->share - 1) / by->share;
    of->nj = by->columns == ALL ? n : (n + by->share - 1) / by->share;
    if (by->rows != ALL && (of->I = list_of(by->rows, m, &of->ni, 7)) == NULL) return -1;
    if (by->columns != ALL && (of->J = list_of(by->columns, n, &of->nj, 11)) == NULL) return -1;
    return 0;
}

/* The same entries on both sides. */
static int mirror(GrB_Matrix *S, gbl_Matrix A) {
    gbl_Index m, n, nvals;
    int status = -1;
    if (bench_failed(gbl_Matrix_nrows(&m, A), "nrows")) return -1;
    if (bench_failed(gbl_Matrix_ncols(&n, A), "ncols")) return -1;
    if (bench_failed(gbl_Matrix_nvals(&nvals, A), "nvals")) return -1;
    gbl_Index *I = malloc((nvals + 1) * sizeof *I), *J = malloc((nvals + 1) * sizeof *J);
    double *X = malloc((nvals + 1) * sizeof *X);
    if (I == NULL || J == NULL || X == NULL) goto done;
    if (bench_failed(gbl_Matrix_extractTuples_FP64(I, J, X, &nvals, A), "tuples")) goto done;
    GrB_Info info = GrB_Matrix_new(S, GrB_FP64, m, n);
    if (info == GrB_SUCCESS) info = GrB_Matrix_build_FP64(*S, I, J, X, nvals, GrB_PLUS_FP64);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(*S, GrB_MATERIALIZE);
    status = peer_failed(info, "build") ? -1 : 0;
done:
    free(I);
    free(J);
    free(X);
    return status;
}

/* B: what A has at the same number of other rows and columns, with other values; or 3 x 3. */
static int set_operand(lists_case *of) {
    const bool small = of->kind == LISTS_KRONECKER || of->kind == LISTS_KRONECKER_LEFT;
    const gbl_Index m = small ? 3 : of->ni, n = small ? 3 : of->nj;
    gbl_Index *I = list_of(ASCENDING, of->in->nrows, &(gbl_Index){m}, 23);
    gbl_Index *J = list_of(ASCENDING, of->in->ncols, &(gbl_Index){n}, 29);
    int status = -1;
    gbl_Info info = gbl_Matrix_new(&of->B, GBL_FP64, m, n);
    if (I == NULL || J == NULL || bench_failed(info, "new")) goto done;
    if (small)
        info = gbl_Matrix_assign_FP64(of->B, NULL, NULL, 0.5, GBL_ALL, 3, GBL_ALL, 3, NULL);
    else
        info = gbl_Matrix_extract(of->B, NULL, NULL, of->in->A, I, m, J, n, NULL);
    if (info == GBL_SUCCESS) info = bench_set_values(of->B);
    if (!bench_failed(info, "operand")) status = mirror(&of->SB, of->B);
done:
    free(I);
    free(J);
    return status;
}

/* w full, and held so; u an element for each index listed; for a row of B its length. */
static int set_vectors(lists_case *of) {
    const bool is_row = of->kind == LISTS_ROW_ASSIGN;
    const gbl_Index n = is_row ? of->in->ncols : of->in->nrows, listed = is_row ? n : of->ni;
    const gbl_Index step = is_row ? 7 : 1;
    uint64_t state = 5;
    gbl_Info info = gbl_Vector_new(&of->w, GBL_FP64, n);
    GrB_Info other = GrB_Vector_new(&of->sw, GrB_FP64, n);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&of->u, GBL_FP64, listed);
    if (info == GBL_SUCCESS) info = gbl_Vector_assign_FP64(of->w, NULL, NULL, 1, GBL_ALL, n, NULL);
    if (other == GrB_SUCCESS) other = GrB_Vector_new(&of->su, GrB_FP64, listed);
    for (gbl_Index k = 0; k < n; k++) {
        const double x = (double)(1 + (bench_random(&state) >> 11)) * 0x1p-53;
        if (info == GBL_SUCCESS) info = gbl_Vector_setElement_FP64(of->w, x, k);
        if (other == GrB_SUCCESS) other = GrB_Vector_setElement_FP64(of->sw, x, k);
        if (k >= listed || k % step > 0) continue;
        if (info == GBL_SUCCESS) info = gbl_Vector_setElement_FP64(of->u, 2 * x, k);
        if (other == GrB_SUCCESS) other = GrB_Vector_setElement_FP64(of->su, 2 * x, k);
    }
    if (info == GBL_SUCCESS) info = gbl_Vector_wait(of->u, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS) info = gbl_Vector_wait(of->w, GBL_MATERIALIZE);
    if (other == GrB_SUCCESS) other = GrB_Vector_wait(of->su, GrB_MATERIALIZE);
    if (other == GrB_SUCCESS) other = GrB_Vector_wait(of->sw, GrB_MATERIALIZE);
    return bench_failed(info, "vector") || peer_failed(other, "vector") ? -1 : 0;
}

static void drop(lists_case *of) {
    free(of->I);
    free(of->J);
    gbl_Matrix_free(&of->B);
    GrB_Matrix_free(&of->SB);
    gbl_Vector_free(&of->u);
    gbl_Vector_free(&of->w);
    GrB_Vector_free(&of->su);
    GrB_Vector_free(&of->sw);
}

int lists_each(const peer_input *in, int (*visit)(void *context, lists_case *of), void *context) {
    int status = 0;
    for (int k = 0; k < COUNT && status == 0; k++) {
        lists_case of = {.name = RECIPES[k].name, .kind = RECIPES[k].kind, .in = in};
        const bool vectors = of.kind == LISTS_VECTOR || of.kind == LISTS_VECTOR_VALUE;
        const bool neither = of.kind == LISTS_EXTRACT || of.kind == LISTS_ROW;
        status = set_lists(&of, &RECIPES[k]);
        if (status == 0 && (vectors || of.kind == LISTS_ROW_ASSIGN)) status = set_vectors(&of);
        if (status == 0 && !vectors && !neither && of.kind != LISTS_VALUE)
            status = set_operand(&of);
        if (status == 0) status = visit(context, &of);
        drop(&of);
    }
    return status;
}
