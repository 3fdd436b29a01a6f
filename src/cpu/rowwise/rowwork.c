/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the row-wise product: made when the first row asks for it, by the thread that uses
 * it, so that its pages are near that thread and unused accumulators cost nothing.
 */
#include "cpu/rowwise/rowwork.h"

#include "core/arrays.h"
#include "cpu/simd/isa.h"

static void slots_free(gb_RowWork *w) {
    gb_free(w->slot_key, (w->slots + GB_BUCKET) * sizeof(gb_Idx));
    gb_free(w->slot_val, w->slots * w->args.zsize);
    gb_free(w->state, w->slots);
    gb_free(w->list, w->slots * sizeof(uint64_t));
    gb_free(w->tmp, w->slots * sizeof(uint64_t));
    w->slot_key = NULL;
    w->slot_val = NULL;
    w->state = NULL;
    w->list = w->tmp = NULL;
    w->slots = 0;
}

static void filter_free(gb_RowWork *w) {
    gb_free(w->keep, w->filtered + 64);
    gb_free(w->rank, w->filtered * sizeof *w->rank);
    w->keep = NULL;
    w->rank = NULL;
    w->filtered = 0;
}

bool GB_ISA_NAME(gb_reserve_slots)(gb_RowWork *w, unsigned bits) {
    if (bits < 32 && w->slots >= (uint64_t)1 << bits) return true;
    slots_free(w);
    const uint64_t slots = (uint64_t)1 << bits;
    if (bits >= 32) { /* a key must hold column and slot in 64 bits */
        w->wanted = SIZE_MAX;
        return false;
    }
    w->slots = slots;
    w->slot_key = gb_malloc((slots + GB_BUCKET) * sizeof(gb_Idx));
    w->slot_val = gb_malloc(slots * w->args.zsize);
    w->state = gb_malloc(slots);
    w->list = gb_malloc(slots * sizeof(uint64_t));
    w->tmp = gb_malloc(slots * sizeof(uint64_t));
    if (w->slot_key == NULL || w->slot_val == NULL || w->state == NULL || w->list == NULL ||
        w->tmp == NULL) {
        slots_free(w);
        w->wanted = slots * (sizeof(gb_Idx) + w->args.zsize + 1 + 2 * sizeof(uint64_t));
        return false;
    }
    w->table_key = (gb_Idx *)(((uintptr_t)w->slot_key + 63) & ~(uintptr_t)63);
    memset(w->table_key, 0xFF, slots * sizeof(gb_Idx));
    return true;
}

bool GB_ISA_NAME(gb_reserve_dense)(gb_RowWork *w, uint64_t n) {
    if (w->val != NULL || n == 0) return true;
    w->n = n;
    w->val = gb_malloc(n * w->args.zsize);
    w->mark = gb_calloc(n + 64);
    w->block = gb_calloc(n / 64 + 65);
    if (w->val != NULL && w->mark != NULL && w->block != NULL) return true;
    w->wanted = n * (w->args.zsize + 1);
    gb_free(w->val, n * w->args.zsize);
    w->val = NULL;
    return false;
}

bool GB_ISA_NAME(gb_reserve_bits)(gb_RowWork *w, uint64_t n) {
    if (w->bits != NULL) return true;
    const uint64_t words = (n / GB_BITS_BLOCK + 1) * GB_BITS_WORDS;
    w->bit_bytes = 64 + words * sizeof(uint64_t) + words + 64;
    w->bit_memory = gb_calloc(w->bit_bytes);
    if (w->bit_memory == NULL) {
        w->wanted = w->bit_bytes;
        return false;
    }
    w->bits = (uint64_t *)(((uintptr_t)w->bit_memory + 63) / 64 * 64);
    w->touched = (uint8_t *)(w->bits + words);
    return true;
}

bool GB_ISA_NAME(gb_reserve_products)(gb_RowWork *w) {
    if (w->prod != NULL) return true;
    w->prod = gb_malloc((size_t)GB_SHORT_PRODUCTS * w->args.zsize);
    if (w->prod == NULL) w->wanted = (size_t)GB_SHORT_PRODUCTS * w->args.zsize;
    return w->prod != NULL;
}

bool GB_ISA_NAME(gb_reserve_filter)(gb_RowWork *w, uint64_t n) {
    if (w->filtered >= n) return true;
    filter_free(w);
    w->filtered = n + n / 2;
    w->keep = gb_malloc(w->filtered + 64);
    w->rank = gb_malloc(w->filtered * sizeof *w->rank);
    if (w->keep != NULL && w->rank != NULL) return true;
    w->wanted = w->filtered * (sizeof *w->rank + 1);
    filter_free(w);
    return false;
}

gbl_Info GB_ISA_NAME(gb_rowwork_new)(gb_RowWork *w, const gb_MxmArgs *g) {
    *w = (gb_RowWork){.args = g->args};
    w->scratch = gb_malloc(2 * g->args.zsize);
    w->args.scratch = w->scratch;
    return w->scratch != NULL ? GBL_SUCCESS : gb_fail_memory(2 * g->args.zsize);
}

void GB_ISA_NAME(gb_rowwork_free)(gb_RowWork *w) {
    slots_free(w);
    filter_free(w);
    gb_free(w->val, w->n * w->args.zsize);
    gb_free(w->mark, w->n + 64);
    gb_free(w->block, w->n / 64 + 65);
    gb_free(w->bit_memory, w->bit_bytes);
    gb_free(w->prod, (size_t)GB_SHORT_PRODUCTS * w->args.zsize);
    gb_free(w->scratch, 2 * w->args.zsize);
}
