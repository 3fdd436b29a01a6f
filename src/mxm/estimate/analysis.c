/* SPDX-License-Identifier: Apache-2.0
 *
 * What a product will be like: from the counts of flops, and from sketches of sampled rows
 * (Ocean, ICS '26, sections 3.2 and 4.3).
 */
#include <math.h>

#include "core/arrays.h"
#include "core/context.h"
#include "core/hll.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "mxm/plan/measure.h"
#include "mxm/estimate/estimate.h"

void gb_analyse_flops(gb_Analysis *a, const gb_MxmCall *call, const gb_Features *f) {
    const double expansion = (double)f->flops / (double)f->A.nvals;
    const unsigned asked = (unsigned)call->choices.registers;
    *a = (gb_Analysis){.expansion = expansion,
                       .upper_bound = (double)f->rows.upper_bound,
                       .registers = asked != 0 ? asked : gb_registers(expansion)};
}

/* One row from each of `count` equal parts of the rows, at a place that only the number of the part
 * decides, so that the same product is always sampled in the same way. */
static void choose_rows(uint64_t *rows, uint64_t count, uint64_t m) {
    for (uint64_t s = 0; s < count; s++) {
        const uint64_t from = gb_part(m, s, count), to = gb_part(m, s + 1, count);
        rows[s] = from + gb_hll_hash((uint32_t)s) % (to - from);
    }
}

/* Compression ratio as a ratio of sums, and the error that Chebyshev's inequality allows it.
 * Relative variance: sampling (residuals of the ratio, less when most rows are sampled), the sketch
 * of each row, and the part of the sketches' error that rows share because they share columns: a
 * column of one row is in another with about the probability sum(e^2) / (sum(e) n). */
static void weigh_sample(gb_Analysis *a, const uint64_t *rows, const float *size,
                         const uint64_t *flops, uint64_t m, uint64_t n) {
    double f_sum = 0.0, e_sum = 0.0, e_squares = 0.0, residual = 0.0;
    const double count = (double)a->sampled;
    for (uint64_t s = 0; s < a->sampled; s++) {
        f_sum += (double)(flops[rows[s] + 1] - flops[rows[s]]);
        e_sum += (double)size[s];
        e_squares += (double)size[s] * (double)size[s];
    }
    if (e_sum <= 0.0) { /* only empty rows were sampled: nothing learnt */
        a->sampled = 0;
        return;
    }
    a->compression = f_sum / e_sum;
    for (uint64_t s = 0; s < a->sampled; s++) {
        const double expected = (double)(flops[rows[s] + 1] - flops[rows[s]]) / a->compression;
        residual += ((double)size[s] - expected) * ((double)size[s] - expected);
    }
    const double error = gb_hll_error(a->registers), mean = e_sum / count;
    const double unsampled = 1.0 - count / (double)m;
    const double variance =
        unsampled * residual / count / (mean * mean) / count +
        error * error * (e_squares / (e_sum * e_sum) + e_squares / (e_sum * (double)n));
    a->compression_error = sqrt(GB_CHEBYSHEV * variance);
}

/* Sizes of the sampled rows, from the sketches of B: those at hand; those made for it; or, where
 * the rows meet fewer entries than B has, without any. All three give the same numbers. */
static gbl_Info sample_sizes(gb_SketchArgs *args, const gb_MxmCall *call, const uint64_t *flops) {
    const gb_Format format = call->transpose_b ? GB_CSC : GB_CSR;
    uint64_t sampled_flops = 0;
    gb_CsView B;
    gbl_Info info = gb_acquire(call->B, format, &B);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t s = 0; s < args->count; s++)
        sampled_flops += flops[args->rows[s] + 1] - flops[args->rows[s]];
    args->sketch = gb_sketch_at_hand(call->B, format, args->registers);
    if (args->sketch == NULL && sampled_flops >= B.nvals)
        info = gb_sketch_get(&args->sketch, call->B, format, args->registers);
    if (info != GBL_SUCCESS) return info;
    args->Bp = B.p;
    args->Bi = B.i;
    args->ncols = B.nminor;
    args->nthreads = gb_threads_for(args->sketch == NULL ? sampled_flops : args->A.nvals / 32,
                                    GB_GRAIN, gb_nthreads());
    gb_backend()->sketch_sizes(args);
    return GBL_SUCCESS;
}

gbl_Info gb_analyse_sample(gb_Analysis *a, const gb_MxmCall *call, const gb_CsView *A,
                           const uint64_t *flops) {
    uint64_t count = (uint64_t)((double)A->nmajor * GB_SAMPLE_SHARE);
    if (count < GB_SAMPLE_LEAST) count = GB_SAMPLE_LEAST;
    if (count > GB_SAMPLE_MOST) count = GB_SAMPLE_MOST;
    if (count > A->nmajor) count = A->nmajor;
    uint64_t *rows = gb_malloc(count * sizeof *rows);
    float *size = gb_malloc(count * sizeof *size);
    gbl_Info info = GBL_SUCCESS;
    if (rows == NULL || size == NULL) {
        info = gb_fail_memory(count * (sizeof *rows + sizeof *size));
    } else {
        gb_SketchArgs args = {
            .A = *A, .registers = a->registers, .rows = rows, .count = count, .size = size};
        choose_rows(rows, count, A->nmajor);
        info = sample_sizes(&args, call, flops);
        if (info == GBL_SUCCESS) {
            a->sampled = count;
            weigh_sample(a, rows, size, flops, A->nmajor, args.ncols);
        }
    }
    gb_free(rows, count * sizeof *rows);
    gb_free(size, count * sizeof *size);
    return info;
}
