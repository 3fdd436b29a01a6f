/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: connected components. By hand: Afforest (M. Sutton, T. Ben-Nun, A. Barak, IPDPS '18): trees
 * of vertices are linked along the first two edges of each vertex; the tree that most vertices are
 * in by then is guessed from a sample, and only vertices outside of it look at their other edges.
 * Both name a component by its lowest vertex.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>

#include "../examples/components.h"
#include "harness/values.h"

enum { ROUNDS = 2, SAMPLES = 1024 };

typedef struct {
    graphs_input *in;
    uint32_t *parent; /* [n] */
} state;

static int open(void *of) {
    state *s = of;
    s->parent = graphs_array(s->in, s->in->n, sizeof *s->parent);
    return s->parent != NULL ? 0 : -1;
}

static int mine(void *of) {
    state *s = of;
    gbl_Vector_free(&s->in->found);
    return bench_failed(components(&s->in->found, s->in->A), "components") ? -1 : 0;
}

static uint32_t parent_of(const uint32_t *parent, uint32_t v) {
    return __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
}

/* The trees of u and v become one: the higher root gets the lower one as its parent. */
static void join(uint32_t *parent, uint32_t u, uint32_t v) {
    uint32_t a = parent_of(parent, u), b = parent_of(parent, v);
    while (a != b) {
        const uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t above = parent_of(parent, high);
        if (above == low) return;
        if (above == high && __atomic_compare_exchange_n(&parent[high], &above, low, false,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        a = parent_of(parent, parent_of(parent, high));
        b = parent_of(parent, low);
    }
}

static void flatten(const state *s) {
    uint32_t *parent = s->parent;
#pragma omp parallel for num_threads(s->in->threads) schedule(dynamic, 16384)
    for (int64_t v = 0; v < (int64_t)s->in->n; v++)
        while (parent_of(parent, (uint32_t)v) != parent_of(parent, parent[v]))
            __atomic_store_n(&parent[v], parent_of(parent, parent[v]), __ATOMIC_RELAXED);
}

/* The root that most vertices of a sample have. */
static uint32_t frequent(const state *s) {
    uint32_t sample[SAMPLES], best = 0, most = 0, run = 0;
    uint64_t random = 27491095;
    for (int k = 0; k < SAMPLES; k++) sample[k] = s->parent[bench_random(&random) % s->in->n];
    qsort(sample, SAMPLES, sizeof *sample, bench_by_number);
    for (int k = 0; k < SAMPLES; k++) {
        run = k > 0 && sample[k] == sample[k - 1] ? run + 1 : 1;
        if (run <= most) continue;
        most = run;
        best = sample[k];
    }
    return best;
}

static int plain(void *of) {
    const state *s = of;
    const graphs_input *in = s->in;
    const int64_t n = in->n;
    uint32_t *parent = s->parent;
#pragma omp parallel for num_threads(in->threads) schedule(static)
    for (int64_t v = 0; v < n; v++) parent[v] = (uint32_t)v;
    for (uint64_t round = 0; round < ROUNDS; round++) {
#pragma omp parallel for num_threads(in->threads) schedule(dynamic, 16384)
        for (int64_t v = 0; v < n; v++)
            if (in->p[v] + round < in->p[v + 1]) join(parent, (uint32_t)v, in->i[in->p[v] + round]);
        flatten(s);
    }
    const uint32_t giant = frequent(s);
#pragma omp parallel for num_threads(in->threads) schedule(dynamic, 16384)
    for (int64_t v = 0; v < n; v++) {
        if (parent_of(parent, (uint32_t)v) == giant) continue;
        for (uint64_t e = in->p[v] + ROUNDS; e < in->p[v + 1]; e++)
            join(parent, (uint32_t)v, in->i[e]);
    }
    flatten(s);
    return 0;
}

static int check(void *of) {
    const state *s = of;
    for (uint32_t v = 0; v < s->in->n; v++) {
        int64_t x = -1;
        if (bench_failed(gbl_Vector_extractElement_INT64(&x, s->in->found, v), "label")) return -1;
        if (x == (int64_t)s->parent[v]) continue;
        fprintf(stderr, "graphs: vertex %u of %s is in component %lld and %u\n", (unsigned)v,
                s->in->name, (long long)x, (unsigned)s->parent[v]);
        return -1;
    }
    return 0;
}

const graphs_job graphs_components = {"cc", sizeof(state), 1, open, mine, plain, NULL, check, NULL};
