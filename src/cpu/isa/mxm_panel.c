/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the product by panels: 8 neighbouring rows of A at a time (16 where values have 4 bytes
 * or 1), one a lane of vectors. A row of B that several of them meet is read once for all of them,
 * and the columns of C are put in order once (panelwork.h, panelpieces.c,
 * panel.tmpl.h, panelrows.c).
 *
 * Threads take chunks of whole panels, computed into buffers that cpu/place.c puts in their places.
 * The result does not depend on threads, nor on where panels begin: every sum is one lane's, in the
 * order of k.
 */
#include "core/bits.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "cpu/isa/panelwork.h"
#include "cpu/place.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/isa/panel.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    gb_PanelAdd *add;
    void (*rest)(char *rest);
} gb_PanelKernel;

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {panel_add_##name, panel_rest_##name},
static const gb_PanelKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {panel_add_GENERIC, panel_rest_GENERIC}};
#undef ENTRY

/* Entries to make C's arrays for: as samples say, with a margin, and no more than products allow.
 */
static uint64_t expected_entries(const gb_MxmArgs *g, const gb_Chunks *chunks) {
    const uint64_t most = gb_place_capacity(g, chunks);
    const double flops = (double)g->flops[g->A.nmajor];
    const double wanted =
        g->compression > 1.0 ? flops / g->compression * GB_ESTIMATE_MARGIN + 1.0 : flops;
    return wanted < (double)most ? gb_to_u64(wanted) : most;
}

/* -- panels ------------------------------------------------------------------------------------ */

typedef struct {
    const gb_MxmArgs *g;
    gb_Placer *P;
    gb_PanelWork *work; /* [threads] */
} Run;

/* Rows of the panel that can have entries. */
static unsigned open_rows(const gb_PanelWork *w, const gb_MxmArgs *g) {
    const uint64_t closed = g->mask_kind == GB_MASK_INSIDE ? 0 : g->B.nminor;
    unsigned rows = (1u << w->height) - 1u;
    for (unsigned l = 0; g->mask_kind != GB_MASK_NONE && l < w->height; l++)
        if (g->M.p[w->row + l + 1] - g->M.p[w->row + l] == closed) rows &= ~(1u << l);
    return rows;
}

/* The panel of rows [row, to); returns its entries. */
static uint64_t run_panel(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t to, gb_PanelOut out) {
    w->height = to - w->row < w->lanes ? (unsigned)(to - w->row) : w->lanes;
    for (unsigned l = 0; l < w->height; l++) out.p[w->row + l] = out.n;
    if (!GB_ISA_NAME(gb_panel_unite)(w, g, open_rows(w, g)) || w->count == 0) return 0;
    if (!GB_ISA_NAME(gb_panel_frame)(w, g) || w->span == 0) return 0;
    GB_ISA_NAME(gb_panel_multiply)(w, g, kernels[g->ring].add);
    *(w->hashed ? &w->tables : &w->windows) += w->height;
    return GB_ISA_NAME(gb_panel_write)(w, g, out);
}

static void run_thread(void *context, int t) {
    const Run *run = context;
    const gb_MxmArgs *g = run->g;
    gb_Placer *P = run->P;
    gb_PanelWork *w = &run->work[t];
    uint64_t c;
    gb_Buffer *buffer;
    while (gb_place_next(P, t, &c, &buffer)) {
        const uint64_t from = P->chunks->row[c], to = P->chunks->row[c + 1];
        const bool go_on = gb_progress_add(g->meter, g->flops[to] - g->flops[from]);
        gb_PanelOut out = {P->T->p, buffer->i, buffer->x, 0};
        for (w->row = from; go_on && w->row < to && w->wanted == 0; w->row += w->height)
            out.n += run_panel(w, g, to, out);
        if (w->wanted > 0) gb_place_stop(P, GBL_OUT_OF_MEMORY, w->wanted);
        gb_place_done(P, t, buffer, go_on && w->wanted == 0 ? out.n : 0);
    }
}

/* All chunks, on the threads of P; `shift` is of B's rows. */
static gbl_Info run_all(const gb_MxmArgs *g, const uint8_t *shift, gb_Placer *P,
                        gb_MxmStats *stats) {
    const gb_CsView *A = &g->A;
    const size_t bytes = (size_t)P->nthreads * sizeof(gb_PanelWork);
    gb_PanelWork *work = gb_calloc(bytes);
    gbl_Info info = work != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
    for (int t = 0; t < P->nthreads && info == GBL_SUCCESS; t++) {
        info = GB_ISA_NAME(gb_panelwork_new)(&work[t], g, A->x != NULL);
        kernels[g->ring].rest(work[t].rest);
        work[t].shift = shift;
    }
    if (info == GBL_SUCCESS) {
        gb_place_run(P, run_thread, &(Run){g, P, work});
        info = gb_progress_end(g->meter);
    }
    for (int t = 0; work != NULL && t < P->nthreads; t++) {
        stats->dense += work[t].windows;
        stats->hashed += work[t].tables;
        stats->seconds_compact += P->thread[t].seconds / P->nthreads;
        GB_ISA_NAME(gb_panelwork_free)(&work[t]);
    }
    gb_free(work, bytes);
    return info;
}

typedef struct {
    const gb_CsView *B;
    uint8_t *shift;
} Relation;

static void relate_range(void *context, uint64_t from, uint64_t to) {
    const Relation *of = context;
    GB_ISA_NAME(gb_panel_relate)(of->B, from, to, of->shift);
}

gbl_Info GB_ISA_NAME(gb_mxm_panel)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    gb_Placer P;
    uint8_t *shift = gb_malloc(g->B.nmajor);
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){0};
    gbl_Info info = shift != NULL || g->B.nmajor == 0
                        ? gb_chunks_by_flops(&chunks, g, GB_PANEL_LANES)
                        : gb_fail_memory(g->B.nmajor);
    if (info == GBL_SUCCESS) info = gb_place_begin(&P, g, &chunks, T, expected_entries(g, &chunks));
    if (info == GBL_SUCCESS) {
        gb_parallel_ranges(g->nthreads, g->B.nmajor, relate_range, &(Relation){&g->B, shift});
        info = run_all(g, shift, &P, stats);
        if (info != GBL_SUCCESS) gb_place_stop(&P, info, 0);
        stats->slices = P.slices;
        info = gb_place_end(&P);
    }
    if (info == GBL_SUCCESS) T->sorted = true;
    gb_chunks_free(&chunks);
    gb_free(shift, g->B.nmajor);
    return info;
}
