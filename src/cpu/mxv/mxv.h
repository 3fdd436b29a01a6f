/* SPDX-License-Identifier: Apache-2.0
 *
 * What the matrix-vector products share, whatever the matrix is held as.
 *
 * One order of summation for all of them: an entry of w is the sum of its products from the left,
 * in the order of k, beginning with the first product (not with an identity, which would turn a sum
 * of nothing but -0 into 0). ANY keeps the product of the smallest k. So pull and push, of rows or
 * of tiles, by any number of threads, give the same bits. pull needs rows that are sorted for it; u
 * comes sorted.
 */
#ifndef GB_CPU_MXV_MXV_H
#define GB_CPU_MXV_MXV_H

#include "kernel_api/backend.h"
#include "core/cat.h"
#include "core/parallel.h"
#include "core/search.h"

/* Whether the vector is the left factor: a constant for most semirings, whose bodies are compiled
 * for the matrix on the left alone. */
#define GB_MXV_LEFT(g) (SR_SIDED && (g)->u_is_left)

/* c = matrix entry p (x) vector entry q at inner index k and position i of the result, in the order
 * of the factors: the vector is the left one when `left`, which must be in scope. op is SR_SET or
 * SR_FMA of semiring/entry.h. */
#define GB_MXV_PRODUCT(op, c, p, q, k, i)                                                          \
    do {                                                                                           \
        if (left)                                                                                  \
            op(c, SR_A(q), SR_B(p), (uint64_t)0, (uint64_t)(k), (uint64_t)(i));                    \
        else                                                                                       \
            op(c, SR_A(p), SR_B(q), (uint64_t)(i), (uint64_t)(k), (uint64_t)0);                    \
    } while (0)

/* Columns [from, to) of R', the positions of w that one thread of push sums. */
typedef struct {
    uint64_t from, to, n; /* of n */
} gb_ColumnRange;

/* One thread sums all of w. */
static inline bool gb_are_all(gb_ColumnRange columns) {
    return columns.to - columns.from == columns.n;
}

/* Those of thread t: no two threads share a block of a gb_BitSet. */
static inline gb_ColumnRange gb_columns_of(uint64_t n, int t, int threads) {
    const uint64_t first =
        gb_part(n, (uint64_t)t, (uint64_t)threads) & ~(uint64_t)(GB_BLOCK_SPAN - 1);
    const uint64_t next =
        gb_part(n, (uint64_t)t + 1, (uint64_t)threads) & ~(uint64_t)(GB_BLOCK_SPAN - 1);
    return (gb_ColumnRange){.from = first, .to = t + 1 == threads ? n : next, .n = n};
}

/* Whether w(j) may be computed. */
static inline bool gb_is_allowed(const gb_MxvArgs *g, uint64_t j) {
    return g->allowed == NULL || g->allowed[j] != g->refused;
}

typedef struct {
    gb_Off from, to;
} gb_RowSpan;

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

static inline bool gb_is_within(uint64_t j, gb_ColumnRange columns) {
    return j - columns.from < columns.to - columns.from;
}

/* How many products push has. */
static inline uint64_t gb_push_products(const gb_MxvArgs *g) {
    uint64_t n = 0;
    for (gb_Off q = 0; q < g->u_list.nvals; q++)
        n += g->A.p[g->u_list.i[q] + 1] - g->A.p[g->u_list.i[q]];
    return n;
}

#endif
