/* SPDX-License-Identifier: Apache-2.0
 *
 * VECTOR (long-vector SpGEMM): each lane of a long vector computes a row of C, so that rows of a
 * few products fill it; the paper's SPA, HASH and their hybrids are variants of one method. Only on
 * request: it is the fastest nowhere that was measured. Kernel: cpu/vector/vector.c; with
 * measurements: docs/vector.md.
 */
#include "mxm/model/method.h"

/* -- variants ---------------------------------------------------------------------------------- */

#define NONE_ALONE UINT64_MAX

/* Of the paper's table 1, in the order of GBL_VECTOR_ values. */
static const gb_VectorWay ways[] = {
    {"spa", 0, 1, 1},
    {"hash-32/256", NONE_ALONE, 32, 256},
    {"hash-256/256", NONE_ALONE, 256, 256},
    {"h-hash-32/256", GB_VECTOR_BELOW, 32, 256},
    {"h-hash-256/256", GB_VECTOR_BELOW, 256, 256},
};
_Static_assert(sizeof ways / sizeof ways[0] == GBL_VECTOR_H_HASH_256_256 - GBL_VECTOR_SPA + 1,
               "one a value");

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

/* Lanes of gb_VectorLanes. */
#define GB_VECTOR_LANE_BYTES 72.0
/* Order, its scratch and the entries found of a row of a chunk, times 5/4. */
#define ROW_BYTES (1.25 * 24.0)

/* Accumulators of a thread, of `rows` rows at a time. */
static double thread_bytes(const gb_Features *f, double rows) {
    const gb_VectorWay way = gb_vector_way(&f->choices.vector);
    const double z = (double)f->zsize, n = (double)f->n, capacity = fmin(gb_longest_flops(f), n);
    double bytes = GB_VECTOR_LANE_BYTES * 256.0 + 1024.0 + ROW_BYTES * rows + 20.0 * capacity;
    if (gb_longest_flops(f) >= fmin((double)way.below, GB_VECTOR_FLOPS_MOST))
        bytes += n * (4.0 + z);
    if (way.below > 0)
        bytes += fmax(GB_VECTOR_HASH_BYTES / (z + 4.0), 2.0 * capacity + 2.0) * (12.0 + z);
    return bytes;
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double size = cut->size > 0.0 ? cut->size : GB_VECTOR_CHUNK;
    const double total = (double)f->flops + GB_ROW_COST * (double)f->m;
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + gb_longest_flops(f) + GB_ROW_COST;
    const double entry = gb_entry_bytes(f), rows = fmin(chunk / GB_ROW_COST, (double)f->m) + 1.0;
    const double fixed = GB_CHUNK_HEAD * chunks + cut->threads * thread_bytes(f, rows);
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

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    (void)m;
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_VECTOR_PRODUCT] += (double)f->flops;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_MxmArgs args = gb_sparse_args(run, run->f->flops);
    (void)m;
    args.ring = gb_lane_ring(args.ring);
    args.way = gb_vector_way(&run->f->choices.vector);
    args.any_order = run->call->choices.row_order == GBL_ANY_ORDER;
    const gbl_Info info =
        gb_run_kernel(gb_backend()->mxm_vector, &args, run, run->f->flops, &T->cs);
    if (info == GBL_SUCCESS) run->why->workflow = args.way.name;
    return info;
}

const gb_Method gb_method_vector = {
    .name = "vector",
    .variant = "blocks",
    .place = GBL_PLACE_CPU,
    .about = "computes a row of C in each lane of a long vector; five ways to sum them",
    .method = GBL_METHOD_VECTOR,
    .a = GB_BY_ROWS,
    .b = GB_BY_ROWS,
    .sorted_a = true,
    .reads_flops = true,
    .reads_mask = true,
    .needs = GB_IF_NOT_COMPILED,
    .suits = GB_IF_ASKED,
    .workspace = workspace,
    .count = count,
    .run = run,
};
