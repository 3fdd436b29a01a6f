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
    GrB_Vector u, w, front;
    bench_operation operation;
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

/* u: the sums of rows, where bench_begin says. */
static GrB_Info make_vector(struct bench_theirs *t, const bench_entries *e, GrB_Type type) {
    GrB_Vector sums = NULL, mask = NULL;
    GrB_Index *at = malloc((e->n + 1) * sizeof *at);
    GrB_Info info = at != NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    const GrB_Index n = !info ? bench_begin(at, t->operation, e) : 0;
    if (!info) info = GrB_Vector_new(&sums, type, e->n);
    if (!info) info = GrB_Vector_new(&mask, GrB_BOOL, e->n);
    if (!info) info = GrB_Vector_new(&t->u, type, e->n);
    if (!info) info = GrB_Matrix_reduce_Monoid(sums, NULL, NULL, t->monoid, t->A, NULL);
    if (!info) info = GrB_Vector_assign_BOOL(mask, NULL, NULL, true, at, n, NULL);
    if (!info) info = GrB_Vector_assign(t->u, mask, NULL, sums, GrB_ALL, e->n, GrB_DESC_S);
    if (!info) info = GrB_Vector_wait(t->u, GrB_MATERIALIZE);
    GrB_Vector_free(&sums);
    GrB_Vector_free(&mask);
    free(at);
    return info;
}

bench_theirs *bench_theirs_open(const bench_functions *f, const bench_entries *e,
                                bench_operation operation) {
    struct bench_theirs *t = calloc(1, sizeof *t);
    GrB_Type type = f->kind == BENCH_FP64 ? GrB_FP64 : GrB_INT32;
    GrB_Info info = GrB_SUCCESS;
    if (t == NULL) return NULL;
    t->operation = operation;
    if (f->kind == BENCH_STRUCT) {
        info = GrB_Type_new(&t->own, f->size);
        type = t->own;
    }
    if (info || (info = GrB_BinaryOp_new(&t->plus, f->add, type, type, type)) ||
        (info = GrB_BinaryOp_new(&t->times, f->multiply, type, type, type)) ||
        (info = make_monoid(t, f, type)) ||
        (info = GrB_Semiring_new(&t->ring, t->monoid, t->times)) || (info = build(t, e, type)) ||
        (info = GrB_Matrix_new(&t->C, type, e->n, e->n)) ||
        (info = GrB_Vector_new(&t->w, type, e->n)) ||
        (info = GrB_Vector_new(&t->front, type, e->n)) || (info = peer_keep_sparse(t->C)) ||
        (info = make_vector(t, e, type)) || (info = GrB_Matrix_wait(t->A, GrB_MATERIALIZE)))
        peer_failed(info, "a semiring of functions");
    if (info == GrB_SUCCESS) return t;
    bench_theirs_close(t);
    return NULL;
}

void bench_theirs_close(bench_theirs *t) {
    GrB_Vector_free(&t->u);
    GrB_Vector_free(&t->w);
    GrB_Vector_free(&t->front);
    GrB_Matrix_free(&t->A);
    GrB_Matrix_free(&t->C);
    GrB_Semiring_free(&t->ring);
    GrB_Monoid_free(&t->monoid);
    GrB_BinaryOp_free(&t->times);
    GrB_BinaryOp_free(&t->plus);
    GrB_Type_free(&t->own);
    free(t);
}

static GrB_Info search(struct bench_theirs *t) {
    GrB_Index n, found = 1;
    GrB_Info info = GrB_Vector_size(&n, t->u);
    if (!info) info = GrB_Vector_assign(t->w, NULL, NULL, t->u, GrB_ALL, n, NULL);
    if (!info) info = GrB_Vector_assign(t->front, NULL, NULL, t->u, GrB_ALL, n, NULL);
    while (!info && found > 0) {
        info = GrB_vxm(t->front, t->w, NULL, t->ring, t->front, t->A, GrB_DESC_RSC);
        if (!info) info = GrB_Vector_assign(t->w, t->front, NULL, t->front, GrB_ALL, n, GrB_DESC_S);
        if (!info) info = GrB_Vector_nvals(&found, t->front);
    }
    return info;
}

static GrB_Info find_paths(struct bench_theirs *t) {
    GrB_Index n;
    GrB_Info info = GrB_Vector_size(&n, t->u);
    if (!info) info = GrB_Vector_assign(t->w, NULL, NULL, t->u, GrB_ALL, n, NULL);
    for (int round = 0; round < BENCH_ROUNDS && !info; round++)
        info = GrB_vxm(t->w, NULL, t->plus, t->ring, t->w, t->A, NULL);
    return info;
}

static GrB_Info operate(struct bench_theirs *t) {
    switch (t->operation) {
    case BENCH_MXM:
        return GrB_mxm(t->C, NULL, NULL, t->ring, t->A, t->A, NULL);
    case BENCH_MXV:
        return GrB_mxv(t->w, NULL, NULL, t->ring, t->A, t->u, NULL);
    case BENCH_PUSH:
        return GrB_vxm(t->w, NULL, NULL, t->ring, t->u, t->A, NULL);
    case BENCH_SEARCH:
        return search(t);
    default:
        return find_paths(t);
    }
}

int bench_theirs_multiply(void *theirs) {
    bench_theirs *t = theirs;
    GrB_Info info = operate(t);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(t->C, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(t->w, GrB_MATERIALIZE);
    return peer_failed(info, "a product") ? -1 : 0;
}

void bench_theirs_clear(void *theirs) {
    bench_theirs *t = theirs;
    GrB_Matrix_clear(t->C);
    GrB_Vector_clear(t->w);
}

uint64_t bench_theirs_entries(bench_theirs *t) {
    GrB_Index n = 0;
    const GrB_Info info =
        t->operation == BENCH_MXM ? GrB_Matrix_nvals(&n, t->C) : GrB_Vector_nvals(&n, t->w);
    peer_failed(info, "counting");
    return n;
}
