/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of an undirected graph, by one masked product and its sum.
 *
 *   C<A> = A * A' over (plus, pair): C(i,j) = how many neighbours i and j have in common, for each
 *          edge {i,j}, in both directions
 *   triangles = sum of C / 6: each triangle has three edges
 *
 * Only the sum is asked for. So the library need not make C, nor meet a triangle six times: it sees
 * that A is symmetric, numbers the vertices by falling degree where some have many edges, and
 * meets each triangle once. Walks may also stand still in a loop: loops go first.
 */
#ifndef GBLITE_EXAMPLES_TRIANGLE_COUNT_H
#define GBLITE_EXAMPLES_TRIANGLE_COUNT_H

#include "gblite.h"

/* *count = triangles of the graph with the symmetric adjacency matrix A; loops do not matter. */
static inline gbl_Info triangle_count(uint64_t *count, gbl_Matrix A) {
    const gbl_Semiring ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    gbl_Matrix B = NULL;
    gbl_Index n, loops;
    int64_t walks = 0;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&B, GBL_BOOL, n, n)) ||
        (info = gbl_Matrix_select_INT64(B, NULL, NULL, GBL_DIAG, A, 0, NULL)) ||
        (info = gbl_Matrix_nvals(&loops, B)) ||
        (loops > 0 && (info = gbl_Matrix_select_INT64(B, NULL, NULL, GBL_OFFDIAG, A, 0, NULL))))
        goto done;
    const gbl_Matrix X = loops > 0 ? B : A;
    info = gbl_mxm_reduce_INT64(&walks, X, NULL, GBL_PLUS_MONOID_INT64, ring, X, X, GBL_DESC_ST1);
    if (!info) *count = (uint64_t)walks / 6;
done:
    gbl_Matrix_free(&B);
    return info;
}

#endif
