/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected components of an undirected graph, by Afforest (M. Sutton, T. Ben-Nun, A. Barak, 2018).
 * Vertices lead to their parents, so they form trees, which edges join; the root of a tree is its
 * lowest vertex, and in the end the name of a component. Two edges of each vertex join most
 * vertices of most graphs to one large tree. All edges between it and others are also edges of the
 * others, so its own vertices need not look at any more:
 *
 *   parent(v) = v                 each vertex is a tree
 *   join along edges 0 and 1      of every vertex; parent(v) = the root of its tree
 *   large = a root that many have
 *   join along edges 2, 3, ...    of the vertices whose root is another
 *
 * A vertex without edges is a component. Of a hypersparse graph, where so many do not fit in
 * memory, gbl_Vector_join alone from an empty vector names the components of all others. UINT32
 * names up to 2^32 vertices; of more it is refused, with an error that says which type to take.
 */
#ifndef GBLITE_EXAMPLES_COMPONENTS_H
#define GBLITE_EXAMPLES_COMPONENTS_H

#include "gblite.h"

/* *root = the one that most of a sample vote for; if none has half of the votes, any of them. */
static inline gbl_Info components_vote(uint32_t *root, gbl_Vector parent, gbl_Index n) {
    enum { SAMPLE = 64 };
    int lead = 0;
    for (gbl_Index k = 0; k < SAMPLE; k++) {
        uint32_t vote;
        const gbl_Info info = gbl_Vector_extractElement_UINT32(&vote, parent, k * n / SAMPLE);
        if (info) return info;
        if (lead == 0) *root = vote;
        lead += vote == *root ? 1 : -1;
    }
    return GBL_SUCCESS;
}

/* *label is a new UINT32 vector: the lowest vertex of the component of each vertex. A is square and
 * has a symmetric pattern. */
static inline gbl_Info components(gbl_Vector *label, gbl_Matrix A) {
    gbl_Vector parent = NULL, others = NULL;
    uint32_t large = 0;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nrows(&n, A);

    if (info || (info = gbl_Vector_new(&parent, GBL_UINT32, n)) ||
        (info = gbl_Vector_new(&others, GBL_UINT32, n)) ||
        (info = gbl_Vector_assign_UINT32(parent, NULL, NULL, 0, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(parent, NULL, NULL, GBL_ROWINDEX_INT64, parent, 0,
                                               NULL)) ||
        (info = gbl_Vector_join(parent, NULL, A, 0, 2, NULL)) ||
        (n > 0 && (info = components_vote(&large, parent, n))) ||
        (info = gbl_Vector_select_UINT32(others, NULL, NULL, GBL_VALUENE_UINT32, parent, large,
                                         NULL)) ||
        (info = gbl_Vector_join(parent, others, A, 2, n, GBL_DESC_S)))
        goto done;
    *label = parent;
    parent = NULL;
done:
    gbl_Vector_free(&parent);
    gbl_Vector_free(&others);
    return info;
}

#endif
