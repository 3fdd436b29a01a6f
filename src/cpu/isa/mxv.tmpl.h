/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix times vector for one semiring, in two forms. Included once per entry of semiring/foreach.h.
 *
 * pull: w(i) = A(i,:) . u for dense u; rows that may not be written are skipped, and a row ends when
 *       its sum can no longer change. Reads at most all of A; no conflict between threads.
 * push: w = sum of u(k) * A(k,:) for the entries of a list u. Threads share out the columns, not u,
 *       so every w(j) is summed by one thread in the order of k and needs no atomics.
 *
 * The vector may be the left or the right factor; `left` picks which of R's A and B it is.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

/* c = matrix entry p (x) vector entry q at inner index k, in the order of the factors. */
#define PRODUCT(op, c, p, q, k, i)                                                                 \
    do {                                                                                           \
        if (left)                                                                                  \
            op(c, SR_A(q), SR_B(p), (uint64_t)0, (uint64_t)(k), (uint64_t)(i));                    \
        else                                                                                       \
            op(c, SR_A(p), SR_B(q), (uint64_t)(i), (uint64_t)(k), (uint64_t)0);                    \
    } while (0)

static inline uint64_t NAME(pull_rows)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t from, uint64_t to, gb_Dense *w) {
    const gb_Off *restrict Ap = g->A.p;
    const gb_Idx *restrict Ai = g->A.i;
    const int8_t *restrict b = g->u_dense.b;
    uint64_t total = 0;
    for (uint64_t i = from; i < to; i++) {
        SR_T *c = SR_AT(w->x, i);
        bool found = false;
        if (g->allowed == NULL || g->allowed[i]) {
            for (gb_Off p = Ap[i]; p < Ap[i + 1]; p++) {
                const uint64_t k = Ai[p];
                if (b != NULL && !b[k]) continue;
                if (found)
                    PRODUCT(SR_FMA, c, p, k, k, i);
                else
                    PRODUCT(SR_SET, c, p, k, k, i);
                found = true;
                if (SR_DONE(c)) break;
            }
        }
        if (!found) SR_CLEAR(c);
        w->b[i] = found;
        total += found;
    }
    (void)R;
    return total;
}

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
                PRODUCT(SR_SET, c, p, q, k, j);
            } else {
                PRODUCT(SR_FMA, c, p, q, k, j);
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
#undef PRODUCT
