/* SPDX-License-Identifier: Apache-2.0
 *
 * OUTER (PB-SpGEMM, IPDPS '20): columns of A times rows of B, both read once, sequentially; partial
 * products go to bins of cache size and are sorted and summed bin by bin. Kernel:
 * cpu/outer/outer.c; bins: cpu/common/bins.c.
 */
#include "mxm/model/method.h"

#include "core/hardware.h"

/* -- workspace (cpu/common/bins.c, compact.c; cpu/outer/outer.c,
 * cpu/rowwise/window.c) */

#define LINE_BYTES 64.0
/* Bookkeeping of a bin: as of a chunk, and its packets. */
#define BIN_BYTES 160.0

/* Bytes of the packets of all partial products. */
static double packet_bytes(const gb_Features *f) {
    const bool values = f->values == GB_VALUES_TYPED || f->values == GB_VALUES_GENERIC;
    const double product = (double)sizeof(gb_Idx) + (values ? (double)f->zsize : 0.0);
    return (double)f->flops * product + 4.0 * (double)f->A.nvals;
}

/* Arrays of one thread. */
static double thread_bytes(const gb_Features *f, double bins, double flops) {
    const double z = (double)f->zsize, n = (double)f->n, cache = (double)gb_cache_bytes();
    const unsigned lines =
        f->choices.bin_lines > 0 ? (unsigned)f->choices.bin_lines : GB_LOCAL_LINES;
    const double stride = 2.0 * LINE_BYTES * (lines + 2.0) + 2.0 * GB_PACKET * (z + 8.0);
    const double local = fmin(bins, cache * GB_LOCAL_CACHES / stride + 1.0) + 1.0;
    const double range = fmax(cache / GB_RANGE_SHARE / (z + 1.0), 2.0 * n / GB_RANGES_MOST);
    const double window = (GB_WINDOW + 64.0) * (32.0 + z) + 8192.0;
    return local * (stride + 16.0) + flops * (40.0 + z) + window + 4.0 * GB_BIN_ROWS +
           fmin(range, n) * (z + 2.0) + GB_SORT_MAX * 16.0 * z;
}

/* Slices without a limit: packets wait within a share of the memory, and local bins of all bins
 * within the second cache. */
static double slices(const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double cache = s->machine->cache[1];
    const double by_bytes = packet_bytes(f) / (f->budget / GB_TUPLE_SHARE);
    const double bins = (double)f->flops * gb_entry_bytes(f) / (cache / GB_BIN_SHARE);
    const double by_bins = bins / (cache * GB_LOCAL_CACHES / GB_OUTER_LOCAL_BYTES);
    return fmax(ceil(fmax(by_bytes, by_bins)), 1.0);
}

static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double asked = f->choices.bin_bytes, threads = cut->threads;
    const double coarsest = asked > 0.0 ? asked : (double)gb_cache_bytes() / GB_BIN_SHARE;
    const double size = cut->size > 0.0 ? cut->size : coarsest;
    const double z = (double)f->zsize, entry = gb_entry_bytes(f), parts = threads * GB_PARTS;
    const double most = gb_longest_flops(f);
    const double flops = (double)f->flops, in_bin = size / entry + 1.0;
    const double heavy = most > in_bin ? flops / in_bin : 0.0;
    const double range = (double)gb_cache_bytes() / GB_RANGE_SHARE / (z + 1.0) / 2.0;
    const double ranges = fmin((double)f->n / range, GB_RANGES_MOST) + 1.0;
    const double bins = 2.0 * flops / in_bin + (double)f->m / GB_BIN_ROWS + 2.0 + heavy * ranges;
    const double largest = fmax(in_bin, most);
    /* packets of single products, and their buffer, each half of a slice */
    const double packets = largest * (z + 16.0) + LINE_BYTES * (parts + 5.0);
    const double slots = f->A.has[GB_BY_COLUMNS] ? 0.0 : 8.0 * (double)f->k * f->threads;
    const double work = bins * (BIN_BYTES + 16.0 * parts) + 8.0 * (double)f->k +
                        threads * thread_bytes(f, bins, in_bin);
    const double parts_of_c = slices(s), buffer = gb_buffer_bytes(gb_to_u64(largest), f->zsize);
    (void)m;
    return (gb_Workspace){.size = size,
                          .fixed = work + slots,
                          .unit = 2.0 * fmax(packets, buffer),
                          .waiting = 3.0 * gb_upper_bound(f) * entry, /* in addition to as many
                                                                       * packets */
                          .capacity = gb_upper_bound(f) * entry,
                          .beside = work + packet_bytes(f) / parts_of_c + threads * buffer,
                          .slices = parts_of_c};
}

/* -- cost -------------------------------------------------------------------------------------- */

/* Maximum flops of a row that is cut for sorting networks, by the bits that columns leave for
 * sequence numbers (cpu/rowwise/window.c). Kernels without AVX-512 take radix passes, at about the
 * same cost. */
static double window_most(const gb_Features *f) {
    const double bits = 32.0 - ceil(log2(fmax((double)f->n, 2.0)));
    return fmin(exp2(fmax(bits, 0.0)), (double)GB_CUT_MOST);
}

/* Comparators per partial product of a row that is cut into runs: those of the runs, and what
 * cutting takes as comparators. */
static double cut_steps(double flops) {
    const double run = GB_CUT_RUN * GB_RUN_MOST;
    const double cuts = fmax(log2(flops / run), 1.0);
    return gb_network_steps((unsigned)ceil(log2(GB_RUN_MOST))) / run + GB_CUT_STEPS * cuts;
}

/* Rows of one class that are too long for one network: summed in a dense array, emptied as in
 * rowwise, or cut for several, or sorted by radix passes. */
static void count_rows(gb_Counts *c, const gb_CostCase *s, double rows, double flops) {
    const gb_Features *f = s->f;
    const double n = (double)f->n;
    if (flops <= GB_SORT_MAX * rows) return;
    /* columns of the dense array that long rows of a bin are summed in */
    const double range = s->machine->cache[1] / GB_RANGE_SHARE / (double)(f->zsize + 1);
    if (n > range || flops <= rows * n / GB_DENSE_FILL) {
        if (flops <= window_most(f) * rows)
            c->n[GB_RATE_OUTER_STEP] += flops * cut_steps(flops / rows);
        else
            c->n[GB_RATE_OUTER_LONG] += flops * ceil(log2(fmax(n, 2.0)) / 8.0);
        return;
    }
    const double entries = gb_expect_row(f, flops / rows);
    c->n[GB_RATE_OUTER_DENSE] += flops;
    c->n[GB_RATE_DENSE_BLOCK] += rows * gb_blocks_touched(f, entries);
    c->n[GB_RATE_DENSE_OUT] += rows * entries;
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const gb_RowCounts *rows = &f->rows;
    const double bytes = packet_bytes(f);
    for (unsigned class = 1; class < GB_CLASSES; class ++)
        count_rows(c, s, (double)rows->rows[class], (double)rows->flops[class]);
    count_rows(c, s, (double)rows->rows_copied, (double)rows->flops_copied);
    c->n[GB_RATE_OUTER_ENTRY] += (double)f->A.nvals;
    c->n[GB_RATE_OUTER_PRODUCT] += (double)f->flops;
    c->n[GB_RATE_OUTER_STEP] += s->rows.steps;
    c->n[GB_RATE_OUTER_STREAM] +=
        bytes * gb_share_outside(bytes, s->machine->cache[1]) / s->machine->bandwidth;
    double made = slices(s);
    if (f->memory.limited) {
        const gb_Budget budget = gb_budget(m, s);
        made = gb_budget_slices(&budget);
    }
    c->n[GB_RATE_OUTER_SLICE] += (made - 1.0) * ((double)f->A.nvals + (double)f->k);
    c->n[GB_RATE_ROW] += (double)f->m;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += (double)f->flops;
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, true));
    c->n[GB_RATE_CALL_OUTER] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

/* Half of a slice is for packets, half for the buffers of what they become. */
static gb_Allowance divide(const gb_Budget *budget, const gb_Features *f) {
    gb_Allowance allow = budget->allow;
    if (budget->limited) {
        allow.work /= 2;
        allow.packets = allow.work;
    } else {
        allow.capacity = gb_to_u64(f->budget);
        allow.packets = gb_to_u64(f->budget / GB_TUPLE_SHARE);
    }
    return allow;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    const gb_Features *f = run->f;
    const gb_Budget *budget = run->budget;
    gb_MxmArgs args = gb_sparse_args(run, f->flops);
    args.allow = divide(budget, f);
    args.bin_bytes = budget->limited ? (size_t)budget->cut.size : (size_t)f->choices.bin_bytes;
    args.bin_lines = (uint32_t)f->choices.bin_lines;
    (void)m;
    return gb_run_kernel(gb_backend()->mxm_outer, &args, run, f->flops, &T->cs);
}

/* Typed kernels read copies of B's last values, of 16 bytes at most (cpu/outer/work.h). */
static const char *refuse(const gb_Method *m, const gb_Features *f) {
    (void)m;
    return f->compiled && f->zsize > 16 ? "takes compiled semirings of values of 16 bytes at most"
                                        : NULL;
}

const gb_Method gb_method_outer = {
    .name = "outer",
    .variant = "slices",
    .place = GBL_PLACE_CPU,
    .about = "multiplies columns of A and rows of B into bins, then sorts and sums bin by bin",
    .method = GBL_METHOD_OUTER,
    .a = GB_BY_COLUMNS,
    .b = GB_BY_ROWS,
    .sorted_a = true,
    .reads_flops = true,
    .reads_mask = true,
    .learn = GB_LEARN_PLAIN,
    .per_flop = {GB_RATE_OUTER_PRODUCT, GB_RATE_OUTER_PRODUCT},
    .suits = GB_IF_NO_MASK,
    .refuse = refuse,
    .workspace = workspace,
    .count = count,
    .run = run,
};
