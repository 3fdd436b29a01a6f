/* SPDX-License-Identifier: Apache-2.0
 *
 * Products, searches and paths over a semiring of the user's own: A A; A u with a full u; u' A with
 * every STRIDE-th entry; a search from one vertex by u'<not visited> A; and distances from it,
 * ROUNDS times d += d' A. By functions in both libraries, in gblite compiled or predefined too.
 */
#include "jobs/both/both.h"

#include <stdlib.h>

#include "jobs/semiring.h"

enum { MXM, MXV, PUSH, SEARCH, PATHS, STRIDE = 64, ROUNDS = 12 };

static GrB_Type type_of(const side_work *w) {
    const bench_kind kind = w->task->own->kind;
    return kind == BENCH_FP64 ? GrB_FP64 : kind == BENCH_INT32 ? GrB_INT32 : w->type;
}

static GrB_Info make_monoid(side_work *w, const bench_semiring *f) {
    if (f->kind == BENCH_FP64)
        return GrB_Monoid_new_FP64(&w->monoid, w->plus, *(const double *)f->identity);
    if (f->kind == BENCH_INT32)
        return GrB_Monoid_new_INT32(&w->monoid, w->plus, *(const int32_t *)f->identity);
    return GrB_Monoid_new_UDT(&w->monoid, w->plus, (void *)f->identity);
}

#ifndef BOTH_GBLITE
bool suitesparse_has_jit(void) {
    enum { C_CONTROL = 7029, ON = 4 }; /* of releases later than the header may be */
    int control = 0;
    return GxB_Global_Option_get((GxB_Option_Field)C_CONTROL, &control) == GrB_SUCCESS &&
           control == ON;
}

static GrB_Info make_for_jit(side_work *w, const bench_semiring *f) {
    if (f->kind == BENCH_STRUCT) TRY(GxB_Type_new(&w->type, f->size, "path", f->of_type));
    const GrB_Type type = type_of(w);
    TRY(GxB_BinaryOp_new(&w->plus, f->add, type, type, type, "bench_add", f->of_add));
    return GxB_BinaryOp_new(&w->times, f->multiply, type, type, type, "bench_multiply",
                            f->of_multiply);
}
#endif

static GrB_Info make_operators(side_work *w, const bench_semiring *f) {
#ifndef BOTH_GBLITE
    if (w->task->form == BENCH_JIT) return make_for_jit(w, f);
#endif
    /* no macros of SuiteSparse, which name the operator by its argument for the JIT to look up */
    if (f->kind == BENCH_STRUCT) TRY((GrB_Type_new)(&w->type, f->size));
    const GrB_Type type = type_of(w);
    TRY((GrB_BinaryOp_new)(&w->plus, f->add, type, type, type));
    return (GrB_BinaryOp_new)(&w->times, f->multiply, type, type, type);
}

static GrB_Info make_ring(side_work *w) {
    const bench_semiring *f = w->task->own;
    TRY(make_operators(w, f));
    TRY(make_monoid(w, f));
#ifdef BOTH_GBLITE
    if (w->task->form == BENCH_COMPILED)
        TRY(gbl_Semiring_compiled(&w->made, type_of(w), f->kernels));
    else
        TRY(GrB_Semiring_new(&w->made, w->monoid, w->times));
    w->ring = w->task->form == BENCH_PREDEFINED ? *w->task->own->predefined : w->made;
    TRY(gbl_Semiring_add(&w->of_ring, w->ring));
    return gbl_Monoid_operator(&w->add, w->of_ring);
#else
    TRY(GrB_Semiring_new(&w->made, w->monoid, w->times));
    w->ring = w->made;
    return GrB_SUCCESS;
#endif
}

static GrB_Info build(side_work *w) {
    const bench_entries *e = w->task->typed;
    const GrB_Type type = type_of(w);
    TRY(GrB_Matrix_new(&w->A, type, e->n, e->n));
    if (type == GrB_FP64)
        TRY(GrB_Matrix_build_FP64(w->A, e->row, e->column, e->value, e->nvals, GrB_FIRST_FP64));
    else if (type == GrB_INT32)
        TRY(GrB_Matrix_build_INT32(w->A, e->row, e->column, e->value, e->nvals, GrB_FIRST_INT32));
    else
        TRY(GrB_Matrix_build_UDT(w->A, e->row, e->column, e->value, e->nvals, w->plus));
    return GrB_Matrix_wait(w->A, GrB_MATERIALIZE);
}

/* The entries of u that an operation begins with. */
static GrB_Info mark(GrB_Vector mask, int operation, const bench_entries *e) {
    const GrB_Index step = operation == MXV ? 1 : STRIDE;
    if (operation >= SEARCH && e->nvals > 0)
        return GrB_Vector_setElement_BOOL(mask, true, e->row[0]);
    for (GrB_Index k = 0; operation < SEARCH && k < e->n; k += step)
        TRY(GrB_Vector_setElement_BOOL(mask, true, k));
    return GrB_SUCCESS;
}

/* u: the sums of rows, where there is a mark. */
static GrB_Info sum_rows(side_work *w, GrB_Vector sums, GrB_Vector mask) {
    const GrB_Index n = w->task->typed->n;
    TRY(mark(mask, w->row->of[0], w->task->typed));
    TRY(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, w->monoid, w->A, NULL));
    TRY(GrB_Vector_assign(w->u, mask, NULL, sums, GrB_ALL, n, GrB_DESC_S));
    return BOTH(finish_vector)(w->u);
}

static int load(side_work *w) {
    const GrB_Index n = w->task->typed->n;
    GrB_Vector sums = NULL, mask = NULL;
    w->counted = true;
    TRY(make_ring(w));
    TRY(build(w));
    if (w->row->of[0] == MXM) return BOTH(new_sparse)(&w->C, type_of(w), n, n);
    TRY(GrB_Vector_new(&w->u, type_of(w), n));
    TRY(GrB_Vector_new(&w->w, type_of(w), n));
    TRY(GrB_Vector_new(&w->f, type_of(w), n));
    GrB_Info info = GrB_Vector_new(&sums, type_of(w), n);
    if (info == GrB_SUCCESS) info = GrB_Vector_new(&mask, GrB_BOOL, n);
    if (info == GrB_SUCCESS) info = sum_rows(w, sums, mask);
    GrB_Vector_free(&sums);
    GrB_Vector_free(&mask);
    return info;
}

static int renew(side_work *w) {
    return w->C != NULL ? GrB_Matrix_clear(w->C) : GrB_Vector_clear(w->w);
}

MATRIX_CALL(call_mxm, C, GrB_mxm(w->C, NULL, NULL, w->ring, w->A, w->A, NULL))
VECTOR_CALL(call_mxv, w, GrB_mxv(w->w, NULL, NULL, w->ring, w->A, w->u, NULL))
VECTOR_CALL(call_push, w, GrB_vxm(w->w, NULL, NULL, w->ring, w->u, w->A, NULL))
/* w: the vertices found, with the sum of their products when they are; f: the last ones. */
static int call_search(side_work *w) {
    const GrB_Index n = w->task->typed->n;
    GrB_Index found = 1;
    TRY(GrB_Vector_assign(w->w, NULL, NULL, w->u, GrB_ALL, n, NULL));
    TRY(GrB_Vector_assign(w->f, NULL, NULL, w->u, GrB_ALL, n, NULL));
    while (found > 0) {
        TRY(GrB_vxm(w->f, w->w, NULL, w->ring, w->f, w->A, GrB_DESC_RSC));
        TRY(GrB_Vector_assign(w->w, w->f, NULL, w->f, GrB_ALL, n, GrB_DESC_S));
        TRY(GrB_Vector_nvals(&found, w->f));
    }
    return BOTH(finish_vector)(w->w);
}

static int call_paths(side_work *w) {
    const GrB_BinaryOp add = w->add != NULL ? w->add : w->plus;
    TRY(GrB_Vector_assign(w->w, NULL, NULL, w->u, GrB_ALL, w->task->typed->n, NULL));
    for (int round = 0; round < ROUNDS; round++)
        TRY(GrB_vxm(w->w, NULL, add, w->ring, w->w, w->A, NULL));
    return BOTH(finish_vector)(w->w);
}

static const side_row OWN[] = {ROW("mxm", load, renew, call_mxm, side_same_size, MXM),
                               ROW("mxv", load, renew, call_mxv, side_same_size, MXV),
                               ROW("push", load, renew, call_push, side_same_size, PUSH),
                               ROW("search", load, renew, call_search, side_same_size, SEARCH),
                               ROW("paths", load, renew, call_paths, side_same_size, PATHS)};
ROWS(own, OWN);
