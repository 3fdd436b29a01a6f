/* SPDX-License-Identifier: Apache-2.0
 *
 * The k-truss of an undirected graph (J. Cohen, 2008): its largest subgraph in which each edge is
 * in at least k - 2 triangles.
 *
 *   S<T> = T * T' over (plus, pair)    the triangles of each edge that is left
 *   S    = S where S >= k - 2          in place: non-blocking mode makes both in one pass
 *   T, S = S, T                        until no edge goes
 */
#ifndef GBLITE_EXAMPLES_TRUSS_H
#define GBLITE_EXAMPLES_TRUSS_H

#include "gblite.h"

/* *truss is a new INT64 matrix with the edges of the k-truss, and in how many of its triangles each
 * is. A is square and has a symmetric pattern; loops do not matter; k >= 3. *steps: how many
 * products it took. */
static inline gbl_Info k_truss(gbl_Matrix *truss, int64_t *steps, gbl_Matrix A, int64_t k) {
    gbl_Matrix S = NULL, T = NULL, swap;
    gbl_Index n, before, edges;
    gbl_Info info;

    *steps = 0;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&S, GBL_INT64, n, n)) ||
        (info = gbl_Matrix_new(&T, GBL_INT64, n, n)) ||
        (info = gbl_Matrix_select_INT64(T, NULL, NULL, GBL_OFFDIAG, A, 0, NULL)) ||
        (info = gbl_Matrix_nvals(&edges, T)))
        goto done;
    do {
        before = edges;
        if ((info = gbl_mxm(S, T, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, T, T, GBL_DESC_RST1)) ||
            (info = gbl_Matrix_select_INT64(S, NULL, NULL, GBL_VALUEGE_INT64, S, k - 2, NULL)) ||
            (info = gbl_Matrix_nvals(&edges, S)))
            goto done;
        swap = T;
        T = S;
        S = swap;
        ++*steps;
    } while (edges != before);
    *truss = T;
    T = NULL;
done:
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&T);
    return info;
}

#endif
