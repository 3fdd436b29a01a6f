/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver of the sparse-times-full product and its templates share.
 */
#ifndef GB_CPU_ISA_SPMMWORK_H
#define GB_CPU_ISA_SPMMWORK_H

#include <string.h>

#include "backend/backend.h"
#include "core/tune.h"
#include "cpu/isa/lanes.h"

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
    bool ahead; /* rows of B are asked for: there are GB_SPMM_AHEAD entries behind the last one */
} gb_SpmmPart;

/* One row of A, or two that are summed in lockstep, since an addition waits for the one before it
 * in its row only. */
typedef struct {
    const gb_Idx *i;         /* of A */
    uint64_t stride;         /* values from one row of B to the next; 0: B has one value */
    uint64_t width;          /* values from one row of C to the next */
    int64_t last;            /* where the last register of columns is, in values from the first */
    uint64_t reach;          /* all ones, or 0: no row of B is asked for */
    gb_Off p, end;           /* entries of the row */
    gb_Off p_next, end_next; /* of the next one */
} gb_SpmmRow;

/* Constants of a kernel. */
typedef struct {
    unsigned registers; /* of columns */
    bool first;         /* product of the row */
} gb_SpmmHow;

/* Rows of the part that have entries in A, one behind the other, to `out`. */
typedef void (*gb_SpmmRows)(const gb_Spmm *s, const gb_RingArgs *R, gb_SpmmPart part, void *out);

#endif
