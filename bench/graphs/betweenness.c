/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: betweenness from four sources, together in one call. By hand: source by source, level by
 * level: vertices of the next level are claimed by compare-and-swap, their paths gathered from the
 * level before (pull, no atomics), and dependencies gathered from the level behind.
 */
#include "graphs/graphs.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "../examples/betweenness.h"

enum { TOGETHER = 4, BUFFER = 1024 };

typedef struct {
    graphs_input *in;
    double *c, *paths, *dependency; /* [n] */
    int32_t *level;                 /* [n] */
    uint32_t *queue;                /* [n] */
    uint64_t *start;                /* [n + 2] of the levels in the queue */
} state;

static gbl_Info centrality_of(state *s) {
    gbl_Index sources[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) sources[k] = s->in->source[k];
    gbl_Vector_free(&s->in->found);
    return betweenness(&s->in->found, s->in->A, sources, TOGETHER);
}

static int mine(void *of) {
    return bench_failed(centrality_of(of), "betweenness") ? -1 : 0;
}

/* 0, or 1 where there are more paths than doubles count, by hand neither. */
static int try_once(state *s) {
    const gbl_Info info = centrality_of(s);
    if (info != GBL_INVALID_VALUE) return bench_failed(info, "betweenness") ? -1 : 0;
    fprintf(stderr, "graphs: no betweenness of %s: %s\n", s->in->name, gbl_last_error());
    return 1;
}

static int open(void *of) {
    state *s = of;
    graphs_input *in = s->in;
    s->c = graphs_array(in, in->n, sizeof *s->c);
    s->paths = graphs_array(in, in->n, sizeof *s->paths);
    s->dependency = graphs_array(in, in->n, sizeof *s->dependency);
    s->level = graphs_array(in, in->n, sizeof *s->level);
    s->queue = graphs_array(in, in->n, sizeof *s->queue);
    s->start = graphs_array(in, (uint64_t)in->n + 2, sizeof *s->start);
    if (s->c && s->paths && s->dependency && s->level && s->queue && s->start) return try_once(s);
    return -1;
}

/* Level d + 1 to the queue, of which `filled` are used; returns how many are then. */
static uint64_t advance(const state *s, int32_t d, uint64_t filled) {
    const graphs_input *in = s->in;
    const uint64_t from = s->start[d], to = s->start[d + 1];
#pragma omp parallel num_threads(to - from > 256 ? in->threads : 1)
    {
        uint32_t found[BUFFER];
        uint64_t n = 0;
#pragma omp for schedule(dynamic, 64)
        for (uint64_t k = from; k < to; k++) {
            const uint32_t u = s->queue[k];
            for (uint64_t e = in->p[u]; e < in->p[u + 1]; e++) {
                int32_t unseen = -1;
                if (__atomic_load_n(&s->level[in->i[e]], __ATOMIC_RELAXED) != -1 ||
                    !__atomic_compare_exchange_n(&s->level[in->i[e]], &unseen, d + 1, false,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    continue;
                found[n++] = in->i[e];
                if (n < BUFFER) continue;
                memcpy(s->queue + __atomic_fetch_add(&filled, n, __ATOMIC_RELAXED), found,
                       n * sizeof *found);
                n = 0;
            }
        }
        memcpy(s->queue + __atomic_fetch_add(&filled, n, __ATOMIC_RELAXED), found,
               n * sizeof *found);
    }
    return filled;
}

/* Paths of level d from the level before, or dependencies of level d from the one behind. */
static void gather(const state *s, int32_t d, bool back) {
    const graphs_input *in = s->in;
    const uint64_t from = s->start[d], to = s->start[d + 1];
#pragma omp parallel for num_threads(to - from > 256 ? in->threads : 1) schedule(dynamic, 64)
    for (uint64_t k = from; k < to; k++) {
        const uint32_t v = s->queue[k];
        double sum = 0;
        for (uint64_t e = in->p[v]; e < in->p[v + 1]; e++) {
            const uint32_t u = in->i[e];
            if (s->level[u] != (back ? d + 1 : d - 1)) continue;
            sum += back ? (1 + s->dependency[u]) / s->paths[u] : s->paths[u];
        }
        if (!back) {
            s->paths[v] = sum;
            continue;
        }
        s->dependency[v] = sum * s->paths[v];
        if (d > 0) s->c[v] += s->dependency[v];
    }
}

static int plain(void *of) {
    const state *s = of;
    const uint32_t n = s->in->n;
    for (uint32_t v = 0; v < n; v++) s->c[v] = 0;
    for (int k = 0; k < TOGETHER; k++) {
        const uint32_t source = s->in->source[k];
        for (uint32_t v = 0; v < n; v++) s->level[v] = -1;
        s->level[source] = 0;
        s->paths[source] = 1;
        s->queue[0] = source;
        s->start[0] = 0;
        s->start[1] = 1;
        int32_t d = 0;
        for (; s->start[d] < s->start[d + 1]; d++) {
            s->start[d + 2] = advance(s, d, s->start[d + 1]);
            gather(s, d + 1, false);
        }
        while (d-- > 1) gather(s, d, true);
    }
    return 0;
}

static int check(void *of) {
    const state *s = of;
    for (uint32_t v = 0; v < s->in->n; v++) {
        double x = -1;
        if (bench_failed(gbl_Vector_extractElement_FP64(&x, s->in->found, v), "centrality"))
            return -1;
        if (fabs(x - s->c[v]) <= 1e-6 * (1 + s->c[v])) continue;
        fprintf(stderr, "graphs: vertex %u of %s has %g and %g\n", (unsigned)v, s->in->name, x,
                s->c[v]);
        return -1;
    }
    return 0;
}

const graphs_job graphs_betweenness = {"bc",  sizeof(state), TOGETHER, open, mine,
                                       plain, NULL,          check,    NULL};
