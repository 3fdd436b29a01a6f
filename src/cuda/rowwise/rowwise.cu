/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the row-wise product on the device (Ocean, ICS '26): analysis, workflow (the capacity
 * of each row), classes of rows, numeric pass, overflowed rows again, placing.
 *
 * All rows come out in order. Symbolic has exact capacities and writes them to C; upper bound and
 * estimate compute them in workspace and move them to C, whose size is known only then.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/device/state.cuh"

struct gb_Product {
    gb_Job &job;
    const gb_DeviceMxmArgs *args;
    gb_DeviceMxmStats *stats;
    gb_Factors F;
    size_t value_bytes; /* of C */
    gb_RowsRun run;
    gb_Analysed found;
    gb_Workflow workflow;
    gb_Classes classes;
    unsigned analysed; /* blocks of the job that hold what the analysis found, and no more */
    uint64_t *count;   /* [m + 1] entries of each row */
    uint64_t overflowed;
    bool unknown; /* C has been made for its upper bound; its size is read at the end */
    gb_DeviceCs C;
};

template <class Ring> static gb_RingTraits traits(void) {
    return gb_RingTraits{sizeof(typename Ring::Value), Ring::USES_A != 0, Ring::USES_B != 0,
                         Ring::PAIR && Ring::ANY, Ring::TRUTH != 0};
}

gb_RingTraits gb_traits_of(int ring) {
    switch (ring) {
#define GB_CASE(name, add, multiply, type)                                                         \
    case GB_RING_##name:                                                                           \
        return traits<gb_ring_##name>();
        GB_FOREACH_RING(GB_CASE)
#undef GB_CASE
    default:
        return gb_RingTraits{0, false, false, false, false};
    }
}

gb_Factors gb_factors_of(const gb_DeviceMxmArgs *args) {
    const gb_DeviceCs *A = args->A, *B = args->B, *M = args->M;
    gb_Factors F;
    F.Ap = A->p;
    F.Ai = A->i;
    F.Ax = A->x;
    F.amask = A->iso ? 0 : UINT64_MAX;
    F.Bp = B->p;
    F.Bi = B->i;
    F.Bx = B->x;
    F.bmask = B->iso ? 0 : UINT64_MAX;
    F.m = A->nmajor;
    F.n = B->nminor;
    F.mask_kind = M != NULL ? args->mask_kind : GB_MASK_NONE;
    F.Mp = M != NULL ? M->p : NULL;
    F.Mi = M != NULL ? M->i : NULL;
    return F;
}

static void begin(gb_Product *P) {
    P->F = gb_factors_of(P->args);
    P->value_bytes = gb_traits_of(P->args->ring).bytes;
    P->run = gb_numeric(P->args->ring);
    P->C.nmajor = P->F.m;
    P->C.nminor = P->F.n;
    P->C.xsize = P->value_bytes;
}

/* Few rows: the host waits longer for answers than the device computes. */
static bool is_small(const gb_Product *P) {
    return P->F.m <= GB_CUDA_FEW_ROWS;
}

/* For the arrays that every workflow has; see gb_analyse_rows, gb_classes_make and multiply. */
static void take_arena(gb_Product *P) {
    enum { IDX = sizeof(gb_Idx), WORD = sizeof(uint64_t) };
    const uint64_t m = P->F.m;
    const uint64_t rows = gb_arena_part(m * WORD) * 3 + gb_arena_part(m * IDX) * 5 +
                          gb_arena_part(m) + gb_arena_part((m + 1) * WORD);
    const uint64_t turns = 2 * GB_CUDA_LONG_BLOCKS * (uint64_t)P->job.multiprocessors + 1;
    const uint64_t zeros = gb_arena_part((m + 1) * WORD) +
                           8 * gb_arena_part(2 * GB_CLASSES * WORD) +
                           2 * gb_arena_part(turns * WORD);
    if (is_small(P)) gb_job_arena(&P->job, rows + gb_arena_part(GB_CLASSES * 2 * WORD), zeros);
}

static void report_analysis(gb_Product *P) {
    gb_DeviceMxmStats *stats = P->stats;
    stats->products = P->found.products;
    stats->products_mean = (double)stats->products / (double)P->F.m;
    stats->expansion = (double)stats->products / (double)P->args->A->nvals;
    stats->registers = P->args->registers;
    if (stats->registers == 0)
        stats->registers = stats->expansion < P->args->rules.registers_expansion ? 32 : 64;
}

/* Products per entry of C in sampled rows, by sketches of the rows of B that they need. */
static void sample(gb_Product *P, gb_Sketches *S) {
    const gb_DeviceRules *rules = &P->args->rules;
    gb_DeviceMxmStats *stats = P->stats;
    double sums[2];
    gb_job_stage(&P->job, GB_STAGE_SKETCH);
    S->registers = stats->registers;
    uint64_t count = (uint64_t)((double)P->F.m * rules->sample_share);
    if (count < rules->sample_least) count = rules->sample_least;
    if (count > rules->sample_most) count = rules->sample_most;
    if (count > P->F.m) count = P->F.m;
    gb_sketch_sample(&P->job, P->F, P->found, P->args->B->nmajor, S, count, sums);
    stats->sampled = count;
    stats->compression = sums[1] > 0.0 ? sums[0] / sums[1] : 0.0;
}

/* Table 1 of the paper; sketches that exceed memory are a reason to count, too. */
static gb_Workflow choose(gb_Product *P, gb_Sketches *S) {
    const gb_DeviceRules *rules = &P->args->rules;
    const gb_DeviceMxmStats *stats = P->stats;
    const double sketches = (double)P->args->B->nmajor * stats->registers;
    S->byte = NULL;
    const bool forced = P->args->forced;
    if (forced && P->args->workflow != GB_ESTIMATE) return P->args->workflow;
    if (!forced && stats->products_mean < rules->bound_products) return GB_UPPER_BOUND;
    const bool fits = sketches <= (double)gb_job_capacity(&P->job);
    if (!forced && (stats->expansion < rules->estimate_expansion || !fits)) return GB_SYMBOLIC;
    sample(P, S);
    return forced || stats->compression >= rules->estimate_compression ? GB_ESTIMATE : GB_SYMBOLIC;
}

static gb_ClassRules class_rules(const gb_Product *P) {
    const gb_DeviceRules *rules = &P->args->rules;
    const unsigned allowed = P->args->accumulators;
    gb_ClassRules found;
    found.value_bytes = P->value_bytes == 1 ? 4u : (unsigned)P->value_bytes;
    found.table_factor = GB_CUDA_SPACE_PERCENT / 100.0;
    found.capacity_factor = found.compression = 0.0;
    found.keeps_capacity = P->workflow == GB_SYMBOLIC;
    found.esc = P->workflow == GB_UPPER_BOUND && (allowed & GBL_ACCUMULATE_SORT) != 0;
    found.hash = (allowed & GBL_ACCUMULATE_HASH) != 0;
    found.dense = (allowed & GBL_ACCUMULATE_DENSE) != 0;
    if (P->workflow == GB_SYMBOLIC) found.capacity_factor = 1.0;
    if (P->workflow == GB_ESTIMATE) {
        const bool coarse = P->stats->registers == 32;
        found.capacity_factor = coarse ? rules->capacity_factor_32 : rules->capacity_factor;
        found.table_factor = found.capacity_factor;
    }
    return found;
}

/* The class of every row by its upper bound; what it says of products is read with it. */
static void make_bounded_classes(gb_Product *P) {
    const gb_Reading products = {&P->found.products, P->found.total, sizeof P->found.products};
    gb_job_stage(&P->job, GB_STAGE_ANALYSIS);
    gb_classes_make(&P->job, &P->classes, P->F, P->found.facts, NULL, class_rules(P));
    gb_classes_read(&P->job, &P->classes, &products);
}

/* The expected size of every row, and its class. Uses sketches up. */
static void make_classes(gb_Product *P, gb_Sketches *sketches) {
    gb_Job *job = &P->job;
    const gb_ClassRules rules = class_rules(P);
    if (P->workflow == GB_UPPER_BOUND) {
        make_bounded_classes(P);
        return;
    }
    uint64_t *size = gb_job_scratch<uint64_t>(job, P->F.m);
    if (P->workflow == GB_SYMBOLIC) {
        const bool assisted = (P->args->accumulators & GBL_ACCUMULATE_ASSIST) != 0;
        gb_job_stage(job, GB_STAGE_SYMBOLIC);
        gb_job_drop(job, sketches->byte);
        gb_ClassRules counting = rules;
        if (assisted) counting.compression = P->stats->compression;
        gb_count_rows(job, P->F, P->found.facts, counting, size);
    } else {
        gb_job_stage(job, GB_STAGE_ESTIMATE);
        gb_sketch_sizes(job, P->F, P->found, P->args->B->nmajor, *sketches, size);
        gb_job_drop(job, sketches->byte);
    }
    sketches->byte = NULL;
    gb_job_stage(job, GB_STAGE_ANALYSIS);
    gb_classes_make(job, &P->classes, P->F, P->found.facts, size, rules);
    gb_classes_read(job, &P->classes, NULL);
    gb_job_drop(job, size);
}

/* Products of few rows get the classes of the upper bound before it is known that they keep them:
 * these cost the device little, and the host one wait less. */
static void size_rows(gb_Product *P) {
    gb_Sketches sketches;
    const bool guesses = is_small(P) && (!P->args->forced || P->args->workflow == GB_UPPER_BOUND);
    gb_job_stage(&P->job, GB_STAGE_ANALYSIS);
    gb_analyse_rows(&P->job, &P->found, P->F);
    P->workflow = GB_UPPER_BOUND;
    if (guesses)
        make_bounded_classes(P);
    else
        gb_job_read(&P->job, &P->found.products, P->found.total, sizeof P->found.products);
    if (P->job.info != GBL_SUCCESS) return;
    report_analysis(P);
    P->analysed = P->job.nblocks;
    P->workflow = choose(P, &sketches);
    if (guesses && P->workflow == GB_UPPER_BOUND) return;
    make_classes(P, &sketches);
}

/* Arrays for so many entries. */
static gb_RowsOut new_out(gb_Product *P, uint64_t entries, const uint64_t *at, uint64_t *count) {
    gb_RowsOut out = {};
    out.at = at;
    out.count = count;
    out.i = gb_job_new<gb_Idx>(&P->job, entries);
    out.x = gb_job_bytes(&P->job, entries, P->value_bytes);
    return out;
}

static void new_result(gb_Product *P, uint64_t entries) {
    P->C.nvals = entries;
    P->C.i = gb_job_new<gb_Idx>(&P->job, entries);
    P->C.x = gb_job_bytes(&P->job, entries, P->value_bytes);
}

/* Rows that did not fit, again, with the capacity of their upper bound; and where they are then. */
struct gb_Again {
    gb_ClassRows list;
    gb_RowsOut out;
};

__global__ void gb_capacity_again(gb_Factors F, gb_RowFacts facts, gb_ClassRows list,
                                  uint64_t *capacity) {
    GB_EACH_THREAD(r, list.n) capacity[r] = gb_upper_bound(F, facts, list.row[r]);
}

__global__ void gb_spread_counts(gb_ClassRows list, const uint64_t *from, uint64_t *count) {
    GB_EACH_THREAD(r, list.n) count[list.row[r]] = from[r];
}

static gb_RowsCall rows_call(const gb_Product *P, const gb_RowsOut &out) {
    const bool assisted = (P->args->accumulators & GBL_ACCUMULATE_ASSIST) != 0;
    const bool sampled = assisted && P->stats->compression >= GB_QUERY_COMPRESSION;
    const bool query = gb_cuda.trial.query == 2 ? sampled : gb_cuda.trial.query == 1;
    return gb_RowsCall{P->F, P->found.facts, &P->classes, out, query};
}

/* `first` has lost n rows. */
static void compute_again(gb_Product *P, const gb_RowsOut &first, uint64_t n, gb_Again *again) {
    gb_Job *job = &P->job;
    uint64_t entries = 0;
    again->list = gb_ClassRows{first.overflowed, n, NULL};
    uint64_t *capacity = gb_job_new<uint64_t>(job, n + 1);
    uint64_t *count = gb_job_new<uint64_t>(job, n);
    GB_START_THREADS(job, n, gb_capacity_again, P->F, P->found.facts, again->list, capacity);
    gb_device_scan(job, capacity, capacity, n);
    gb_job_read(job, &entries, capacity + n, sizeof entries);
    again->out = new_out(P, entries, capacity, count);
    again->out.by_list = true;
    gb_Classes one = {};
    one.order = first.overflowed;
    for (int c = GB_CLASS_BITMAP_LONG + 1; c <= GB_CLASSES; c++) one.begin[c] = n;
    gb_RowsCall call = rows_call(P, again->out);
    call.classes = &one;
    if (job->info == GBL_SUCCESS) P->run(job, call);
    GB_START_THREADS(job, n, gb_spread_counts, again->list, count, P->count);
    P->stats->rows.overflowed = n;
}

enum { COPY_THREADS = 128 };

struct gb_Placement {
    gb_RowsOut from; /* where rows are, and how long */
    const gb_Off *p; /* where they go */
    gb_Idx *i;
    void *x;
    size_t xsize;
};

/* `lanes` threads a row, a warp or the block. */
__global__ void gb_copy_list(gb_ClassRows list, gb_Placement c, unsigned lanes) {
    GB_EACH_TEAM(r, list.n, lanes) {
        const gb_Idx row = list.row[r];
        const uint64_t index = c.from.by_list ? r : row;
        const uint64_t from = c.from.at[index], n = c.from.count[index], to = c.p[row];
        for (uint64_t e = threadIdx.x % lanes; e < n; e += lanes) {
            c.i[to + e] = c.from.i[from + e];
            gb_move_value(c.x, to + e, c.from.x, from + e, c.xsize);
        }
    }
}

static void copy_rows(gb_Product *P, const gb_ClassRows &list, const gb_RowsOut &from,
                      unsigned lanes) {
    if (list.n == 0) return;
    gb_job_allow_kernel(&P->job, gb_copy_list, 0);
    gb_job_next_lane(&P->job);
    GB_START(&P->job, gb_copy_list, gb_grid(list.n, COPY_THREADS / lanes), COPY_THREADS, 0, list,
             (gb_Placement{from, P->C.p, P->C.i, P->C.x, P->value_bytes}), lanes);
}

/* Moves all rows to C: those that a warp computed, the others, those that were computed again. */
static void place_rows(gb_Product *P, const gb_RowsOut &from, const gb_Again &again) {
    const uint64_t *begin = P->classes.begin;
    const gb_Idx *order = P->classes.order;
    const uint64_t first = begin[GB_CLASS_EMPTY + 1], longer = begin[GB_CLASS_HASH];
    gb_job_fork(&P->job);
    copy_rows(P, gb_ClassRows{order + longer, begin[GB_CLASSES] - longer, NULL}, from,
              COPY_THREADS);
    copy_rows(P, gb_ClassRows{order + first, longer - first, NULL}, from, GB_WARP);
    copy_rows(P, again.list, again.out, COPY_THREADS);
    gb_job_join(&P->job);
}

/* Exact capacity: C is made first. */
static void multiply_exactly(gb_Product *P) {
    gb_Job *job = &P->job;
    P->C.p = P->classes.capacity;
    new_result(P, P->classes.entries);
    P->count = gb_job_zeros<uint64_t>(job, P->F.m + 1);
    const gb_RowsOut out = {P->C.p,
                            P->C.i,
                            P->C.x,
                            P->count,
                            false,
                            gb_job_scratch<gb_Idx>(job, P->F.m),
                            gb_job_zeros<uint64_t>(job, 2)};
    gb_job_stage(job, GB_STAGE_NUMERIC);
    if (job->info == GBL_SUCCESS) P->run(job, rows_call(P, out));
}

/* Where rows begin in C, and how many entries that makes. */
static void find_offsets(gb_Product *P, uint64_t *entries, const uint64_t *overflow) {
    const gb_Reading list[] = {{entries, P->C.p + P->F.m, sizeof *entries},
                               {&P->overflowed, overflow + 1, sizeof P->overflowed}};
    gb_device_scan(&P->job, P->count, P->C.p, P->F.m);
    if (!P->unknown) gb_job_read_all(&P->job, list, 2);
}

/* After the rows that did not fit have been done again. They count nothing where they are not. */
static void do_again(gb_Product *P, gb_RowsOut *out, gb_Again *again, uint64_t *entries) {
    gb_Job *job = &P->job;
    uint64_t *first_count = gb_job_new<uint64_t>(job, P->F.m + 1);
    gb_copy_array(job, first_count, P->count, P->F.m * sizeof *P->count);
    out->count = first_count;
    compute_again(P, *out, P->overflowed, again);
    find_offsets(P, entries, out->overflow);
}

static void multiply_by_capacity(gb_Product *P) {
    gb_Job *job = &P->job;
    gb_Again again = {};
    uint64_t entries = P->classes.entries;
    /* an upper bound has capacity for every row */
    P->unknown = P->workflow == GB_UPPER_BOUND && is_small(P) && entries <= GB_CUDA_FEW_ENTRIES;
    P->count = gb_job_zeros<uint64_t>(job, P->F.m + 1);
    gb_RowsOut out = new_out(P, P->classes.entries, P->classes.capacity, P->count);
    out.overflowed = gb_job_scratch<gb_Idx>(job, P->F.m);
    out.overflow = gb_job_zeros<uint64_t>(job, 2);
    gb_job_stage(job, GB_STAGE_NUMERIC);
    if (job->info == GBL_SUCCESS) P->run(job, rows_call(P, out));
    P->C.p = gb_job_new<uint64_t>(job, P->F.m + 1);
    find_offsets(P, &entries, out.overflow);
    if (P->overflowed > 0) do_again(P, &out, &again, &entries);
    gb_job_stage(job, GB_STAGE_COMPACT);
    new_result(P, entries);
    place_rows(P, out, again);
}

static void multiply(gb_Product *P) {
    if (P->workflow == GB_SYMBOLIC)
        multiply_exactly(P);
    else
        multiply_by_capacity(P);
}

/* Fallback when expected sizes exceed memory: counting takes longest, but needs no more than C. */
static void count_instead(gb_Product *P) {
    gb_Sketches none = {NULL, NULL, 0};
    gb_job_rewind(&P->job, P->analysed);
    P->workflow = GB_SYMBOLIC;
    P->stats->rows.overflowed = 0;
    P->overflowed = 0;
    P->unknown = false;
    P->C.p = NULL;
    P->C.i = NULL;
    P->C.x = NULL;
    make_classes(P, &none);
}

static void size_and_multiply(gb_Product *P) {
    size_rows(P);
    if (P->analysed == 0) return; /* the analysis did not fit */
    if (P->job.info == GBL_SUCCESS) multiply(P);
    const bool may_want_less = P->workflow != GB_SYMBOLIC || P->stats->sampled > 0;
    if (P->job.info != GBL_OUT_OF_MEMORY || P->args->forced || !may_want_less) return;
    count_instead(P);
    multiply(P);
}

static void report_rows(gb_Product *P) {
    static const char *const names[] = {"upper bound", "estimate", "symbolic"};
    const uint64_t *begin = P->classes.begin;
    gb_MxmStats *rows = &P->stats->rows;
    rows->workflow = names[P->workflow];
    rows->sorted = begin[GB_CLASS_ESC_2 + 1] - begin[GB_CLASS_ESC_4];
    rows->hashed = begin[GB_CLASS_DENSE_SHORT] - begin[GB_CLASS_HASH_SHORT] +
                   begin[GB_CLASS_DENSE] - begin[GB_CLASS_HASH];
    rows->dense = begin[GB_CLASSES] - begin[GB_CLASS_HASH_SHORT] - rows->hashed;
}

void gb_rowwise_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                         gb_DeviceMxmStats *stats, gb_Reading *size) {
    gb_Product P = {*job, args, stats, {}, 0, NULL, {}, GB_SYMBOLIC, {}, 0, NULL, 0, false, {}};
    const unsigned before = job->nblocks;
    begin(&P);
    if (P.run == NULL)
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    take_arena(&P);
    if (job->info == GBL_SUCCESS) size_and_multiply(&P);
    if (job->info == GBL_SUCCESS) report_rows(&P);
    *C = P.C;
    gb_job_drop_but(job, before, C);
    const gb_Reading unread = {&C->nvals, C->p + C->nmajor, P.unknown ? sizeof C->nvals : 0};
    if (size != NULL)
        *size = unread;
    else if (P.unknown)
        gb_job_read_all(job, &unread, 1);
}
