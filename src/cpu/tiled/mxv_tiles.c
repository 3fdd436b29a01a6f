/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers of the products of a matrix in tiles and a vector; the two forms are described in
 * mxv_tiles.tmpl.h. Neither result depends on the number of threads. What may be written of w, and
 * what is there of a u with gaps, is packed to 16 bits per tile before.
 */
#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "cpu/simd/isa.h"
#include "cpu/mxv/mxv.h"
#include "semiring/ids.h"

typedef struct {
    uint64_t from, to;
} gb_Range;

typedef struct {
    uint16_t *allowed; /* [tiles of w] or NULL: all */
    uint16_t *present; /* [tiles of u] or NULL: all (pull) */
    uint16_t *found;   /* [tiles of w] which values w has */
    void *val;         /* w's values */
    char *scratch;     /* [2 values a thread] */
    int threads;
} gb_TileWork;

#define SR_TEMPLATE "cpu/tiled/mxv_tiles.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef struct {
    void (*pull)(const gb_MxvArgs *g, const gb_RingArgs *R, uint64_t I, gb_TileWork *w);
    void (*push)(const gb_MxvArgs *g, const gb_RingArgs *R, gb_Range columns, gb_TileWork *w);
} gb_MxvKernel;
#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {pull_##name, push_##name},
static const gb_MxvKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {pull_GENERIC, push_GENERIC}};
#undef ENTRY

/* Bit c of *bits[J] is byte[16 J + c]; no array where there are no bytes. */
static gbl_Info pack(uint16_t **bits, const int8_t *byte, uint64_t n) {
    const uint64_t tiles = gb_tile_count(n);
    *bits = NULL;
    if (byte == NULL || n == 0) return GBL_SUCCESS;
    uint16_t *made = gb_calloc(tiles * sizeof *made);
    if (made == NULL) return gb_fail_memory(tiles * sizeof *made);
    for (uint64_t k = 0; k < n; k++) made[k / GB_TILE] |= (uint16_t)(byte[k] << k % GB_TILE);
    *bits = made;
    return GBL_SUCCESS;
}

/* First row of tiles at or after the given share of rows and entries together. */
static uint64_t row_at_share(const gb_TileView *A, uint64_t t, uint64_t parts) {
    const uint64_t rows = gb_tile_count(A->nmajor), want = gb_part(A->nvals + rows, t, parts);
    return GB_FIRST(I, 0, rows, A->nnz[A->p[I]] + I >= want);
}

static void release(gb_TileWork *work, const gb_MxvArgs *g, uint64_t n) {
    gb_free(work->allowed, gb_tile_count(n) * sizeof *work->allowed);
    gb_free(work->present, gb_tile_count(g->u_dense.n) * sizeof *work->present);
    gb_free(work->found, gb_tile_count(n) * sizeof *work->found);
    gb_free(work->scratch, 2 * g->args.zsize * (size_t)work->threads);
}

/* w, of n places, and what is needed to compute it on so many threads. */
static gbl_Info prepare(gb_TileWork *work, gb_Dense *w, const gb_MxvArgs *g, uint64_t n,
                        int threads) {
    const size_t size = g->args.zsize;
    size_t xbytes;
    *w = (gb_Dense){0};
    *work = (gb_TileWork){.threads = threads};
    if (!gb_size_mul(&xbytes, n, size)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = pack(&work->allowed, g->allowed, n);
    if (info == GBL_SUCCESS) info = pack(&work->present, g->u_dense.b, g->u_dense.n);
    work->found = gb_calloc(gb_tile_count(n) * sizeof *work->found);
    work->scratch = gb_malloc(2 * size * (size_t)threads);
    if (info == GBL_SUCCESS && ((work->found == NULL && n > 0) || work->scratch == NULL))
        info = gb_fail_memory(n / 8 + 2 * size * (size_t)threads);
    if (info == GBL_SUCCESS) info = gb_dense_alloc(w, n, xbytes, true);
    if (info != GBL_SUCCESS) release(work, g, n);
    work->val = w->x;
    return info;
}

static gb_RingArgs args_of_thread(const gb_MxvArgs *g, const gb_TileWork *work) {
    gb_RingArgs args = g->args;
    args.scratch = work->scratch + 2 * args.zsize * (size_t)gb_thread_id();
    return args;
}

typedef struct {
    const gb_MxvArgs *g;
    gb_TileWork work;
    uint64_t parts;
} Run;

static void pull_part(void *context, uint64_t t) {
    Run *run = context;
    const gb_MxvArgs *g = run->g;
    const gb_RingArgs args = args_of_thread(g, &run->work);
    const uint64_t end = row_at_share(&g->tiles, t + 1, run->parts);
    for (uint64_t I = row_at_share(&g->tiles, t, run->parts); I < end; I++)
        kernels[g->ring].pull(g, &args, I, &run->work);
}

/* Part t of the columns of tiles. */
static void push_part(void *context, uint64_t t) {
    Run *run = context;
    const gb_MxvArgs *g = run->g;
    const gb_RingArgs args = args_of_thread(g, &run->work);
    const uint64_t columns = gb_tile_count(g->tiles.nminor);
    const gb_Range mine = {gb_part(columns, t, run->parts), gb_part(columns, t + 1, run->parts)};
    kernels[g->ring].push(g, &args, mine, &run->work);
}

/* Marks and counts what was found. */
static void conclude(const gb_TileWork *work, gb_Dense *w) {
    for (uint64_t k = 0; k < w->n; k++)
        w->b[k] = (int8_t)(work->found[k / GB_TILE] >> k % GB_TILE & 1u);
    for (uint64_t J = 0; J < gb_tile_count(w->n); J++)
        w->nvals += (uint64_t)__builtin_popcount(work->found[J]);
}

gbl_Info GB_ISA_NAME(gb_mxv_pull_tiles)(const gb_MxvArgs *g, gb_Dense *w) {
    const gb_TileView *A = &g->tiles;
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, g->nthreads);
    Run run = {.g = g, .parts = threads == 1 ? 1 : (uint64_t)threads * 8};
    const gbl_Info info = prepare(&run.work, w, g, A->nmajor, threads);
    if (info != GBL_SUCCESS) return info;
    gb_parallel_for(threads, run.parts, pull_part, &run);
    conclude(&run.work, w);
    release(&run.work, g, A->nmajor);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxv_push_tiles)(const gb_MxvArgs *g, gb_Dense *w) {
    const gb_TileView *A = &g->tiles;
    const double share = (double)g->u_list.nvals / ((double)A->nmajor + 1.0);
    const int threads = gb_threads_for((uint64_t)(share * (double)A->nvals), GB_GRAIN, g->nthreads);
    Run run = {.g = g, .parts = (uint64_t)threads};
    const gbl_Info info = prepare(&run.work, w, g, A->nminor, threads);
    if (info != GBL_SUCCESS) return info;
    gb_parallel_for(threads, run.parts, push_part, &run);
    conclude(&run.work, w);
    release(&run.work, g, A->nminor);
    return info;
}
