/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite's variants to compute a product: its own choice, and every method and workflow forced.
 */
#include "jobs/product.h"

#include <stdio.h>
#include <stdlib.h>

#define CHOICE(id, m, w, mt, wt, mask)                                                             \
    {                                                                                              \
        .name = id, .method = m, .workflow = w, .method_text = mt, .workflow_text = wt,            \
        .with_mask = mask                                                                          \
    }
#define WARM(id, m, tiles)                                                                         \
    {                                                                                              \
        .name = id, .method = m, .method_text = "", .workflow_text = "", .with_mask = -1,          \
        .extra = true, .warm = true, .in_tiles = tiles                                             \
    }
#define VARIANT(id, v)                                                                             \
    {                                                                                              \
        .name = id, .method = GBL_METHOD_VECTOR, .method_text = "", .workflow_text = "",           \
        .with_mask = -1, .extra = true, .vector = v                                                \
    }
const product_variant PRODUCT_VARIANTS[] = {
    CHOICE("auto", GBL_DEFAULT, GBL_DEFAULT, "", "", 0),
    CHOICE("upper_bound", GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, "rowwise", "upper bound",
           0),
    CHOICE("estimate", GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, "rowwise", "estimate", -1),
    CHOICE("symbolic", GBL_METHOD_ROWWISE, GBL_WORKFLOW_SYMBOLIC, "rowwise", "symbolic", -1),
    CHOICE("tiled", GBL_METHOD_TILED, GBL_DEFAULT, "tiled", "", 0),
    CHOICE("panel", GBL_METHOD_PANEL, GBL_WORKFLOW_AS_THEY_ARE, "panel", "rows", 0),
    CHOICE("panel_grouped", GBL_METHOD_PANEL, GBL_WORKFLOW_GROUPED, "panel", "grouped rows", 0),
    CHOICE("outer", GBL_METHOD_OUTER, GBL_DEFAULT, "outer", "", 0),
    CHOICE("dot", GBL_METHOD_DOT, GBL_DEFAULT, "dot", "", 1),
    WARM("rowwise_warm", GBL_METHOD_ROWWISE, false),
    WARM("outer_warm", GBL_METHOD_OUTER, false),
    WARM("tiled_warm", GBL_METHOD_TILED, false),
    WARM("tiled_to_tiles", GBL_METHOD_TILED, true),
    VARIANT("spa", GBL_VECTOR_SPA),
    VARIANT("hash-32/256", GBL_VECTOR_HASH_32_256),
    VARIANT("hash-256/256", GBL_VECTOR_HASH_256_256),
    VARIANT("h-hash-32/256", GBL_VECTOR_H_HASH_32_256),
    VARIANT("h-hash-256/256", GBL_VECTOR_H_HASH_256_256)};
const int PRODUCT_VARIANT_COUNT = sizeof PRODUCT_VARIANTS / sizeof *PRODUCT_VARIANTS;

typedef struct {
    const product_problem *problem;
    const product_variant *variant;
    gbl_Descriptor desc;
    gbl_Matrix fresh, C;
    gbl_Explanation how; /* of the product before the last reset */
} product;

static gbl_Info describe_variant(product *p) {
    const peer_input *in = &p->problem->in;
    gbl_Info info = gbl_Descriptor_new(&p->desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_METHOD, p->variant->method);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(p->desc, GBL_WORKFLOW, p->variant->workflow);
    if (info == GBL_SUCCESS && p->variant->vector != 0)
        info = gbl_Descriptor_set(p->desc, GBL_VECTOR_VARIANT, p->variant->vector);
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
    if (info != GBL_SUCCESS || p->variant->in_tiles) return info;
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
    if (p->variant->warm && p->fresh != NULL) return;
    gbl_Matrix_free(&p->fresh);
    bench_failed(gbl_Matrix_dup(&p->fresh, p->problem->in.A), "copy");
}

static int run(void *context) {
    product *p = context;
    return bench_failed(multiply(p), p->variant->name) ? -1 : 0;
}

static int attempt(void *context, char *why_not, size_t size) {
    product *p = context;
    const gbl_Info info = multiply(p);
    if (info == GBL_SUCCESS) {
        keep_explanation(p);
        return 1;
    }
    const bool legal = info != GBL_INVALID_VALUE && info != GBL_OUT_OF_MEMORY;
    if (legal || p->variant->method == GBL_DEFAULT) {
        bench_failed(info, p->variant->name);
        return -1;
    }
    snprintf(why_not, size, "%s", gbl_last_error());
    return 0;
}

static int take(void *context, side_tuples *t) {
    const product *p = context;
    gbl_Index n = 0;
    gbl_Info info = gbl_Matrix_nvals(&n, p->C);
    if (info == GBL_SUCCESS && !side_tuples_new(t, n)) info = GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = gbl_Matrix_extractTuples_FP64(t->I, t->J, t->X, &t->n, p->C);
    return bench_failed(info, "tuples") ? -1 : 0;
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

int product_mine_new(product_contender *c, const product_problem *problem,
                     const product_variant *variant) {
    product *p = calloc(1, sizeof *p);
    if (p == NULL) return -1;
    *p = (product){.problem = problem, .variant = variant, .how = GBL_EXPLANATION_INIT};
    *c = (product_contender){.name = variant->name,
                             .attempt = attempt,
                             .run = run,
                             .reset = reset,
                             .take = take,
                             .explain = explain,
                             .entries = entries,
                             .end = end,
                             .context = p,
                             .extra = variant->extra};
    return bench_failed(describe_variant(p), "descriptor") ? -1 : 0;
}
