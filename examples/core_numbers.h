/* SPDX-License-Identifier: Apache-2.0
 *
 * Core numbers of an undirected graph: the largest k for which a vertex is in the k-core, the
 * largest subgraph whose vertices have k neighbours in it. Vertices of the least degree go first,
 * one by one (V. Batagelj, M. Zaversnik, An O(m) algorithm for cores decomposition, 2003):
 * O(vertices
 * + edges). The arrays of the graph are read in place, as one vertex at a time is no product.
 *
 *   order    = the vertices by their degree in what is left, at(v) the place of v
 *   first(d) = the place of the first vertex of degree d or more
 */
#ifndef GBLITE_EXAMPLES_CORE_NUMBERS_H
#define GBLITE_EXAMPLES_CORE_NUMBERS_H

#include <stdlib.h>

#include "gblite.h"

typedef struct {
    gbl_Arrays edges; /* CSR */
    uint32_t n, *degree, *order, *at;
    uint32_t *first; /* [n + 1] */
} core_search;

/* Sorts by counting. */
static inline void core_sort(core_search *s) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        s->degree[v] = (uint32_t)(s->edges.p[v + 1] - s->edges.p[v]);
        s->first[s->degree[v]]++;
    }
    for (uint32_t d = 0; d <= s->n; d++) {
        const uint32_t count = s->first[d];
        s->first[d] = sum;
        sum += count;
    }
    for (uint32_t v = 0; v < s->n; v++) {
        s->at[v] = s->first[s->degree[v]]++;
        s->order[s->at[v]] = v;
    }
    for (uint32_t d = s->n; d > 0; d--) s->first[d] = s->first[d - 1];
    s->first[0] = 0;
}

/* w changes places with the first of its degree that is behind `done`, and has one less. */
static inline void core_lower(core_search *s, uint32_t w, uint32_t done) {
    uint32_t *const start = &s->first[s->degree[w]];
    if (*start <= done) *start = done + 1;
    const uint32_t u = s->order[*start];
    s->order[s->at[w]] = u;
    s->at[u] = s->at[w];
    s->order[*start] = w;
    s->at[w] = (*start)++;
    s->degree[w]--;
}

static inline void core_peel(core_search *s) {
    for (uint32_t k = 0; k < s->n; k++) {
        const uint32_t v = s->order[k];
        for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++)
            if (s->degree[s->edges.i[e]] > s->degree[v]) core_lower(s, s->edges.i[e], k);
    }
}

/* *core is a new UINT32 vector with an entry for each vertex. A is symmetric; loops do not count.
 */
static inline gbl_Info core_numbers(gbl_Vector *core, gbl_Matrix A) {
    core_search s = {.n = 0};
    gbl_Matrix B = NULL;
    gbl_Vector v = NULL;
    gbl_Index n, *all = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&v, GBL_UINT32, n)) ||
        (info = gbl_Matrix_new(&B, GBL_BOOL, n, n)) ||
        (info = gbl_Matrix_select_INT64(B, NULL, NULL, GBL_OFFDIAG, A, 0, NULL)))
        goto done;
    if (n >= UINT32_MAX) {
        info = gbl_fail(GBL_NOT_IMPLEMENTED, A,
                        "more than 2^32 - 2 vertices: take their compact "
                        "graph");
        goto done;
    }
    s.n = (uint32_t)n;
    s.degree = (uint32_t *)calloc(4 * n + 2, sizeof *s.degree);
    all = (gbl_Index *)malloc((n + 1) * sizeof *all);
    if (!s.degree || !all) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    s.order = s.degree + n;
    s.at = s.order + n;
    s.first = s.at + n;
    if ((info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &s.edges))) goto done;
    core_sort(&s);
    core_peel(&s);
    for (gbl_Index k = 0; k < n; k++) all[k] = k;
    info = gbl_Vector_build_UINT32(v, all, s.degree, n, NULL);
    if (!info) *core = v, v = NULL;
done:
    gbl_Memory_free(s.edges.p);
    gbl_Memory_free(s.edges.i);
    gbl_Memory_free(s.edges.x);
    free(s.degree);
    free(all);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    return info;
}

#endif
