/* SPDX-License-Identifier: Apache-2.0
 *
 * Pulls under a mask, a part of mxv.tmpl.h: rows that the mask opens are summed one by one, where u
 * has entries, which are bits. A sum is in `c`, a variable or where it is to be (SUM, KEEP).
 */
/* Rows [from, to) that may be computed; `from` is a multiple of 64. Returns how many entries they
 * give: bits of found.words, and values. */
static inline uint64_t NAME(pull_open)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t from, uint64_t to) {
    const gb_Off *restrict Ap = g->A.p;
    const gb_Idx *restrict Ai = g->A.i;
    const uint64_t *restrict bits = g->u_bits;
    uint64_t total = 0, next = from < to ? open_rows(g, from, to) : 0;
    for (uint64_t base = from; base < to; base += 64) {
        uint64_t found = 0, open = next;
        next = base + 64 < to ? open_rows(g, base + 64, to) : 0;
        fetch_rows(&g->A, base + 64, next);
        for (; open != 0; open &= open - 1) {
            const uint64_t i = base + (uint64_t)__builtin_ctzll(open);
            SUM(c, SR_AT(g->val, i));
            bool any = false;
            for (gb_Off p = Ap[i]; p < Ap[i + 1]; p++) {
                const uint64_t k = Ai[p];
                if (bits != NULL && !gb_bit(bits, k)) continue;
                if (any)
                    GB_MXV_PRODUCT(SR_FMA, c, p, k, k, i);
                else
                    GB_MXV_PRODUCT(SR_SET, c, p, k, k, i);
                any = true;
                if (SR_DONE(c)) break;
            }
            if (!any) continue;
            KEEP(SR_AT(g->val, i), c);
            found |= open & -open;
        }
        g->found.words[base / 64] = found;
        total += (uint64_t)__builtin_popcountll(found);
    }
    (void)R;
    return total;
}

#if !defined(SR_GENERIC) && !SR_ANY
/* The sum c joins what is at position i; 1 where nothing was. */
static inline uint64_t NAME(join_at)(const gb_MxvInto *into, uint64_t i, const SR_T *c) {
    SR_T *slot = SR_AT(into->x, i);
    if (into->b == NULL || into->b[i]) {
        SR_JOIN(slot, c);
        return 0;
    }
    SR_COPY(slot, c);
    into->b[i] = 1;
    return 1;
}
#endif

/* Some rows of the list, one by one, to `out` from which.from on, or into g->into; returns how many
 * have a sum. */
static inline gb_Off NAME(pull_few)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                    gb_ListedRows which, gb_Cs *out) {
    const gb_Off *restrict Ap = g->A.p;
    const gb_Idx *restrict Ai = g->A.i, *restrict rows = g->rows.i;
    const uint64_t *restrict bits = g->u_bits;
    const gb_Off last = g->rows.nvals - 1;
    gb_Idx *const out_i = out->i;
    void *const out_x = out->x;
    const gb_MxvInto into = g->into;
    uint64_t gained = 0;
    gb_Off at = which.from;
    for (gb_Off q = which.from; q < which.to; q++) {
        const uint64_t i = rows[q];
        if (q + 2 * GB_PREFETCH <= last) __builtin_prefetch(&Ap[rows[q + 2 * GB_PREFETCH]]);
        if (q + GB_PREFETCH <= last) __builtin_prefetch(&Ai[Ap[rows[q + GB_PREFETCH]]]);
        const gb_Off end = Ap[i + 1];
        gb_Off p = Ap[i];
        while (p < end && bits != NULL && !gb_bit(bits, Ai[p])) p++;
        if (p == end) continue;
        SUM(c, SR_AT(out_x, at));
        GB_MXV_PRODUCT(SR_SET, c, p, Ai[p], Ai[p], i);
        for (p++; p < end && !SR_DONE(c); p++) {
            if (bits != NULL && !gb_bit(bits, Ai[p])) continue;
            GB_MXV_PRODUCT(SR_FMA, c, p, Ai[p], Ai[p], i);
        }
#if !defined(SR_GENERIC) && !SR_ANY
        if (into.x != NULL) {
            gained += NAME(join_at)(&into, i, c);
            at++;
            continue;
        }
#endif
        KEEP(SR_AT(out_x, at), c);
        out_i[at++] = (gb_Idx)i;
    }
    if (gained > 0) __atomic_add_fetch(into.gained, gained, __ATOMIC_RELAXED);
    (void)R;
    return at - which.from;
}
