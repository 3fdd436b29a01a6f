/* SPDX-License-Identifier: Apache-2.0
 *
 * Betweenness centrality (U. Brandes, 2001) as in betweenness.h, by searches that take one edge at
 * a time: where levels are narrow, as along roads, products of them are too small to be worth a
 * call. Sources are cut into parts that threads take as they come, each with sums of its own, added
 * in order: the result does not depend on threads.
 *
 *   paths(w) = sum of paths(v) over edges v -> w to the next level
 *   share(v) = sum of paths(v) * (1 + share(w)) / paths(w) over the same edges, backwards
 *
 * Each term is the share of an edge. They are added latest first, as networkx does.
 */
#ifndef GBLITE_EXAMPLES_PATH_SHARES_H
#define GBLITE_EXAMPLES_PATH_SHARES_H

#include <stdlib.h>

#include "gblite.h"

enum { SHARES_PARTS = 16 };

typedef struct {
    const gbl_Arrays *edges; /* CSR, of fewer than 2^32 - 1 rows: an entry (i,j) is an edge */
    gbl_Index n, count;
    const uint32_t *source; /* [count] */
    gbl_Index together;     /* a part has at least so many sources; 0: 1 */
    bool of_edges;          /* those of edges too */
    struct {
        double *sum; /* over the sources of the part */
        bool lost;   /* there was no memory */
    } part[SHARES_PARTS];
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
    while (found-- > 0) {
        const uint32_t v = r->order[found];
        for (uint64_t e = of->edges->p[v + 1]; e-- > of->edges->p[v];) {
            const uint32_t w = of->edges->i[e];
            if (r->level[w] != r->level[v] + 1) continue;
            const double share = r->paths[v] * ((1 + r->share[w]) / r->paths[w]);
            if (of->of_edges) sum[of->n + e] += share;
            r->share[v] += share;
        }
        if (found > 0) sum[v] += r->share[v]; /* the source is on no path of its own */
    }
}

static inline gbl_Index shares_width(const shares_search *of) {
    return of->n + (of->of_edges ? of->edges->p[of->n] : 0);
}

static inline void shares_part(void *context, gbl_Index k) {
    shares_search *const of = (shares_search *)context;
    const gbl_Index together = of->together > 0 ? of->together : 1;
    const gbl_Index groups = (of->count + together - 1) / together;
    const gbl_Index parts = groups < SHARES_PARTS ? groups : SHARES_PARTS;
    if (k >= parts) return;
    const gbl_Index first = groups * k / parts * together;
    const gbl_Index last = groups * (k + 1) / parts * together;
    const gbl_Index end = last < of->count ? last : of->count;
    uint32_t *const whole = (uint32_t *)malloc((2 * of->n + 1) * sizeof *whole);
    double *const real = (double *)malloc((2 * of->n + 1) * sizeof *real);
    double *const sum = of->part[k].sum = (double *)calloc(shares_width(of) + 1, sizeof *sum);
    shares_room room = {whole, whole + of->n, real, real + of->n};
    of->part[k].lost = !whole || !real || !sum;
    for (gbl_Index s = first; s < end && !of->part[k].lost; s++)
        shares_backward(of, shares_forward(of, of->source[s], &room), &room, sum);
    free(whole);
    free(real);
}

/* Adds to sum[n] what these sources add to the centralities, and, of_edges, to sum[n + e] those of
 * edge e. `of` has all but its parts. A share that is not finite comes of more paths than a double
 * counts. */
static inline gbl_Info path_shares(double *sum, shares_search *of) {
    const gbl_Index width = shares_width(of);
    bool lost = false;
    gbl_parallel(SHARES_PARTS, shares_part, of);
    for (int k = 0; k < SHARES_PARTS; k++) lost |= of->part[k].lost;
    for (int k = 0; k < SHARES_PARTS; k++) {
        for (gbl_Index v = 0; v < width && of->part[k].sum && !lost; v++)
            sum[v] += of->part[k].sum[v];
        free(of->part[k].sum);
        of->part[k].sum = NULL;
    }
    return lost ? gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for searches of %zu vertices",
                           (size_t)of->n)
                : GBL_SUCCESS;
}

#endif
