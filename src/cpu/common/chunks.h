/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting the rows of a product into chunks: what a thread takes at a time. Chunk c covers rows
 * [row[c], row[c + 1]) and has at most capacity[c] entries.
 */
#pragma once

#include "core/memory.h"
#include "kernel_api/backend.h"

typedef struct {
    uint64_t n;         /* number of chunks, at least 1 */
    uint64_t *row;      /* [n + 1] */
    uint64_t *capacity; /* [n] */
} gb_Chunks;

/* Arrays for n chunks. */
gbl_Info gb_chunks_new(gb_Chunks *chunks, uint64_t n);
/* Chunks of about equal products that begin at multiples of `rows`; the capacity is what products
 * allow. */
gbl_Info gb_chunks_by_flops(gb_Chunks *chunks, const gb_MxmArgs *g, unsigned rows);
/* Chunks of about equal entries of the mask, which are the capacity. */
gbl_Info gb_chunks_by_mask(gb_Chunks *chunks, const gb_MxmArgs *g);
void gb_chunks_free(gb_Chunks *chunks);

/* -- rows in parts of like work ------------------------------------------------------------- */

/* Results whose rows are written part by part, before it is known where they will stand.
 *
 * T->p begins as a running sum of the most entries that each row can have, or of those that it has
 * where they were counted. That cuts the rows into parts of equal work and gives each part room: a
 * part writes its rows behind each other from its first place on, and sets their row pointers. What
 * the parts did not need is closed up in the end. */

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

/* Entries [from, to) of a view. */
typedef struct {
    gb_Off from, to;
} gb_Stretch;

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
