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

peer_csr run_other_take(run_contender *c) {
    product *p = c->context;
    const peer_csr taken = p->C;
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
