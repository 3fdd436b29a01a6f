/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT: one inner product of a row of A and a column of B for each entry of the mask; triangle
 * counts use it. A product that is only folded is not stored. Kernel: cpu/dot/dot.c.
 */
#include "mxm/model/method.h"

/* Marks and positions of one row of A, unless the inner dimension is too large for them; bits of a
 * row in the blocks that B's columns have, and its words; with heavy rows indices instead of
 * positions, columns that are traversed, and the heavy rows of a row. */
static double row_bytes(const gb_Features *f) {
    const uint64_t entries = f->A.nvals + f->B.nvals;
    const double blocks =
        fmin((double)f->k / GB_BITS_BLOCK + 1.0, (double)gb_bits_blocks_most(entries));
    const double marks = f->k / GB_FEW > entries ? 0.0 : 5.0 * (double)f->k;
    const double bits = f->by_bits ? 20.0 * GB_BITS_WORDS * blocks : 0.0;
    const double hubs =
        f->by_bits ? 4.0 * (double)f->n + 1.125 * fmin((double)f->k + GB_BITS_BLOCK, GB_HEAVY_MOST)
                   : 0.0;
    return marks + 1024.0 + bits + hubs;
}

/* A row of A spread per thread; chunks of the mask's entries; slots of the conversion of B. The
 * columns of B that are held as bits, or split into heavy rows, stay with B; counts for finding
 * heavy rows do not. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double size = cut->size > 0.0 ? cut->size : GB_CHUNK_ENTRIES, threads = cut->threads;
    const double total = (double)f->nnz_m + (double)f->m, entry = gb_entry_bytes(f);
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + f->memory.mask_most;
    const double slots = f->B.has[GB_BY_COLUMNS] ? 0.0 : 8.0 * (double)f->n * f->threads;
    const double counts = f->by_bits ? 4.0 * fmin(threads, GB_HEAVY_PARTS) * (double)f->k : 0.0;
    const double work =
        GB_CHUNK_HEAD * chunks +
        threads * (row_bytes(f) + gb_filter_bytes(f, fmin((double)f->n, (double)f->nnz_m))) +
        counts;
    const double unit = gb_buffer_bytes(gb_to_u64(chunk), f->zsize);
    (void)m;
    return (gb_Workspace){.size = size,
                          .fixed = work + slots,
                          .unit = unit,
                          .waiting = 1.5 * gb_upper_bound(f) * entry,
                          .capacity = (double)f->nnz_m * entry,
                          .beside = work + 2.0 * fmin(threads, chunks) * unit,
                          .slices = 1.0};
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    (void)m;
    if (f->dot_work == UINT64_MAX) return;
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_DOT_ENTRY] += (double)f->dot_work;
    c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
    if (!f->by_bits) c->n[GB_RATE_MASKED_PRODUCT] += GB_DOT_FOUND * f->dot_found;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->dot_work;
    const int threads = gb_threads_for(f->dot_work + f->A.nvals, GB_GRAIN, f->threads);
    gb_cost_scale(c, gb_small_rows_cost(f) / threads);
    c->n[GB_RATE_CALL] = 1.0;
}

/* Heavy rows of B where products are only counted, or found; else its columns as bits. */
static void take_bits(gb_MxmArgs *args, const gb_MxmRun *run, gb_Format format) {
    const gb_Features *f = run->f;
    gb_Matrix *B = run->in->B.X;
    if (f->values != GB_VALUES_TYPED) /* else the pattern of the intersections is needed too */
        args->hubs =
            gb_heavy_get(B, format, &(gb_HeavyUse){f->dot_work, args->M.nvals, f->A.nvals});
    if (args->hubs.blocks == 0) args->bits = gb_bits_get(B, format, f->dot_spared);
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_MxmArgs args = gb_sparse_args(run, run->f->dot_work);
    gb_Folding *fold = run->call->fold;
    const gb_Factor *B = &run->in->B;
    args.fold = fold;
    args.filter = run->call->filter;
    (void)m;
    if (run->f->by_bits && args.ring != GB_RING_LOR_LAND_BOOL)
        take_bits(&args, run, (gb_Format)(1 - B->rows));
    const gbl_Info info = gb_run_kernel(gb_backend()->mxm_dot, &args, run, args.M.nvals, &T->cs);
    if (info == GBL_SUCCESS && fold != NULL) {
        fold->done = true;
        T->cs = (gb_Cs){.nmajor = run->f->m, .sorted = true};
    }
    return info;
}

const gb_Method gb_method_dot = {
    .name = "dot",
    .variant = "mask",
    .place = GBL_PLACE_CPU,
    .about = "multiplies a row of A and a column of B for each entry of the mask",
    .method = GBL_METHOD_DOT,
    .a = GB_BY_ROWS,
    .b = GB_BY_COLUMNS,
    .sorted_a = true,
    .sorted_b = true,
    .reads_mask = true,
    .filters_rows = true,
    .suits_small = true,
    .learn = GB_LEARN_MASKED,
    .needs = GB_IF_INSIDE_MASK,
    .workspace = workspace,
    .count = count,
    .run = run,
};
