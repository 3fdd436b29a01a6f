/* SPDX-License-Identifier: Apache-2.0
 *
 * The local clustering coefficient of each vertex of an undirected graph (D. J. Watts, S. H.
 * Strogatz, 1998): which share of the pairs of its neighbours are neighbours themselves.
 *
 *   B = A without loops, vertices numbered by rising degree;  U = its upper triangle
 *   C<B> = B * U' over (plus, pair): C(i,j) = how many k > j have edges to both i and j
 *   triangles at i = sum of row i;  coefficient = 2 triangles / (degree (degree - 1))
 *
 * A row of U lists only neighbours with a higher degree, so that no row is long.
 */
#ifndef GBLITE_EXAMPLES_CLUSTERING_COEFFICIENT_H
#define GBLITE_EXAMPLES_CLUSTERING_COEFFICIENT_H

#include "gblite.h"

/* triangles(v) of each vertex that is in one. */
static inline gbl_Info triangles_of_vertices(gbl_Vector triangles, gbl_Matrix B, gbl_Vector degree,
                                             gbl_Index n) {
    gbl_Matrix U = NULL, C = NULL;
    gbl_Vector order = NULL, sum = NULL;
    gbl_Info info;
    if ((info = gbl_Vector_new(&order, GBL_INT64, n)) ||
        (info = gbl_Vector_new(&sum, GBL_FP64, n)) || (info = gbl_Matrix_new(&U, GBL_BOOL, n, n)) ||
        (info = gbl_Matrix_new(&C, GBL_INT64, n, n)) ||
        (info = gbl_Vector_sort(NULL, order, GBL_LT_INT64, degree, NULL)) ||
        (info = gbl_Matrix_permute(B, NULL, NULL, NULL, B, order, 0, NULL)) ||
        (info = gbl_Matrix_select_INT64(U, NULL, NULL, GBL_TRIU, B, 1, NULL)) ||
        (info = gbl_mxm(C, B, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, B, U, GBL_DESC_ST1)) ||
        (info = gbl_Matrix_reduce_Monoid(sum, NULL, NULL, GBL_PLUS_MONOID_FP64, C, NULL)))
        goto done;
    info = gbl_Vector_scatter(triangles, NULL, NULL, GBL_PLUS_FP64, sum, order, NULL);
done:
    gbl_Matrix_free(&U);
    gbl_Matrix_free(&C);
    gbl_Vector_free(&order);
    gbl_Vector_free(&sum);
    return info;
}

/* *coefficient is a new FP64 vector with an entry for each vertex, 0 where it has fewer than two
 * neighbours. A is square and has a symmetric pattern. */
static inline gbl_Info clustering_coefficient(gbl_Vector *coefficient, gbl_Matrix A) {
    gbl_Matrix B = NULL;
    gbl_Vector c = NULL, degree = NULL, triangles = NULL;
    gbl_Index n;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&B, GBL_BOOL, n, n)) ||
        (info = gbl_Vector_new(&c, GBL_FP64, n)) || (info = gbl_Vector_new(&degree, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&triangles, GBL_FP64, n)) ||
        (info = gbl_Matrix_select_INT64(B, NULL, NULL, GBL_OFFDIAG, A, 0, NULL)) ||
        (info = gbl_Matrix_degrees(degree, NULL, NULL, B, NULL)) ||
        (info = triangles_of_vertices(triangles, B, degree, n)) ||
        (info =
             gbl_Vector_apply_BinaryOp2nd_FP64(c, NULL, NULL, GBL_MINUS_FP64, degree, 1, NULL)) ||
        (info =
             gbl_Vector_eWiseMult_BinaryOp(degree, NULL, NULL, GBL_TIMES_FP64, degree, c, NULL)) ||
        (info = gbl_Vector_assign_FP64(c, NULL, NULL, 0, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(c, NULL, GBL_PLUS_FP64, GBL_DIV_FP64, triangles,
                                              degree, NULL)) ||
        (info = gbl_Vector_apply_BinaryOp2nd_FP64(c, NULL, NULL, GBL_TIMES_FP64, c, 2, NULL)))
        goto done;
    *coefficient = c;
    c = NULL;
done:
    gbl_Matrix_free(&B);
    gbl_Vector_free(&c);
    gbl_Vector_free(&degree);
    gbl_Vector_free(&triangles);
    return info;
}

#endif
