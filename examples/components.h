/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected components of an undirected graph (FastSV: Y. Zhang, A. Azad, Z. Hu, 2020). Each vertex
 * has a parent with no higher number, so parents form trees; trees grow together until each
 * component is a tree of depth 1, whose root is its lowest vertex.
 *
 *   least(v) = the least grandparent of a neighbour of v     A * grand over (min, second)
 *   parent(parent(v)), parent(v) min= least(v)               hooking: scatter, and entry by entry
 *   parent(v) min= grand(v);  grand = parent(parent)         shortcutting: extract
 *   until grandparents stay: they only fall, so an equal sum says that none changed
 */
#ifndef GBLITE_EXAMPLES_COMPONENTS_H
#define GBLITE_EXAMPLES_COMPONENTS_H

#include "gblite.h"

/* *label is a new INT64 vector: the lowest vertex of the component of each vertex. A is square and
 * has a symmetric pattern. */
static inline gbl_Info components(gbl_Vector *label, gbl_Matrix A) {
    gbl_Vector parent = NULL, grand = NULL, least = NULL;
    int64_t sum = -1, before;
    gbl_Index n;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&parent, GBL_INT64, n)) ||
        (info = gbl_Vector_assign_INT64(parent, NULL, NULL, 0, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(parent, NULL, NULL, GBL_ROWINDEX_INT64, parent, 0,
                                               NULL)) ||
        (info = gbl_Vector_dup(&grand, parent)) || (info = gbl_Vector_dup(&least, parent)))
        goto done;

    do {
        before = sum;
        if ((info = gbl_mxv(least, NULL, GBL_MIN_INT64, GBL_MIN_SECOND_SEMIRING_INT64, A, grand,
                            NULL)) ||
            (info = gbl_Vector_scatter(parent, NULL, GBL_MIN_INT64, GBL_MIN_INT64, least, parent,
                                       NULL)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(parent, NULL, NULL, GBL_MIN_INT64, parent, least,
                                                 NULL)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(parent, NULL, NULL, GBL_MIN_INT64, parent, grand,
                                                 NULL)) ||
            (info = gbl_Vector_extract_Vector(grand, NULL, NULL, parent, parent, NULL)) ||
            (info = gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, grand, NULL)))
            goto done;
    } while (sum != before);
    *label = grand;
    grand = NULL;
done:
    gbl_Vector_free(&parent);
    gbl_Vector_free(&grand);
    gbl_Vector_free(&least);
    return info;
}

#endif
