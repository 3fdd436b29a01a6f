/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001) as in betweenness.h, by searches that take one edge at
 * a time: where levels are narrow, as along roads, products of them are too small to be worth a
 * call. Sources are cut into parts that threads take as they come, each with sums of its own, added
 * in order: the result does not depend on threads.
 *
 *   paths(w) = sum of paths(v) over edges v -> w to the next level
 *   share(v) = sum of paths(v) * (1 + share(w)) / paths(w) over the same edges, backwards
 */
#ifndef GBLITE_EXAMPLES_PATH_SHARES_H
#define GBLITE_EXAMPLES_PATH_SHARES_H

#include <stdlib.h>

#include "gblite.h"

enum { SHARES_PARTS = 16 };

typedef struct {
    const gbl_Arrays *edges; /* CSR */
    gbl_Index n, count;
    const uint32_t *source;    /* [count] */
    double *sum[SHARES_PARTS]; /* [n] of each part */
    bool lost[SHARES_PARTS];   /* there was no memory */
} shares_search;

typedef struct {
    uint32_t *order, *level; /* [n] vertices as they are found, and their distance */
    double *paths, *share;   /* [n] */
} shares_room;

/* The shortest paths from s; how many vertices there are in room->order. */
static inline gbl_Index shares_forward(const shares_search *of, uint32_t s, shares_room *r) {
    gbl_Index found = 1;
    for (gbl_Index v = 0; v < of->n; v++) r->level[v] = UINT32_MAX;
    r->order[0] = s;
    r->level[s] = 0;
    r->paths[s] = 1;
    for (gbl_Index k = 0; k < found; k++) {
        const uint32_t v = r->order[k];
        r->share[v] = 0;
        for (uint64_t e = of->edges->p[v]; e < of->edges->p[v + 1]; e++) {
            const uint32_t w = of->edges->i[e];
            if (r->level[w] == UINT32_MAX) {
                r->level[w] = r->level[v] + 1;
                r->paths[w] = 0;
                r->order[found++] = w;
            }
            if (r->level[w] == r->level[v] + 1) r->paths[w] += r->paths[v];
        }
    }
    return found;
}

static inline void shares_backward(const shares_search *of, gbl_Index found, shares_room *r,
                                   double *sum) {
    while (found-- > 1) { /* the source is on no path of its own */
        const uint32_t v = r->order[found];
        for (uint64_t e = of->edges->p[v]; e < of->edges->p[v + 1]; e++) {
            const uint32_t w = of->edges->i[e];
            if (r->level[w] != r->level[v] + 1) continue;
            r->share[v] += r->paths[v] * ((1 + r->share[w]) / r->paths[w]);
        }
        sum[v] += r->share[v];
    }
}

static inline void shares_part(void *context, gbl_Index k) {
    shares_search *const of = (shares_search *)context;
    const gbl_Index first = of->count * k / SHARES_PARTS, end = of->count * (k + 1) / SHARES_PARTS;
    if (first == end) return;
    uint32_t *const whole = (uint32_t *)malloc((2 * of->n + 1) * sizeof *whole);
    double *const real = (double *)malloc((2 * of->n + 1) * sizeof *real);
    shares_room room = {whole, whole + of->n, real, real + of->n};
    of->lost[k] = !whole || !real;
    for (gbl_Index s = first; s < end && !of->lost[k]; s++)
        shares_backward(of, shares_forward(of, of->source[s], &room), &room, of->sum[k]);
    free(whole);
    free(real);
}

/* sum[n] += what these sources add to the centralities. edges are the CSR arrays of a matrix of
 * fewer than 2^32 - 1 rows, an entry (i,j) being an edge from i to j. A share that is not finite
 * comes of more paths than a double counts. */
static inline gbl_Info path_shares(double *sum, const gbl_Arrays *edges, gbl_Index n,
                                   const uint32_t *source, gbl_Index count) {
    shares_search of = {.edges = edges, .n = n, .count = count, .source = source};
    double *const sums = (double *)calloc(SHARES_PARTS * n + 1, sizeof *sums);
    bool lost = !sums;
    for (int k = 0; k < SHARES_PARTS; k++) of.sum[k] = sums + (gbl_Index)k * n;
    if (!lost) gbl_parallel(SHARES_PARTS, shares_part, &of);
    for (int k = 0; k < SHARES_PARTS; k++) lost |= of.lost[k];
    for (gbl_Index v = 0; v < SHARES_PARTS * n && !lost; v++) sum[v % n] += sums[v];
    free(sums);
    return lost ? gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for searches of %zu vertices",
                           (size_t)n)
                : GBL_SUCCESS;
}

#endif
