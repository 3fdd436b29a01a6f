/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the row-wise product, and keys of its short rows; no semiring matters here, so this
 * is compiled once and not with each. Workspace is made when the first row asks for it, by the
 * thread that uses it, so that its pages are near that thread and unused accumulators cost nothing.
 */
#include "cpu/rowwise/rowwork.h"

#include "core/arrays.h"
#include "cpu/simd/lanes.h"

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

/* -- keys of short rows ------------------------------------------------------------------------ */

/* Brought into lanes and sorted. Where the set has registers for rows (GB_HAS_ROWS), narrow keys
 * are brought into lanes, and back into rows, by transposing blocks of 16 rows and 16 keys: no loop
 * then depends on the length of a single row, whose end would be guessed wrong for most rows. */
static void put_rows(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    const gb_Lanes32 none = gb_all32(GB_NO_KEY);
    for (unsigned s = 0; s < keys->size; s += GB_LANES) {
        const gb_Lanes32 number = gb_numbers32(s);
        gb_Lanes32 r[GB_LANES];
        for (unsigned l = 0; l < GB_LANES; l++) {
            const unsigned f = l < batch->n ? batch->products[l] : 0, n = f > s ? f - s : 0;
            /* an address that is mapped even where nothing is loaded: else it takes 100 ns */
            const gb_Lanes32 j = gb_load_first32(n > 0 ? col[l] + s : col[0], n);
            r[l] = gb_first_or32(n, j << 6 | number, none);
        }
        gb_transpose32(r);
        for (unsigned k = 0; k < GB_LANES && s + k < keys->size; k++) keys->narrow[s + k] = r[k];
    }
}

static void take_rows(gb_ShortKeys *keys) {
    for (unsigned s = 0; s < keys->size; s += GB_LANES) {
        gb_Lanes32 r[GB_LANES];
        for (unsigned k = 0; k < GB_LANES; k++)
            r[k] = s + k < keys->size ? keys->narrow[s + k] : gb_all32(0);
        gb_transpose32(r);
        for (unsigned l = 0; l < GB_LANES; l++) gb_store32(&keys->row[l][s], r[l]);
    }
}

static void put_narrow(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    memset(keys->narrow, 0xFF, keys->size * sizeof keys->narrow[0]);
    for (unsigned l = 0; l < batch->n; l++) {
        uint32_t *to = (uint32_t *)keys->narrow + l;
        for (unsigned s = 0; s < batch->products[l]; s++) to[GB_LANES * s] = col[l][s] << 6 | s;
    }
}

static void put_wide(gb_ShortKeys *keys, const gb_ShortRows *batch, const gb_Idx *const *col) {
    memset(keys->wide_keys, 0xFF, sizeof keys->wide_keys);
    for (unsigned l = 0; l < batch->n; l++) {
        uint64_t *to = (uint64_t *)keys->wide_keys[l / 8] + l % 8;
        for (unsigned s = 0; s < batch->products[l]; s++) to[8 * s] = (uint64_t)col[l][s] << 32 | s;
    }
}

void GB_ISA_NAME(gb_short_sort)(gb_ShortKeys *keys, uint64_t ncols, const gb_ShortRows *batch,
                                const gb_Idx *const *col) {
    const unsigned longest = batch->longest;
    keys->wide = ncols > (uint64_t)1 << 26;
    keys->size = longest <= 8 ? 8 : longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
    if (keys->wide) {
        put_wide(keys, batch, col);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[0]);
        GB_ISA_NAME(gb_sort_lanes64)(keys->wide_keys[1]);
        return;
    }
    if (GB_HAS_ROWS)
        put_rows(keys, batch, col);
    else
        put_narrow(keys, batch, col);
    GB_ISA_NAME(gb_sort_lanes32)(keys->narrow, keys->size);
    if (GB_HAS_ROWS) take_rows(keys);
}
