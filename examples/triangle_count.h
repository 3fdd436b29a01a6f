/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of an undirected graph, counted with one masked product that is summed as it is made.
 *
 *   L(i,j) = 1 for each edge {i,j} with i > j, vertices numbered by falling degree
 *   C<L>   = L * L' over (plus, pair): C(i,j) = how many k < j have edges to both i and j
 *   triangles = sum of C, each triangle i > j > k counted once
 *
 * Numbered so, a row of L lists only the neighbours with a higher degree: no row is long, hubs
 * least of all, and the sum over the edges (i,j) of the length of row j, which is what the product
 * scans, is smallest. Where all degrees are alike, or most vertices have no edges, the order as
 * given will do; and where they are few and there are no loops, so will A itself: C<A> = A * A'
 * counts each triangle six times, and takes less than to make L.
 */
#ifndef GBLITE_EXAMPLES_TRIANGLE_COUNT_H
#define GBLITE_EXAMPLES_TRIANGLE_COUNT_H

#include "gblite.h"

/* A longest row of more than so many mean rows, and long, makes a new numbering worth its passes;
 * one that is short does without L; a graph with an edge for so many vertices is nearly empty. */
enum { TRIANGLE_SKEW = 12, TRIANGLE_LONG = 128, TRIANGLE_SHORT = 24, TRIANGLE_EMPTY = 64 };

/* L = the strictly lower triangle of A, renumbered where it is skewed: some vertices have far more
 * edges than others. */
static inline gbl_Info triangle_lower(gbl_Matrix L, gbl_Matrix A, gbl_Vector degree, bool skewed) {
    gbl_Vector order = NULL;
    gbl_Index n;
    gbl_Info info;
    if (!skewed) return gbl_Matrix_select_INT64(L, NULL, NULL, GBL_TRIL, A, -1, NULL);
    if (!(info = gbl_Vector_size(&n, degree)) && !(info = gbl_Vector_new(&order, GBL_UINT32, n)) &&
        !(info = gbl_Vector_sort(NULL, order, GBL_GT_INT32, degree, NULL)))
        info = gbl_Matrix_permute(L, NULL, NULL, GBL_TRIL, A, order, -1, NULL);
    gbl_Vector_free(&order);
    return info;
}

/* *skewed, and *few: rows of few entries, all about as long. */
static inline gbl_Info triangle_shape(bool *skewed, bool *few, gbl_Vector degree, gbl_Matrix A) {
    gbl_Index n, entries;
    int64_t most = 0;
    gbl_Info info;
    *skewed = *few = false;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_nvals(&entries, A)) ||
        entries < n / TRIANGLE_EMPTY || (info = gbl_Matrix_degrees(degree, NULL, NULL, A, NULL)) ||
        (info = gbl_Vector_reduce_INT64(&most, NULL, GBL_MAX_MONOID_INT32, degree, NULL)))
        return info;
    *skewed = most > TRIANGLE_LONG && (double)most * (double)n > TRIANGLE_SKEW * (double)entries;
    *few = most <= TRIANGLE_SHORT && !*skewed;
    return info;
}

/* *count = triangles of the graph with the symmetric adjacency matrix A; loops do not matter. how,
 * unless NULL, tells how the product is computed. */
static inline gbl_Info triangle_count(uint64_t *count, gbl_Explanation *how, gbl_Matrix A) {
    const gbl_Semiring ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    gbl_Matrix X = NULL, L = NULL, C = NULL;
    gbl_Vector degree = NULL;
    gbl_Index n, loops = 1;
    int64_t sum = 0;
    bool skewed, few;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&degree, GBL_INT32, n)) ||
        (info = gbl_Matrix_new(&L, GBL_BOOL, n, n)) ||
        (info = triangle_shape(&skewed, &few, degree, A)) ||
        (few && ((info = gbl_Matrix_select_INT64(L, NULL, NULL, GBL_DIAG, A, 0, NULL)) ||
                 (info = gbl_Matrix_nvals(&loops, L)))))
        goto done;
    X = loops > 0 ? L : A;
    if ((X == L && (info = triangle_lower(L, A, degree, skewed))) ||
        (info = gbl_mxm_reduce_INT64(&sum, X, NULL, GBL_PLUS_MONOID_INT64, ring, X, X,
                                     GBL_DESC_ST1)) ||
        (how && ((info = gbl_Matrix_new(&C, GBL_INT64, n, n)) ||
                 (info = gbl_mxm_plan(how, C, X, NULL, ring, X, X, GBL_DESC_ST1)))))
        goto done;
    *count = (uint64_t)sum / (X == A ? 6 : 1);
done:
    gbl_Vector_free(&degree);
    gbl_Matrix_free(&L);
    gbl_Matrix_free(&C);
    return info;
}

#endif
