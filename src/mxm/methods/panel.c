/* SPDX-License-Identifier: Apache-2.0
 *
 * PANEL: 8 or 16 neighbouring rows of A, one lane each; a row of B that several of them select is
 * read once for all. Cost in vector steps: entries of B read, times panels that read them; few per
 * product where neighbouring rows are similar (mxm/plan/panels.c). A variant groups similar rows
 * that are far apart. Kernel: cpu/panel/panel.c; measurements: docs/panel.md.
 */
#include "core/clock.h"
#include "mxm/model/method.h"

/* -- workspace (cpu/panel/work.c; cpu/common/chunks.c, compact.c) */

/* Arrays grow to 5/4 of the requested length. */
#define ROOM 1.25
/* Struct, borders and pads of all arrays of a thread; rows of B take a byte each. */
#define THREAD_BYTES 16384.0
/* A row during grouping (cpu/panel/group.c), and its position in the order. */
#define GROUP_BYTES 196.0

/* Inner indices of a panel, products, and slots for its columns. */
typedef struct {
    double held, products, slots;
} Size;

/* Upper bound of the size of a panel. */
static Size largest(const gb_Features *f) {
    const double lanes = gb_panel_lanes(f), n = (double)f->n;
    const double window = (double)gb_panel_slots((uint64_t)lanes * f->zsize);
    const double held = f->A.longest > 0 ? lanes * (double)f->A.longest : (double)f->A.nvals;
    const double products = fmin(fmin(lanes * gb_longest_flops(f), (double)f->flops), n);
    return (Size){.held = fmin(fmin(held, (double)f->A.nvals), (double)f->k),
                  .products = products,
                  .slots = fmin(fmax(products, window), n)};
}

/* One like those that were looked at, of so many slots; 0: none was. */
static Size expected(const gb_Features *f, double slots) {
    const Size most = largest(f);
    return slots > 0.0 ? (Size){most.held, fmin(most.products, slots), slots} : most;
}

/* Arrays of one thread. Per inner index: a value in all lanes with its index data, and a position
 * in the window. Per column: its sums, its indices, and 2 2/3 slots of the table, whose size may be
 * a power of two. */
static double thread_bytes(const gb_Features *f, Size size) {
    const double lanes = gb_panel_lanes(f), value = fmax((double)f->zsize, 8.0);
    const double window = fmin(fmin(GB_PANEL_WINDOW, (double)f->k), size.held * GB_PANEL_SPARSE);
    const double of_a = size.held * (6.0 + lanes * value) + window * 6.0;
    const double of_columns = size.products * (12.0 + 20.0 + 8.0 * 8.0 / 3.0);
    const double of_slots = size.slots * (lanes * (double)f->zsize + 4.0);
    return THREAD_BYTES + ROOM * (of_a + of_slots + of_columns);
}

static gb_Workspace workspace_of(const gb_CostCase *s, const gb_Cut *cut, double slots) {
    const gb_Features *f = s->f;
    const double size = cut->size > 0.0 ? cut->size : GB_PANEL_CHUNK, threads = cut->threads;
    const double total = (double)f->flops + GB_ROW_COST * (double)f->m;
    const double panels = ceil((double)f->m / 16.0);
    const double chunks = fmin(fmin(total / size + 1.0, GB_CHUNKS_MOST), panels);
    const double chunk = fmin(total / chunks + 17.0 * (gb_longest_flops(f) + GB_ROW_COST), total);
    const double entry = gb_entry_bytes(f), upper = gb_upper_bound(f);
    const double expected_most = fmin(upper, s->entries * GB_ESTIMATE_MARGIN + 1.0);
    gb_Workspace w = {.size = size,
                      .fixed =
                          (double)f->k + GB_CHUNK_HEAD * chunks +
                          threads * (thread_bytes(f, largest(f)) +
                                     gb_filter_bytes(f, fmin(gb_longest_flops(f), (double)f->n))),
                      .unit = gb_buffer_bytes((uint64_t)fmin(chunk, 0x1p62), f->zsize),
                      .waiting = 1.5 * upper * entry, /* powers of two, in the mean */
                      .capacity = f->filtered ? 0.0 : expected_most * entry,
                      .slices = 1.0};
    w.beside = (double)f->k + GB_CHUNK_HEAD * chunks +
               threads * thread_bytes(f, expected(f, slots)) + 2.0 * fmin(threads, chunks) * w.unit;
    return w;
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    (void)m;
    return workspace_of(s, cut, s->f->panels.slots);
}

/* C exists twice, and grouping takes some arrays of length nrows(A). */
static gb_Workspace workspace_grouped(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    gb_Workspace w = workspace_of(s, cut, f->panels.grouped_slots);
    const double grouping = f->panels.is_grouped ? 0.0 : GROUP_BYTES * (double)f->m;
    const double made = s->entries * gb_entry_bytes(f) + 16.0 * (double)f->m;
    (void)m;
    w.beside += fmax(grouping, made);
    return w;
}

/* -- cost -------------------------------------------------------------------------------------- */

/* Panels that read the share `share` of B's entries per product, `hashed` of them looked up in a
 * table, and `merged` of which were united by heads. */
typedef struct {
    double share, hashed, merged;
} Panels;

static void count_panels(gb_Counts *c, const gb_CostCase *s, Panels of) {
    const gb_Features *f = s->f;
    const double share = of.share, steps = share * (double)f->flops;
    c->n[GB_RATE_PANEL_ROW] += (double)f->m;
    c->n[GB_RATE_PANEL_ENTRY] += (double)f->A.nvals + (double)f->nnz_m;
    c->n[GB_RATE_PANEL_MERGE] += of.merged * (double)f->A.nvals;
    c->n[GB_RATE_PANEL_STEP] += f->by_pattern ? GB_PATTERN_STEP * steps : steps;
    c->n[GB_RATE_PANEL_FIND] += steps * of.hashed;
    c->n[GB_RATE_PANEL_COLUMN] += s->entries * share;
    c->n[GB_RATE_PANEL_OUT] += s->entries;
    c->n[GB_RATE_FETCH_FAR] += s->far_lines * s->machine->latency * share;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_count_streaming(c, s);
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double share = f->panels.share > 0.0 ? f->panels.share : 1.0;
    (void)m;
    count_panels(c, s, (Panels){share, f->panels.hashed, f->panels.kept ? 0.0 : f->panels.merged});
    gb_cost_scale(c, gb_small_rows_cost(f) / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL_PANEL] = 1.0;
}

static void count_grouped(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double share = f->panels.grouped > 0.0 ? f->panels.grouped : 1.0;
    (void)m;
    count_panels(c, s,
                 (Panels){share, f->panels.grouped_hashed,
                          f->panels.grouped_kept ? 0.0 : f->panels.grouped_merged});
    c->n[GB_RATE_GROUP_FETCH] += share * (double)f->A.nvals;
    c->n[GB_RATE_GROUP_STEP] += share * (double)f->flops;
    c->n[GB_RATE_SLACK] += s->entries * gb_entry_bytes(f) / 12.0;
    gb_cost_scale(c, gb_small_rows_cost(f) / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL_PANEL] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

/* The order of A's rows, cached with A. */
static gbl_Info group_rows(gb_MxmArgs *args, gb_MxmRun *run) {
    const gb_Factor *A = &run->in->A;
    const double start = gb_seconds();
    const gbl_Info info = gb_groups_get(&args->order, A->X, A->rows);
    run->why->seconds_convert += gb_seconds() - start;
    run->why->rows_grouped = run->f->m;
    return info;
}

/* Panels that A keeps, where its values serve as they are and reading panels is faster. */
static void keep_panels(const gb_Method *m, gb_MxmArgs *args, const gb_MxmRun *run) {
    const gb_Factor *A = &run->in->A;
    const gb_PanelFacts *panels = &run->f->panels;
    if ((m->groups_rows ? panels->grouped_merged : panels->merged) < GB_PANEL_MERGED_LEAST) return;
    if (!gb_may_keep_panels(run->f, A)) return;
    args->kept = gb_panels_get(A->X, A->rows, args, gb_panels_have_values(A));
    run->why->panels_kept = args->kept.lanes > 0;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    const gb_Features *f = run->f;
    gb_MxmArgs args = gb_sparse_args(run, f->flops);
    args.compression = f->compression;
    gbl_Info info = GBL_SUCCESS;
    args.ring = gb_lane_ring(args.ring);
    args.filter = run->call->filter;
    if (m->groups_rows) info = group_rows(&args, run);
    if (info != GBL_SUCCESS) return info;
    keep_panels(m, &args, run);
    return gb_run_kernel(gb_backend()->mxm_panel, &args, run, f->flops, &T->cs);
}

#define PANEL                                                                                      \
    .method = GBL_METHOD_PANEL, .a = GB_BY_ROWS, .b = GB_BY_ROWS, .sorted_a = true,                \
    .sorted_b = true, .reads_flops = true, .reads_mask = true, .filters_rows = true, .run = run

const gb_Method gb_method_panel = {
    .name = "panel",
    .variant = "rows",
    .place = GBL_PLACE_CPU,
    .about = "multiplies some neighbouring rows of A at a time, one a lane of vectors",
    .workflow = GBL_WORKFLOW_AS_THEY_ARE,
    PANEL,
    .learn = GB_LEARN_PLAIN | GB_LEARN_GENERIC,
    .by_method_alone = true,
    .needs = GB_IF_LANES,
    .suits = GB_IF_SIMILAR_ROWS | GB_IF_LANE_RING,
    .workspace = workspace,
    .count = count,
};

const gb_Method gb_method_panel_grouped = {
    .name = "panel",
    .variant = "grouped rows",
    .place = GBL_PLACE_CPU,
    .about = "multiplies similar rows of A, wherever they are, one a lane of vectors",
    .workflow = GBL_WORKFLOW_GROUPED,
    PANEL,
    .groups_rows = true,
    .needs = GB_IF_LANES | GB_IF_UNLIMITED, /* C exists twice until its rows are in order */
    .suits = GB_IF_GROUPED_ROWS | GB_IF_LANE_RING,
    .workspace = workspace_grouped,
    .count = count_grouped,
};
