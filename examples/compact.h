/* SPDX-License-Identifier: Apache-2.0
 *
 * The vertices of a graph that have edges, and the graph of these alone. Where they are few,
 * algorithms whose results have an entry for every vertex (components, PageRank, clustering
 * coefficients, Markov clustering) would take time and memory for all of them: run them on B.
 *
 *   vertex(k) = the k-th vertex with an edge;  B(k,l) = A(vertex(k), vertex(l))
 *   w(vertex(k)) = x(k)   by gbl_Vector_scatter, with vertex as the list: a result for A
 *   y(k) = vertex(x(k))   by gbl_Vector_extract_Vector, with x as the list, if x names vertices
 */
#ifndef GBLITE_EXAMPLES_COMPACT_H
#define GBLITE_EXAMPLES_COMPACT_H

#include <stdlib.h>

#include "gblite.h"

/* *B, of A's type, and *vertex, INT64, are new. A is square. Time and memory follow the entries of
 * A where it is hypersparse. */
static inline gbl_Info compact(gbl_Matrix *B, gbl_Vector *vertex, gbl_Matrix A) {
    const gbl_Monoid any = GBL_LOR_MONOID_BOOL;
    gbl_Matrix C = NULL;
    gbl_Vector all = NULL, v = NULL; /* entries at vertices with edges: themselves */
    gbl_Index *list = NULL, n, count;
    gbl_Type type;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_type(&type, A)) ||
        (info = gbl_Vector_new(&all, GBL_INT64, n)) ||
        (info = gbl_Matrix_reduce_Monoid(all, NULL, NULL, any, A, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(all, NULL, GBL_LOR, any, A, GBL_DESC_T0)) ||
        (info =
             gbl_Vector_apply_IndexOp_INT64(all, NULL, NULL, GBL_ROWINDEX_INT64, all, 0, NULL)) ||
        (info = gbl_Vector_nvals(&count, all)))
        goto done;
    list = (gbl_Index *)malloc((count + 1) * sizeof *list);
    if (!list) info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)count);
    if (info || (info = gbl_Vector_extractTuples_INT64(list, NULL, &count, all)) ||
        (info = gbl_Vector_new(&v, GBL_INT64, count)) ||
        (info = gbl_Vector_extract(v, NULL, NULL, all, list, count, NULL)) ||
        (info = gbl_Matrix_new(&C, type, count, count)) ||
        (info = gbl_Matrix_extract(C, NULL, NULL, A, list, count, list, count, NULL)))
        goto done;
    *B = C;
    *vertex = v;
    C = NULL;
    v = NULL;
done:
    free(list);
    gbl_Matrix_free(&C);
    gbl_Vector_free(&all);
    gbl_Vector_free(&v);
    return info;
}

#endif
