/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the product by panels: 8 neighbouring rows of A at a time (16 where values have 4 bytes
 * or 1), one a lane of vectors. A row of B that several of them meet is read once for all of them,
 * and the columns of C are put in order once (panelwork.h, panelpieces.c,
 * panel.tmpl.h, panelrows.c). Rows that are alike but far apart come together where g->order says
 * so; C is made in that order, and its rows are put back last (cpu/common/ungroup.h).
 *
 * Threads take chunks of whole panels, computed into buffers that cpu/common/compact.c puts in
 * their places. The result does not depend on threads, nor on where panels begin: every sum is one
 * lane's, in the order of k.
 */
#include <string.h>

#include "core/arrays.h"
#include "core/bits.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "cpu/panel/panelwork.h"
#include "cpu/rowwise/rowfilter.h"
#include "cpu/common/compact.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/panel/panel.tmpl.h"
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
    const uint64_t most = gb_compaction_capacity(g, chunks);
    if (g->filter != NULL) return gb_filtered_capacity(g, most);
    const double flops = (double)g->flops[g->A.nmajor];
    const double wanted =
        g->compression > 1.0 ? flops / g->compression * GB_ESTIMATE_MARGIN + 1.0 : flops;
    return wanted < (double)most ? gb_to_u64(wanted) : most;
}

/* -- panels ------------------------------------------------------------------------------------ */

typedef struct {
    const gb_MxmArgs *g;
    gb_Compaction *P;
    gb_PanelWork *work; /* [threads] */
} Run;

/* Rows of the panel that can have entries. */
static unsigned open_rows(const gb_PanelWork *w, const gb_MxmArgs *g) {
    const uint64_t closed = g->mask_kind == GB_MASK_INSIDE ? 0 : g->B.nminor;
    unsigned rows = (1u << w->height) - 1u;
    for (unsigned l = 0; g->mask_kind != GB_MASK_NONE && l < w->height; l++)
        if (g->M.p[w->rows[l] + 1] - g->M.p[w->rows[l]] == closed) rows &= ~(1u << l);
    return rows;
}

/* Filters the rows of the panel, `entries` together; returns what is left of these. */
static uint64_t filter_rows(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelOut out,
                            uint64_t entries) {
    const size_t size = w->args.zsize;
    uint64_t at = out.n;
    for (unsigned l = 0; l < w->height; l++) {
        const uint64_t from = out.p[w->at + l];
        const uint64_t to = l + 1 < w->height ? out.p[w->at + l + 1] : out.n + entries;
        char *x = out.x + from * size;
        const uint64_t kept =
            GB_ISA_NAME(gb_filter_row)(g, &w->filter, w->rows[l], out.i + from, x, to - from);
        memmove(out.i + at, out.i + from, kept * sizeof *out.i);
        memmove(out.x + at * size, x, kept * size);
        out.p[w->at + l] = at;
        at += kept;
    }
    if (w->filter.wanted > 0) w->wanted = w->filter.wanted;
    return at - out.n;
}

/* The panel of the rows at places [w->at, to) of the order; returns its entries. */
static uint64_t run_panel(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t to, gb_PanelOut out) {
    GB_ISA_NAME(gb_panel_begin)(w, g, w->at, to);
    for (unsigned l = 0; l < w->height; l++) out.p[w->at + l] = out.n;
    if (!GB_ISA_NAME(gb_panel_unite)(w, g, open_rows(w, g)) || w->count == 0) return 0;
    if (!GB_ISA_NAME(gb_panel_frame)(w, g) || w->span == 0) return 0;
    GB_ISA_NAME(gb_panel_multiply)(w, g, kernels[g->ring].add);
    *(w->hashed ? &w->tables : &w->windows) += w->height;
    const uint64_t entries = GB_ISA_NAME(gb_panel_write)(w, g, out);
    return g->filter != NULL ? filter_rows(w, g, out, entries) : entries;
}

static void run_thread(void *context, int t) {
    const Run *run = context;
    const gb_MxmArgs *g = run->g;
    gb_Compaction *P = run->P;
    gb_PanelWork *w = &run->work[t];
    uint64_t c;
    gb_Buffer *buffer;
    while (gb_compaction_next(P, t, &c, &buffer)) {
        const uint64_t from = P->chunks->row[c], to = P->chunks->row[c + 1];
        const bool go_on = gb_progress_add(g->meter, g->flops[to] - g->flops[from]);
        gb_PanelOut out = {P->T->p, buffer->i, buffer->x, 0};
        for (w->at = from; go_on && w->at < to && w->wanted == 0; w->at += w->height)
            out.n += run_panel(w, g, to, out);
        if (w->wanted > 0) gb_compaction_stop(P, GBL_OUT_OF_MEMORY, w->wanted);
        gb_compaction_done(P, t, buffer, go_on && w->wanted == 0 ? out.n : 0);
    }
}

/* All chunks, on the threads of P; `shift` is of B's rows. */
static gbl_Info run_all(const gb_MxmArgs *g, const uint8_t *shift, gb_Compaction *P,
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
        gb_compaction_run(P, run_thread, &(Run){g, P, work});
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

/* Rows of T are in the order of panels. */
static gbl_Info multiply(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    gb_Compaction P;
    uint8_t *shift = gb_malloc(g->B.nmajor);
    *T = (gb_Cs){0};
    gbl_Info info = shift != NULL || g->B.nmajor == 0
                        ? gb_chunks_by_flops(&chunks, g, GB_PANEL_LANES)
                        : gb_fail_memory(g->B.nmajor);
    if (info == GBL_SUCCESS)
        info = gb_compaction_begin(&P, g, &chunks, T, expected_entries(g, &chunks));
    if (info == GBL_SUCCESS) {
        if (g->filter != NULL) gb_compaction_whole_rows(&P);
        gb_parallel_ranges(g->nthreads, g->B.nmajor, relate_range, &(Relation){&g->B, shift});
        info = run_all(g, shift, &P, stats);
        if (info != GBL_SUCCESS) gb_compaction_stop(&P, info, 0);
        stats->slices = P.slices;
        info = gb_compaction_end(&P);
    }
    if (info == GBL_SUCCESS) T->sorted = true;
    gb_chunks_free(&chunks);
    gb_free(shift, g->B.nmajor);
    return info;
}

/* The order of panels is one of its own: flops are summed in it, and T's rows go back. */
static gbl_Info multiply_grouped(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    const uint64_t m = g->A.nmajor;
    const size_t bytes = (m + 1) * sizeof(uint64_t);
    uint64_t *flops = gb_malloc(bytes);
    gb_MxmArgs args = *g;
    gb_Cs grouped = {0};
    if (flops == NULL) return gb_fail_memory(bytes);
    flops[0] = 0;
    for (uint64_t k = 0; k < m; k++)
        flops[k + 1] = flops[k] + g->flops[g->order[k] + 1] - g->flops[g->order[k]];
    args.flops = flops;
    gbl_Info info = multiply(&args, &grouped, stats);
    gb_free(flops, bytes);
    if (info == GBL_SUCCESS) info = gb_ungroup(&grouped, g->order, T, g->args.zsize, g->nthreads);
    gb_cs_free(&grouped);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_panel)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){0};
    return g->order != NULL ? multiply_grouped(g, T, stats) : multiply(g, T, stats);
}
