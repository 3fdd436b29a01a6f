/* SPDX-License-Identifier: Apache-2.0
 *
 * Single rows of the method VECTOR (SPA: long-vector SpGEMM, algorithm 2), and writing finished
 * rows of any kind. A row is summed in a dense array along B's rows: the lanes of a vector are
 * neighbours in one row of B, so no two have the same column.
 *
 * The mask acts inside the steps of all kernels: each lane looks its column up in the mask's row,
 * and lanes that the mask forbids are not live. So nothing is accumulated that is not wanted, and
 * tables, lists and sorting see wanted entries alone. Cost: the logarithm of the longest row of the
 * mask that a lane is in, a gather each.
 *
 * Preconditions: w->flag is 0 everywhere. Cost: a few operations for each GB_VL_MOST entries of a
 * row of B, and sorting: rows of at most 64 entries 16 at a time by a network, others by radix.
 */
#include "cpu/rowwise/shortkeys.h"
#include "cpu/vector/work.h"
#include "cpu/common/sort.h"

/* -- the mask ---------------------------------------------------------------------------------- */

/* Whether v[from .. to) has x; the loop has no branch that depends on what is compared. */
static bool has(const gb_Idx *v, gb_Off from, gb_Off to, gb_Idx x) {
    uint64_t n = to - from;
    while (n > 1) {
        const uint64_t half = n / 2;
        from += v[from + half - 1] < x ? half : 0;
        n -= half;
    }
    return n == 1 && v[from] == x;
}

void GB_ISA_NAME(gb_vector_mask)(gb_VectorWork *w, unsigned n) {
    const gb_CsView *M = &w->g->M;
    gb_VectorLanes *v = w->lanes;
    const bool inside = w->g->mask_kind == GB_MASK_INSIDE;
    for (unsigned l = 0; l < n; l++) {
        const uint64_t i = v->row[l], bit = (uint64_t)1 << l % 64;
        if (gb_m_test(&v->live, l) && has(M->i, M->p[i], M->p[i + 1], v->j[l]) != inside)
            v->live.w[l / 64] &= ~bit;
    }
}

/* -- finished rows ----------------------------------------------------------------------------- */

/* Where the next entries of a row of C go. */
static gb_RowPlace end_of(const gb_VectorWork *w, uint64_t i, const gb_VectorOut *out) {
    const uint64_t at = out->p[i] + out->count[i - out->from];
    return (gb_RowPlace){out->i + at, out->x + at * w->args.zsize};
}

/* to[e] = val[slot[e]]. */
static void take(void *to, const void *val, const uint32_t *slot, uint64_t n, const size_t size) {
    if (size == 8) {
        for (uint64_t e = 0; e < n; e += GB_VL_MOST)
            gb_v_gather_wide((uint64_t *)to + e, val, slot + e, gb_v_lanes(e, n));
        return;
    }
    for (uint64_t e = 0; e < n; e++)
        memcpy((char *)to + e * size, (const char *)val + slot[e] * size, size);
}

static void write_row(const gb_VectorWork *w, const gb_VectorEntries *row, const void *val,
                      const gb_VectorOut *out) {
    const gb_RowPlace to = end_of(w, row->row, out);
    memcpy(to.i, row->column, row->n * sizeof *to.i);
    take(to.x, val, row->slot, row->n, w->args.zsize);
    out->count[row->row - out->from] += row->n;
}

/* Lane l of sorted keys. */
static void write_short(const gb_VectorWork *w, const gb_ShortKeys *keys, unsigned l,
                        const gb_VectorEntries *row, const void *val, const gb_VectorOut *out) {
    const size_t size = w->args.zsize;
    const gb_RowPlace to = end_of(w, row->row, out);
    const unsigned n = (unsigned)row->n;
    if (GB_HAS_ROWS && !keys->wide && (size == 8 || size == 4)) {
        for (unsigned s = 0; s < n; s += GB_LANES) {
            const unsigned here = n - s < GB_LANES ? n - s : (unsigned)GB_LANES;
            const gb_Lanes32 key = gb_load32(&keys->row[l][s]);
            uint32_t slot[GB_LANES];
            gb_store_first32(to.i + s, key >> 6, here);
            if (n <= GB_LANES) { /* lists are padded to whole registers */
                gb_shuffle(slot, row->slot, key & 63u & (GB_LANES - 1), sizeof *slot);
            } else {
                for (unsigned l16 = 0; l16 < here; l16++)
                    slot[l16] = row->slot[keys->row[l][s + l16] & 63u];
            }
            gb_gather_first((char *)to.x + s * size, val, gb_load32(slot), here, size);
        }
    } else {
        for (unsigned s = 0; s < n; s++) {
            unsigned number;
            to.i[s] = gb_short_key(keys, s, l, &number);
            memcpy((char *)to.x + s * size, (const char *)val + row->slot[number] * size, size);
        }
    }
    out->count[row->row - out->from] += n;
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
    for (unsigned l = 0; l < s->n; l++) write_short(w, &keys, l, s->row[l], val, out);
    *s = (gb_ShortEntries){0};
}

/* Keys are column << 32 | slot. */
static void write_long(gb_VectorWork *w, const gb_VectorEntries *row, const void *val,
                       const gb_VectorOut *out) {
    const uint64_t n = row->n;
    const size_t size = w->args.zsize;
    const gb_RowPlace to = end_of(w, row->row, out);
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, n)) return;
    for (uint64_t e = 0; e < n; e++) w->key[e] = (uint64_t)row->column[e] << 32 | row->slot[e];
    gb_sort64(w->key, w->key_tmp, n, 32, 32 + gb_key_bits(w->g->B.nminor));
    for (uint64_t e = 0; e < n; e++) {
        to.i[e] = (gb_Idx)(w->key[e] >> 32);
        memcpy((char *)to.x + e * size, (const char *)val + (uint32_t)w->key[e] * size, size);
    }
    out->count[row->row - out->from] += n;
}

void GB_ISA_NAME(gb_vector_emit)(gb_VectorWork *w, const gb_VectorEntries *rows, unsigned n,
                                 const void *val, const gb_VectorOut *out) {
    gb_ShortEntries batch = {0};
    for (unsigned l = 0; l < n; l++) {
        const gb_VectorEntries *row = &rows[l];
        if (row->n <= 1 || w->g->any_order) {
            if (row->n > 0) write_row(w, row, val, out);
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
    gb_v_copy(v->j, w->g->B.i + q, n);
    gb_v_copy(v->slot, v->j, n);
    gb_v_count_wide(v->q, q, n);
    gb_m_all(&v->live, n);
    if (w->g->mask_kind != GB_MASK_NONE) GB_ISA_NAME(gb_vector_mask)(w, n);
    gb_v_gather_slot(v->key, w->flag, v->slot, NULL, n);
    gb_v_equal_to(&v->fresh, v->key, 0, n);
    gb_m_and(&v->fresh, &v->live, n);
    gb_v_scatter_slot(w->flag, v->slot, v->one, &v->fresh, n);
    w->kernel->accumulate(&w->args, v, n, w->val);
    return gb_v_compress(list, v->slot, &v->fresh, n);
}

void GB_ISA_NAME(gb_vector_row)(gb_VectorWork *w, uint64_t i, const gb_VectorOut *out) {
    const gb_MxmArgs *g = w->g;
    gb_VectorLanes *v = w->lanes;
    const uint64_t capacity = gb_vector_capacity(g, g->flops[i + 1] - g->flops[i]);
    uint64_t found = 0;
    if (!GB_ISA_NAME(gb_vector_reserve_dense)(w)) return;
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, capacity)) return;
    gb_v_set_wide(v->row, i, GB_VL_MOST);
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const gb_Off to = gb_vector_entry(g, v, p);
        for (gb_Off q = g->B.p[g->A.i[p]]; q < to; q += GB_VL_MOST)
            found += add_strip(w, q, gb_v_lanes(q, to), w->number + found);
    }
    const gb_VectorEntries row = {i, found, w->number, w->number};
    GB_ISA_NAME(gb_vector_emit)(w, &row, 1, w->val, out);
    for (uint64_t e = 0; e < found; e += GB_VL_MOST)
        gb_v_scatter_all(w->flag, w->number + e, 0, gb_v_lanes(e, found));
    w->rows_dense++;
}
