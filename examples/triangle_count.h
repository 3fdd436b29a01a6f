/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of an undirected graph, counted with one masked product.
 *
 *   L(i,j) = 1 for each edge {i,j} with i > j, vertices numbered by falling degree
 *   C<L>   = L * L' over (plus, pair): C(i,j) = how many k < j have edges to both i and j
 *   triangles = sum of C, each triangle i > j > k counted once; C is summed as it is made
 *
 * Numbered so, a row of L lists only the neighbours with a higher degree: no row is long, hubs
 * least of all, and the sum over the edges (i,j) of the length of row j, which is what the product
 * scans, is smallest.
 */
#ifndef GBLITE_EXAMPLES_TRIANGLE_COUNT_H
#define GBLITE_EXAMPLES_TRIANGLE_COUNT_H

#include "gblite.h"

/* A longest row of more than so many mean rows makes a new numbering worth its passes. */
enum { TRIANGLE_SKEW = 12 };

/* L = the strictly lower triangle of A, renumbered where some vertices have far more edges than
 * others. */
static inline gbl_Info triangle_lower(gbl_Matrix L, gbl_Matrix A, gbl_Index n) {
    gbl_Vector degree = NULL, order = NULL;
    gbl_Index entries;
    int64_t most = 0;
    gbl_Info info;

    if ((info = gbl_Vector_new(&degree, GBL_INT32, n)) ||
        (info = gbl_Vector_new(&order, GBL_UINT32, n)) ||
        (info = gbl_Matrix_degrees(degree, NULL, NULL, A, NULL)) ||
        (info = gbl_Vector_reduce_INT64(&most, NULL, GBL_MAX_MONOID_INT32, degree, NULL)) ||
        (info = gbl_Matrix_nvals(&entries, A)))
        goto done;
    if ((double)most * (double)n <= TRIANGLE_SKEW * (double)entries)
        info = gbl_Matrix_select_INT64(L, NULL, NULL, GBL_TRIL, A, -1, NULL);
    else if (!(info = gbl_Vector_sort(NULL, order, GBL_GT_INT32, degree, NULL)))
        info = gbl_Matrix_permute(L, NULL, NULL, GBL_TRIL, A, order, -1, NULL);
done:
    gbl_Vector_free(&degree);
    gbl_Vector_free(&order);
    return info;
}

/* *count = triangles of the graph with the symmetric adjacency matrix A; loops do not matter. how,
 * unless NULL, tells how the product is computed. */
static inline gbl_Info triangle_count(uint64_t *count, gbl_Explanation *how, gbl_Matrix A) {
    const gbl_Semiring ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    gbl_Matrix L = NULL, C = NULL;
    gbl_Index n;
    int64_t triangles = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&L, GBL_BOOL, n, n)) ||
        (info = triangle_lower(L, A, n)) ||
        (info = gbl_mxm_reduce_INT64(&triangles, L, NULL, GBL_PLUS_MONOID_INT64, ring, L, L,
                                     GBL_DESC_ST1)))
        goto done;
    if (how && ((info = gbl_Matrix_new(&C, GBL_INT64, n, n)) ||
                (info = gbl_mxm_plan(how, C, L, NULL, ring, L, L, GBL_DESC_ST1))))
        goto done;
    *count = (uint64_t)triangles;
done:
    gbl_Matrix_free(&L);
    gbl_Matrix_free(&C);
    return info;
}

#endif
