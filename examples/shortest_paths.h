/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from one source, edge weights positive or 0 (delta-stepping: U. Meyer, P. Sanders,
 * 2003). Vertices whose distance has fallen wait in `todo`. Those nearer than the end of the
 * present bucket, of width delta, are taken out together, until none is left there:
 *
 *   near, far = todo below and from the end of the bucket on
 *   reach     = near * A over (min, plus)
 *   better    = reach where it is less than the distance; distance<better> = better
 *   todo      = far min better
 *
 * All but `distance` are lists as long as the frontier. A wide bucket makes few steps, a narrow one
 * takes few vertices twice; Bellman-Ford and Dijkstra are the extremes.
 */
#ifndef GBLITE_EXAMPLES_SHORTEST_PATHS_H
#define GBLITE_EXAMPLES_SHORTEST_PATHS_H

#include <math.h>

#include "gblite.h"

/* *distance is a new FP64 vector with an entry for each vertex that source reaches. A is square, an
 * entry (i,j) is an edge from i to j; delta > 0. */
static inline gbl_Info shortest_paths(gbl_Vector *distance, gbl_Matrix A, gbl_Index source,
                                      double delta) {
    gbl_Vector d = NULL, todo = NULL, near = NULL, reach = NULL, better = NULL, less = NULL;
    gbl_Index n, waiting = 1, now;
    double end = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&d, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&todo, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&near, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&reach, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&better, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&less, GBL_BOOL, n)) ||
        (info = gbl_Vector_assign_FP64(d, NULL, NULL, INFINITY, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_setElement_FP64(d, 0, source)) ||
        (info = gbl_Vector_setElement_FP64(todo, 0, source)))
        goto done;

    while (waiting > 0) {
        if ((info = gbl_Vector_select_FP64(near, NULL, NULL, GBL_VALUELT_FP64, todo, end, NULL)) ||
            (info = gbl_Vector_nvals(&now, near)))
            goto done;
        if (now == 0) { /* on to the first bucket that has any */
            if ((info = gbl_Vector_reduce_FP64(&end, NULL, GBL_MIN_MONOID_FP64, todo, NULL)))
                goto done;
            end = fmax((floor(end / delta) + 1) * delta, nextafter(end, INFINITY));
            continue;
        }
        if ((info = gbl_Vector_select_FP64(todo, NULL, NULL, GBL_VALUEGE_FP64, todo, end, NULL)) ||
            (info = gbl_vxm(reach, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, near, A, NULL)) ||
            (info = gbl_Vector_eWiseMult_BinaryOp(less, NULL, NULL, GBL_LT_FP64, reach, d, NULL)) ||
            (info = gbl_Vector_assign(better, less, NULL, reach, GBL_ALL, n, GBL_DESC_R)) ||
            (info = gbl_Vector_assign(d, better, NULL, better, GBL_ALL, n, GBL_DESC_S)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(todo, NULL, NULL, GBL_MIN_FP64, todo, better,
                                                 NULL)) ||
            (info = gbl_Vector_nvals(&waiting, todo)))
            goto done;
    }
    if ((info = gbl_Vector_select_FP64(d, NULL, NULL, GBL_VALUELT_FP64, d, INFINITY, NULL)))
        goto done;
    *distance = d;
    d = NULL;
done:
    gbl_Vector_free(&d);
    gbl_Vector_free(&todo);
    gbl_Vector_free(&near);
    gbl_Vector_free(&reach);
    gbl_Vector_free(&better);
    gbl_Vector_free(&less);
    return info;
}

#endif
