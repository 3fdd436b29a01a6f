/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001): for each vertex, over all pairs of a source and a
 * target, the share of the shortest paths that lead through it. Source by source:
 *
 *   F[d]<!paths> = F[d-1] * A over (plus, first)    how many shortest paths reach each vertex
 *   paths<F[d]>  = F[d]
 *   X            = 1 / paths                        and, from the last level to the second:
 *     F[d]<F[d]>   = X                              (1 + D) / paths, where D(v) is what the
 *     X<F[d-1]>   += F[d] * A'                      source adds to the centrality of v
 *   total       += (X - 1 / paths) .* paths
 *
 * Each F is the list of its level alone, so that a step costs what it reaches. Paths are counted in
 * doubles: where there are more than 1.8e308 between two vertices, as in grids of 520 x 520, the
 * answer is GBL_INVALID_VALUE.
 */
#ifndef GBLITE_EXAMPLES_BETWEENNESS_H
#define GBLITE_EXAMPLES_BETWEENNESS_H

#include <math.h>
#include <stdlib.h>

#include "gblite.h"

/* total += D of one source, which is on no path of its own: the way back ends at its neighbours. */
static inline gbl_Info betweenness_from(gbl_Vector total, gbl_Matrix A, gbl_Index source) {
    const gbl_Semiring ring = GBL_PLUS_FIRST_SEMIRING_FP64;
    const gbl_BinaryOp plus = GBL_PLUS_FP64;
    gbl_Vector paths = NULL, X = NULL, *F = NULL, *more;
    gbl_Index n = 0, d = 0, found = 1;
    double most = 0;
    gbl_Info info = gbl_Vector_size(&n, total);
    if (!info) info = gbl_Vector_new(&paths, GBL_FP64, n);
    if (!info) info = gbl_Vector_new(&X, GBL_FP64, n);
    while (!info && found > 0) {
        more = realloc(F, (d + 1) * sizeof *F);
        if (!more) info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for level %zu", (size_t)d);
        if (info || (F = more, info = gbl_Vector_new(&F[d], GBL_FP64, n))) break;
        more += d++; /* the level to find */
        info = d == 1 ? gbl_Vector_setElement_FP64(*more, 1, source)
                      : gbl_vxm(*more, paths, NULL, ring, more[-1], A, GBL_DESC_RSC);
        if (!info) info = gbl_Vector_assign(paths, *more, NULL, *more, GBL_ALL, n, GBL_DESC_S);
        if (!info) info = gbl_Vector_nvals(&found, *more);
    }
    if (!info) info = gbl_Vector_reduce_FP64(&most, NULL, GBL_MAX_MONOID_FP64, paths, NULL);
    if (most == INFINITY)
        info = gbl_fail(GBL_INVALID_VALUE, A, "there are more shortest paths than a double counts");
    if (!info) info = gbl_Vector_apply(X, NULL, NULL, GBL_MINV_FP64, paths, NULL);
    for (gbl_Index k = d; !info && k-- > 2;) {
        info = gbl_Vector_assign(F[k], F[k], NULL, X, GBL_ALL, n, GBL_DESC_RS);
        if (!info) info = gbl_vxm(X, F[k - 1], plus, ring, F[k], A, GBL_DESC_ST1);
    }
    if (!info) info = gbl_Vector_apply(X, NULL, GBL_MINUS_FP64, GBL_MINV_FP64, paths, NULL);
    if (!info)
        info = gbl_Vector_eWiseMult_BinaryOp(total, NULL, plus, GBL_TIMES_FP64, X, paths, NULL);
    while (d > 0) gbl_Vector_free(&F[--d]);
    free(F);
    gbl_Vector_free(&paths);
    gbl_Vector_free(&X);
    return info;
}

/* *centrality is a new FP64 vector with an entry for each vertex. A is square, an entry (i,j) is an
 * edge from i to j; a pair counts in both directions. All vertices as sources give the values
 * themselves; some of them, drawn at random, an estimate in proportion. D, the difference of 1 + D
 * and 1, is never below 0 and rounded to about 1e-16: smaller ones are lost. */
static inline gbl_Info betweenness(gbl_Vector *centrality, gbl_Matrix A, const gbl_Index *sources,
                                   gbl_Index count) {
    gbl_Vector total = NULL;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (!info) info = gbl_Vector_new(&total, GBL_FP64, n);
    if (!info) info = gbl_Vector_assign_FP64(total, NULL, NULL, 0, GBL_ALL, n, NULL);
    for (gbl_Index k = 0; !info && k < count; k++) info = betweenness_from(total, A, sources[k]);
    if (info) gbl_Vector_free(&total);
    if (!info) *centrality = total;
    return info;
}

#endif
