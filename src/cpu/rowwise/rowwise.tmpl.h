/* SPDX-License-Identifier: Apache-2.0
 *
 * Row-wise product (Gustavson 1978) for one semiring: row i of C is the sum of A(i,k) * B(k,:).
 * Included once per entry of semiring/foreach.h.
 *
 * Four ways to sum a row, chosen by gb_row_kind: a scaled copy (one entry in A); expand, sort and
 * compress (few products); a hash table (hashrow.tmpl.h); a dense array with marks. Each returns
 * the number of entries it wrote, in ascending columns unless any order will do, and adds the
 * products of a column in the order of k, so that floats are summed in the same order by all of
 * them.
 *
 * Preconditions: room for min(products, n) entries at Ci, Cx; workspace clean (rowwork.h).
 * Cost: O(products) plus sorting; dense adds n / 4096 for finding the touched blocks. A mark is a
 * byte, since with bits neighbouring columns would wait for each other's update of their word.
 */
#include "cpu/rowwise/dense.tmpl.h"
#include "cpu/rowwise/hashrow.tmpl.h"
#include "cpu/rowwise/rowwork.h"
#include "cpu/simd/template.h"

static uint64_t NAME(row_copy)(const gb_MxmArgs *g, const gb_RingArgs *R, uint64_t i, gb_Idx *Ci,
                               void *Cx) {
    const gb_Off p = g->A.p[i];
    const uint64_t k = g->A.i[p];
    const gb_Off from = g->B.p[k], n = g->B.p[k + 1] - from;
    SR_HOLD_A(a, p);
    memcpy(Ci, g->B.i + from, n * sizeof *Ci);
    for (gb_Off q = 0; q < n; q++)
        SR_SET(SR_AT(Cx, q), a, SR_B(from + q), i, k, (uint64_t)g->B.i[from + q]);
    (void)a;
    return n;
}

/* -- short rows -------------------------------------------------------------------------------- */

/* Expand, sort, compress (ESC) for up to 16 rows at once. Products are expanded row by row in the
 * order of k; their keys, column << 6 | number of the product, go to lane l of the vectors that a
 * sorting network sorts, one lane per row; equal columns then stand side by side, in the order of
 * k.
 *
 * Preconditions: at most 64 products a row, w->prod holds GB_SHORT_PRODUCTS values.
 * Cost: O(products) and the network for the longest row, about 2 ns a row for 16 products. */

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

#if SR_PLAIN
/* -- without marks ----------------------------------------------------------------------------- */

/* The dense accumulator without marks, for sums of floats whose rows touch most columns: at rest a
 * value is -0, and since 0 is added to every product no sum is ever -0, so the bits of a value tell
 * whether its column has an entry. The sums are to the bit those of the accumulator that begins
 * with 0.
 *
 * Two stores less per product; but looking for the entries of a row reads all values instead of the
 * bytes of columns that were touched. What is left per product is few instructions: GB_LINE_ENTRIES
 * of them are made at a time by vectors and put into memory, from where each is added to its sum.
 */

static void NAME(rest)(void *val, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) *SR_AT(val, j) = -SR_ZERO;
}

/* Bit l is set where val[l] is not at rest; l < width <= 64. */
static inline uint64_t NAME(touched)(const SR_T *val, unsigned width) {
    enum { LINE = 64 / sizeof(SR_T) };
    SR_T line[LINE], last[64];
    uint64_t bits = 0;
    NAME(rest)(line, LINE);
    const gb_Lanes32 rest = gb_load32(line);
    if (width < 64) {
        NAME(rest)(last, 64);
        memcpy(last, val, width * sizeof *last);
        val = last;
    }
    for (unsigned l = 0; l < 64; l += LINE) {
        const unsigned same = gb_equal32(gb_load32(val + l), rest);
        const unsigned there =
            sizeof(SR_T) == 4 ? ~same & 0xFFFFu : gb_even_bits(~(same & same >> 1));
        bits |= (uint64_t)there << l;
    }
    return bits;
}

typedef SR_T NAME(Part) __attribute__((vector_size(GB_REGISTER)));

/* Adds a * b[q] to the sums of columns j[q], q < n. What is `next` entries ahead is asked for line
 * by line. */
static inline void NAME(add_unmarked)(SR_T *val, SR_T a, const gb_Idx *restrict j,
                                      const SR_T *restrict b, gb_Off n, int64_t next) {
    enum { LANES = GB_REGISTER / sizeof(SR_T) };
    gb_Off q = 0;
    for (; q + GB_LINE_ENTRIES <= n; q += GB_LINE_ENTRIES) {
        SR_T product[GB_LINE_ENTRIES];
        __builtin_prefetch(&j[next + (int64_t)q]);
        __builtin_prefetch(&b[next + (int64_t)q]);
        for (unsigned l = 0; l < GB_LINE_ENTRIES; l += LANES) {
            NAME(Part) x;
            memcpy(&x, b + q + l, sizeof x);
            x = a * x + SR_ZERO;
            memcpy(product + l, &x, sizeof x);
        }
        __asm__("" : "+m"(product)); /* else gcc takes each from a register by several shuffles */
#pragma GCC unroll 16
        for (unsigned l = 0; l < GB_LINE_ENTRIES; l++) val[j[q + l]] += product[l];
    }
    __builtin_prefetch(&j[next + (int64_t)q]);
    __builtin_prefetch(&b[next + (int64_t)q]);
    for (; q < n; q++) val[j[q]] += a * b[q] + SR_ZERO;
}

/* The products of row i. */
static void NAME(add_rows_unmarked)(const gb_MxmArgs *g, const gb_RingArgs *shared, gb_RowWork *w,
                                    uint64_t i) {
    const gb_RingArgs own = *shared, *R = &own;
    const gb_Off *restrict Bp = g->B.p;
    const gb_Off end = g->A.p[i + 1];
    for (gb_Off p = g->A.p[i]; p < end; p++) {
        const gb_Off from = Bp[g->A.i[p]], n = Bp[g->A.i[p] + 1] - from;
        const gb_Off then = p + 1 < end ? Bp[g->A.i[p + 1]] : from;
        NAME(add_unmarked)
        (w->val, *SR_A(p), g->B.i + from, SR_B(from), n, (int64_t)(then - from));
    }
}

/* Emits the columns that are not at rest, and puts them to rest. */
static uint64_t NAME(gather_unmarked)(gb_RowWork *w, uint64_t ncols, gb_Idx *Ci, void *Cx) {
    const SR_T rest = -SR_ZERO;
    uint64_t n = 0, clear = 0;
    memcpy(&clear, &rest, sizeof rest);
    for (uint64_t base = 0; base < ncols; base += 64) {
        const unsigned width = ncols - base < 64 ? (unsigned)(ncols - base) : 64;
        SR_T *val = SR_AT(w->val, base);
        uint64_t bits = NAME(touched)(val, width);
#if GB_HAS_COMPRESS
        if (width == 64 && __builtin_popcountll(bits) > GB_PACK_LEAST) {
            n += sizeof(SR_T) == 8
                     ? gb_pack_columns(bits, (gb_Idx)base, Ci + n, (uint64_t *)Cx + n,
                                       (uint64_t *)(void *)val, clear)
                     : gb_pack_columns32(bits, (gb_Idx)base, Ci + n, (uint32_t *)Cx + n,
                                         (uint32_t *)(void *)val, (uint32_t)clear);
            continue;
        }
#endif
        for (; bits != 0; bits &= bits - 1, n++) {
            const unsigned l = (unsigned)__builtin_ctzll(bits);
            Ci[n] = (gb_Idx)(base + l);
            *SR_AT(Cx, n) = val[l];
            val[l] = rest;
        }
    }
    return n;
}
#endif

/* -- the dense accumulator --------------------------------------------------------------------- */

/* The dense accumulator before its first row. */
static void NAME(begin_dense)(gb_RowWork *w, uint64_t n) {
#if SR_PLAIN
    if (w->unmarked) {
        NAME(rest)(w->val, n);
        return;
    }
#endif
    NAME(clean)(&w->args, w->val, n);
}

#ifdef SR_GENERIC
/* One row of B: always so, runs or not. */
static inline void NAME(add_runs)(const gb_RingArgs *R, const gb_Idx *Bi, gb_Off from, gb_Off to,
                                  const SR_T *a, gb_Triple at, gb_RowWork *w) {
    uint8_t *mark = w->mark, *block = w->block;
    const gb_GenericRow row = {a, SR_B(from), Bi + from, Bi + from, 0, (unsigned)(to - from),
                               0, NULL,       w->val,    R->zsize};
    gb_generic_add_row(R, &row, at);
    for (gb_Off q = from; q < to; q++) mark[Bi[q]] = block[Bi[q] >> 6] = 1;
}
#else
/* One row of B whose columns come in runs: GB_RUN values at a time where they are consecutive. The
 * loop over them is one operation on vectors only while it is a loop: unrolled, as gcc 12 does
 * first at -O3, band:4000:20 and fem:8:4 took 1.3 to 2 times as long (MIN_PLUS most). */
static inline void NAME(add_runs)(const gb_RingArgs *R, const gb_Idx *Bi, gb_Off from, gb_Off to,
                                  const SR_T *a, gb_Triple at, gb_RowWork *w) {
    SR_T *restrict val = (SR_T *)w->val;
    uint8_t *mark = w->mark, *block = w->block;
    const uint64_t i = at.i, k = at.k;
    const bool query = w->query;
    for (gb_Off q = from; q < to;) {
        const uint64_t j = Bi[q];
        if (q + GB_RUN <= to && Bi[q + GB_RUN - 1] - j == GB_RUN - 1) {
            SR_T *restrict v = val + j;
            const SR_T *restrict b = SR_USES_B ? (const SR_T *)R->Bx + q : v;
#pragma GCC unroll 1
            for (unsigned l = 0; l < GB_RUN; l++) SR_ACCUMULATE(v + l, a, b + l, i, k, j + l);
            if (!query || !gb_all_marked(mark + j)) {
                memset(mark + j, 1, GB_RUN);
                block[j >> 6] = block[(j + GB_RUN - 1) >> 6] = 1;
            }
            q += GB_RUN;
            (void)b;
        } else {
            SR_ACCUMULATE(val + j, a, SR_B(q), i, k, j);
            mark[j] = 1;
            block[j >> 6] = 1;
            q++;
        }
    }
    (void)R, (void)a, (void)i, (void)k;
}
#endif

/* The products of row i, added to the dense accumulator. The next row of B is asked for line by
 * line, since rows are at random places. The arguments are copied, here and below, so that they
 * stay in registers: marks are bytes, and a store of a byte may change anything that pointers
 * reach. */
static void NAME(add_rows)(const gb_MxmArgs *g, const gb_RingArgs *shared, gb_RowWork *w,
                           uint64_t i) {
    const gb_RingArgs own = *shared, *R = &own;
    const gb_Idx *restrict Bi = g->B.i;
    const gb_Off *restrict Bp = g->B.p;
    uint8_t *mark = w->mark, *block = w->block;
    SR_T *val = (SR_T *)w->val;
    const gb_Off end = g->A.p[i + 1];
    for (gb_Off p = g->A.p[i]; p < end; p++) {
        const uint64_t k = g->A.i[p];
        SR_HOLD_A(a, p);
        const gb_Off from = Bp[k], to = Bp[k + 1];
        if (w->runs) {
            NAME(add_runs)(R, Bi, from, to, a, (gb_Triple){i, k, 0}, w);
            continue;
        }
        const gb_Off next = p + 1 < end ? Bp[g->A.i[p + 1]] : from;
        for (gb_Off q = from; q < to;) {
            const gb_Off stop = to - q > GB_LINE_ENTRIES ? q + GB_LINE_ENTRIES : to;
            __builtin_prefetch(&Bi[next + (q - from)]);
            if (SR_USES_B) __builtin_prefetch(SR_B(next + (q - from)));
            for (; q < stop; q++) {
                const uint64_t j = Bi[q];
                block[j >> 6] = 1;
                SR_ACCUMULATE(SR_AT(val, j), a, SR_B(q), i, k, j);
                mark[j] = 1;
            }
        }
        (void)a;
    }
}

static uint64_t NAME(row_dense)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w,
                                uint64_t i, gb_Idx *Ci, void *Cx) {
#if SR_PLAIN
    if (w->unmarked) {
        NAME(add_rows_unmarked)(g, R, w, i);
        return NAME(gather_unmarked)(w, g->B.nminor, Ci, Cx);
    }
#endif
    NAME(add_rows)(g, R, w, i);
    return NAME(gather)(R, w, g->B.nminor, Ci, Cx);
}

/* The products of row i that the mask lets through; mark says what is listed and what was found. */
static inline void NAME(add_masked)(const gb_MxmArgs *g, const gb_RingArgs *shared, gb_RowWork *w,
                                    uint64_t i, bool inside) {
    const gb_RingArgs own = *shared, *R = &own;
    const gb_Idx *restrict Bi = g->B.i;
    uint8_t *mark = w->mark, *block = w->block;
    SR_T *val = (SR_T *)w->val;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = g->A.i[p];
        const gb_Off to = g->B.p[k + 1];
        SR_HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < to; q++) {
            const uint64_t j = Bi[q];
            const uint8_t m = mark[j];
            if (m == (inside ? 0 : GB_MARK_LISTED)) continue;
            if (m != GB_MARK_FOUND) {
                SR_SET(SR_AT(val, j), a, SR_B(q), i, k, j);
                mark[j] = GB_MARK_FOUND;
                if (!inside) block[j >> 6] = 1;
            } else {
                SR_FMA(SR_AT(val, j), a, SR_B(q), i, k, j);
            }
        }
        (void)a;
    }
}

/* The same where the mask's row is cells. */
static inline void NAME(add_by_bytes)(const gb_MxmArgs *g, const gb_RingArgs *shared, gb_RowWork *w,
                                      uint64_t i) {
    const gb_RingArgs own = *shared, *R = &own;
    const gb_Idx *restrict Bi = g->B.i;
    const int8_t *restrict cells = gb_mask_cells(g, i);
    const int8_t allowed = g->mask_kind == GB_MASK_INSIDE;
    uint8_t *mark = w->mark, *block = w->block;
    SR_T *val = (SR_T *)w->val;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = g->A.i[p];
        const gb_Off to = g->B.p[k + 1];
        SR_HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < to; q++) {
            const uint64_t j = Bi[q];
            if (mark[j] == GB_MARK_FOUND) {
                SR_FMA(SR_AT(val, j), a, SR_B(q), i, k, j);
            } else if (cells[j] == allowed) {
                SR_SET(SR_AT(val, j), a, SR_B(q), i, k, j);
                mark[j] = GB_MARK_FOUND;
                block[j >> 6] = 1;
            }
        }
        (void)a;
    }
}

static uint64_t NAME(row_dense_masked)(const gb_MxmArgs *g, const gb_RingArgs *R, gb_RowWork *w,
                                       uint64_t i, gb_Idx *Ci, void *Cx) {
    if (g->Mb != NULL) {
        NAME(add_by_bytes)(g, R, w, i);
        return NAME(gather)(R, w, g->B.nminor, Ci, Cx);
    }
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

/* -- a row, by its kind ------------------------------------------------------------------------ */

static uint64_t NAME(row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_RowKind kind,
                          gb_Idx *Ci, void *Cx) {
    if (kind == GB_ROW_COPY) {
        w->copied++;
        return NAME(row_copy)(g, &w->args, i, Ci, Cx);
    }
    if (kind == GB_ROW_HASH) {
        w->hashed++;
        return NAME(row_hash)(g, w, i, Ci, Cx);
    }
    w->dense++;
    return g->mask_kind == GB_MASK_NONE ? NAME(row_dense)(g, &w->args, w, i, Ci, Cx)
                                        : NAME(row_dense_masked)(g, &w->args, w, i, Ci, Cx);
}

#undef NAME
