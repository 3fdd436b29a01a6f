/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that touch few entries of large objects: n x n matrices with 5 n random entries, an L of 20
 * entries, u and m of 3, a full f. What a call changes is the result (C, w or f).
 */
#include "jobs/both/both.h"

#include <malloc.h>
#include <stdlib.h>

#include "harness/values.h"

enum { SMALL = 20, FEW = 3, BLOCK = 8 };
#define RING GrB_PLUS_TIMES_SEMIRING_FP64

static GrB_Index size_of(const side_work *w) {
    return w->task->entries;
}

/* The next random place; both libraries see the same. */
static GrB_Index place(side_work *w) {
    uint64_t state = w->ni;
    const GrB_Index k = bench_random(&state) % size_of(w);
    w->ni = state;
    return k;
}

static GrB_Info fill(side_work *w, GrB_Matrix A, GrB_Index n) {
    GrB_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    double *X = malloc(n * sizeof *X);
    GrB_Info info = I != NULL && J != NULL && X != NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    for (GrB_Index k = 0; k < n && info == GrB_SUCCESS; k++) {
        I[k] = place(w);
        J[k] = place(w);
        X[k] = (double)(k % 16 + 1);
    }
    if (info == GrB_SUCCESS) info = GrB_Matrix_build_FP64(A, I, J, X, n, GrB_PLUS_FP64);
    free(I);
    free(J);
    free(X);
    if (info != GrB_SUCCESS) return info;
    return GrB_Matrix_wait(A, GrB_MATERIALIZE);
}

static GrB_Info random_matrix(side_work *w, GrB_Matrix *A, GrB_Index entries) {
    TRY(GrB_Matrix_new(A, GrB_FP64, size_of(w), size_of(w)));
    return fill(w, *A, entries);
}

static GrB_Info random_vector(side_work *w, GrB_Vector *v) {
    TRY(GrB_Vector_new(v, GrB_FP64, size_of(w)));
    for (int k = 0; k < FEW; k++) TRY(GrB_Vector_setElement_FP64(*v, k + 1, place(w)));
    return BOTH(finish_vector)(*v);
}

/* C is written. */
static int load_updated(side_work *w) {
    w->ni = 1;
    TRY(random_matrix(w, &w->C, 5 * size_of(w)));
    TRY(random_matrix(w, &w->B, SMALL));
    TRY(random_vector(w, &w->u));
    return GrB_Vector_new(&w->w, GrB_FP64, size_of(w));
}

/* A is read; B is small. */
static int load_read(side_work *w) {
    w->ni = 1;
    TRY(random_matrix(w, &w->A, 5 * size_of(w)));
    TRY(random_matrix(w, &w->B, SMALL));
    return GrB_Matrix_new(&w->C, GrB_FP64, size_of(w), size_of(w));
}

static int load_vectors(side_work *w) {
    const GrB_Index n = size_of(w);
    w->ni = 1;
    TRY(GrB_Vector_new(&w->f, GrB_FP64, n));
    for (GrB_Index k = 0; k < n; k++) TRY(GrB_Vector_setElement_FP64(w->f, (double)(k % 9), k));
    TRY(random_vector(w, &w->u));
    TRY(random_vector(w, &w->m));
    return BOTH(finish_vector)(w->f);
}

static int load_empty(side_work *w) {
    w->ni = 1;
    return GrB_Matrix_new(&w->C, GrB_FP64, 1, 1);
}

/* -- one entry, then a reader */

static GrB_Info insert(side_work *w, GrB_Matrix C) {
    const GrB_Index i = place(w);
    return GrB_Matrix_setElement_FP64(C, 2, i, place(w));
}

static int insert_count(side_work *w) {
    GrB_Index n;
    TRY(insert(w, w->C));
    return GrB_Matrix_nvals(&n, w->C);
}

static int insert_read(side_work *w) {
    double x;
    TRY(insert(w, w->C));
    const GrB_Index i = place(w);
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, w->C, i, place(w));
    return info == GrB_NO_VALUE ? GrB_SUCCESS : info;
}

static int insert_search(side_work *w) {
    TRY(insert(w, w->C));
    TRY(GrB_vxm(w->w, NULL, NULL, RING, w->u, w->C, NULL));
    return BOTH(finish_vector)(w->w);
}

static int remove_read(side_work *w) {
    double x;
    const GrB_Index i = place(w), j = place(w);
    TRY(GrB_Matrix_removeElement(w->C, i, j));
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, w->C, i, j);
    return info == GrB_NO_VALUE ? GrB_SUCCESS : info;
}

static int duplicate_insert(side_work *w) {
    GrB_Matrix D = NULL;
    GrB_Index n;
    TRY(GrB_Matrix_dup(&D, w->C));
    TRY(insert(w, D));
    TRY(GrB_Matrix_nvals(&n, D));
    return GrB_Matrix_free(&D);
}

static int grow(side_work *w) {
    GrB_Index n;
    TRY(GrB_Matrix_nrows(&n, w->C));
    TRY(GrB_Matrix_resize(w->C, n + 1, n + 1));
    return GrB_Matrix_setElement_FP64(w->C, 1, n, n - 1);
}

static int create(side_work *w) {
    GrB_Matrix N = NULL;
    TRY(GrB_Matrix_new(&N, GrB_FP64, size_of(w), size_of(w)));
    TRY(insert(w, N));
    TRY(GrB_Matrix_wait(N, GrB_MATERIALIZE));
    return GrB_Matrix_free(&N);
}

/* -- few places */

static int assign_element(side_work *w) {
    const GrB_Index i = place(w), j = place(w);
    return GrB_Matrix_assign_FP64(w->C, NULL, NULL, 3, &i, 1, &j, 1, NULL);
}

static int assemble_block(side_work *w) {
    GrB_Index I[BLOCK];
    for (int k = 0; k < BLOCK; k++) I[k] = place(w);
    return GrB_Matrix_assign_FP64(w->C, NULL, GrB_PLUS_FP64, 1, I, BLOCK, I, BLOCK, NULL);
}

PLAIN_CALL(assign_row, GrB_Row_assign(w->C, NULL, NULL, w->u, place(w), GrB_ALL, size_of(w), NULL))
PLAIN_CALL(assign_inside, GrB_Matrix_assign_FP64(w->C, w->B, NULL, 5, GrB_ALL, size_of(w), GrB_ALL,
                                                 size_of(w), GrB_DESC_S))
PLAIN_CALL(add_small,
           GrB_Matrix_eWiseAdd_BinaryOp(w->C, NULL, NULL, GrB_PLUS_FP64, w->C, w->B, NULL))
PLAIN_CALL(copy_inside, GrB_Matrix_assign(w->C, w->B, NULL, w->A, GrB_ALL, size_of(w), GrB_ALL,
                                          size_of(w), GrB_DESC_RS))
PLAIN_CALL(multiply_entries,
           GrB_Matrix_eWiseMult_BinaryOp(w->C, NULL, NULL, GrB_TIMES_FP64, w->A, w->B, NULL))

SORTED_CALL(small_first, GrB_mxm(w->C, NULL, NULL, RING, w->B, w->A, NULL))
SORTED_CALL(small_last, GrB_mxm(w->C, NULL, NULL, RING, w->A, w->B, NULL))
SORTED_CALL(product_inside, GrB_mxm(w->C, w->B, NULL, RING, w->A, w->A, GrB_DESC_RS))
PLAIN_CALL(negate_inside, GrB_Vector_apply(w->f, w->m, NULL, GrB_AINV_FP64, w->f, GrB_DESC_S))
PLAIN_CALL(add_few, GrB_Vector_assign(w->f, NULL, GrB_PLUS_FP64, w->u, GrB_ALL, size_of(w), NULL))

/* -- memory */

static GrB_Info make_many(GrB_Matrix *list, int count) {
    const GrB_Index n = SIDE_MANY_ROWS;
    uint64_t state = 1;
    for (int k = 0; k < count; k++) {
        TRY(GrB_Matrix_new(&list[k], GrB_BOOL, n, n));
        for (int e = 0; e < SIDE_MANY_ENTRIES; e++) {
            const GrB_Index i = bench_random(&state) % n, j = bench_random(&state) % n;
            TRY(GrB_Matrix_setElement_BOOL(list[k], true, i, j));
        }
        TRY(GrB_Matrix_wait(list[k], GrB_MATERIALIZE));
    }
    return GrB_SUCCESS;
}

double BOTH(bytes_of_many)(void) {
    GrB_Matrix *list = calloc(SIDE_MANY, sizeof *list);
    if (list == NULL) return -1;
    const struct mallinfo2 before = mallinfo2();
    const GrB_Info info = make_many(list, SIDE_MANY);
    const struct mallinfo2 after = mallinfo2();
    for (int k = 0; k < SIDE_MANY; k++) GrB_Matrix_free(&list[k]);
    free(list);
    if (info != GrB_SUCCESS) return -1;
    return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
}

#define CALL(text, load, function) ROW(text, load, NULL, function, side_close, 0)
static const side_row CALLS[] = {
    CALL("set an element, nvals", load_updated, insert_count),
    CALL("set an element, read one", load_updated, insert_read),
    CALL("set an element, vxm of 3 entries", load_updated, insert_search),
    CALL("remove an element, read it", load_updated, remove_read),
    CALL("dup, set an element, nvals, free", load_updated, duplicate_insert),
    CALL("new, set an element, wait, free", load_updated, create),
    CALL("resize by one, set an element", load_empty, grow),
    CALL("resize by one, set an element, 5 n entries", load_updated, grow),
    CALL("C(i,j) = x by assign", load_updated, assign_element),
    CALL("C(I,I) += x, 8 x 8", load_updated, assemble_block),
    CALL("C(i,:) = u", load_updated, assign_row),
    CALL("C<L> = x", load_updated, assign_inside),
    CALL("C = C + L", load_updated, add_small),
    CALL("C<L> = A", load_read, copy_inside),
    CALL("C = A .* L", load_read, multiply_entries),
    CALL("C = L * A", load_read, small_first),
    CALL("C = A * L", load_read, small_last),
    CALL("C<L> = A * A", load_read, product_inside),
    CALL("f<m> = -f", load_vectors, negate_inside),
    CALL("f += u", load_vectors, add_few),
};
ROWS(updates, CALLS);
