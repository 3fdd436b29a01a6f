/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: triangles, the whole of it with what prepares the count: gblite counts those of a new copy,
 * of which is known that it is symmetric, what its rows are like, and nothing else. By hand: where
 * a sample of degrees is skewed, the vertices are renumbered by falling degree; then each row, as
 * far as its own vertex, is merged with those of its neighbours, as far as theirs.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/triangle_count.h"
#include "harness/values.h"

enum { SAMPLES = 1000 };

typedef struct {
    const graphs_input *in;
    gbl_Matrix copy;
    uint64_t mine, plain;
} state;

static void close(void *of) {
    state *s = of;
    gbl_Matrix_free(&s->copy);
}

static int open(void *of) {
    state *s = of;
    return bench_failed(triangle_count(&s->mine, s->in->A), "triangles") ? -1 : 0;
}

static void renew(void *of) {
    state *s = of;
    gbl_Matrix_free(&s->copy);
    bench_failed(gbl_Matrix_dup(&s->copy, s->in->A), "copy");
}

static int mine(void *of) {
    state *s = of;
    return bench_failed(triangle_count(&s->mine, s->copy), "triangles") ? -1 : 0;
}

typedef struct {
    const uint64_t *p;
    const uint32_t *i;
} graph;

typedef struct {
    uint32_t degree, vertex;
} ranked;

static int by_degree(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->degree != y->degree) return x->degree > y->degree ? -1 : 1;
    return x->vertex < y->vertex ? -1 : 1;
}

/* Whether the mean of a sample of degrees is well above its median. */
static bool is_skewed(const graphs_input *in) {
    uint32_t degree[SAMPLES];
    uint64_t sum = 0, random = 27491095;
    if (in->edges / in->n < 10) return false;
    for (int k = 0; k < SAMPLES; k++) {
        const uint64_t v = bench_random(&random) % in->n;
        degree[k] = (uint32_t)(in->p[v + 1] - in->p[v]);
        sum += degree[k];
    }
    qsort(degree, SAMPLES, sizeof *degree, bench_by_number);
    return (double)sum / SAMPLES / 1.3 > degree[SAMPLES / 2];
}

/* g = the graph with its vertices by falling degree; false without memory. */
static bool renumber(graph *g, const graphs_input *in) {
    const int64_t n = in->n;
    ranked *order = malloc((size_t)n * sizeof *order);
    uint32_t *place = malloc((size_t)n * sizeof *place);
    uint64_t *p = malloc(((size_t)n + 1) * sizeof *p);
    uint32_t *i = malloc((in->edges + 1) * sizeof *i);
    const bool ready = order != NULL && place != NULL && p != NULL && i != NULL;
    *g = (graph){p, i};
    if (!ready) goto done;
    for (int64_t v = 0; v < n; v++)
        order[v] = (ranked){(uint32_t)(in->p[v + 1] - in->p[v]), (uint32_t)v};
    qsort(order, (size_t)n, sizeof *order, by_degree);
    p[0] = 0;
    for (int64_t v = 0; v < n; v++) {
        place[order[v].vertex] = (uint32_t)v;
        p[v + 1] = p[v] + order[v].degree;
    }
#pragma omp parallel for num_threads(in->threads) schedule(dynamic, 1024)
    for (int64_t v = 0; v < n; v++) {
        const uint32_t *row = in->i + in->p[order[v].vertex];
        for (uint32_t e = 0; e < order[v].degree; e++) i[p[v] + e] = place[row[e]];
        qsort(i + p[v], order[v].degree, sizeof *i, bench_by_number);
    }
done:
    free(order);
    free(place);
    return ready;
}

static uint64_t count(const graph *g, int64_t n, int threads) {
    uint64_t triangles = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) reduction(+ : triangles)
    for (int64_t u = 0; u < n; u++) {
        for (uint64_t e = g->p[u]; e < g->p[u + 1] && g->i[e] < u; e++) {
            const uint32_t v = g->i[e];
            uint64_t at = g->p[u];
            for (uint64_t f = g->p[v]; f < g->p[v + 1] && g->i[f] < v; f++) {
                while (g->i[at] < g->i[f]) at++;
                triangles += g->i[at] == g->i[f];
            }
        }
    }
    return triangles;
}

static int plain(void *of) {
    state *s = of;
    const graphs_input *in = s->in;
    graph other = {0};
    const bool skewed = is_skewed(in);
    const bool ready = !skewed || renumber(&other, in);
    const graph given = {in->p, in->i};
    if (ready) s->plain = count(skewed ? &other : &given, in->n, in->threads);
    free((void *)other.p);
    free((void *)other.i);
    return ready ? 0 : -1;
}

static int check(void *of) {
    const state *s = of;
    if (s->mine == s->plain) return 0;
    fprintf(stderr, "graphs: %s has %llu and %llu triangles\n", s->in->name,
            (unsigned long long)s->mine, (unsigned long long)s->plain);
    return -1;
}

const graphs_job graphs_triangles = {"tc",  sizeof(state), 1,     open, mine,
                                     plain, renew,         check, close};
