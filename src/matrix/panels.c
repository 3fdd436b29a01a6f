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

/* Their number in the cache. */
static int number(unsigned lanes, bool grouped) {
    return (lanes == 16) + 2 * grouped;
}

bool gb_panels_at_hand(gb_Matrix *A, gb_Format format, unsigned lanes, bool grouped) {
    pthread_mutex_lock(&A->lock);
    const gb_RowCaches *rows = A->rows[format];
    const bool found = rows != NULL && rows->panels[number(lanes, grouped)].view.lanes == lanes;
    pthread_mutex_unlock(&A->lock);
    return found;
}

gb_PanelView gb_panels_get(gb_Matrix *A, gb_Format format, const gb_MxmArgs *g, bool values) {
    gb_PanelView found = {0};
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) {
        gb_PanelCache *cache =
            &rows->panels[number(gb_panel_rows(g->args.zsize), g->order != NULL)];
        if (cache->view.lanes == 0 && cache->wanted) make(cache, g, values);
        cache->wanted = true;
        if (!values || cache->view.size == g->args.zsize) found = cache->view;
    }
    pthread_mutex_unlock(&A->lock);
    return found;
}
