/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001): for each vertex, over all pairs of a source and a
 * target, the share of the shortest paths that lead through it. Source by source:
 *
 *   F[d]<!paths> = F[d-1] * A over (plus, first)    how many shortest paths reach each vertex
 *   paths<F[d]>  = F[d]
 *   backwards:  W = (1 + D) / F[d]                  D(v) = paths through v, over those to v
 *               D += (W * A') .* F[d-1]             of the vertices of F[d-1]
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

typedef struct {
    gbl_Vector *level;                  /* [room] F, of malloc */
    gbl_Index room, depth, n;           /* level[0 .. depth) are those of the present source */
    gbl_Vector paths, onward, W, total; /* onward: 1 + D; total: of all sources so far */
} betweenness_state;

/* level[d] exists. */
static inline gbl_Info betweenness_reserve(betweenness_state *s, gbl_Index d) {
    if (d < s->room) return GBL_SUCCESS;
    const size_t room = 2 * d + 16;
    gbl_Vector *more = realloc(s->level, room * sizeof *more);
    if (!more) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %zu levels", room);
    for (s->level = more; s->room < room; s->room++) {
        const gbl_Info info = gbl_Vector_new(&more[s->room], GBL_FP64, s->n);
        if (info) return info;
    }
    return GBL_SUCCESS;
}

/* The way out. */
static inline gbl_Info betweenness_search(betweenness_state *s, gbl_Matrix A, gbl_Index source) {
    gbl_Index found = 1;
    gbl_Info info;
    if ((info = betweenness_reserve(s, 0)) || (info = gbl_Vector_clear(s->paths)) ||
        (info = gbl_Vector_clear(s->level[0])) ||
        (info = gbl_Vector_setElement_FP64(s->level[0], 1, source)))
        return info;
    for (s->depth = 0; found > 0; s->depth++) {
        if ((info = betweenness_reserve(s, s->depth + 1))) return info;
        const gbl_Vector F = s->level[s->depth], next = s->level[s->depth + 1];
        if ((info = gbl_Vector_assign(s->paths, F, NULL, F, GBL_ALL, s->n, GBL_DESC_S)) ||
            (info =
                 gbl_vxm(next, s->paths, NULL, GBL_PLUS_FIRST_SEMIRING_FP64, F, A, GBL_DESC_RSC)) ||
            (info = gbl_Vector_nvals(&found, next)))
            return info;
    }
    return GBL_SUCCESS;
}

/* The way back, to the neighbours of the source, which is on no path of its own. */
static inline gbl_Info betweenness_return(betweenness_state *s, gbl_Matrix A) {
    double most = 0;
    gbl_Info info = gbl_Vector_reduce_FP64(&most, NULL, GBL_MAX_MONOID_FP64, s->paths, NULL);
    if (!info && most == INFINITY)
        info = gbl_fail(GBL_INVALID_VALUE, A, "there are more shortest paths than a double counts");
    if (info || (info = gbl_Vector_assign_FP64(s->onward, NULL, NULL, 1, GBL_ALL, s->n, NULL)))
        return info;
    for (gbl_Index d = s->depth; d-- > 2;) {
        const gbl_Vector F = s->level[d], before = s->level[d - 1];
        if ((info = gbl_Vector_eWiseMult_BinaryOp(s->W, NULL, NULL, GBL_DIV_FP64, s->onward, F,
                                                  NULL)) ||
            (info = gbl_vxm(s->W, before, NULL, GBL_PLUS_FIRST_SEMIRING_FP64, s->W, A,
                            GBL_DESC_RST1)) ||
            (info = gbl_Vector_eWiseMult_BinaryOp(s->onward, NULL, GBL_PLUS_FP64, GBL_TIMES_FP64,
                                                  s->W, before, NULL)))
            return info;
    }
    return gbl_Vector_eWiseAdd_BinaryOp(s->total, NULL, NULL, GBL_PLUS_FP64, s->total, s->onward,
                                        NULL);
}

/* *centrality is a new FP64 vector with an entry for each vertex. A is square, an entry (i,j) is an
 * edge from i to j; a pair counts in both directions. All vertices as sources give the
 * values themselves; some of them, drawn at random, an estimate in proportion. Sums hold 1 + D for
 * each source, so that centralities are rounded to about count * 1e-16: smaller ones are lost. */
static inline gbl_Info betweenness(gbl_Vector *centrality, gbl_Matrix A, const gbl_Index *sources,
                                   gbl_Index count) {
    betweenness_state s = {0};
    gbl_Vector *all[] = {&s.paths, &s.onward, &s.W, &s.total};
    gbl_Info info = gbl_Matrix_nrows(&s.n, A);
    for (int k = 0; !info && k < 4; k++) info = gbl_Vector_new(all[k], GBL_FP64, s.n);
    if (!info) /* what `onward` has beside D */
        info = gbl_Vector_assign_FP64(s.total, NULL, NULL, -(double)count, GBL_ALL, s.n, NULL);
    for (gbl_Index k = 0; !info && k < count; k++) {
        info = betweenness_search(&s, A, sources[k]);
        if (!info) info = betweenness_return(&s, A);
    }
    if (!info) {
        *centrality = s.total;
        s.total = NULL;
    }
    while (s.room > 0) gbl_Vector_free(&s.level[--s.room]);
    free(s.level);
    for (int k = 0; k < 4; k++) gbl_Vector_free(all[k]);
    return info;
}

#endif
