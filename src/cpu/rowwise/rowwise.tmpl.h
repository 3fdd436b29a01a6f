/* SPDX-License-Identifier: Apache-2.0
 *
 * Row-wise product (Gustavson 1978) for one semiring: row i of C is the sum of A(i,k) * B(k,:).
 * Included once per entry of semiring/foreach.h.
 *
 * Four ways to sum a row, chosen by gb_row_kind: a scaled copy (one entry in A); expand, sort and
 * compress (few products, shortrows.tmpl.h); a hash table (hashrow.tmpl.h); a dense array with
 * marks. Each returns the number of entries it wrote, in ascending columns unless any order will
 * do, and adds the products of a column in the order of k, so that floats are summed in the same
 * order by all of them.
 *
 * Preconditions: room for min(products, n) entries at Ci, Cx; workspace clean (rowwork.h).
 * Cost: O(products) plus sorting; dense adds n / 4096 for finding the touched blocks. A mark is a
 * byte, since with bits neighbouring columns would wait for each other's update of their word.
 */
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

#include "cpu/rowwise/dense.tmpl.h"
#include "cpu/rowwise/hashrow.tmpl.h"
#include "cpu/rowwise/shortrows.tmpl.h"
#if SR_PLAIN
#include "cpu/rowwise/unmarked.tmpl.h"
#endif

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
