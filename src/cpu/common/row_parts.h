/* SPDX-License-Identifier: Apache-2.0
 *
 * Results whose rows are written part by part, before it is known where they will stand.
 *
 * T->p begins as a running sum of the most entries that each row can have, or of those that it has
 * where they were counted. That cuts the rows into parts of equal work and gives each part room: a
 * part writes its rows behind each other from its first place on, and sets their row pointers. What
 * the parts did not need is closed up in the end.
 */
#ifndef GB_CPU_COMMON_ROW_PARTS_H
#define GB_CPU_COMMON_ROW_PARTS_H

#include "core/status.h"
#include "core/view.h"

typedef struct {
    uint64_t from, to; /* rows */
    uint64_t first;    /* place of the first entry */
    uint64_t end;      /* behind the last one, once it is written */
} gb_RowPart;

typedef struct {
    int threads;
    uint64_t n;
    gb_RowPart *part; /* [n] */
} gb_RowParts;

/* T->p[r + 1] from a number of each row r to the running sum; returns the largest number. */
uint64_t gb_sum_rows(gb_Cs *T);
/* Parts for T->p, a running sum. */
gbl_Info gb_row_parts_make(gb_RowParts *parts, const gb_Cs *T, int nthreads);
/* The same parts for what T->p is now. */
void gb_row_parts_renew(gb_RowParts *parts, const gb_Cs *T);
void gb_row_parts_free(gb_RowParts *parts);

/* Arrays for the entries that T->p tells, one value where T is iso; T has none yet. */
gbl_Info gb_row_parts_alloc(gb_Cs *T, size_t xsize);
/* The parts were written: T has their rows, behind each other. */
void gb_row_parts_close(const gb_RowParts *parts, gb_Cs *T, size_t xsize);

#endif
