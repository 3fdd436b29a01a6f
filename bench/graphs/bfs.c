/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: breadth-first search from every source, for parents alone. One tree is held at a time, as in
 * the GAP benchmark: sixteen would pass through the caches. So the searches are made once more to
 * be checked. A tree is believed when every parent is a neighbour one level up.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/bfs.h"
#include "harness/values.h"

/* -- by hand, what a specialist would write for one undirected graph: top down while the frontier
 * has few edges, threads that claim vertices by compare-and-swap and queue them in buffers of their
 * own; bottom up while it has many, on bits. Beamer, Asanovic and Patterson, "Direction-Optimizing
 * Breadth-First Search" (SC '12), with their constants 15 and 18 */

enum { ALPHA = 15, BETA = 18, BUFFER = 4096 };

typedef struct {
    const graphs_input *in;
    uint32_t *queue;        /* [n] all that were found, level by level */
    uint64_t *front, *next; /* [n / 64 + 1] bits */
    uint64_t begin, end;    /* the frontier in the queue */
    uint64_t filled;        /* of the queue; atomic */
} plain_bfs;

static bool open_plain(plain_bfs *w, graphs_input *in) {
    const uint64_t words = (uint64_t)in->n / 64 + 1;
    w->in = in;
    w->queue = graphs_array(in, in->n, sizeof *w->queue);
    w->front = graphs_array(in, words, sizeof *w->front);
    w->next = graphs_array(in, words, sizeof *w->next);
    return w->queue != NULL && w->front != NULL && w->next != NULL;
}

static void flush(plain_bfs *w, const uint32_t *found, uint64_t count) {
    const uint64_t at = __atomic_fetch_add(&w->filled, count, __ATOMIC_RELAXED);
    memcpy(w->queue + at, found, count * sizeof *found);
}

/* A vertex without a parent has minus its degree, or -1 without neighbours. Returns the edges out
 * of what was found. */
static int64_t top_down(plain_bfs *w, int32_t *parent) {
    const graphs_input *in = w->in;
    int64_t edges = 0;
#pragma omp parallel num_threads(in->threads) reduction(+ : edges)
    {
        uint32_t found[BUFFER];
        uint64_t count = 0;
#pragma omp for schedule(dynamic, 64) nowait
        for (uint64_t q = w->begin; q < w->end; q++) {
            const uint32_t u = w->queue[q];
            for (uint64_t e = in->p[u]; e < in->p[u + 1]; e++) {
                const uint32_t v = in->i[e];
                int32_t old = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
                if (old >= 0) continue;
                if (!__atomic_compare_exchange_n(&parent[v], &old, (int32_t)u, false,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    continue;
                edges += -(int64_t)old;
                found[count++] = v;
                if (count < BUFFER) continue;
                flush(w, found, count);
                count = 0;
            }
        }
        flush(w, found, count);
    }
    w->begin = w->end;
    w->end = w->filled;
    return edges;
}

static uint64_t bottom_up(plain_bfs *w, int32_t *parent) {
    const graphs_input *in = w->in;
    const uint64_t words = (uint64_t)in->n / 64 + 1;
    uint64_t awake = 0;
#pragma omp parallel for num_threads(in->threads) reduction(+ : awake) schedule(dynamic, 16)
    for (uint64_t b = 0; b < words; b++) {
        const uint32_t last = 64 * (b + 1) < in->n ? (uint32_t)(64 * (b + 1)) : in->n;
        uint64_t bits = 0;
        for (uint32_t v = (uint32_t)(64 * b); v < last; v++) {
            if (parent[v] >= 0) continue;
            for (uint64_t e = in->p[v]; e < in->p[v + 1]; e++) {
                const uint32_t u = in->i[e];
                if (!(w->front[u / 64] >> (u % 64) & 1)) continue;
                parent[v] = (int32_t)u;
                bits |= (uint64_t)1 << (v % 64);
                awake++;
                break;
            }
        }
        w->next[b] = bits;
    }
    uint64_t *done = w->front;
    w->front = w->next;
    w->next = done;
    return awake;
}

static void queue_to_bits(plain_bfs *w) {
    memset(w->front, 0, ((size_t)w->in->n / 64 + 1) * sizeof *w->front);
    for (uint64_t q = w->begin; q < w->end; q++)
        w->front[w->queue[q] / 64] |= (uint64_t)1 << (w->queue[q] % 64);
}

static void bits_to_queue(plain_bfs *w) {
    w->begin = w->end = w->filled = 0;
    for (uint64_t b = 0; b < (uint64_t)w->in->n / 64 + 1; b++)
        for (uint64_t bits = w->front[b]; bits != 0; bits &= bits - 1)
            w->queue[w->end++] = (uint32_t)(64 * b + (uint64_t)__builtin_ctzll(bits));
    w->filled = w->end;
}

/* parent[n] becomes the vertex before on a shortest path, the source its own, -1 where nothing
 * leads to. */
static void run_plain(plain_bfs *w, uint32_t source, int32_t *parent) {
    const graphs_input *in = w->in;
    int64_t unexplored = (int64_t)in->edges, scout = (int64_t)(in->p[source + 1] - in->p[source]);
#pragma omp parallel for num_threads(in->threads)
    for (uint32_t v = 0; v < in->n; v++) {
        const int64_t degree = (int64_t)(in->p[v + 1] - in->p[v]);
        parent[v] = degree > 0 ? -(int32_t)degree : -1;
    }
    parent[source] = (int32_t)source;
    w->queue[0] = source;
    w->begin = 0;
    w->end = w->filled = 1;
    while (w->begin < w->end) {
        if (scout <= unexplored / ALPHA) {
            unexplored -= scout;
            scout = top_down(w, parent);
            continue;
        }
        uint64_t awake = w->end - w->begin, before;
        queue_to_bits(w);
        do {
            before = awake;
            awake = bottom_up(w, parent);
        } while (awake >= before || awake > in->n / BETA);
        bits_to_queue(w);
        scout = 1;
    }
#pragma omp parallel for num_threads(in->threads)
    for (uint32_t v = 0; v < in->n; v++)
        if (parent[v] < 0) parent[v] = -1;
}

/* -- the job */

typedef struct {
    graphs_input *in;
    plain_bfs work;
    int32_t *plain; /* parents [n] */
} state;

static int open(void *of) {
    state *s = of;
    s->plain = graphs_array(s->in, s->in->n, sizeof *s->plain);
    return s->plain != NULL && open_plain(&s->work, s->in) ? 0 : -1;
}

static int search(state *s, int k) {
    gbl_Vector_free(&s->in->found);
    const gbl_Info info = bfs(NULL, &s->in->found, s->in->A, s->in->source[k], NULL, NULL);
    return bench_failed(info, "breadth-first search") ? -1 : 0;
}

static int mine(void *of) {
    for (int k = 0; k < GRAPHS_SOURCES; k++)
        if (search(of, k) != 0) return -1;
    return 0;
}

static int plain(void *of) {
    state *s = of;
    for (int k = 0; k < GRAPHS_SOURCES; k++) run_plain(&s->work, s->in->source[k], s->plain);
    return 0;
}

/* depth[n] of all vertices, -1 where nothing leads to, by the plainest of searches. */
static void find_levels(const graphs_input *in, uint32_t source, int64_t *depth, uint32_t *queue) {
    uint32_t end = 1;
    for (uint32_t v = 0; v < in->n; v++) depth[v] = -1;
    depth[source] = 0;
    queue[0] = source;
    for (uint32_t k = 0; k < end; k++)
        for (uint64_t e = in->p[queue[k]]; e < in->p[queue[k] + 1]; e++) {
            if (depth[in->i[e]] >= 0) continue;
            depth[in->i[e]] = depth[queue[k]] + 1;
            queue[end++] = in->i[e];
        }
}

/* Whether v's parent is a neighbour one level up, none where nothing leads to. */
static bool is_right(const graphs_input *in, const int64_t *depth, uint32_t v, int64_t parent) {
    if (depth[v] < 0) return parent < 0;
    if (depth[v] == 0) return parent == (int64_t)v;
    if (parent < 0 || parent >= (int64_t)in->n || depth[parent] != depth[v] - 1) return false;
    const uint32_t from = (uint32_t)parent;
    return bsearch(&v, in->i + in->p[from], in->p[from + 1] - in->p[from], sizeof v,
                   bench_by_number) != NULL;
}

static int check_one(state *s, int k, int64_t *depth, uint32_t *queue) {
    graphs_input *in = s->in;
    if (search(s, k) != 0) return -1;
    run_plain(&s->work, in->source[k], s->plain);
    find_levels(in, in->source[k], depth, queue);
    for (uint32_t v = 0; v < in->n; v++) {
        int64_t parent = -1;
        const gbl_Info info = gbl_Vector_extractElement_INT64(&parent, in->found, v);
        if (bench_failed(info, "parent")) return -1;
        if (is_right(in, depth, v, parent) && is_right(in, depth, v, s->plain[v])) continue;
        fprintf(stderr, "graphs: %s, from vertex %u: %u has the parents %lld and %d\n", in->name,
                (unsigned)in->source[k], (unsigned)v, (long long)parent, (int)s->plain[v]);
        return -1;
    }
    return 0;
}

static int check(void *of) {
    state *s = of;
    int64_t *depth = graphs_array(s->in, s->in->n, sizeof *depth);
    uint32_t *queue = graphs_array(s->in, s->in->n, sizeof *queue);
    int status = depth != NULL && queue != NULL ? 0 : -1;
    for (int k = 0; k < GRAPHS_SOURCES && status == 0; k++) status = check_one(s, k, depth, queue);
    return status;
}

const graphs_job graphs_bfs = {"bfs", sizeof(state), GRAPHS_SOURCES, open, mine,
                               plain, NULL,          check,          NULL};
