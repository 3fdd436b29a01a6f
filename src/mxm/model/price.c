/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a method. Budget: how GBL_MEMORY_LIMIT divides its workspace. Price: the kernel,
 * conversions to the forms it reads, transfers to and from a device, and page faults of new memory.
 */
#include "mxm/model/method.h"

/* -- budget ------------------------------------------------------------------------------------ */

/* Bytes that the method holds all along, on top of what every call holds. */
static double fixed_bytes(const gb_Features *f, const gb_Workspace *w) {
    return w->fixed + f->memory.held + GB_SMALL_BYTES;
}

/* The share of slices in the memory that the fixed bytes leave: a result that is merged or cast
 * into C exists at the same time, and merging may transpose it. */
static double slice_share(const gb_Features *f) {
    return f->memory.result_merges ? 0.25 : f->memory.result_waits ? 0.5 : 1.0;
}

typedef struct {
    gb_Cut cut;
    gb_Workspace w;
    double left; /* bytes for slices and for a result that waits */
    bool found;
    double wanted;
} gb_Trial;

/* Refines the cut for so many threads until slices have capacity for so many units. */
static void try_cuts(gb_Trial *trial, const gb_Method *m, const gb_CostCase *s, int threads,
                     double units) {
    enum { STEPS = 5 }; /* each a quarter of the one before */
    const gb_Features *f = s->f;
    const double share = slice_share(f);
    trial->cut.threads = threads;
    trial->cut.size = 0.0;
    for (int step = 0; step < STEPS && !trial->found; step++) {
        if (step > 0) trial->cut.size = fmax(trial->w.size / 4.0, 1.0);
        trial->w = m->workspace(m, s, &trial->cut);
        const double fixed = fixed_bytes(f, &trial->w);
        trial->left = f->budget * GB_BLOCK_SHARE - fixed;
        trial->found = trial->left * share >= units * trial->w.unit;
        trial->wanted = fmin(trial->wanted, fixed + trial->w.unit / share);
    }
}

/* The coarsest cut for most threads with capacity for two units each; else for one unit. */
static gb_Trial find_cut(const gb_Method *m, const gb_CostCase *s, unsigned accumulators) {
    gb_Trial trial = {.cut.accumulators = accumulators, .wanted = HUGE_VAL};
    for (int threads = s->f->threads; threads > 0 && !trial.found; threads--)
        try_cuts(&trial, m, s, threads, 2.0 * (double)threads);
    if (!trial.found) try_cuts(&trial, m, s, 1, 1.0);
    trial.wanted = ceil(trial.wanted / GB_BLOCK_SHARE) + 1.0;
    return trial;
}

/* Dense arrays or hash tables, whichever is less, where the limit is near. */
static unsigned choose_accumulators(const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const unsigned both = GBL_ACCUMULATE_DENSE | GBL_ACCUMULATE_HASH;
    if (!m->has_accumulators || (f->accumulators & both) != both) return f->accumulators;
    const unsigned without = f->accumulators & ~(unsigned)GBL_ACCUMULATE_DENSE;
    const gb_Cut cut = {.threads = f->threads, .accumulators = f->accumulators};
    const gb_Cut other = {.threads = f->threads, .accumulators = without};
    const double all = m->workspace(m, s, &cut).fixed;
    return all > f->budget / 4.0 && m->workspace(m, s, &other).fixed < all ? without
                                                                           : f->accumulators;
}

gb_Allowance gb_allow_all(uint64_t chunk) {
    return (gb_Allowance){.capacity = UINT64_MAX,
                          .work = UINT64_MAX,
                          .packets = UINT64_MAX,
                          .result = UINT64_MAX,
                          .chunk = chunk};
}

gb_Budget gb_budget(const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    gb_Cut all = {.threads = f->threads, .accumulators = f->accumulators};
    if (!f->memory.limited) {
        const gb_Workspace w = m->workspace(m, s, &all);
        all.size = w.size;
        return (gb_Budget){.allow = gb_allow_all(gb_to_u64(w.size)), .cut = all, .w = w};
    }
    const gb_Trial trial = find_cut(m, s, choose_accumulators(m, s));
    const double slices = fmax(trial.left * slice_share(f), 0.0), capacity = trial.w.capacity;
    const bool in_place = capacity > 0.0 && capacity + fmax(capacity, trial.w.unit) <= slices;
    gb_Budget b = {.cut = trial.cut, .w = trial.w, .limited = true, .wanted = trial.wanted};
    b.cut.size = trial.w.size;
    b.allow = (gb_Allowance){.capacity = in_place ? gb_to_u64(capacity) : 0,
                             .work = gb_to_u64(in_place ? slices - capacity : slices),
                             .packets = UINT64_MAX,
                             .result = f->memory.result_waits ? gb_to_u64(slices) : UINT64_MAX,
                             .limit = f->budget,
                             .per_result = 1.0 / slice_share(f) / GB_BLOCK_SHARE,
                             .chunk = gb_to_u64(trial.w.size)};
    return b;
}

double gb_budget_slices(const gb_Budget *budget) {
    if (!budget->limited) return budget->w.slices;
    return fmax(ceil(budget->w.waiting / fmax((double)budget->allow.work, 1.0)), 1.0);
}

double gb_budget_wanted(const gb_Method *m, const gb_CostCase *s, double slice) {
    const gb_Cut cut = {.threads = 1, .accumulators = s->f->accumulators};
    const gb_Workspace w = m->workspace(m, s, &cut);
    return ceil((fixed_bytes(s->f, &w) + slice / slice_share(s->f)) / GB_BLOCK_SHARE) + 1.0;
}

/* -- conversions and transfers ----------------------------------------------------------------- */

/* `pattern`: with one value for all. */
static void add_rows_from_tiles(gb_Counts *c, double entries, double tiles, bool pattern) {
    c->n[GB_RATE_ROWS_ENTRY] += pattern ? GB_PATTERN_ROWS * entries : entries;
    c->n[GB_RATE_ROWS_TILE] += tiles;
}

static void add_tiles(gb_Counts *c, const gb_FactorFacts *X) {
    /* sorting rows takes about as long as changing between rows and columns */
    if (!X->has[GB_BY_ROWS] || X->unsorted) c->n[GB_RATE_CONVERT] += (double)X->nvals;
    c->n[GB_RATE_TILES_ENTRY] += (double)X->nvals;
    c->n[GB_RATE_TILES_TILE] += gb_expect_tiles(X);
}

/* CSR or CSC of a factor that exists in another form. */
static void add_sparse(gb_Counts *c, const gb_FactorFacts *X, gb_Form form) {
    const gb_Form other = form == GB_BY_ROWS ? GB_BY_COLUMNS : GB_BY_ROWS;
    const double entries = (double)X->nvals;
    if (X->has[GB_AS_TILES]) {
        add_rows_from_tiles(c, entries, gb_expect_tiles(X), X->iso);
        if (form == GB_BY_COLUMNS) c->n[GB_RATE_CONVERT] += entries;
    } else if (X->has[GB_FULL_BY_ROWS] && !X->has[GB_BY_ROWS]) { /* full, and dense alone */
        c->n[GB_RATE_FROM_DENSE] += entries;
        if (form == GB_BY_COLUMNS) c->n[GB_RATE_CONVERT] += entries;
    } else if (!X->only_on_device || form == GB_BY_COLUMNS || X->has[other]) {
        c->n[GB_RATE_CONVERT] += entries;
    }
}

/* The same of a full factor; sorting one takes as long. */
static void add_full(gb_Counts *c, const gb_FactorFacts *X, gb_Form form) {
    if (X->has[GB_BY_ROWS] || X->has[GB_BY_COLUMNS])
        c->n[GB_RATE_CONVERT_FULL] += (double)X->nvals;
    else
        add_sparse(c, X, gb_sparse_form(form));
}

/* What the factor takes to be in a form; `moved`: bytes between host and device. */
static void add_form(gb_Counts *c, double *moved, const gb_FactorFacts *X, gb_Form form) {
    if (X->has[form]) return;
    if (form == GB_ON_DEVICE || X->only_on_device) *moved += X->bytes;
    if (form == GB_AS_TILES) add_tiles(c, X);
    if (form == GB_BY_ROWS || form == GB_BY_COLUMNS) add_sparse(c, X, form);
    if (form == GB_FULL_BY_ROWS || form == GB_FULL_BY_COLUMNS) add_full(c, X, form);
    if (form == GB_ON_DEVICE && !X->has[GB_BY_ROWS]) c->n[GB_RATE_CONVERT] += (double)X->nvals;
}

/* Bytes of the form where it has to be made in the host's memory. */
static double form_bytes(const gb_Features *f, const gb_FactorFacts *X, gb_Form form) {
    const double size = X->iso ? 0.0 : (double)f->zsize;
    if (X->has[form] || form == GB_ON_DEVICE) return 0.0;
    if (form != GB_AS_TILES) return X->bytes;
    return gb_expect_tiles(X) * GB_TILE_BYTES + (double)X->nvals * (1.0 + size);
}

static bool makes_rows_of_tiles(const gb_Method *m, const gb_Features *f) {
    return m->makes_tiles && !f->stays_tiled;
}

/* Whether an order of A's rows has to be found. */
static bool groups(const gb_Method *m, const gb_Features *f) {
    return m->groups_rows && !f->panels.is_grouped;
}

/* Positions that became rows before the plan, as one thread passes over them: all threads share
 * those of a full matrix; where some have no entry, each that has one takes as long as two more. */
static double dense_positions(const gb_Features *f, const gb_FactorFacts *X, uint64_t rows,
                              uint64_t columns) {
    if (!X->has[GB_AS_DENSE]) return 0.0;
    const double positions = (double)(rows * columns);
    if (gb_is_full(X, rows, columns)) return positions / (double)f->threads;
    return positions + 2.0 * (double)X->nvals;
}

/* Seconds of grouping on one thread, less those that it would have saved products so far: it is
 * made once they would have paid for it, so no product pays for what it does not repay. */
static void count_grouping(gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    gb_Counts all = {0};
    all.n[GB_RATE_GROUP_ENTRY] = (double)f->A.nvals;
    all.n[GB_RATE_GROUP_ROW] = (double)f->m;
    const double owed = fmax(1.0 - f->panels.saved / gb_cost_sum(&all, s->machine), 0.0);
    c->n[GB_RATE_GROUP_ENTRY] += owed * (double)f->A.nvals;
    c->n[GB_RATE_GROUP_ROW] += owed * (double)f->m;
}

/* The share of making B's columns, time and pages, that products so far would not have repaid. */
static double owed_share(const gb_Method *m, const gb_CostCase *s) {
    gb_Counts columns = {0};
    double moved = 0.0;
    if (!m->repays_columns || s->f->B.has[m->b]) return 1.0;
    add_form(&columns, &moved, &s->f->B, m->b);
    const double seconds = gb_cost_sum(&columns, s->machine) / (double)s->f->threads;
    return seconds > 0.0 ? fmax(1.0 - s->f->B.saved / seconds, 0.0) : 1.0;
}

static void count_conversions(gb_Counts *c, const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    double moved = 0.0;
    add_form(c, &moved, &f->B, m->b);
    gb_cost_scale(c, owed_share(m, s));
    add_form(c, &moved, &f->A, m->a);
    if (makes_rows_of_tiles(m, f))
        add_rows_from_tiles(c, s->entries, gb_result_tiles(s), f->by_pattern);
    gb_cost_scale(c, 1.0 / (double)f->threads);
    if (groups(m, f)) count_grouping(c, s);
    c->n[GB_RATE_FROM_DENSE] += dense_positions(f, &f->A, f->m, f->k);
    c->n[GB_RATE_FROM_DENSE] += dense_positions(f, &f->B, f->k, f->n);
    if (m->a == GB_ON_DEVICE) moved += s->entries * gb_entry_bytes(f);
    c->n[GB_RATE_GPU_BYTE] += moved;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Bytes of C and of what is converted for it, which stay. */
static double kept_bytes(const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    double bytes = form_bytes(f, &f->A, m->a) + form_bytes(f, &f->B, m->b) + f->made_bytes;
    if (!m->makes_tiles || !f->stays_tiled)
        bytes += s->entries * gb_entry_bytes(f) + (double)(f->m + 1) * sizeof(gb_Off);
    return bytes;
}

/* -- all of it --------------------------------------------------------------------------------- */

static void count_kernel(gb_Counts *kernel, const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    *kernel = (gb_Counts){0};
    m->count(m, kernel, s);
    if (f->counted)
        kernel->n[GB_RATE_PLAN_ENTRY] +=
            (double)f->A.nvals / gb_threads_for(f->A.nvals + f->m, GB_COUNT_GRAIN, f->threads);
    if (gb_threads_for(f->flops + f->A.nvals, GB_GRAIN, f->threads) > 1)
        kernel->n[GB_RATE_START_THREADS] += 1.0;
}

void gb_price_counts(gb_Counts *kernel, gb_Counts *convert, const gb_Method *m,
                     const gb_CostCase *s) {
    count_kernel(kernel, m, s);
    *convert = (gb_Counts){0};
    count_conversions(convert, m, s);
}

double gb_price_left(const gb_Method *m, const gb_Features *f, const gb_MachineTable *machine) {
    gb_Counts counts = {0};
    double moved = 0.0;
    add_form(&counts, &moved, &f->A, m->a);
    return gb_cost_sum(&counts, machine) / (double)f->threads;
}

gb_Cost gb_price(const gb_Budget *budget, const gb_Method *m, const gb_CostCase *s) {
    static const gb_Rate sizing[] = {GB_RATE_SKETCH, GB_RATE_MERGE, GB_RATE_CALL_ESTIMATE,
                                     GB_RATE_SYMBOLIC, GB_RATE_SYMBOLIC_ENTRY};
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const gb_Workspace *w = &budget->w;
    gb_Counts kernel, convert = {0};
    count_kernel(&kernel, m, s);
    const bool converts = !f->A.has[m->a] || !f->B.has[m->b] || f->A.has[GB_AS_DENSE] ||
                          f->B.has[GB_AS_DENSE] || makes_rows_of_tiles(m, f) || groups(m, f) ||
                          m->a == GB_ON_DEVICE;
    if (converts) count_conversions(&convert, m, s);
    const double kept = kept_bytes(m, s);
    const double repaid = (1.0 - owed_share(m, s)) * form_bytes(f, &f->B, m->b);
    /* Bytes that are touched for the first time. What the pool lacks now it has the next time, so
     * the price of making it warm counts less and less for the products to come (f->fresh_share).
     */
    const double lacking = fmax(kept - repaid - w->cold + w->beside - f->warm, 0.0);
    const double fresh = w->cold + f->fresh_share * lacking;
    double size = 0.0; /* ns */
    for (size_t k = 0; k < sizeof sizing / sizeof *sizing; k++)
        size += kernel.n[sizing[k]] * machine->ns[sizing[k]];
    gb_Cost cost = {
        .plan = 1e-9 * kernel.n[GB_RATE_PLAN_ENTRY] * machine->ns[GB_RATE_PLAN_ENTRY],
        .size = 1e-9 * size,
        .convert = converts ? gb_cost_sum(&convert, machine) : 0.0,
        .pages = 1e-9 * fresh * machine->ns[GB_RATE_FRESH_BYTE] / gb_busy_threads(f, true),
        .bytes = kept + w->beside + fmax(w->capacity - s->entries * gb_entry_bytes(f), 0.0),
        .slices = gb_budget_slices(budget)};
    cost.seconds = gb_cost_sum(&kernel, machine) + cost.convert + cost.pages;
    return cost;
}
