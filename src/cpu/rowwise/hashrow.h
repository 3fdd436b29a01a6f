/* SPDX-License-Identifier: Apache-2.0
 *
 * What rows in hash tables (hashrow.tmpl.h) do that does not depend on the semiring.
 */
#pragma once

#include "core/arch.h"
#include "cpu/rowwise/rowwork.h"

/* Instead of a number of entries: the row has more than its table may hold. */
#define GB_ROW_OVERFLOW UINT64_MAX

/* Frees the slots of the first n keys of the list. */
GB_PER_ROW void gb_forget(gb_RowWork *w, uint64_t n, bool narrow, unsigned bits) {
    const uint64_t slot = ((uint64_t)1 << bits) - 1;
    for (uint64_t e = 0; e < n; e++)
        w->table_key[(narrow ? ((uint32_t *)w->list)[e] : w->list[e]) & slot] = GB_NO_KEY;
}

/* Moves n values from their slots to the row, and frees the slots. The e-th key is
 * j << bits | slot. */
GB_INLINE void gb_move_from_slots(const size_t size, const gb_RowWork *w, unsigned bits, uint64_t n,
                                  gb_RowPlace to, const bool narrow) {
    const uint64_t slot = ((uint64_t)1 << bits) - 1, *list = w->list;
    const char *from = (const char *)w->slot_val;
    char *restrict x = (char *)to.x;
    gb_Idx *restrict i = to.i, *restrict table_key = w->table_key;
    for (uint64_t e = 0; e < n; e++) {
        const uint64_t key = narrow ? ((const uint32_t *)list)[e] : list[e], s = key & slot;
        i[e] = (gb_Idx)(key >> bits);
        memcpy(x + e * size, from + s * size, size);
        table_key[s] = GB_NO_KEY;
    }
}

/* Writes n entries from their slots, in ascending columns unless any order will do, and frees the
 * slots. Once per size of a value, not per semiring. */
GB_PER_ROW void gb_emit_slots(const gb_MxmArgs *g, gb_RowWork *w, unsigned bits, uint64_t n,
                              gb_RowPlace to) {
    const int low = (int)bits, high = low + gb_key_bits(g->B.nminor);
    const bool narrow = high <= 32;
    const uint64_t begin = gb_ticks();
    if (!g->any_order && narrow)
        gb_sort32((uint32_t *)w->list, (uint32_t *)w->tmp, n, low, high);
    else if (!g->any_order)
        gb_sort64(w->list, w->tmp, n, low, high);
    w->sort_ticks += gb_ticks() - begin;
    const size_t size = w->args.zsize;
    if (narrow)
        GB_BY_SIZE(gb_move_from_slots, size, w, bits, n, to, true);
    else
        GB_BY_SIZE(gb_move_from_slots, size, w, bits, n, to, false);
}

/* The columns of the mask's row as LISTED; w->tmp remembers their slots. */
GB_PER_ROW void gb_mask_to_table(const gb_MxmArgs *g, gb_RowWork *w, const gb_Table *table,
                                 uint64_t i) {
    if (g->Mb != NULL) return; /* columns are looked up as they come */
    const gb_Off from = g->M.p[i], to = g->M.p[i + 1];
    for (gb_Off q = from; q < to; q++) {
        bool is_new;
        const uint64_t s = gb_table_find(table, g->M.i[q], &is_new);
        table->key[s] = g->M.i[q];
        w->state[s] = GB_MARK_LISTED;
        w->tmp[q - from] = s;
    }
}

/* Frees those that no product met; the others are freed with the row's entries. */
GB_PER_ROW void gb_mask_from_table(const gb_MxmArgs *g, gb_RowWork *w, const gb_Table *table,
                                   uint64_t i) {
    const uint64_t listed = gb_mask_listed(g, i);
    for (uint64_t q = 0; q < listed; q++)
        if (w->state[w->tmp[q]] == GB_MARK_LISTED) table->key[w->tmp[q]] = GB_NO_KEY;
}
