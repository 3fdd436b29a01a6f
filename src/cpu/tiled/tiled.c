/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the tiled product (TileSpGEMM, PPoPP '22, section 3.3) on rows of tiles:
 *   step 1  which tiles C has: a symbolic product of the tile patterns, inside the mask's tiles;
 *   step 2  masks and counts of C's tiles: OR of B's row masks, AND with the mask's;
 *   step 3  values (tiled.tmpl.h).
 * The paper intersects a row of A's tiles with a column of B's for each tile of C, since a GPU has
 * many tiles to work on at once. Here a thread takes a whole row of tiles of C and traverses rows
 * of B, which need no columns of tiles and no search (docs/tiled.md has both orders measured).
 *
 * Two tiles are multiplied only if a column that A's tile holds is a row that B's tile holds, so
 * without a mask no tile of C is empty; inside a mask some may be.
 * Preconditions: factors and mask in tiles (cpu/common/tiles.h). Cost: steps 1 and 2 take O(pairs
 * of tiles that are multiplied), step 3 what tiled.tmpl.h says. Nothing grows with the number of
 * products: beside C there are the accumulators of one row of tiles per thread, and 2 bytes
 * (counting: 34) per tile of the factors.
 */
#include "core/arrays.h"
#include "core/clock.h"
#include "cpu/cpu.h"
#include "cpu/tiled/work.h"
#include "cpu/common/sort.h"

#define SR_TEMPLATE "cpu/tiled/tiled.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = &tiled_##name,
static const gb_TiledKernel *const kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = &tiled_GENERIC};
#undef ENTRY

/* -- steps 1 and 2 */

/* Stamps of row of tiles I in one of three passes: OPEN to be found, SEEN or not to be found again,
 * and LISTED, with a slot. No stamp is used twice, so marks are never cleared. */
enum { OPEN = 1, SEEN = 2, LISTED = 3, STAMPS = 3 };

static uint64_t stamp_base(const gb_TiledRun *run, unsigned pass, uint64_t I) {
    return STAMPS * (pass * gb_tile_count(run->g->A.nmajor) + I);
}

/* Columns of tiles of C's row of tiles I to m->list, in the order found; returns how many. */
static uint64_t find_tiles(const gb_TiledRun *run, gb_TileMarks *m, uint64_t I, uint64_t base) {
    const gb_TiledArgs *g = run->g;
    const bool inside = g->mask_kind == GB_MASK_INSIDE;
    const gb_Off end = g->mask_kind != GB_MASK_NONE ? g->M.p[I + 1] : 0;
    for (gb_Off t = end > 0 ? g->M.p[I] : 0; t < end; t++)
        if (inside || g->M.nnz[t + 1] - g->M.nnz[t] == GB_TILE_CELLS)
            m->stamp[g->M.i[t]] = base + (inside ? OPEN : SEEN);
    uint64_t n = 0;
    for (gb_Off t = g->A.p[I]; t < g->A.p[I + 1]; t++) {
        const uint64_t K = g->A.i[t];
        for (gb_Off u = g->B.p[K]; u < g->B.p[K + 1]; u++) {
            const gb_Idx J = g->B.i[u];
            if ((run->acols[t] & run->brows[u]) == 0) continue;
            if (inside ? m->stamp[J] != base + OPEN : m->stamp[J] == base + SEEN) continue;
            m->stamp[J] = base + SEEN;
            m->list[n++] = J;
        }
    }
    return n;
}

/* Gives the tiles of C's row of tiles I their slots. */
static void list_tiles(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I, uint64_t base) {
    const gb_Tiles *T = run->T;
    w->tag = base + LISTED;
    for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++) {
        w->marks.slot[T->i[t]] = (gb_Idx)(t - T->p[I]);
        w->marks.stamp[T->i[t]] = w->tag;
    }
}

/* Masks of the products of tile t of A and the tiles of B that it intersects, into those of the row
 * of tiles of C. Few entries are faster one by one. */
static void unite_tile(const gb_TiledRun *run, const gb_TiledWork *w, gb_Off t, uint16_t *cmask) {
    const gb_TileView *A = &run->g->A, *B = &run->g->B;
    const uint64_t K = A->i[t];
    const bool few = A->nnz[t + 1] - A->nnz[t] <= GB_UNITE_FEW;
    gb_Rows select[GB_TILE];
    if (!few) gb_select_rows(select, A->mask + t * GB_TILE);
    for (gb_Off u = B->p[K]; u < B->p[K + 1]; u++) {
        if (!gb_tiles_intersect(run, w, t, u)) continue;
        uint16_t *c = cmask + (uint64_t)w->marks.slot[B->i[u]] * GB_TILE;
        const uint16_t *b = B->mask + u * GB_TILE;
        if (!few) gb_unite_masks(c, select, b);
        for (gb_Off q = A->nnz[t]; few && q < A->nnz[t + 1]; q++)
            c[A->rc[q] >> 4] |= b[A->rc[q] & 15u];
    }
}

/* C's tiles of row I lose what M forbids. Both ascend, so M's tiles are found in order. */
static void apply_mask(const gb_TiledRun *run, uint64_t I) {
    const gb_TileView *M = &run->g->M;
    const gb_Tiles *T = run->T;
    const bool inside = run->g->mask_kind == GB_MASK_INSIDE;
    gb_Off q = M->p[I];
    for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++) {
        while (q < M->p[I + 1] && M->i[q] < T->i[t]) q++;
        if (q == M->p[I + 1] || M->i[q] != T->i[t]) continue; /* outside: nothing is forbidden */
        for (unsigned r = 0; r < GB_TILE; r++) {
            const unsigned allowed = M->mask[q * GB_TILE + r];
            T->mask[t * GB_TILE + r] &= (uint16_t)(inside ? allowed : ~allowed);
        }
    }
}

/* Step 2 for one row of tiles: columns in order, masks, row offsets, entries per tile. */
static void lay_out(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I) {
    const gb_TiledArgs *g = run->g;
    gb_Tiles *T = run->T;
    const gb_Off first = T->p[I];
    const uint64_t base = stamp_base(run, 1, I), n = find_tiles(run, &w->marks, I, base);
    if (n == 0) return;
    gb_sort32(w->marks.list, w->marks.tmp, n, 0, gb_key_bits(gb_tile_count(g->B.nminor)));
    memcpy(T->i + first, w->marks.list, n * sizeof *T->i);
    list_tiles(run, w, I, base);
    memset(T->mask + first * GB_TILE, 0, n * GB_TILE * sizeof *T->mask);
    for (gb_Off t = g->A.p[I]; t < g->A.p[I + 1]; t++)
        unite_tile(run, w, t, T->mask + first * GB_TILE);
    if (g->mask_kind != GB_MASK_NONE) apply_mask(run, I);
    for (gb_Off t = first; t < first + n; t++)
        T->nnz[t + 1] = gb_tile_row_offsets(T->mask + t * GB_TILE, T->row + t * GB_TILE);
}

/* -- step 3 */

/* Chooses how each tile of the row is summed, and reserves the cells. */
static bool reserve_cells(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I, bool packs) {
    const gb_Tiles *T = run->T;
    uint64_t n = 0;
    for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++) {
        const bool packed = packs && T->nnz[t + 1] - T->nnz[t] < GB_TILE_DENSE_LEAST;
        w->cell[t - T->p[I]] = packed ? GB_PACKED : (int32_t)n++;
    }
    w->used = n;
    if (n <= w->ncells) return true;
    w->cells = gb_grow(&w->of_cells, (n + n / 2) * w->cell_bytes, &w->wanted);
    w->ncells = w->cells != NULL ? n + n / 2 : 0;
    return w->cells != NULL;
}

/* Positions of the entries of tile t: row << 4 | column. */
static void write_positions(gb_Tiles *T, gb_Off t) {
    uint8_t positions[GB_TILE_CELLS + GB_TILE];
    unsigned n = 0;
    for (unsigned r = 0; r < GB_TILE; r++)
        n += gb_set_bits(positions + n, T->mask[t * GB_TILE + r], r << 4);
    memcpy(T->rc + T->nnz[t], positions, n);
}

static void compute(const gb_TiledRun *run, gb_TiledWork *w, uint64_t I) {
    const gb_TiledKernel *kernel = kernels[run->g->ring];
    gb_Tiles *T = run->T;
    for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++)
        if (T->nnz[t] < T->nnz[t + 1]) write_positions(T, t);
    if (T->iso || T->nnz[T->p[I]] == T->nnz[T->p[I + 1]]) return;
    list_tiles(run, w, I, stamp_base(run, 2, I));
    if (reserve_cells(run, w, I, kernel->packs)) kernel->row(run, w, I);
}

/* -- workspace */

static void work_free(gb_TiledWork *w, int nthreads, uint64_t columns) {
    for (int t = 0; w != NULL && t < nthreads; t++) {
        gb_free(w[t].cell, columns * sizeof *w->cell);
        gb_grown_free(&w[t].of_cells);
        gb_free(w[t].args.scratch, gb_scratch_bytes(&w[t].args));
    }
    gb_free(w, (size_t)nthreads * sizeof *w);
}

static gb_TiledWork *work_new(const gb_TiledArgs *g, const gb_TileMarks *marks, uint64_t columns) {
    gb_TiledWork *w = gb_calloc((size_t)g->nthreads * sizeof *w);
    const size_t cell_bytes = kernels[g->ring]->cell_bytes;
    bool ok = w != NULL;
    for (int t = 0; w != NULL && t < g->nthreads; t++) {
        w[t].args = g->args;
        w[t].marks = marks[t];
        w[t].cell_bytes = cell_bytes > 0 ? cell_bytes : GB_TILE_CELLS * g->args.zsize;
    }
    for (int t = 0; ok && t < g->nthreads; t++) {
        w[t].cell = gb_malloc(columns * sizeof *w->cell);
        w[t].args.scratch = gb_malloc(gb_scratch_bytes(&g->args));
        ok = w[t].cell != NULL && w[t].args.scratch != NULL;
    }
    if (ok) return w;
    work_free(w, g->nthreads, columns);
    return NULL;
}

typedef struct {
    const gb_TileView *X;
    uint16_t *truth;
} gb_TrueJob;

/* Masks of the entries of X that are true, in row of tiles I. */
static void find_true(void *context, uint64_t I) {
    const gb_TileView *X = ((gb_TrueJob *)context)->X;
    uint16_t *truth = ((gb_TrueJob *)context)->truth;
    const uint8_t *x = X->x;
    for (gb_Off t = X->p[I]; t < X->p[I + 1]; t++) {
        memset(truth + t * GB_TILE, 0, GB_TILE * sizeof *truth);
        for (gb_Off q = X->nnz[t]; q < X->nnz[t + 1]; q++) {
            const unsigned is_true = x[X->iso ? 0 : q] != 0;
            truth[t * GB_TILE + (X->rc[q] >> 4)] |= (uint16_t)(is_true << (X->rc[q] & 15u));
        }
    }
}

static void find_all_true(const gb_TileView *X, uint16_t *truth, int nthreads) {
    gb_parallel_for(nthreads, gb_tile_count(X->nmajor), find_true, &(gb_TrueJob){X, truth});
}

static void find_held_in_a(void *context, uint64_t I) {
    const gb_TiledRun *run = context;
    const gb_TileView *A = &run->g->A;
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++)
        run->acols[t] = (uint16_t)gb_columns_held(A->mask + t * GB_TILE);
}

static void find_held_in_b(void *context, uint64_t K) {
    const gb_TiledRun *run = context;
    const gb_TileView *B = &run->g->B;
    for (gb_Off u = B->p[K]; u < B->p[K + 1]; u++) {
        run->brows[u] = (uint16_t)gb_rows_held(B->mask + u * GB_TILE);
        if (run->bcols != NULL) gb_transpose_masks(run->bcols + u * GB_TILE, B->mask + u * GB_TILE);
    }
}

static void run_free(gb_TiledRun *run) {
    const uint64_t a = run->g->A.ntiles, b = run->g->B.ntiles;
    gb_free(run->acols, a * sizeof *run->acols);
    gb_free(run->brows, b * sizeof *run->brows);
    gb_free(run->bcols, b * GB_TILE * sizeof *run->bcols);
    gb_free(run->atrue, a * GB_TILE * sizeof *run->atrue);
    gb_free(run->btrue, b * GB_TILE * sizeof *run->btrue);
}

static gbl_Info run_begin(gb_TiledRun *run) {
    const gb_TiledArgs *g = run->g;
    const uint64_t a = g->A.ntiles, b = g->B.ntiles;
    const gb_TiledSource source = kernels[g->ring]->source;
    const bool counts = source == GB_FROM_COUNTS, truth = source == GB_FROM_TRUTH;
    run->acols = gb_malloc(a * sizeof *run->acols);
    run->brows = gb_malloc(b * sizeof *run->brows);
    if (counts) run->bcols = gb_malloc(b * GB_TILE * sizeof *run->bcols);
    if (truth) run->atrue = gb_malloc(a * GB_TILE * sizeof *run->atrue);
    if (truth) run->btrue = gb_malloc(b * GB_TILE * sizeof *run->btrue);
    if (run->acols == NULL || run->brows == NULL || (counts && run->bcols == NULL) ||
        (truth && (run->atrue == NULL || run->btrue == NULL)))
        return gb_fail_memory((a + b) * (GB_TILE + 1) * sizeof(uint16_t));
    gb_parallel_for(g->nthreads, gb_tile_count(g->A.nmajor), find_held_in_a, run);
    gb_parallel_for(g->nthreads, gb_tile_count(g->B.nmajor), find_held_in_b, run);
    if (truth) find_all_true(&g->A, run->atrue, g->nthreads);
    if (truth) find_all_true(&g->B, run->btrue, g->nthreads);
    return GBL_SUCCESS;
}

/* -- the whole */

typedef struct {
    const gb_TiledRun *run;
    gb_TiledWork *w; /* [nthreads] */
} gb_TiledStep;

static void run_count(void *context, uint64_t I) {
    const gb_TiledStep *step = context;
    step->run->T->p[I + 1] =
        find_tiles(step->run, &step->w[gb_thread_id()].marks, I, stamp_base(step->run, 0, I));
}

static void run_lay_out(void *context, uint64_t I) {
    const gb_TiledStep *step = context;
    lay_out(step->run, &step->w[gb_thread_id()], I);
}

static void run_compute(void *context, uint64_t I) {
    const gb_TiledStep *step = context;
    gb_TiledWork *mine = &step->w[gb_thread_id()];
    if (mine->wanted == 0 && gb_progress_add(step->run->g->meter, 1)) compute(step->run, mine, I);
}

/* Step 2, and arrays for T's entries. */
static gbl_Info find_masks(const gb_TiledRun *run, gb_TiledWork *w) {
    const gb_TiledArgs *g = run->g;
    gb_Tiles *T = run->T;
    gb_parallel_for(g->nthreads, gb_tile_count(g->A.nmajor), run_lay_out,
                    &(gb_TiledStep){.run = run, .w = w});
    T->nnz[0] = 0;
    for (uint64_t t = 0; t < T->ntiles; t++) T->nnz[t + 1] += T->nnz[t];
    T->iso = kernels[g->ring]->source == GB_FROM_PATTERN;
    const uint64_t nvals = T->nnz[T->ntiles];
    return gb_tiles_alloc_entries(T, nvals, gb_size_of(T->iso ? nvals > 0 : nvals, g->args.zsize));
}

/* Step 3. The meter is the caller's to end: this may be one slice of several. */
static gbl_Info find_values(const gb_TiledRun *run, gb_TiledWork *w) {
    const gb_TiledArgs *g = run->g;
    gb_parallel_for(g->nthreads, gb_tile_count(g->A.nmajor), run_compute,
                    &(gb_TiledStep){.run = run, .w = w});
    if (run->T->iso && run->T->nvals > 0) kernels[g->ring]->one(&g->args, run->T->x);
    for (int t = 0; t < g->nthreads; t++)
        if (w[t].wanted > 0) return gb_fail_memory(w[t].wanted);
    return gb_progress_state(g->meter);
}

static gbl_Info steps(gb_TiledRun *run, gb_TiledWork *w, gb_TiledStats *stats) {
    double last = gb_seconds();
    gbl_Info info = run_begin(run);
    if (info == GBL_SUCCESS) /* step 1: T's rows of tiles and arrays for its layout */
        info = gb_tiles_lay_out(run->T, run->g->A.nmajor, run->g->B.nminor, run->g->nthreads,
                                run_count, &(gb_TiledStep){run, w});
    stats->seconds_layout += gb_seconds() - last;
    last = gb_seconds();
    if (info == GBL_SUCCESS) info = find_masks(run, w);
    stats->seconds_masks += gb_seconds() - last;
    last = gb_seconds();
    if (info == GBL_SUCCESS) info = find_values(run, w);
    stats->seconds_values += gb_seconds() - last;
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_tiled)(const gb_TiledArgs *g, gb_Tiles *T, gb_TiledStats *stats) {
    const uint64_t columns = gb_tile_count(g->B.nminor);
    *T = (gb_Tiles){0};
    gb_TiledRun run = {.g = g, .T = T};
    gb_TileMarks *marks = gb_tile_marks_new(g->nthreads, columns);
    gb_TiledWork *w = marks != NULL ? work_new(g, marks, columns) : NULL;
    gbl_Info info = w != NULL ? steps(&run, w, stats) : gb_fail_memory(columns * 24);
    if (info != GBL_SUCCESS) gb_tiles_free(T);
    run_free(&run);
    work_free(w, g->nthreads, columns);
    gb_tile_marks_free(marks, g->nthreads, columns);
    return info;
}
