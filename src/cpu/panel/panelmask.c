/* SPDX-License-Identifier: Apache-2.0
 *
 * The mask of a product by panels. Inside a mask only columns from the first to the last one that
 * the mask has in the panel's rows get slots, and where columns are looked up in a table it holds
 * those of the mask alone: products elsewhere go to a slot of their own, which nobody reads. When
 * all products are made the entries of the mask say which rows it has which columns for.
 *
 * Cost: O(entries of the mask in the panel's rows), and a search for each piece of a row of B that
 * reaches beyond them.
 */
#include "core/search.h"
#include "cpu/panel/panelwork.h"
#include "cpu/rowwise/probe.h"

uint64_t GB_ISA_NAME(gb_panel_mask_reach)(const gb_PanelWork *w, const gb_MxmArgs *g, gb_Idx *low,
                                          gb_Idx *high) {
    gb_Idx first = GB_NO_KEY, last = 0;
    uint64_t entries = 0;
    for (unsigned l = 0; l < w->height; l++) {
        const gb_Off from = g->M.p[w->rows[l]], to = g->M.p[w->rows[l] + 1];
        if (from == to) continue;
        entries += to - from;
        if (g->M.i[from] < first) first = g->M.i[from];
        if (g->M.i[to - 1] > last) last = g->M.i[to - 1];
    }
    if (*low < first) *low = first;
    if (*high > last) *high = last;
    return entries;
}

void GB_ISA_NAME(gb_panel_mask_keys)(gb_PanelWork *w, const gb_MxmArgs *g) {
    for (unsigned l = 0; l < w->height; l++) {
        const gb_Off end = g->M.p[w->rows[l] + 1];
        for (gb_Off from = g->M.p[w->rows[l]], to; from < end; from = to) {
            to = end - from > GB_PANEL_PIECE ? from + GB_PANEL_PIECE : end;
            GB_ISA_NAME(gb_panel_find)(w, g->M.i + from, to - from);
        }
    }
    w->closed = true;
}

void GB_ISA_NAME(gb_panel_clip)(const gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelPiece *piece) {
    const gb_Idx *column = g->B.i + piece->from[0];
    uint64_t from = 0, to = piece->count;
    if (column[0] < w->low) from = gb_first_at_least(column, 0, to, w->low);
    if (from < to && column[to - 1] > w->high)
        to = gb_first_at_least(column, from, to, (uint64_t)w->high + 1);
    for (unsigned r = 0; r < piece->rows; r++) piece->from[r] += from;
    piece->count = to - from;
}

/* The bit of lane l to columns Mi[from], ..., Mi[to - 1] that its row has a product for. */
static void mark_window(gb_PanelWork *w, const gb_Idx *Mi, gb_Off from, gb_Off to, unsigned l) {
    const uint16_t *restrict met = w->met;
    uint16_t *restrict listed = w->listed;
    const unsigned bit = 1u << l;
    const gb_Idx low = w->low, high = w->high;
    from = gb_first_at_least(Mi, from, to, low);
    for (gb_Off q = from; q < to && Mi[q] <= high; q++)
        listed[Mi[q] - low] |= (uint16_t)(met[Mi[q] - low] & bit);
}

static void mark_table(gb_PanelWork *w, const gb_Idx *Mi, gb_Off from, gb_Off to, unsigned l) {
    const gb_Table table = gb_table(w->key, w->table_bits);
    for (gb_Off q = from; q < to; q++) {
        bool is_new;
        const uint64_t at = gb_table_find(&table, Mi[q], &is_new);
        if (is_new) continue;
        const uint32_t s = w->number[at];
        w->listed[s] |= (uint16_t)(w->met[s] & 1u << l);
    }
}

void GB_ISA_NAME(gb_panel_mask_mark)(gb_PanelWork *w, const gb_MxmArgs *g) {
    for (unsigned l = 0; l < w->height; l++) {
        const gb_Off from = g->M.p[w->rows[l]], to = g->M.p[w->rows[l] + 1];
        if (w->hashed)
            mark_table(w, g->M.i, from, to, l);
        else
            mark_window(w, g->M.i, from, to, l);
    }
}
