/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from one source, edge weights positive or 0: the least fixpoint of
 *
 *   distance(j) = min over edges (i, j) of distance(i) + A(i, j)
 *
 * from distance(source) = 0. Distances are settled in buckets of width delta (delta-stepping: U.
 * Meyer, P. Sanders, 2003): a wide one makes few steps, a narrow one looks at few vertices twice;
 * Bellman-Ford and Dijkstra are the extremes.
 */
#ifndef GBLITE_EXAMPLES_SHORTEST_PATHS_H
#define GBLITE_EXAMPLES_SHORTEST_PATHS_H

#include <math.h>
#include <stdlib.h>

#include "gblite.h"

/* *distance is a new vector with an entry for each vertex that source reaches. Its type is GBL_FP64
 * or GBL_INT32, which should be that of A, or A is cast. A is square, an entry (i,j) is an edge
 * from i to j. GBL_INVALID_VALUE where a distance does not fit in INT32, or is below 0. */
static inline gbl_Info shortest_paths(gbl_Vector *distance, gbl_Type type, gbl_Matrix A,
                                      gbl_Index source, double delta) {
    const gbl_Semiring min_plus =
        type == GBL_INT32 ? GBL_MIN_PLUS_SEMIRING_INT32 : GBL_MIN_PLUS_SEMIRING_FP64;
    gbl_Vector d = NULL;
    double least = 0;
    gbl_Index n;
    gbl_Info info;
    if (type != GBL_INT32 && type != GBL_FP64)
        return gbl_fail(GBL_DOMAIN_MISMATCH, A, "distances have the type FP64 or INT32");
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&d, type, n)) ||
        (info = gbl_Vector_setElement_FP64(d, 0, source)) ||
        (info = gbl_vxm_closure(d, min_plus, A, delta, NULL)) ||
        (info = gbl_Vector_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, d, NULL)))
        goto done;
    if (least < 0) info = gbl_fail(GBL_INVALID_VALUE, A, "a weight is below 0");
    if (info) goto done;
    *distance = d;
    d = NULL;
done:
    gbl_Vector_free(&d);
    return info;
}

/* before(w) = v for a search along the edges (v, w) with distance(v) + A(v, w) = distance(w), which
 * are those of shortest paths: breadth first, so that edges of weight 0 make no circles. */
static inline gbl_Index shortest_tree_search(uint64_t *before, gbl_Index *list, const double *d,
                                             const gbl_Arrays *a, gbl_Index source) {
    gbl_Index found = 1;
    const double *const x = (const double *)a->x;
    list[0] = before[source] = source;
    for (gbl_Index k = 0; k < found; k++) {
        const gbl_Index v = list[k];
        for (uint64_t e = a->p[v]; e < a->p[v + 1]; e++) {
            const uint32_t w = a->i[e];
            if (before[w] != UINT64_MAX || d[v] + x[a->iso ? 0 : e] != d[w]) continue;
            before[w] = v;
            list[found++] = w;
        }
    }
    return found;
}

/* *before is a new UINT64 vector with entries where `distance` has them: the vertex before on a
 * shortest path; the source is its own. distance is what shortest_paths made of A in FP64, in which
 * each distance is the sum of another and a weight, to the bit. */
static inline gbl_Info shortest_path_tree(gbl_Vector *before, gbl_Matrix A, gbl_Vector distance,
                                          gbl_Index source) {
    gbl_Arrays arrays = {.p = NULL};
    gbl_Matrix B = NULL;
    gbl_Vector full = NULL, v = NULL;
    gbl_Index n, *list = NULL;
    uint64_t *parent = NULL;
    double *d = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&v, GBL_UINT64, n)) ||
        (info = gbl_Vector_new(&full, GBL_FP64, n)) || (info = gbl_Matrix_new(&B, GBL_FP64, n, n)))
        goto done;
    list = (gbl_Index *)malloc((n + 1) * sizeof *list);
    parent = (uint64_t *)malloc((n + 1) * sizeof *parent);
    d = (double *)malloc((n + 1) * sizeof *d);
    if (!list || !parent || !d) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    for (gbl_Index k = 0; k < n; k++) parent[k] = UINT64_MAX;
    gbl_Index count = n;
    if ((info = gbl_Vector_assign_FP64(full, NULL, NULL, INFINITY, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_assign(full, distance, NULL, distance, GBL_ALL, n, GBL_DESC_S)) ||
        (info = gbl_Vector_extractTuples_FP64(NULL, d, &count, full)) ||
        (info = gbl_Matrix_apply(B, NULL, NULL, GBL_IDENTITY_FP64, A, NULL)) ||
        (info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &arrays)))
        goto done;
    count = shortest_tree_search(parent, list, d, &arrays, source);
    for (gbl_Index k = 0; k < count && !info; k++)
        info = gbl_Vector_setElement_UINT64(v, parent[list[k]], list[k]);
    if (!info) *before = v, v = NULL;
done:
    gbl_Memory_free(arrays.p);
    gbl_Memory_free(arrays.i);
    gbl_Memory_free(arrays.x);
    free(list);
    free(parent);
    free(d);
    gbl_Vector_free(&full);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    return info;
}

#endif
