/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of cost models; see cost.h. The rules that kernels choose by (which accumulator a row gets)
 * are those of cpu/rowwise/rowwork.h, with the constants of core/tune.h.
 */
#include "mxm/model/cost.h"

/* -- expectations ------------------------------------------------------------------------------ */

double gb_expect_distinct(double flops, double places) {
    return places > 0.0 ? places * -expm1(-flops / places) : 0.0;
}

double gb_expect_row(const gb_Features *f, double flops) {
    const double random = gb_expect_distinct(flops, (double)f->n);
    const double sampled = f->compression > 0.0 ? flops / f->compression : random;
    return sampled < random ? sampled : random;
}

double gb_expect_entries(const gb_Features *f) {
    const double flops = (double)f->flops;
    const double most = f->mask == GB_MASK_INSIDE ? (double)f->nnz_m : HUGE_VAL;
    if (f->compression > 0.0) return fmin(flops / f->compression, most);
    const double rows = f->counted ? (double)(f->m - f->rows.rows[0]) : (double)f->m;
    if (!(rows > 0.0)) return 0.0;
    return fmin(rows * gb_expect_distinct(flops / rows, (double)f->n), most);
}

/* Ratio of flops to those that means predict: how much more often than others some rows of B are
 * selected. */
static double skew(const gb_Features *f) {
    const double even = (double)f->A.nvals * (double)f->B.nvals / fmax((double)f->k, 1.0);
    return f->counted ? fmax((double)f->flops / even, 1.0) : 1.0;
}

bool gb_is_full(const gb_FactorFacts *X, uint64_t rows, uint64_t columns) {
    return X->nvals == rows * columns;
}

double gb_expect_tiles(const gb_FactorFacts *X) {
    return X->fill > 0.0 ? (double)X->nvals / X->fill : (double)X->nvals;
}

double gb_tile_pairs(const gb_Features *f) {
    const double inner = ceil((double)f->k / GB_TILE);
    const double even = gb_expect_tiles(&f->A) * gb_expect_tiles(&f->B) / inner;
    return fmin(even * skew(f), (double)f->flops);
}

/* -- bytes ------------------------------------------------------------------------------------- */

double gb_entry_bytes(const gb_Features *f) {
    return (double)(f->zsize + sizeof(gb_Idx));
}

double gb_upper_bound(const gb_Features *f) {
    const double most = f->counted ? (double)f->rows.upper_bound : (double)f->flops;
    return f->mask == GB_MASK_INSIDE ? fmin(most, (double)f->nnz_m) : most;
}

double gb_share_outside(double bytes, double cache) {
    return bytes > cache ? 1.0 - cache / bytes : 0.0;
}

/* -- parts that methods share ------------------------------------------------------------------ */

double gb_busy_threads(const gb_Features *f, bool rows_split) {
    const uint64_t units = f->flops + f->A.nvals;
    double n = (double)gb_threads_for(units, GB_GRAIN, f->threads);
    if (!rows_split && f->counted && f->rows.most > 0)
        n = fmin(n, (double)f->flops / (double)f->rows.most);
    return fmax(n, 1.0);
}

double gb_small_rows_cost(const gb_Features *f) {
    return f->mask != GB_MASK_NONE && f->m <= GB_SMALL_ROWS ? GB_SMALL_ROWS_COST : 1.0;
}

double gb_longest_flops(const gb_Features *f) {
    return f->counted ? (double)f->rows.most : (double)f->flops;
}

double gb_filter_bytes(const gb_Features *f, double entries) {
    return f->filtered ? 2.0 * 9.0 * entries + 1024.0 : 0.0;
}

void gb_count_streaming(gb_Counts *c, const gb_CostCase *s) {
    c->n[GB_RATE_PLACE] += s->entries * gb_entry_bytes(s->f) / 12.0;
}

/* -- rows by the way they are summed ----------------------------------------------------------- */

/* Columns of a block of the dense array, whose marks are looked at together, and entries of C in a
 * block where columns come in runs. */
#define GB_BLOCK 64.0
#define GB_BLOCK_RUN 16.0

double gb_network_steps(unsigned p) {
    static const double steps[] = {19.0, 63.0, 191.0, 543.0}; /* 8, 16, 32, 64 keys */
    return steps[p <= 3 ? 0 : p <= 6 ? p - 3 : 3];
}

/* Comparators for all short rows: a batch of 16 neighbours is sorted by the network that its
 * longest row needs. */
static double network_steps(const gb_RowCounts *rows, double short_rows) {
    double seen = 0.0, before = 0.0, sum = 0.0;
    for (unsigned c = 1; c < GB_CLASSES && short_rows > 0.0; c++) {
        if ((uint64_t)1 << (c - 1) > GB_SORT_MAX || rows->rows[c] == 0) continue;
        seen += (double)rows->rows[c];
        const double share = fmin(seen / short_rows, 1.0);
        const double square = share * share, fourth = square * square;
        const double none_longer = fourth * fourth * fourth * fourth; /* of 16 rows */
        sum += short_rows * (none_longer - before) * gb_network_steps(c);
        before = none_longer;
    }
    return sum;
}

double gb_blocks_touched(const gb_Features *f, double entries) {
    return f->B.adjacent ? entries / GB_BLOCK_RUN
                         : gb_expect_distinct(entries, (double)f->n / GB_BLOCK);
}

bool gb_suits_bits(const gb_Features *f, double flops) {
    const double n = (double)f->n;
    return f->by_pattern && f->mask != GB_MASK_INSIDE && (f->accumulators & GBL_ACCUMULATE_DENSE) &&
           flops > n / GB_BITS_SWEEP && n / 8.0 <= GB_DENSE_BYTES &&
           (double)f->flops >= n / GB_BLOCK;
}

static bool is_dense(const gb_Features *f, double flops) {
    const double n = (double)f->n;
    if (!(f->accumulators & GBL_ACCUMULATE_DENSE)) return false;
    if (gb_suits_bits(f, flops)) return true;
    if (!(f->accumulators & GBL_ACCUMULATE_HASH)) return true;
    const bool repays = (double)f->flops >= n, fits = n * (double)(f->zsize + 1) <= GB_DENSE_BYTES;
    return (repays && fits) || gb_expect_row(f, flops) > n / GB_DENSE_FILL;
}

/* The rows of one class, which are not short. */
static void add_long_rows(gb_RowSplit *w, const gb_Features *f, double rows, double flops) {
    const double mean = flops / rows, entries = gb_expect_row(f, mean);
    if (is_dense(f, mean)) {
        w->dense_rows += rows;
        w->dense_flops += flops;
        w->dense_entries += rows * entries;
        w->dense_blocks += rows * gb_blocks_touched(f, entries);
        return;
    }
    w->hash_flops += flops;
    w->hash_entries += rows * entries;
}

static gb_RowSplit split_rows(const gb_Features *f) {
    gb_RowSplit w = {0};
    for (unsigned c = 1; c < GB_CLASSES; c++) {
        const double rows = (double)f->rows.rows[c], flops = (double)f->rows.flops[c];
        if (rows == 0.0) continue;
        const bool is_short = flops <= GB_SORT_MAX * rows;
        if (is_short && (f->accumulators & GBL_ACCUMULATE_SORT)) {
            w.short_rows += rows;
            w.short_flops += flops;
        } else {
            add_long_rows(&w, f, rows, flops);
        }
    }
    w.steps = network_steps(&f->rows, w.short_rows);
    return w;
}

/* Latency of the third cache, relative to that of memory. */
#define GB_NEAR 0.25

/* Cache lines of B's rows fetched from memory. Entries of one tile of A fetch the same rows of B in
 * short order; rows that are selected more often than others stay in the caches. */
static double far_lines(const gb_Features *f, const gb_MachineTable *machine) {
    const double entry = (double)(sizeof(gb_Idx) + (f->B.iso ? 0 : f->zsize)); /* of B, read */
    const double bytes = (double)f->B.nvals * entry;
    const double near = gb_share_outside(bytes, machine->cache[1]);
    const double far = gb_share_outside(bytes, machine->cache[2]);
    const double row = (double)f->flops / fmax((double)f->A.nvals, 1.0);
    const double lines = 1.0 + row * entry / 64.0;
    return (double)f->A.nvals * lines / (skew(f) * fmax(f->A.fill, 1.0)) *
           (GB_NEAR * near + (1.0 - GB_NEAR) * far);
}

/* -- panels ------------------------------------------------------------------------------------ */

double gb_panel_lanes(const gb_Features *f) {
    return f->values != GB_VALUES_GENERIC && (f->zsize == 4 || f->zsize == 1) ? 16.0 : 8.0;
}

bool gb_panels_have_values(const gb_Factor *A) {
    return A->type != NULL && !A->X->iso;
}

bool gb_may_keep_panels(const gb_Features *f, const gb_Factor *A) {
    const bool is_cast = gb_panels_have_values(A) && A->type->code != A->X->type->code;
    return f->values != GB_VALUES_GENERIC && !is_cast && !f->memory.limited;
}

/* -- a case ------------------------------------------------------------------------------------ */

void gb_cost_case(gb_CostCase *s, const gb_Features *f, const gb_MachineTable *machine) {
    *s = (gb_CostCase){.f = f,
                       .machine = machine,
                       .entries = gb_expect_entries(f),
                       .pairs = gb_tile_pairs(f),
                       .far_lines = far_lines(f, machine),
                       .rows = split_rows(f)};
}

double gb_result_tiles(const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double rows = ceil((double)f->m / GB_TILE), columns = ceil((double)f->n / GB_TILE);
    if (f->tiles_per_flop > 0.0) return f->tiles_per_flop * (double)f->flops;
    return fmin(rows * gb_expect_distinct(s->pairs / rows, columns), s->entries);
}

void gb_cost_scale(gb_Counts *c, double by) {
    if (by == 1.0) return;
    for (int r = 0; r < GB_RATES; r++) c->n[r] *= by;
}

double gb_cost_sum(const gb_Counts *c, const gb_MachineTable *machine) {
    const double *n = c->n, *ns = machine->ns;
    double even = 0.0, odd = 0.0; /* side by side: each addition waits for the one before */
    int r = 0;
    for (; r + 4 <= GB_RATES; r += 4) {
        even += n[r] * ns[r] + n[r + 1] * ns[r + 1];
        odd += n[r + 2] * ns[r + 2] + n[r + 3] * ns[r + 3];
    }
    for (; r < GB_RATES; r++) even += n[r] * ns[r];
    return 1e-9 * (even + odd);
}
