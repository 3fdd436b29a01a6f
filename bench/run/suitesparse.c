/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, with its own choice of method.
 */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "harness/counted.h"

typedef struct {
    const run_problem *problem;
    peer_csr C;
} product;

static int run(void *context) {
    product *p = context;
    const peer_input *in = &p->problem->in;
    return p->problem->masked ? peer_multiply_masked(in, &p->C) : peer_multiply(in, &p->C);
}

static int attempt(void *context, char *why_not, size_t size) {
    (void)why_not, (void)size;
    return run(context) == 0 ? 1 : -1;
}

static void drop(peer_csr *C) {
    GrB_Matrix_free(&C->C);
    counted_free(C->p);
    counted_free(C->i);
    counted_free(C->x);
    memset(C, 0, sizeof *C);
}

static void reset(void *context) {
    product *p = context;
    drop(&p->C);
}

peer_csr run_other_take(run_contender *c) {
    product *p = c->context;
    peer_csr taken = p->C;
    memset(&p->C, 0, sizeof p->C);
    if (peer_take(&taken) != 0) taken = (peer_csr){0};
    return taken;
}

static double entries(void *context) {
    product *p = context;
    return peer_take(&p->C) == 0 ? (double)p->C.p[p->problem->in.nrows] : -1;
}

static void end(void *context) {
    reset(context);
    free(context);
}

static const run_contender SUITESPARSE = {.name = "suitesparse",
                                          .attempt = attempt,
                                          .run = run,
                                          .reset = reset,
                                          .entries = entries,
                                          .end = end};

int run_other_new(run_contender *c, const run_problem *problem) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    p->problem = problem;
    *c = SUITESPARSE;
    c->context = p;
    return 0;
}
