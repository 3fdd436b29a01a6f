/* SPDX-License-Identifier: Apache-2.0
 *
 * A row summed in a hash table (probe.h) sized by the expected entries of the row. A row that has
 * more is found out before the table is full, set aside, and computed again in a table that holds
 * all its products. Part of rowwise.tmpl.h.
 *
 * Each entry leaves one key in w->list: its column above the slot of its value, 32 bits together
 * where both fit, else 64. The keys are sorted, and the values then move once, from their slots to
 * the row.
 */

#include "cpu/rowwise/hashrow.h"
#include "cpu/simd/template.h"

/* The number of entries, or GB_ROW_OVERFLOW with a clean table where the capacity is too small. */
static inline uint64_t NAME(hash_plain)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i,
                                        uint64_t capacity, unsigned bits) {
    const gb_RingArgs *R = &w->args;
    const gb_Idx *restrict Ai = g->A.i, *restrict Bi = g->B.i;
    const gb_Table table = gb_table(w->table_key, bits);
    const bool narrow = (unsigned)gb_key_bits(g->B.nminor) + bits <= 32;
    uint64_t n = 0;
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = Ai[p];
        gb_prefetch_rows(g, p, SR_USES_B);
        SR_HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < g->B.p[k + 1]; q++) {
            const gb_Idx j = Bi[q];
            bool is_new;
            const uint64_t s = gb_table_find(&table, j, &is_new);
            if (!is_new) {
                SR_FMA(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
                continue;
            }
            if (n == capacity) {
                gb_forget(w, n, narrow, bits);
                return GB_ROW_OVERFLOW;
            }
            table.key[s] = j;
            SR_SET(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
            if (narrow)
                ((uint32_t *)w->list)[n++] = (uint32_t)((uint64_t)j << bits | s);
            else
                w->list[n++] = (uint64_t)j << bits | s;
        }
        (void)a;
    }
    return n;
}

/* With a mask: its columns are in the table first, with the state LISTED. A product inside the mask
 * finds its column there or is dropped; outside, it is dropped if it does. */
static inline uint64_t NAME(hash_masked)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i,
                                         unsigned bits, gb_Idx *Ci, void *Cx) {
    const gb_RingArgs *R = &w->args;
    const gb_Table table = gb_table(w->table_key, bits);
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    const bool narrow = (unsigned)gb_key_bits(g->B.nminor) + bits <= 32;
    const int8_t *cells = gb_mask_cells(g, i);
    uint64_t n = 0;
    gb_mask_to_table(g, w, &table, i);
    for (gb_Off p = g->A.p[i]; p < g->A.p[i + 1]; p++) {
        const uint64_t k = g->A.i[p];
        SR_HOLD_A(a, p);
        for (gb_Off q = g->B.p[k]; q < g->B.p[k + 1]; q++) {
            const gb_Idx j = g->B.i[q];
            bool is_new;
            const uint64_t s = gb_table_find(&table, j, &is_new);
            if (is_new && cells != NULL ? (cells[j] != 0) != inside
                : is_new                ? inside
                                        : !inside && w->state[s] == GB_MARK_LISTED)
                continue;
            if (!is_new && w->state[s] == GB_MARK_FOUND) {
                SR_FMA(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
                continue;
            }
            table.key[s] = j;
            w->state[s] = GB_MARK_FOUND;
            SR_SET(SR_AT(w->slot_val, s), a, SR_B(q), i, k, (uint64_t)j);
            if (narrow)
                ((uint32_t *)w->list)[n++] = (uint32_t)((uint64_t)j << bits | s);
            else
                w->list[n++] = (uint64_t)j << bits | s;
        }
        (void)a;
    }
    gb_mask_from_table(g, w, &table, i);
    gb_emit_slots(g, w, bits, n, (gb_RowPlace){Ci, Cx});
    return n;
}

static uint64_t NAME(row_hash)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                               void *Cx) {
    const uint64_t f = g->flops[i + 1] - g->flops[i];
    const uint64_t most = f < g->B.nminor ? f : g->B.nminor;
    if (g->mask_kind != GB_MASK_NONE) {
        const unsigned bits = gb_table_bits(gb_masked_capacity(g, i, f));
        if (!GB_ISA_NAME(gb_reserve_slots)(w, bits)) return 0;
        return NAME(hash_masked)(g, w, i, bits, Ci, Cx);
    }
    uint64_t capacity = gb_row_capacity(g, i, f);
    for (;;) {
        const unsigned bits = gb_table_bits(capacity);
        if (!GB_ISA_NAME(gb_reserve_slots)(w, bits)) return 0;
        capacity = 3 * ((uint64_t)1 << bits) / 4; /* rounding up absorbs some underestimates */
        const uint64_t n = NAME(hash_plain)(g, w, i, capacity, bits);
        if (n != GB_ROW_OVERFLOW) {
            gb_emit_slots(g, w, bits, n, (gb_RowPlace){Ci, Cx});
            return n;
        }
        w->overflowed++;
        capacity = most;
    }
}
