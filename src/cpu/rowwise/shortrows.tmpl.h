/* SPDX-License-Identifier: Apache-2.0
 *
 * Expand, sort, compress (ESC) for up to 16 short rows at once. Products are expanded row by row in
 * the order of k; their keys, column << 6 | number of the product, go to lane l of the vectors that
 * a sorting network sorts, one lane per row; equal columns then stand side by side, in the order of
 * k. Part of rowwise.tmpl.h.
 *
 * Preconditions: at most 64 products a row, w->prod holds GB_SHORT_PRODUCTS values.
 * Cost: O(products) and the network for the longest row, about 2 ns a row for 16 products.
 */
#include "cpu/rowwise/rowwork.h"
#include "cpu/simd/template.h"

/* Emits the sorted row of lane l, whose f products are at w->prod + 64 * l; of a pattern only
 * columns are looked at. */
static inline uint64_t NAME(compress)(const gb_RowWork *w, const gb_ShortKeys *keys, unsigned l,
                                      unsigned f, gb_Idx *Ci, void *Cx) {
    const gb_RingArgs *R = &w->args;
    const void *prod = SR_AT(w->prod, 64 * l);
    uint64_t n = 0;
    gb_Idx last = GB_NO_KEY;
    if (SR_ANY && SR_PAIR) {
        n = gb_short_emit_distinct(keys, l, f, Ci);
        memset(Cx, 1, n);
        return n;
    }
    for (unsigned s = 0; s < f;) {
        const unsigned emitted =
            gb_short_emit16(keys, s, l, f, last, prod, SR_SIZE, Ci + n, SR_AT(Cx, n));
        const unsigned end = s + 16 < f ? s + 16 : f;
        n += emitted;
        if (emitted > 0) {
            last = Ci[n - 1];
            s = end;
        }
        for (; s < end; s++) {
            unsigned number;
            const gb_Idx j = gb_short_key(keys, s, l, &number);
            const SR_T *v = SR_AT(prod, number);
            if (j != last) {
                last = Ci[n] = j;
                SR_COPY(SR_AT(Cx, n), v);
                n++;
            } else {
                SR_JOIN(SR_AT(Cx, n - 1), v);
            }
        }
    }
    (void)R;
    return n;
}

/* Expands row i: its columns to col[], stride 1, its products to prod[]; up to GB_EXPAND_AHEAD - 1
 * of each behind them are written too. A pattern needs no products, and its columns are copied.
 *
 * Rows of B are taken GB_EXPAND_AHEAD entries at a time, the last entry again and again where there
 * are fewer: how long a short row is nobody predicts, and one look at too much costs less than a
 * loop that ends where it was not expected to. Functions of the user see no product twice. */
static inline void NAME(expand)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i, gb_Idx *col,
                                void *prod) {
    const gb_Idx *restrict Ai = g->A.i, *restrict Bi = g->B.i;
    const gb_Off *restrict Bp = g->B.p;
    unsigned f = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = Ai[p];
        gb_prefetch_rows(g, p, SR_USES_B);
        SR_HOLD_A(a, p);
#ifdef SR_GENERIC
        for (gb_Off q = Bp[k]; q < Bp[k + 1]; q++, f++) {
            col[f] = Bi[q];
            SR_SET(SR_AT(prod, f), a, SR_B(q), i, k, (uint64_t)Bi[q]);
        }
#elif SR_ANY && SR_PAIR
        f += gb_short_columns(&g->B, Bp[k], Bp[k + 1], col + f);
#else
        const gb_Off end = Bp[k + 1], last = end > Bp[k] ? end - 1 : 0;
        gb_Off q = Bp[k];
        do {
            for (unsigned u = 0; u < GB_EXPAND_AHEAD; u++) {
                const gb_Off e = q + u < last ? q + u : last;
                col[f + u] = Bi[e];
                SR_SET(SR_AT(prod, f + u), a, SR_B(e), i, k, (uint64_t)Bi[e]);
            }
            f += end - q < GB_EXPAND_AHEAD ? (unsigned)(end - q) : (unsigned)GB_EXPAND_AHEAD;
            q += GB_EXPAND_AHEAD;
        } while (q < end);
#endif
        (void)a, (void)Bi, (void)prod;
    }
}

/* All rows of the batch. */
static uint64_t NAME(short_rows)(const gb_MxmArgs *g, gb_RowWork *w, const gb_ShortRows *batch,
                                 gb_RowOut out) {
    const gb_RingArgs *R = &w->args;
    gb_ShortKeys keys;
    gb_Idx col[GB_SHORT_PRODUCTS + GB_LANES];
    const gb_Idx *cols[GB_SHORT_ROWS];
    for (unsigned l = 0; l < batch->n; l++) {
        gb_Idx *const own = col + (size_t)64 * l;
        cols[l] = own;
        NAME(expand)(g, R, batch->row[l], own, SR_AT(w->prod, 64 * l));
    }
    GB_ISA_NAME(gb_short_sort)(&keys, g->B.nminor, batch, cols);
    uint64_t n = 0, row = batch->from;
    for (unsigned l = 0; l < batch->n; l++) {
        while (row <= batch->row[l]) out.p[row++] = out.offset + n;
        gb_Idx *Ci = out.i + n;
        void *Cx = SR_AT(out.x, n);
        uint64_t found = NAME(compress)(w, &keys, l, batch->products[l], Ci, Cx);
        if (g->mask_kind != GB_MASK_NONE) found = gb_mask_row(g, batch->row[l], Ci, Cx, found);
        if (g->filter != NULL)
            found = GB_ISA_NAME(gb_filter_row)(g, w, batch->row[l], Ci, Cx, found);
        n += found;
    }
    while (row < batch->to) out.p[row++] = out.offset + n;
    w->sorted += batch->n;
    return n;
}
