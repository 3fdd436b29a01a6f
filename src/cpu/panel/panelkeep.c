/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels that a matrix keeps (core/panels.h): rows of A are united once, and every later product
 * reads what came out. Making them takes what a product takes to unite rows, and reading them an
 * inner index after the other, whose values are put into lanes.
 */
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "cpu/panel/panelwork.h"

typedef struct {
    const gb_MxmArgs *g;
    gb_Off *at;
    gb_Idx *k;
    uint32_t *count;
    uint16_t *holders;
    char *x;
    unsigned lanes;
    size_t size;
    uint64_t panels;
    bool failed; /* atomic */
} Keeping;

/* Inner indices, their holders and values of the panel that was united. */
static void keep_panel(const Keeping *of, const gb_PanelWork *w, uint64_t panel) {
    const gb_Off at = of->at[panel];
    char *x = of->x + at * of->size;
    of->count[panel] = (uint32_t)w->count;
    if (w->count == 0) return;
    memcpy(of->k + at, w->k, w->count * sizeof *of->k);
    memcpy(of->holders + at, w->holders, w->count * sizeof *of->holders);
    if (of->size == 0) return;
    for (uint64_t u = 0; u < w->count; u++)
        for (unsigned left = w->holders[u]; left != 0; left &= left - 1, x += of->size)
            memcpy(x, w->a + (u * w->lanes + (unsigned)__builtin_ctz(left)) * of->size, of->size);
}

static void keep_range(void *context, uint64_t from, uint64_t to) {
    Keeping *of = context;
    const gb_MxmArgs *g = of->g;
    gb_PanelWork *w = gb_malloc(sizeof *w);
    bool good = w != NULL && GB_ISA_NAME(gb_panelwork_new)(w, g, of->size > 0) == GBL_SUCCESS;
    for (uint64_t panel = from; good && panel < to; panel++) {
        GB_ISA_NAME(gb_panel_begin)(w, g, panel * of->lanes, g->A.nmajor);
        good = GB_ISA_NAME(gb_panel_unite)(w, g, (1u << w->height) - 1u);
        if (good) keep_panel(of, w, panel);
    }
    if (!good) __atomic_store_n(&of->failed, true, __ATOMIC_RELAXED);
    if (w == NULL) return;
    GB_ISA_NAME(gb_panelwork_free)(w);
    gb_free(w, sizeof *w);
}

bool GB_ISA_NAME(gb_keep_panels)(const gb_MxmArgs *g, void *block, gb_PanelView *view) {
    const uint64_t m = g->A.nmajor, nvals = g->A.nvals;
    Keeping of = {.g = g, .lanes = view->lanes, .size = view->size, .at = block};
    of.panels = (m + of.lanes - 1) / of.lanes;
    of.k = (gb_Idx *)(of.at + of.panels + 1);
    of.count = of.k + nvals;
    of.x = (char *)(of.count + of.panels);
    of.holders = (uint16_t *)(void *)(of.x + nvals * of.size);
    for (uint64_t k = 0, sum = 0; k <= m; k++) {
        if (k % of.lanes == 0) of.at[k / of.lanes] = sum;
        if (k == m) of.at[of.panels] = sum;
        if (k == m) break;
        const gb_Idx row = g->order != NULL ? g->order[k] : (gb_Idx)k;
        sum += g->A.p[row + 1] - g->A.p[row];
    }
    gb_parallel_ranges(g->nthreads, of.panels, keep_range, &of);
    view->at = of.at;
    view->k = of.k;
    view->count = of.count;
    view->holders = of.holders;
    view->x = of.x;
    return !of.failed;
}
