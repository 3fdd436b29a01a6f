/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver of the sparse-times-full product and its templates share.
 */
#pragma once

#include "kernel_api/backend.h"
#include "cpu/simd/lanes.h"

/* Registers that hold a part of a row of C at once; half of those that AVX2 has. */
enum { GB_SPMM_REGISTERS = 8 };

typedef struct {
    const gb_MxmArgs *g;
    uint64_t n;      /* values from one row of B to the next */
    const void *one; /* where B is iso or not read: registers full of its value, and one before */
    bool ahead;      /* B is beyond the second cache: its rows are prefetched */
} gb_Spmm;

/* Columns [first, first + width) of rows [from, to). */
typedef struct {
    uint64_t from, to;
    uint64_t first, width;
    bool ahead; /* rows of B are prefetched: there are GB_SPMM_AHEAD entries behind the last one */
} gb_SpmmPart;

/* Rows of A in lockstep: an addition waits for the one before it in its own row only. */
enum { GB_SPMM_FOUR = 4 };

/* start[n]: where the n-th row of [from, to) that has entries begins, which is where the one before
 * it ends; returns how many there are. Behind them come empty rows up to a multiple of four. */
static inline unsigned gb_spmm_starts(gb_Off *start, const gb_Off *p, uint64_t from, uint64_t to) {
    unsigned n = 0;
    for (uint64_t i = from; i < to; i++) {
        start[n] = p[i];
        n += p[i + 1] > p[i];
    }
    for (unsigned r = n; r <= n + GB_SPMM_FOUR - 1; r++) start[r] = p[to];
    return n;
}

/* A row of A, and what its entries read of B. */
typedef struct {
    const gb_Idx *i; /* of A */
    uint64_t stride; /* values from one row of B to the next; 0: B has one value */
    uint64_t width;  /* values from one row of C to the next */
    int64_t last;    /* where the last register of columns is, in values from the first */
    uint64_t reach;  /* all ones, or 0: no row of B is prefetched */
    gb_Off p, end;   /* entries of the row */
} gb_SpmmRow;

/* Entries [from, to) of rows that begin at start[0], start[1], ..., counted from there. */
typedef struct {
    const gb_Off *start;
    gb_Off from, to;
} gb_SpmmSteps;

/* Constants of a kernel. */
typedef struct {
    unsigned registers; /* of columns */
    bool first;         /* product of the row */
    unsigned rows;      /* in lockstep */
} gb_SpmmHow;

/* Rows of the part that have entries in A, one behind the other, to `out`. */
typedef struct gb_SpmmKernel {
    void (*rows)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part, void *out);
} gb_SpmmKernel;
