/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the masked inner product: chunks of rows of about equal mask entries, put together by
 * cpu/place.h. The result does not depend on threads.
 */
#include "core/arrays.h"
#include "core/parallel.h"
#include "cpu/place.h"
#include "cpu/isa/dotwork.h"
#include "cpu/isa/isa.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/isa/dot.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef uint64_t (*gb_DotRow)(const gb_MxmArgs *g, gb_DotWork *w, uint64_t i, gb_Idx *Ci, void *Cx);
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = dot_row_##name,
static const gb_DotRow kernels[GB_RING_COUNT] = {GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] =
                                                     dot_row_GENERIC};
#undef ENTRY

static void work_free(gb_DotWork *w, const gb_MxmArgs *g) {
    gb_free(w->mark, g->A.nminor + 1);
    gb_free(w->at, (g->A.nminor + 1) * sizeof(gb_Idx));
    gb_free(w->scratch, 2 * g->args.zsize);
}

static gbl_Info work_new(gb_DotWork *w, const gb_MxmArgs *g) {
    *w = (gb_DotWork){.args = g->args};
    w->mark = gb_calloc(g->A.nminor + 1);
    w->at = gb_malloc((g->A.nminor + 1) * sizeof(gb_Idx));
    w->scratch = gb_malloc(2 * g->args.zsize);
    w->args.scratch = w->scratch;
    if (w->mark != NULL && w->at != NULL && w->scratch != NULL) return GBL_SUCCESS;
    work_free(w, g);
    return gb_fail_memory(NULL, g->A.nminor * 5);
}

typedef struct {
    const gb_MxmArgs *g;
    gb_Placer *P;
    gb_DotWork *work; /* [threads] */
} gb_DotRun;

static void run_thread(void *context, int t) {
    const gb_DotRun *run = context;
    const gb_MxmArgs *g = run->g;
    gb_Placer *P = run->P;
    gb_DotWork *w = &run->work[t];
    uint64_t c;
    gb_Buffer *buffer;
    while (gb_place_next(P, t, &c, &buffer)) {
        const uint64_t from = P->chunks->row[c], to = P->chunks->row[c + 1];
        const bool go_on = gb_progress_add(g->meter, g->M.p[to] - g->M.p[from]);
        uint64_t n = 0;
        for (uint64_t i = from; i < to && go_on; i++) {
            P->T->p[i] = n;
            n += kernels[g->ring](g, w, i, buffer->i + n, buffer->x + n * g->args.zsize);
        }
        gb_place_done(P, t, buffer, n);
    }
}

static gbl_Info run_all(const gb_MxmArgs *g, gb_Placer *P) {
    const size_t bytes = (size_t)P->nthreads * sizeof(gb_DotWork);
    gb_DotWork *work = gb_calloc(bytes);
    if (work == NULL) return gb_fail_memory(NULL, bytes);
    gbl_Info info = GBL_SUCCESS;
    int ready = 0;
    while (ready < P->nthreads && info == GBL_SUCCESS) {
        info = work_new(&work[ready], g);
        if (info == GBL_SUCCESS) ready++;
    }
    if (info == GBL_SUCCESS) {
        gb_DotRun run = {g, P, work};
        gb_place_run(P, run_thread, &run);
        info = gb_progress_end(g->meter);
    }
    for (int t = 0; t < ready; t++) work_free(&work[t], g);
    gb_free(work, bytes);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_dot)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    gb_Placer P;
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.workflow = "mask"};
    gbl_Info info = gb_chunks_by_mask(&chunks, g);
    if (info != GBL_SUCCESS) return info;
    const uint64_t allowed = gb_capacity_allowed(g);
    info = gb_place_begin(&P, g, &chunks, T, g->M.nvals < allowed ? g->M.nvals : allowed);
    if (info == GBL_SUCCESS) {
        info = run_all(g, &P);
        if (info != GBL_SUCCESS) gb_place_stop(&P, info, 0);
        stats->slices = P.slices;
        info = gb_place_end(&P);
    }
    gb_chunks_free(&chunks);
    return info;
}
