/* SPDX-License-Identifier: Apache-2.0
 *
 * One update of sorted rows or columns where they are.
 */
#ifndef GB_MATRIX_INSERT_H
#define GB_MATRIX_INSERT_H

#include "core/arrays.h"
#include "matrix/lifetime.h"

/* Another value for an entry of cs[format], where it stands; here: NULL, it has this one. */
static inline void gb_overwrite(gb_Matrix *A, gb_Format format, void *here, const void *x) {
    gb_matrix_keep_only(A, gb_has_bit(format));
    if (here != NULL) gb_copy_value(here, x, A->type->size);
    gb_matrix_set_ready(A, format);
}

/* The entry at (row, col) becomes *x, or goes when x is NULL. Without `moves` only the value of an
 * entry that exists is written, O(log); with it entries come and go: what lies behind them moves,
 * O(nvals + nmajor), and full arrays double, so that growing costs no more. *done is false, and
 * nothing has happened, where the arrays cannot take it: they are not sorted, would move but came
 * from the user, or hold one value for all that is not *x; or there are none, or dense ones. For
 * the writer of A, who has no pending updates. */
gbl_Info gb_insert(gb_Matrix *A, uint64_t row, uint64_t col, const void *x, bool moves, bool *done);

#endif
