/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix times vector for one semiring. Included once per entry of semiring/foreach.h. Every w(i)
 * is summed in the order of mxv.h.
 *
 * pull: w(i) = A(i,:) . u; rows that may not be written are skipped, and a row ends when its sum
 * can no longer change. Reads at most all of A; no conflict between threads. u is dense, or a list
 * that has far fewer entries than positions. push: w = sum of u(k) * A(k,:) for the entries of a
 * list u, scattered into values for which a set knows which are there, so that neither is ever
 * cleared or passed over as a whole. Threads share out the columns, not u, so every w(j) is summed
 * by one thread and needs no atomics. pull_blocks: the pull under a mask, 64 rows at a time, of
 * which those that may not be computed cost nothing; u's pattern is bits. pull_listed: the same of
 * few rows, which are a list.
 *
 * The vector is the right factor, or where that is not the same the left one; `left` picks which of
 * R's A and B it is.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

/* ORDERS: the monoid is a minimum or a maximum of numbers. The preprocessor adds too: those of 0
 * and 1 depend on no order, and that of 1 and 1 is 1. */
#define ORDERS 0
#if !defined(SR_GENERIC) && !SR_TRUTH
#if SR_ADD(0, 1) == SR_ADD(1, 0) && SR_ADD(1, 1) == 1
#undef ORDERS
#define ORDERS 1
#endif
#endif

#ifdef SR_GENERIC
#define SUM(name, slot) SR_T *name = (slot)
#define KEEP(slot, name)
/* A later product is not looked at: ANY of the generic entry would take it. */
#define SETTLED(c) SR_DONE(c)
#define IS_CROWDED(g, n) false
#else
/* A sum in a register, stored once: the slot could overlap the inputs for all the compiler knows.
 */
#define SUM(name, slot)                                                                            \
    SR_T name##_value = SR_ZERO;                                                                   \
    SR_T *name = &name##_value
#define KEEP(slot, name) SR_COPY(slot, name)
#define SETTLED(c) 0
#define IS_CROWDED(g, n) ((g)->work >= (n) / GB_PUSH_CROWDED)

/* A row times a full vector: entries [p, end) are still to be added to the sum. */
typedef struct {
    gb_Off p, end;
    uint64_t i;
    SR_T sum;
} NAME(Row);

/* Always inlined, as gb_prefetch_rows. */
GB_OP void NAME(fetch)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left, gb_Off p) {
    __builtin_prefetch(g->A.i + p + GB_MXV_AHEAD);
    if (left && SR_USES_B) __builtin_prefetch(SR_B(p + GB_MXV_AHEAD));
    if (!left && SR_USES_A) __builtin_prefetch(SR_A(p + GB_MXV_AHEAD));
    (void)R, (void)left;
}

/* Two rows in lockstep until one of them is done: an addition waits for the one before it in its
 * row only. */
static inline void NAME(both)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                              NAME(Row) * a, NAME(Row) * b) {
    const gb_Idx *restrict Ai = g->A.i;
    SR_T a_sum = a->sum, b_sum = b->sum;
    gb_Off p = a->p, q = b->p;
    while (p < a->end && q < b->end && !SR_DONE(&a_sum) && !SR_DONE(&b_sum)) {
        gb_Off steps = a->end - p < b->end - q ? a->end - p : b->end - q;
        if (steps > GB_MXV_STEPS) steps = GB_MXV_STEPS;
        NAME(fetch)(g, R, left, p);
        NAME(fetch)(g, R, left, q);
        for (gb_Off s = 0; s < steps; s++) {
            GB_MXV_PRODUCT(SR_FMA, &a_sum, p + s, Ai[p + s], Ai[p + s], a->i);
            GB_MXV_PRODUCT(SR_FMA, &b_sum, q + s, Ai[q + s], Ai[q + s], b->i);
        }
        p += steps;
        q += steps;
    }
    a->p = p;
    b->p = q;
    a->sum = a_sum;
    b->sum = b_sum;
    (void)R, (void)Ai;
}

/* The rest of a row, alone. */
static inline void NAME(finish)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                NAME(Row) row, void *x) {
    const gb_Idx *restrict Ai = g->A.i;
    SR_T c = row.sum;
    NAME(fetch)(g, R, left, row.p);
    for (gb_Off p = row.p; p < row.end && !SR_DONE(&c); p++)
        GB_MXV_PRODUCT(SR_FMA, &c, p, Ai[p], Ai[p], row.i);
    SR_COPY(SR_AT(x, row.i), &c);
    (void)R, (void)Ai;
}

/* Row i of `entries` entries, at least 1 and at most GB_MXV_SHORT. */
static inline void NAME(alone)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                               uint64_t i, gb_Off entries, void *x) {
    const gb_Idx *restrict Ai = g->A.i;
    const gb_Off first = g->A.p[i];
    SR_T c;
    NAME(fetch)(g, R, left, first);
    GB_MXV_PRODUCT(SR_SET, &c, first, Ai[first], Ai[first], i);
    for (gb_Off p = first + 1; p < first + entries && !SR_DONE(&c); p++)
        GB_MXV_PRODUCT(SR_FMA, &c, p, Ai[p], Ai[p], i);
    SR_COPY(SR_AT(x, i), &c);
    (void)R, (void)Ai;
}

/* Long rows go in pairs: what is left of the longer one waits for the next long row, unless it is
 * short by now. */
typedef struct {
    NAME(Row) row;
    bool waits;
} NAME(Waiting);

/* A row of more than GB_MXV_SHORT entries. Never inlined: short rows have the registers. */
__attribute__((noinline, unused)) static void NAME(pair)(const gb_MxvArgs *g, const gb_RingArgs *R,
                                                         const bool left, uint64_t i,
                                                         NAME(Waiting) * waiting, void *x) {
    NAME(Row) row = {.p = g->A.p[i], .end = g->A.p[i + 1], .i = i};
    GB_MXV_PRODUCT(SR_SET, &row.sum, row.p, g->A.i[row.p], g->A.i[row.p], i);
    row.p++;
    if (!SR_DONE(&row.sum) && waiting->waits) {
        NAME(both)(g, R, left, &waiting->row, &row);
        if (row.end - row.p < waiting->row.end - waiting->row.p) {
            const NAME(Row) shorter = row;
            row = waiting->row;
            waiting->row = shorter;
        }
        NAME(finish)(g, R, left, waiting->row, x);
        waiting->waits = false;
    }
    if (row.end - row.p >= GB_MXV_SHORT && !SR_DONE(&row.sum)) {
        waiting->row = row;
        waiting->waits = true;
    } else {
        NAME(finish)(g, R, left, row, x);
    }
    (void)R;
}

/* A window of rows as they come. Returns how many have entries. */
static inline uint64_t NAME(in_order)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                      uint64_t base, unsigned n, NAME(Waiting) * waiting,
                                      const gb_Dense *w) {
    uint64_t total = n;
    memset(w->b + base, 1, n);
    for (uint64_t i = base; i < base + n; i++) {
        const gb_Off entries = g->A.p[i + 1] - g->A.p[i];
        if (entries > GB_MXV_SHORT)
            NAME(pair)(g, R, left, i, waiting, w->x);
        else if (entries > 0)
            NAME(alone)(g, R, left, i, entries, w->x);
        else {
            SR_CLEAR(SR_AT(w->x, i));
            w->b[i] = 0;
            total--;
        }
    }
    return total;
}

/* A window of rows by their lengths. */
static inline uint64_t NAME(by_length)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t base, const gb_RowClasses *rows,
                                       NAME(Waiting) * waiting, const gb_Dense *w) {
    const unsigned n = rows->start[GB_ROW_CLASSES];
    void *x = w->x;
    memset(w->b + base, 1, n);
    for (unsigned r = 0; r < rows->start[1]; r++) {
        w->b[base + rows->row[r]] = 0;
        SR_CLEAR(SR_AT(x, base + rows->row[r]));
    }
    for (gb_Off entries = 1; entries <= GB_MXV_SHORT; entries++)
        for (unsigned r = rows->start[entries]; r < rows->start[entries + 1]; r++)
            NAME(alone)(g, R, left, base + rows->row[r], entries, x);
    for (unsigned r = rows->start[GB_MXV_SHORT + 1]; r < n; r++)
        NAME(pair)(g, R, left, base + rows->row[r], waiting, x);
    return n - rows->start[1];
}

/* There is no mask. The arguments are copied: for all the compiler knows, the bytes of w could be
 * theirs. */
static inline uint64_t NAME(pull_full)(const gb_MxvArgs *args, const gb_RingArgs *ring,
                                       const bool left, uint64_t from, uint64_t to, gb_Dense *w) {
    const gb_MxvArgs copy = *args, *g = &copy;
    const gb_RingArgs own = *ring, *R = &own;
    const gb_Dense out = *w;
    NAME(Waiting) waiting = {.waits = false};
    uint64_t total = 0, trusted = from; /* rows before that one are taken to be alike */
    for (uint64_t base = from; base < to; base += GB_ROW_WINDOW) {
        const unsigned n = to - base < GB_ROW_WINDOW ? (unsigned)(to - base) : GB_ROW_WINDOW;
        gb_RowClasses rows;
        if (base >= trusted && gb_class_rows(&rows, g->A.p + base, n)) {
            total += NAME(by_length)(g, R, left, base, &rows, &waiting, &out);
            continue;
        }
        if (base >= trusted) trusted = base + GB_ROW_TRUST * GB_ROW_WINDOW;
        total += NAME(in_order)(g, R, left, base, n, &waiting, &out);
    }
    if (waiting.waits) NAME(finish)(g, R, left, waiting.row, w->x);
    (void)R;
    return total;
}
#endif

/* u dense, with gaps. */
static inline uint64_t NAME(pull_rows)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t from, uint64_t to, gb_Dense *w) {
    const gb_Off *restrict Ap = g->A.p;
    const gb_Idx *restrict Ai = g->A.i;
    const int8_t *restrict b = g->u_dense.b;
    uint64_t total = 0;
    for (uint64_t i = from; i < to; i++) {
        SUM(c, SR_AT(w->x, i));
        bool found = false;
        const gb_Off end = gb_is_allowed(g, i) ? Ap[i + 1] : Ap[i];
        for (gb_Off p = Ap[i]; p < end; p++) {
            const uint64_t k = Ai[p];
            if (b != NULL && !b[k]) continue;
            if (found)
                GB_MXV_PRODUCT(SR_FMA, c, p, k, k, i);
            else
                GB_MXV_PRODUCT(SR_SET, c, p, k, k, i);
            found = true;
            if (SR_DONE(c)) break;
        }
        if (!found) SR_CLEAR(c);
        KEEP(SR_AT(w->x, i), c);
        w->b[i] = found;
        total += found;
    }
    (void)R;
    return total;
}

/* u a list: the shorter of the row and the list jumps ahead in the other. */
static inline uint64_t NAME(pull_rows_list)(const gb_MxvArgs *g, const gb_RingArgs *R,
                                            const bool left, uint64_t from, uint64_t to,
                                            gb_Dense *w) {
    const gb_Idx *restrict Ai = g->A.i, *restrict ui = g->u_list.i;
    const gb_Off n = g->u_list.nvals;
    uint64_t total = 0;
    for (uint64_t i = from; i < to; i++) {
        SUM(c, SR_AT(w->x, i));
        bool found = false;
        gb_Off p = g->A.p[i], q = 0;
        const gb_Off end = gb_is_allowed(g, i) ? g->A.p[i + 1] : p;
        while (p < end && q < n) {
            if (Ai[p] < ui[q]) {
                p = gb_first_at_least(Ai, p + 1, end, ui[q]);
            } else if (Ai[p] > ui[q]) {
                q = gb_first_at_least(ui, q + 1, n, Ai[p]);
            } else {
                if (found)
                    GB_MXV_PRODUCT(SR_FMA, c, p, q, Ai[p], i);
                else
                    GB_MXV_PRODUCT(SR_SET, c, p, q, Ai[p], i);
                found = true;
                if (SR_DONE(c)) break;
                p++;
                q++;
            }
        }
        if (!found) SR_CLEAR(c);
        KEEP(SR_AT(w->x, i), c);
        w->b[i] = found;
        total += found;
    }
    (void)R;
    return total;
}

#include "cpu/mxv/mxv_masked.tmpl.h"

#undef SUM
#undef KEEP

static gb_Off NAME(pull_listed)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ListedRows which,
                                gb_Cs *out) {
    return GB_MXV_LEFT(g) ? NAME(pull_few)(g, R, true, which, out)
                          : NAME(pull_few)(g, R, false, which, out);
}

static uint64_t NAME(pull_blocks)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from,
                                  uint64_t to) {
    return GB_MXV_LEFT(g) ? NAME(pull_open)(g, R, true, from, to)
                          : NAME(pull_open)(g, R, false, from, to);
}

static uint64_t NAME(pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                           gb_Dense *w) {
#ifndef SR_GENERIC
    if (g->u_dense.b == NULL)
        return GB_MXV_LEFT(g) ? NAME(pull_full)(g, R, true, from, to, w)
                              : NAME(pull_full)(g, R, false, from, to, w);
#endif
    return GB_MXV_LEFT(g) ? NAME(pull_rows)(g, R, true, from, to, w)
                          : NAME(pull_rows)(g, R, false, from, to, w);
}

static uint64_t NAME(pull_list)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from,
                                uint64_t to, gb_Dense *w) {
    return GB_MXV_LEFT(g) ? NAME(pull_rows_list)(g, R, true, from, to, w)
                          : NAME(pull_rows_list)(g, R, false, from, to, w);
}

#ifndef SR_GENERIC
/* What becomes of a sum: the product, or where there is a sum, both. Which one is a branch that
 * nobody predicts, and compilers make one of a condition. Where there is none, *c is nobody's value
 * and the product stands for it: nothing is computed with what was never written. */
static inline void NAME(settle)(SR_T *c, SR_T product, bool known) {
    if (sizeof(SR_T) == 8 || sizeof(SR_T) == 4) {
        const uint64_t both = 0 - (uint64_t)known;
        uint64_t before = 0, bits = 0, of_sum = 0;
        SR_T old;
        memcpy(&before, c, sizeof *c);
        memcpy(&bits, &product, sizeof product);
        before = (before & both) | (bits & ~both);
        memcpy(&old, &before, sizeof old);
        const SR_T sum = SR_ADD(old, product);
        memcpy(&of_sum, &sum, sizeof sum);
        bits ^= (bits ^ of_sum) & both;
        memcpy(c, &bits, sizeof *c);
        (void)old;
    } else {
        *c = known ? SR_ADD(*c, product) : product;
    }
}
#endif

/* The value of the matrix at p will be wanted. Always inlined, as gb_prefetch_rows. */
GB_OP void NAME(ask_value)(const gb_RingArgs *R, const bool left, gb_Off p) {
    if (left && SR_USES_B) __builtin_prefetch(SR_B(p));
    if (!left && SR_USES_A) __builtin_prefetch(SR_A(p));
    (void)R, (void)left, (void)p;
}

/* Entry p of the matrix and q of u join their sum; 1 where it is the first there. crowded: see
 * GB_PUSH_CROWDED. Always inlined, as the body of loops. */
GB_OP uint64_t NAME(push_product)(const gb_PushSums *sums, const gb_RingArgs *R, const bool left,
                                  const bool crowded, gb_Off p, gb_Off q) {
    const uint64_t j = sums->Ai[p], k = sums->ui[q];
    if (sums->allowed != NULL && sums->allowed[j] == sums->refused) return 0;
    SR_T *c = SR_AT(sums->val, j);
    const uint64_t word = sums->set.words[j / 64], bit = (uint64_t)1 << (j % 64);
    const bool known = (word & bit) != 0;
    if (known & !crowded) {
        if (!SETTLED(c)) GB_MXV_PRODUCT(SR_FMA, c, p, q, k, j);
        return 0;
    }
    if (word == 0) gb_bitset_touch(&sums->set, j / 64, sums->shared);
    sums->set.words[j / 64] = word | bit;
    (void)k, (void)R;
#ifndef SR_GENERIC
    if (crowded) {
        SR_T product;
        GB_MXV_PRODUCT(SR_SET, &product, p, q, k, j);
        NAME(settle)(c, product, known);
        return !known;
    }
#endif
    GB_MXV_PRODUCT(SR_SET, c, p, q, k, j);
    return 1;
}

/* The columns of the sum: members of the set, and values. Returns how many there are. What is read
 * again and again is in variables: for all the compiler knows, a sum could be where g has it. */
GB_OP uint64_t NAME(push_columns)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                  const bool crowded, gb_ColumnRange columns) {
    const gb_CsView A = g->A, u = g->u_list;
    const bool all = gb_are_all(columns);
    const gb_PushSums sums = {A.i, u.i, g->found, g->val, g->allowed, g->refused, !all};
    uint64_t total = 0;
    for (gb_Off q = 0; q < u.nvals; q++) {
        const uint64_t k = u.i[q];
        if (q + 2 * GB_PREFETCH < u.nvals) __builtin_prefetch(&A.p[u.i[q + 2 * GB_PREFETCH]]);
        if (q + GB_PREFETCH < u.nvals) {
            const gb_Off soon = gb_walk_begin(&A, u.i[q + GB_PREFETCH], columns);
            __builtin_prefetch(&A.i[soon]);
            NAME(ask_value)(R, left, soon);
        }
        if (all) {
            const gb_Off end = A.p[k + 1];
            for (gb_Off p = A.p[k]; p < end; p++)
                total += NAME(push_product)(&sums, R, left, crowded, p, q);
            continue;
        }
        for (gb_RowWalk w = gb_walk_row(&A, k, columns); w.left > 0; w.left--, w.at += w.step) {
            if (!gb_is_within(A.i[w.at], columns)) break;
            total += NAME(push_product)(&sums, R, left, crowded, w.at, q);
        }
    }
    return total;
}

#if ORDERS
/* The same without the products that do not improve on the best values so far. NaN improves on
 * nothing, and every number on it. */
static inline uint64_t NAME(push_better)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                         gb_ColumnRange columns) {
    const gb_Idx *restrict Ai = g->A.i;
    const gb_BitSet set = g->found;
    const bool shared = !gb_are_all(columns);
    uint64_t total = 0;
    for (gb_Off q = 0; q < g->u_list.nvals; q++) {
        const uint64_t k = g->u_list.i[q];
        if (q + 16 < g->u_list.nvals) __builtin_prefetch(&g->A.p[g->u_list.i[q + 16]]);
        if (q + 4 < g->u_list.nvals) __builtin_prefetch(&Ai[g->A.p[g->u_list.i[q + 4]]]);
        const gb_RowSpan row = gb_row_within(&g->A, k, columns);
        for (gb_Off p = row.from; p < row.to; p++) {
            const uint64_t j = Ai[p];
            SR_T x;
            GB_MXV_PRODUCT(SR_SET, &x, p, q, k, j);
            if (g->best.b == NULL || g->best.b[j]) {
                const SR_T old = *SR_AT(g->best.x, j), sum = SR_ADD(old, x);
                if (sum == old || !is_number((double)sum)) continue;
            }
            SR_T *c = SR_AT(g->val, j);
            const uint64_t word = set.words[j / 64], bit = (uint64_t)1 << (j % 64);
            if (word & bit) {
                SR_JOIN(c, &x);
                continue;
            }
            if (word == 0) gb_bitset_touch(&set, j / 64, shared);
            set.words[j / 64] = word | bit;
            total++;
            SR_COPY(c, &x);
        }
    }
    (void)R;
    return total;
}
#endif

#if SR_ANY
/* Short rows under a mask: what the mask leaves comes in batches, and the first product stays. */
static inline uint64_t NAME(push_short)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                        gb_ColumnRange columns) {
    const gb_BitSet set = g->found;
    const bool shared = !gb_are_all(columns);
    void *val = g->val;
    gb_PushPlace at = {0};
    gb_PushProduct batch[GB_PUSH_BATCH];
    uint64_t total = 0;
    for (unsigned n; (n = next_products(g, columns, &at, batch)) > 0;) {
        for (unsigned e = 0; e < n; e++) {
            const gb_Off p = batch[e].p, q = batch[e].q;
            const uint64_t j = g->A.i[p], k = g->u_list.i[q];
            const uint64_t word = set.words[j / 64], bit = (uint64_t)1 << (j % 64);
            if (word & bit) continue;
            gb_bitset_touch(&set, j / 64, shared);
            set.words[j / 64] = word | bit;
            total++;
            GB_MXV_PRODUCT(SR_SET, SR_AT(val, j), p, q, k, j);
            (void)k;
        }
    }
    (void)R;
    return total;
}
#endif

static uint64_t NAME(push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ColumnRange columns) {
#if SR_ANY
    if (has_short_rows(g))
        return GB_MXV_LEFT(g) ? NAME(push_short)(g, R, true, columns)
                              : NAME(push_short)(g, R, false, columns);
#endif
#if ORDERS
    if (g->best.x != NULL)
        return GB_MXV_LEFT(g) ? NAME(push_better)(g, R, true, columns)
                              : NAME(push_better)(g, R, false, columns);
#endif
    if (IS_CROWDED(g, columns.n))
        return GB_MXV_LEFT(g) ? NAME(push_columns)(g, R, true, true, columns)
                              : NAME(push_columns)(g, R, false, true, columns);
    return GB_MXV_LEFT(g) ? NAME(push_columns)(g, R, true, false, columns)
                          : NAME(push_columns)(g, R, false, false, columns);
}

#undef SETTLED
#undef IS_CROWDED
#undef ORDERS
#undef NAME
