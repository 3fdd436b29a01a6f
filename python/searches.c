/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches of graphs whose results depend on the order of neighbours, as networkx's do: who is
 * found first, by whom. They read the adjacency as Python lends it, neighbours in the order in
 * which the user added them, and cost O(vertices + edges) if nothing else is said. Callers check
 * that p ascends and that all vertices are below n.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef gblite_python_Graph Graph;

enum { NOBODY = UINT32_MAX };

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the search of a graph");
}

gbl_Info gblite_python_search(uint64_t *found, uint32_t *order, uint32_t *parent, uint32_t *level,
                              const Graph *g, const uint32_t *sources, uint64_t count,
                              uint64_t cutoff) {
    uint64_t end = 0;
    for (uint64_t v = 0; v < g->n; v++) level[v] = NOBODY;
    for (uint64_t k = 0; k < count; k++) {
        if (level[sources[k]] == 0) continue;
        level[sources[k]] = 0;
        parent[sources[k]] = NOBODY;
        order[end++] = sources[k];
    }
    for (uint64_t k = 0; k < end && end < g->n; k++) {
        const uint32_t v = order[k];
        if (level[v] >= cutoff) break;
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            const uint32_t w = g->i[e];
            if (level[w] != NOBODY) continue;
            level[w] = level[v] + 1;
            parent[w] = v;
            order[end++] = w;
        }
    }
    *found = end;
    return GBL_SUCCESS;
}

/* ------------------------------------------------------------------------ weighted distances -- */

/* A binary heap of (distance, when it was pushed, vertex), smallest first. */
typedef struct {
    double distance;
    uint32_t when, vertex;
} Event;

typedef struct {
    Event *event;
    size_t count, room;
} Heap;

static bool before(Event a, Event b) {
    return a.distance < b.distance || (a.distance == b.distance && a.when < b.when);
}

static bool push(Heap *heap, Event event) {
    if (heap->count == heap->room) {
        const size_t room = heap->room ? 2 * heap->room : 1024;
        Event *larger = realloc(heap->event, room * sizeof *larger);
        if (!larger) return false;
        heap->event = larger;
        heap->room = room;
    }
    size_t k = heap->count++;
    for (; k > 0 && before(event, heap->event[(k - 1) / 2]); k = (k - 1) / 2)
        heap->event[k] = heap->event[(k - 1) / 2];
    heap->event[k] = event;
    return true;
}

static Event pop(Heap *heap) {
    const Event first = heap->event[0], last = heap->event[--heap->count];
    size_t k = 0;
    for (size_t child; (child = 2 * k + 1) < heap->count; k = child) {
        if (child + 1 < heap->count && before(heap->event[child + 1], heap->event[child])) child++;
        if (!before(heap->event[child], last)) break;
        heap->event[k] = heap->event[child];
    }
    heap->event[k] = last;
    return first;
}

typedef struct {
    const Graph *g;
    double *distance;
    uint32_t *parent;
    uint8_t *settled;
    double cutoff;
    uint32_t pushed;
    Heap heap;
} Paths;

static gbl_Info relax(Paths *paths, uint32_t v) {
    const Graph *g = paths->g;
    for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
        const uint32_t w = g->i[e];
        const double d = paths->distance[v] + g->x[e];
        if (d > paths->cutoff || d >= paths->distance[w]) continue;
        if (paths->settled[w])
            return gbl_fail(GBL_INVALID_VALUE, NULL, "an edge has a weight below 0");
        paths->distance[w] = d;
        paths->parent[w] = v;
        if (!push(&paths->heap, (Event){d, paths->pushed++, w})) return no_memory();
    }
    return GBL_SUCCESS;
}

gbl_Info gblite_python_dijkstra(uint64_t *found, uint32_t *order, uint32_t *parent,
                                double *distance, const Graph *g,
                                const gblite_python_Dijkstra *from) {
    Paths paths = {.g = g, .distance = distance, .parent = parent, .cutoff = from->cutoff};
    gbl_Info info = GBL_SUCCESS;
    uint64_t end = 0;
    for (uint64_t v = 0; v < g->n; v++) distance[v] = INFINITY;
    paths.settled = calloc(g->n + 1, 1);
    if (!paths.settled) info = no_memory();
    for (uint64_t k = 0; k < from->count && !info; k++) {
        const uint32_t s = from->sources[k];
        distance[s] = 0;
        parent[s] = NOBODY;
        if (!push(&paths.heap, (Event){0, paths.pushed++, s})) info = no_memory();
    }
    while (!info && paths.heap.count > 0) {
        const uint32_t v = pop(&paths.heap).vertex;
        if (paths.settled[v]) continue;
        paths.settled[v] = 1;
        order[end++] = v;
        if (v == from->target) break;
        info = relax(&paths, v);
    }
    *found = end;
    free(paths.heap.event);
    free(paths.settled);
    return info;
}

/* Bellman-Ford with a queue, as networkx has it. The edges of shortest paths into vertex v are a
 * list that starts with first[v] and goes on with link[e] - 1; link[e] is 0 of an edge in no list,
 * `none` ends one. times: how often a vertex joined the queue. */
typedef struct {
    const Graph *g;
    const uint32_t *rows;
    double *distance;
    uint32_t *order, *queue, *times;
    uint64_t *first, *link, none, found, head, waiting;
    uint8_t *waits;
} Queue;

static bool predecessor_waits(const Queue *q, uint32_t v) {
    uint64_t e = q->first[v];
    while (e != q->none && !q->waits[q->rows[e]]) e = q->link[e] - 1;
    return e != q->none;
}

static void enqueue(Queue *q, uint32_t v) {
    if (q->waits[v]) return;
    q->waits[v] = 1;
    q->times[v]++;
    q->queue[(q->head + q->waiting++) % q->g->n] = v;
}

/* False: a vertex joined as often as only a cycle of negative sum lets it. */
static bool lower_neighbours(Queue *q, uint32_t v) {
    for (uint64_t e = q->g->p[v], next; e < q->g->p[v + 1]; e++) {
        const uint32_t w = q->g->i[e];
        const double d = q->distance[v] + q->g->x[e], old = q->distance[w];
        if (!(d <= old) || d == INFINITY) continue;
        if (d < old) {
            if (old == INFINITY) q->order[q->found++] = w;
            q->distance[w] = d;
            for (; q->first[w] != q->none; q->first[w] = next) {
                next = q->link[q->first[w]] - 1;
                q->link[q->first[w]] = 0;
            }
            enqueue(q, w);
            if (q->times[w] == q->g->n) return false;
        }
        if (q->link[e]) continue;
        q->link[e] = q->first[w] + 1;
        q->first[w] = e;
    }
    return true;
}

gbl_Info gblite_python_bellman_ford(uint64_t *found, uint32_t *order, double *distance,
                                    const Graph *g, const uint32_t *rows, uint32_t source) {
    const uint64_t n = g->n, edges = g->p[n];
    Queue q = {.g = g, .rows = rows, .distance = distance, .order = order, .none = edges};
    q.queue = calloc(2 * n, sizeof *q.queue);
    q.first = malloc(n * sizeof *q.first);
    q.link = calloc(edges + 1, sizeof *q.link);
    q.waits = calloc(n, 1);
    gbl_Info info = q.queue && q.first && q.link && q.waits ? GBL_SUCCESS : no_memory();
    if (!info) {
        for (uint64_t v = 0; v < n; v++) distance[v] = INFINITY, q.first[v] = edges;
        q.times = q.queue + n;
        distance[source] = 0;
        order[q.found++] = source;
        enqueue(&q, source);
        q.times[source] = 0;
    }
    while (q.waiting > 0 && !info) {
        const uint32_t v = q.queue[q.head];
        q.head = (q.head + 1) % n;
        q.waiting--;
        q.waits[v] = 0;
        if (!predecessor_waits(&q, v) && !lower_neighbours(&q, v))
            info = gbl_fail(GBL_INVALID_VALUE, NULL, "a cycle has a negative sum");
    }
    *found = q.found;
    free(q.queue);
    free(q.first);
    free(q.link);
    free(q.waits);
    return info;
}

/* --------------------------------------------------------------------------------- structure -- */

/* Tarjan's algorithm without recursion: a vertex that is visited and has no label is on the stack
 * `open`, one that has visits below it still to be made on `path`. */
gbl_Info gblite_python_strong(uint64_t *components, uint32_t *label, const Graph *g) {
    uint32_t *visit = calloc(4 * g->n + 1, sizeof *visit), visits = 0;
    uint64_t *next = malloc((g->n + 1) * sizeof *next);
    uint32_t *low = visit + g->n, *path = low + g->n, *open = path + g->n;
    uint64_t depth = 0, opened = 0;
    const gbl_Info info = visit && next ? GBL_SUCCESS : no_memory();
    *components = 0;
    for (uint64_t v = 0; v < g->n; v++) label[v] = NOBODY;
    for (uint64_t root = 0; root < g->n && !info; root++) {
        if (!visit[root]) path[depth++] = (uint32_t)root;
        while (depth > 0) {
            const uint32_t v = path[depth - 1];
            if (!visit[v]) {
                next[v] = g->p[v];
                visit[v] = low[v] = ++visits;
                open[opened++] = v;
            }
            for (; next[v] < g->p[v + 1] && visit[g->i[next[v]]]; next[v]++) {
                const uint32_t w = g->i[next[v]];
                if (label[w] == NOBODY && low[w] < low[v]) low[v] = low[w];
            }
            if (next[v] < g->p[v + 1]) {
                path[depth++] = g->i[next[v]];
                continue;
            }
            depth--;
            if (low[v] < visit[v]) continue;
            do label[open[--opened]] = (uint32_t)*components;
            while (open[opened] != v);
            ++*components;
        }
    }
    free(visit);
    free(next);
    return info;
}

/* Vertices become free as their last predecessor goes (A. Kahn, 1962). */
gbl_Info gblite_python_generations(uint64_t *found, uint32_t *order, uint32_t *level,
                                   const Graph *g) {
    uint64_t *waits = calloc(g->n + 1, sizeof *waits), end = 0;
    if (!waits) return no_memory();
    for (uint64_t e = 0; e < g->p[g->n]; e++) waits[g->i[e]]++;
    for (uint64_t v = 0; v < g->n; v++) {
        level[v] = 0;
        if (waits[v] == 0) order[end++] = (uint32_t)v;
    }
    for (uint64_t k = 0; k < end; k++) {
        const uint32_t v = order[k];
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            if (--waits[g->i[e]] > 0) continue;
            level[g->i[e]] = level[v] + 1;
            order[end++] = g->i[e];
        }
    }
    *found = end;
    free(waits);
    return GBL_SUCCESS;
}

static uint32_t root_of(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

gbl_Info gblite_python_forest(uint8_t *kept, uint64_t n, const uint32_t *u, const uint32_t *v,
                              uint64_t edges) {
    uint32_t *parent = malloc((n + 1) * sizeof *parent);
    if (!parent) return no_memory();
    for (uint64_t k = 0; k < n; k++) parent[k] = (uint32_t)k;
    for (uint64_t e = 0; e < edges; e++) {
        const uint32_t a = root_of(parent, u[e]), b = root_of(parent, v[e]);
        kept[e] = a != b;
        if (a < b)
            parent[b] = a;
        else
            parent[a] = b;
    }
    free(parent);
    return GBL_SUCCESS;
}

/* ------------------------------------------------------------------ colours and communities -- */

gbl_Info gblite_python_colors(uint32_t *color, const Graph *g, const uint32_t *order) {
    uint64_t *taken = calloc(g->n + 1, sizeof *taken); /* by a neighbour of the vertex after it */
    if (!taken) return no_memory();
    for (uint64_t v = 0; v < g->n; v++) color[v] = NOBODY;
    for (uint64_t k = 0; k < g->n; k++) {
        const uint32_t v = order[k];
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            const uint32_t c = color[g->i[e]];
            if (c != NOBODY) taken[c] = k + 1;
        }
        color[v] = 0;
        while (taken[color[v]] == k + 1) color[v]++;
    }
    free(taken);
    return GBL_SUCCESS;
}

/* Of the labels that most neighbours of v have: its own one, else the largest. count is zero before
 * and after. */
static uint32_t best_label(const Graph *g, uint32_t v, const uint32_t *label, uint32_t *count) {
    uint32_t best = label[v], most = 0;
    for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
        const uint32_t n = ++count[label[g->i[e]]];
        most = n > most ? n : most;
    }
    if (count[label[v]] != most) {
        best = 0;
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            const uint32_t l = label[g->i[e]];
            if (count[l] == most && l > best) best = l;
        }
    }
    for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) count[label[g->i[e]]] = 0;
    return best;
}

gbl_Info gblite_python_propagate(uint32_t *label, const Graph *g, const uint32_t *order) {
    uint32_t *count = calloc(g->n + 1, sizeof *count);
    if (!count) return no_memory();
    for (uint64_t v = 0; v < g->n; v++) label[v] = (uint32_t)v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t k = 0; k < g->n; k++) {
            const uint32_t v = order[k], best = best_label(g, v, label, count);
            changed = changed || best != label[v];
            label[v] = best;
        }
    }
    free(count);
    return GBL_SUCCESS;
}

gbl_Info gblite_python_independent(uint64_t *found, uint32_t *chosen, uint8_t *taken,
                                   const Graph *g, const uint32_t *order) {
    uint64_t end = 0;
    for (uint64_t k = 0; k < g->n; k++) {
        const uint32_t v = order[k];
        if (taken[v]) continue;
        chosen[end++] = v;
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) taken[g->i[e]] = 1;
    }
    *found = end;
    return GBL_SUCCESS;
}
