/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the method VECTOR, and what its parts share: vector.c cuts and orders
 * rows, block.c sums blocks of rows (SPARS, HASH), row.c single rows (SPA), writes finished ones
 * and leaves out what the mask forbids, esc.c expands, sorts and compresses. They are compiled once
 * per set; only what touches values is once per semiring too (vector.tmpl.h, gb_VectorKernel).
 *
 * Between rows and blocks everything is clean: flag[j] = 0, and table[s] = 0 where blocks are
 * dense. A position of values has no meaning until a product is the first of its entry.
 */
#ifndef GB_CPU_VECTOR_WORK_H
#define GB_CPU_VECTOR_WORK_H

#include <string.h>

#include "kernel_api/backend.h"
#include "core/tune.h"
#include "cpu/common/grown.h"
#include "cpu/vector/veclayer.h"

/* Vectors of a step: lane l computes the product of entries p[l] of A and q[l] of B. */
typedef struct {
    uint64_t p[GB_VL_MOST], q[GB_VL_MOST], row[GB_VL_MOST];
    gb_Idx k[GB_VL_MOST], j[GB_VL_MOST];
    uint32_t slot[GB_VL_MOST]; /* of the entry of C in the accumulator */
    gb_VMask live, fresh; /* lanes with a product; those whose product is the first of its entry */
    double product[GB_VL_MOST];
    /* of a block: where lanes end, and where their slots and entries are */
    uint64_t p_end[GB_VL_MOST], q_end[GB_VL_MOST], flops[GB_VL_MOST];
    uint32_t base[GB_VL_MOST], list[GB_VL_MOST], cursor[GB_VL_MOST];
    uint32_t key[GB_VL_MOST], other[GB_VL_MOST], one[GB_VL_MOST];
} gb_VectorLanes;

/* What touches values. */
typedef struct {
    /* live lanes l < n: slot[l] of val gets or adds the product */
    void (*accumulate)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *val);
    /* to[l] = the product, of lanes l < n */
    void (*multiply)(const gb_RingArgs *R, const gb_VectorLanes *v, unsigned n, void *to);
    /* live lanes l < n: to[l] gets or joins prod[slot[l]] */
    void (*fold)(const gb_RingArgs *R, gb_VectorLanes *v, unsigned n, void *to, const void *prod);
} gb_VectorKernel;

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
    const gb_VectorKernel *kernel;
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    gb_VectorLanes *lanes;
    /* rows of the chunk: most - products above the number, and entries found */
    uint64_t *order, *order_tmp, *count; /* [rows] */
    uint64_t rows;
    /* SPA: any column at once */
    uint32_t *flag; /* [columns] 1: has a value */
    void *val;      /* [columns]; NULL until a row asks */
    /* blocks: keys or flags of all lanes, values, slots in the order in which they were filled */
    uint32_t *table; /* [slots]; dense: 1 where a value is; hashed: the column, or GB_NO_KEY */
    void *table_val; /* [slots] */
    uint32_t *list;  /* [slots + 64] */
    gb_Idx *column;  /* [slots + 64] of the list */
    uint64_t slots;
    /* long rows and ESC: column or row << 32 | column; number of the product */
    uint64_t *key, *key_tmp;       /* [keys] */
    uint32_t *number, *number_tmp; /* [keys + 16] */
    uint64_t keys;
    void *prod;       /* [products] of ESC */
    uint32_t *bucket; /* [GB_VL_MOST << GB_VECTOR_DIGIT] */
    gb_Grown of_rows, of_dense, of_table, of_keys, of_products, of_buckets, of_lanes;
    uint64_t rows_dense, rows_hashed, rows_sorted;
    size_t wanted; /* bytes that were requested in vain; 0: all is well */
} gb_VectorWork;

/* Products of row i that are computed: none where the mask leaves nothing. */
static inline uint64_t gb_vector_flops(const gb_MxmArgs *g, uint64_t i) {
    const uint64_t f = g->flops[i + 1] - g->flops[i];
    if (g->mask_kind == GB_MASK_INSIDE && g->M.p[i + 1] == g->M.p[i]) return 0;
    return f;
}

/* What the products of entry p of A have in common, to all lanes that a vector of them has; returns
 * where they end in B. */
static inline gb_Off gb_vector_entry(const gb_MxmArgs *g, gb_VectorLanes *v, gb_Off p) {
    const gb_Idx k = g->A.i[p];
    const unsigned longest = gb_v_lanes(g->B.p[k], g->B.p[k + 1]);
    gb_v_set(v->k, k, longest);
    gb_v_set_wide(v->p, p, longest);
    return g->B.p[k + 1];
}

/* Entries that a row of f products may have. */
static inline uint64_t gb_vector_capacity(const gb_MxmArgs *g, uint64_t f) {
    return f < g->B.nminor ? f : g->B.nminor;
}

/* How many of b rows get dense arrays together, of so many slots: fewer before a range of columns
 * is shorter than pays for traversing the products once more. */
static inline unsigned gb_vector_dense_rows(uint64_t slots, uint64_t columns, unsigned b) {
    const uint64_t least = columns < GB_VECTOR_RANGE ? columns : GB_VECTOR_RANGE;
    while (b > 1 && slots / b < least) b--;
    return b;
}

/* Each makes what rows of a kind need; false when memory is short, with w->wanted set. */
bool GB_ISA_NAME(gb_vector_reserve_dense)(gb_VectorWork *w);
bool GB_ISA_NAME(gb_vector_reserve_table)(gb_VectorWork *w, uint64_t slots);
bool GB_ISA_NAME(gb_vector_reserve_keys)(gb_VectorWork *w, uint64_t keys);
bool GB_ISA_NAME(gb_vector_reserve_products)(gb_VectorWork *w, uint64_t products);

/* Lanes l < n whose column v->j[l] the mask forbids in row v->row[l] are no longer live. */
void GB_ISA_NAME(gb_vector_mask)(gb_VectorWork *w, unsigned n);

/* Row i by SPA. */
void GB_ISA_NAME(gb_vector_row)(gb_VectorWork *w, uint64_t i, const gb_VectorOut *out);
/* b rows, in decreasing order of products: order[l] is the number of row l in the chunk. */
void GB_ISA_NAME(gb_vector_block)(gb_VectorWork *w, const uint64_t *order, unsigned b,
                                  const gb_VectorOut *out);
/* All rows of the chunk by ESC. */
void GB_ISA_NAME(gb_vector_esc)(gb_VectorWork *w, const gb_VectorOut *out);

/* Writing finished entries of one or of several rows. */
typedef struct {
    uint64_t row, n;      /* entries of the row that are new */
    const gb_Idx *column; /* [n] */
    const uint32_t *slot; /* [n] of val */
} gb_VectorEntries;
/* Appends n entries to their rows, in ascending columns unless any order will do. */
void GB_ISA_NAME(gb_vector_emit)(gb_VectorWork *w, const gb_VectorEntries *rows, unsigned n,
                                 const void *val, const gb_VectorOut *out);

#endif
