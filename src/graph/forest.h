/* SPDX-License-Identifier: Apache-2.0
 *
 * Forests: vectors of parents. Domains and shapes were checked.
 */
#ifndef GB_GRAPH_FOREST_H
#define GB_GRAPH_FOREST_H

#include "ops/finish.h"

/* *T = the root of the tree of each entry of u, whose values are integers: a dense result of
 * UINT32. Places without an entry have their own number there, as every root has. u's name is for
 * errors. */
gbl_Info gb_forest_roots(gb_Result *T, gb_Matrix *u, const char *name);
/* Links of n places that lead to roots, of trees of any depth, become the roots. */
void gb_forest_flatten(gb_Idx *link, uint64_t n);

/* w<m> accum= the roots of the trees of u. */
gbl_Info gb_roots(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u);

/* Trees of w become one along entries [first, first + count) of each row of A, or of A', that the
 * mask has; then w has the roots of all. */
typedef struct {
    gb_Matrix *A;
    bool transpose;
    uint64_t first, count;
} gb_Join;
gbl_Info gb_join(gb_Matrix *w, const gb_Mask *mask, const gb_Join *call);

#endif
