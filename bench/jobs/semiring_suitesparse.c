/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse's part of the job semiring: the same functions, called through its pointers.
 */
#include "jobs/semiring.h"

#include <stdlib.h>

#include "peers/suitesparse.h"

struct bench_theirs {
    GrB_Type own; /* NULL of numbers */
    GrB_BinaryOp plus, times;
    GrB_Monoid monoid;
    GrB_Semiring ring;
    GrB_Matrix A, C;
    GrB_Vector u, w;
    bool vector;
};

static GrB_Info make_monoid(struct bench_theirs *t, const bench_functions *f, GrB_Type type) {
    if (type == GrB_FP64) return GrB_Monoid_new_FP64(&t->monoid, t->plus, *(double *)f->identity);
    if (type == GrB_INT32)
        return GrB_Monoid_new_INT32(&t->monoid, t->plus, *(int32_t *)f->identity);
    return GrB_Monoid_new_UDT(&t->monoid, t->plus, (void *)f->identity);
}

static GrB_Info build(struct bench_theirs *t, const bench_entries *e, GrB_Type type) {
    const GrB_Info info = GrB_Matrix_new(&t->A, type, e->n, e->n);
    if (info != GrB_SUCCESS) return info;
    if (type == GrB_FP64)
        return GrB_Matrix_build_FP64(t->A, e->row, e->column, e->value, e->nvals, GrB_FIRST_FP64);
    if (type == GrB_INT32)
        return GrB_Matrix_build_INT32(t->A, e->row, e->column, e->value, e->nvals, GrB_FIRST_INT32);
    return GrB_Matrix_build_UDT(t->A, e->row, e->column, e->value, e->nvals, t->plus);
}

bench_theirs *bench_theirs_open(const bench_functions *f, const bench_entries *e, bool vector) {
    struct bench_theirs *t = calloc(1, sizeof *t);
    GrB_Type type = f->kind == BENCH_FP64 ? GrB_FP64 : GrB_INT32;
    GrB_Info info = GrB_SUCCESS;
    if (t == NULL) return NULL;
    t->vector = vector;
    if (f->kind == BENCH_STRUCT) {
        info = GrB_Type_new(&t->own, f->size);
        type = t->own;
    }
    if (info || (info = GrB_BinaryOp_new(&t->plus, f->add, type, type, type)) ||
        (info = GrB_BinaryOp_new(&t->times, f->multiply, type, type, type)) ||
        (info = make_monoid(t, f, type)) ||
        (info = GrB_Semiring_new(&t->ring, t->monoid, t->times)) || (info = build(t, e, type)) ||
        (info = GrB_Matrix_new(&t->C, type, e->n, e->n)) ||
        (info = GrB_Vector_new(&t->u, type, e->n)) || (info = GrB_Vector_new(&t->w, type, e->n)) ||
        (info = peer_keep_sparse(t->C)) ||
        (info = GrB_Matrix_reduce_Monoid(t->u, NULL, NULL, t->monoid, t->A, NULL)) ||
        (info = GrB_Matrix_wait(t->A, GrB_MATERIALIZE)))
        peer_failed(info, "a semiring of functions");
    if (info == GrB_SUCCESS) return t;
    bench_theirs_close(t);
    return NULL;
}

void bench_theirs_close(bench_theirs *t) {
    GrB_Vector_free(&t->u);
    GrB_Vector_free(&t->w);
    GrB_Matrix_free(&t->A);
    GrB_Matrix_free(&t->C);
    GrB_Semiring_free(&t->ring);
    GrB_Monoid_free(&t->monoid);
    GrB_BinaryOp_free(&t->times);
    GrB_BinaryOp_free(&t->plus);
    GrB_Type_free(&t->own);
    free(t);
}

int bench_theirs_multiply(void *theirs) {
    bench_theirs *t = theirs;
    GrB_Info info = t->vector ? GrB_mxv(t->w, NULL, NULL, t->ring, t->A, t->u, NULL)
                              : GrB_mxm(t->C, NULL, NULL, t->ring, t->A, t->A, NULL);
    if (info == GrB_SUCCESS)
        info = t->vector ? GrB_Vector_wait(t->w, GrB_MATERIALIZE)
                         : GrB_Matrix_wait(t->C, GrB_MATERIALIZE);
    return peer_failed(info, "a product") ? -1 : 0;
}

void bench_theirs_clear(void *theirs) {
    bench_theirs *t = theirs;
    GrB_Matrix_clear(t->C);
    GrB_Vector_clear(t->w);
}

uint64_t bench_theirs_entries(bench_theirs *t) {
    GrB_Index n = 0;
    peer_failed(t->vector ? GrB_Vector_nvals(&n, t->w) : GrB_Matrix_nvals(&n, t->C), "counting");
    return n;
}
