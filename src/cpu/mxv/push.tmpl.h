/* SPDX-License-Identifier: Apache-2.0
 *
 * w = sum of u(k) * A(k,:) over the entries of u, for one semiring; included once per entry of
 * semiring/foreach.h. One traversal of the rows (push_rows), whose products go to a sink that is
 * known when it is compiled: gb_PushSink.
 *
 * The vector is the right factor, or where that is not the same the left one; `left` picks which of
 * R's A and B it is.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

/* ORDERS: the monoid is a minimum or a maximum of numbers. The preprocessor adds too: those of 0
 * and 1 depend on no order, and that of 1 and 1 is 1. Functions of users it cannot call. */
#define ORDERS 0
#if !defined(SR_GENERIC) && !defined(SR_COMPILED) && !SR_TRUTH
#if SR_ADD(0, 1) == SR_ADD(1, 0) && SR_ADD(1, 1) == 1
#undef ORDERS
#define ORDERS 1
#endif
#endif

#ifdef SR_GENERIC
/* A later product is not looked at: ANY of the generic entry would take it. */
#define IS_FINAL(c) SR_DONE(c)
#else
#define IS_FINAL(c) 0

#define AS_BITS (sizeof(SR_T) == 8 || sizeof(SR_T) == 4)
/* A sum becomes the product, or where there is a sum, both. Which one is a branch that nobody
 * predicts, and compilers make one of a condition. Where there is none, *c is nobody's value and
 * the product stands for it: nothing is computed with what was never written. */
static inline void NAME(add_or_set)(SR_T *c, SR_T product, bool known) {
    enum { BYTES = sizeof(SR_T) < 8 ? sizeof(SR_T) : 8 }; /* of a value that is a number */
    if (AS_BITS) {
        const uint64_t both = 0 - (uint64_t)known;
        uint64_t before = 0, bits = 0, of_sum = 0;
        SR_T old;
        memcpy(&before, c, BYTES);
        memcpy(&bits, &product, BYTES);
        before = (before & both) | (bits & ~both);
        memcpy(&old, &before, BYTES);
        const SR_T sum = SR_ADD(old, product);
        memcpy(&of_sum, &sum, BYTES);
        bits ^= (bits ^ of_sum) & both;
        memcpy(c, &bits, BYTES);
        (void)old;
    } else {
        *c = known ? SR_ADD(*c, product) : product;
    }
}
#endif

/* Whether x improves on the best value at j. NaN improves on nothing, and every number on it. */
GB_OP bool NAME(improves)(const gb_PushState *s, uint64_t j, const SR_T *x) {
#if ORDERS
    if (s->best_b != NULL && !s->best_b[j]) return true;
    const SR_T old = *SR_AT(s->best, j), sum = SR_ADD(old, *x);
    return sum != old && gb_is_number((double)sum);
#else
    (void)s, (void)j, (void)x;
    return true;
#endif
}

/* A product goes to the sink, which has n so far; returns 1 where it is a new one there, else 0.
 * Always inlined, as the body of loops. */
GB_OP uint64_t NAME(push_product)(const gb_PushState *s, const gb_RingArgs *R, const bool left,
                                  const gb_PushSink sink, gb_PushProduct of, uint64_t n) {
    const uint64_t j = s->Ai[of.p], k = s->ui[of.q];
    (void)k, (void)R;
    if (sink == GB_SINK_LIST) {
        s->key[n] = j << 32 | n;
        GB_MXV_PRODUCT(SR_SET, SR_AT(s->val, n), of.p, of.q, k, j);
        return 1;
    }
    if ((sink == GB_SINK_SET || sink == GB_SINK_CROWDED) && s->allowed != NULL &&
        s->allowed[j] == s->refused)
        return 0;
    SR_T *c = SR_AT(s->val, j);
#ifndef SR_GENERIC
    SR_T product;
    const bool first = sink == GB_SINK_IMPROVE || sink == GB_SINK_CROWDED; /* then where it goes */
    if (first) GB_MXV_PRODUCT(SR_SET, &product, of.p, of.q, k, j);
    if (sink == GB_SINK_IMPROVE && !NAME(improves)(s, j, &product)) return 0;
#endif
    const uint64_t word = s->set.words[j / 64], bit = (uint64_t)1 << (j % 64);
    const bool known = (word & bit) != 0;
    if (known & (sink != GB_SINK_CROWDED)) {
#ifndef SR_GENERIC
        if (first) SR_JOIN(c, &product);
#endif
        if (sink == GB_SINK_SET && !SR_ANY && !IS_FINAL(c))
            GB_MXV_PRODUCT(SR_FMA, c, of.p, of.q, k, j);
        return 0;
    }
    if (sink == GB_SINK_BATCH || word == 0) gb_bitset_touch(&s->set, j / 64, s->shared);
    s->set.words[j / 64] = word | bit;
#ifndef SR_GENERIC
    if (first) {
        NAME(add_or_set)(c, product, known);
        return !known;
    }
#endif
    GB_MXV_PRODUCT(SR_SET, c, of.p, of.q, k, j);
    return 1;
}

/* The products at the thread's columns; returns how many there are in the sink. */
GB_OP uint64_t NAME(push_rows)(const gb_PushArgs *g, const gb_RingArgs *R, const bool left,
                               const gb_PushSink sink, gb_ColumnRange columns,
                               const gb_ProductList *list) {
    const gb_CsView A = g->A, u = g->u;
    const bool all = columns.all;
    /* variables, since for all the compiler knows a sum could be where g has them */
    const gb_PushState s = {A.i,           u.i,
                            g->to.found,   sink == GB_SINK_LIST ? list->val : g->to.val,
                            g->to.allowed, g->to.refused,
                            !columns.all,  g->best.x,
                            g->best.b,     sink == GB_SINK_LIST ? list->key : NULL};
    uint64_t n = 0;
    if (sink == GB_SINK_BATCH) {
        gb_PushPlace at = {0};
        gb_PushProduct batch[GB_PUSH_BATCH];
        for (unsigned most; (most = gb_next_products(g, columns, &at, batch)) > 0;)
            for (unsigned e = 0; e < most; e++)
                n += NAME(push_product)(&s, R, left, sink, batch[e], n);
    }
    for (gb_Off q = 0; sink != GB_SINK_BATCH && q < u.nvals; q++) {
        const uint64_t k = u.i[q];
        if (q + 2 * GB_PREFETCH < u.nvals) __builtin_prefetch(&A.p[u.i[q + 2 * GB_PREFETCH]]);
        if (q + GB_PREFETCH < u.nvals) {
            const gb_Off soon = gb_walk_begin(&A, u.i[q + GB_PREFETCH], columns);
            __builtin_prefetch(&A.i[soon]);
            if (left && SR_USES_B) __builtin_prefetch(SR_B(soon));
            if (!left && SR_USES_A) __builtin_prefetch(SR_A(soon));
        }
        if (all) {
            const gb_Off end = A.p[k + 1];
            for (gb_Off p = A.p[k]; p < end; p++)
                n += NAME(push_product)(&s, R, left, sink, (gb_PushProduct){p, (gb_Idx)q}, n);
            continue;
        }
        for (gb_RowWalk w = gb_walk_row(&A, k, columns); w.left > 0; w.left--, w.at += w.step) {
            if (!gb_is_within(A.i[w.at], columns)) break;
            n += NAME(push_product)(&s, R, left, sink, (gb_PushProduct){w.at, (gb_Idx)q}, n);
        }
    }
    return n;
}

static uint64_t NAME(push)(const gb_PushArgs *g, const gb_RingArgs *R, gb_ColumnRange columns,
                           const gb_ProductList *list) {
    if (g->sorted) return GB_MXV_SIDED(push_rows, GB_SINK_LIST, columns, list);
#if SR_ANY
    if (g->to.allowed != NULL && g->work <= GB_PUSH_SHORT * g->u.nvals)
        return GB_MXV_SIDED(push_rows, GB_SINK_BATCH, columns, list);
#endif
#if ORDERS
    if (g->best.x != NULL) return GB_MXV_SIDED(push_rows, GB_SINK_IMPROVE, columns, list);
    /* that of floats has branches, for NaN */
    if ((SR_T)0.5 > 0) return GB_MXV_SIDED(push_rows, GB_SINK_SET, columns, list);
#endif
#ifndef SR_GENERIC
    if (AS_BITS && g->work >= columns.n / GB_PUSH_CROWDED && g->work < columns.n * GB_PUSH_KNOWN)
        return GB_MXV_SIDED(push_rows, GB_SINK_CROWDED, columns, list);
#endif
    return GB_MXV_SIDED(push_rows, GB_SINK_SET, columns, list);
}

/* Sums of n products, val by number, whose keys are sorted: by position, and by number where that
 * is equal. The keys become positions; returns how many there are. The sums are those of a set,
 * without an array as long as w. */
static uint64_t NAME(push_compress)(const gb_RingArgs *R, uint64_t n, uint64_t *key,
                                    const void *val, void *sum) {
    uint64_t m = 0;
    for (uint64_t at = 0; at < n; at++) {
        const uint64_t j = key[at] >> 32, number = key[at] & UINT32_MAX;
        const SR_T *product = SR_AT(val, number);
        if (m > 0 && key[m - 1] == j) {
            SR_T *c = SR_AT(sum, m - 1);
            if (!SR_DONE(c)) SR_JOIN(c, product);
        } else {
            key[m] = j;
            SR_COPY(SR_AT(sum, m), product);
            m++;
        }
        (void)product;
    }
    (void)R;
    return m;
}

#if SR_ANY && !SR_USES_A /* the matrix is A where the semiring reads it */
/* A fused assign: keys are n positions << 32 | entries of u, sorted; w and what it is assigned to
 * get their values in one pass. */
static inline void NAME(store_found)(const gb_PushArgs *g, const gb_RingArgs *R, const bool left,
                                     const uint64_t *keys, gb_Cs *out) {
    const gb_Idx *restrict ui = g->u.i;
    const void *value = g->to.value;
    SR_T *into = g->to.x, *x = out->x; /* `into` may be of another type, as large */
    for (gb_Off e = 0; e < out->nvals; e++) {
        const uint64_t j = keys[e] >> 32, q = keys[e] & UINT32_MAX, k = ui[q];
        SR_T c;
        GB_MXV_PRODUCT(SR_SET, &c, 0, q, k, j);
        out->i[e] = (gb_Idx)j;
        x[e] = c;
        memcpy(&into[j], value != NULL ? value : &c, sizeof c);
        if (j < g->A.nmajor) __builtin_prefetch(&g->A.p[j]); /* where a search goes on */
        (void)k;
    }
    (void)R;
}

static void NAME(found)(const gb_PushArgs *g, const uint64_t *keys, gb_Cs *out) {
    const gb_RingArgs *R = &g->ring.args;
    GB_MXV_SIDED(store_found, keys, out);
}
#endif

#undef IS_FINAL
#undef ORDERS
#undef AS_BITS
#undef NAME
