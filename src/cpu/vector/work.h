/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the method VECTOR, and what its parts share: vector.c cuts and orders
 * rows, block.c sums blocks of rows (HASH), row.c single rows (SPA), writes finished ones and
 * leaves out what the mask forbids. They are compiled once per set; only what touches values is
 * once per semiring too (vector.tmpl.h).
 *
 * Between rows flag[j] = 0. A position of values has no meaning until a product is the first of its
 * entry.
 */
#pragma once

#include "kernel_api/backend.h"
#include "core/memory.h"
#include "cpu/vector/veclayer.h"

/* Vectors of a step: lane l computes the product of entries p[l] of A and q[l] of B. */
typedef struct {
    uint64_t p[GB_VL_MOST], q[GB_VL_MOST], row[GB_VL_MOST];
    gb_Idx k[GB_VL_MOST], j[GB_VL_MOST];
    uint32_t slot[GB_VL_MOST]; /* of the entry of C in the accumulator */
    gb_VMask live, fresh; /* lanes with a product; those whose product is the first of its entry */
    uint32_t key[GB_VL_MOST];
    /* of a block: where lanes end, their products, and where their tables begin */
    uint64_t p_end[GB_VL_MOST], q_end[GB_VL_MOST], flops[GB_VL_MOST];
    uint32_t base[GB_VL_MOST];
} gb_VectorLanes;

/* Live lanes l < n: slot[l] of val gets or adds the product. */
typedef void (*gb_VectorAccumulate)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *val);

/* Where the rows of a chunk go: row i begins at p[i], and has count[i - from] entries so far. */
typedef struct {
    uint64_t from, to;
    gb_Off *p;
    uint64_t *count; /* [to - from] */
    gb_Idx *i;
    char *x;
} gb_VectorOut;

typedef struct {
    const gb_MxmArgs *g;
    gb_VectorAccumulate accumulate;
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    gb_VectorLanes *lanes;
    /* rows of the chunk: most - products above the number, and entries found */
    uint64_t *order, *order_tmp, *count; /* [rows] */
    uint64_t rows;
    /* SPA: any column at once */
    uint32_t *flag; /* [columns] 1: has a value */
    void *val;      /* [columns]; NULL until a row asks */
    /* blocks: keys of all lanes, values, and the slots that are used with their columns */
    uint32_t *table; /* [slots] the column, or GB_NO_KEY */
    void *table_val; /* [slots] */
    uint32_t *list;  /* [slots + 64] */
    gb_Idx *column;  /* [slots + 64] of the list */
    uint64_t slots;
    /* long rows: column << 32 | number; SPA: columns in the order in which they were found */
    uint64_t *key, *key_tmp; /* [keys] */
    uint32_t *number;        /* [keys + 16] */
    uint64_t keys;
    gb_Grown of_rows, of_dense, of_table, of_keys, of_lanes;
    uint64_t rows_dense, rows_hashed;
    size_t wanted; /* bytes that were requested in vain; 0: all is well */
} gb_VectorWork;

/* Entries that a row of f products may have. */
static inline uint64_t gb_vector_capacity(const gb_MxmArgs *g, uint64_t f) {
    return f < g->B.nminor ? f : g->B.nminor;
}

/* Each makes what rows of a kind need; false when memory is short, with w->wanted set. */
bool GB_ISA_NAME(gb_vector_reserve_dense)(gb_VectorWork *w);
bool GB_ISA_NAME(gb_vector_reserve_table)(gb_VectorWork *w, uint64_t slots);
bool GB_ISA_NAME(gb_vector_reserve_keys)(gb_VectorWork *w, uint64_t keys);

/* Lanes l < n, which are live, whose column v->j[l] the mask forbids in row v->row[l] are no longer
 * so. */
void GB_ISA_NAME(gb_vector_mask)(gb_VectorWork *w, unsigned n);

/* Row i by SPA. */
void GB_ISA_NAME(gb_vector_row)(gb_VectorWork *w, uint64_t i, const gb_VectorOut *out);
/* b rows, in decreasing order of products: order[l] is the number of row l in the chunk. */
void GB_ISA_NAME(gb_vector_block)(gb_VectorWork *w, const uint64_t *order, unsigned b,
                                  const gb_VectorOut *out);

/* Finished entries of a row: different columns, and where their values are. */
typedef struct {
    uint64_t row, n;
    const gb_Idx *column; /* [n] */
    const uint32_t *slot; /* [n] of val */
} gb_VectorEntries;
/* Appends the entries of n rows to these, in ascending columns unless any order will do. */
void GB_ISA_NAME(gb_vector_emit)(gb_VectorWork *w, const gb_VectorEntries *rows, unsigned n,
                                 const void *val, const gb_VectorOut *out);
