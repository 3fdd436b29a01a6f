/* SPDX-License-Identifier: Apache-2.0
 *
 * ESC of the method VECTOR (long-vector SpGEMM, section 4): products of a group of rows are
 * expanded with their columns and rows, sorted by radix passes in which each lane has its own part
 * and its own buckets (Zagha and Blelloch), and those of one entry, which then stand side by side
 * in the order of the inner index, are joined, a lane an entry of C.
 *
 * Keys are row << 32 | column, rows counted from the group's first; values stay where they were
 * expanded, and the number of the product goes along with its key.
 *
 * Cost: a pass for each GB_VECTOR_DIGIT bits (or one less, where that takes no more passes) of the
 * columns and of the group's rows: two loads, a gather and a scatter to count, three scatters to
 * move.
 */
#include "core/bits.h"
#include "cpu/vector/work.h"
#include "cpu/common/sort.h"

typedef struct {
    gb_VectorWork *w;
    uint64_t from, to; /* rows */
    uint32_t n;        /* products */
    /* parts of the lanes: `full` of `length` products, then `rest` more in another */
    uint32_t length;
    unsigned full, rest;
    unsigned shift, bits; /* of the digit */
} gb_Esc;

/* -- expand ------------------------------------------------------------------------------------ */

/* The first lanes get what the mask lets through of n; returns how many they are. */
static unsigned let_through(gb_VectorWork *w, unsigned n) {
    gb_VectorLanes *v = w->lanes;
    unsigned kept = 0;
    gb_m_all(&v->live, n);
    GB_ISA_NAME(gb_vector_mask)(w, n);
    for (unsigned l = 0; l < n; l++) {
        v->j[kept] = v->j[l];
        v->q[kept] = v->q[l];
        kept += gb_m_test(&v->live, l);
    }
    return kept;
}

/* Products of entry p of A and n entries of B, as numbers `at` and on. */
static void expand_strip(gb_Esc *e, gb_Off q, unsigned n, uint64_t row) {
    gb_VectorWork *w = e->w;
    gb_VectorLanes *v = w->lanes;
    const uint32_t at = e->n;
    gb_v_copy(v->j, w->g->B.i + q, n);
    gb_v_count_wide(v->q, q, n);
    if (w->g->mask_kind != GB_MASK_NONE) n = let_through(w, n);
    for (unsigned l = 0; l < n; l++) w->key[at + l] = row << 32 | v->j[l];
    gb_v_count(w->number + at, at, n);
    w->kernel->multiply(&w->args, v, n, (char *)w->prod + at * w->args.zsize);
    e->n += n;
}

static void expand(gb_Esc *e) {
    const gb_MxmArgs *g = e->w->g;
    gb_VectorLanes *v = e->w->lanes;
    for (uint64_t i = e->from; i < e->to; i++) {
        if (gb_vector_flops(g, i) == 0) continue;
        gb_v_set_wide(v->row, i, GB_VL_MOST);
        for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
            const gb_Off to = gb_vector_entry(g, v, p);
            for (gb_Off q = g->B.p[g->A.i[p]]; q < to; q += GB_VL_MOST)
                expand_strip(e, q, gb_v_lanes(q, to), i - e->from);
        }
    }
}

/* -- sort -------------------------------------------------------------------------------------- */

/* Lanes that have a product at step t of their parts. */
static unsigned lanes_at(const gb_Esc *e, uint32_t t) {
    return e->full + (t < e->rest);
}

/* Buckets of the digits of the products at step t, in v->slot: digit * GB_VL_MOST + lane. */
static void find_buckets(const gb_Esc *e, uint32_t t, unsigned n) {
    gb_VectorLanes *v = e->w->lanes;
    const uint64_t *key = e->w->key + t, most = (1u << e->bits) - 1u;
    for (unsigned l = 0; l < n; l++) v->p[l] = key[(size_t)e->length * l];
    for (unsigned l = 0; l < n; l++)
        v->slot[l] = (uint32_t)(v->p[l] >> e->shift & most) * GB_VL_MOST + l;
    gb_v_gather_slot(v->key, e->w->bucket, v->slot, NULL, n);
}

/* Counts become positions: an exclusive sum over digits and lanes. Lane l sums a part of its own,
 * one loop goes over the lanes, and the parts are summed again from where they begin. */
static void sum_buckets(const gb_Esc *e) {
    gb_VectorLanes *v = e->w->lanes;
    uint32_t *bucket = e->w->bucket, sum = 0;
    const unsigned part = 1u << e->bits; /* as many lanes as GB_VL_MOST, as long parts as digits */
    gb_v_set(v->base, 0, GB_VL_MOST);
    for (unsigned t = 0; t < part; t++) {
        gb_v_strided(v->other, bucket + t, part, GB_VL_MOST);
        gb_v_sum(v->key, v->base, v->other, GB_VL_MOST);
        gb_v_copy(v->base, v->key, GB_VL_MOST);
    }
    for (unsigned l = 0; l < GB_VL_MOST; l++) {
        const uint32_t here = v->base[l];
        v->base[l] = sum;
        sum += here;
    }
    for (unsigned t = 0; t < part; t++) {
        gb_v_strided(v->other, bucket + t, part, GB_VL_MOST);
        for (unsigned l = 0; l < GB_VL_MOST; l++) bucket[part * l + t] = v->base[l];
        gb_v_sum(v->key, v->base, v->other, GB_VL_MOST);
        gb_v_copy(v->base, v->key, GB_VL_MOST);
    }
}

/* One digit of all keys. */
static void sort_digit(const gb_Esc *e) {
    gb_VectorWork *w = e->w;
    gb_VectorLanes *v = w->lanes;
    const size_t buckets = (size_t)GB_VL_MOST << e->bits;
    memset(w->bucket, 0, buckets * sizeof *w->bucket);
    for (uint32_t t = 0; t < e->length; t++) {
        const unsigned n = lanes_at(e, t);
        find_buckets(e, t, n);
        gb_v_add(v->key, 1, NULL, n);
        gb_v_scatter_slot(w->bucket, v->slot, v->key, NULL, n);
    }
    sum_buckets(e);
    for (uint32_t t = 0; t < e->length; t++) {
        const unsigned n = lanes_at(e, t);
        find_buckets(e, t, n);
        gb_v_strided(v->other, w->number + t, e->length, n);
        for (unsigned l = 0; l < n; l++) w->key_tmp[v->key[l]] = v->p[l];
        gb_v_scatter_slot(w->number_tmp, v->key, v->other, NULL, n);
        gb_v_add(v->key, 1, NULL, n);
        gb_v_scatter_slot(w->bucket, v->slot, v->key, NULL, n);
    }
    uint64_t *const key = w->key;
    uint32_t *const number = w->number;
    w->key = w->key_tmp;
    w->key_tmp = key;
    w->number = w->number_tmp;
    w->number_tmp = number;
}

/* `bits` bits from `shift` on: in digits of one bit less than the most where that does as well. */
static void sort_bits(gb_Esc *e, unsigned shift, unsigned bits) {
    const unsigned most = GB_VECTOR_DIGIT, passes = (bits + most - 1) / most;
    const unsigned digit = (bits + most - 2) / (most - 1) == passes ? most - 1 : most;
    for (unsigned at = 0; at < bits; at += digit) {
        e->shift = shift + at;
        e->bits = digit;
        sort_digit(e);
    }
}

/* -- compress ---------------------------------------------------------------------------------- */

/* Lists in w->number_tmp where each entry of C begins among the sorted products. */
static uint32_t find_entries(const gb_Esc *e) {
    gb_VectorWork *w = e->w;
    gb_VectorLanes *v = w->lanes;
    uint32_t found = 1;
    w->number_tmp[0] = 0;
    for (uint32_t at = 1; at < e->n; at += GB_VL_MOST) {
        const unsigned n = gb_v_lanes(at, e->n);
        gb_v_differs_wide(&v->live, w->key + at, w->key + at - 1, n);
        gb_v_count(v->other, at, n);
        found += gb_v_compress(w->number_tmp + found, v->other, &v->live, n);
    }
    w->number_tmp[found] = e->n;
    return found;
}

/* Entries [at, at + n) of the group, to position `to` and on. */
static void join(const gb_Esc *e, uint32_t at, unsigned n, gb_Off to, const gb_VectorOut *out) {
    gb_VectorWork *w = e->w;
    gb_VectorLanes *v = w->lanes;
    gb_VMask ended;
    void *x = out->x + to * w->args.zsize;
    gb_v_copy(v->cursor, w->number_tmp + at, n);
    gb_v_copy(v->list, w->number_tmp + at + 1, n);
    gb_m_all(&v->live, n);
    v->fresh = v->live;
    while (gb_m_any(&v->live, n)) {
        gb_v_gather_slot(v->slot, w->number, v->cursor, &v->live, n);
        w->kernel->fold(&w->args, v, n, x, w->prod);
        gb_m_none(&v->fresh);
        gb_v_add(v->cursor, 1, &v->live, n);
        gb_v_equal(&ended, v->cursor, v->list, n);
        gb_m_without(&v->live, &ended, n);
    }
    for (unsigned l = 0; l < n; l++) out->i[to + l] = (gb_Idx)w->key[w->number_tmp[at + l]];
}

static void compress(const gb_Esc *e, const gb_VectorOut *out) {
    gb_VectorWork *w = e->w;
    const gb_Off to = out->p[e->from];
    const uint32_t found = find_entries(e);
    for (uint32_t at = 0; at < found; at += GB_VL_MOST)
        join(e, at, gb_v_lanes(at, found), to + at, out);
    uint64_t last = e->from;
    for (uint32_t s = 0; s < found; s++) {
        const uint64_t i = e->from + (w->key[w->number_tmp[s]] >> 32);
        while (last < i) out->p[++last] = to + s;
        out->count[i - out->from]++;
    }
    while (last + 1 < e->to) out->p[++last] = to + found;
}

/* -- groups ------------------------------------------------------------------------------------ */

static void run_group(gb_Esc *e, uint64_t products, const gb_VectorOut *out) {
    gb_VectorWork *w = e->w;
    if (!GB_ISA_NAME(gb_vector_reserve_products)(w, products)) return;
    e->n = 0;
    expand(e);
    if (e->n == 0) return;
    e->length = (e->n + GB_VL_MOST - 1) / GB_VL_MOST;
    e->full = e->n / e->length;
    e->rest = e->n % e->length;
    sort_bits(e, 0, (unsigned)gb_key_bits(w->g->B.nminor));
    if (e->to - e->from > 1) sort_bits(e, 32, (unsigned)gb_key_bits(e->to - e->from));
    compress(e, out);
}

void GB_ISA_NAME(gb_vector_esc)(gb_VectorWork *w, const gb_VectorOut *out) {
    gb_Esc e = {.w = w, .from = out->from};
    while (e.from < out->to && w->wanted == 0) {
        uint64_t products = 0, rows = 0;
        for (e.to = e.from; e.to < out->to && products < GB_VECTOR_GROUP; e.to++) {
            const uint64_t f = gb_vector_flops(w->g, e.to);
            products += f;
            rows += f > 0;
        }
        if (products > 0) run_group(&e, products, out);
        w->rows_sorted += rows;
        e.from = e.to;
    }
}
