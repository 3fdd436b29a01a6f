/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on sparse vectors of a few entries and length 65536: what they cost must follow the
 * entries. u is such a vector; m has half of the positions, f all; A has three edges a vertex.
 * Nothing deferred is left behind: results are waited for.
 */
#include "jobs/both/both.h"

#include "harness/values.h"

enum { N = 65536 };
#define SEMIRING GrB_MIN_PLUS_SEMIRING_FP64

/* Of each vertex an edge to the next one and two to random ones. */
static int load(side_work *w) {
    uint64_t state = 1;
    TRY(GrB_Matrix_new(&w->A, GrB_FP64, N, N));
    for (GrB_Index e = 0; e < 3 * N; e++) {
        const GrB_Index i = e / 3, j = (e % 3 == 0 ? i + 1 : bench_random(&state)) % N;
        TRY(GrB_Matrix_setElement_FP64(w->A, bench_unit(&state), i, j));
    }
    TRY(GrB_Matrix_wait(w->A, GrB_MATERIALIZE));
    TRY(BOTH(spread)(&w->u, N, w->task->entries, w->task->entries));
    TRY(BOTH(spread)(&w->m, N, N / 2, N / 2));
    TRY(BOTH(spread)(&w->f, N, N, N));
    return GrB_Vector_new(&w->w, GrB_FP64, N);
}

VECTOR_CALL(vxm, w, GrB_vxm(w->w, NULL, NULL, SEMIRING, w->u, w->A, NULL))
VECTOR_CALL(vxm_outside, w, GrB_vxm(w->w, w->m, NULL, SEMIRING, w->u, w->A, GrB_DESC_RSC))
VECTOR_CALL(assign, f, GrB_Vector_assign_FP64(w->f, w->u, NULL, .25, GrB_ALL, N, GrB_DESC_S))
VECTOR_CALL(select_above, w,
            GrB_Vector_select_FP64(w->w, NULL, NULL, GrB_VALUEGT_FP64, w->u, .5, NULL))

static int reduce(side_work *w) {
    double sum = 0;
    return GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w->u, NULL);
}

VECTOR_CALL(mxv, w, GrB_mxv(w->w, w->u, NULL, SEMIRING, w->A, w->f, GrB_DESC_RS))
VECTOR_CALL(assign_vector, f, GrB_Vector_assign(w->f, w->u, NULL, w->u, GrB_ALL, N, GrB_DESC_S))
VECTOR_CALL(extract_inside, w, GrB_Vector_extract(w->w, w->u, NULL, w->f, GrB_ALL, N, GrB_DESC_RS))
VECTOR_CALL(apply, w, GrB_Vector_apply(w->w, NULL, NULL, GrB_AINV_FP64, w->u, NULL))
VECTOR_CALL(apply_index, w,
            GrB_Vector_apply_IndexOp_INT64(w->w, NULL, NULL, GrB_ROWINDEX_INT64, w->u, 1, NULL))
VECTOR_CALL(apply_outside, w, GrB_Vector_apply(w->w, w->m, NULL, GrB_AINV_FP64, w->u, GrB_DESC_RSC))
VECTOR_CALL(accumulate, f,
            GrB_Vector_apply(w->f, NULL, GrB_MIN_FP64, GrB_IDENTITY_FP64, w->u, NULL))
VECTOR_CALL(add, w, GrB_Vector_eWiseAdd_BinaryOp(w->w, NULL, NULL, GrB_PLUS_FP64, w->u, w->u, NULL))
VECTOR_CALL(add_full, f,
            GrB_Vector_eWiseAdd_BinaryOp(w->f, NULL, NULL, GrB_MIN_FP64, w->f, w->u, NULL))

static int dup_vector(side_work *w) {
    GrB_Vector fresh = NULL;
    TRY(GrB_Vector_dup(&fresh, w->u));
    return GrB_Vector_free(&fresh);
}

static int tuples(side_work *w) {
    GrB_Index I[100], n = 100;
    double X[100];
    return GrB_Vector_extractTuples_FP64(I, X, &n, w->u);
}

VECTOR_CALL(multiply, w,
            GrB_Vector_eWiseMult_BinaryOp(w->w, NULL, NULL, GrB_TIMES_FP64, w->u, w->f, NULL))

#define CALL(text, function) ROW(text, load, NULL, function, side_close, 0)
static const side_row CALLS[] = {CALL("vxm", vxm),
                                 CALL("vxm outside half of the positions", vxm_outside),
                                 CALL("assign of a value through the vector", assign),
                                 CALL("select by value", select_above),
                                 CALL("reduce to a value", reduce),
                                 CALL("mxv inside the vector", mxv),
                                 CALL("assign of the vector through itself", assign_vector),
                                 CALL("extract of a full vector inside the vector", extract_inside),
                                 CALL("apply", apply),
                                 CALL("apply of an index operator", apply_index),
                                 CALL("apply outside half of the positions", apply_outside),
                                 CALL("apply into a full vector, accumulated", accumulate),
                                 CALL("eWiseAdd of two vectors", add),
                                 CALL("eWiseAdd of a full vector, into it", add_full),
                                 CALL("dup and free", dup_vector),
                                 CALL("extractTuples", tuples),
                                 CALL("eWiseMult with a full vector", multiply)};
ROWS(vectors, CALLS);
