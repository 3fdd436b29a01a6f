/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of updates that wait for assembly, as pending.c fills it and assemble.c reads it.
 *
 * Integrity: entries [0, n) in the order of the calls; keep[k] is 1 for setElement, whose value is
 * x[k * size], and 0 for removeElement, whose x is unspecified. All four arrays lie in one block,
 * x first, and cap is a multiple of 8, so each is aligned. A matrix without updates has no list.
 */
#ifndef GB_MATRIX_PENDING_H
#define GB_MATRIX_PENDING_H

#include "matrix/matrix.h"

struct gb_Pending {
    uint64_t n, cap; /* entries */
    size_t bytes;    /* of the block */
    char *x;         /* [cap * size of the type] */
    gb_Idx *row;     /* [cap] */
    gb_Idx *col;     /* [cap] */
    int8_t *keep;    /* [cap] */
};

/* Under the lock: merge the list into A's compressed (not dense) content and free nothing of the
 * list. */
gbl_Info gb_pending_merge(gb_Matrix *A, const gb_Pending *list);

#endif
