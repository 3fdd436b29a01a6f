/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite's ways to compute a product: its own choice, and every method and workflow forced.
 */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>

const run_way RUN_WAYS[] = {
    {"auto", GBL_DEFAULT, GBL_DEFAULT, "", "", 0},
    {"upper_bound", GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, "rowwise", "upper bound", 0},
    {"estimate", GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, "rowwise", "estimate", -1},
    {"symbolic", GBL_METHOD_ROWWISE, GBL_WORKFLOW_SYMBOLIC, "rowwise", "symbolic", -1},
    {"tiled", GBL_METHOD_TILED, GBL_DEFAULT, "tiled", "", 0},
    {"panel", GBL_METHOD_PANEL, GBL_WORKFLOW_AS_THEY_ARE, "panel", "rows", 0},
    {"panel_grouped", GBL_METHOD_PANEL, GBL_WORKFLOW_GROUPED, "panel", "grouped rows", 0},
    {"outer", GBL_METHOD_OUTER, GBL_DEFAULT, "outer", "", 0},
    {"dot", GBL_METHOD_DOT, GBL_DEFAULT, "dot", "", 1}};
const int RUN_WAY_COUNT = sizeof RUN_WAYS / sizeof *RUN_WAYS;

typedef struct {
    const run_problem *problem;
    const run_way *way;
    gbl_Descriptor desc;
    gbl_Matrix fresh, C;
    gbl_Explanation how; /* of the product before the last reset */
} product;

static gbl_Info describe_way(product *p) {
    const peer_input *in = &p->problem->in;
    gbl_Info info = gbl_Descriptor_new(&p->desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_METHOD, p->way->method);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_WORKFLOW, p->way->workflow);
    if (info == GBL_SUCCESS && p->problem->masked)
        info = gbl_Descriptor_set(p->desc, GBL_MASK, GBL_STRUCTURE);
    if (info == GBL_SUCCESS && (p->problem->masked || in->nrows != in->ncols))
        info = gbl_Descriptor_set(p->desc, GBL_INP1, GBL_TRAN);
    return info;
}

static gbl_Info multiply(product *p) {
    const bool masked = p->problem->masked;
    const gbl_Index n = p->problem->in.nrows;
    const gbl_Semiring ring = masked ? GBL_PLUS_PAIR_SEMIRING_INT64 : GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_Matrix A = p->fresh;
    gbl_Info info = gbl_Matrix_new(&p->C, masked ? GBL_INT64 : GBL_FP64, n, n);
    if (info == GBL_SUCCESS) info = gbl_mxm(p->C, masked ? A : NULL, NULL, ring, A, A, p->desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(p->C, GBL_MATERIALIZE);
    if (info != GBL_SUCCESS) return info;
    double first; /* a look at one entry: C is wanted by rows, not in tiles */
    info = gbl_Matrix_extractElement_FP64(&first, p->C, 0, 0);
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

static void keep_explanation(product *p) {
    if (p->C != NULL) bench_failed(gbl_Matrix_explain(&p->how, p->C), "explain");
}

/* Without a fresh copy the next run fails, and says so. */
static void reset(void *context) {
    product *p = context;
    keep_explanation(p);
    gbl_Matrix_free(&p->C);
    gbl_Matrix_free(&p->fresh);
    bench_failed(gbl_Matrix_dup(&p->fresh, p->problem->in.A), "copy");
}

static int run(void *context) {
    product *p = context;
    return bench_failed(multiply(p), p->way->name) ? -1 : 0;
}

static int attempt(void *context, char *why_not, size_t size) {
    product *p = context;
    const gbl_Info info = multiply(p);
    if (info == GBL_SUCCESS) {
        keep_explanation(p);
        return 1;
    }
    const bool legal = info != GBL_INVALID_VALUE && info != GBL_OUT_OF_MEMORY;
    if (legal || p->way->method == GBL_DEFAULT) {
        bench_failed(info, p->way->name);
        return -1;
    }
    snprintf(why_not, size, "%s", gbl_last_error());
    return 0;
}

static bool equal(void *context, const peer_csr *reference) {
    product *p = context;
    uint64_t nvals;
    return peer_equal(p->C, reference, p->problem->masked ? PEER_INT64 : PEER_FP64, &nvals);
}

static double entries(void *context) {
    const product *p = context;
    gbl_Index nvals;
    return bench_failed(gbl_Matrix_nvals(&nvals, p->C), "nvals") ? -1 : (double)nvals;
}

static void explain(void *context, gbl_Explanation *how) {
    const product *p = context;
    *how = p->how;
}

static void end(void *context) {
    product *p = context;
    gbl_Matrix_free(&p->C);
    gbl_Matrix_free(&p->fresh);
    gbl_Descriptor_free(&p->desc);
    free(p);
}

int run_mine_new(run_contender *c, const run_problem *problem, const run_way *way) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    *p = (product){.problem = problem, .way = way, .how = GBL_EXPLANATION_INIT};
    *c = (run_contender){.name = way->name,
                         .attempt = attempt,
                         .run = run,
                         .reset = reset,
                         .equal = equal,
                         .explain = explain,
                         .entries = entries,
                         .end = end,
                         .context = p};
    return bench_failed(describe_way(p), "descriptor") ? -1 : 0;
}
