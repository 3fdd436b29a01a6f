/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting the columns of one row, with their values.
 */
#ifndef GB_IO_ROW_SORT_H
#define GB_IO_ROW_SORT_H

#include "io.h"

/* Arrays of which the rows are ranges. */
typedef struct {
    uint32_t *c, *c2; /* columns below 2^bits; workspace of the same length */
    void *x, *x2;     /* values of `size` bytes; workspace */
    size_t size;      /* 0: there are no values */
    unsigned bits;
} gb_RowSort;

/* Sorts [begin, end) by column; stable. Uses the same range of the workspace. */
void gb_row_sort(const gb_RowSort *sort, uint64_t begin, uint64_t end);

#endif
