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
    const gbl_Arrays *edges; /* CSR */
    uint32_t n, *degree, *order, *at;
    uint32_t *first; /* [n + 1] */
} core_search;

/* Sorts by counting. */
static inline void core_sort(core_search *s) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v < s->n; v++) {
        s->degree[v] = (uint32_t)(s->edges->p[v + 1] - s->edges->p[v]);
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

static inline gbl_Info core_peel(core_search *s) {
    const uint32_t between = UINT32_C(1) << 16; /* vertices between two reports of progress */
    for (uint32_t k = 0; k < s->n; k++) {
        if (k % between == between - 1) {
            const gbl_Info info = gbl_call_part((double)k / (double)s->n);
            if (info) return info;
        }
        const uint32_t v = s->order[k];
        for (uint64_t e = s->edges->p[v]; e < s->edges->p[v + 1]; e++)
            if (s->degree[s->edges->i[e]] > s->degree[v]) core_lower(s, s->edges->i[e], k);
    }
    return GBL_SUCCESS;
}

/* core[n], of the CSR arrays of a symmetric matrix without diagonal and fewer than 2^32 - 1 rows.
 */
static inline gbl_Info core_numbers_of(uint32_t *core, const gbl_Arrays *edges, gbl_Index n) {
    core_search s = {.edges = edges, .n = (uint32_t)n, .degree = core};
    s.order = (uint32_t *)calloc(3 * n + 2, sizeof *s.order);
    if (!s.order) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %zu vertices", (size_t)n);
    s.at = s.order + n;
    s.first = s.at + n;
    core_sort(&s);
    gbl_call_begin();
    const gbl_Info info = core_peel(&s);
    gbl_call_end();
    free(s.order);
    return info;
}

/* *core is a new UINT32 vector with an entry for each vertex. A is symmetric; loops do not count.
 */
static inline gbl_Info core_numbers(gbl_Vector *core, gbl_Matrix A) {
    gbl_Arrays edges = {.p = NULL};
    gbl_Matrix B = NULL;
    gbl_Vector v = NULL;
    gbl_Index n, *all = NULL;
    uint32_t *degree = NULL;
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
    degree = (uint32_t *)malloc((n + 1) * sizeof *degree);
    all = (gbl_Index *)malloc((n + 1) * sizeof *all);
    if (!degree || !all) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    if ((info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &edges)) ||
        (info = core_numbers_of(degree, &edges, n)))
        goto done;
    for (gbl_Index k = 0; k < n; k++) all[k] = k;
    info = gbl_Vector_build_UINT32(v, all, degree, n, NULL);
    if (!info) *core = v, v = NULL;
done:
    gbl_Memory_free(edges.p);
    gbl_Memory_free(edges.i);
    gbl_Memory_free(edges.x);
    free(degree);
    free(all);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    return info;
}

#endif
