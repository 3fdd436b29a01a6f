/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix times vector for one semiring, in two forms. Included once per entry of
 * semiring/foreach.h.
 *
 * pull: w(i) = A(i,:) . u for dense u; rows that may not be written are skipped, and a row ends
 * when its sum can no longer change. Reads at most all of A; no conflict between threads. push: w =
 * sum of u(k) * A(k,:) for the entries of a list u. Threads share out the columns, not u, so every
 * w(j) is summed by one thread in the order of k and needs no atomics.
 *
 * The vector may be the left or the right factor; `left` picks which of R's A and B it is.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

#ifdef SR_GENERIC
#define SUM(name, slot) SR_T *name = (slot)
#define KEEP(slot, name)
#else
/* A sum in a register, stored once: the slot could overlap the inputs for all the compiler knows.
 */
#define SUM(name, slot)                                                                            \
    SR_T name##_value = SR_ZERO;                                                                   \
    SR_T *name = &name##_value
#define KEEP(slot, name) SR_COPY(slot, name)

/* A row times a full vector: four interleaved sums hide the latency of an addition. They are joined
 * in fixed order, so a float result depends on the length of the row only. */
static inline void NAME(pull_full)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                   uint64_t i, SR_T *c) {
    const gb_Idx *restrict Ai = g->A.i;
    gb_Off p = g->A.p[i];
    const gb_Off end = g->A.p[i + 1];
    SR_T sum[4];
    GB_MXV_PRODUCT(SR_SET, c, p, Ai[p], Ai[p], i);
    p++;
    if (end - p >= 8 && !SR_DONE(c)) {
        for (unsigned l = 0; l < 4; l++)
            GB_MXV_PRODUCT(SR_SET, sum + l, p + l, Ai[p + l], Ai[p + l], i);
        for (p += 4; p + 4 <= end; p += 4)
            for (unsigned l = 0; l < 4; l++)
                GB_MXV_PRODUCT(SR_FMA, sum + l, p + l, Ai[p + l], Ai[p + l], i);
        SR_JOIN(sum, sum + 1);
        SR_JOIN(sum + 2, sum + 3);
        SR_JOIN(sum, sum + 2);
        SR_JOIN(c, sum);
    }
    for (; p < end && !SR_DONE(c); p++) GB_MXV_PRODUCT(SR_FMA, c, p, Ai[p], Ai[p], i);
    (void)R, (void)Ai;
}
#endif

static inline uint64_t NAME(pull_rows)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t from, uint64_t to, gb_Dense *w) {
    const gb_Off *restrict Ap = g->A.p;
    const gb_Idx *restrict Ai = g->A.i;
    const int8_t *restrict b = g->u_dense.b;
    uint64_t total = 0;
    for (uint64_t i = from; i < to; i++) {
        SUM(c, SR_AT(w->x, i));
        bool found = false;
        gb_Off p = Ap[i];
        const gb_Off end = g->allowed == NULL || g->allowed[i] ? Ap[i + 1] : p;
#ifndef SR_GENERIC
        if (b == NULL && p < end) {
            NAME(pull_full)(g, R, left, i, c);
            found = true;
            p = end;
        }
#endif
        for (; p < end; p++) {
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
#undef SUM
#undef KEEP

static uint64_t NAME(pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t from, uint64_t to,
                           gb_Dense *w) {
    return g->u_is_left ? NAME(pull_rows)(g, R, true, from, to, w)
                        : NAME(pull_rows)(g, R, false, from, to, w);
}

/* Columns [from, to) of the sum; marks what was found. */
static inline void NAME(push_columns)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                      gb_Idx from, gb_Idx to, gb_PushWork *w) {
    const gb_Idx *restrict Ai = g->A.i;
    const int8_t *allowed = g->allowed;
    const bool whole = from == 0 && to == g->A.nminor;
    for (gb_Off q = 0; q < g->u_list.nvals; q++) {
        const uint64_t k = g->u_list.i[q];
        gb_Off p = g->A.p[k], end = g->A.p[k + 1];
        if (q + 4 < g->u_list.nvals) __builtin_prefetch(&Ai[g->A.p[g->u_list.i[q + 4]]]);
        if (!whole) {
            p = gb_first_at_least(Ai, p, end, from);
            end = gb_first_at_least(Ai, p, end, to);
        }
        for (; p < end; p++) {
            const uint64_t j = Ai[p];
            if (allowed != NULL && !allowed[j]) continue;
            SR_T *c = SR_AT(w->val, j);
            if (!w->mark[j]) {
                w->mark[j] = 1;
                w->block[j >> 6] = 1;
                GB_MXV_PRODUCT(SR_SET, c, p, q, k, j);
            } else {
                GB_MXV_PRODUCT(SR_FMA, c, p, q, k, j);
            }
        }
    }
    (void)R;
}

static void NAME(push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_Idx from, gb_Idx to,
                       gb_PushWork *w) {
    if (g->u_is_left)
        NAME(push_columns)(g, R, true, from, to, w);
    else
        NAME(push_columns)(g, R, false, from, to, w);
}

#undef NAME
