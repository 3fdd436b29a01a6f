/* SPDX-License-Identifier: Apache-2.0
 *
 * See panels.h.
 */
#include "matrix/panels.h"

#include "core/memory.h"
#include "matrix/bits.h"

/* Under the lock; leaves nothing where memory is short. */
static void make(gb_PanelCache *cache, const gb_MxmArgs *g, bool values) {
    size_t bytes;
    const size_t entry = sizeof(gb_Idx) + sizeof(uint16_t) + (values ? g->args.zsize : 0);
    const uint64_t panels = g->A.nmajor / gb_panel_rows(g->args.zsize) + 1;
    if (!gb_size_mul(&bytes, g->A.nvals, entry)) return;
    bytes += (panels + 1) * (sizeof(gb_Off) + sizeof(uint32_t));
    void *block = gb_malloc(bytes);
    if (block == NULL) return;
    cache->view =
        (gb_PanelView){.lanes = gb_panel_rows(g->args.zsize), .size = values ? g->args.zsize : 0};
    if (gb_backend()->keep_panels(g, block, &cache->view)) {
        cache->block = block;
        cache->bytes = bytes;
        return;
    }
    gb_free(block, bytes);
    cache->view = (gb_PanelView){0};
}

/* Those that serve: with values, else with or without, whatever is there. */
static gb_PanelCache *choose(gb_RowCaches *rows, gb_PanelKind kind) {
    gb_PanelCache *pattern = &rows->panels[(kind.lanes == 16) + 2 * kind.grouped];
    gb_PanelCache *valued = pattern + GB_PANEL_CACHES / 2;
    return kind.values || valued->view.lanes > 0 ? valued : pattern;
}

bool gb_panels_at_hand(gb_Matrix *A, gb_Format format, gb_PanelKind kind) {
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = A->rows[format];
    const bool found = rows != NULL && choose(rows, kind)->view.lanes > 0;
    pthread_mutex_unlock(&A->lock);
    return found;
}

gb_PanelView gb_panels_get(gb_Matrix *A, gb_Format format, const gb_MxmArgs *g, bool values) {
    gb_PanelView found = {0};
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) {
        const gb_PanelKind kind = {gb_panel_rows(g->args.zsize), g->order != NULL, values};
        gb_PanelCache *cache = choose(rows, kind);
        if (cache->view.lanes == 0 && cache->wanted) make(cache, g, values);
        cache->wanted = true;
        found = cache->view;
    }
    pthread_mutex_unlock(&A->lock);
    return found;
}
