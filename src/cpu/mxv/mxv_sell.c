/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the matrix-vector product by strips (mxv_strips.tmpl.h). Parts share the entries and
 * the rows; no two write the same position, and the result does not depend on how many there are.
 *
 * Compiled once and not per instruction set, as mxv.c is: with gathers of AVX-512 a pattern in
 * strips of 8 took 1.25 (grid:400:400), 1.4 (road:150:150) and 1.06 (web:16:8) of the time (FP64,
 * one thread of a Zen 4).
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"
#include "cpu/mxv/mxv.h"
#include "cpu/mxv/sell.h"
#include "semiring/ids.h"

/* Strips [from, to), and what they write. */
typedef struct {
    uint64_t from, to;
    gb_Dense *w;
} gb_SellRange;

/* The columns of entries, and the values of u that they are counted from. */
typedef struct {
    bool near;
    const void *column, *b;
} gb_SellColumns;

#define SR_TEMPLATE "cpu/mxv/mxv_sell.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef void (*gb_SellKernel)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_SellRange range);
/* Each takes 4 to 6 KB of the library. */
#define ENTRY(name) [GB_RING_##name] = strips_##name
static const gb_SellKernel kernels[GB_RING_COUNT] = {
    ENTRY(PLUS_TIMES_FP64), ENTRY(PLUS_TIMES_FP32), ENTRY(PLUS_TIMES_INT64),
    ENTRY(PLUS_SECOND_FP64), ENTRY(PLUS_SECOND_FP32)};
#undef ENTRY

bool gb_cpu_has_sell(int ring) {
    return kernels[ring] != NULL;
}

/* The first strip of part t of n. */
static uint64_t first_strip(const gb_MxvArgs *g, uint64_t t, uint64_t n) {
    enum { COST = GB_SELL_ROWS }; /* of a strip, in entries */
    const gb_SellView *S = &g->strips;
    const uint64_t wanted = gb_part(g->A.nvals + COST * S->nstrips, t, n);
    return GB_FIRST(k, 0, S->nstrips, S->strip[k].at + COST * k >= wanted);
}

typedef struct {
    const gb_MxvArgs *g;
    gb_Dense *w;
    uint64_t parts;
} gb_SellRun;

static void run_part(void *context, uint64_t t) {
    const gb_SellRun *run = context;
    const gb_SellRange range = {first_strip(run->g, t, run->parts),
                                first_strip(run->g, t + 1, run->parts), run->w};
    kernels[run->g->ring](run->g, &run->g->args, range);
}

gbl_Info gb_cpu_mxv_sell(const gb_MxvArgs *g, gb_Dense *w) {
    const uint64_t m = g->A.nmajor;
    const int threads = gb_threads_for(g->A.nvals + m, GB_GRAIN, g->nthreads);
    const bool full = g->base != NULL || g->strips.used == m;
    gb_SellRun run = {.g = g, .w = w, .parts = threads == 1 ? 1 : (uint64_t)threads * 8};
    size_t xbytes;
    *w = (gb_Dense){0};
    if (!gb_size_mul(&xbytes, m, g->args.zsize)) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_dense_alloc(w, m, xbytes, false); /* all of it will be written */
    if (info != GBL_SUCCESS) return info;
    w->b = full ? NULL : gb_malloc(m);
    if (!full && w->b == NULL) {
        gb_dense_free(w);
        return gb_fail_memory(m);
    }
    gb_parallel_for(threads, run.parts, run_part, &run);
    w->nvals = full ? m : g->strips.used;
    return GBL_SUCCESS;
}
