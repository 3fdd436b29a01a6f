/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: shortest paths from every source, weights 1 to 255 by a fixed function of the edge, buckets
 * of distances as wide as DELTA, weights and distances of 32 bits for both sides. Distances from
 * one source are held at a time (bfs.c). By hand: delta-stepping, each thread with buckets of its
 * own (U. Meyer, P. Sanders, 2003).
 */
#include "graphs/graphs.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/shortest_paths.h"

enum { DELTA = 64, SEARCHES = 4 };
#define FAR INT32_MAX

/* Vertices of one bucket of one thread. */
typedef struct {
    uint32_t *v;
    size_t n, room;
} bin;
typedef struct {
    bin *bins;
    size_t count;
} bins;

typedef struct {
    graphs_input *in;
    gbl_Matrix A;          /* INT32, weighted */
    const int32_t *weight; /* [edges] */
    int32_t *d;            /* [n] */
    uint32_t *frontier;    /* [edges + n] */
    int failed;
} state;

static void weight_of(void *weight, const void *x, gbl_Index u, gbl_Index v, const void *y) {
    const uint64_t low = u < v ? u : v, high = u < v ? v : u;
    (void)x, (void)y;
    *(int32_t *)weight = (int32_t)(1 + (((low << 32 | high) * 0x9E3779B97F4A7C15u) >> 40) % 255);
}

static void close(void *of) {
    state *s = of;
    gbl_Matrix_free(&s->A);
}

static gbl_Info weigh(state *s) {
    gbl_IndexUnaryOp op = NULL;
    gbl_Arrays arrays = {0};
    gbl_Info info = gbl_IndexUnaryOp_new(&op, weight_of, GBL_INT32, GBL_BOOL, GBL_BOOL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&s->A, GBL_INT32, s->in->n, s->in->n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_apply_IndexOp_BOOL(s->A, NULL, NULL, op, s->in->A, false, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, s->A, GBL_CSR_FORMAT);
    s->weight = arrays.x; /* an operator of positions makes no iso matrix */
    gbl_IndexUnaryOp_free(&op);
    return info;
}

static int open(void *of) {
    state *s = of;
    graphs_input *in = s->in;
    s->frontier = graphs_array(in, in->edges + in->n, sizeof *s->frontier);
    s->d = graphs_array(in, in->n, sizeof *s->d);
    if (s->frontier == NULL || s->d == NULL) return -1;
    return bench_failed(weigh(s), "weights") ? -1 : 0;
}

static int measure(state *s, int k) {
    gbl_Vector_free(&s->in->found);
    const gbl_Info info = shortest_paths(&s->in->found, GBL_INT32, s->A, s->in->source[k], DELTA);
    return bench_failed(info, "shortest paths") ? -1 : 0;
}

static int mine(void *of) {
    for (int k = 0; k < SEARCHES; k++)
        if (measure(of, k) != 0) return -1;
    return 0;
}

/* -- by hand */

static bool push(bins *all, size_t bucket, uint32_t v) {
    if (bucket >= all->count) {
        const size_t count = 2 * bucket + 16;
        bin *more = realloc(all->bins, count * sizeof *more);
        if (more == NULL) return false;
        memset(more + all->count, 0, (count - all->count) * sizeof *more);
        all->bins = more;
        all->count = count;
    }
    bin *b = &all->bins[bucket];
    if (b->n == b->room) {
        const size_t room = 2 * b->room + 64;
        uint32_t *more = realloc(b->v, room * sizeof *more);
        if (more == NULL) return false;
        b->v = more;
        b->room = room;
    }
    b->v[b->n++] = v;
    return true;
}

static bool relax(const state *s, bins *mine, uint32_t u) {
    const graphs_input *in = s->in;
    int32_t *d = s->d;
    const int32_t from = __atomic_load_n(&d[u], __ATOMIC_RELAXED);
    for (uint64_t e = in->p[u]; e < in->p[u + 1]; e++) {
        const uint32_t v = in->i[e];
        const int32_t to = from + s->weight[e];
        int32_t old = __atomic_load_n(&d[v], __ATOMIC_RELAXED);
        while (to < old) {
            if (!__atomic_compare_exchange_n(&d[v], &old, to, false, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED))
                continue;
            if (!push(mine, (size_t)to / DELTA, v)) return false;
            break;
        }
    }
    return true;
}

/* What the threads share of one search. */
typedef struct {
    state *s;
    size_t bucket, next; /* the present one; the least that any thread has */
    uint64_t n, filled;  /* frontier; what threads have copied to it */
} search;

static void walk(search *q, bins *mine) {
    while (q->bucket != SIZE_MAX) {
#pragma omp for schedule(dynamic, 64)
        for (uint64_t k = 0; k < q->n; k++) {
            const uint32_t u = q->s->frontier[k];
            if (q->s->d[u] < (int32_t)(q->bucket * DELTA)) continue; /* settled before */
            if (!relax(q->s, mine, u)) __atomic_store_n(&q->s->failed, 1, __ATOMIC_RELAXED);
        }
        size_t least = SIZE_MAX;
        for (size_t k = q->bucket; k < mine->count && least == SIZE_MAX; k++)
            if (mine->bins[k].n > 0) least = k;
#pragma omp critical
        if (least < q->next) q->next = least;
#pragma omp barrier
        if (q->next != SIZE_MAX && q->next < mine->count && mine->bins[q->next].n > 0) {
            bin *b = &mine->bins[q->next];
            const uint64_t at = __atomic_fetch_add(&q->filled, b->n, __ATOMIC_RELAXED);
            memcpy(q->s->frontier + at, b->v, b->n * sizeof *b->v);
            b->n = 0;
        }
#pragma omp barrier
#pragma omp single
        {
            q->bucket = q->next;
            q->next = SIZE_MAX;
            q->n = q->filled;
            q->filled = 0;
        }
    }
    for (size_t k = 0; k < mine->count; k++) free(mine->bins[k].v);
    free(mine->bins);
}

static int measure_plain(state *s, int k) {
    s->failed = 0;
    for (uint32_t v = 0; v < s->in->n; v++) s->d[v] = FAR;
    s->d[s->in->source[k]] = 0;
    s->frontier[0] = s->in->source[k];
    search q = {.s = s, .next = SIZE_MAX, .n = 1};
#pragma omp parallel num_threads(s->in->threads)
    {
        bins mine = {0};
        walk(&q, &mine);
    }
    return s->failed ? -1 : 0;
}

static int plain(void *of) {
    for (int k = 0; k < SEARCHES; k++)
        if (measure_plain(of, k) != 0) return -1;
    return 0;
}

static int check_one(state *s, int k) {
    if (measure(s, k) != 0 || measure_plain(s, k) != 0) return -1;
    for (uint32_t v = 0; v < s->in->n; v++) {
        double x = -1;
        const gbl_Info info = gbl_Vector_extractElement_FP64(&x, s->in->found, v);
        if (info < GBL_SUCCESS && bench_failed(info, "distance")) return -1;
        if (info == GBL_NO_VALUE ? s->d[v] == FAR : x == s->d[v]) continue;
        fprintf(stderr, "graphs: vertex %u of %s is %g and %d away\n", (unsigned)v, s->in->name, x,
                (int)s->d[v]);
        return -1;
    }
    return 0;
}

static int check(void *of) {
    for (int k = 0; k < SEARCHES; k++)
        if (check_one(of, k) != 0) return -1;
    return 0;
}

const graphs_job graphs_paths = {"sssp", sizeof(state), SEARCHES, open, mine,
                                 plain,  NULL,          check,    close};
