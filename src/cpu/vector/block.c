/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of rows of the method VECTOR (long-vector SpGEMM, section 3.2): each lane of a vector
 * computes a row of its own, one product a step, in the order of the inner index, in a hash table
 * of its own with linear probing under masks.
 *
 * Rows come in decreasing order of products, so those that still have some are the first lanes:
 * vectors get shorter where the paper masks what is behind.
 *
 * Precondition: every row has products. Cost: steps of the longest row; tables are cleared once.
 */
#include "cpu/rowwise/probe.h"
#include "cpu/vector/work.h"

typedef struct {
    gb_VectorWork *w;
    unsigned b;
    uint32_t width; /* slots of a lane, a power of two */
    unsigned shift; /* leaves the highest bits of 32, as many as number a slot */
} gb_VectorBlock;

/* Lane l to the first product from entry p of A on. */
static inline void find_product(const gb_MxmArgs *g, gb_VectorLanes *v, unsigned l) {
    for (; v->p[l] < v->p_end[l]; v->p[l]++) {
        const gb_Idx k = v->k[l] = g->A.i[v->p[l]];
        v->q[l] = g->B.p[k];
        v->q_end[l] = g->B.p[k + 1];
        if (v->q[l] < v->q_end[l]) return;
    }
}

/* The first n lanes to their next products. */
static void advance(const gb_MxmArgs *g, gb_VectorLanes *v, unsigned n) {
    for (unsigned l = 0; l < n; l++) {
        if (++v->q[l] < v->q_end[l]) continue;
        v->p[l]++;
        find_product(g, v, l);
    }
}

/* The slots of the columns. */
static void find_slots(const gb_VectorBlock *block, unsigned n) {
    gb_VectorLanes *v = block->w->lanes;
    uint32_t *table = block->w->table;
    gb_VMask pending, found;
    gb_m_all(&v->live, n);
    gb_m_none(&v->fresh);
    if (block->w->g->mask_kind != GB_MASK_NONE) GB_ISA_NAME(gb_vector_mask)(block->w, n);
    pending = v->live;
    gb_v_hash(v->slot, v->base, v->j, block->shift, n);
    for (;;) {
        gb_v_gather_slot(v->key, table, v->slot, &pending, n);
        gb_v_equal_to(&found, v->key, GB_NO_KEY, n);
        gb_m_and(&found, &pending, n);
        if (gb_m_any(&found, n)) {
            gb_v_scatter_slot(table, v->slot, v->j, &found, n);
            gb_m_or(&v->fresh, &found, n);
            gb_m_without(&pending, &found, n);
        }
        gb_v_equal(&found, v->key, v->j, n);
        gb_m_without(&pending, &found, n);
        if (!gb_m_any(&pending, n)) return;
        gb_v_next(v->slot, v->base, block->width - 1, &pending, n);
    }
}

/* All products of the block. */
static void sum_products(const gb_VectorBlock *block) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    unsigned n = block->b;
    for (unsigned l = 0; l < n; l++) find_product(w->g, v, l);
    for (uint64_t step = 1; n > 0; step++) {
        for (unsigned l = 0; l < n; l++) v->j[l] = w->g->B.i[v->q[l]];
        find_slots(block, n);
        w->accumulate(&w->args, v, n, w->table_val);
        while (n > 0 && v->flops[n - 1] <= step) n--;
        advance(w->g, v, n);
    }
}

/* Rows of C get what lanes have found: every second slot is used at least in the mean, so passing
 * over tables takes less than keeping lists would. */
static void emit(const gb_VectorBlock *block, const gb_VectorOut *out) {
    gb_VectorWork *w = block->w;
    gb_VectorEntries rows[GB_VL_MOST];
    uint32_t at = 0;
    for (unsigned l = 0; l < block->b; l++) {
        const uint32_t base = w->lanes->base[l], from = at;
        for (uint32_t s = 0; s < block->width; s += GB_VL_MOST)
            at += gb_v_list_used(w->column + at, w->list + at, w->table + base + s, GB_NO_KEY,
                                 base + s, gb_v_lanes(s, block->width));
        rows[l] = (gb_VectorEntries){w->lanes->row[l], at - from, w->column + from, w->list + from};
    }
    GB_ISA_NAME(gb_vector_emit)(w, rows, block->b, w->table_val, out);
}

/* How many of b rows, the first of so many entries at most, are computed together, and the slots
 * that each gets: what the bytes of tables allow, or one row. */
static unsigned shape(gb_VectorBlock *block, unsigned b, uint64_t capacity) {
    const uint64_t slots = GB_VECTOR_HASH_BYTES / (block->w->args.zsize + sizeof(uint32_t));
    uint64_t size = 2; /* the least power of two above */
    while (size <= capacity) size *= 2;
    if (size >= GB_VECTOR_SLOTS_MOST) size = GB_VECTOR_SLOTS_MOST; /* refused by reserve */
    while (b > 1 && b * size > slots) b--;
    block->width = (uint32_t)size;
    block->shift = (unsigned)__builtin_clz(block->width - 1);
    return b;
}

/* The rows of the block, of which the shape allows all. */
static void run_rows(const gb_VectorBlock *block, const uint64_t *order, const gb_VectorOut *out) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    const gb_MxmArgs *g = w->g;
    const uint64_t slots = (uint64_t)block->b * block->width;
    if (!GB_ISA_NAME(gb_vector_reserve_table)(w, slots)) return;
    memset(w->table, 0xFF, slots * sizeof *w->table);
    for (unsigned l = 0; l < block->b; l++) {
        const uint64_t i = v->row[l] = out->from + (uint32_t)order[l];
        v->p[l] = g->A.p[i];
        v->p_end[l] = g->A.p[i + 1];
        v->flops[l] = g->flops[i + 1] - g->flops[i];
        v->base[l] = l * block->width;
    }
    sum_products(block);
    emit(block, out);
    w->rows_hashed += block->b;
}

void GB_ISA_NAME(gb_vector_block)(gb_VectorWork *w, const uint64_t *order, unsigned b,
                                  const gb_VectorOut *out) {
    gb_VectorBlock block = {.w = w};
    for (; b > 0 && w->wanted == 0; order += block.b, b -= block.b) {
        const uint64_t i = out->from + (uint32_t)order[0];
        block.b = shape(&block, b, gb_vector_capacity(w->g, w->g->flops[i + 1] - w->g->flops[i]));
        run_rows(&block, order, out);
    }
}
