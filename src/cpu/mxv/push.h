/* SPDX-License-Identifier: Apache-2.0
 *
 * What push.tmpl.h works on: the columns of a thread, and the sinks that products go to.
 */
#ifndef GB_CPU_MXV_PUSH_H
#define GB_CPU_MXV_PUSH_H

#include "core/tune.h"
#include "cpu/mxv/mxv.h"

/* -- columns of a thread */

/* Columns [from, to) of n. */
typedef struct {
    uint64_t from, to, n;
    bool all; /* one thread sums all of w */
} gb_ColumnRange;

/* Those of thread t: no two threads share a block of a gb_BitSet. */
static inline gb_ColumnRange gb_thread_columns(uint64_t n, int t, int threads) {
    const uint64_t first =
        gb_part(n, (uint64_t)t, (uint64_t)threads) & ~(uint64_t)(GB_BLOCK_SPAN - 1);
    const uint64_t next =
        gb_part(n, (uint64_t)t + 1, (uint64_t)threads) & ~(uint64_t)(GB_BLOCK_SPAN - 1);
    const uint64_t to = t + 1 == threads ? n : next;
    return (gb_ColumnRange){.from = first, .to = to, .n = n, .all = to - first == n};
}

static inline bool gb_is_within(uint64_t j, gb_ColumnRange columns) {
    return j - columns.from < columns.to - columns.from;
}

/* The entries of row k within the columns; where these are not all, the row must be sorted. */
static inline gb_RowSpan gb_row_within(const gb_CsView *A, uint64_t k, gb_ColumnRange columns) {
    gb_RowSpan row = {A->p[k], A->p[k + 1]};
    if (columns.from > 0) row.from = gb_first_at_least(A->i, row.from, row.to, columns.from);
    if (columns.to < columns.n) row.to = gb_first_at_least(A->i, row.from, row.to, columns.to);
    return row;
}

/* The entries of a row within the columns, one after the other until one is outside; no two of a
 * row are of one position, so their order does not matter. */
typedef struct {
    gb_Off at, left; /* the next one, and how many there are at most */
    int step;
} gb_RowWalk;

/* Threads of the first and the last columns begin at their ends of a row and search for nothing. */
static inline gb_RowWalk gb_walk_row(const gb_CsView *A, uint64_t k, gb_ColumnRange columns) {
    gb_Off from = A->p[k];
    const gb_Off to = A->p[k + 1];
    if (columns.from == 0) return (gb_RowWalk){from, to - from, 1};
    if (columns.to == columns.n) return (gb_RowWalk){to - 1, to - from, -1};
    from = gb_first_at_least(A->i, from, to, columns.from);
    return (gb_RowWalk){from, to - from, 1};
}

/* Where the walk of row k begins, or near it. */
static inline gb_Off gb_walk_begin(const gb_CsView *A, uint64_t k, gb_ColumnRange columns) {
    const bool last = columns.from > 0 && columns.to == columns.n;
    return last && A->p[k + 1] > A->p[k] ? A->p[k + 1] - 1 : A->p[k];
}

/* -- sinks of products */

typedef enum {
    GB_SINK_SET,
    GB_SINK_CROWDED, /* many products a position, see GB_PUSH_CROWDED: without branches */
    GB_SINK_IMPROVE, /* the set, of a minimum or maximum, without what is not better than `best` */
    GB_SINK_BATCH,   /* the set, of ANY under a mask, of short rows: filtered by batches */
    GB_SINK_LIST     /* keys and values by number */
} gb_PushSink;

/* Where the products of a thread go. */
typedef struct {
    const gb_Idx *Ai, *ui;
    gb_BitSet set;
    void *val; /* sums by position; of a list products by number */
    const int8_t *allowed;
    int8_t refused;
    bool shared; /* other threads add to the set too */
    const void *best;
    const int8_t *best_b;
    uint64_t *key; /* of a list: position << 32 | number */
} gb_PushState;

/* A thread's products by number: position << 32 | number, and values. */
typedef struct {
    uint64_t *key;
    char *val;
} gb_ProductList;

/* Of a sum of any type: integers are numbers, which compilers know. */
static inline bool gb_is_number(double x) {
    return x == x;
}

/* Entry p of A and entry q of u, which has no more of them than positions. */
typedef struct {
    gb_Off p;
    gb_Idx q;
} gb_PushProduct;

/* Where a filter of products is: at entry q of u, of whose row `row` is left, once it is known. */
typedef struct {
    gb_Off q;
    gb_RowSpan row;
    bool in_row;
} gb_PushPlace;

/* Of up to GB_PUSH_STEP entries from p on, of `left`, of the row of entry q of u: those at
 * positions that may be computed go to `out`; how many. Whether one may be is a branch that nobody
 * predicts, and so is where a short row ends: the last entry stands for those behind it, and what
 * does not count is written over. */
GB_OP unsigned gb_open_products(const gb_PushArgs *g, gb_Off p, gb_Off left, gb_Off q,
                                gb_PushProduct *out) {
    const gb_Idx *i = g->A.i + p;
    const int8_t *allowed = g->to.allowed;
    const int8_t refused = g->to.refused;
    unsigned n = 0;
    for (unsigned s = 0; s < GB_PUSH_STEP; s++) {
        const gb_Off at = s < left ? s : left - 1;
        out[n].p = p + at;
        out[n].q = (gb_Idx)q;
        n += (s < left) & (allowed[i[at]] != refused);
    }
    return n;
}

/* The next products at positions that may be computed; 0: there are no more. */
__attribute__((unused)) static unsigned gb_next_products(const gb_PushArgs *g,
                                                         gb_ColumnRange columns,
                                                         gb_PushPlace *place, gb_PushProduct *out) {
    const gb_CsView A = g->A, u = g->u;
    gb_PushPlace at = *place;
    unsigned n = 0;
    for (; at.q < u.nvals; at.q++, at.in_row = false) {
        if (!at.in_row) {
            if (at.q + 16 < u.nvals) __builtin_prefetch(&A.p[u.i[at.q + 16]]);
            if (at.q + 4 < u.nvals) __builtin_prefetch(&A.i[A.p[u.i[at.q + 4]]]);
            at.row = gb_row_within(&A, u.i[at.q], columns);
            at.in_row = true;
        }
        for (; at.row.from < at.row.to; at.row.from += GB_PUSH_STEP) {
            const gb_Off left = at.row.to - at.row.from;
            if (n > GB_PUSH_BATCH - GB_PUSH_STEP) {
                *place = at;
                return n;
            }
            n += left < GB_PUSH_STEP
                     ? gb_open_products(g, at.row.from, left, at.q, out + n)
                     : gb_open_products(g, at.row.from, GB_PUSH_STEP, at.q, out + n);
        }
    }
    *place = at;
    return n;
}

/* The functions of one semiring. */
typedef struct gb_PushKernel {
    uint64_t (*push)(const gb_PushArgs *g, const gb_RingArgs *R, gb_ColumnRange columns,
                     const gb_ProductList *list);
    uint64_t (*compress)(const gb_RingArgs *R, uint64_t n, uint64_t *key, const void *val,
                         void *sum);
} gb_PushKernel;

#endif
