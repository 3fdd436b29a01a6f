/* SPDX-License-Identifier: Apache-2.0
 *
 * Dividing the memory limit; see budget.h.
 */
#include "mxm/model/budget.h"

#include <math.h>

#include "core/bits.h"

/* Bytes that the method holds all along, on top of what every call holds. */
static double fixed_bytes(const gb_Features *f, const gb_Workspace *w) {
    return w->fixed + f->memory.held + GB_SMALL_BYTES;
}

/* Of what is left beside the fixed bytes, slices get this share: a result that is merged or cast
 * into C waits beside them, and merging may transpose it. */
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

/* Finer and finer cuts for so many threads, until slices have room for so many units. */
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

/* The coarsest cut, for most threads, of which each finds room for two units; else for one unit. */
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

static gb_Budget unlimited(const gb_Method *m, const gb_CostCase *s) {
    gb_Cut cut = {.threads = s->f->threads, .accumulators = s->f->accumulators};
    const gb_Workspace w = m->workspace(m, s, &cut);
    cut.size = w.size;
    return (gb_Budget){.allow = gb_allow_all(gb_to_u64(cut.size)), .cut = cut, .w = w};
}

gb_Budget gb_budget(const gb_Method *m, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    if (!f->memory.limited) return unlimited(m, s);
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
