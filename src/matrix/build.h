/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples to compressed rows (or columns).
 */
#ifndef GB_MATRIX_BUILD_H
#define GB_MATRIX_BUILD_H

#include "semiring/algebra.h"

/* Rows and columns were checked. major NULL: every major index is 0. Indices of 32 bits, if there
 * are any, stand in their place. */
typedef struct {
    const gbl_Index *major, *minor;
    const gb_Idx *short_major, *short_minor;
    const void *x;
    int sx; /* 1: a value each; 0: one for all, and the result is iso */
    uint64_t n;
    uint64_t nmajor, nminor;
    /* What the numbers of rows and columns stand for, in texts of errors; NULL: for themselves. */
    const uint64_t *major_names, *minor_names;
} gb_Tuples;
/* Values have type `type`, which is dup's only type. dup NULL: duplicates fail with
 * GBL_INVALID_VALUE naming the position. With sx = 0 a dup means that duplicates are merged; it is
 * not called. */
gbl_Info gb_tuples_to_cs(gb_Cs *cs, const gb_Tuples *tuples, const gb_Type *type,
                         const gb_BinaryOp *dup);

#endif
