/* SPDX-License-Identifier: Apache-2.0
 *
 * Single rows of the method VECTOR (SPA: long-vector SpGEMM, algorithm 2), and writing finished
 * rows of any kind. A row is summed in a dense array along B's rows: the lanes of a vector are
 * neighbours in one row of B, so no two have the same column.
 *
 * The mask acts inside the steps of all kernels: each lane looks its column up in the mask's row,
 * and lanes that the mask forbids are not live. So nothing is accumulated that is not wanted, and
 * tables, lists and sorting see wanted entries alone. Cost: the logarithm of the longest row of the
 * mask that a lane is in.
 *
 * Preconditions: w->flag is 0 everywhere. Cost: a few operations for each GB_VL_MOST entries of a
 * row of B, and sorting: rows of at most 64 entries 16 at a time by a network, others by radix.
 */
#include "cpu/rowwise/rowwork.h"
#include "cpu/vector/work.h"

void GB_ISA_NAME(gb_vector_mask)(gb_VectorWork *w, unsigned n) {
    const gb_CsView *M = &w->g->M;
    gb_VectorLanes *v = w->lanes;
    const bool inside = w->g->mask_kind == GB_MASK_INSIDE;
    for (unsigned l = 0; l < n; l++) {
        const gb_Off end = M->p[v->row[l] + 1];
        const gb_Off at = gb_first_at_least(M->i, M->p[v->row[l]], end, v->j[l]);
        if ((at < end && M->i[at] == v->j[l]) != inside)
            v->live.w[l / 64] &= ~((uint64_t)1 << l % 64);
    }
}

/* -- finished rows ----------------------------------------------------------------------------- */

/* Where the next n entries of a row of C go. */
static gb_RowPlace append(const gb_VectorWork *w, const gb_VectorEntries *row,
                          const gb_VectorOut *out) {
    const uint64_t at = out->p[row->row] + out->count[row->row - out->from];
    out->count[row->row - out->from] += row->n;
    return (gb_RowPlace){out->i + at, out->x + at * w->args.zsize};
}

/* Entry e of the row is its entry `number`. */
static inline void put(const gb_RowPlace *to, uint64_t e, const gb_VectorEntries *row,
                       uint64_t number, const void *val, size_t size) {
    to->i[e] = row->column[number];
    memcpy((char *)to->x + e * size, (const char *)val + row->slot[number] * size, size);
}

typedef struct {
    unsigned n, longest;
    const gb_VectorEntries *row[GB_SHORT_ROWS];
} gb_ShortEntries;

static void flush(const gb_VectorWork *w, gb_ShortEntries *s, const void *val,
                  const gb_VectorOut *out) {
    gb_ShortKeys keys;
    gb_ShortRows batch = {.n = s->n, .longest = s->longest};
    const gb_Idx *column[GB_SHORT_ROWS];
    if (s->n == 0) return;
    for (unsigned l = 0; l < s->n; l++) {
        batch.products[l] = (unsigned)s->row[l]->n;
        column[l] = s->row[l]->column;
    }
    GB_ISA_NAME(gb_short_sort)(&keys, w->g->B.nminor, &batch, column);
    for (unsigned l = 0; l < s->n; l++) {
        const gb_RowPlace to = append(w, s->row[l], out);
        for (unsigned e = 0, number; e < s->row[l]->n; e++) {
            gb_short_key(&keys, e, l, &number);
            put(&to, e, s->row[l], number, val, w->args.zsize);
        }
    }
    *s = (gb_ShortEntries){0};
}

/* Keys are column << 32 | number. */
static void write_long(gb_VectorWork *w, const gb_VectorEntries *row, const void *val,
                       const gb_VectorOut *out) {
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, row->n)) return;
    const gb_RowPlace to = append(w, row, out);
    for (uint64_t e = 0; e < row->n; e++) w->key[e] = (uint64_t)row->column[e] << 32 | e;
    gb_sort64(w->key, w->key_tmp, row->n, 32, 32 + gb_key_bits(w->g->B.nminor));
    for (uint64_t e = 0; e < row->n; e++) put(&to, e, row, (uint32_t)w->key[e], val, w->args.zsize);
}

void GB_ISA_NAME(gb_vector_emit)(gb_VectorWork *w, const gb_VectorEntries *rows, unsigned n,
                                 const void *val, const gb_VectorOut *out) {
    gb_ShortEntries batch = {0};
    for (unsigned l = 0; l < n; l++) {
        const gb_VectorEntries *row = &rows[l];
        if (row->n <= 1 || w->g->any_order) {
            const gb_RowPlace to = append(w, row, out);
            for (uint64_t e = 0; e < row->n; e++) put(&to, e, row, e, val, w->args.zsize);
        } else if (row->n > GB_SORT_MAX) {
            write_long(w, row, val, out);
        } else {
            batch.row[batch.n++] = row;
            if (row->n > batch.longest) batch.longest = (unsigned)row->n;
            if (batch.n == GB_SHORT_ROWS) flush(w, &batch, val, out);
        }
    }
    flush(w, &batch, val, out);
}

/* -- SPA --------------------------------------------------------------------------------------- */

/* n entries of B from q on, times entry p of A; the new columns go to list. */
static unsigned add_strip(gb_VectorWork *w, gb_Off q, unsigned n, uint32_t *list) {
    gb_VectorLanes *v = w->lanes;
    memcpy(v->j, w->g->B.i + q, n * sizeof *v->j);
    memcpy(v->slot, v->j, n * sizeof *v->slot);
    for (unsigned l = 0; l < n; l++) v->q[l] = q + l;
    gb_m_all(&v->live, n);
    if (w->g->mask_kind != GB_MASK_NONE) GB_ISA_NAME(gb_vector_mask)(w, n);
    gb_v_gather_slot(v->key, w->flag, v->slot, &v->live, n);
    gb_v_equal_to(&v->fresh, v->key, 0, n);
    gb_m_and(&v->fresh, &v->live, n);
    GB_V_EACH(l, &v->fresh, n) w->flag[v->slot[l]] = 1;
    w->accumulate(&w->args, v, n, w->val);
    return gb_v_compress(list, v->slot, &v->fresh, n);
}

void GB_ISA_NAME(gb_vector_row)(gb_VectorWork *w, uint64_t i, const gb_VectorOut *out) {
    const gb_MxmArgs *g = w->g;
    gb_VectorLanes *v = w->lanes;
    const uint64_t capacity = gb_vector_capacity(g, g->flops[i + 1] - g->flops[i]);
    uint64_t found = 0;
    if (!GB_ISA_NAME(gb_vector_reserve_dense)(w)) return;
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, capacity)) return;
    for (unsigned l = 0; l < GB_VL_MOST; l++) v->row[l] = i;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const gb_Idx k = g->A.i[p];
        const gb_Off from = g->B.p[k], to = g->B.p[k + 1];
        for (unsigned l = 0; l < gb_v_lanes(from, to); l++) {
            v->k[l] = k;
            v->p[l] = p;
        }
        for (gb_Off q = from; q < to; q += GB_VL_MOST)
            found += add_strip(w, q, gb_v_lanes(q, to), w->number + found);
    }
    const gb_VectorEntries row = {i, found, w->number, w->number};
    GB_ISA_NAME(gb_vector_emit)(w, &row, 1, w->val, out);
    for (uint64_t e = 0; e < found; e++) w->flag[w->number[e]] = 0;
    w->rows_dense++;
}
