/* SPDX-License-Identifier: Apache-2.0
 *
 * VECTOR (long-vector SpGEMM): each lane of a long vector computes a row of C, so that rows of a
 * few products fill it; the paper's ten algorithms are variants of one method. Kernel:
 * cpu/vector/vector.c; with measurements: docs/vector.md.
 */
#include "mxm/methods/vector.h"
#include "semiring/ids.h"

#include <math.h>

#include "core/bits.h"
#include "core/memory.h"
#include "core/context.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "mxm/methods/common.h"

/* -- variants ---------------------------------------------------------------------------------- */

#define NONE_ALONE UINT64_MAX

/* The paper's table 1, in the order of GBL_VECTOR_ values. */
static const gb_VectorWay ways[] = {
    {"spa", GB_BLOCKS_DENSE, 0, 1, 1, GB_VECTOR_DENSE_BYTES},
    {"spars-16/64", GB_BLOCKS_DENSE, NONE_ALONE, 16, 64, GB_VECTOR_DENSE_BYTES},
    {"spars-40/40", GB_BLOCKS_DENSE, NONE_ALONE, 40, 40, GB_VECTOR_DENSE_BYTES},
    {"h-spa-16/64", GB_BLOCKS_DENSE, GB_VECTOR_BELOW, 16, 64, GB_VECTOR_DENSE_BYTES},
    {"h-spa-40/40", GB_BLOCKS_DENSE, GB_VECTOR_BELOW, 40, 40, GB_VECTOR_DENSE_BYTES},
    {"hash-32/256", GB_BLOCKS_HASHED, NONE_ALONE, 32, 256, GB_VECTOR_HASH_BYTES},
    {"hash-256/256", GB_BLOCKS_HASHED, NONE_ALONE, 256, 256, GB_VECTOR_HASH_BYTES},
    {"h-hash-32/256", GB_BLOCKS_HASHED, GB_VECTOR_BELOW, 32, 256, GB_VECTOR_HASH_BYTES},
    {"h-hash-256/256", GB_BLOCKS_HASHED, GB_VECTOR_BELOW, 256, 256, GB_VECTOR_HASH_BYTES},
    {"esc", GB_EXPAND_SORT, NONE_ALONE, 1, 1, 0},
};
_Static_assert(sizeof ways / sizeof ways[0] == GBL_VECTOR_ESC - GBL_VECTOR_SPA + 1, "one a value");

gb_VectorWay gb_vector_way(const gb_VectorChoices *c) {
    const int variant = c->variant != GBL_DEFAULT ? (int)c->variant : (int)GB_VECTOR_UNASKED;
    gb_VectorWay way = ways[variant - (int)GBL_VECTOR_SPA];
    if (c->block_least > 0) way.block_least = (unsigned)c->block_least;
    if (c->block_most > 0) way.block_most = (unsigned)c->block_most;
    if (way.block_most < way.block_least && c->block_least > 0)
        way.block_most = way.block_least;
    else if (way.block_most < way.block_least)
        way.block_least = way.block_most;
    if (c->block_below == INT32_MAX)
        way.below = NONE_ALONE;
    else if (c->block_below > 0)
        way.below = (uint64_t)c->block_below;
    return way;
}

/* -- workspace (cpu/vector/vector.c; cpu/common/chunks.c, compact.c) */

/* Bookkeeping of a chunk: rows, capacity, count, start, and the head of its buffer. */
#define CHUNK_BYTES 112.0
/* Lanes of gb_VectorLanes. */
#define GB_VECTOR_LANE_BYTES 112.0
/* Order, its scratch and the entries found of a row of a chunk, times 5/4. */
#define ROW_BYTES (1.25 * 24.0)

static double longest(const gb_Features *f) {
    return f->counted ? (double)f->rows.most : (double)f->flops;
}

/* Accumulators of a thread, of `rows` rows at a time. */
static double thread_bytes(const gb_Features *f, const gb_VectorWay *way, double rows) {
    const double z = (double)f->zsize, n = (double)f->n;
    const double room = fmin(longest(f), n), table = (double)way->bytes / (z + 4.0);
    double bytes = GB_VECTOR_LANE_BYTES * 256.0 + 1024.0 + ROW_BYTES * rows + 24.0 * room;
    if (way->kind == GB_EXPAND_SORT) {
        const double products = GB_VECTOR_GROUP + longest(f);
        return bytes + products * (24.0 + z) + 4.0 * (256u << GB_VECTOR_DIGIT);
    }
    if (longest(f) >= fmin((double)way->below, GB_VECTOR_FLOPS_MOST)) bytes += n * (4.0 + z);
    if (way->below > 0) {
        const double row = way->kind == GB_BLOCKS_HASHED ? 2.0 * room + 2.0 : way->block_most;
        const double block = way->kind == GB_BLOCKS_DENSE ? way->block_most * n : table;
        bytes += (fmax(fmin(table, block), row) + 64.0) * (12.0 + z);
    }
    return bytes;
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const gb_VectorWay way = gb_vector_way(&f->choices.vector);
    const double size = cut->size > 0.0 ? cut->size : GB_VECTOR_CHUNK;
    const double total = (double)f->flops + GB_ROW_COST * (double)f->m;
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + longest(f) + GB_ROW_COST;
    const double entry = gb_entry_bytes(f), rows = fmin(chunk / GB_ROW_COST, (double)f->m) + 1.0;
    const double fixed = CHUNK_BYTES * chunks + cut->threads * thread_bytes(f, &way, rows);
    const double unit = gb_buffer_bytes(gb_to_u64(chunk), f->zsize);
    (void)m;
    return (gb_Workspace){.size = size,
                          .fixed = fixed,
                          .unit = unit,
                          .waiting = 1.5 * gb_upper_bound(f) * entry,
                          .capacity = gb_upper_bound(f) * entry,
                          .beside = fixed + 2.0 * fmin(cut->threads, chunks) * unit,
                          .slices = 1.0};
}

/* -- cost -------------------------------------------------------------------------------------- */

/* Flops of rows that are summed alone. */
static double flops_alone(const gb_Features *f, const gb_VectorWay *way) {
    double flops = 0.0;
    for (unsigned c = 1; c < GB_CLASSES && way->below != NONE_ALONE; c++)
        if ((double)f->rows.flops[c] >= (double)way->below * (double)f->rows.rows[c])
            flops += (double)f->rows.flops[c];
    return flops;
}

/* What is fetched from far costs twice what it does in rowwise: the rows of a block are in no order
 * that a processor foresees. */
static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const gb_VectorWay way = gb_vector_way(&f->choices.vector);
    const double alone = flops_alone(f, &way);
    const double outside = gb_share_outside((double)f->n * (double)(f->zsize + sizeof(uint32_t)),
                                            s->machine->cache[1]);
    (void)m;
    c->n[GB_RATE_VECTOR_ROW] += (double)f->m;
    c->n[GB_RATE_VECTOR_ENTRY] += (double)f->A.nvals;
    c->n[GB_RATE_VECTOR_PRODUCT] += (double)f->flops - alone;
    c->n[GB_RATE_VECTOR_LONG] += alone;
    c->n[GB_RATE_DENSE_FAR] += 4.0 * alone * outside; /* flags and values, read and written */
    c->n[GB_RATE_FETCH_FAR] += 2.0 * s->far_lines * s->machine->latency;
    c->n[GB_RATE_SORT_STEP] += s->rows.steps;
    if (f->mask != GB_MASK_NONE) c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_Meter meter;
    gb_MxmStats stats = {0};
    gb_MxmArgs args = gb_sparse_args(run, run->f->flops);
    (void)m;
    args.ring = gb_lane_ring(args.ring);
    args.way = gb_vector_way(&run->f->choices.vector);
    args.any_order = run->call->choices.row_order == GBL_ANY_ORDER;
    args.meter = &meter;
    gb_progress_begin(&meter, "mxm", run->f->flops);
    const gbl_Info info = gb_backend()->mxm_vector(&args, &T->cs, &stats);
    if (info != GBL_SUCCESS) return info;
    run->why->workflow = args.way.name;
    gb_report_stats(run->why, &stats);
    return GBL_SUCCESS;
}

const gb_Method gb_method_vector = {
    .name = "vector",
    .variant = "blocks",
    .place = GBL_PLACE_CPU,
    .about = "computes a row of C in each lane of a long vector; ten ways to sum them",
    .method = GBL_METHOD_VECTOR,
    .a = GB_BY_ROWS,
    .b = GB_BY_ROWS,
    .sorted_a = true,
    .reads_flops = true,
    .reads_mask = true,
    .learn = GB_LEARN_PLAIN,
    .per_flop = {GB_RATE_VECTOR_PRODUCT, GB_RATE_VECTOR_LONG},
    .needs = GB_IF_NOT_COMPILED,
    .suits = GB_IF_NO_MASK | GB_IF_LANE_RING,
    .workspace = workspace,
    .count = count,
    .run = run,
};
