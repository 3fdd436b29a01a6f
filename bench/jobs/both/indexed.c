/* SPDX-License-Identifier: Apache-2.0
 *
 * Extract and assign by lists of indices that are ranges, ascending or in any order, long beside
 * the dimension and short; Kronecker products. What is written to exists before the clock starts,
 * as a copy of the input where its content matters.
 */
#include "jobs/both/both.h"

#include "harness/values.h"

typedef enum { ALL, RANGE, ASCENDING, SHUFFLED } order;
static const double VALUE = 0.25;

/* Numbers of a row: how rows and columns are listed, and one of how many; 0: one row. */
enum { ROWS_BY, COLUMNS_BY, SHARE };

/* The first `count` of all n numbers become a random choice of them. */
static void shuffle(uint32_t *x, uint64_t n, uint64_t count, uint64_t *state) {
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t other = k + bench_random(state) % (n - k);
        const uint32_t held = x[k];
        x[k] = x[other];
        x[other] = held;
    }
}

/* n of the indices below `dimension`; NULL without memory. */
static GrB_Index *list_of(order how, GrB_Index dimension, GrB_Index n, uint64_t seed) {
    GrB_Index *list = malloc((n + 1) * sizeof *list);
    uint32_t *chosen = malloc((dimension + 1) * sizeof *chosen);
    for (GrB_Index k = 0; chosen != NULL && k < dimension; k++) chosen[k] = (uint32_t)k;
    if (chosen != NULL && how != RANGE) shuffle(chosen, dimension, n, &seed);
    if (chosen != NULL && how == ASCENDING) qsort(chosen, n, sizeof *chosen, bench_by_number);
    for (GrB_Index k = 0; chosen != NULL && list != NULL && k < n; k++)
        list[k] = how == RANGE ? dimension / 4 + k : chosen[k];
    free(chosen);
    return list;
}

static int load_lists(side_work *w) {
    const GrB_Index m = w->task->in->nrows, n = w->task->in->ncols;
    const order rows = (order)w->row->of[ROWS_BY], columns = (order)w->row->of[COLUMNS_BY];
    const GrB_Index share = (GrB_Index)w->row->of[SHARE];
    w->ni = rows == ALL ? m : share == 0 ? 1 : (m + share - 1) / share;
    w->nj = columns == ALL ? n : (n + share - 1) / share;
    if (rows != ALL && (w->I = list_of(rows, m, w->ni, 7)) == NULL) return GrB_OUT_OF_MEMORY;
    if (columns != ALL && (w->J = list_of(columns, n, w->nj, 11)) == NULL) return GrB_OUT_OF_MEMORY;
    return GrB_SUCCESS;
}

/* B: what A has at the same number of other rows and columns. */
static GrB_Info load_operand(side_work *w) {
    GrB_Index *I = list_of(ASCENDING, w->task->in->nrows, w->ni, 23);
    GrB_Index *J = list_of(ASCENDING, w->task->in->ncols, w->nj, 29);
    GrB_Info info = GrB_Matrix_new(&w->B, GrB_FP64, w->ni, w->nj);
    if (I == NULL || J == NULL) info = GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_extract(w->B, NULL, NULL, w->in, I, w->ni, J, w->nj, NULL);
    free(I);
    free(J);
    return info == GrB_SUCCESS ? GrB_Matrix_wait(w->B, GrB_MATERIALIZE) : info;
}

static int load_assign(side_work *w) {
    TRY(load_lists(w));
    return load_operand(w);
}

/* m: a full vector to begin with; u: values for the `listed` first indices, or one of so many. */
static GrB_Info load_vectors(side_work *w, GrB_Index n, GrB_Index listed, GrB_Index step) {
    TRY(BOTH(spread)(&w->m, n, n, 5));
    return BOTH(spread)(&w->u, listed, (listed + step - 1) / step, 7);
}

static int load_vector(side_work *w) {
    TRY(load_lists(w));
    return load_vectors(w, w->task->in->nrows, w->ni, 1);
}

static int load_row(side_work *w) {
    TRY(load_lists(w));
    return load_vectors(w, w->task->in->ncols, w->task->in->ncols, 7);
}

static int load_kronecker(side_work *w) {
    TRY(load_lists(w));
    TRY(GrB_Matrix_new(&w->B, GrB_FP64, 3, 3));
    for (GrB_Index k = 0; k < 9; k++)
        TRY(GrB_Matrix_setElement_FP64(w->B, 1.0 / (double)(k + 1), k / 3, k % 3));
    return GrB_Matrix_wait(w->B, GrB_MATERIALIZE);
}

/* -- what is written to */

static int renew_listed(side_work *w) {
    GrB_Matrix_free(&w->C);
    return GrB_Matrix_new(&w->C, GrB_FP64, w->ni, w->nj);
}

static int renew_kronecker(side_work *w) {
    GrB_Matrix_free(&w->C);
    return GrB_Matrix_new(&w->C, GrB_FP64, 3 * w->ni, 3 * w->nj);
}

static int renew_copy(side_work *w) {
    GrB_Matrix_free(&w->C);
    return GrB_Matrix_dup(&w->C, w->in);
}

static int renew_row(side_work *w) {
    GrB_Vector_free(&w->w);
    return GrB_Vector_new(&w->w, GrB_FP64, w->nj);
}

static int renew_full(side_work *w) {
    GrB_Vector_free(&w->w);
    return GrB_Vector_dup(&w->w, w->m);
}

/* -- calls */

#define LISTS (w->I != NULL ? w->I : GrB_ALL), w->ni, (w->J != NULL ? w->J : GrB_ALL), w->nj

MATRIX_CALL(extract, C, GrB_Matrix_extract(w->C, NULL, NULL, w->in, LISTS, NULL))

static int extract_rows(side_work *w) {
    for (GrB_Index k = 0; k < w->ni; k++)
        TRY(GrB_Col_extract(w->w, NULL, NULL, w->in, GrB_ALL, w->nj, w->I[k], GrB_DESC_T0));
    return BOTH(finish_vector)(w->w);
}

MATRIX_CALL(assign, C, GrB_Matrix_assign(w->C, NULL, NULL, w->B, LISTS, NULL))
MATRIX_CALL(assign_masked, C, GrB_Matrix_assign(w->C, w->in, NULL, w->B, LISTS, GrB_DESC_S))
MATRIX_CALL(accumulate, C, GrB_Matrix_assign(w->C, NULL, GrB_PLUS_FP64, w->B, LISTS, NULL))
MATRIX_CALL(assign_value, C, GrB_Matrix_assign_FP64(w->C, NULL, NULL, VALUE, LISTS, NULL))

static int assign_rows(side_work *w) {
    for (GrB_Index k = 0; k < w->ni; k++)
        TRY(GrB_Row_assign(w->C, NULL, NULL, w->u, w->I[k], GrB_ALL, w->nj, NULL));
    return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
}

VECTOR_CALL(assign_vector, w, GrB_Vector_assign(w->w, NULL, NULL, w->u, w->I, w->ni, NULL))
VECTOR_CALL(assign_vector_value, w,
            GrB_Vector_assign_FP64(w->w, NULL, NULL, VALUE, w->I, w->ni, NULL))
MATRIX_CALL(kronecker, C,
            GrB_Matrix_kronecker_BinaryOp(w->C, NULL, NULL, GrB_TIMES_FP64, w->in, w->B, NULL))
MATRIX_CALL(kronecker_left, C,
            GrB_Matrix_kronecker_BinaryOp(w->C, NULL, NULL, GrB_TIMES_FP64, w->B, w->in, NULL))

#define LISTED_ROW(text, load, renew, call, ...)                                                   \
    ROW(text, load, renew, call, side_same, __VA_ARGS__)
#define EXTRACT(text, ...) LISTED_ROW(text, load_lists, renew_listed, extract, __VA_ARGS__)
#define ASSIGN(text, call, ...) LISTED_ROW(text, load_assign, renew_copy, call, __VA_ARGS__)
#define VECTOR(text, call, rows, share)                                                            \
    LISTED_ROW(text, load_vector, renew_full, call, rows, ALL, share)
#define KRONECKER(text, call) LISTED_ROW(text, load_kronecker, renew_kronecker, call, ALL, ALL, 1)

static const side_row LISTED[] = {
    EXTRACT("extract, half of rows and columns, ascending", ASCENDING, ASCENDING, 2),
    EXTRACT("extract, an eighth, ascending", ASCENDING, ASCENDING, 8),
    EXTRACT("extract, a 512th, ascending", ASCENDING, ASCENDING, 512),
    EXTRACT("extract, half, ranges", RANGE, RANGE, 2),
    EXTRACT("extract, half of the rows, ascending", ASCENDING, ALL, 2),
    EXTRACT("extract, half of the columns, ascending", ALL, ASCENDING, 2),
    EXTRACT("extract, all, shuffled", SHUFFLED, SHUFFLED, 1),
    EXTRACT("extract, half, shuffled", SHUFFLED, SHUFFLED, 2),
    LISTED_ROW("extract rows one by one", load_lists, renew_row, extract_rows, ASCENDING, ALL, 512),
    ASSIGN("assign, half, ascending", assign, ASCENDING, ASCENDING, 2),
    ASSIGN("assign, an eighth, ascending", assign, ASCENDING, ASCENDING, 8),
    ASSIGN("assign, a 512th, ascending", assign, ASCENDING, ASCENDING, 512),
    ASSIGN("assign, half, ranges", assign, RANGE, RANGE, 2),
    ASSIGN("assign, half, shuffled", assign, SHUFFLED, SHUFFLED, 2),
    ASSIGN("assign, half of the rows, ascending", assign, ASCENDING, ALL, 2),
    ASSIGN("assign under a mask, half, ascending", assign_masked, ASCENDING, ASCENDING, 2),
    ASSIGN("assign and add, half, ascending", accumulate, ASCENDING, ASCENDING, 2),
    ASSIGN("assign and add, a 512th, ascending", accumulate, ASCENDING, ASCENDING, 512),
    LISTED_ROW("assign a value, a 512th, ascending", load_lists, renew_copy, assign_value,
               ASCENDING, ASCENDING, 512),
    LISTED_ROW("assign a row", load_row, renew_copy, assign_rows, ASCENDING, ALL, 0),
    LISTED_ROW("assign rows one by one", load_row, renew_copy, assign_rows, ASCENDING, ALL, 512),
    VECTOR("assign to a full vector, half, ascending", assign_vector, ASCENDING, 2),
    VECTOR("assign to a full vector, half, shuffled", assign_vector, SHUFFLED, 2),
    VECTOR("assign to a full vector, a 512th, ascending", assign_vector, ASCENDING, 512),
    VECTOR("assign a value to a full vector, a 512th", assign_vector_value, ASCENDING, 512),
    KRONECKER("kronecker, times 3 x 3", kronecker),
    KRONECKER("kronecker, 3 x 3 times", kronecker_left)};
ROWS(indexed, LISTED);
