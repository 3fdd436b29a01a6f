/* SPDX-License-Identifier: Apache-2.0
 *
 * Push of few products for one semiring: expand, sort, compress. Included once per entry of
 * semiring/foreach.h.
 *
 * Products are numbered as they come: by the entries of u, that is in the order of k. Sorted by
 * their position in w, and by number where that is equal, they are summed from the left: the same
 * sums as those of a dense accumulator, without an array as long as w.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

/* The products whose positions are within `columns`; returns how many. */
static inline uint64_t NAME(expand_columns)(const gb_MxvArgs *g, const gb_RingArgs *R,
                                            const bool left, gb_ColumnRange columns,
                                            gb_Products *out) {
    const gb_Idx *restrict Ai = g->A.i;
    uint64_t n = 0;
    for (gb_Off q = 0; q < g->u_list.nvals; q++) {
        const uint64_t k = g->u_list.i[q];
        if (q + 4 < g->u_list.nvals) __builtin_prefetch(&Ai[g->A.p[g->u_list.i[q + 4]]]);
        const gb_RowSpan row = gb_row_within(&g->A, k, columns);
        for (gb_Off p = row.from; p < row.to; p++, n++) {
            const uint64_t j = Ai[p];
            out->key[n] = j << 32 | n;
            GB_MXV_PRODUCT(SR_SET, SR_AT(out->x, n), p, q, k, j);
        }
    }
    (void)R;
    return n;
}

static uint64_t NAME(expand)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_ColumnRange columns,
                             gb_Products *out) {
    return GB_MXV_LEFT(g) ? NAME(expand_columns)(g, R, true, columns, out)
                          : NAME(expand_columns)(g, R, false, columns, out);
}

/* Sums of n sorted products; the keys become positions. Returns how many positions there are. */
static uint64_t NAME(compress)(const gb_RingArgs *R, uint64_t n, gb_Products *of) {
    uint64_t m = 0;
    for (uint64_t at = 0; at < n; at++) {
        const uint64_t j = of->key[at] >> 32, number = of->key[at] & UINT32_MAX;
        const SR_T *product = SR_AT(of->x, number);
        if (m > 0 && of->key[m - 1] == j) {
            SR_T *c = SR_AT(of->sum, m - 1);
            if (!SR_DONE(c)) SR_JOIN(c, product);
        } else {
            of->key[m] = j;
            SR_COPY(SR_AT(of->sum, m), product);
            m++;
        }
        (void)product;
    }
    (void)R;
    return m;
}

#undef NAME
