/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from one source, edge weights positive or 0 (delta-stepping: U. Meyer, P. Sanders,
 * 2003). Vertices whose distance has fallen wait, with that distance, in a list; distances are
 * settled in buckets of width delta. Those that are near, inside the present bucket, are taken out
 * together until there are none; the next bucket is the first that anybody then waits for. Lists
 * are as long as the frontier; only `distance` is as long as there are vertices. A wide bucket
 * makes few steps, a narrow one takes few vertices twice; Bellman-Ford and Dijkstra are the
 * extremes.
 */
#ifndef GBLITE_EXAMPLES_SHORTEST_PATHS_H
#define GBLITE_EXAMPLES_SHORTEST_PATHS_H

#include <math.h>

#include "gblite.h"

typedef struct {
    gbl_Vector distance, waiting, near;
    gbl_Semiring min_plus;
    gbl_BinaryOp min;
} shortest_paths_state;

/* Takes out what is near, until nothing is left below `end`; none of it waits any longer. */
static inline gbl_Info shortest_paths_bucket(shortest_paths_state *s, gbl_Matrix A, double end) {
    gbl_Index now = 1;
    gbl_Info info = GBL_SUCCESS;
    while (now > 0) { /* distance min= near * A, and near = what fell; waiting min= near */
        if ((info = gbl_vxm_update(s->distance, s->near, s->min_plus, s->near, A, NULL)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(s->waiting, NULL, NULL, s->min, s->waiting,
                                                 s->near, NULL)) ||
            (info = gbl_Vector_select_FP64(s->near, NULL, NULL, GBL_VALUELT_FP64, s->near, end,
                                           NULL)) ||
            (info = gbl_Vector_nvals(&now, s->near)))
            return info;
    }
    return gbl_Vector_select_FP64(s->waiting, NULL, NULL, GBL_VALUEGE_FP64, s->waiting, end, NULL);
}

/* *distance is a new vector with an entry for each vertex that source reaches. Its type is GBL_FP64
 * or GBL_INT32, which should be that of A, or A is cast in each step. A is square, an entry (i,j)
 * is an edge from i to j; delta > 0. A sum beyond INT32_MAX wraps around and leaves a distance
 * below 0, as a negative weight may: GBL_INVALID_VALUE. */
static inline gbl_Info shortest_paths(gbl_Vector *distance, gbl_Type type, gbl_Matrix A,
                                      gbl_Index source, double delta) {
    const bool whole = type == GBL_INT32;
    shortest_paths_state s = {.min = whole ? GBL_MIN_INT32 : GBL_MIN_FP64};
    double least = 0, end;
    gbl_Index n;
    gbl_Info info;
    s.min_plus = whole ? GBL_MIN_PLUS_SEMIRING_INT32 : GBL_MIN_PLUS_SEMIRING_FP64;
    if (!whole && type != GBL_FP64)
        return gbl_fail(GBL_DOMAIN_MISMATCH, A, "distances have the type FP64 or INT32");
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&s.distance, type, n)) ||
        (info = gbl_Vector_new(&s.waiting, type, n)) || (info = gbl_Vector_new(&s.near, type, n)) ||
        (info = gbl_Vector_setElement_FP64(s.distance, 0, source)) ||
        (info = gbl_Vector_setElement_FP64(s.waiting, 0, source)))
        goto done;
    while (least < INFINITY) { /* somebody waits */
        end = fmax((floor(least / delta) + 1) * delta, nextafter(least, INFINITY));
        if ((info = gbl_Vector_select_FP64(s.near, NULL, NULL, GBL_VALUELT_FP64, s.waiting, end,
                                           NULL)) ||
            (info = shortest_paths_bucket(&s, A, end)) ||
            (info = gbl_Vector_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, s.waiting, NULL)))
            goto done;
    }
    info = gbl_Vector_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, s.distance, NULL);
    if (!info && least < 0)
        info = gbl_fail(GBL_INVALID_VALUE, A, "a weight is below 0, or a sum exceeds INT32");
    if (info) goto done;
    *distance = s.distance;
    s.distance = NULL;
done:
    gbl_Vector_free(&s.distance);
    gbl_Vector_free(&s.waiting);
    gbl_Vector_free(&s.near);
    return info;
}

#endif
