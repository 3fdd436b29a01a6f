/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that are made in two passes over their rows: the first counts the entries of each row,
 * the second writes them. Both take parts of rows of equal work, which are what T->p says at the
 * time: work that a row may make, or its entries.
 */
#ifndef GB_CPU_ROW_PARTS_H
#define GB_CPU_ROW_PARTS_H

#include "core/status.h"
#include "core/view.h"

typedef struct {
    int threads;
    uint64_t n;
    uint64_t *border; /* [n + 1] rows where parts begin */
} gb_RowParts;

/* T->p[r + 1] from a number of each row r to the running sum; returns the largest number. */
uint64_t gb_sum_rows(gb_Cs *T);
/* Parts for T->p, a running sum. */
gbl_Info gb_row_parts_make(gb_RowParts *parts, const gb_Cs *T, int nthreads);
/* The same parts for what T->p is now. */
void gb_row_parts_renew(gb_RowParts *parts, const gb_Cs *T);
void gb_row_parts_free(gb_RowParts *parts);

/* Arrays for the entries that T->p tells, one value where T is iso; T has none yet. */
gbl_Info gb_rows_alloc(gb_Cs *T, size_t xsize);

#endif
