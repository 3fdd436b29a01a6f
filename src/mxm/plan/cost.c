/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of what every way to compute a product does; see cost.h. The rules that kernels choose by
 * (which accumulator a row gets, how bins are cut) are those of cpu/isa/rowwork.h and cpu/bins.c,
 * with the constants of core/tune.h.
 */
#include "mxm/plan/cost.h"

#include <math.h>

#include "core/parallel.h"
#include "core/tune.h"
#include "core/view.h"

gb_Method gb_way_method(gb_Way way) {
    return way <= GB_WAY_SYMBOLIC ? GB_ROWWISE
           : way == GB_WAY_OUTER  ? GB_OUTER
           : way == GB_WAY_TILED  ? GB_TILED
                                  : GB_DOT;
}

/* -- expectations ------------------------------------------------------------------------------ */

/* Products that fall on `places` at random meet so many of them. */
static double met(double products, double places) {
    return places > 0.0 ? places * -expm1(-products / places) : 0.0;
}

double gb_expect_row(const gb_Features *f, double products) {
    const double random = met(products, (double)f->n);
    const double sampled = f->compression > 0.0 ? products / f->compression : random;
    return sampled < random ? sampled : random;
}

double gb_expect_entries(const gb_Features *f) {
    const double products = (double)f->flops;
    if (f->compression > 0.0) return products / f->compression;
    const double rows = f->counted ? (double)(f->m - f->rows.rows[0]) : (double)f->m;
    return rows > 0.0 ? rows * met(products / rows, (double)f->n) : 0.0;
}

/* The part of `bytes` that does not fit into the cache. */
static double beyond(double bytes, double cache) {
    return bytes > cache ? 1.0 - cache / bytes : 0.0;
}

static double entry_bytes(const gb_Features *f) {
    return (double)(f->zsize + sizeof(gb_Idx));
}

/* Bytes that are read of one entry of a factor. */
static double read_bytes(const gb_FactorFacts *X, size_t zsize) {
    return (double)(sizeof(gb_Idx) + (X->iso ? 0 : zsize));
}

/* Threads that work all the time, when one row can be work of one thread only. */
static double threads(const gb_Features *f, bool rows_split) {
    const uint64_t units = f->flops + f->A.nvals;
    double n = (double)gb_threads_for(units, GB_GRAIN, f->threads);
    if (!rows_split && f->counted && f->rows.most > 0)
        n = fmin(n, (double)f->flops / (double)f->rows.most);
    return fmax(n, 1.0);
}

static void scale(gb_Counts *c, double by) {
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

/* -- rows by the way they are summed ----------------------------------------------------------- */

/* Columns of a block of the dense array, whose marks are looked at together, and entries of C in a
 * block where columns come in runs. */
#define GB_BLOCK 64.0
#define GB_BLOCK_RUN 16.0

/* Comparators of a network for so many keys. */
static double network(unsigned class) {
    static const double steps[] = {19.0, 63.0, 191.0, 543.0}; /* 8, 16, 32, 64 keys */
    return steps[class <= 3 ? 0 : class <= 6 ? class - 3 : 3];
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
        sum += short_rows * (none_longer - before) * network(c);
        before = none_longer;
    }
    return sum;
}

/* Blocks that a row of so many entries touches. */
static double blocks_met(const gb_Features *f, double entries) {
    return f->by_runs ? entries / GB_BLOCK_RUN : met(entries, (double)f->n / GB_BLOCK);
}

static bool is_dense(const gb_Features *f, double products) {
    const double n = (double)f->n;
    if (!(f->accumulators & GBL_ACCUMULATE_DENSE)) return false;
    if (!(f->accumulators & GBL_ACCUMULATE_HASH)) return true;
    return n * (double)(f->zsize + 1) <= GB_DENSE_BYTES ||
           gb_expect_row(f, products) > n / GB_DENSE_FILL;
}

/* The rows of one class, which are not short. */
static void add_long_rows(gb_RowWays *w, const gb_Features *f, const gb_MachineTable *machine,
                          double rows, double products) {
    const double mean = products / rows, entries = gb_expect_row(f, mean);
    if (is_dense(f, mean)) {
        w->dense_rows += rows;
        w->dense_products += products;
        w->dense_entries += rows * entries;
        w->dense_blocks += rows * blocks_met(f, entries);
        return;
    }
    const double table = entries * 2.0 * (double)(f->zsize + sizeof(gb_Idx));
    w->hash_products += products;
    w->hash_entries += rows * entries;
    w->hash_far += products * beyond(table, machine->cache[0]);
}

static gb_RowWays split_rows(const gb_Features *f, const gb_MachineTable *machine) {
    gb_RowWays w = {0};
    for (unsigned c = 1; c < GB_CLASSES; c++) {
        const double rows = (double)f->rows.rows[c], products = (double)f->rows.products[c];
        if (rows == 0.0) continue;
        const bool is_short = products <= GB_SORT_MAX * rows;
        if (is_short && (f->accumulators & GBL_ACCUMULATE_SORT)) {
            w.short_rows += rows;
            w.short_products += products;
        } else {
            add_long_rows(&w, f, machine, rows, products);
        }
    }
    w.steps = network_steps(&f->rows, w.short_rows);
    return w;
}

/* -- rowwise ----------------------------------------------------------------------------------- */

/* Products for each that means would give: how much more often than others some rows of B are
 * met. */
static double skew(const gb_Features *f) {
    const double even = (double)f->A.nvals * (double)f->B.nvals / fmax((double)f->k, 1.0);
    return f->counted ? fmax((double)f->flops / even, 1.0) : 1.0;
}

/* Latency of the third cache, relative to that of memory. */
#define GB_NEAR 0.25

/* Lines of B's rows that are fetched from beyond the caches. Entries of one tile of A fetch the
 * same rows of B, shortly one after the other; where some rows are met more often than others,
 * these stay in the caches. */
static double far_lines(const gb_Features *f, const gb_MachineTable *machine) {
    const double bytes = (double)f->B.nvals * read_bytes(&f->B, f->zsize);
    const double near = beyond(bytes, machine->cache[1]), far = beyond(bytes, machine->cache[2]);
    const double row = (double)f->flops / fmax((double)f->A.nvals, 1.0);
    const double lines = 1.0 + row * read_bytes(&f->B, f->zsize) / 64.0;
    return (double)f->A.nvals * lines / (skew(f) * fmax(f->A.fill, 1.0)) *
           (GB_NEAR * near + (1.0 - GB_NEAR) * far);
}

/* What unsorted products of a row give: entries written to where they belong. */
static void count_result(gb_Counts *c, const gb_CostCase *s) {
    const double bytes = s->entries * entry_bytes(s->f);
    c->n[GB_RATE_PLACE] += bytes / 12.0;
    c->n[GB_RATE_STREAM] += bytes * beyond(bytes, s->machine->cache[2]) / s->machine->bandwidth;
}

static void count_rows(gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const gb_RowWays w = s->rows;
    const double accumulator = (double)f->n * (double)(f->zsize + 1);
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_FETCH] += (double)f->A.nvals;
    c->n[GB_RATE_FETCH_FAR] += s->far_lines * s->machine->latency;
    c->n[GB_RATE_COPY] += (double)f->rows.products_copied;
    c->n[GB_RATE_EXPAND] += w.short_products;
    c->n[GB_RATE_SORT_STEP] += w.steps;
    if (f->by_runs) {
        c->n[GB_RATE_DENSE_RUN] += w.dense_products;
    } else {
        c->n[GB_RATE_DENSE] += w.dense_products;
        c->n[GB_RATE_DENSE_FAR] +=
            (w.dense_products + w.dense_blocks) *
            (beyond(accumulator, machine->cache[0]) + 2.0 * beyond(accumulator, machine->cache[1]));
    }
    c->n[GB_RATE_DENSE_SWEEP] += w.dense_rows * (1.0 + (double)f->n / 4096.0);
    c->n[GB_RATE_DENSE_BLOCK] += w.dense_blocks;
    c->n[GB_RATE_DENSE_OUT] += w.dense_entries;
    c->n[GB_RATE_HASH] += w.hash_products;
    c->n[GB_RATE_HASH_FAR] += w.hash_far;
    c->n[GB_RATE_HASH_OUT] += w.hash_entries;
}

/* Rows inside or outside a mask: how much it spares is not known before. */
static void count_masked(gb_Counts *c, const gb_Features *f) {
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_FETCH] += (double)f->A.nvals;
    c->n[GB_RATE_MASKED_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
}

static void count_rowwise(gb_Counts *c, const gb_CostCase *s, gb_Way way) {
    const gb_Features *f = s->f;
    if (f->mask != GB_MASK_NONE || !f->counted) {
        count_masked(c, f);
    } else {
        count_rows(c, s);
        count_result(c, s);
        if (way == GB_WAY_BOUND && (double)f->rows.room > GB_SLACK_MAX * s->entries)
            c->n[GB_RATE_SLACK] += s->entries * entry_bytes(f) / 12.0;
    }
    if (way == GB_WAY_ESTIMATE) {
        if (!f->sketched) c->n[GB_RATE_SKETCH] += (double)f->B.nvals;
        c->n[GB_RATE_MERGE] += (double)f->A.nvals * f->registers / 32.0 + (double)f->m;
    }
    if (way == GB_WAY_SYMBOLIC) {
        c->n[GB_RATE_SYMBOLIC] += (double)f->flops;
        c->n[GB_RATE_SYMBOLIC_ENTRY] += (double)f->A.nvals;
        c->n[GB_RATE_FETCH_FAR] += s->far_lines * s->machine->latency;
    }
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    scale(c, 1.0 / threads(f, false));
    c->n[GB_RATE_CALL_ROWWISE] = 1.0;
    if (way == GB_WAY_ESTIMATE) c->n[GB_RATE_CALL_ESTIMATE] = 1.0;
}

/* -- outer ------------------------------------------------------------------------------------- */

static double packet_bytes(const gb_Features *f) {
    const double value =
        f->values == GB_VALUES_TYPED || f->values == GB_VALUES_GENERIC ? (double)f->zsize : 0.0;
    return (double)f->flops * (value + sizeof(gb_Idx)) + 4.0 * (double)f->A.nvals;
}

/* Columns of the dense array that long rows of a bin are summed in. */
static double range_columns(const gb_Features *f, const gb_MachineTable *machine) {
    return machine->cache[1] / GB_RANGE_SHARE / (double)(f->zsize + 1);
}

/* Products of the longest row that is cut for networks, by the bits that columns leave for numbers
 * too (cpu/isa/window.c). Kernels without AVX-512 take radix passes, for about the same. */
static double window_most(const gb_Features *f) {
    const double bits = 32.0 - ceil(log2(fmax((double)f->n, 2.0)));
    return fmin(exp2(fmax(bits, 0.0)), (double)GB_CUT_MOST);
}

/* Comparators per product of a row that is cut into runs: those of the runs, and what cutting takes
 * as comparators. */
static double cut_steps(double products) {
    const double run = GB_CUT_RUN * GB_RUN_MOST;
    const double cuts = fmax(log2(products / run), 1.0);
    return network((unsigned)ceil(log2(GB_RUN_MOST))) / run + GB_CUT_STEPS * cuts;
}

/* Rows of one class that are too long for one network: summed in a dense array, emptied as in
 * rowwise, or cut for several, or sorted by radix passes. */
static void count_outer_rows(gb_Counts *c, const gb_Features *f, const gb_MachineTable *machine,
                             double rows, double products) {
    const double n = (double)f->n;
    if (products <= GB_SORT_MAX * rows) return;
    if (n > range_columns(f, machine) || products <= rows * n / GB_DENSE_FILL) {
        if (products <= window_most(f) * rows)
            c->n[GB_RATE_OUTER_STEP] += products * cut_steps(products / rows);
        else
            c->n[GB_RATE_OUTER_LONG] += products * ceil(log2(fmax(n, 2.0)) / 8.0);
        return;
    }
    const double entries = gb_expect_row(f, products / rows);
    c->n[GB_RATE_OUTER_DENSE] += products;
    c->n[GB_RATE_DENSE_BLOCK] += rows * blocks_met(f, entries);
    c->n[GB_RATE_DENSE_OUT] += rows * entries;
}

static void count_outer(gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const double bytes = packet_bytes(f);
    for (unsigned class = 1; class < GB_CLASSES; class ++)
        count_outer_rows(c, f, machine, (double)f->rows.rows[class],
                         (double)f->rows.products[class]);
    count_outer_rows(c, f, machine, (double)f->rows.rows_copied, (double)f->rows.products_copied);
    c->n[GB_RATE_OUTER_ENTRY] += (double)f->A.nvals;
    c->n[GB_RATE_OUTER_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_OUTER_STEP] += s->rows.steps;
    c->n[GB_RATE_OUTER_STREAM] += bytes * beyond(bytes, machine->cache[1]) / machine->bandwidth;
    c->n[GB_RATE_OUTER_SLICE] +=
        (gb_cost_slices(f, machine, GB_WAY_OUTER) - 1.0) * ((double)f->A.nvals + (double)f->k);
    c->n[GB_RATE_ROW] += (double)f->m;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    count_result(c, s);
    scale(c, 1.0 / threads(f, true));
    c->n[GB_RATE_CALL_OUTER] = 1.0;
}

/* -- tiled ------------------------------------------------------------------------------------- */

static double tiles_of(const gb_FactorFacts *X) {
    return X->fill > 0.0 ? (double)X->nvals / X->fill : (double)X->nvals;
}

double gb_tile_pairs(const gb_Features *f) {
    const double inner = ceil((double)f->k / GB_TILE);
    const double a = tiles_of(&f->A), b = tiles_of(&f->B);
    return fmin(a * b / inner * skew(f), (double)f->flops);
}

/* Tiles of C. */
static double result_tiles(const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double rows = ceil((double)f->m / GB_TILE), columns = ceil((double)f->n / GB_TILE);
    if (f->tiles_per_product > 0.0) return f->tiles_per_product * (double)f->flops;
    return fmin(rows * met(s->pairs / rows, columns), s->entries);
}

static void count_tiled(gb_Counts *c, const gb_CostCase *s, double tiles) {
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const double pairs = s->pairs;
    c->n[GB_RATE_TILE_PAIR] += pairs;
    if (f->values == GB_VALUES_COUNTED)
        c->n[GB_RATE_TILE_COUNT] += pairs;
    else if (f->values != GB_VALUES_NONE && fmin(f->A.fill, f->B.fill) >= GB_SPREAD_A)
        c->n[GB_RATE_TILE_LANE] += pairs * f->A.fill * (double)f->zsize / 8.0;
    else if (f->values != GB_VALUES_NONE)
        c->n[GB_RATE_TILE_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_TILE_OUT] += tiles;
    c->n[GB_RATE_TILE_ENTRY] += s->entries;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    const double bytes = s->entries * entry_bytes(f);
    c->n[GB_RATE_STREAM] += bytes * beyond(bytes, machine->cache[2]) / machine->bandwidth;
    scale(c, 1.0 / threads(f, false));
    c->n[GB_RATE_CALL_TILED] = 1.0;
}

/* -- conversions ------------------------------------------------------------------------------- */

static void add_rows_from_tiles(gb_Counts *c, double entries, double tiles) {
    c->n[GB_RATE_ROWS_ENTRY] += entries;
    c->n[GB_RATE_ROWS_TILE] += tiles;
}

/* Rows (or columns) of a factor that exists in another form. */
static void add_lists(gb_Counts *c, const gb_FactorFacts *X, bool exist, bool other) {
    if (exist) return;
    if (X->tiles) add_rows_from_tiles(c, (double)X->nvals, tiles_of(X));
    if (other || !X->tiles) c->n[GB_RATE_CONVERT] += (double)X->nvals;
}

static void add_tiles(gb_Counts *c, const gb_FactorFacts *X) {
    if (X->tiles) return;
    /* sorting rows takes about as long as changing between rows and columns */
    if (!X->by_rows || X->unsorted) c->n[GB_RATE_CONVERT] += (double)X->nvals;
    c->n[GB_RATE_TILES_ENTRY] += (double)X->nvals;
    c->n[GB_RATE_TILES_TILE] += tiles_of(X);
}

bool gb_cost_converts(const gb_Features *f, gb_Way way) {
    const gb_FactorFacts *A = &f->A, *B = &f->B;
    switch (gb_way_method(way)) {
    case GB_ROWWISE:
        return !A->by_rows || !B->by_rows;
    case GB_OUTER:
        return !A->by_columns || !B->by_rows;
    case GB_TILED:
        return !A->tiles || !B->tiles || !f->stays_tiled;
    default:
        return !A->by_rows || !B->by_columns;
    }
}

static void count_conversions(gb_Counts *c, const gb_CostCase *s, gb_Way way, double tiles) {
    const gb_Features *f = s->f;
    const gb_Method method = gb_way_method(way);
    const gb_FactorFacts *A = &f->A, *B = &f->B;
    if (method == GB_TILED) {
        add_tiles(c, A);
        add_tiles(c, B);
        if (!f->stays_tiled) add_rows_from_tiles(c, s->entries, tiles);
    } else {
        const bool a_columns = method == GB_OUTER, b_columns = method == GB_DOT;
        add_lists(c, A, a_columns ? A->by_columns : A->by_rows, a_columns);
        add_lists(c, B, b_columns ? B->by_columns : B->by_rows, b_columns);
    }
    scale(c, 1.0 / (double)f->threads);
}

/* -- all of it --------------------------------------------------------------------------------- */

static void count_dot(gb_Counts *c, const gb_Features *f) {
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_DOT_ENTRY] += (double)f->dot_work;
    c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->dot_work;
    scale(c, 1.0 / (double)gb_threads_for(f->dot_work + f->A.nvals, GB_GRAIN, f->threads));
    c->n[GB_RATE_CALL_DOT] = 1.0;
}

void gb_cost_case(gb_CostCase *s, const gb_Features *f, const gb_MachineTable *machine) {
    *s = (gb_CostCase){.f = f,
                       .machine = machine,
                       .entries = gb_expect_entries(f),
                       .pairs = gb_tile_pairs(f),
                       .far_lines = far_lines(f, machine),
                       .rows = split_rows(f, machine)};
}

void gb_cost_count(gb_Counts *kernel, gb_Counts *convert, const gb_CostCase *s, gb_Way way) {
    const gb_Features *f = s->f;
    const double tiles = way == GB_WAY_TILED ? result_tiles(s) : 0.0;
    *kernel = (gb_Counts){0};
    *convert = (gb_Counts){0};
    switch (gb_way_method(way)) {
    case GB_ROWWISE:
        count_rowwise(kernel, s, way);
        break;
    case GB_OUTER:
        count_outer(kernel, s);
        break;
    case GB_TILED:
        count_tiled(kernel, s, tiles);
        break;
    case GB_DOT:
        count_dot(kernel, f);
        break;
    }
    if (f->counted) kernel->n[GB_RATE_PLAN_ENTRY] += (double)f->A.nvals / (double)f->threads;
    if (gb_threads_for(f->flops + f->A.nvals, GB_GRAIN, f->threads) > 1)
        kernel->n[GB_RATE_START_THREADS] += 1.0;
    count_conversions(convert, s, way, tiles);
}
