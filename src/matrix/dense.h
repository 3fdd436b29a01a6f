/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates of vectors, and of cells of matrices, that are held as a bitmap or a full array.
 */
#ifndef GB_MATRIX_DENSE_H
#define GB_MATRIX_DENSE_H

#include "matrix/pending.h"

/* Element k becomes *x, or goes when x is NULL, in place. False, and nothing has happened, where
 * the vector is not held as dense arrays alone or they cannot take it. For the writer of v, who has
 * no pending updates. O(1). */
bool gb_dense_write(gb_Matrix *v, uint64_t k, const void *x);

/* The entries of the list (nmajor = 1) become v's, their values x of v's type: one for all, or one
 * each. v is dense and not iso, and has no pending updates; the list is not v's own. Other
 * representations go. O(entries of the list); cannot fail. */
void gb_dense_write_list(gb_Matrix *v, const gb_CsView *list, const void *x, bool one);

/* A writer has set values of the dense v, and bytes of its bitmap, of so many elements that were
 * not there. Other representations go. */
void gb_dense_gained(gb_Matrix *v, uint64_t added);

/* Under the lock: the dense arrays take the updates in the order of the calls. */
gbl_Info gb_dense_assemble(gb_Matrix *v, const gb_Pending *list);

#endif
