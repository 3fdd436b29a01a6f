/* SPDX-License-Identifier: Apache-2.0
 *
 * Row-wise product (Gustavson 1978) for one semiring: row i of C is the sum of A(i,k) * B(k,:).
 * Included once per entry of semiring/foreach.h.
 *
 * Four ways to sum a row, chosen by gb_row_kind: a scaled copy (one entry in A), expand and sort by
 * rank (few products), hash table, dense array with marks. Each returns the number of entries it
 * wrote, in ascending columns, and adds the products of a column in the order of k, so that floats
 * are summed in the same order by all of them.
 *
 * Preconditions: room for min(products, n) entries at Ci, Cx; workspace clean (rowwork.h).
 * Cost: O(products) plus sorting; dense adds n / 4096 for finding the touched blocks.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

#ifdef SR_GENERIC
#define HOLD_A(name, p) const SR_T *name = SR_A(p)
#elif SR_USES_A
#define HOLD_A(name, p)                                                                            \
    const SR_T name##_value = *SR_A(p);                                                            \
    const SR_T *name = &name##_value
#else
#define HOLD_A(name, p) const SR_T *name = SR_A(p)
#endif
#if SR_ANY
#define ACCUMULATE SR_SET
#else
#define ACCUMULATE SR_FMA
#endif

static uint64_t NAME(row_copy)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i, gb_Idx *Ci,
                               void *Cx) {
    const gb_Off p = g->A.p[i];
    const uint64_t k = g->A.i[p];
    const gb_Off from = g->B.p[k], n = g->B.p[k + 1] - from;
    HOLD_A(a, p);
    memcpy(Ci, g->B.i + from, n * sizeof *Ci);
    for (gb_Off q = 0; q < n; q++)
        SR_SET(SR_AT(Cx, q), a, SR_B(from + q), i, k, (uint64_t)g->B.i[from + q]);
    (void)a;
    return n;
}

/* Expands the products of row i in the order of k: columns to col[], values to prod[]. */
static inline unsigned NAME(expand)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i,
                                    gb_Idx *col, void *prod) {
    const gb_Idx *restrict Ai = g->A.i, *restrict Bi = g->B.i;
    const gb_Off *restrict Bp = g->B.p;
    unsigned f = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = Ai[p];
        gb_prefetch_rows(g, p, SR_USES_B);
        HOLD_A(a, p);
        for (gb_Off q = Bp[k]; q < Bp[k + 1]; q++, f++) {
            col[f] = Bi[q];
            SR_SET(SR_AT(prod, f), a, SR_B(q), i, k, (uint64_t)Bi[q]);
        }
        (void)a;
    }
    return f;
}

/* Emits sorted (column, position) pairs, joining equal columns. */
static inline uint64_t NAME(join)(const gb_RingArgs *R, const uint64_t *pair, unsigned f,
                                  gb_Idx *Ci, void *Cx, const void *prod) {
    uint64_t n = 0;
    gb_Idx last = GB_NO_KEY;
    for (unsigned s = 0; s < f; s++) {
        const gb_Idx j = (gb_Idx)(pair[s] >> 32);
        const SR_T *v = SR_AT(prod, pair[s] & 63u);
        if (j != last) {
            last = Ci[n] = j;
            SR_COPY(SR_AT(Cx, n), v);
            n++;
        } else {
            SR_JOIN(SR_AT(Cx, n - 1), v);
        }
    }
    (void)R;
    return n;
}

static uint64_t NAME(row_sort)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w, uint64_t i,
                               gb_Idx *Ci, void *Cx) {
    gb_Idx col[64 + 16];
    uint64_t pair[64 + 16];
    const unsigned f = NAME(expand)(g, R, i, col, w->prod);
    if (g->B.nminor <= (uint64_t)1 << 26) {
        uint32_t key[64 + 16], order[64 + 16];
        for (unsigned s = 0; s < f; s++) key[s] = col[s] << 6 | s;
        for (unsigned s = f; s < f + 16; s++) key[s] = UINT32_MAX;
        gb_rank_sort32(key, order, f);
        for (unsigned s = 0; s < f; s++)
            pair[s] = (uint64_t)(order[s] >> 6) << 32 | (order[s] & 63u);
    } else {
        uint64_t key[64 + 16];
        for (unsigned s = 0; s < f; s++) key[s] = (uint64_t)col[s] << 32 | s;
        for (unsigned s = f; s < f + 8; s++) key[s] = UINT64_MAX;
        gb_rank_sort64(key, pair, f);
    }
    const uint64_t n = NAME(join)(R, pair, f, Ci, Cx, w->prod);
    return g->mask_kind == GB_MASK_NONE ? n : gb_mask_row(g, i, Ci, Cx, n);
}

static uint64_t NAME(row_hash)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w, uint64_t i,
                               uint64_t f, gb_Idx *Ci, void *Cx) {
    const int bits = gb_bits(2 * (f < g->B.nminor ? f : g->B.nminor));
    const uint64_t last_slot = ((uint64_t)1 << bits) - 1;
    gb_Idx *restrict slot_key = w->slot_key;
    uint64_t n = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = g->A.i[p];
        HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < g->B.p[k + 1]; q++) {
            const gb_Idx j = g->B.i[q];
            uint64_t s = (uint64_t)(j * 0x9E3779B97F4A7C15u) >> (64 - bits);
            while (slot_key[s] != j && slot_key[s] != GB_NO_KEY) s = (s + 1) & last_slot;
            if (slot_key[s] == j) {
                SR_FMA(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
            } else {
                slot_key[s] = j;
                SR_SET(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
                w->key[n++] = (uint64_t)j << 32 | s;
            }
        }
        (void)a;
    }
    gb_sort_columns(w->key, w->tmp, n, gb_bits(g->B.nminor));
    for (uint64_t e = 0; e < n; e++) {
        const uint64_t s = w->key[e] & 0xFFFFFFFFu;
        Ci[e] = (gb_Idx)(w->key[e] >> 32);
        SR_COPY(SR_AT(Cx, e), SR_AT(w->slot_val, s));
        slot_key[s] = GB_NO_KEY;
    }
    return g->mask_kind == GB_MASK_NONE ? n : gb_mask_row(g, i, Ci, Cx, n);
}

/* Emits the marked columns of the blocks touched, and cleans. */
static uint64_t NAME(gather)(const gb_RingArgs *R, gb_RowWork *w, uint64_t ncols, gb_Idx *Ci,
                             void *Cx) {
    uint64_t n = 0;
    const uint64_t nblocks = (ncols + 63) / 64;
    for (uint64_t b64 = 0; b64 < nblocks; b64 += 64) {
        uint64_t blocks = gb_nonzero_bytes(w->block + b64);
        if (blocks == 0) continue;
        memset(w->block + b64, 0, 64);
        for (; blocks != 0; blocks &= blocks - 1) {
            const uint64_t base = (b64 + (uint64_t)__builtin_ctzll(blocks)) * 64;
            uint64_t bits = gb_nonzero_bytes(w->mark + base);
            memset(w->mark + base, 0, 64);
#if defined(GB_HAS_COMPRESS) && !defined(SR_GENERIC)
            if (sizeof(SR_T) == 8 && __builtin_popcountll(bits) > 12 && base + 64 <= ncols) {
                const SR_T zero = SR_ZERO;
                uint64_t clear = 0;
                memcpy(&clear, &zero, sizeof zero);
                n += gb_compress64(bits, (gb_Idx)base, Ci + n, (uint64_t *)Cx + n,
                                   (uint64_t *)w->val + base, clear);
                continue;
            }
#endif
            for (; bits != 0; bits &= bits - 1, n++) {
                const uint64_t j = base + (uint64_t)__builtin_ctzll(bits);
                Ci[n] = (gb_Idx)j;
                SR_COPY(SR_AT(Cx, n), SR_AT(w->val, j));
                SR_CLEAR(SR_AT(w->val, j));
            }
        }
    }
    (void)R;
    return n;
}

#ifndef SR_GENERIC
/* One row of B whose columns come in runs: GB_RUN values at a time where they are consecutive. */
static inline void NAME(add_runs)(const gb_RingArgs *R, const gb_Idx *Bi, gb_Off from, gb_Off to,
                                  const SR_T *a, gb_Triple at, gb_RowWork *w) {
    SR_T *restrict val = w->val;
    uint8_t *mark = w->mark, *block = w->block;
    const uint64_t i = at.i, k = at.k;
    for (gb_Off q = from; q < to;) {
        const uint64_t j = Bi[q];
        if (q + GB_RUN <= to && Bi[q + GB_RUN - 1] - j == GB_RUN - 1) {
            SR_T *restrict v = val + j;
            const SR_T *restrict b = SR_USES_B ? (const SR_T *)R->Bx + q : v;
            for (unsigned l = 0; l < GB_RUN; l++) ACCUMULATE(v + l, a, b + l, i, k, j + l);
            memset(mark + j, 1, GB_RUN);
            block[j >> 6] = block[(j + GB_RUN - 1) >> 6] = 1;
            q += GB_RUN;
            (void)b;
        } else {
            ACCUMULATE(val + j, a, SR_B(q), i, k, j);
            mark[j] = 1;
            block[j >> 6] = 1;
            q++;
        }
    }
    (void)R, (void)a, (void)i, (void)k;
}
#endif

static uint64_t NAME(row_dense)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w,
                                uint64_t i, gb_Idx *Ci, void *Cx) {
    const gb_Idx *restrict Bi = g->B.i;
    const gb_Off *restrict Bp = g->B.p;
    uint8_t *mark = w->mark, *block = w->block;
    SR_T *val = w->val;
    const gb_Off end = g->A.p[i + 1];
    for (gb_Off p = g->A.p[i]; p < end; p++) {
        const uint64_t k = g->A.i[p];
        HOLD_A(a, p);
        const gb_Off from = Bp[k], to = Bp[k + 1];
        if (p + 1 < end) __builtin_prefetch(&Bi[Bp[g->A.i[p + 1]]]);
#ifndef SR_GENERIC
        if (w->runs) {
            NAME(add_runs)(R, Bi, from, to, a, (gb_Triple){i, k, 0}, w);
            continue;
        }
#endif
        for (gb_Off q = from; q < to; q++) {
            const uint64_t j = Bi[q];
            ACCUMULATE(SR_AT(val, j), a, SR_B(q), i, k, j);
            mark[j] = 1;
            block[j >> 6] = 1;
        }
        (void)a;
    }
    return NAME(gather)(R, w, g->B.nminor, Ci, Cx);
}

/* The products of row i that the mask lets through; mark says what is listed and what was found. */
static inline void NAME(add_masked)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w,
                                    uint64_t i, bool inside) {
    const gb_Idx *restrict Bi = g->B.i;
    uint8_t *mark = w->mark;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = g->A.i[p];
        HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < g->B.p[k + 1]; q++) {
            const uint64_t j = Bi[q];
            const uint8_t m = mark[j];
            if (m == (inside ? 0 : GB_MARK_LISTED)) continue;
            if (m != GB_MARK_FOUND) {
                SR_SET(SR_AT(w->val, j), a, SR_B(q), i, k, j);
                mark[j] = GB_MARK_FOUND;
                if (!inside) w->block[j >> 6] = 1;
            } else {
                SR_FMA(SR_AT(w->val, j), a, SR_B(q), i, k, j);
            }
        }
        (void)a;
    }
}

static uint64_t NAME(row_dense_masked)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w,
                                       uint64_t i, gb_Idx *Ci, void *Cx) {
    const gb_Off from = g->M.p[i], to = g->M.p[i + 1];
    uint64_t n = 0;
    for (gb_Off q = from; q < to; q++) w->mark[g->M.i[q]] = GB_MARK_LISTED;
    if (g->mask_kind == GB_MASK_OUTSIDE) {
        NAME(add_masked)(g, R, w, i, false);
        for (gb_Off q = from; q < to; q++) w->mark[g->M.i[q]] = 0;
        return NAME(gather)(R, w, g->B.nminor, Ci, Cx);
    }
    NAME(add_masked)(g, R, w, i, true);
    for (gb_Off q = from; q < to; q++) {
        const uint64_t j = g->M.i[q];
        if (w->mark[j] == GB_MARK_FOUND) {
            Ci[n] = (gb_Idx)j;
            SR_COPY(SR_AT(Cx, n), SR_AT(w->val, j));
            n++;
        }
        w->mark[j] = 0;
    }
    return n;
}

/* Values of the dense accumulator at rest. */
static void NAME(clean)(const gb_RingArgs *R, void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) SR_CLEAR(SR_AT(val, j));
    (void)R;
}

static uint64_t NAME(row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci, void *Cx) {
    const uint64_t f = g->flops[i + 1] - g->flops[i];
    if (g->mask_kind == GB_MASK_INSIDE && g->M.p[i] == g->M.p[i + 1]) return 0;
    switch (gb_row_kind(g, g->A.p[i + 1] - g->A.p[i], f)) {
    case GB_ROW_EMPTY:
        return 0;
    case GB_ROW_COPY:
        w->copied++;
        return NAME(row_copy)(g, &w->args, i, Ci, Cx);
    case GB_ROW_SORT:
        w->sorted++;
        return NAME(row_sort)(g, &w->args, w, i, Ci, Cx);
    case GB_ROW_HASH:
        w->hashed++;
        return NAME(row_hash)(g, &w->args, w, i, f, Ci, Cx);
    case GB_ROW_DENSE:
        break;
    }
    w->dense++;
    return g->mask_kind == GB_MASK_NONE ? NAME(row_dense)(g, &w->args, w, i, Ci, Cx)
                                        : NAME(row_dense_masked)(g, &w->args, w, i, Ci, Cx);
}

#undef NAME
#undef HOLD_A
#undef ACCUMULATE
