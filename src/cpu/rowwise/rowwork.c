/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the row-wise product: made when the first row asks for it, by the thread that uses
 * it, so that its pages are near that thread and unused accumulators cost nothing.
 */
#include "cpu/rowwise/rowwork.h"

#include "core/arrays.h"

bool GB_ISA_NAME(gb_reserve_slots)(gb_RowWork *w, unsigned bits) {
    const uint64_t slots = (uint64_t)1 << bits;
    const size_t keys = slots * sizeof(gb_Idx), values = slots * w->args.zsize;
    if (bits < 32 && w->slots >= slots) return true;
    w->slots = 0;
    if (bits >= 32) { /* a key must hold column and slot in 64 bits */
        w->wanted = SIZE_MAX;
        return false;
    }
    char *at = gb_grow(&w->of_table, keys + values + slots * (2 * sizeof *w->list + 1), &w->wanted);
    if (at == NULL) return false;
    w->slots = slots;
    w->table_key = gb_carve(&at, keys);
    w->list = gb_carve(&at, slots * sizeof *w->list);
    w->tmp = gb_carve(&at, slots * sizeof *w->tmp);
    w->slot_val = gb_carve(&at, values);
    w->state = gb_carve(&at, slots);
    memset(w->table_key, 0xFF, keys);
    return true;
}

bool GB_ISA_NAME(gb_reserve_dense)(gb_RowWork *w, uint64_t n) {
    if (w->val != NULL || n == 0) return true;
    const size_t marks = n + 64, blocks = n / 64 + 65, values = n * w->args.zsize;
    char *at = gb_grow(&w->of_dense, values + marks + blocks, &w->wanted);
    if (at == NULL) return false;
    w->n = n;
    w->val = gb_carve(&at, values);
    w->mark = memset(gb_carve(&at, marks), 0, marks);
    w->block = memset(gb_carve(&at, blocks), 0, blocks);
    return true;
}

bool GB_ISA_NAME(gb_reserve_bits)(gb_RowWork *w, uint64_t n) {
    if (w->bits != NULL) return true;
    const uint64_t words = (n / GB_BITS_BLOCK + 1) * GB_BITS_WORDS;
    const size_t bytes = words * sizeof(uint64_t) + words + 64;
    char *at = gb_grow(&w->of_bits, bytes, &w->wanted);
    if (at == NULL) return false;
    w->bits = memset(at, 0, bytes);
    w->touched = (uint8_t *)(w->bits + words);
    return true;
}

bool GB_ISA_NAME(gb_reserve_products)(gb_RowWork *w) {
    w->prod = gb_grow(&w->of_products, (size_t)GB_SHORT_PRODUCTS * w->args.zsize, &w->wanted);
    return w->prod != NULL;
}

bool GB_ISA_NAME(gb_reserve_filter)(gb_RowWork *w, uint64_t n) {
    const uint64_t most = n + n / 2, held = w->of_filter.usable / (sizeof *w->rank + 1);
    if (w->of_filter.block != NULL && held >= n + 64) return true;
    char *at = gb_grow(&w->of_filter, (most + 64) * (sizeof *w->rank + 1), &w->wanted);
    if (at == NULL) return false;
    w->rank = gb_carve(&at, (most + 64) * sizeof *w->rank);
    w->keep = gb_carve(&at, most + 64);
    return true;
}

gbl_Info GB_ISA_NAME(gb_rowwork_new)(gb_RowWork *w, const gb_MxmArgs *g) {
    *w = (gb_RowWork){.args = g->args};
    w->args.scratch = gb_grow(&w->of_scratch, gb_scratch_bytes(&g->args), &w->wanted);
    return w->args.scratch != NULL ? GBL_SUCCESS : gb_fail_memory(w->wanted);
}

void GB_ISA_NAME(gb_rowwork_free)(gb_RowWork *w) {
    gb_grown_free(&w->of_dense);
    gb_grown_free(&w->of_bits);
    gb_grown_free(&w->of_table);
    gb_grown_free(&w->of_products);
    gb_grown_free(&w->of_filter);
    gb_grown_free(&w->of_scratch);
}
