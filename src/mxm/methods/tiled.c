/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the tiled product; see tiled.h.
 */
#include "mxm/methods/tiled.h"

#include <stdio.h>
#include <string.h>

#include "core/arrays.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tiles.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "semiring/ids.h"

/* -- slices */

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

/* C as it is put together from slices. */
typedef struct {
    const gb_TiledArgs *g;
    double most;  /* tiles of C in a slice, or one row of them */
    double bound; /* tiles that C may have */
    double done;  /* those of the slices so far */
    const gb_Allowance *allow;
    bool exact; /* C's arrays are made for what is there, not for what is expected */
    gb_Cs *C;
} gb_TiledSlices;

/* Arrays of C for so many entries. */
static gbl_Info resize(const gb_TiledSlices *s, uint64_t room) {
    gb_Cs *C = s->C;
    const size_t size = s->g->args.zsize;
    size_t ibytes, xbytes;
    if (!gb_size_mul(&ibytes, room, sizeof *C->i) || !gb_size_mul(&xbytes, C->iso ? 1 : room, size))
        return gb_fail_memory(NULL, SIZE_MAX);
    gb_Idx *i = gb_resize(C->i, C->icap * sizeof *i, ibytes, C->nvals * sizeof *i);
    if (i == NULL) return gb_fail_memory(NULL, ibytes);
    C->i = i;
    C->icap = room;
    const uint64_t kept = C->x == NULL ? 0 : C->iso ? 1 : C->nvals;
    void *x = gb_resize(C->x, C->xcap, xbytes, kept * size);
    if (x == NULL) return gb_fail_memory(NULL, xbytes);
    C->x = x;
    C->xcap = xbytes;
    return GBL_SUCCESS;
}

/* Room in C for n entries, and for what the rest of the work will bring. */
static gbl_Info grow(const gb_TiledSlices *s, uint64_t n) {
    const double share = s->bound > 0.0 ? s->done / s->bound : 1.0;
    const double expected = (double)n / (share > 0.01 ? share : 0.01);
    const double bytes = (double)n * (double)(s->g->args.zsize + sizeof(gb_Idx));
    if (n <= s->C->icap) return GBL_SUCCESS;
    const gbl_Info info = gb_allow_result(s->allow, bytes, share > 0.01 ? share : 0.01);
    if (info != GBL_SUCCESS) return info;
    return resize(s, s->exact || expected <= (double)n ? n : (uint64_t)expected + 1);
}

/* The rows of `part` from row `first` of C on. */
static gbl_Info append(const gb_TiledSlices *s, const gb_Cs *part, uint64_t first) {
    const size_t size = s->g->args.zsize;
    gb_Cs *C = s->C;
    if (part->nvals > 0) C->iso = part->iso;
    const gbl_Info info = grow(s, C->nvals + part->nvals);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t r = 0; r < part->nmajor; r++) C->p[first + r + 1] = C->nvals + part->p[r + 1];
    if (part->nvals > 0) {
        char *to = (char *)C->x + (C->iso ? 0 : C->nvals * size);
        memcpy(C->i + C->nvals, part->i, part->nvals * sizeof *C->i);
        memcpy(to, part->x, (C->iso ? 1 : part->nvals) * size);
    }
    C->nvals += part->nvals;
    return GBL_SUCCESS;
}

/* One slice of tiles, as rows behind those of C. */
static gbl_Info add_slice(const gb_TiledSlices *s, const gb_TiledArgs *slice,
                          gb_TiledRunStats *stats) {
    gb_Tiles tiles;
    gb_Cs rows;
    gbl_Info info = gb_backend()->mxm_tiled(slice, &tiles, &stats->steps);
    if (info != GBL_SUCCESS) return info;
    const gb_TileView view = gb_tiles_view(&tiles, slice->args.zsize);
    info = gb_backend()->cs_from_tiles(&view, &rows, slice->nthreads);
    gb_tiles_free(&tiles);
    if (info != GBL_SUCCESS) return info;
    info = append(s, &rows, slice->first_row * GB_TILE);
    gb_cs_free(&rows);
    return info;
}

static gbl_Info run_slices(gb_TiledSlices *s, gb_TiledRunStats *stats) {
    const gb_TiledArgs *g = s->g;
    const uint64_t rows = gb_tile_count(g->A.nmajor);
    gb_Cs *C = s->C;
    double tiles;
    gbl_Info info = gb_cs_alloc(C, g->A.nmajor, 0, 0);
    if (info != GBL_SUCCESS) return info;
    C->p[0] = 0;
    C->sorted = true;
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
    if (info == GBL_SUCCESS && (double)C->icap > GB_SLACK_MAX * (double)C->nvals && C->nvals > 0)
        info = resize(s, C->nvals);
    if (info != GBL_SUCCESS) gb_cs_free(C);
    return info;
}

/* -- the whole */

typedef struct {
    gb_TileOperand A, B, M;
} gb_TiledHold;

static gbl_Info get_operands(gb_TiledHold *hold, const gb_MxmCall *call) {
    const gb_Format a = call->transpose_a ? GB_CSC : GB_CSR;
    const gb_Format b = call->transpose_b ? GB_CSC : GB_CSR;
    gbl_Info info = gb_tile_operand_get(&hold->A, call->A, a, gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS)
        info = gb_tile_operand_get(&hold->B, call->B, b, gb_ring_right_type(call->ring));
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_tile_mask_get(&hold->M, &call->mask);
    return info;
}

static gbl_Info run_whole_or_sliced(const gb_TiledArgs *g, const gb_Features *f,
                                    const gb_Budget *budget, gb_Result *T,
                                    gb_TiledRunStats *stats) {
    const bool limited = f->memory.limited;
    const double whole = GB_TILE_BYTES + GB_TILE_CELLS * (1.0 + (double)g->args.zsize);
    const double tile = limited ? gb_slice_tile_bytes(g->args.zsize) : whole;
    const double room = limited ? (double)budget->allow.work : f->budget;
    double bound = 0.0, largest = 0.0;
    for (uint64_t I = 0; I < gb_tile_count(g->A.nmajor); I++) {
        const double tiles = (double)tiles_bound(&g->A, &g->B, I);
        bound += tiles;
        if (tiles > largest) largest = tiles;
    }
    if (limited && largest * tile > room)
        return gb_fail_limit(NULL, gb_budget_wanted(f, largest * tile), f->budget);
    T->is_tiled = bound * tile <= room;
    if (!T->is_tiled) {
        gb_TiledSlices slices = {.g = g,
                                 .most = room / tile,
                                 .bound = bound,
                                 .exact = limited,
                                 .allow = &budget->allow,
                                 .C = &T->cs};
        return run_slices(&slices, stats);
    }
    stats->slices = 1;
    gbl_Info info = gb_backend()->mxm_tiled(g, &T->tiles, &stats->steps);
    if (info == GBL_SUCCESS) info = gb_progress_end(g->meter);
    if (info != GBL_SUCCESS) gb_tiles_free(&T->tiles);
    return info;
}

gbl_Info gb_tiled_run(const gb_MxmCall *call, const gb_Features *features, const gb_Budget *budget,
                      gb_Result *T, gb_TiledRunStats *stats) {
    const double start = gb_seconds();
    const gb_Semiring *ring = call->ring;
    gb_TiledHold hold = {0};
    gb_Meter meter;
    gbl_Info info = get_operands(&hold, call);
    stats->seconds_convert = gb_seconds() - start;
    if (info == GBL_SUCCESS) {
        const gb_TileView *A = &hold.A.view, *B = &hold.B.view;
        const gb_TiledArgs args = {
            .A = *A,
            .B = *B,
            .M = hold.M.view,
            .mask_kind = call->mask.M == NULL    ? GB_MASK_NONE
                         : call->mask.complement ? GB_MASK_OUTSIDE
                                                 : GB_MASK_INSIDE,
            .ring = ring->kernel,
            .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
            .nthreads = gb_threads_for(features->flops, GB_GRAIN, budget->threads),
            .meter = &meter,
        };
        gb_progress_begin(&meter, "mxm", gb_tile_count(A->nmajor));
        info = run_whole_or_sliced(&args, features, budget, T, stats);
    }
    gb_tile_operand_release(&hold.A);
    gb_tile_operand_release(&hold.B);
    gb_tile_operand_release(&hold.M);
    return info;
}

void gb_tiled_explain(gbl_Explanation *why, const gb_TiledRunStats *stats) {
    why->seconds_convert = stats->seconds_convert;
    why->seconds_layout = stats->steps.seconds_layout;
    why->seconds_masks = stats->steps.seconds_masks;
    why->seconds_values = stats->steps.seconds_values;
    why->slices = stats->slices;
}
