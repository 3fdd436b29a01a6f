/* SPDX-License-Identifier: Apache-2.0
 *
 * ROWWISE: row i of C is the sum of A(i,k) B(k,:) (Gustavson 1978), each row in the accumulator
 * that suits it. The three variants are the workflows of Ocean (ICS '26, section 3.2): C's arrays
 * are sized by the upper bound from flops, by an estimate from HyperLogLog sketches of B's rows, or
 * by an exact symbolic count. Kernel: cpu/rowwise/rowwise.c.
 *
 * A few rows under a mask, the frontiers of a few searches, are each a product of a vector with B
 * (cpu/mxv/mxv.c). Sums are found in a set that stays with B, empty, between calls
 * (matrix/matrix.h), so a row costs O(its flops) for any number of columns; no table is made, and
 * nothing is sorted. Threads take whole rows, or share the columns of each where one is long.
 */
#include "core/clock.h"
#include "mxm/model/method.h"

/* -- a few rows under a mask ------------------------------------------------------------------- */

static bool suits_small_rows(const gb_MxmRun *run, const gb_MxmArgs *args) {
    const gb_Features *f = run->f;
    const gb_Semiring *ring = run->call->ring;
    if (ring->multiply->code == GB_FIRSTI ||
        (gb_binary_is_positional(ring->multiply) && ring->kernel == GB_RING_GENERIC))
        return false;                                    /* a vector has one row */
    if (f->n / GB_FEW > f->B.nvals + f->k) return false; /* nothing is as long as a wide row */
    return f->mask != GB_MASK_NONE && f->m <= GB_SMALL_ROWS &&
           f->accumulators == GB_ACCUMULATE_ALL && !f->memory.limited && args->filter == NULL;
}

typedef struct {
    const gb_MxmArgs *g;
    const gb_Semiring *ring;
    gb_Matrix *B;
    gb_Format axis; /* of B's set */
    int inner;      /* threads of one row */
    bool failed;    /* for want of memory; atomic */
    gb_Cs row[GB_SMALL_ROWS];
} SmallRows;

/* Row i of the product. */
static void push_row(void *context, uint64_t i) {
    SmallRows *of = context;
    const gb_MxmArgs *g = of->g;
    const gb_CsView *A = &g->A, *B = &g->B;
    const gb_Off from = A->p[i], n = A->p[i + 1] - from, p[2] = {0, n};
    const uint64_t flops = g->flops[i + 1] - g->flops[i];
    const char *x = A->x;
    gb_Scratch *found;
    if (flops == 0 || !gb_progress_add(g->meter, flops)) return;
    if (x != NULL && !A->iso) x += from * A->xsize;
    const size_t bytes = gb_size_of(B->nminor, g->args.zsize);
    gbl_Info info = gb_scratch_take(&found, of->B, of->axis, bytes);
    if (info == GBL_SUCCESS) {
        const gb_PushArgs args = {
            .A = *B,
            .u = {.nmajor = 1,
                  .nminor = B->nmajor,
                  .nvals = n,
                  .p = p,
                  .i = A->i + from,
                  .x = x,
                  .xsize = A->xsize,
                  .iso = A->iso,
                  .sorted = A->sorted},
            .ring = gb_mxv_ring(of->ring, true, B, x, A->iso),
            .to = {.allowed = g->Mb == NULL ? NULL : g->Mb + i * B->nminor,
                   .refused = g->mask_kind == GB_MASK_OUTSIDE,
                   .found = found->set,
                   .val = found->val},
            .work = flops,
            .nthreads = of->inner,
        };
        info = gb_backend()->mxv_push(&args, &of->row[i]);
    }
    gb_scratch_give(of->B, of->axis, found);
    if (info != GBL_SUCCESS) __atomic_store_n(&of->failed, true, __ATOMIC_RELAXED);
}

/* Threads that take whole rows and are busy for two thirds of the time; or 1: they share rows. */
static int threads_over_rows(const gb_MxmRun *run, const gb_MxmArgs *g) {
    const uint64_t total = g->flops[g->A.nmajor];
    const int threads = gb_threads_for(total, GB_GRAIN, g->nthreads);
    return gb_longest_flops(run->f) * threads <= 1.5 * (double)total ? threads : 1;
}

/* The rows, one behind the other. */
static gbl_Info concatenate(const gb_Cs *row, uint64_t m, size_t size, gb_Cs *T) {
    uint64_t nvals = 0;
    for (uint64_t i = 0; i < m; i++) nvals += row[i].nvals;
    const gbl_Info info = gb_cs_alloc(T, m, nvals, gb_size_of(nvals, size));
    if (info != GBL_SUCCESS) return info;
    T->p[0] = 0;
    for (uint64_t i = 0; i < m; i++) {
        const gb_Off at = T->p[i], n = row[i].nvals;
        T->p[i + 1] = at + n;
        if (n == 0) continue;
        memcpy(T->i + at, row[i].i, n * sizeof *T->i);
        memcpy((char *)T->x + at * size, row[i].x, n * size);
    }
    return GBL_SUCCESS;
}

/* The rows inside, or outside, of a mask by rows. */
static gbl_Info apply_mask(const gb_MxmArgs *g, gb_Cs *T) {
    const gb_CsView rows = gb_cs_view(T, g->B.nminor, g->args.zsize);
    gb_Cs kept;
    if (g->Mb != NULL || T->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info =
        gb_backend()->filter(&rows, &g->M, g->mask_kind == GB_MASK_INSIDE, &kept, g->nthreads);
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(T);
    *T = kept;
    return GBL_SUCCESS;
}

/* T = the rows of args; sums equal those of ROWWISE bit for bit. */
static gbl_Info multiply_small_rows(const gb_MxmRun *run, const gb_MxmArgs *g, gb_Cs *T) {
    const gb_Factor *B = &run->in->B;
    const uint64_t m = g->A.nmajor;
    const size_t size = g->args.zsize;
    const int threads = threads_over_rows(run, g);
    SmallRows of = {.g = g,
                    .ring = run->call->ring,
                    .B = B->X,
                    .axis = gb_other(B->rows),
                    .inner = threads > 1 ? 1 : g->nthreads};
    *T = (gb_Cs){0};
    gb_parallel_for(threads, m, push_row, &of);
    gbl_Info info = gb_progress_end(g->meter);
    if (of.failed) info = gb_fail_memory(gb_size_of(g->B.nminor, size));
    if (info == GBL_SUCCESS) info = concatenate(of.row, m, size, T);
    if (info == GBL_SUCCESS) info = apply_mask(g, T);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    for (uint64_t i = 0; i < m; i++) gb_cs_free(&of.row[i]);
    return info;
}

/* -- workspace (cpu/rowwise/rowwork.c, rowwise.c; cpu/common/chunks.c, compact.c) --- */

/* A hash table for rows of so many entries. */
static double table_bytes(const gb_Features *f, double entries) {
    double slots = 32.0;
    while (slots < entries * 4.0 / 3.0 + 1.0) slots *= 2.0;
    return slots * (double)(sizeof(gb_Idx) + f->zsize + 1 + 2 * sizeof(uint64_t)) + 128.0;
}

/* Entries that the longest row can have; all of C's where nobody counted. */
static double longest_entries(const gb_Features *f) {
    return fmin(gb_longest_flops(f) + f->memory.mask_most, (double)f->n);
}

/* Accumulators of one thread, of the kinds that may be used. */
static double accumulator_bytes(const gb_Features *f, unsigned kinds) {
    const double n = (double)f->n, size = (double)f->zsize;
    const bool dense = (kinds & GBL_ACCUMULATE_DENSE) != 0,
               hash = (kinds & GBL_ACCUMULATE_HASH) != 0;
    const bool fits = n * (size + 1.0) <= GB_DENSE_BYTES;
    double bytes = GB_SORT_MAX * 16.0 * size + 1024.0;
    if (dense && (!hash || fits || gb_longest_flops(f) > n / GB_DENSE_FILL))
        bytes += n * (size + 1.0 + 1.0 / 64.0) + 256.0;
    if (dense && f->by_pattern) bytes += n / 8.0 + n / 64.0 + 256.0;
    if (!hash || (dense && fits && (double)f->flops >= n)) return bytes;
    return bytes + table_bytes(f, longest_entries(f));
}

/* Entries that C's arrays are made for before its size is known. */
static double capacity(const gb_Method *m, const gb_CostCase *s) {
    const double most = gb_upper_bound(s->f);
    if (m->kind == GB_SYMBOLIC || s->f->filtered) return 0.0;
    return m->kind == GB_ESTIMATE ? fmin(most, s->entries * GB_ESTIMATE_MARGIN) : most;
}

/* Rows stay where the upper bound put them unless that wastes too much of the arrays, which are
 * then cut to size. */
static bool is_cut_to_size(const gb_Method *m, const gb_CostCase *s) {
    return m->kind == GB_UPPER_BOUND && s->f->mask == GB_MASK_NONE && s->f->counted &&
           gb_upper_bound(s->f) > GB_SLACK_MAX * s->entries;
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double size = cut->size > 0.0 ? cut->size : GB_CHUNK_FLOPS, threads = cut->threads;
    const double total = (double)f->flops + GB_ROW_COST * (double)f->m;
    const double chunks = fmin(total / size + 1.0, GB_CHUNKS_MOST);
    const double chunk = total / chunks + gb_longest_flops(f) + GB_ROW_COST;
    const double entry = gb_entry_bytes(f);
    gb_Workspace w = {.size = size,
                      .fixed = GB_CHUNK_HEAD * chunks,
                      .unit = gb_buffer_bytes(gb_to_u64(chunk), f->zsize),
                      .waiting = 1.5 * gb_upper_bound(f) * entry, /* powers of two, in the mean */
                      .capacity = capacity(m, s) * entry,
                      .slices = 1.0};
    w.fixed += threads *
               (accumulator_bytes(f, cut->accumulators) + gb_filter_bytes(f, longest_entries(f)));
    if (m->kind != GB_UPPER_BOUND) w.fixed += (double)f->m * sizeof(float);
    const double marks = 2.0 * (double)f->n; /* or a hash set, of the symbolic pass */
    if (m->kind == GB_SYMBOLIC)
        w.fixed +=
            threads * ((marks <= GB_MARKS_MOST ? marks : 0.0) + table_bytes(f, longest_entries(f)));
    if (m->kind == GB_ESTIMATE) w.fixed += (double)f->k * 128.0;
    w.beside = w.fixed + 2.0 * fmin(threads, chunks) * w.unit;
    /* the pool never gets such large blocks back, so the next ones are fresh again, unless they are
     * so small that the C library has them */
    if (is_cut_to_size(m, s) && gb_upper_bound(f) * gb_entry_bytes(f) > GB_MAPPED_BYTES)
        w.cold = s->entries * gb_entry_bytes(f);
    return w;
}

/* -- cost -------------------------------------------------------------------------------------- */

static void count_rows(gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const gb_RowSplit *w = &s->rows;
    const double accumulator = (double)f->n * (double)(f->zsize + 1);
    const double outside = gb_share_outside(accumulator, machine->cache[0]) +
                           2.0 * gb_share_outside(accumulator, machine->cache[1]);
    const bool by_bits = w->dense_rows > 0.0 && gb_suits_bits(f, w->dense_flops / w->dense_rows);
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_FETCH] += (double)f->A.nvals;
    c->n[GB_RATE_FETCH_FAR] += s->far_lines * machine->latency;
    c->n[GB_RATE_EXPAND] += (double)f->rows.flops_copied + w->short_flops;
    c->n[GB_RATE_SORT_STEP] += w->steps;
    if (by_bits) {
        c->n[GB_RATE_DENSE] += w->dense_flops * (1.0 - f->bits_share) * GB_PATTERN_PRODUCT;
    } else if (f->by_runs) {
        c->n[GB_RATE_DENSE_RUN] += w->dense_flops;
    } else {
        c->n[GB_RATE_DENSE] += w->dense_flops;
        if (!f->B.adjacent) c->n[GB_RATE_DENSE_FAR] += (w->dense_flops + w->dense_blocks) * outside;
    }
    c->n[GB_RATE_DENSE_SWEEP] += w->dense_rows * (1.0 + (double)f->n / 4096.0);
    c->n[GB_RATE_DENSE_BLOCK] += w->dense_blocks * (by_bits ? GB_PATTERN_BLOCK : 1.0);
    c->n[GB_RATE_DENSE_OUT] += w->dense_entries * (by_bits ? GB_PATTERN_OUT : 1.0);
    c->n[GB_RATE_HASH] += w->hash_flops;
    c->n[GB_RATE_HASH_OUT] += w->hash_entries;
}

/* Rows inside or outside a mask: how much it spares is not known before. */
static void count_masked(gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_FETCH] += (double)f->A.nvals;
    c->n[GB_RATE_MASKED_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
    if (f->mask == GB_MASK_OUTSIDE && f->sampled > 0) c->n[GB_RATE_HASH_OUT] += s->entries;
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const bool as_unmasked = f->mask == GB_MASK_OUTSIDE && f->by_pattern;
    if ((f->mask != GB_MASK_NONE && !as_unmasked) || !f->counted) {
        count_masked(c, s);
    } else {
        if (as_unmasked) c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
        count_rows(c, s);
        gb_count_streaming(c, s);
        if (is_cut_to_size(m, s)) c->n[GB_RATE_SLACK] += s->entries * gb_entry_bytes(f) / 12.0;
    }
    if (m->kind == GB_ESTIMATE) {
        if (!f->sketched) c->n[GB_RATE_SKETCH] += (double)f->B.nvals;
        c->n[GB_RATE_MERGE] += (double)f->A.nvals * f->registers / 32.0 + (double)f->m;
    }
    if (m->kind == GB_SYMBOLIC) {
        c->n[GB_RATE_SYMBOLIC] += (double)f->flops;
        c->n[GB_RATE_SYMBOLIC_ENTRY] += (double)f->A.nvals;
        c->n[GB_RATE_FETCH_FAR] += s->far_lines * s->machine->latency;
    }
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, false));
    c->n[GB_RATE_CALL] = 1.0;
    if (m->kind == GB_ESTIMATE) c->n[GB_RATE_CALL_ESTIMATE] = 1.0;
}

/* -- legality ---------------------------------------------------------------------------------- */

/* Arrays of C as the workflow makes them have to fit into the budget, or into slices of it. */
static const char *avoid(const gb_Method *m, const gb_Features *f) {
    const double entry = gb_entry_bytes(f), upper = (double)f->rows.upper_bound * entry;
    const bool fits = f->memory.limited || upper <= f->budget;
    if (f->filtered)
        return m->kind == GB_UPPER_BOUND ? NULL : "how long filtered rows are cannot be counted";
    if (m->kind == GB_UPPER_BOUND && !fits) return "the upper bound exceeds the memory allowed";
    if (m->kind != GB_ESTIMATE) return NULL;
    if (f->A.nvals > 0 && f->sampled == 0) return "nothing was sampled";
    const double expected = gb_expect_entries(f) * GB_ESTIMATE_MARGIN * entry;
    return fits || expected <= f->budget ? NULL : "the estimate exceeds the memory allowed";
}

/* -- run --------------------------------------------------------------------------------------- */

/* Expected entries of every row. */
typedef struct {
    float *size; /* [m] or NULL */
    size_t bytes;
    double sum;
} gb_RowSizes;

/* Expected entries of every row, from sketches of B's rows, which stay with B. */
static gbl_Info estimate_rows(gb_RowSizes *rows, const gb_MxmRun *run) {
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    const gb_Factor *factor = &run->in->B;
    const uint8_t *sketch;
    const double start = gb_seconds();
    gbl_Info info = gb_sketch_get(&sketch, factor->X, factor->rows, run->f->registers);
    const double sketched = gb_seconds();
    if (info != GBL_SUCCESS) return info;
    rows->bytes = A->nmajor * sizeof *rows->size;
    rows->size = gb_malloc(rows->bytes);
    if (rows->size == NULL) return gb_fail_memory(rows->bytes);
    gb_backend()->sketch_sizes(
        &(gb_SketchArgs){.A = *A,
                         .Bp = B->p,
                         .sketch = sketch,
                         .registers = run->f->registers,
                         .ncols = B->nminor,
                         .count = A->nmajor,
                         .size = rows->size,
                         .clamp = true,
                         .nthreads = gb_threads_for(A->nvals, GB_GRAIN, gb_nthreads())});
    for (uint64_t i = 0; i < A->nmajor; i++) rows->sum += (double)rows->size[i];
    run->why->seconds_sketch = sketched - start;
    run->why->seconds_estimate = gb_seconds() - sketched;
    run->why->nvals_estimated = rows->sum;
    run->why->registers = (int32_t)run->f->registers;
    return GBL_SUCCESS;
}

static gbl_Info multiply(const gb_Method *m, const gb_MxmRun *run, const gb_RowSizes *rows,
                         gb_Cs *T) {
    const gb_Features *f = run->f;
    gb_Meter meter;
    gb_MxmStats stats = {0};
    gb_MxmArgs args = gb_sparse_args(run, f->flops);
    args.workflow = (gb_Workflow)m->kind;
    args.size = rows->size;
    args.size_sum = rows->sum;
    args.size_factor = f->registers == 32 ? GB_CAPACITY_FACTOR_32 : GB_CAPACITY_FACTOR;
    args.compression = f->compression;
    args.accumulators = run->budget->cut.accumulators;
    args.filter = run->call->filter;
    args.any_order = run->call->choices.row_order == GBL_ANY_ORDER && args.filter == NULL;
    args.meter = &meter;
    if (gb_suits_bits(f, (double)f->rows.most) && args.ring == GB_RING_ANY_PAIR_BOOL &&
        (args.accumulators & GBL_ACCUMULATE_DENSE))
        args.bits =
            gb_bits_get(run->in->B.X, run->in->B.rows, gb_to_u64((double)f->flops * f->bits_share));
    gb_progress_begin(&meter, "mxm", f->flops);
    const bool small = suits_small_rows(run, &args);
    const gbl_Info info =
        small ? multiply_small_rows(run, &args, T) : gb_backend()->mxm_rowwise(&args, T, &stats);
    if (small) stats = (gb_MxmStats){.dense = f->m, .slices = 1};
    if (info == GBL_SUCCESS) gb_report_stats(run->why, &stats);
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_RowSizes rows = {0};
    gbl_Info info = m->kind == GB_ESTIMATE ? estimate_rows(&rows, run) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = multiply(m, run, &rows, &T->cs);
    gb_free(rows.size, rows.bytes);
    return info;
}

/* -- the variants ------------------------------------------------------------------------------ */

#define VARIANT(workflow_, kind_, variant_, about_, learn_)                                        \
    {                                                                                              \
        .name = "rowwise", .variant = variant_, .place = GBL_PLACE_CPU, .about = about_,           \
        .method = GBL_METHOD_ROWWISE, .workflow = workflow_, .kind = kind_, .a = GB_BY_ROWS,       \
        .b = GB_BY_ROWS, .reads_flops = true, .reads_mask = true,                                  \
        .probes_mask = (kind_) != GB_SYMBOLIC, .filters_rows = true, .has_accumulators = true,     \
        .suits_small = (kind_) == GB_UPPER_BOUND, .learn = learn_, .avoid = avoid,                 \
        .workspace = workspace, .count = count, .run = run                                         \
    }

const gb_Method gb_method_rowwise_upper_bound =
    VARIANT(GBL_WORKFLOW_UPPER_BOUND, GB_UPPER_BOUND, "upper bound",
            "sums rows of B for each row of A; capacity in C for every partial product",
            GB_LEARN_PLAIN | GB_LEARN_HASHED | GB_LEARN_GENERIC | GB_LEARN_MASKED);
const gb_Method gb_method_rowwise_estimate = VARIANT(
    GBL_WORKFLOW_ESTIMATE, GB_ESTIMATE, "estimate",
    "sums rows of B for each row of A; capacity in C by sketches of B's rows", GB_LEARN_PLAIN);
const gb_Method gb_method_rowwise_symbolic = VARIANT(
    GBL_WORKFLOW_SYMBOLIC, GB_SYMBOLIC, "symbolic",
    "counts the entries of C's rows first, then sums rows of B for each row of A", GB_LEARN_PLAIN);
