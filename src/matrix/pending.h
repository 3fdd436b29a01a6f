/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of updates, setElement and removeElement calls, that wait for assembly.
 *
 * Integrity: entries [0, n) in the order of the calls; keep[k] is 1 for setElement, whose value is
 * x[k * size], and 0 for removeElement, whose x is unspecified. All arrays lie in one block, x
 * first, and cap is a multiple of 8, so each is aligned. Positions of huge objects have their upper
 * halves in arrays of their own. A matrix without updates has no list.
 */
#ifndef GB_MATRIX_PENDING_H
#define GB_MATRIX_PENDING_H

#include "matrix/object.h"

struct gb_Pending {
    uint64_t n, cap;                               /* entries */
    size_t bytes;                                  /* of the block */
    char *x;                                       /* [cap * size of the type] */
    gb_Idx *row;                                   /* [cap] */
    gb_Idx *col;                                   /* [cap] */
    gb_Idx *row_up;                                /* [cap], or NULL: they are 0 */
    gb_Idx *col_up;                                /* [cap], or NULL */
    int8_t *keep;                                  /* [cap] */
    uint64_t row_low, row_high, col_low, col_high; /* the least and the largest index, n > 0 */
};

/* For the writer of A; x NULL: the entry is removed. */
gbl_Info gb_pending_append(gb_Matrix *A, uint64_t row, uint64_t col, const void *x);
/* Room for n > 0 more, which must follow: appending them cannot fail. */
gbl_Info gb_pending_reserve(gb_Matrix *A, uint64_t n);
/* False: no update is in that row, or column. */
bool gb_pending_touches(const gb_Matrix *A, bool is_row, uint64_t line);
uint64_t gb_pending_count(const gb_Matrix *A);
void gb_pending_clear(gb_Matrix *A);
static inline uint64_t gb_pending_row(const gb_Pending *list, uint64_t k) {
    return (list->row_up != NULL ? (uint64_t)list->row_up[k] << 32 : 0) | list->row[k];
}
static inline uint64_t gb_pending_col(const gb_Pending *list, uint64_t k) {
    return (list->col_up != NULL ? (uint64_t)list->col_up[k] << 32 : 0) | list->col[k];
}

#endif
