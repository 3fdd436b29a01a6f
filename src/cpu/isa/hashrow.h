/* SPDX-License-Identifier: Apache-2.0
 *
 * What rows in hash tables (hashrow.tmpl.h) do that does not depend on the semiring.
 */
#ifndef GB_CPU_ISA_HASHROW_H
#define GB_CPU_ISA_HASHROW_H

#include "cpu/isa/rowwork.h"

/* Instead of a number of entries: the row has more than its table may hold. */
#define GB_ROW_OVERFLOW UINT64_MAX

/* Time as the processor counts it, for shares of a whole; 0 where that is not cheap. */
static inline uint64_t gb_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* Frees the slots of the first n keys of the list. */
GB_PER_ROW void gb_forget(gb_RowWork *w, uint64_t n, bool narrow, unsigned bits) {
    const uint64_t slot = ((uint64_t)1 << bits) - 1;
    for (uint64_t e = 0; e < n; e++)
        w->table_key[(narrow ? ((uint32_t *)w->list)[e] : w->list[e]) & slot] = GB_NO_KEY;
}

/* The columns of the mask's row as LISTED; w->tmp remembers their slots. */
GB_PER_ROW void gb_mask_to_table(const gb_MxmArgs *g, gb_RowWork *w, const gb_Table *table,
                                 uint64_t i) {
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
    const uint64_t listed = g->M.p[i + 1] - g->M.p[i];
    for (uint64_t q = 0; q < listed; q++)
        if (w->state[w->tmp[q]] == GB_MARK_LISTED) table->key[w->tmp[q]] = GB_NO_KEY;
}

#endif
