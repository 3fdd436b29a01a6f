/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks and betweenness; see verify.h.
 */
#include "support/verify.h"

#include <math.h>
#include <stdlib.h>

void v_ranks(const v_Graph *g, gbl_Vector rank, double damping, double tolerance, double rounding) {
    double *r = v_values(rank), *next = malloc((g->n + 1) * sizeof *next);
    double sum = 0, lost = 0, change = 0;
    for (gbl_Index v = 0; v < g->n; v++) {
        CHECK(r[v] >= (1 - damping) / (double)g->n * (1 - rounding));
        sum += r[v];
        if (g->p[v] == g->p[v + 1]) lost += r[v];
    }
    CHECK(g->n == 0 || fabs(sum - 1) < rounding * (double)(g->n + 10));
    for (gbl_Index v = 0; v < g->n; v++) next[v] = (1 - damping + damping * lost) / (double)g->n;
    for (gbl_Index v = 0; v < g->n; v++)
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++)
            next[g->i[e]] += damping * r[v] / (double)(g->p[v + 1] - g->p[v]);
    for (gbl_Index v = 0; v < g->n; v++) change += fabs(next[v] - r[v]);
    CHECK(change <= tolerance);
    free(r);
    free(next);
}

typedef struct {
    double *c, *paths, *dependency;
    gbl_Index *queue;
    int64_t *level;
} brandes;

static void brandes_from(const v_Graph *g, gbl_Index source, brandes *b) {
    gbl_Index first = 0, last = 0;
    for (gbl_Index v = 0; v < g->n; v++) {
        b->paths[v] = b->dependency[v] = 0;
        b->level[v] = -1;
    }
    b->paths[source] = 1;
    b->level[source] = 0;
    b->queue[last++] = source;
    while (first < last) {
        const gbl_Index v = b->queue[first++];
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) {
            const gbl_Index w = g->i[e];
            if (b->level[w] < 0) {
                b->level[w] = b->level[v] + 1;
                b->queue[last++] = w;
            }
            if (b->level[w] == b->level[v] + 1) b->paths[w] += b->paths[v];
        }
    }
    while (last-- > 0) {
        const gbl_Index v = b->queue[last];
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) {
            const gbl_Index w = g->i[e];
            if (b->level[w] == b->level[v] + 1)
                b->dependency[v] += b->paths[v] / b->paths[w] * (1 + b->dependency[w]);
        }
        if (v != source) b->c[v] += b->dependency[v];
    }
}

void v_betweenness(const v_Graph *g, const gbl_Index *sources, gbl_Index count, gbl_Vector c) {
    brandes b = {calloc(g->n + 1, sizeof(double)), malloc((g->n + 1) * sizeof(double)),
                 malloc((g->n + 1) * sizeof(double)), malloc((g->n + 1) * sizeof(gbl_Index)),
                 malloc((g->n + 1) * sizeof(int64_t))};
    double *found = v_values(c);
    for (gbl_Index k = 0; k < count; k++) brandes_from(g, sources[k], &b);
    for (gbl_Index v = 0; v < g->n; v++)
        CHECK(fabs(found[v] - b.c[v]) <= 1e-9 * (1 + fabs(b.c[v])));
    free(found);
    free(b.c);
    free(b.paths);
    free(b.dependency);
    free(b.queue);
    free(b.level);
}
