/* SPDX-License-Identifier: Apache-2.0
 *
 * Markov clustering (S. van Dongen, Graph clustering by flow simulation, 2000): random walks stay
 * inside clusters, so let flow spread, strengthen where it is strong, and repeat until it stands.
 *
 *   F = max(A, A') with a loop at each vertex as heavy as its heaviest edge, rows scaled to sum 1;
 *       row i is the flow that leaves vertex i
 *   expand   F = F * F over (plus, times). As each row is formed it is pruned: flow below `prune`
 *            is dropped, then all but the `select` largest, and where less than `share` of a row
 *            would be left, its `recover` largest stay: -p, -S, -R and -pct of the program mcl
 *   inflate  in the same call: F(i,j) = F(i,j)^inflation, rows scaled to sum 1 again; then flow
 *            below `dust` is dropped
 *   until chaos = max over i of (max over j of F(i,j) - sum over j of F(i,j)^2) is small: then each
 *            row is uniform over the attractors that hold the flow of i
 */
#ifndef GBLITE_EXAMPLES_MARKOV_CLUSTER_H
#define GBLITE_EXAMPLES_MARKOV_CLUSTER_H

#include <math.h>

#include "gblite.h"

#define MARKOV_SETTLED 1e-4 /* bound of the chaos; smaller flow does not count in the end */

typedef struct {
    double inflation;          /* > 1: larger makes smaller clusters; 2 is usual */
    double prune, share, dust; /* see above; dust = 0 drops nothing */
    gbl_Index select, recover; /* recover at least 1, so that no vertex loses all its flow */
    bool single;               /* flow in FP32: half the memory */
    int64_t steps;             /* at most so many */
    void (*report)(void *context, int64_t step, double chaos, const gbl_Explanation *how);
    void *context; /* of report, which may be NULL */
} markov_options;
/* The pruning that mcl takes by itself. */
#define MARKOV_USUAL                                                                               \
    { .inflation = 2, .prune = 1e-4, .select = 1100, .recover = 1400, .share = 0.9, .steps = 1000 }

/* INT64 vectors of the vertices; a cluster is named by its first attractor. */
typedef struct {
    gbl_Vector cluster;    /* of each vertex, the first one where there are several */
    gbl_Vector attractors; /* entries at attractors: the cluster that each is in */
    gbl_Vector overlap;    /* entries at vertices in several clusters: the last of these */
} markov_clusters;

typedef struct {
    gbl_Matrix F, E, S; /* the flow; the unit matrix; squares of flow on the diagonal */
    gbl_Vector rows;    /* workspace, a value per row */
    gbl_Monoid largest;
    gbl_Semiring ring;
    gbl_RowFilter keep; /* of the rows of a product */
} markov_flow;

static inline void markov_flow_free(markov_flow *flow) {
    gbl_Matrix_free(&flow->F);
    gbl_Matrix_free(&flow->E);
    gbl_Matrix_free(&flow->S);
    gbl_Vector_free(&flow->rows);
    gbl_Scalar_free(&flow->keep.y);
}

/* The flow of one step along the edges of A, which has n vertices; to be freed even if it fails.
 * Weights are FP64 until rows are scaled: FP32 may not hold them, but their shares. */
static inline gbl_Info markov_start(markov_flow *flow, gbl_Matrix A, gbl_Index n,
                                    const markov_options *o) {
    const gbl_RowFilter scale = {.size = sizeof scale, .scale = true};
    gbl_Matrix W = NULL;
    gbl_Info info;
    *flow = (markov_flow){
        .largest = o->single ? GBL_MAX_MONOID_FP32 : GBL_MAX_MONOID_FP64,
        .ring = o->single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64,
        .keep = {sizeof(gbl_RowFilter), o->single ? GBL_VALUEGE_FP32 : GBL_VALUEGE_FP64, NULL,
                 o->select, o->recover, o->share, o->inflation, true}};
    if ((info = gbl_Scalar_new(&flow->keep.y, GBL_FP64)) ||
        (info = gbl_Scalar_setElement_FP64(flow->keep.y, o->prune)) ||
        (info = gbl_Matrix_new(&flow->F, o->single ? GBL_FP32 : GBL_FP64, n, n)) ||
        (info = gbl_Matrix_new(&W, GBL_FP64, n, n)) ||
        (info = gbl_Vector_new(&flow->rows, GBL_FP64, n)) ||
        (info = gbl_Vector_assign_FP64(flow->rows, NULL, NULL, 1, GBL_ALL, n, NULL)) ||
        (info = gbl_Matrix_diag(&flow->E, flow->rows, 0)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, GBL_MAX_FP64, A, A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_select_INT64(W, NULL, NULL, GBL_OFFDIAG, W, 0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(flow->rows, NULL, GBL_SECOND_FP64, GBL_MAX_MONOID_FP64, W,
                                         NULL)) ||
        (info = gbl_Matrix_diag(&flow->S, flow->rows, 0)) || /* the loops */
        (info = gbl_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, GBL_PLUS_FP64, W, flow->S, NULL)))
        goto done;
    info =
        gbl_mxm_select(flow->F, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, &scale, flow->E, W, NULL);
done:
    gbl_Matrix_free(&W);
    return info;
}

/* Expands, prunes and inflates once. */
static inline gbl_Info markov_step(markov_flow *flow, const markov_options *o, double *chaos,
                                   gbl_Explanation *how) {
    gbl_Matrix F = flow->F, S = flow->S;
    gbl_Vector rows = flow->rows;
    gbl_Info info;
    if ((info = gbl_mxm_select(F, NULL, NULL, flow->ring, &flow->keep, F, F, NULL)) ||
        (info = gbl_Matrix_explain(how, F)) ||
        (o->dust > 0 &&
         (info = gbl_Matrix_select_FP64(F, NULL, NULL, flow->keep.op, F, o->dust, NULL))) ||
        /* S(i,i) = sum over j of F(i,j)^2 */
        (info = gbl_mxm(S, flow->E, NULL, flow->ring, F, F, GBL_DESC_ST1)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, flow->largest, F, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, GBL_MINUS_FP64, flow->largest, S, NULL)))
        return info;
    return gbl_Vector_reduce_FP64(chaos, NULL, GBL_MAX_MONOID_FP64, rows, NULL);
}

/* Attractors keep flow of their own; flow between two attractors joins them into one cluster, and a
 * vertex is in the clusters that its settled flow goes to. */
static inline gbl_Info markov_interpret(markov_clusters *c, markov_flow *flow, gbl_Index n) {
    gbl_Matrix F = flow->F, S = flow->S;
    gbl_Info info;
    if ((info = gbl_Vector_new(&c->cluster, GBL_INT64, n)) ||
        (info = gbl_Vector_new(&c->attractors, GBL_INT64, n)) ||
        (info = gbl_Vector_new(&c->overlap, GBL_INT64, n)))
        return info;
    gbl_Vector a = c->attractors, first = c->cluster, last = c->overlap;
    if ((info = gbl_Matrix_select_FP64(F, NULL, NULL, flow->keep.op, F, MARKOV_SETTLED, NULL)) ||
        (info = gbl_Matrix_select_INT64(S, NULL, NULL, GBL_DIAG, F, 0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(a, NULL, NULL, flow->largest, S, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(a, NULL, NULL, GBL_ROWINDEX_INT64, a, 0, NULL)) ||
        (info = gbl_mxm(S, NULL, NULL, flow->ring, F, S, NULL)) || /* flow to attractors */
        (info = gbl_Vector_join(a, a, S, 0, n, GBL_DESC_S)) ||
        (info = gbl_mxv(first, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, F, a, NULL)) ||
        (info = gbl_mxv(last, NULL, NULL, GBL_MAX_SECOND_SEMIRING_INT64, F, a, NULL)) ||
        /* last - first where they differ, and then last again */
        (info =
             gbl_Vector_eWiseMult_BinaryOp(last, NULL, NULL, GBL_MINUS_INT64, last, first, NULL)) ||
        (info = gbl_Vector_select_INT64(last, NULL, NULL, GBL_VALUENE_INT64, last, 0, NULL)))
        return info;
    return gbl_Vector_eWiseMult_BinaryOp(last, NULL, NULL, GBL_PLUS_INT64, last, first, NULL);
}

static inline void markov_clusters_free(markov_clusters *c) {
    gbl_Vector_free(&c->cluster);
    gbl_Vector_free(&c->attractors);
    gbl_Vector_free(&c->overlap);
}

/* *clusters gets new vectors. A is square, its entries are positive weights of edges; it is read
 * before the first report, which may free it. The call fails if the flow has not settled after
 * options->steps steps, or if vertices have lost all of it. */
static inline gbl_Info markov_cluster(markov_clusters *clusters, gbl_Matrix A,
                                      const markov_options *options) {
    markov_flow flow = {0};
    markov_clusters c = {0};
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index n = 0, clustered = 0;
    double chaos = INFINITY;
    int64_t step = 0;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (!info) info = markov_start(&flow, A, n, options);
    while (!info && step < options->steps && chaos > MARKOV_SETTLED) {
        step++;
        info = markov_step(&flow, options, &chaos, &how);
        if (!info && options->report) options->report(options->context, step, chaos, &how);
    }
    if (!info) info = markov_interpret(&c, &flow, n);
    if (!info) info = gbl_Vector_nvals(&clustered, c.cluster);
    if (!info && chaos > MARKOV_SETTLED)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the flow has not settled after %lld steps (chaos %g, want %g): allow more "
                        "steps or change the inflation, now %g",
                        (long long)step, chaos, MARKOV_SETTLED, options->inflation);
    if (!info && clustered < n)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%llu of %llu vertices have lost all their flow by step %lld: drop less "
                        "dust, now flow below %g, and give edges weights that are positive numbers",
                        (unsigned long long)(n - clustered), (unsigned long long)n, (long long)step,
                        options->dust);
    if (info)
        markov_clusters_free(&c);
    else
        *clusters = c;
    markov_flow_free(&flow);
    return info;
}

#endif
