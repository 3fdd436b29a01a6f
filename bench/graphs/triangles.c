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

enum { SAMPLES = 1000 };

typedef struct {
    const graphs_input *in;
    gbl_Matrix copy;
    uint64_t mine, plain;
} state;

static void close(void *of) {
    state *s = of;
    if (s != NULL) gbl_Matrix_free(&s->copy);
    free(s);
}

static int open(void **of, const graphs_input *in) {
    state *s = calloc(1, sizeof *s);
    *of = s;
    if (s == NULL) return -1;
    s->in = in;
    return bench_failed(triangle_count(&s->mine, in->A), "triangles") ? -1 : 0;
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
    uint64_t *p;
    uint32_t *i;
} graph;

typedef struct {
    uint32_t degree, vertex;
} ranked;

static int by_degree(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->degree != y->degree) return x->degree > y->degree ? -1 : 1;
    return x->vertex < y->vertex ? -1 : 1;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Whether the mean of a sample of degrees is well above its median. */
static bool is_skewed(const graphs_input *in) {
    uint32_t degree[SAMPLES];
    uint64_t sum = 0, random = 27491095;
    if (in->edges / in->n < 10) return false;
    for (int k = 0; k < SAMPLES; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint64_t v = (random >> 33) % in->n;
        degree[k] = (uint32_t)(in->p[v + 1] - in->p[v]);
        sum += degree[k];
    }
    qsort(degree, SAMPLES, sizeof *degree, by_number);
    return (double)sum / SAMPLES / 1.3 > degree[SAMPLES / 2];
}

/* g = the graph with its vertices by falling degree; false without memory. */
static bool renumber(graph *g, const graphs_input *in) {
    const int64_t n = in->n;
    ranked *order = malloc((size_t)n * sizeof *order);
    uint32_t *place = malloc((size_t)n * sizeof *place);
    g->p = malloc(((size_t)n + 1) * sizeof *g->p);
    g->i = malloc((in->edges + 1) * sizeof *g->i);
    const bool ready = order != NULL && place != NULL && g->p != NULL && g->i != NULL;
    if (!ready) goto done;
    for (int64_t v = 0; v < n; v++)
        order[v] = (ranked){(uint32_t)(in->p[v + 1] - in->p[v]), (uint32_t)v};
    qsort(order, (size_t)n, sizeof *order, by_degree);
    g->p[0] = 0;
    for (int64_t v = 0; v < n; v++) {
        place[order[v].vertex] = (uint32_t)v;
        g->p[v + 1] = g->p[v] + order[v].degree;
    }
#pragma omp parallel for num_threads(in->threads) schedule(dynamic, 1024)
    for (int64_t v = 0; v < n; v++) {
        const uint32_t *row = in->i + in->p[order[v].vertex];
        for (uint32_t e = 0; e < order[v].degree; e++) g->i[g->p[v] + e] = place[row[e]];
        qsort(g->i + g->p[v], order[v].degree, sizeof *g->i, by_number);
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
    free(other.p);
    free(other.i);
    return ready ? 0 : -1;
}

static int check(void *of) {
    const state *s = of;
    if (s->mine == s->plain) return 0;
    fprintf(stderr, "graphs: %s has %llu and %llu triangles\n", s->in->name,
            (unsigned long long)s->mine, (unsigned long long)s->plain);
    return -1;
}

const graphs_job graphs_triangles = {.name = "tc",
                                     .open = open,
                                     .mine = mine,
                                     .plain = plain,
                                     .reset = renew,
                                     .check = check,
                                     .close = close,
                                     .sources = 1};
