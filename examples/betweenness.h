/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001): for each vertex, over all pairs of a source and a
 * target, the share of the shortest paths that lead through it. Of each source:
 *
 *   F[d]<!paths> = F[d-1] * A over (plus, first)    how many shortest paths reach each vertex
 *   paths<F[d]>  = F[d]
 *   D            = 1 / paths                        and, from the last level to the second:
 *     F[d]<F[d]>   = D                              (1 + D) / paths, where D(v) is what the
 *     D<F[d-1]>   += F[d] * A'                      source adds to the centrality of v
 *   D            = (D - 1 / paths) .* paths
 *
 * Each F is the list of its level alone, so that a step costs what it reaches: often too little for
 * two threads, so each thread takes a source where there are enough. More shortest paths between
 * two vertices than 1.8e308, as in grids of 520 x 520, are GBL_INVALID_VALUE. */
#ifndef GBLITE_EXAMPLES_BETWEENNESS_H
#define GBLITE_EXAMPLES_BETWEENNESS_H

#include <math.h>
#include <stdlib.h>

#include "gblite.h"

typedef struct {
    gbl_Matrix A;
    const gbl_Index *source;
    gbl_Vector D[64]; /* of so many sources at the same time */
    gbl_Info info[64];
} betweenness_batch;

/* The source is on no path of its own: the way back ends at its neighbours. */
static inline void betweenness_from(void *of, gbl_Index s) {
    betweenness_batch *batch = (betweenness_batch *)of;
    const gbl_Semiring ring = GBL_PLUS_FIRST_SEMIRING_FP64;
    gbl_Matrix A = batch->A;
    gbl_Vector D = NULL, paths = NULL, *F = NULL;
    gbl_Index n = 0, d = 0, found = 1;
    double most = 0;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (!info) info = gbl_Vector_new(&D, GBL_FP64, n);
    if (!info) info = gbl_Vector_new(&paths, GBL_FP64, n);
    if (!info && !(F = (gbl_Vector *)malloc((n + 1) * sizeof *F)))
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu levels", (size_t)n);
    for (; !info && found > 0 && !(info = gbl_Vector_new(&F[d], GBL_FP64, n)); d++) {
        info = d == 0 ? gbl_Vector_setElement_FP64(F[0], 1, batch->source[s])
                      : gbl_vxm(F[d], paths, NULL, ring, F[d - 1], A, GBL_DESC_RSC);
        if (!info) info = gbl_Vector_assign(paths, F[d], NULL, F[d], GBL_ALL, n, GBL_DESC_S);
        if (!info) info = gbl_Vector_nvals(&found, F[d]);
    }
    if (!info) info = gbl_Vector_reduce_FP64(&most, NULL, GBL_MAX_MONOID_FP64, paths, NULL);
    if (most == INFINITY)
        info = gbl_fail(GBL_INVALID_VALUE, A, "there are more shortest paths than a double counts");
    if (!info) info = gbl_Vector_apply(D, NULL, NULL, GBL_MINV_FP64, paths, NULL);
    for (gbl_Index k = d; !info && k-- > 2;) {
        info = gbl_Vector_assign(F[k], F[k], NULL, D, GBL_ALL, n, GBL_DESC_RS);
        if (!info) info = gbl_vxm(D, F[k - 1], GBL_PLUS_FP64, ring, F[k], A, GBL_DESC_ST1);
    }
    if (!info) info = gbl_Vector_apply(D, NULL, GBL_MINUS_FP64, GBL_MINV_FP64, paths, NULL);
    if (!info) info = gbl_Vector_eWiseMult_BinaryOp(D, NULL, NULL, GBL_TIMES_FP64, D, paths, NULL);
    batch->info[s] = info ? gbl_fail(info, A, "%s", gbl_last_error()) : info;
    batch->D[s] = D;
    while (d > 0) gbl_Vector_free(&F[--d]);
    gbl_Vector_free(&paths);
    free(F);
}

/* *centrality is a new FP64 vector with an entry for each vertex. A is square, an entry (i,j) is an
 * edge from i to j; a pair counts in both directions. All vertices as sources give the values
 * themselves; some of them, drawn at random, an estimate in proportion. D, the difference of 1 + D
 * and 1, is never below 0 and rounded to about 1e-16: smaller ones are lost. */
static inline gbl_Info betweenness(gbl_Vector *centrality, gbl_Matrix A, const gbl_Index *sources,
                                   gbl_Index count) {
    betweenness_batch batch = {.A = A};
    gbl_Vector total = NULL;
    gbl_Index n, m;
    int32_t most = 1;
    const char *text;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (!info) info = gbl_Global_get_INT32(GBL_GLOBAL, &most, GBL_NTHREADS);
    if (!info) info = gbl_Vector_new(&total, GBL_FP64, n);
    if (!info) info = gbl_Vector_assign_FP64(total, NULL, NULL, 0, GBL_ALL, n, NULL);
    const gbl_Index threads = most < 64 ? (gbl_Index)most : 64;
    for (gbl_Index k = 0; !info && k < count; k += m) {
        m = count < threads ? 1 : count - k < threads ? count - k : threads;
        batch.source = sources + k;
        gbl_parallel(m, betweenness_from, &batch);
        for (gbl_Index s = 0; s < m; gbl_Vector_free(&batch.D[s++])) {
            if (!info && (info = batch.info[s]) && !gbl_Matrix_error(&text, A))
                gbl_fail(info, A, "%s", text);
            if (!info)
                info = gbl_Vector_assign(total, NULL, GBL_PLUS_FP64, batch.D[s], GBL_ALL, n, NULL);
        }
    }
    if (info) gbl_Vector_free(&total);
    if (!info) *centrality = total;
    return info;
}

#endif
