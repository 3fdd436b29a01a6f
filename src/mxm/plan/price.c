/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that a product takes at its peak, and the slices that a limit makes of it; see cost.h.
 */
#include <math.h>

#include "core/tune.h"
#include "core/view.h"
#include "mxm/plan/budget.h"

static double entry_bytes(const gb_Features *f) {
    return (double)(f->zsize + sizeof(gb_Idx));
}

/* C's arrays may be made for so many entries before its size is known. */
static double room(const gb_Features *f) {
    double most = f->counted ? (double)f->rows.room : (double)f->flops;
    if (f->mask == GB_MASK_INSIDE) most = fmin(most, (double)f->nnz_m);
    return most;
}

/* -- slices */

/* Bytes of packets that all of the product makes. */
static double packets(const gb_Features *f) {
    const bool values = f->values == GB_VALUES_TYPED || f->values == GB_VALUES_GENERIC;
    const double product = (double)sizeof(gb_Idx) + (values ? (double)f->zsize : 0.0);
    return (double)f->flops * product + 4.0 * (double)f->A.nvals;
}

static double outer_slices(const gb_Features *f, const gb_MachineTable *machine) {
    const double bin = machine->cache[1] / GB_BIN_SHARE;
    const double local = GB_OUTER_LOCAL_BYTES;
    const double by_bytes = packets(f) / (f->budget / GB_TUPLE_SHARE);
    const double bins = (double)f->flops * entry_bytes(f) / bin;
    const double by_bins = bins / (machine->cache[1] * GB_LOCAL_CACHES / local);
    return fmax(ceil(fmax(by_bytes, by_bins)), 1.0);
}

static double tiles_bound(const gb_Features *f) {
    const double rows = ceil((double)f->m / GB_TILE), columns = ceil((double)f->n / GB_TILE);
    return fmin(gb_tile_pairs(f), rows * columns);
}

double gb_cost_slices(const gb_Features *f, const gb_MachineTable *machine, gb_Way way) {
    if (f->memory.limited) {
        const gb_Budget budget = gb_budget(f, way);
        if (way != GB_WAY_TILED) return gb_budget_slices(f, &budget);
        const double bytes = tiles_bound(f) * gb_slice_tile_bytes(f->zsize);
        return fmax(ceil(bytes / fmax((double)budget.allow.work, 1.0)), 1.0);
    }
    if (way == GB_WAY_OUTER) return outer_slices(f, machine);
    if (way != GB_WAY_TILED) return 1.0;
    const double tile = GB_TILE_BYTES + GB_TILE_CELLS * (1.0 + (double)f->zsize);
    return fmax(ceil(tiles_bound(f) * tile / f->budget), 1.0);
}

/* -- bytes */

/* Accumulators and buffers of all threads. */
static double row_workspace(const gb_Features *f) {
    const double n = (double)f->n, size = (double)f->zsize, most = (double)f->rows.most;
    const bool is_dense = n * (size + 1.0) <= GB_DENSE_BYTES || most > n / GB_DENSE_FILL;
    const double entries = gb_expect_row(f, most);
    const double accumulator =
        is_dense ? n * (size + 1.0 + 1.0 / 64.0) : 2.0 * entries * (size + 1.0 + 4.0 + 16.0);
    const double buffer = 2.0 * fmax(fmin(most, n), fmin((double)f->flops, GB_CHUNK_FLOPS));
    return (double)f->threads * (accumulator + buffer * entry_bytes(f));
}

static double rowwise_bytes(const gb_CostCase *s, gb_Way way) {
    const gb_Features *f = s->f;
    const double most = room(f), expected = s->entries;
    double capacity = most;
    if (way == GB_WAY_ESTIMATE) capacity = fmin(most, expected * GB_ESTIMATE_MARGIN);
    if (way == GB_WAY_SYMBOLIC) capacity = fmin(most, expected);
    double bytes = capacity * entry_bytes(f) + row_workspace(f);
    if (way != GB_WAY_BOUND) bytes += (double)f->m * sizeof(float);
    if (way == GB_WAY_ESTIMATE && !f->sketched) bytes += (double)f->k * f->registers;
    return bytes;
}

static double list_bytes(const gb_FactorFacts *X, uint64_t rows, size_t zsize) {
    const double entry = (double)(sizeof(gb_Idx) + (X->iso ? 0 : zsize));
    return (double)X->nvals * entry + (double)(rows + 1) * sizeof(gb_Off);
}

static double tile_bytes(double entries, double tiles, double size) {
    return tiles * GB_TILE_BYTES + entries * (1.0 + size);
}

static double tiled_bytes(const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double entries = s->entries;
    const double tiles = fmin(tiles_bound(f), entries);
    double bytes = tile_bytes(entries, tiles, (double)f->zsize);
    if (!f->stays_tiled) bytes += entries * entry_bytes(f);
    const gb_FactorFacts *factors[] = {&f->A, &f->B};
    for (int k = 0; k < 2; k++) {
        const gb_FactorFacts *X = factors[k];
        if (X->tiles || X->fill <= 0.0) continue;
        bytes += tile_bytes((double)X->nvals, (double)X->nvals / X->fill,
                            X->iso ? 0.0 : (double)f->zsize);
    }
    return bytes;
}

static double bytes_of(const gb_CostCase *s, gb_Way way) {
    const gb_Features *f = s->f;
    const gb_MachineTable *machine = s->machine;
    const double pointers = 2.0 * (double)(f->m + 1) * sizeof(gb_Off);
    switch (gb_way_method(way)) {
    case GB_ROWWISE:
        return pointers + rowwise_bytes(s, way);
    case GB_OUTER:
        return pointers + packets(f) / outer_slices(f, machine) + room(f) * entry_bytes(f) +
               (f->A.by_columns ? 0.0 : list_bytes(&f->A, f->k, f->zsize)) +
               (double)f->threads * machine->cache[1];
    case GB_TILED:
        return tiled_bytes(s);
    default:
        return pointers + (double)f->nnz_m * entry_bytes(f) +
               (f->B.by_columns ? 0.0 : list_bytes(&f->B, f->n, f->zsize));
    }
}

/* Seconds of some of the things counted. */
static double part(const gb_Counts *counts, const gb_MachineTable *machine, const gb_Rate *rates,
                   size_t n) {
    double ns = 0.0;
    for (size_t k = 0; k < n; k++) ns += counts->n[rates[k]] * machine->ns[rates[k]];
    return 1e-9 * ns;
}

gb_Cost gb_cost_of(const gb_CostCase *s, gb_Way way) {
    static const gb_Rate plan[] = {GB_RATE_PLAN_ENTRY};
    static const gb_Rate size[] = {GB_RATE_SKETCH, GB_RATE_MERGE, GB_RATE_CALL_ESTIMATE,
                                   GB_RATE_SYMBOLIC, GB_RATE_SYMBOLIC_ENTRY};
    gb_Counts kernel, convert;
    const gb_MachineTable *machine = s->machine;
    gb_cost_count(&kernel, &convert, s, way);
    const double converting = gb_cost_converts(s->f, way) ? gb_cost_sum(&convert, machine) : 0.0;
    return (gb_Cost){.seconds = gb_cost_sum(&kernel, machine) + converting,
                     .plan = part(&kernel, machine, plan, 1),
                     .size = part(&kernel, machine, size, sizeof size / sizeof *size),
                     .convert = converting,
                     .bytes = bytes_of(s, way),
                     .slices = gb_cost_slices(s->f, machine, way)};
}

gb_Cost gb_cost_predict(const gb_Features *f, const gb_MachineTable *machine, gb_Way way) {
    gb_CostCase s;
    gb_cost_case(&s, f, machine);
    return gb_cost_of(&s, way);
}
