/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001): for each vertex, over all pairs of a source and a
 * target, the share of the shortest paths that lead through it. The sources are searched together,
 * one row of each matrix a source:
 *
 *   F[d]<!seen> = F[d-1] * A over (plus, first)     how many shortest paths reach each vertex
 *   backwards:  W       = (1 + D) / F[d]            D(v) = paths through v, over those to v
 *               D<F[d-1]> = (W * A') .* F[d-1],     summed over the sources
 *
 * Each F keeps its level alone, so that the way back costs what the way out did. Paths are counted
 * in doubles: where there are more than 1.8e308 between two vertices, as in grids of 520 x 520, the
 * answer is GBL_INVALID_VALUE.
 */
#ifndef GBLITE_EXAMPLES_BETWEENNESS_H
#define GBLITE_EXAMPLES_BETWEENNESS_H

#include <math.h>
#include <stdlib.h>

#include "gblite.h"

typedef struct {
    const gbl_Index *sources; /* [count] */
    gbl_Index count;
    bool undirected; /* A has a symmetric pattern: a level meets but the one before it again, so
                        that what was seen is two levels, and steps cost what they reach */
} betweenness_options;

/* The way out: *level[0 .. *depth) are the frontiers, in an array of malloc. */
static inline gbl_Info betweenness_search(gbl_Matrix **level, gbl_Index *depth, gbl_Matrix A,
                                          const betweenness_options *options) {
    gbl_Matrix seen = NULL, next = NULL;
    gbl_Index n, room = 0, count = options->count, found = count;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&next, GBL_FP64, count, n)) ||
        (info = gbl_Matrix_new(&seen, GBL_BOOL, count, n)))
        goto done;
    for (gbl_Index k = 0; k < count; k++)
        if ((info = gbl_Matrix_setElement_FP64(next, 1, k, options->sources[k]))) goto done;
    while (found > 0) {
        if (*depth == room) {
            room = room ? 2 * room : 16;
            gbl_Matrix *more = realloc(*level, room * sizeof *more);
            if (!more) {
                info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %llu levels",
                                (unsigned long long)room);
                goto done;
            }
            *level = more;
        }
        gbl_Matrix F = (*level)[(*depth)++] = next;
        gbl_Matrix before = options->undirected && *depth > 1 ? (*level)[*depth - 2] : seen;
        next = NULL;
        if ((info =
                 gbl_Matrix_eWiseAdd_BinaryOp(seen, NULL, NULL, GBL_ONEB_BOOL, before, F, NULL)) ||
            (info = gbl_Matrix_new(&next, GBL_FP64, count, n)) ||
            (info = gbl_mxm(next, seen, NULL, GBL_PLUS_FIRST_SEMIRING_FP64, F, A, GBL_DESC_SC)) ||
            (info = gbl_Matrix_nvals(&found, next)))
            goto done;
    }
done:
    gbl_Matrix_free(&next);
    gbl_Matrix_free(&seen);
    return info;
}

/* *centrality is a new FP64 vector with an entry for each vertex. A is square, an entry (i,j) is an
 * edge from i to j; a pair counts in both directions. All vertices as sources give the exact
 * values; some of them, drawn at random, an estimate in proportion. */
static inline gbl_Info betweenness(gbl_Vector *centrality, gbl_Matrix A,
                                   const betweenness_options *options) {
    gbl_Matrix *level = NULL, W = NULL, D = NULL;
    gbl_Vector c = NULL;
    gbl_Index n, depth = 0;
    double paths = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&c, GBL_FP64, n)) ||
        (info = gbl_Vector_assign_FP64(c, NULL, NULL, 0, GBL_ALL, n, NULL)) ||
        (info = gbl_Matrix_new(&W, GBL_FP64, options->count, n)) ||
        (info = gbl_Matrix_new(&D, GBL_FP64, options->count, n)) ||
        (info = betweenness_search(&level, &depth, A, options)))
        goto done;
    for (gbl_Index d = depth; d-- > 2;) /* sources are on no path of their own */
        if ((info = gbl_Matrix_reduce_FP64(&paths, GBL_MAX_FP64, GBL_MAX_MONOID_FP64, level[d],
                                           NULL)) ||
            (info = gbl_Matrix_apply(W, NULL, NULL, GBL_MINV_FP64, level[d], NULL)) ||
            (info = gbl_Matrix_eWiseMult_BinaryOp(W, NULL, GBL_PLUS_FP64, GBL_DIV_FP64, D, level[d],
                                                  NULL)) ||
            (info = gbl_mxm(D, level[d - 1], NULL, GBL_PLUS_FIRST_SEMIRING_FP64, W, A,
                            GBL_DESC_RST1)) ||
            (info = gbl_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GBL_TIMES_FP64, D, level[d - 1],
                                                  NULL)) ||
            (info = gbl_Matrix_reduce_Monoid(c, NULL, GBL_PLUS_FP64, GBL_PLUS_MONOID_FP64, D,
                                             GBL_DESC_T0)))
            goto done;
    if (paths < INFINITY) {
        *centrality = c;
        c = NULL;
    } else {
        info = gbl_fail(GBL_INVALID_VALUE, A, "there are more shortest paths than a double counts");
    }
done:
    while (depth > 0) gbl_Matrix_free(&level[--depth]);
    free(level);
    gbl_Matrix_free(&W);
    gbl_Matrix_free(&D);
    gbl_Vector_free(&c);
    return info;
}

#endif
