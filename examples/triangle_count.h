/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of an undirected graph, counted with one masked product.
 *
 *   L(i,j) = 1 for each edge {i,j} with i > j, vertices numbered by falling degree
 *   C<L>   = L * L' over (plus, pair): C(i,j) = how many k < j have edges to both i and j
 *   triangles = sum of C, each triangle i > j > k counted once
 *
 * Numbered so, a row of L lists only the neighbours with a higher degree: no row is long, hubs
 * least of all, and the sum over the edges (i,j) of the length of row j, which is what the product
 * scans, is smallest.
 */
#ifndef GBLITE_EXAMPLES_TRIANGLE_COUNT_H
#define GBLITE_EXAMPLES_TRIANGLE_COUNT_H

#include <stdlib.h>

#include "gblite.h"

/* A new numbering costs about as much as scanning this many entries per edge. */
enum { TRIANGLE_RENUMBER_COST = 8 };

static inline uint64_t triangle_scanned(const gbl_Arrays *L, gbl_Index n) {
    uint64_t scanned = 0;
    for (uint64_t e = 0; e < L->p[n]; e++) scanned += L->p[L->i[e] + 1] - L->p[L->i[e]];
    return scanned;
}

/* rank[v] = place of vertex v by falling degree, equal degrees in their old order. first is
 * workspace of n + 1 zeros. */
static inline void triangle_rank(uint32_t *rank, uint64_t *first, const gbl_Arrays *L,
                                 gbl_Index n) {
    for (gbl_Index v = 0; v < n; v++) rank[v] = (uint32_t)(L->p[v + 1] - L->p[v]);
    for (uint64_t e = 0; e < L->p[n]; e++) rank[L->i[e]]++;
    for (gbl_Index v = 0; v < n; v++) first[rank[v]]++;
    for (uint64_t degree = n + 1, sum = 0; degree-- > 0;) {
        uint64_t vertices = first[degree];
        first[degree] = sum;
        sum += vertices;
    }
    for (gbl_Index v = 0; v < n; v++) rank[v] = (uint32_t)first[rank[v]]++;
}

/* Renumbers the vertices of the strictly lower triangle L by falling degree. */
static inline gbl_Info triangle_renumber(gbl_Arrays *L, gbl_Index n) {
    gbl_Info info = GBL_SUCCESS;
    uint64_t edges = L->p[n];
    uint32_t *rank = malloc((n + 1) * sizeof *rank);
    uint64_t *p = calloc(n + 2, sizeof *p);
    uint32_t *i = malloc((edges + 1) * sizeof *i);
    if (!rank || !p || !i) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "out of memory for numbering the vertices");
        goto done;
    }

    triangle_rank(rank, p, L, n);
    for (gbl_Index v = 0; v < n + 2; v++) p[v] = 0;

    /* p is kept two ahead, so that filling row r moves p[r + 1] from its start to its end */
    for (gbl_Index v = 0; v < n; v++)
        for (uint64_t e = L->p[v]; e < L->p[v + 1]; e++) {
            uint32_t a = rank[v], b = rank[L->i[e]];
            p[(a > b ? a : b) + 2]++;
        }
    for (gbl_Index v = 2; v < n + 2; v++) p[v] += p[v - 1];
    for (gbl_Index v = 0; v < n; v++)
        for (uint64_t e = L->p[v]; e < L->p[v + 1]; e++) {
            uint32_t a = rank[v], b = rank[L->i[e]];
            i[p[(a > b ? a : b) + 1]++] = a > b ? b : a;
        }
    free(L->p);
    free(L->i);
    L->p = p;
    L->i = i;
    p = NULL;
    i = NULL;
done:
    free(rank);
    free(p);
    free(i);
    return info;
}

/* *count = triangles of the graph with the symmetric adjacency matrix A; only the lower triangle of
 * A is read, loops do not matter. how, unless NULL, tells how the product was computed. */
static inline gbl_Info triangle_count(uint64_t *count, gbl_Explanation *how, gbl_Matrix A) {
    gbl_Matrix L = NULL, C = NULL;
    gbl_Arrays arrays = {0};
    gbl_Index n;
    int64_t triangles = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&L, GBL_BOOL, n, n)) ||
        (info = gbl_Matrix_select_INT64(L, NULL, NULL, GBL_TRIL, A, -1, NULL)) ||
        (info = gbl_Matrix_moveOut(L, GBL_CSR_FORMAT, &arrays)) || (info = gbl_Matrix_free(&L)))
        goto done;

    if (triangle_scanned(&arrays, n) > TRIANGLE_RENUMBER_COST * arrays.p[n] &&
        (info = triangle_renumber(&arrays, n)))
        goto done;

    if ((info = gbl_Matrix_moveIn(&L, GBL_BOOL, n, n, GBL_CSR_FORMAT, &arrays)) ||
        (info = gbl_Matrix_new(&C, GBL_INT64, n, n)) ||
        (info = gbl_mxm(C, L, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, L, L, GBL_DESC_ST1)) ||
        (info = gbl_Matrix_reduce_INT64(&triangles, NULL, GBL_PLUS_MONOID_INT64, C, NULL)))
        goto done;
    if (how && (info = gbl_Matrix_explain(how, C))) goto done;
    *count = (uint64_t)triangles;
done:
    free(arrays.p);
    free(arrays.i);
    free(arrays.x);
    gbl_Matrix_free(&L);
    gbl_Matrix_free(&C);
    return info;
}

#endif
