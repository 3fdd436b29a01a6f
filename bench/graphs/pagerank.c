/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: PageRank in FP32, as GAP and LAGraph do it, with damping .85 until the ranks change by less
 * than 1e-4 in sum. By hand: what a vertex passes along each edge is computed first, then each
 * vertex gathers from its neighbours (pull, no atomics). gblite is told that edges go both ways; it
 * must make no more steps, and one more must change its ranks by less than that.
 */
#include "graphs/graphs.h"

#include <math.h>
#include <stdio.h>

#include "../examples/pagerank.h"

enum { MOST_STEPS = 100 };
static const double DAMPING = .85, TOLERANCE = 1e-4;

typedef struct {
    graphs_input *in;
    int64_t steps, plain_steps;
    float *r, *share; /* [n] */
} state;

static int open(void *of) {
    state *s = of;
    s->r = graphs_array(s->in, s->in->n, sizeof *s->r);
    s->share = graphs_array(s->in, s->in->n, sizeof *s->share);
    return s->r != NULL && s->share != NULL ? 0 : -1;
}

static int mine(void *of) {
    state *s = of;
    pagerank_options options = {.damping = DAMPING,
                                .tolerance = TOLERANCE,
                                .steps = MOST_STEPS,
                                .narrow = true,
                                .undirected = true};
    gbl_Vector_free(&s->in->found);
    if (bench_failed(pagerank(&s->in->found, s->in->A, &options), "PageRank")) return -1;
    s->steps = options.steps;
    return 0;
}

static int plain(void *of) {
    state *s = of;
    const graphs_input *in = s->in;
    const uint64_t *p = in->p;
    const int64_t n = in->n;
    const float damping = (float)DAMPING;
    double change = 1;
#pragma omp parallel for num_threads(in->threads) schedule(static)
    for (int64_t v = 0; v < n; v++) s->r[v] = 1.0f / (float)n;
    s->plain_steps = 0;
    for (; s->plain_steps < MOST_STEPS && change > TOLERANCE; s->plain_steps++) {
        double lost = 0;
        change = 0;
#pragma omp parallel for num_threads(in->threads) schedule(static) reduction(+ : lost)
        for (int64_t v = 0; v < n; v++) {
            if (p[v + 1] == p[v]) lost += s->r[v];
            s->share[v] = p[v + 1] > p[v] ? damping * s->r[v] / (float)(p[v + 1] - p[v]) : 0;
        }
        const float base = (float)((1 - DAMPING + DAMPING * lost) / (double)n);
#pragma omp parallel for num_threads(in->threads) schedule(dynamic, 4096) reduction(+ : change)
        for (int64_t v = 0; v < n; v++) {
            float sum = base;
            for (uint64_t e = p[v]; e < p[v + 1]; e++) sum += s->share[in->i[e]];
            change += fabsf(sum - s->r[v]);
            s->r[v] = sum;
        }
    }
    return 0;
}

/* What a plain step changes of the ranks in s->r, in sum. */
static double change_of_step(const state *s) {
    const graphs_input *in = s->in;
    double lost = 0, change = 0;
    for (uint32_t v = 0; v < in->n; v++) {
        const double edges = (double)(in->p[v + 1] - in->p[v]);
        if (edges == 0) lost += s->r[v];
        s->share[v] = edges > 0 ? (float)(DAMPING * s->r[v] / edges) : 0;
    }
    for (uint32_t v = 0; v < in->n; v++) {
        double sum = (1 - DAMPING + DAMPING * lost) / in->n;
        for (uint64_t e = in->p[v]; e < in->p[v + 1]; e++) sum += s->share[in->i[e]];
        change += fabs(sum - s->r[v]);
    }
    return change;
}

static int check(void *of) {
    const state *s = of;
    double sum = 0;
    for (uint32_t v = 0; v < s->in->n; v++) {
        if (bench_failed(gbl_Vector_extractElement_FP32(&s->r[v], s->in->found, v), "rank"))
            return -1;
        sum += s->r[v];
    }
    const double change = change_of_step(s);
    if (s->steps <= s->plain_steps && fabs(sum - 1) < 1e-4 && change < TOLERANCE) return 0;
    fprintf(stderr, "graphs: ranks of %s sum to %g, a step changes them by %g (%lld steps, %lld)\n",
            s->in->name, sum, change, (long long)s->steps, (long long)s->plain_steps);
    return -1;
}

const graphs_job graphs_pagerank = {"pagerank", sizeof(state), 1,     open, mine,
                                    plain,      NULL,          check, NULL};
