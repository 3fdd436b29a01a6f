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

#endif
