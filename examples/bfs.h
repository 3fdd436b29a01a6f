/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search of a directed or undirected graph: the level, the parent or both of each
 * vertex that a source reaches.
 *
 *   q      = the frontier: the vertices found last
 *   q<!p>  = q * A over (any, secondi): q(j) = some k in q with an edge k -> j, j not seen before
 *   p<q>   = q       the parent of each vertex just found
 *
 * Levels and parents are INT32 where vertices fit, which halves what is read. The mask p (or the
 * levels, in a search for them alone) is used as a structure and complemented, and q is replaced:
 * GBL_DESC_RSC. In non-blocking mode q and p are written in one pass. Each product scans either the
 * edges out of the frontier (push) or, for every unseen vertex, its edges in until one comes from
 * the frontier (pull); the library chooses by what it would cost.
 */
#ifndef GBLITE_EXAMPLES_BFS_H
#define GBLITE_EXAMPLES_BFS_H

#include "gblite.h"

/* What to be told after each step, or NULL. */
typedef void (*bfs_report)(void *context, int64_t depth, gbl_Index found,
                           const gbl_Explanation *how);

/* *level and *parent are new vectors, INT32 or, of more than 2^31 - 1 vertices, INT64, with entries
 * where source reaches: the number of edges from the source, and the vertex before on a shortest
 * path; the source is its own parent. NULL for one of them leaves that out. */
static inline gbl_Info bfs(gbl_Vector *level, gbl_Vector *parent, gbl_Matrix A, gbl_Index source,
                           bfs_report report, void *context) {
    gbl_Vector q = NULL, l = NULL, p = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index n, found = 1;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    const bool narrow = info == GBL_SUCCESS && n <= INT32_MAX;
    const gbl_Type type = narrow ? GBL_INT32 : GBL_INT64;
    const gbl_Semiring ring =
        narrow ? GBL_ANY_SECONDI_SEMIRING_INT32 : GBL_ANY_SECONDI_SEMIRING_INT64;

    if (info || (info = gbl_Vector_new(&q, type, n)) || (info = gbl_Vector_new(&l, type, n)) ||
        (info = gbl_Vector_new(&p, type, n)) ||
        (info = gbl_Vector_setElement_INT64(q, (int64_t)source, source)))
        goto done;

    for (int64_t depth = 0; found > 0; depth++) {
        if (depth > 0) info = gbl_vxm(q, parent ? p : l, NULL, ring, q, A, GBL_DESC_RSC);
        if (level && !info)
            info = gbl_Vector_assign_INT64(l, q, NULL, depth, GBL_ALL, n, GBL_DESC_S);
        if (parent && !info) info = gbl_Vector_assign(p, q, NULL, q, GBL_ALL, n, GBL_DESC_S);
        if (info || (info = gbl_Vector_nvals(&found, q))) goto done;
        if (report && depth > 0) {
            if ((info = gbl_Vector_explain(&how, q))) goto done;
            report(context, depth, found, &how);
        }
    }
    if (level) *level = l, l = NULL;
    if (parent) *parent = p, p = NULL;
done:
    gbl_Vector_free(&q);
    gbl_Vector_free(&l);
    gbl_Vector_free(&p);
    return info;
}

#endif
