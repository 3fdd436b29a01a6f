/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the row-wise product. Rows are cut into chunks of about equal products; the result of a
 * chunk is written from the place that an upper bound gives it, so that no chunk waits for another;
 * then the gaps are closed (cpu/compact.c). When the upper bound would not fit into memory the rows
 * are counted first and written where they belong ("symbolic").
 *
 * The result does not depend on the number of threads: a row is summed by one thread in the order
 * of k, and chunks only say where it is written first.
 */
#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "cpu/compact.h"
#include "cpu/isa/isa.h"
#include "cpu/isa/rowwork.h"
#include "cpu/rowcount.h"
#include "cpu/sort.h"
#include "semiring/ids.h"

/* B's rows are at random places: their pointers are wanted 2 * GB_PREFETCH entries ahead, their
 * first entries GB_PREFETCH ahead. Always inlined, since gcc takes a function that only prefetches
 * for one without effect and drops the call. */
__attribute__((always_inline)) static inline void gb_prefetch_rows(const gb_MxmArgs *g, gb_Off p,
                                                                   bool values) {
    if (p + 2 * GB_PREFETCH >= g->A.nvals) return;
    __builtin_prefetch(&g->B.p[g->A.i[p + 2 * GB_PREFETCH]]);
    const gb_Off q = g->B.p[g->A.i[p + GB_PREFETCH]];
    __builtin_prefetch(&g->B.i[q]);
    if (values) __builtin_prefetch((const char *)g->args.Bx + (q & g->args.bmask) * g->args.zsize);
}

/* Keeps the entries of a finished row that the mask lets through; both are sorted. The search in
 * the mask's row gallops, so a short row costs little in a long mask. */
static uint64_t gb_mask_row(const gb_MxmArgs *g, uint64_t i, gb_Idx *Ci, void *Cx, uint64_t n) {
    const gb_Idx *Mi = g->M.i;
    const size_t size = g->args.zsize;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    gb_Off q = g->M.p[i];
    const gb_Off end = g->M.p[i + 1];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        gb_Off step = 1, lo = q;
        while (q + step < end && Mi[q + step] < Ci[e]) {
            lo = q + step;
            step *= 2;
        }
        gb_Off hi = q + step < end ? q + step : end;
        while (lo < hi) {
            const gb_Off mid = lo + (hi - lo) / 2;
            if (Mi[mid] < Ci[e])
                lo = mid + 1;
            else
                hi = mid;
        }
        q = lo;
        const bool listed = q < end && Mi[q] == Ci[e];
        if (listed != inside) continue;
        if (kept != e) {
            Ci[kept] = Ci[e];
            memcpy((char *)Cx + kept * size, (char *)Cx + e * size, size);
        }
        kept++;
    }
    return kept;
}

#define SR_TEMPLATE "cpu/isa/rowwise.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    uint64_t (*row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci, void *Cx);
    void (*clean)(const gb_RingArgs *R, void *val, uint64_t n);
} gb_RowKernel;

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {row_##name, clean_##name},
static const gb_RowKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {row_GENERIC, clean_GENERIC}};
#undef ENTRY

/* What the rows of this product ask of a workspace. */
typedef struct {
    bool dense, hash, sort;
    uint64_t slots;
} gb_RowNeeds;

static gb_RowNeeds find_needs(const gb_MxmArgs *g) {
    gb_RowNeeds needs = {0};
    uint64_t most = 0;
    for (uint64_t i = 0; i < g->A.nmajor; i++) {
        const uint64_t f = g->flops[i + 1] - g->flops[i];
        switch (gb_row_kind(g, g->A.p[i + 1] - g->A.p[i], f)) {
        case GB_ROW_DENSE:
            needs.dense = true;
            break;
        case GB_ROW_SORT:
            needs.sort = true;
            break;
        case GB_ROW_HASH:
            needs.hash = true;
            if (f > most) most = f;
            break;
        default:
            break;
        }
    }
    if (most > g->B.nminor) most = g->B.nminor;
    if (needs.hash) needs.slots = (uint64_t)1 << gb_bits(2 * most);
    return needs;
}

static void work_free(gb_RowWork *w, const gb_MxmArgs *g) {
    const uint64_t n = g->B.nminor;
    gb_free(w->val, n * g->args.zsize);
    gb_free(w->mark, n + 64);
    gb_free(w->block, n / 64 + 65);
    gb_free(w->slot_key, w->slots * sizeof(gb_Idx));
    gb_free(w->slot_val, w->slots * g->args.zsize);
    gb_free(w->key, w->slots / 2 * sizeof(uint64_t));
    gb_free(w->tmp, w->slots / 2 * sizeof(uint64_t));
    gb_free(w->prod, 64 * g->args.zsize);
    gb_free(w->scratch, 2 * g->args.zsize);
}

static gbl_Info work_new(gb_RowWork *w, const gb_MxmArgs *g, gb_RowNeeds needs, bool runs) {
    const size_t size = g->args.zsize;
    const uint64_t n = g->B.nminor;
    *w = (gb_RowWork){.args = g->args, .runs = runs};
    bool ok = (w->scratch = gb_malloc(2 * size)) != NULL;
    if (needs.sort) ok = ok && (w->prod = gb_malloc(64 * size)) != NULL;
    if (needs.dense)
        ok = ok && (w->val = gb_malloc(n * size)) != NULL &&
             (w->mark = gb_calloc(n + 64)) != NULL && (w->block = gb_calloc(n / 64 + 65)) != NULL;
    if (needs.hash) {
        w->slots = needs.slots;
        ok = ok && (w->slot_key = gb_malloc(w->slots * sizeof(gb_Idx))) != NULL &&
             (w->slot_val = gb_malloc(w->slots * size)) != NULL &&
             (w->key = gb_malloc(w->slots / 2 * sizeof(uint64_t))) != NULL &&
             (w->tmp = gb_malloc(w->slots / 2 * sizeof(uint64_t))) != NULL;
    }
    if (!ok) {
        work_free(w, g);
        return gb_fail_memory(NULL, (needs.dense ? n * (size + 1) : 0) + w->slots * (size + 12));
    }
    w->args.scratch = w->scratch;
    if (needs.hash) memset(w->slot_key, 0xFF, w->slots * sizeof(gb_Idx));
    if (needs.dense) kernels[g->ring].clean(&w->args, w->val, n);
    return GBL_SUCCESS;
}

/* Whether B's columns come in runs, from the first entries of B: see GB_RUN_SHARE. */
static bool has_runs(const gb_MxmArgs *g) {
    if (!g->B.sorted || g->ring == GB_RING_GENERIC) return false;
    if (g->B.x != NULL && g->B.iso) return false; /* one value: nothing to load a register of */
    const uint64_t n = g->B.nvals < 65536 ? g->B.nvals : 65536;
    uint64_t next = 0;
    for (uint64_t q = 1; q < n; q++) next += g->B.i[q] == g->B.i[q - 1] + 1;
    return next * GB_RUN_SHARE > n;
}

/* Multiplies the rows of chunk c; entries go to T from `at` on. */
static uint64_t run_chunk(const gb_MxmArgs *g, gb_RowWork *w, uint64_t from, uint64_t to, gb_Cs *T,
                          gb_Off at) {
    const size_t size = g->args.zsize;
    uint64_t n = 0;
    for (uint64_t i = from; i < to; i++) {
        T->p[i] = n; /* within the chunk, until gaps are closed */
        n += kernels[g->ring].row(g, w, i, T->i + at + n, (char *)T->x + (at + n) * size);
    }
    return n;
}

static void add_stats(gb_MxmStats *stats, const gb_RowWork *w) {
    stats->copied += w->copied;
    stats->sorted += w->sorted;
    stats->hashed += w->hashed;
    stats->dense += w->dense;
}

/* All chunks; sets chunks->count. */
static gbl_Info run_all(const gb_MxmArgs *g, gb_Chunks *chunks, gb_Cs *T, gb_MxmStats *stats) {
    const gb_RowNeeds needs = find_needs(g);
    const bool runs = has_runs(g);
    const int threads = (uint64_t)g->nthreads < chunks->n ? g->nthreads : (int)chunks->n;
    gb_RowWork *work = gb_calloc((size_t)threads * sizeof *work);
    if (work == NULL) return gb_fail_memory(NULL, (size_t)threads * sizeof *work);
    gbl_Info info = GBL_SUCCESS;
    int ready = 0;
    while (ready < threads && info == GBL_SUCCESS) {
        info = work_new(&work[ready], g, needs, runs);
        if (info == GBL_SUCCESS) ready++;
    }
    if (info == GBL_SUCCESS) {
        GB_PARALLEL_FOR(threads)
        for (uint64_t c = 0; c < chunks->n; c++) {
            const uint64_t from = chunks->row[c], to = chunks->row[c + 1];
            if (!gb_progress_add(g->meter, g->flops[to] - g->flops[from])) continue;
            chunks->count[c] = run_chunk(g, &work[gb_thread_id()], from, to, T, chunks->start[c]);
        }
    }
    for (int t = 0; t < ready; t++) {
        add_stats(stats, &work[t]);
        work_free(&work[t], g);
    }
    gb_free(work, (size_t)threads * sizeof *work);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_rowwise)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){.workflow = g->workflow == GB_ESTIMATE ? "estimate" : "upper bound"};
    gbl_Info info = gb_chunks_by_flops(&chunks, g);
    if (info != GBL_SUCCESS) return info;
    if (g->workflow == GB_SYMBOLIC) {
        stats->workflow = "symbolic";
        info = gb_chunks_count_rows(&chunks, g);
    }
    const uint64_t room = chunks.start[chunks.n];
    size_t xbytes;
    if (info == GBL_SUCCESS && !gb_size_mul(&xbytes, room, g->args.zsize))
        info = gb_fail_memory(NULL, SIZE_MAX);
    if (info == GBL_SUCCESS) info = gb_cs_alloc(T, g->A.nmajor, room, xbytes);
    if (info == GBL_SUCCESS) info = run_all(g, &chunks, T, stats);
    if (info == GBL_SUCCESS) info = gb_progress_end(g->meter);
    if (info == GBL_SUCCESS) info = gb_chunks_close(&chunks, T, g->args.zsize, g->nthreads);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    gb_chunks_free(&chunks);
    return info;
}
