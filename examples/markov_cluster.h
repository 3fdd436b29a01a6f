/* SPDX-License-Identifier: Apache-2.0
 *
 * Markov clustering (S. van Dongen, Graph clustering by flow simulation, 2000): random walks stay
 * inside clusters, so let flow spread, strengthen where it is strong, and repeat until it stands.
 *
 *   F = max(A, A') with a loop at each vertex as heavy as its heaviest edge, rows scaled to sum 1;
 *       row i is the flow that leaves vertex i
 *   expand   F = F * F over (plus, times); as each row is formed it is pruned: flow below `prune`
 *            is dropped, then all but the `select` largest, and where less than `share` of a row
 *            would be left, its `recover` largest stay: -p, -S, -R and -pct of the program mcl
 *   inflate  F(i,j) = F(i,j)^inflation, rows scaled to sum 1 again, flow below `dust` dropped
 *   until chaos = max over i of (max over j of F(i,j) - sum over j of F(i,j)^2), taken after
 *   expanding, is small: then each row is uniform over the attractors that hold the flow of i
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
    gbl_Matrix F, S; /* the flow; workspace */
    gbl_Vector rows; /* workspace, a value per row */
    gbl_Type type;   /* of the flow, and operators on it */
    gbl_Monoid sum, largest;
    gbl_Semiring ring;
    gbl_UnaryOp invert;
    gbl_BinaryOp power;
    gbl_RowFilter keep;
} markov_flow;

static inline void markov_power64(void *z, const void *x, const void *y) {
    const double base = *(const double *)x, exponent = *(const double *)y;
    *(double *)z = exponent == 2.0 ? base * base : pow(base, exponent);
}
static inline void markov_power32(void *z, const void *x, const void *y) {
    const float base = *(const float *)x, exponent = *(const float *)y;
    *(float *)z = exponent == 2.0f ? base * base : powf(base, exponent);
}

static inline void markov_flow_free(markov_flow *flow) {
    gbl_Matrix_free(&flow->F);
    gbl_Matrix_free(&flow->S);
    gbl_Vector_free(&flow->rows);
    gbl_BinaryOp_free(&flow->power);
    gbl_Scalar_free(&flow->keep.y);
}

/* For n vertices; to be freed even if it fails. */
static inline gbl_Info markov_flow_new(markov_flow *flow, gbl_Index n, const markov_options *o) {
    const bool single = o->single;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    gbl_Info info;
    keep.op = single ? GBL_VALUEGE_FP32 : GBL_VALUEGE_FP64;
    keep.most = o->select;
    keep.recover = o->recover;
    keep.share = o->share;
    *flow =
        (markov_flow){.type = single ? GBL_FP32 : GBL_FP64,
                      .sum = single ? GBL_PLUS_MONOID_FP32 : GBL_PLUS_MONOID_FP64,
                      .largest = single ? GBL_MAX_MONOID_FP32 : GBL_MAX_MONOID_FP64,
                      .ring = single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64,
                      .invert = single ? GBL_MINV_FP32 : GBL_MINV_FP64,
                      .keep = keep};
    if ((info = gbl_Matrix_new(&flow->F, flow->type, n, n)) ||
        (info = gbl_Matrix_new(&flow->S, flow->type, n, n)) ||
        (info = gbl_Vector_new(&flow->rows, flow->type, n)) ||
        (info = gbl_BinaryOp_new(&flow->power, single ? markov_power32 : markov_power64, flow->type,
                                 flow->type, flow->type)) ||
        (info = gbl_Scalar_new(&flow->keep.y, GBL_FP64)))
        return info;
    return gbl_Scalar_setElement_FP64(flow->keep.y, o->prune);
}

/* F(i,j) = F(i,j) / sum of row i */
static inline gbl_Info markov_scale_rows(markov_flow *flow) {
    gbl_Matrix F = flow->F, D = NULL;
    gbl_Vector rows = flow->rows;
    gbl_Info info;
    if ((info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, flow->sum, F, NULL)) ||
        (info = gbl_Vector_apply(rows, NULL, NULL, flow->invert, rows, NULL)) ||
        (info = gbl_Matrix_diag(&D, rows, 0)))
        goto done;
    info = gbl_mxm(F, NULL, NULL, flow->ring, D, F, NULL);
done:
    gbl_Matrix_free(&D);
    return info;
}

/* F = the flow of one step along the edges of A. */
static inline gbl_Info markov_start(markov_flow *flow, gbl_Matrix A, gbl_Index n) {
    gbl_Matrix F = flow->F, D = NULL;
    gbl_Vector rows = flow->rows;
    gbl_Info info;
    if ((info = gbl_Matrix_eWiseAdd_BinaryOp(F, NULL, NULL, GBL_MAX_FP64, A, A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_select_INT64(F, NULL, NULL, GBL_OFFDIAG, F, 0, NULL)) ||
        (info = gbl_Vector_assign_FP64(rows, NULL, NULL, 1.0, GBL_ALL, n, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, GBL_SECOND_FP64, flow->largest, F, NULL)) ||
        (info = gbl_Matrix_diag(&D, rows, 0)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(F, NULL, NULL, GBL_PLUS_FP64, F, D, NULL)))
        goto done;
    info = markov_scale_rows(flow);
done:
    gbl_Matrix_free(&D);
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
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(S, NULL, NULL, flow->power, F, 2.0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, flow->largest, F, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, GBL_MINUS_FP64, flow->sum, S, NULL)) ||
        (info = gbl_Vector_reduce_FP64(chaos, NULL, GBL_MAX_MONOID_FP64, rows, NULL)))
        return info;
    if (o->inflation == 2.0) { /* S has it already */
        flow->F = S;
        flow->S = F;
    } else if ((info = gbl_Matrix_apply_BinaryOp2nd_FP64(F, NULL, NULL, flow->power, F,
                                                         o->inflation, NULL))) {
        return info;
    }
    if ((info = gbl_Matrix_clear(flow->S)) || (info = markov_scale_rows(flow)) || o->dust <= 0)
        return info;
    return gbl_Matrix_select_FP64(flow->F, NULL, NULL, flow->keep.op, flow->F, o->dust, NULL);
}

/* Attractors keep flow of their own; flow between two attractors joins them into one cluster, and a
 * vertex is in the clusters that its settled flow goes to. */
static inline gbl_Info markov_interpret(markov_clusters *c, markov_flow *flow) {
    gbl_Matrix F = flow->F, S = flow->S;
    gbl_Vector a = c->attractors;
    int64_t sum = -1, before;
    gbl_Info info;
    if ((info = gbl_Matrix_select_FP64(F, NULL, NULL, flow->keep.op, F, MARKOV_SETTLED, NULL)) ||
        (info = gbl_Matrix_select_INT64(S, NULL, NULL, GBL_DIAG, F, 0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(a, NULL, NULL, flow->largest, S, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(a, NULL, NULL, GBL_ROWINDEX_INT64, a, 0, NULL)))
        return info;
    do { /* labels only fall, so an equal sum means that none changed */
        before = sum;
        if ((info =
                 gbl_mxv(a, a, GBL_MIN_INT64, GBL_MIN_SECOND_SEMIRING_INT64, F, a, GBL_DESC_S)) ||
            (info = gbl_vxm(a, a, GBL_MIN_INT64, GBL_MIN_FIRST_SEMIRING_INT64, a, F, GBL_DESC_S)) ||
            (info = gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, a, NULL)))
            return info;
    } while (sum != before);
    gbl_Vector first = c->cluster, last = c->overlap;
    gbl_Vector several = NULL;
    gbl_Index n;
    if ((info = gbl_Vector_size(&n, a)) || (info = gbl_Vector_new(&several, GBL_BOOL, n)) ||
        (info = gbl_mxv(first, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, F, a, NULL)) ||
        (info = gbl_mxv(last, NULL, NULL, GBL_MAX_SECOND_SEMIRING_INT64, F, a, NULL)) ||
        (info =
             gbl_Vector_eWiseMult_BinaryOp(several, NULL, NULL, GBL_NE_INT64, first, last, NULL)))
        goto done;
    info = gbl_Vector_assign(last, several, NULL, last, GBL_ALL, n, GBL_DESC_R);
done:
    gbl_Vector_free(&several);
    return info;
}

static inline void markov_clusters_free(markov_clusters *c) {
    gbl_Vector_free(&c->cluster);
    gbl_Vector_free(&c->attractors);
    gbl_Vector_free(&c->overlap);
}

/* *clusters gets new vectors. A is square, its entries are positive weights of edges. If the flow
 * has not settled after options->steps steps the call fails. */
static inline gbl_Info markov_cluster(markov_clusters *clusters, gbl_Matrix A,
                                      const markov_options *options) {
    markov_flow flow;
    markov_clusters c = {0};
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index n, clustered;
    double chaos = INFINITY;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info) return info;
    if ((info = markov_flow_new(&flow, n, options)) ||
        (info = gbl_Vector_new(&c.cluster, GBL_INT64, n)) ||
        (info = gbl_Vector_new(&c.attractors, GBL_INT64, n)) ||
        (info = gbl_Vector_new(&c.overlap, GBL_INT64, n)) || (info = markov_start(&flow, A, n)))
        goto done;
    for (int64_t step = 1; step <= options->steps && chaos > MARKOV_SETTLED; step++) {
        if ((info = markov_step(&flow, options, &chaos, &how))) goto done;
        if (options->report) options->report(options->context, step, chaos, &how);
    }
    if ((info = markov_interpret(&c, &flow)) || (info = gbl_Vector_nvals(&clustered, c.cluster)))
        goto done;
    if (chaos > MARKOV_SETTLED || clustered < n) {
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the flow has not settled after %lld steps (chaos %g, want %g): allow more "
                        "steps or change the inflation, now %g",
                        (long long)options->steps, chaos, MARKOV_SETTLED, options->inflation);
        goto done;
    }
    *clusters = c;
    c = (markov_clusters){0};
done:
    markov_clusters_free(&c);
    markov_flow_free(&flow);
    return info;
}

#endif
