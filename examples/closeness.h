/* SPDX-License-Identifier: Apache-2.0
 *
 * Closeness centrality: how near the other vertices are. Of the distances d(u, v), in edges, of the
 * r vertices u != v that reach v, of n in all:
 *
 *   closeness(v) = r / (n - 1) * r / (sum of d(u, v))   (S. Wasserman, K. Faust, 1994)
 *   harmonic(v)  = sum of 1 / d(u, v)
 */
#ifndef GBLITE_EXAMPLES_CLOSENESS_H
#define GBLITE_EXAMPLES_CLOSENESS_H

#include "distance_sums.h"

/* The progress callback gets the part done, or is NULL; it ends the call where it is false. */
typedef bool (*closeness_progress)(double done);

/* sums[3 n], zeros: those of distance_sums from all vertices; source has room for them. */
static inline gbl_Info closeness_sums(double *sums, const gbl_Arrays *edges, gbl_Index n,
                                      uint32_t *source, closeness_progress progress) {
    enum { AT_ONCE = DISTANCE_PARTS * DISTANCE_WORD * 4 }; /* sources between two reports */
    gbl_Info info = GBL_SUCCESS;
    for (gbl_Index v = 0; v < n; v++) source[v] = (uint32_t)v;
    for (gbl_Index first = 0, end; first < n && !info; first = end) {
        end = n - first < AT_ONCE ? n : first + AT_ONCE;
        distance_search s = {
            .edges = edges, .n = n, .count = end - first, .source = source + first};
        info = distance_sums(sums, &s);
        if (!info && progress && !progress((double)end / (double)n))
            info =
                gbl_fail(GBL_CANCELLED, NULL, "the searches were ended by their progress callback");
    }
    return info;
}

/* *closeness and *harmonic are new FP64 vectors with an entry for each vertex; either may be NULL.
 * A is square, an entry (i,j) is an edge from i to j. */
static inline gbl_Info closeness(gbl_Vector *close, gbl_Vector *harmonic, gbl_Matrix A,
                                 closeness_progress progress) {
    gbl_Arrays edges = {.p = NULL};
    gbl_Matrix B = NULL;
    gbl_Vector c = NULL, h = NULL;
    gbl_Index n, *all = NULL;
    uint32_t *source = NULL;
    double *sums = NULL, *values = NULL; /* closeness, then harmonic */
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&c, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&h, GBL_FP64, n)) || (info = gbl_Matrix_dup(&B, A)))
        goto done;
    if (n < UINT32_MAX) {
        all = (gbl_Index *)malloc((n + 1) * sizeof *all);
        source = (uint32_t *)malloc((n + 1) * sizeof *source);
        sums = (double *)calloc(3 * n + 1, sizeof *sums);
        values = (double *)malloc((2 * n + 1) * sizeof *values);
    }
    if (!all || !source || !sums || !values) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    if ((info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &edges)) ||
        (info = closeness_sums(sums, &edges, n, source, progress)))
        goto done;
    for (gbl_Index v = 0; v < n; v++) {
        const double r = sums[3 * v] - 1, d = sums[3 * v + 1];
        all[v] = v;
        values[v] = r > 0 ? r / (double)(n - 1) * r / d : 0;
        values[n + v] = sums[3 * v + 2];
    }
    if ((info = gbl_Vector_build_FP64(c, all, values, n, NULL)) ||
        (info = gbl_Vector_build_FP64(h, all, values + n, n, NULL)))
        goto done;
    if (close) *close = c, c = NULL;
    if (harmonic) *harmonic = h, h = NULL;
done:
    gbl_Memory_free(edges.p);
    gbl_Memory_free(edges.i);
    gbl_Memory_free(edges.x);
    free(all);
    free(source);
    free(sums);
    free(values);
    gbl_Vector_free(&c);
    gbl_Vector_free(&h);
    gbl_Matrix_free(&B);
    return info;
}

#endif
