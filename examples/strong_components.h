/* SPDX-License-Identifier: Apache-2.0
 *
 * Strongly connected components of a directed graph, by the algorithm of Tarjan (Depth-first search
 * and linear graph algorithms, 1972) without recursion: O(vertices + edges) on every graph, where
 * searches from pivots or the propagation of colours take as many passes as chains are long.
 *
 *   index(v) = when the search came to v, above 0; EXPLORED once its component is known
 *   low(v)   = the lowest index among v and what v leads to through the search's own tree
 *   stack    = vertices whose component is not yet known, as they were found
 *   path     = from the root of the search to the vertex at hand, each with its next edge
 *
 * A vertex left with low(v) = index(v) and all above it on the stack are a component. It is called
 * by its lowest vertex. The arrays of the graph are read in place: a depth-first search takes one
 * edge at a time, which is no product.
 */
#ifndef GBLITE_EXAMPLES_STRONG_COMPONENTS_H
#define GBLITE_EXAMPLES_STRONG_COMPONENTS_H

#include <stdlib.h>

#include "gblite.h"

typedef struct {
    gbl_Arrays edges;                             /* CSR */
    uint32_t *index, *low, *stack, *path, *label; /* [n] each */
    uint64_t *next;                               /* [n] the next edge of a vertex on the path */
    uint32_t n, found, open, depth;               /* entries of index that are set, stack, path */
} strong_search;
#define STRONG_EXPLORED UINT32_MAX
#define STRONG_BETWEEN (UINT32_C(1) << 16) /* vertices between two reports of progress */

static inline gbl_Info strong_enter(strong_search *s, uint32_t v) {
    s->index[v] = s->low[v] = ++s->found;
    s->next[v] = s->edges.p[v];
    s->stack[s->open++] = v;
    s->path[s->depth++] = v;
    return s->found % STRONG_BETWEEN ? GBL_SUCCESS : gbl_call_part((double)s->found / (double)s->n);
}

/* The vertex at the end of the path has no edge left. */
static inline void strong_leave(strong_search *s) {
    const uint32_t v = s->path[--s->depth];
    if (s->depth > 0 && s->low[v] < s->low[s->path[s->depth - 1]])
        s->low[s->path[s->depth - 1]] = s->low[v];
    if (s->low[v] != s->index[v]) return;
    uint32_t first = s->open, lowest = v;
    do {
        first--;
        if (s->stack[first] < lowest) lowest = s->stack[first];
    } while (s->stack[first] != v);
    for (uint32_t k = first; k < s->open; k++) {
        s->label[s->stack[k]] = lowest;
        s->index[s->stack[k]] = STRONG_EXPLORED;
    }
    s->open = first;
}

static inline gbl_Info strong_from(strong_search *s, uint32_t root) {
    gbl_Info info = strong_enter(s, root);
    while (s->depth > 0 && !info) {
        const uint32_t v = s->path[s->depth - 1];
        if (s->next[v] == s->edges.p[v + 1]) {
            strong_leave(s);
            continue;
        }
        const uint32_t to = s->edges.i[s->next[v]++];
        if (s->index[to] == 0)
            info = strong_enter(s, to);
        else if (s->index[to] < s->low[v]) /* never where it is explored */
            s->low[v] = s->index[to];
    }
    return info;
}

/* *label is a new UINT32 vector: the lowest vertex of the component of each vertex. A is square, an
 * entry (i,j) is an edge from i to j. */
static inline gbl_Info strong_components(gbl_Vector *label, gbl_Matrix A) {
    strong_search s = {.found = 0};
    gbl_Matrix B = NULL;
    gbl_Vector v = NULL;
    gbl_Index n, *all = NULL;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info || (info = gbl_Vector_new(&v, GBL_UINT32, n))) return info;
    gbl_call_begin();
    if (n >= STRONG_EXPLORED) {
        info = gbl_fail(GBL_NOT_IMPLEMENTED, A,
                        "more than 2^32 - 2 vertices: take their compact "
                        "graph");
        goto done;
    }
    s.index = (uint32_t *)calloc(5 * n + 1, sizeof *s.index);
    s.next = (uint64_t *)malloc((n + 1) * sizeof *s.next);
    all = (gbl_Index *)malloc((n + 1) * sizeof *all);
    if (!s.index || !s.next || !all) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    if ((info = gbl_Matrix_dup(&B, A)) || (info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &s.edges)))
        goto done;
    s.low = s.index + n;
    s.stack = s.low + n;
    s.path = s.stack + n;
    s.label = s.path + n;
    s.n = (uint32_t)n;
    for (uint32_t root = 0; root < n; root++) {
        all[root] = root;
        if (s.index[root] == 0 && (info = strong_from(&s, root))) goto done;
    }
    info = gbl_Vector_build_UINT32(v, all, s.label, n, NULL);
    if (!info) *label = v, v = NULL;
done:
    gbl_Memory_free(s.edges.p);
    gbl_Memory_free(s.edges.i);
    gbl_Memory_free(s.edges.x);
    free(s.index);
    free(s.next);
    free(all);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    gbl_call_end();
    return info;
}

#endif
