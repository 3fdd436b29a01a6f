/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, with its own choice of method.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "counted.h"

typedef struct {
    const run_problem *problem;
    compare_csr C;
} product;

static GrB_Info multiply_masked(const compare_input *in, compare_csr *out) {
    GrB_Matrix L = in->S, C = NULL;
    GrB_Info info = GrB_Matrix_new(&C, GrB_INT64, in->nrows, in->nrows);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_HYPERSPARSE);
    if (info == GrB_SUCCESS) info = GrB_mxm(C, L, NULL, GxB_PLUS_PAIR_INT64, L, L, GrB_DESC_ST1);
    if (info == GrB_SUCCESS) info = compare_finish(C, out);
    GrB_Matrix_free(&C);
    return info;
}

static int run(void *context) {
    product *p = context;
    if (!p->problem->masked) return compare_multiply_other(&p->problem->in, &p->C);
    return compare_failed_other(multiply_masked(&p->problem->in, &p->C), "masked mxm") ? -1 : 0;
}

static int attempt(void *context, char *why_not, size_t size) {
    (void)why_not, (void)size;
    return run(context) == 0 ? 1 : -1;
}

static void drop(compare_csr *C) {
    counted_free(C->p);
    counted_free(C->i);
    counted_free(C->x);
    memset(C, 0, sizeof *C);
}

static void reset(void *context) {
    product *p = context;
    drop(&p->C);
}

void run_other_pool(bool on) {
    int64_t none[64] = {0};
    GxB_Global_Option_set(GxB_MEMORY_POOL, on ? NULL : none);
}

compare_csr run_other_take(run_contender *c) {
    product *p = c->context;
    const compare_csr taken = p->C;
    memset(&p->C, 0, sizeof p->C);
    return taken;
}

static void end(void *context) {
    reset(context);
    free(context);
}

static const run_contender SUITESPARSE = {
    .name = "suitesparse", .attempt = attempt, .run = run, .reset = reset, .end = end};

int run_other_new(run_contender *c, const run_problem *problem) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    p->problem = problem;
    *c = SUITESPARSE;
    c->context = p;
    return 0;
}
