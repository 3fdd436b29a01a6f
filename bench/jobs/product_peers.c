/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, with its own choice of method, and Intel MKL as contenders.
 */
#include "jobs/product.h"

#include <stdio.h>
#include <stdlib.h>

#include "peers/mkl.h"

typedef struct {
    const product_problem *problem;
    GrB_Matrix C;
} product;

/* S*S, S*S' where S is not square, or C<S> = S*S' over plus-pair on INT64. */
static int run(void *context) {
    product *p = context;
    const peer_input *in = &p->problem->in;
    const bool masked = p->problem->masked;
    const GrB_Semiring semiring = masked ? GxB_PLUS_PAIR_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64;
    const GrB_Descriptor desc = masked ? GrB_DESC_ST1 : in->nrows == in->ncols ? NULL : GrB_DESC_T1;
    GrB_Info info = GrB_Matrix_new(&p->C, masked ? GrB_INT64 : GrB_FP64, in->nrows, in->nrows);
    if (info == GrB_SUCCESS) info = peer_keep_sparse(p->C);
    if (info == GrB_SUCCESS)
        info = GrB_mxm(p->C, masked ? in->S : NULL, NULL, semiring, in->S, in->S, desc);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(p->C, GrB_MATERIALIZE); /* sorts */
    if (!peer_failed(info, "mxm")) return 0;
    GrB_Matrix_free(&p->C);
    return -1;
}

static int attempt(void *context, char *why_not, size_t size) {
    (void)why_not, (void)size;
    return run(context) == 0 ? 1 : -1;
}

static void reset(void *context) {
    product *p = context;
    GrB_Matrix_free(&p->C);
}

static double entries(void *context) {
    const product *p = context;
    GrB_Index n = 0;
    return peer_failed(GrB_Matrix_nvals(&n, p->C), "nvals") ? -1 : (double)n;
}

static int take(void *context, side_tuples *t) {
    const product *p = context;
    const double n = entries(context);
    if (n < 0 || !side_tuples_new(t, (gbl_Index)n)) return -1;
    return peer_failed(GrB_Matrix_extractTuples_FP64(t->I, t->J, t->X, &t->n, p->C), "tuples") ? -1
                                                                                               : 0;
}

static void end(void *context) {
    reset(context);
    free(context);
}

static const product_contender SUITESPARSE = {.name = "suitesparse",
                                              .attempt = attempt,
                                              .run = run,
                                              .reset = reset,
                                              .take = take,
                                              .entries = entries,
                                              .end = end};

int product_other_new(product_contender *c, const product_problem *problem) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    p->problem = problem;
    *c = SUITESPARSE;
    c->context = p;
    return 0;
}

/* -- MKL */

typedef struct {
    peer_mkl_product *of;
    double bytes;
} mkl_product;

static int run_mkl(void *context) {
    const mkl_product *p = context;
    const int status = peer_mkl_multiply(p->of);
    if (status != 0) fprintf(stderr, "bench: mkl_sparse_sp2m failed with status %d\n", status);
    return status == 0 ? 0 : -1;
}

static int attempt_mkl(void *context, char *why_not, size_t size) {
    mkl_product *p = context;
    const bool counts = peer_mkl_count();
    const int status = peer_mkl_multiply(p->of);
    p->bytes = counts ? peer_mkl_peak() : -1;
    if (status != 0) snprintf(why_not, size, "mkl_sparse_sp2m failed with status %d", status);
    return status == 0 ? 1 : 0;
}

static double peak(void *context) {
    const mkl_product *p = context;
    return p->bytes;
}

static void reset_mkl(void *context) {
    const mkl_product *p = context;
    peer_mkl_drop(p->of);
}

static double entries_mkl(void *context) {
    const mkl_product *p = context;
    return peer_mkl_entries(p->of);
}

static int take_mkl(void *context, side_tuples *t) {
    const mkl_product *p = context;
    const double n = peer_mkl_entries(p->of);
    return n >= 0 && side_tuples_new(t, (gbl_Index)n) ? peer_mkl_tuples(p->of, t->I, t->J, t->X)
                                                      : -1;
}

static void end_mkl(void *context) {
    mkl_product *p = context;
    peer_mkl_free(p->of);
    free(p);
}

static const product_contender MKL = {.name = "mkl",
                                      .attempt = attempt_mkl,
                                      .run = run_mkl,
                                      .reset = reset_mkl,
                                      .take = take_mkl,
                                      .peak = peak,
                                      .entries = entries_mkl,
                                      .end = end_mkl};

int product_mkl_new(product_contender *c, const product_problem *problem) {
    mkl_product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    *c = MKL;
    c->context = p;
    p->of = peer_mkl_new(&problem->in);
    return p->of != NULL ? 0 : -1;
}
