/* SPDX-License-Identifier: Apache-2.0
 *
 * Markov clustering (S. van Dongen, Graph clustering by flow simulation, 2000): random walks stay
 * inside clusters, so let flow spread, strengthen where it is strong, and repeat until it stands.
 *
 *   F = max(A, A') with a loop at each vertex as heavy as its heaviest edge, rows scaled to sum 1;
 *       row i is the flow that leaves vertex i
 *   expand   F = F * F over (plus, times)
 *   prune    keep F(i,j) >= prune
 *   inflate  F(i,j) = F(i,j)^inflation, rows scaled to sum 1 again
 *   until chaos = max over i of (max over j of F(i,j) - sum over j of F(i,j)^2), taken after
 *   expanding, is small: then each row is uniform over the attractors that hold the flow of i
 */
#ifndef GBLITE_EXAMPLES_MARKOV_CLUSTER_H
#define GBLITE_EXAMPLES_MARKOV_CLUSTER_H

#include <math.h>

#include "gblite.h"

#define MARKOV_SETTLED 1e-4 /* bound of the chaos; smaller flow does not count in the end */

typedef struct {
    double inflation; /* > 1: larger makes smaller clusters; 2 is usual */
    double prune;     /* smallest flow kept; 1e-4 is usual */
    int64_t steps;    /* at most so many */
    void (*report)(void *context, int64_t step, double chaos, const gbl_Explanation *how);
    void *context; /* of report, which may be NULL */
} markov_options;

static inline void markov_power(void *z, const void *x, const void *y) {
    double base = *(const double *)x, exponent = *(const double *)y;
    *(double *)z = exponent == 2.0 ? base * base : pow(base, exponent);
}

/* F(i,j) = F(i,j) / sum of row i */
static inline gbl_Info markov_scale_rows(gbl_Matrix F, gbl_Vector rows) {
    gbl_Matrix D = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, GBL_PLUS_MONOID_FP64, F, NULL)) ||
        (info = gbl_Vector_apply(rows, NULL, NULL, GBL_MINV_FP64, rows, NULL)) ||
        (info = gbl_Matrix_diag(&D, rows, 0)))
        goto done;
    info = gbl_mxm(F, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, D, F, NULL);
done:
    gbl_Matrix_free(&D);
    return info;
}

/* F = the flow of one step along the edges of A. */
static inline gbl_Info markov_start(gbl_Matrix F, gbl_Vector rows, gbl_Matrix A, gbl_Index n) {
    gbl_Matrix D = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_eWiseAdd_BinaryOp(F, NULL, NULL, GBL_MAX_FP64, A, A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_select_INT64(F, NULL, NULL, GBL_OFFDIAG, F, 0, NULL)) ||
        (info = gbl_Vector_assign_FP64(rows, NULL, NULL, 1.0, GBL_ALL, n, NULL)) ||
        (info =
             gbl_Matrix_reduce_Monoid(rows, NULL, GBL_SECOND_FP64, GBL_MAX_MONOID_FP64, F, NULL)) ||
        (info = gbl_Matrix_diag(&D, rows, 0)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(F, NULL, NULL, GBL_PLUS_FP64, F, D, NULL)))
        goto done;
    info = markov_scale_rows(F, rows);
done:
    gbl_Matrix_free(&D);
    return info;
}

/* Expand, prune and inflate once. The cutoff never exceeds the largest entry of any row, so that no
 * vertex loses all its flow. S is workspace. */
static inline gbl_Info markov_step(gbl_Matrix F, gbl_Matrix S, gbl_Vector rows, gbl_BinaryOp power,
                                   const markov_options *options, double *chaos,
                                   gbl_Explanation *how) {
    double top = 0;
    gbl_Info info;
    if ((info = gbl_mxm(F, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, F, F, NULL)) ||
        (info = gbl_Matrix_explain(how, F)) ||
        (info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, GBL_MAX_MONOID_FP64, F, NULL)) ||
        (info = gbl_Vector_reduce_FP64(&top, NULL, GBL_MIN_MONOID_FP64, rows, NULL)) ||
        (info = gbl_Matrix_select_FP64(F, NULL, NULL, GBL_VALUEGE_FP64, F,
                                       fmin(options->prune, top), NULL)) ||
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(S, NULL, NULL, power, F, 2.0, NULL)) ||
        (info =
             gbl_Matrix_reduce_Monoid(rows, NULL, GBL_MINUS_FP64, GBL_PLUS_MONOID_FP64, S, NULL)) ||
        (info = gbl_Vector_reduce_FP64(chaos, NULL, GBL_MAX_MONOID_FP64, rows, NULL)) ||
        (info =
             gbl_Matrix_apply_BinaryOp2nd_FP64(F, NULL, NULL, power, F, options->inflation, NULL)))
        return info;
    return markov_scale_rows(F, rows);
}

/* cluster(i) = the first attractor of the cluster of i, from settled flow. Attractors keep flow of
 * their own; flow between two attractors joins them into one cluster, and a vertex whose flow is
 * split between clusters belongs to the first of them. */
static inline gbl_Info markov_interpret(gbl_Vector cluster, gbl_Matrix F, gbl_Matrix S) {
    gbl_Vector attractors = NULL;
    gbl_Index n;
    int64_t sum = -1, before;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, F)) || (info = gbl_Vector_new(&attractors, GBL_INT64, n)) ||
        (info = gbl_Matrix_select_FP64(F, NULL, NULL, GBL_VALUEGE_FP64, F, MARKOV_SETTLED, NULL)) ||
        (info = gbl_Matrix_select_INT64(S, NULL, NULL, GBL_DIAG, F, 0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(attractors, NULL, NULL, GBL_MAX_MONOID_FP64, S, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(attractors, NULL, NULL, GBL_ROWINDEX_INT64,
                                               attractors, 0, NULL)))
        goto done;
    do { /* labels only fall, so an equal sum means that none changed */
        before = sum;
        if ((info = gbl_mxv(attractors, attractors, GBL_MIN_INT64, GBL_MIN_SECOND_SEMIRING_INT64, F,
                            attractors, GBL_DESC_S)) ||
            (info = gbl_vxm(attractors, attractors, GBL_MIN_INT64, GBL_MIN_FIRST_SEMIRING_INT64,
                            attractors, F, GBL_DESC_S)) ||
            (info = gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, attractors, NULL)))
            goto done;
    } while (sum != before);
    info = gbl_mxv(cluster, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, F, attractors, NULL);
done:
    gbl_Vector_free(&attractors);
    return info;
}

/* *cluster is a new INT64 vector: vertices with equal values are in one cluster. A is square, its
 * entries are positive weights of edges. If the flow has not settled after options->steps steps
 * the call fails. */
static inline gbl_Info markov_cluster(gbl_Vector *cluster, gbl_Matrix A,
                                      const markov_options *options) {
    gbl_Matrix F = NULL, S = NULL;
    gbl_Vector rows = NULL, result = NULL;
    gbl_BinaryOp power = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index n, clustered;
    double chaos = INFINITY;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&F, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_new(&S, GBL_FP64, n, n)) ||
        (info = gbl_Vector_new(&rows, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&result, GBL_INT64, n)) ||
        (info = gbl_BinaryOp_new(&power, markov_power, GBL_FP64, GBL_FP64, GBL_FP64)) ||
        (info = markov_start(F, rows, A, n)))
        goto done;

    for (int64_t step = 1; step <= options->steps && chaos > MARKOV_SETTLED; step++) {
        if ((info = markov_step(F, S, rows, power, options, &chaos, &how))) goto done;
        if (options->report) options->report(options->context, step, chaos, &how);
    }
    if ((info = markov_interpret(result, F, S)) || (info = gbl_Vector_nvals(&clustered, result)))
        goto done;
    if (chaos > MARKOV_SETTLED || clustered < n) {
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the flow has not settled after %lld steps (chaos %g, want %g): allow more "
                        "steps or change the inflation, now %g",
                        (long long)options->steps, chaos, MARKOV_SETTLED, options->inflation);
        goto done;
    }
    *cluster = result;
    result = NULL;
done:
    gbl_BinaryOp_free(&power);
    gbl_Vector_free(&rows);
    gbl_Vector_free(&result);
    gbl_Matrix_free(&F);
    gbl_Matrix_free(&S);
    return info;
}

#endif
