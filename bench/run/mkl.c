/* SPDX-License-Identifier: Apache-2.0
 *
 * Intel MKL as a contender.
 */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "peers/mkl.h"

typedef struct {
    peer_mkl_product *of;
    double bytes;
} product;

static int run(void *context) {
    const product *p = context;
    const int status = peer_mkl_multiply(p->of);
    if (status != 0) fprintf(stderr, "run: mkl_sparse_sp2m failed with status %d\n", status);
    return status == 0 ? 0 : -1;
}

static int attempt(void *context, char *why_not, size_t size) {
    product *p = context;
    const bool counts = peer_mkl_count();
    const int status = peer_mkl_multiply(p->of);
    p->bytes = counts ? peer_mkl_peak() : -1;
    if (status != 0) snprintf(why_not, size, "mkl_sparse_sp2m failed with status %d", status);
    return status == 0 ? 1 : 0;
}

static double peak(void *context) {
    const product *p = context;
    return p->bytes;
}

static void reset(void *context) {
    const product *p = context;
    peer_mkl_drop(p->of);
}

static bool equal(void *context, const peer_csr *reference) {
    const product *p = context;
    return peer_mkl_equal(p->of, reference);
}

static double entries(void *context) {
    const product *p = context;
    return peer_mkl_entries(p->of);
}

static void end(void *context) {
    product *p = context;
    peer_mkl_free(p->of);
    free(p);
}

static const run_contender MKL = {.name = "mkl",
                                  .attempt = attempt,
                                  .run = run,
                                  .reset = reset,
                                  .equal = equal,
                                  .peak = peak,
                                  .entries = entries,
                                  .end = end};

int run_mkl_new(run_contender *c, const run_problem *problem) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    *c = MKL;
    c->context = p;
    p->of = peer_mkl_new(&problem->in);
    return p->of != NULL ? 0 : -1;
}
