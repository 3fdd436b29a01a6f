/* SPDX-License-Identifier: Apache-2.0
 *
 * Markov clustering (S. van Dongen, Graph clustering by flow simulation, 2000): random walks stay
 * inside clusters, so let flow spread, strengthen where it is strong, and repeat until it stands.
 *
 *   F = max(A, A') with a loop at each vertex as heavy as its heaviest edge, rows scaled to sum 1
 *   F = F * F; as each row is formed, a filter prunes it as the program mcl does (its -p, -S, -R
 *       and -pct), raises what is left to the power of the inflation, and scales it to sum 1 again
 *   until chaos = max over i of (max over j of F(i,j) - sum over j of F(i,j)^2) is small: then a
 *       row is uniform over the attractors that hold the flow of its vertex
 *
 * Attractors keep flow of their own; flow between two of them joins them into one cluster.
 */
#ifndef GBLITE_EXAMPLES_MARKOV_CLUSTER_H
#define GBLITE_EXAMPLES_MARKOV_CLUSTER_H

#include <math.h>

#include "gblite.h"

#define MARKOV_SETTLED 1e-4 /* bound of the chaos; smaller flow does not count in the end */

typedef struct {
    gbl_RowFilter keep; /* power: the inflation, above 1; recover: at least 1 */
    double prune, dust; /* flow below is dropped, before and after inflation */
    bool single;        /* flow in FP32: half the memory */
    int64_t steps;      /* at most so many */
    void (*report)(void *context, int64_t step, double chaos, const gbl_Explanation *how);
    void *context; /* of report, which may be NULL */
} markov_options;
/* What mcl does by itself. */
#define MARKOV_USUAL                                                                               \
    { {sizeof(gbl_RowFilter), NULL, NULL, 1100, 1400, 0.9, 2, true}, .prune = 1e-4, .steps = 1000 }
#define MARKOV(what) (o->single ? GBL_##what##_FP32 : GBL_##what##_FP64)

/* The cluster of each vertex, the first where there are several, named by its first attractor; the
 * same of attractors alone; entries at vertices in several clusters. */
enum { MARKOV_CLUSTER, MARKOV_ATTRACTORS, MARKOV_OVERLAP, MARKOV_FOUND };

/* F = the flow of one step along the edges of A, by weights in W: shares fit in FP32, these may
 * not. *D = the weights of loops, on the diagonal. */
static inline gbl_Info markov_start(gbl_Matrix F, gbl_Matrix W, gbl_Matrix *D, gbl_Vector rows,
                                    gbl_Matrix A) {
    const gbl_RowFilter scale = {.size = sizeof scale, .scale = true};
    const gbl_Semiring weight = GBL_PLUS_SECOND_SEMIRING_FP64;
    gbl_Info info;
    if ((info = gbl_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, GBL_MAX_FP64, A, A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_select_INT64(W, NULL, NULL, GBL_OFFDIAG, W, 0, NULL)) ||
        (info = gbl_Vector_assign_FP64(rows, NULL, NULL, 1, GBL_ALL, 0, NULL)) ||
        (info =
             gbl_Matrix_reduce_Monoid(rows, NULL, GBL_SECOND_FP64, GBL_MAX_MONOID_FP64, W, NULL)) ||
        (info = gbl_Matrix_diag(D, rows, 0)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, GBL_PLUS_FP64, W, *D, NULL)) ||
        (info = gbl_mxm_select(F, NULL, NULL, weight, &scale, *D, W, NULL)))
        return info;
    return gbl_Matrix_clear(W);
}

/* found: new INT64 vectors, as listed above. A is square and its entries are positive weights of
 * edges; it is read before the first report, which may free it. Fails if the flow does not settle,
 * or vertices lose all of it. */
static inline gbl_Info markov_cluster(gbl_Vector *found, gbl_Matrix A, const markov_options *o) {
    const gbl_Semiring ring = MARKOV(PLUS_TIMES_SEMIRING);
    const gbl_Monoid largest = MARKOV(MAX_MONOID);
    gbl_RowFilter keep = o->keep;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Matrix F = NULL, S = NULL, D = NULL;
    gbl_Vector v[MARKOV_FOUND] = {NULL}, rows = NULL;
    double chaos = INFINITY;
    gbl_Index n, clustered;
    gbl_Info info = gbl_Matrix_nrows(&n, A);

    keep.op = MARKOV(VALUEGE);
    keep.y = NULL;
    for (int k = 0; k < MARKOV_FOUND && !info; k++) info = gbl_Vector_new(&v[k], GBL_INT64, n);
    const gbl_Vector first = v[MARKOV_CLUSTER], a = v[MARKOV_ATTRACTORS], last = v[MARKOV_OVERLAP];
    if (info || (info = gbl_Scalar_new(&keep.y, GBL_FP64)) ||
        (info = gbl_Scalar_setElement_FP64(keep.y, o->prune)) ||
        (info = gbl_Matrix_new(&F, o->single ? GBL_FP32 : GBL_FP64, n, n)) ||
        (info = gbl_Matrix_new(&S, GBL_FP64, n, n)) ||
        (info = gbl_Vector_new(&rows, GBL_FP64, n)) || (info = markov_start(F, S, &D, rows, A)))
        goto done;
    for (int64_t step = 1; step <= o->steps && chaos > MARKOV_SETTLED; step++) {
        if ((info = gbl_mxm_select(F, NULL, NULL, ring, &keep, F, F, NULL)) ||
            (info = gbl_Matrix_explain(&how, F)) ||
            (o->dust > 0 &&
             (info = gbl_Matrix_select_FP64(F, NULL, NULL, keep.op, F, o->dust, NULL))) ||
            (info = gbl_mxm(S, D, NULL, ring, F, F, GBL_DESC_ST1)) || /* the sums of squares */
            (info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, largest, F, NULL)) ||
            (info = gbl_Matrix_reduce_Monoid(rows, NULL, GBL_MINUS_FP64, largest, S, NULL)) ||
            (info = gbl_Vector_reduce_FP64(&chaos, NULL, GBL_MAX_MONOID_FP64, rows, NULL)))
            goto done;
        if (o->report) o->report(o->context, step, chaos, &how);
    }
    if ((info = gbl_Matrix_select_FP64(F, NULL, NULL, keep.op, F, MARKOV_SETTLED, NULL)) ||
        (info = gbl_Matrix_select_INT64(S, NULL, NULL, GBL_DIAG, F, 0, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(a, NULL, NULL, largest, S, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(a, NULL, NULL, GBL_ROWINDEX_INT64, a, 0, NULL)) ||
        (info = gbl_mxm(S, NULL, NULL, ring, F, S, NULL)) || /* the flow to attractors */
        (info = gbl_Vector_join(a, a, S, 0, n, GBL_DESC_S)) ||
        (info = gbl_mxv(first, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, S, a, NULL)) ||
        (info = gbl_mxv(last, NULL, NULL, GBL_MAX_SECOND_SEMIRING_INT64, S, a, NULL)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(last, NULL, NULL, GBL_NE_INT64, last, first, NULL)) ||
        (info = gbl_Vector_select_INT64(last, NULL, NULL, GBL_VALUENE_INT64, last, 0, NULL)) ||
        (info = gbl_Vector_nvals(&clustered, first)))
        goto done;
    if (chaos > MARKOV_SETTLED || clustered < n)
        info =
            gbl_fail(GBL_INVALID_VALUE, NULL,
                     "the flow has not settled or is lost: chaos is %g, and %zu vertices have no "
                     "flow; allow more steps, drop less dust, or make all weights positive",
                     chaos, (size_t)(n - clustered));
    for (int k = 0; k < MARKOV_FOUND && !info; k++) found[k] = v[k], v[k] = NULL;
done:
    for (int k = 0; k < MARKOV_FOUND; k++) gbl_Vector_free(&v[k]);
    gbl_Vector_free(&rows);
    gbl_Scalar_free(&keep.y);
    gbl_Matrix_free(&F);
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&D);
    return info;
}

#endif
