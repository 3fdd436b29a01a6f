/* SPDX-License-Identifier: Apache-2.0
 *
 * One entry of an object.
 */
#ifndef GB_MATRIX_ELEMENT_H
#define GB_MATRIX_ELEMENT_H

#include "core/search.h"
#include "matrix/acquire.h"

/* *x: the value at (row, col), which are in range, or NULL when there is no entry; valid until the
 * object is next written. Assembles, but converts nothing: O(log) in sorted rows, O(entries of the
 * row) in unsorted ones, O(1) in dense vectors. */
gbl_Info gb_element_find(gb_Matrix *A, uint64_t row, uint64_t col, const void **x);

/* The usual case of it, without a call: a sorted list that nobody replaces, by rows of a matrix, by
 * the column of a vector. False: another case. */
static inline bool gb_element_at_hand(const gb_Matrix *A, gb_Format usual, uint64_t row,
                                      uint64_t col, const void **x) {
    if (!gb_list_is_ready(A, usual)) return false;
    const gb_Cs *cs = &A->cs[usual];
    const uint64_t k = usual == GB_CSR ? row : col, minor = usual == GB_CSR ? col : row;
    const gb_Off end = cs->p[k + 1], at = gb_first_at_least(cs->i, cs->p[k], end, minor);
    const bool exists = at < end && cs->i[at] == minor;
    *x = exists ? (const char *)cs->x + (cs->iso ? 0 : at * A->type->size) : NULL;
    return true;
}

#endif
