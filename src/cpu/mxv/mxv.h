/* SPDX-License-Identifier: Apache-2.0
 *
 * What the matrix-vector products share: pull (pull.tmpl.h), push (push.tmpl.h) and pull by SELL
 * slices (sell.tmpl.h).
 *
 * One order of summation for all of them: an entry of w is the sum of its products from the left,
 * in the order of k, beginning with the first product (not with an identity, which would turn a sum
 * of nothing but -0 into 0). ANY keeps the product of the smallest k. So pull and push, by any
 * number of threads, give the same bits.
 *
 * Compiled once and not per instruction set: they wait for single values from anywhere. For
 * AVX-512, with gathers, products of nine semirings (er:16:16, rmat:14:16, band:20000:20, one
 * thread of a Zen 5) took 1.09 (full vectors), 1.00 (gaps) and 0.98 (push) of the time in the
 * geometric mean.
 */
#pragma once

#include "core/arrays.h"
#include "core/cat.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"

/* A body for this semiring, whether the vector is the left factor being a constant: for most it
 * never is, and bodies are compiled for the matrix on the left alone. */
#define GB_MXV_SIDED(body, ...)                                                                    \
    (SR_SIDED && g->ring.u_is_left ? NAME(body)(g, R, true, __VA_ARGS__)                           \
                                   : NAME(body)(g, R, false, __VA_ARGS__))

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

/* Rows, or entries of a row, [from, to). */
typedef struct {
    uint64_t from, to;
} gb_RowSpan;

/* The pull by SELL slices (sell.c). */
gbl_Info gb_mxv_pull_sell(const gb_PullArgs *g, gb_Dense *w);

/* -- what pull.tmpl.h works on ----------------------------------------------------------------- */

/* How u says which entries it has. */
typedef enum {
    GB_PULL_BYTES, /* u.b, or NULL */
    GB_PULL_BITS   /* g->bits, or NULL */
} gb_PullForm;

GB_OP bool gb_has_entry(const gb_PullArgs *g, const gb_PullForm form, uint64_t k) {
    if (form == GB_PULL_BITS) return g->bits == NULL || gb_bit(g->bits, k);
    return g->u.b == NULL || g->u.b[k];
}

/* Bit r: row base + r, which is below `end`, may be computed. */
static inline uint64_t gb_open_rows(const gb_MxvSink *to, uint64_t base, uint64_t end) {
    const uint64_t rows = end - base < 64 ? end - base : 64;
    const uint64_t all = UINT64_MAX >> (64 - rows);
    uint64_t open = 0;
    if (to->allowed == NULL) return all;
    if (rows == 64)
        open = gb_nonzero_bytes((const uint8_t *)to->allowed + base);
    else
        for (uint64_t r = 0; r < rows; r++) open |= (uint64_t)(to->allowed[base + r] != 0) << r;
    return to->refused ? ~open & all : open;
}

/* The first entries of open rows from base on. Always inlined, as gb_prefetch_rows. */
GB_OP void gb_prefetch_open(const gb_CsView *A, uint64_t base, uint64_t open) {
    for (; open != 0; open &= open - 1)
        __builtin_prefetch(A->i + A->p[base + (uint64_t)__builtin_ctzll(open)]);
}

/* -- rows of a window by their lengths. A loop over the entries of a short row ends with a branch
 * that nobody predicts where lengths vary, which takes as long as the row; one over rows of equal
 * length ends as the one before it did. */

enum { GB_ROW_CLASSES = GB_MXV_SHORT + 2, GB_ROW_STRANDS = 4 };

/* row[start[c]] to row[start[c + 1] - 1] have c entries each; those of the last class more than
 * GB_MXV_SHORT. */
typedef struct {
    uint16_t start[GB_ROW_CLASSES + 1];
    uint8_t row[GB_ROW_WINDOW];
} gb_RowClasses;

/* The n <= GB_ROW_WINDOW rows with pointers p[0] to p[n]; false, and nothing is sorted, where
 * lengths are mostly those of the row before. The window is counted in strands, every fourth row
 * each, since a count has to wait for the one before it. */
__attribute__((noinline, unused)) static bool gb_class_rows(gb_RowClasses *to,
                                                            const gb_Off *restrict p, unsigned n) {
    uint8_t length[GB_ROW_WINDOW];
    unsigned changes = 0;
    uint16_t at[GB_ROW_STRANDS][GB_ROW_CLASSES] = {{0}};
    for (unsigned r = 0; r < n; r++) {
        const gb_Off entries = p[r + 1] - p[r];
        length[r] = (uint8_t)(entries <= GB_MXV_SHORT ? entries : GB_MXV_SHORT + 1);
    }
    for (unsigned r = 1; r < n; r++) changes += length[r] != length[r - 1];
    if (changes * GB_ROW_CHANGES < n) return false;
    for (unsigned r = 0; r < n; r++) at[r % GB_ROW_STRANDS][length[r]]++;
    uint16_t next = 0;
    for (unsigned c = 0; c < GB_ROW_CLASSES; c++) {
        to->start[c] = next;
        for (unsigned s = 0; s < GB_ROW_STRANDS; s++) {
            const uint16_t count = at[s][c];
            at[s][c] = next;
            next = (uint16_t)(next + count);
        }
    }
    to->start[GB_ROW_CLASSES] = next;
    for (unsigned r = 0; r < n; r++) to->row[at[r % GB_ROW_STRANDS][length[r]]++] = (uint8_t)r;
    return true;
}

/* The function of one semiring. */
typedef struct gb_PullKernel {
    uint64_t (*pull)(const gb_PullArgs *g, const gb_RingArgs *R, gb_RowSpan rows, const gb_Dense *w,
                     gb_Cs *out);
} gb_PullKernel;

/* -- what push.tmpl.h works on ----------------------------------------------------------------- */

/* -- columns of a thread */

/* Columns [from, to) of n. */
typedef struct {
    uint64_t from, to, n;
    bool all; /* one thread sums all of w */
} gb_ColumnRange;

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
