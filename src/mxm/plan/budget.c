/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of memory; see budget.h. Each kernel's arrays are listed here once more, by the names of
 * the files that allocate them.
 */
#include "mxm/plan/budget.h"

#include <math.h>

#include "core/buffer.h"
#include "core/cache.h"
#include "core/context.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "semiring/ids.h"

/* Large blocks are rounded up to a class of the pool, by 1 / 8 at most. */
#define POOL_SHARE (8.0 / 9.0)
/* Samples, meters and other arrays whose size does not depend on the operands. */
#define SMALL_BYTES 49152.0
/* Bookkeeping of a chunk: rows, room, count, start, and the head of its buffer. */
#define CHUNK_BYTES 112.0
#define LINE_BYTES 64.0

typedef struct {
    double fixed, unit;
} gb_Need;

static double entry_bytes(const gb_Features *f) {
    return (double)(f->zsize + sizeof(gb_Idx));
}

/* -- rowwise (cpu/isa/rowwork.c, symbolic.c; cpu/chunks.c, place.c) */

/* A hash table for rows with so much room. */
static double table_bytes(const gb_Features *f, double room) {
    double slots = 32.0;
    while (slots < room * 4.0 / 3.0 + 1.0) slots *= 2.0;
    return slots * (double)(sizeof(gb_Idx) + f->zsize + 1 + 2 * sizeof(uint64_t)) + 128.0;
}

/* Products of the longest row, and columns that it can have; all of C's where nobody counted. */
static double longest(const gb_Features *f) {
    return f->counted ? (double)f->rows.most : (double)f->flops;
}
static double longest_room(const gb_Features *f) {
    const double room = longest(f) + (double)f->memory.mask_most;
    return fmin(room, (double)f->n);
}

/* Accumulators of one thread, of the kinds that may be used. */
static double accumulator_bytes(const gb_Features *f, unsigned kinds) {
    const double n = (double)f->n, size = (double)f->zsize;
    const bool dense = (kinds & GBL_ACCUMULATE_DENSE) != 0,
               hash = (kinds & GBL_ACCUMULATE_HASH) != 0;
    const bool fits = n * (size + 1.0) <= GB_DENSE_BYTES;
    double bytes = GB_SORT_MAX * 16.0 * size + 1024.0;
    if (dense && (!hash || fits || longest(f) > n / GB_DENSE_FILL))
        bytes += n * (size + 1.0 + 1.0 / 64.0) + 256.0;
    if (!hash || (dense && fits)) return bytes;
    return bytes + table_bytes(f, longest_room(f));
}

/* Dense arrays or hash tables, whichever is less, where the limit is near. */
static unsigned choose_accumulators(const gb_Features *f) {
    const unsigned both = GBL_ACCUMULATE_DENSE | GBL_ACCUMULATE_HASH;
    if (!f->memory.limited || (f->accumulators & both) != both) return f->accumulators;
    const double all = accumulator_bytes(f, f->accumulators);
    if (all * (double)f->threads <= f->budget / 4.0) return f->accumulators;
    const unsigned without = f->accumulators & ~(unsigned)GBL_ACCUMULATE_DENSE;
    return accumulator_bytes(f, without) < all ? without : f->accumulators;
}

static double counter_bytes(const gb_Features *f) {
    const double marks = 2.0 * (double)f->n;
    return (marks <= GB_MARKS_MOST ? marks : 0.0) + table_bytes(f, longest_room(f));
}

/* `size`: products of a chunk. */
static gb_Need need_rowwise(const gb_Features *f, gb_Way way, double threads, double size) {
    const double total = (double)f->flops + GB_ROW_COST * (double)f->m;
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + longest(f) + GB_ROW_COST;
    gb_Need need = {.fixed = CHUNK_BYTES * chunks};
    need.fixed += threads * accumulator_bytes(f, choose_accumulators(f));
    if (way != GB_WAY_BOUND) need.fixed += (double)f->m * sizeof(float);
    if (way == GB_WAY_SYMBOLIC) need.fixed += threads * counter_bytes(f);
    if (way == GB_WAY_ESTIMATE) need.fixed += (double)f->k * 128.0;
    need.unit = gb_buffer_bytes((uint64_t)chunk, f->zsize);
    return need;
}

/* -- dot (cpu/isa/mxm_dot.c); `size`: entries of the mask */

static gb_Need need_dot(const gb_Features *f, double threads, double size) {
    const double total = (double)(f->nnz_m + f->m);
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + (double)f->memory.mask_most;
    const double turned = f->B.by_columns ? 0.0 : 8.0 * (double)f->n * (double)f->threads;
    return (gb_Need){.fixed =
                         CHUNK_BYTES * chunks + threads * (5.0 * (double)f->k + 1024.0) + turned,
                     .unit = gb_buffer_bytes((uint64_t)chunk, f->zsize)};
}

/* -- outer (cpu/bins.c, cpu/isa/outerwork.c, window.c); `size`: bytes of a bin */

/* Arrays of one thread. */
static double outer_work_bytes(const gb_Features *f, double bins, double products) {
    const double z = (double)f->zsize, n = (double)f->n, cache = (double)gb_cache_bytes();
    const unsigned lines = f->memory.bin_lines > 0 ? f->memory.bin_lines : GB_LOCAL_LINES;
    const double stride = 2.0 * LINE_BYTES * (lines + 2.0) + 2.0 * GB_PACKET * (z + 8.0);
    const double local = fmin(bins, cache * GB_LOCAL_CACHES / stride + 1.0) + 1.0;
    const double range = fmax(cache / GB_RANGE_SHARE / (z + 1.0), 2.0 * n / GB_RANGES_MOST);
    const double window = (GB_WINDOW + 64.0) * (32.0 + z) + 8192.0;
    return local * (stride + 16.0) + products * (40.0 + z) + window + 4.0 * GB_BIN_ROWS +
           fmin(range, n) * (z + 2.0) + GB_SORT_MAX * 16.0 * z;
}

static gb_Need need_outer(const gb_Features *f, double threads, double size) {
    const double z = (double)f->zsize, most = longest(f), parts = threads * GB_PARTS;
    const double flops = (double)f->flops, products = size / entry_bytes(f) + 1.0;
    const double heavy = most > products ? flops / products : 0.0;
    const double range = (double)gb_cache_bytes() / GB_RANGE_SHARE / (z + 1.0) / 2.0;
    const double ranges = fmin((double)f->n / range, GB_RANGES_MOST) + 1.0;
    const double bins = 2.0 * flops / products + (double)f->m / GB_BIN_ROWS + 2.0 + heavy * ranges;
    const double largest = fmax(products, most);
    const bool masked = f->mask != GB_MASK_NONE; /* cpu/premask.c: rows alive, B's named columns */
    const double premask = masked ? 9.0 * (double)f->m + (double)f->n + 16.0 * (double)f->k +
                                        (double)f->B.nvals * entry_bytes(f)
                                  : 0.0;
    /* packets of single products, and the buffer beside them, each half of a slice */
    const double packets = largest * (z + 16.0) + LINE_BYTES * (parts + 5.0);
    const double turned = f->A.by_columns ? 0.0 : 8.0 * (double)f->k * (double)f->threads;
    return (gb_Need){.fixed = bins * (CHUNK_BYTES + 48.0 + 16.0 * parts) + 8.0 * (double)f->k +
                              turned + premask + threads * outer_work_bytes(f, bins, products),
                     .unit = 2.0 * fmax(packets, gb_buffer_bytes((uint64_t)largest, f->zsize))};
}

/* -- tiled (cpu/isa/mxm_tiled.c, cpu/isa/tiles.c); rows of tiles are counted when they are at hand
 */

double gb_slice_tile_bytes(size_t zsize) {
    return GB_TILE_BYTES + GB_TILE_CELLS * (1.0 + (double)zsize) +
           GB_TILE_CELLS * (double)(zsize + sizeof(gb_Idx));
}

static gb_Need need_tiled(const gb_Features *f, double threads) {
    const double columns = ceil(fmax((double)f->n, (double)f->k) / GB_TILE) + 1.0;
    const double rows = ceil((double)f->m / GB_TILE) + 1.0;
    const double a = f->A.fill > 0.0 ? (double)f->A.nvals / f->A.fill : (double)f->A.nvals;
    const double b = f->B.fill > 0.0 ? (double)f->B.nvals / f->B.fill : (double)f->B.nvals;
    const double cells = columns * GB_TILE_CELLS * 1.5 * fmax((double)f->zsize, 8.0);
    return (gb_Need){.fixed = threads * (columns * 60.0 + cells) + 16.0 * rows + (a + b) * 70.0,
                     .unit = columns * gb_slice_tile_bytes(f->zsize)};
}

/* -- the budget */

static gb_Need need_of(const gb_Features *f, gb_Way way, int threads, double size) {
    gb_Need need;
    switch (gb_way_method(way)) {
    case GB_OUTER:
        need = need_outer(f, threads, size);
        break;
    case GB_TILED:
        need = need_tiled(f, threads);
        break;
    case GB_DOT:
        need = need_dot(f, threads, size);
        break;
    default:
        need = need_rowwise(f, way, threads, size);
    }
    need.fixed += f->memory.held + SMALL_BYTES;
    return need;
}

/* Products, entries or bytes of a chunk or bin where memory is no matter. */
static double largest_size(const gb_Features *f, gb_Way way) {
    if (way == GB_WAY_DOT) return GB_CHUNK_ENTRIES;
    if (way != GB_WAY_OUTER) return GB_CHUNK_FLOPS;
    return f->memory.bin_bytes > 0 ? f->memory.bin_bytes : (double)gb_cache_bytes() / GB_BIN_SHARE;
}

/* Of what is left beside the fixed bytes, slices get this share: a result that is merged or cast
 * into C waits beside them, and merging may turn it. */
static double slice_share(const gb_Features *f) {
    return f->memory.result_merges ? 0.25 : f->memory.result_waits ? 0.5 : 1.0;
}

typedef struct {
    int threads;
    double size;
    double left, unit; /* bytes for slices and for a result that waits; of the least slice */
    bool found;
    double wanted;
} gb_Cut;

/* Finer and finer cuts for so many threads, until slices have room for so many units. */
static void try_cuts(gb_Cut *cut, const gb_Features *f, gb_Way way, int threads, double units) {
    enum { STEPS = 5 }; /* each a quarter of the one before */
    const double share = slice_share(f);
    double size = largest_size(f, way);
    for (int step = 0; step < STEPS && !cut->found; step++, size = fmax(size / 4.0, 1.0)) {
        const gb_Need need = need_of(f, way, threads, size);
        cut->threads = threads;
        cut->size = size;
        cut->left = f->budget * POOL_SHARE - need.fixed;
        cut->unit = need.unit;
        cut->found = cut->left * share >= units * need.unit;
        cut->wanted = fmin(cut->wanted, need.fixed + need.unit / share);
    }
}

/* The coarsest cut, for most threads, of which each finds room for two units; else for one unit. */
static gb_Cut find_cut(const gb_Features *f, gb_Way way) {
    gb_Cut cut = {.wanted = HUGE_VAL};
    for (int threads = f->threads; threads > 0 && !cut.found; threads--)
        try_cuts(&cut, f, way, threads, 2.0 * (double)threads);
    if (!cut.found) try_cuts(&cut, f, way, 1, 1.0);
    cut.wanted = ceil(cut.wanted / POOL_SHARE) + 1.0;
    return cut;
}

/* Arrays of C as the way would make them before C's size is known. */
static double room_wanted(const gb_Features *f, gb_Way way) {
    double entries = f->counted ? (double)f->rows.room : (double)f->flops;
    if (way == GB_WAY_ESTIMATE) entries = fmin(entries, gb_expect_entries(f) * GB_ESTIMATE_MARGIN);
    if (f->mask == GB_MASK_INSIDE) entries = fmin(entries, (double)f->nnz_m);
    return entries * entry_bytes(f);
}

static gb_Budget unlimited(const gb_Features *f, gb_Way way) {
    return (gb_Budget){.allow = {.room = way == GB_WAY_OUTER ? (uint64_t)f->budget : UINT64_MAX,
                                 .work = UINT64_MAX,
                                 .packets = (uint64_t)(f->budget / GB_TUPLE_SHARE),
                                 .result = UINT64_MAX,
                                 .chunk = way == GB_WAY_DOT ? GB_CHUNK_ENTRIES : GB_CHUNK_FLOPS},
                       .threads = f->threads,
                       .accumulators = f->accumulators};
}

gb_Budget gb_budget(const gb_Features *f, gb_Way way) {
    gb_Budget b = unlimited(f, way);
    if (!f->memory.limited) return b;
    const gb_Cut cut = find_cut(f, way);
    const double slices = fmax(cut.left * slice_share(f), 0.0), room = room_wanted(f, way);
    const bool makes_room = way != GB_WAY_SYMBOLIC && way != GB_WAY_TILED;
    const bool in_place = makes_room && room + fmax(room, cut.unit) <= slices;
    const double work = in_place ? slices - room : slices;
    b.wanted = cut.wanted;
    b.threads = cut.threads;
    b.accumulators = choose_accumulators(f);
    b.bin_bytes = (size_t)cut.size;
    b.allow.chunk = (uint64_t)cut.size;
    b.allow.room = in_place ? (uint64_t)room : 0;
    b.allow.work = (uint64_t)(way == GB_WAY_OUTER ? work / 2.0 : work);
    b.allow.packets = (uint64_t)(work / 2.0);
    if (f->memory.result_waits) b.allow.result = (uint64_t)slices;
    b.allow.limit = f->budget;
    b.allow.per_result = 1.0 / slice_share(f) / POOL_SHARE;
    return b;
}

double gb_budget_slices(const gb_Features *f, const gb_Budget *budget) {
    if (budget->allow.work == UINT64_MAX) return 1.0;
    const double waiting = 1.5 * room_wanted(f, GB_WAY_BOUND); /* powers of two, in the mean */
    return fmax(ceil(waiting / fmax((double)budget->allow.work, 1.0)), 1.0);
}

double gb_budget_wanted(const gb_Features *f, double slice) {
    const double fixed = need_of(f, GB_WAY_TILED, 1, 1.0).fixed;
    return ceil((fixed + slice / slice_share(f)) / POOL_SHARE) + 1.0;
}

/* -- what the call holds */

/* Bytes of the copy that a valued mask makes of its true entries, and of the truths. */
static double mask_bytes(const gb_Mask *mask, double rows) {
    if (mask->M == NULL || mask->structural) return 0.0;
    return 5.0 * (double)mask->M->nvals + 8.0 * (rows + 1.0);
}

static double cast_bytes(const gb_Matrix *X, const gb_Type *type) {
    if (type == NULL || type->code == X->type->code) return 0.0;
    return (double)X->nvals * (double)type->size;
}

/* Pointers of rows, or slots of a conversion, where a factor is not held by rows. */
static double turn_bytes(const gb_Matrix *X, gb_Format rows) {
    if (gb_has(X) & gb_has_bit(rows)) return 0.0;
    const double longer = fmax((double)X->nrows, (double)X->ncols);
    return 8.0 * (longer + 1.0) * (1.0 + (double)gb_nthreads());
}

gb_MemoryFacts gb_memory_facts(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B, *C = call->C;
    const bool masked = call->mask.M != NULL && call->mask.M->nvals > 0;
    const bool merges =
        C != NULL && C->nvals > 0 && (call->accum != NULL || (masked && !call->mask.replace));
    const bool casts = C != NULL && C->type != call->ring->add->op->ztype;
    const double rows = (double)(call->transpose_a ? A->ncols : A->nrows);
    double held = 8.0 * (rows + 1.0);
    held += turn_bytes(A, call->transpose_a ? GB_CSC : GB_CSR);
    held += turn_bytes(B, call->transpose_b ? GB_CSC : GB_CSR);
    held += cast_bytes(A, gb_ring_left_type(call->ring));
    held += cast_bytes(B, gb_ring_right_type(call->ring));
    held += mask_bytes(&call->mask, rows) * (merges ? 2.0 : 1.0);
    if (merges) /* what the mask leaves of C */
        held += (double)C->nvals * (double)(C->type->size + sizeof(gb_Idx)) + 8.0 * (rows + 1.0);
    return (gb_MemoryFacts){.limited = true,
                            .held = held,
                            .result_waits = merges || casts,
                            .result_merges = merges,
                            .bin_bytes = (uint32_t)call->choices.bin_bytes,
                            .bin_lines = (uint32_t)call->choices.bin_lines};
}

gbl_Info gb_memory_for_plan(const gb_MxmCall *call) {
    const double limit = (double)gb_memory_limit();
    if (limit == 0.0) return GBL_SUCCESS;
    const double wanted = ceil((gb_memory_facts(call).held + SMALL_BYTES) / POOL_SHARE);
    return wanted <= limit ? GBL_SUCCESS : gb_fail_limit(call->C, wanted, limit);
}
