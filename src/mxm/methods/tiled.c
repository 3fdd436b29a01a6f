/* SPDX-License-Identifier: Apache-2.0
 *
 * TILED (TileSpGEMM, PPoPP '22, section 3.3): 16 x 16 tiles of A times tiles of B, in three steps:
 * tiles of C, their masks, their values. C stays in tiles, or, where these may exceed the call's
 * workspace, is computed in slices of rows of tiles and is CSR. Kernel: cpu/tiled/tiled.c.
 */
#include "mxm/model/method.h"

/* -- workspace (cpu/tiled/tiled.c, tiles.c); rows of tiles are counted once they exist ----- */

/* Bytes of a tile of C, and while a slice of tiles is converted to rows. */
static double tile_bytes(size_t zsize) {
    return GB_TILE_BYTES + GB_TILE_CELLS * (1.0 + (double)zsize);
}
static double slice_tile_bytes(size_t zsize) {
    return tile_bytes(zsize) + GB_TILE_CELLS * (double)(zsize + sizeof(gb_Idx));
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double columns = ceil(fmax((double)f->n, (double)f->k) / GB_TILE) + 1.0;
    const double rows = ceil((double)f->m / GB_TILE) + 1.0,
                 tiles =
                     fmin(s->pairs, ceil((double)f->m / GB_TILE) * ceil((double)f->n / GB_TILE));
    const double cells = columns * GB_TILE_CELLS * 1.5 * fmax((double)f->zsize, 8.0);
    const double factors = (gb_expect_tiles(&f->A) + gb_expect_tiles(&f->B)) * 70.0;
    const double per_thread = cut->threads * (columns * 60.0 + cells);
    const double of_c = fmin(tiles, s->entries) * GB_TILE_BYTES + s->entries * (1.0 + f->zsize);
    (void)m;
    return (gb_Workspace){.size = 1.0, /* slices are cut by tiles alone */
                          .fixed = per_thread + 16.0 * rows + factors,
                          .unit = columns * slice_tile_bytes(f->zsize),
                          .waiting = tiles * slice_tile_bytes(f->zsize),
                          .beside = of_c + cut->threads * columns * 60.0,
                          .slices = fmax(ceil(tiles * tile_bytes(f->zsize) / f->budget), 1.0)};
}

/* -- cost -------------------------------------------------------------------------------------- */

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double pairs = s->pairs;
    const bool pattern = f->by_pattern; /* masks of tiles are all that is made */
    const bool values = f->values != GB_VALUES_COUNTED && f->values != GB_VALUES_NONE;
    (void)m;
    c->n[GB_RATE_TILE_PAIR] += pattern ? GB_PATTERN_PAIR * pairs : pairs;
    if (values && fmin(f->A.fill, f->B.fill) >= GB_SPREAD_A)
        c->n[GB_RATE_TILE_LANE] += pairs * f->A.fill * (double)f->zsize / 8.0;
    else if (values)
        c->n[GB_RATE_TILE_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_TILE_OUT] += (pattern ? GB_PATTERN_TILE : 1.0) * gb_result_tiles(s);
    if (!pattern) c->n[GB_RATE_ROWS_ENTRY] += s->entries;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL_TILED] = 1.0;
}

/* -- slices ------------------------------------------------------------------------------------ */

/* What was done. */
typedef struct {
    gb_TiledStats steps;
    uint64_t slices;
} gb_TiledRun;

/* Rows of tiles [from, to) of A; its other arrays stay whole. */
static gb_TileView rows_of_tiles(const gb_TileView *A, uint64_t from, uint64_t to) {
    gb_TileView part = *A;
    const uint64_t end = to * GB_TILE < A->nmajor ? to * GB_TILE : A->nmajor;
    part.p += from;
    part.nmajor = end - from * GB_TILE;
    return part;
}

/* The most tiles that row of tiles I of A * B can have. */
static uint64_t tiles_bound(const gb_TileView *A, const gb_TileView *B, uint64_t I) {
    const uint64_t columns = gb_tile_count(B->nminor);
    uint64_t n = 0;
    for (gb_Off t = A->p[I]; t < A->p[I + 1] && n < columns; t++)
        n += B->p[A->i[t] + 1] - B->p[A->i[t]];
    return n < columns ? n : columns;
}

/* The end of the slice that begins with row of tiles `from`: at least one row, and no more than
 * `most` tiles of C. *tiles: how many it may have. */
static uint64_t slice_end(const gb_TiledArgs *g, uint64_t from, double most, double *tiles) {
    const uint64_t rows = gb_tile_count(g->A.nmajor);
    uint64_t to = from;
    *tiles = 0.0;
    while (to < rows) {
        const double n = (double)tiles_bound(&g->A, &g->B, to);
        if (to > from && *tiles + n > most) break;
        *tiles += n;
        to++;
    }
    return to;
}

/* The slices of one product. */
typedef struct {
    const gb_TiledArgs *g;
    double most;  /* tiles of C in a slice, or one row of them */
    double bound; /* tiles that C may have */
    double done;  /* those of the slices so far */
    gb_SlicedRows rows;
} gb_TiledSlices;

/* One slice of tiles, as rows behind those of C. */
static gbl_Info add_slice(gb_TiledSlices *s, const gb_TiledArgs *slice, gb_TiledRun *stats) {
    gb_Tiles tiles;
    gb_Cs rows;
    gbl_Info info = gb_backend()->mxm_tiled(slice, &tiles, &stats->steps);
    if (info != GBL_SUCCESS) return info;
    const gb_TileView view = gb_tiles_view(&tiles, slice->args.zsize);
    info = gb_backend()->cs_from_tiles(&view, &rows, slice->nthreads);
    gb_tiles_free(&tiles);
    if (info != GBL_SUCCESS) return info;
    const gb_CsView part = gb_cs_view(&rows, slice->B.nminor, slice->args.zsize);
    info = gb_slices_add(&s->rows, &part, s->bound > 0.0 ? s->done / s->bound : 1.0);
    gb_cs_free(&rows);
    return info;
}

static gbl_Info run_slices(gb_TiledSlices *s, gb_TiledRun *stats) {
    const gb_TiledArgs *g = s->g;
    const uint64_t rows = gb_tile_count(g->A.nmajor);
    double tiles;
    gbl_Info info = gb_slices_begin(&s->rows, g->A.nmajor);
    for (uint64_t from = 0, to; from < rows && info == GBL_SUCCESS; from = to) {
        to = slice_end(g, from, s->most, &tiles);
        s->done += tiles;
        gb_TiledArgs slice = *g;
        slice.A = rows_of_tiles(&g->A, from, to);
        if (g->mask_kind != GB_MASK_NONE) slice.M = rows_of_tiles(&g->M, from, to);
        slice.first_row = from;
        info = add_slice(s, &slice, stats);
        stats->slices++;
    }
    if (info == GBL_SUCCESS) info = gb_progress_end(g->meter);
    return gb_slices_end(&s->rows, info);
}

/* -- run --------------------------------------------------------------------------------------- */

static gbl_Info run_whole_or_sliced(const gb_Method *m, const gb_MxmRun *run, const gb_TiledArgs *g,
                                    gb_Result *T, gb_TiledRun *stats) {
    const gb_Features *f = run->f;
    const bool limited = run->budget->limited;
    const double tile = limited ? slice_tile_bytes(g->args.zsize) : tile_bytes(g->args.zsize);
    const double capacity = limited ? (double)run->budget->allow.work : f->budget;
    double bound = 0.0, largest = 0.0;
    for (uint64_t I = 0; I < gb_tile_count(g->A.nmajor); I++) {
        const double tiles = (double)tiles_bound(&g->A, &g->B, I);
        bound += tiles;
        if (tiles > largest) largest = tiles;
    }
    if (limited && largest * tile > capacity) {
        gb_CostCase s;
        gb_cost_case(&s, f, gb_machine());
        return gb_fail_limit(gb_budget_wanted(m, &s, largest * tile), f->budget);
    }
    T->is_tiled = bound * tile <= capacity;
    if (!T->is_tiled) {
        gb_TiledSlices slices = {.g = g,
                                 .most = capacity / tile,
                                 .bound = bound,
                                 .rows = {.C = &T->cs,
                                          .size = g->args.zsize,
                                          .exact = limited,
                                          .allow = &run->budget->allow}};
        return run_slices(&slices, stats);
    }
    stats->slices = 1;
    gbl_Info info = gb_backend()->mxm_tiled(g, &T->tiles, &stats->steps);
    if (info == GBL_SUCCESS) info = gb_progress_end(g->meter);
    if (info != GBL_SUCCESS) gb_tiles_free(&T->tiles);
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    const gb_MxmCall *call = run->call;
    const gb_Semiring *ring = call->ring;
    const gb_TileView *A = &run->in->A.tiles.view, *B = &run->in->B.tiles.view;
    gb_TileOperand mask = {0};
    gb_TiledRun stats = {0};
    gb_Meter meter;
    gbl_Info info = GBL_SUCCESS;
    if (call->mask.M != NULL) info = gb_tile_mask_get(&mask, &call->mask);
    if (info == GBL_SUCCESS) {
        const gb_TiledArgs args = {
            .A = *A,
            .B = *B,
            .M = mask.view,
            .mask_kind = run->f->mask,
            .ring = gb_lane_ring(gb_kernel_for(ring, (gb_TakenValues){run->in->A.X, A->x, A->iso},
                                               (gb_TakenValues){run->in->B.X, B->x, B->iso})),
            .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
            .nthreads = gb_threads_for(run->f->flops, GB_GRAIN, run->budget->cut.threads),
            .meter = &meter,
        };
        gb_progress_begin(&meter, "mxm", gb_tile_count(A->nmajor));
        info = run_whole_or_sliced(m, run, &args, T, &stats);
    }
    gb_tile_operand_release(&mask);
    run->why->seconds_layout = stats.steps.seconds_layout;
    run->why->seconds_masks = stats.steps.seconds_masks;
    run->why->seconds_values = stats.steps.seconds_values;
    run->why->slices = stats.slices;
    return info;
}

const gb_Method gb_method_tiled = {
    .name = "tiled",
    .variant = "tiles",
    .place = GBL_PLACE_CPU,
    .about = "multiplies tiles of 16 x 16 entries; C stays in tiles until rows are wanted",
    .method = GBL_METHOD_TILED,
    .a = GB_AS_TILES,
    .b = GB_AS_TILES,
    .makes_tiles = true,
    .learn = GB_LEARN_PLAIN | GB_LEARN_COUNTED,
    .per_pair = GB_RATE_TILE_PAIR,
    .needs = GB_IF_NOT_COMPILED,
    .suits = GB_IF_NOT_INSIDE_MASK | GB_IF_OVERWRITTEN | GB_IF_BUILT_IN_RING | GB_IF_LANE_RING,
    .workspace = workspace,
    .count = count,
    .run = run,
};
