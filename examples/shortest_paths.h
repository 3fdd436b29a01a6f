/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from one source, edge weights positive or 0 (delta-stepping: U. Meyer, P. Sanders,
 * 2003). Distances are settled in buckets of width delta. Vertices whose distance has fallen are
 * near, inside the present bucket, or far; those near are taken out together until there are none:
 *
 *   reach      = near * A over (min, plus)
 *   better     = reach where it is less than the distance; distance<better> = better
 *   far        = far min better from the end of the bucket on
 *   near       = better below it
 *
 * Then near = far below the end of the next bucket, but for vertices that have come nearer since.
 * All but `distance` are lists as long as the frontier. A wide bucket makes few steps, a narrow one
 * takes few vertices twice; Bellman-Ford and Dijkstra are the extremes.
 */
#ifndef GBLITE_EXAMPLES_SHORTEST_PATHS_H
#define GBLITE_EXAMPLES_SHORTEST_PATHS_H

#include <math.h>

#include "gblite.h"

typedef struct {
    gbl_Vector distance, near, far, reach, better, less;
    gbl_Index n;
} shortest_paths_state;

/* Takes out what is near, until nothing is left below `end`. */
static inline gbl_Info shortest_paths_bucket(shortest_paths_state *s, gbl_Matrix A, double end) {
    gbl_Index now = 0, n = s->n;
    gbl_Info info = gbl_Vector_nvals(&now, s->near);
    while (!info && now > 0) {
        if ((info = gbl_vxm(s->reach, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, s->near, A, NULL)) ||
            (info = gbl_Vector_eWiseMult_BinaryOp(s->less, NULL, NULL, GBL_LT_FP64, s->reach,
                                                  s->distance, NULL)) ||
            (info =
                 gbl_Vector_assign(s->better, s->less, NULL, s->reach, GBL_ALL, n, GBL_DESC_R)) ||
            (info = gbl_Vector_assign(s->distance, s->better, NULL, s->better, GBL_ALL, n,
                                      GBL_DESC_S)) ||
            (info = gbl_Vector_select_FP64(s->reach, NULL, NULL, GBL_VALUEGE_FP64, s->better, end,
                                           NULL)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(s->far, NULL, NULL, GBL_MIN_FP64, s->far, s->reach,
                                                 NULL)) ||
            (info = gbl_Vector_select_FP64(s->near, NULL, NULL, GBL_VALUELT_FP64, s->better, end,
                                           NULL)) ||
            (info = gbl_Vector_nvals(&now, s->near)))
            return info;
    }
    return info;
}

/* On to the first bucket that has any: near and far change, *end becomes its end. What comes nearer
 * than `far` says has been taken out before. */
static inline gbl_Info shortest_paths_next(shortest_paths_state *s, double *end, double delta) {
    double least = 0, settled = *end;
    gbl_Info info = gbl_Vector_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, s->far, NULL);
    if (info) return info;
    *end = fmax((floor(least / delta) + 1) * delta, nextafter(least, INFINITY));
    if ((info =
             gbl_Vector_select_FP64(s->near, NULL, NULL, GBL_VALUELT_FP64, s->far, *end, NULL)) ||
        (info = gbl_Vector_select_FP64(s->far, NULL, NULL, GBL_VALUEGE_FP64, s->far, *end, NULL)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(s->near, NULL, NULL, GBL_SECOND_FP64, s->near,
                                              s->distance, NULL)))
        return info;
    return gbl_Vector_select_FP64(s->near, NULL, NULL, GBL_VALUEGE_FP64, s->near, settled, NULL);
}

/* *distance is a new FP64 vector with an entry for each vertex that source reaches. A is square, an
 * entry (i,j) is an edge from i to j; delta > 0. */
static inline gbl_Info shortest_paths(gbl_Vector *distance, gbl_Matrix A, gbl_Index source,
                                      double delta) {
    shortest_paths_state s = {0};
    gbl_Index waiting = 1;
    double end = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&s.n, A)) || (info = gbl_Vector_new(&s.distance, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&s.near, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&s.far, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&s.reach, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&s.better, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&s.less, GBL_BOOL, s.n)) ||
        (info = gbl_Vector_assign_FP64(s.distance, NULL, NULL, INFINITY, GBL_ALL, s.n, NULL)) ||
        (info = gbl_Vector_setElement_FP64(s.distance, 0, source)) ||
        (info = gbl_Vector_setElement_FP64(s.far, 0, source)))
        goto done;

    while (waiting > 0) {
        if ((info = shortest_paths_next(&s, &end, delta)) ||
            (info = shortest_paths_bucket(&s, A, end)) ||
            (info = gbl_Vector_nvals(&waiting, s.far)))
            goto done;
    }
    if ((info = gbl_Vector_select_FP64(s.distance, NULL, NULL, GBL_VALUELT_FP64, s.distance,
                                       INFINITY, NULL)))
        goto done;
    *distance = s.distance;
    s.distance = NULL;
done:
    gbl_Vector_free(&s.distance);
    gbl_Vector_free(&s.near);
    gbl_Vector_free(&s.far);
    gbl_Vector_free(&s.reach);
    gbl_Vector_free(&s.better);
    gbl_Vector_free(&s.less);
    return info;
}

#endif
