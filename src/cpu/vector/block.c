/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of rows of the method VECTOR (long-vector SpGEMM, section 3): each lane of a vector
 * computes a row of its own, one product a step, in the order of the inner index. SPARS (algorithm
 * 3) gives each lane a dense row of an accumulator, HASH (section 3.2) a table of its own with
 * linear probing under masks.
 *
 * Rows come in decreasing order of products, so those that still have some are the first lanes:
 * vectors get shorter where the paper masks what is behind. Dense rows of all columns would exceed
 * the bytes that the variant allows: then columns are taken in ranges, all products are traversed
 * for each, and those outside are masked.
 *
 * Preconditions: every row has products; w->table is clean as work.h says.
 * Cost: steps of the longest row; SPARS times the ranges, HASH clears its tables once.
 */
#include "cpu/rowwise/probe.h"
#include "cpu/vector/work.h"

/* Multiplies columns for their slots (Knuth's constant; odd, so that no column is lost). */
#define HASH_FACTOR 2654435769u

typedef struct {
    gb_VectorWork *w;
    unsigned b;
    bool hashed;
    uint32_t most;  /* hashed: slots of a lane, a power of two, less 1 */
    unsigned shift; /* hashed: what leaves the highest bits of 32, as many as number a slot */
    gb_Idx first;   /* dense: the range of columns */
    uint32_t width; /* slots of a lane */
    bool ranged;    /* dense: not all columns at once */
} gb_VectorBlock;

/* Lanes of `at` stand before entries of A whose row of B is to be found; rows without entries are
 * passed over. Lanes whose row of A ends there stay at its end. */
static void find_rows(const gb_MxmArgs *g, gb_VectorLanes *v, gb_VMask *at, unsigned n) {
    gb_VMask empty;
    while (gb_m_any(at, n)) {
        gb_v_gather_index(v->k, g->A.i, v->p, at, n);
        gb_v_gather_offset(v->q, g->B.p, v->k, at, n);
        gb_v_gather_offset(v->q_end, g->B.p + 1, v->k, at, n);
        gb_v_equal_wide(&empty, v->q, v->q_end, n);
        gb_m_and(at, &empty, n);
        if (!gb_m_any(at, n)) return;
        gb_v_add_wide(v->p, 1, at, n);
        gb_v_less_wide(&empty, v->p, v->p_end, n);
        gb_m_and(at, &empty, n);
    }
}

/* All lanes to their first products. */
static void begin(const gb_VectorBlock *block) {
    gb_VectorLanes *v = block->w->lanes;
    const gb_MxmArgs *g = block->w->g;
    gb_VMask all;
    gb_m_all(&all, block->b);
    for (unsigned l = 0; l < block->b; l++) {
        v->p[l] = g->A.p[v->row[l]];
        v->p_end[l] = g->A.p[v->row[l] + 1];
    }
    find_rows(g, v, &all, block->b);
}

/* The first n lanes to their next products. */
static void advance(const gb_MxmArgs *g, gb_VectorLanes *v, unsigned n) {
    gb_VMask ends, more;
    gb_v_add_wide(v->q, 1, NULL, n);
    gb_v_equal_wide(&ends, v->q, v->q_end, n);
    if (!gb_m_any(&ends, n)) return;
    gb_v_add_wide(v->p, 1, &ends, n);
    gb_v_less_wide(&more, v->p, v->p_end, n);
    gb_m_and(&ends, &more, n);
    find_rows(g, v, &ends, n);
}

/* The slots of the columns; lanes outside the range are not live. */
static void find_dense(const gb_VectorBlock *block, unsigned n) {
    gb_VectorLanes *v = block->w->lanes;
    uint32_t *table = block->w->table;
    if (block->ranged) {
        gb_v_minus(v->other, v->j, block->first, n);
        gb_v_below(&v->live, v->other, block->width, n);
        gb_v_sum(v->slot, v->base, v->other, n);
    } else {
        gb_m_all(&v->live, n);
        gb_v_sum(v->slot, v->base, v->j, n);
    }
    if (block->w->g->mask_kind != GB_MASK_NONE) GB_ISA_NAME(gb_vector_mask)(block->w, n);
    gb_v_gather_slot(v->key, table, v->slot, &v->live, n);
    gb_v_equal_to(&v->fresh, v->key, 0, n);
    gb_m_and(&v->fresh, &v->live, n);
    gb_v_scatter_slot(table, v->slot, v->one, &v->fresh, n);
}

static void find_hashed(const gb_VectorBlock *block, unsigned n) {
    gb_VectorLanes *v = block->w->lanes;
    uint32_t *table = block->w->table;
    gb_VMask pending, found;
    gb_m_all(&v->live, n);
    gb_m_none(&v->fresh);
    if (block->w->g->mask_kind != GB_MASK_NONE) GB_ISA_NAME(gb_vector_mask)(block->w, n);
    pending = v->live;
    gb_v_hash(v->slot, v->base, v->j, HASH_FACTOR, block->shift, n);
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
        gb_v_next(v->slot, v->base, block->most, &pending, n);
    }
}

/* All products of the block, of its range of columns. */
static void sum_products(const gb_VectorBlock *block) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    unsigned n = block->b;
    begin(block);
    for (uint64_t step = 1; n > 0; step++) {
        gb_v_gather_index(v->j, w->g->B.i, v->q, NULL, n);
        if (block->hashed)
            find_hashed(block, n);
        else
            find_dense(block, n);
        if (!block->hashed) {
            gb_v_scatter_slot(w->list, v->cursor, v->slot, &v->fresh, n);
            gb_v_add(v->cursor, 1, &v->fresh, n);
        }
        w->kernel->accumulate(&w->args, v, n, w->table_val);
        while (n > 0 && v->flops[n - 1] <= step) n--;
        if (n > 0) advance(w->g, v, n);
    }
}

/* The columns of lane l from its list of slots, which become free. */
static void list_dense(const gb_VectorBlock *block, unsigned l) {
    gb_VectorWork *w = block->w;
    const gb_VectorLanes *v = w->lanes;
    for (uint32_t e = v->list[l]; e < v->cursor[l]; e += GB_VL_MOST) {
        const unsigned n = gb_v_lanes(e, v->cursor[l]);
        gb_v_minus(w->column + e, w->list + e, v->base[l] - block->first, n);
        gb_v_scatter_all(w->table, w->list + e, 0, n);
    }
}

/* Columns and slots of lane l from its table: every second slot is used at least in the mean, so
 * passing over it takes less than keeping a list would. */
static void list_hashed(const gb_VectorBlock *block, unsigned l) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    const uint32_t base = v->base[l];
    uint32_t at = v->list[l];
    for (uint32_t s = 0; s < block->width; s += GB_VL_MOST)
        at += gb_v_list_used(w->column + at, w->list + at, w->table + base + s, GB_NO_KEY, base + s,
                             gb_v_lanes(s, block->width));
    v->cursor[l] = at;
}

/* Rows of C get what lanes have found. */
static void emit(const gb_VectorBlock *block, const gb_VectorOut *out) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    gb_VectorEntries rows[GB_VL_MOST];
    for (unsigned l = 0; l < block->b; l++) {
        if (block->hashed)
            list_hashed(block, l);
        else
            list_dense(block, l);
        const uint32_t from = v->list[l];
        rows[l] =
            (gb_VectorEntries){v->row[l], v->cursor[l] - from, w->column + from, w->list + from};
    }
    GB_ISA_NAME(gb_vector_emit)(w, rows, block->b, w->table_val, out);
}

/* One range of columns, or all. */
static void run(const gb_VectorBlock *block, const gb_VectorOut *out) {
    gb_VectorLanes *v = block->w->lanes;
    if (block->hashed) {
        const size_t slots = (size_t)block->b * block->width;
        memset(block->w->table, 0xFF, slots * sizeof *block->w->table);
    }
    gb_v_copy(v->cursor, v->list, block->b);
    sum_products(block);
    emit(block, out);
}

/* How many of b rows, the first of so many entries at most, are computed together, and the slots
 * that each gets: what the variant allows, or one row. */
static unsigned shape(gb_VectorBlock *block, unsigned b, uint64_t capacity) {
    const gb_MxmArgs *g = block->w->g;
    const uint64_t slots = g->way.bytes / (g->args.zsize + sizeof(uint32_t));
    if (block->hashed) {
        uint64_t size = 2; /* the least power of two above */
        while (size <= capacity) size *= 2;
        if (size >= GB_VECTOR_SLOTS_MOST) size = GB_VECTOR_SLOTS_MOST; /* refused by reserve */
        while (b > 1 && b * size > slots) b--;
        block->most = (uint32_t)(size - 1);
        block->shift = (unsigned)__builtin_clz(block->most);
        block->width = (uint32_t)size;
        return b;
    }
    b = gb_vector_dense_rows(slots, g->B.nminor, b);
    uint64_t width = slots / b;
    if (width == 0) width = 1;
    if (width > g->B.nminor) width = g->B.nminor;
    block->width = (uint32_t)width;
    block->ranged = width < g->B.nminor;
    return b;
}

/* b rows, of which the shape allows all. */
static void run_rows(gb_VectorBlock *block, const uint64_t *order, const gb_VectorOut *out) {
    gb_VectorWork *w = block->w;
    gb_VectorLanes *v = w->lanes;
    const gb_MxmArgs *g = w->g;
    uint32_t list = 0;
    if (!GB_ISA_NAME(gb_vector_reserve_table)(w, (uint64_t)block->b * block->width)) return;
    for (unsigned l = 0; l < block->b; l++) {
        const uint64_t i = out->from + (uint32_t)order[l];
        v->row[l] = i;
        v->flops[l] = g->flops[i + 1] - g->flops[i];
        v->base[l] = l * block->width;
        v->list[l] = list;
        const uint64_t capacity = gb_vector_capacity(g, v->flops[l]);
        list += capacity < block->width ? (uint32_t)capacity : block->width;
    }
    if (block->hashed || !block->ranged) {
        run(block, out);
        return;
    }
    for (uint64_t first = 0; first < g->B.nminor; first += block->width) {
        block->first = (gb_Idx)first;
        run(block, out);
    }
}

void GB_ISA_NAME(gb_vector_block)(gb_VectorWork *w, const uint64_t *order, unsigned b,
                                  const gb_VectorOut *out) {
    gb_VectorBlock block = {.w = w, .hashed = w->g->way.kind == GB_BLOCKS_HASHED};
    while (b > 0 && w->wanted == 0) {
        const uint64_t i = out->from + (uint32_t)order[0];
        block.b = shape(&block, b, gb_vector_capacity(w->g, w->g->flops[i + 1] - w->g->flops[i]));
        run_rows(&block, order, out);
        order += block.b;
        b -= block.b;
        if (block.hashed)
            w->rows_hashed += block.b;
        else
            w->rows_dense += block.b;
    }
}
