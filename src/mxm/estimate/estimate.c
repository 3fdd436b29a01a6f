/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_estimate: what a product would need (Ocean, ICS '26, sections 3.2 and 4.3). Flops are
 * counted exactly, O(nnz(A)); entries of C come from sketches of sampled rows, or of all rows where
 * there are few.
 */
#include "mxm/mxm.h"

#include "core/context.h"
#include "core/hll.h"
#include "mxm/plan/plan.h"

enum { GB_SKETCH_SHARE = 4 }; /* of the memory for workspace */

typedef struct {
    double expansion;   /* flops per entry of A (ER) */
    double upper_bound; /* entries of C: sum of min(flops, columns) over the rows */
    unsigned registers; /* of the sketches to use */
    /* from sampled rows; sampled is 0 when no row was looked at */
    uint64_t sampled;
    double compression;       /* flops per entry of C (CR) */
    double compression_error; /* relative; exceeded in at most 1 of 20 cases (Chebyshev) */
} Analysis;

/* O(m): what the counts of flops say. */
static void analyse_flops(Analysis *a, const gb_MxmCall *call, const gb_Features *f) {
    const double expansion = (double)f->flops / (double)f->A.nvals;
    const unsigned asked = (unsigned)call->choices.registers;
    *a = (Analysis){.expansion = expansion,
                    .upper_bound = (double)f->rows.upper_bound,
                    .registers = asked != 0 ? asked : gb_registers(expansion)};
}

/* One row from each of `count` equal parts of the rows, at a position that depends on the part's
 * number only: sampling is deterministic. */
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
static void weigh_sample(Analysis *a, const uint64_t *rows, const float *size,
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

/* Sizes of the sampled rows, from the sketches of B: existing ones; new ones; or, where the rows
 * select fewer entries than B has, or sketches would take more than their share of the memory,
 * without any. All three give the same numbers. */
static gbl_Info sample_sizes(gb_SketchArgs *args, const gb_MxmCall *call, const uint64_t *flops) {
    const gb_Format format = call->transpose_b ? GB_CSC : GB_CSR;
    uint64_t sampled_flops = 0;
    gb_CsView B;
    gbl_Info info = gb_acquire(call->B, format, &B);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t s = 0; s < args->count; s++)
        sampled_flops += flops[args->rows[s] + 1] - flops[args->rows[s]];
    args->sketch = gb_sketch_at_hand(call->B, format, args->registers);
    if (args->sketch == NULL && sampled_flops >= B.nvals &&
        B.nmajor <= gb_workspace_budget() / GB_SKETCH_SHARE / args->registers)
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

/* Samples rows of A; makes the sketches of B if none exist. O(nnz(B)) once, then O(samples). */
static gbl_Info analyse_sample(Analysis *a, const gb_MxmCall *call, const gb_CsView *A,
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

typedef struct {
    const gb_CsView *A;
    const gb_Off *Bp;
    uint64_t sum; /* atomic */
} Least;

static void add_longest(void *context, uint64_t from, uint64_t to) {
    Least *least = context;
    const gb_CsView *A = least->A;
    uint64_t sum = 0;
    for (uint64_t i = from; i < to; i++) {
        uint64_t longest = 0;
        for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) {
            const uint64_t length = least->Bp[A->i[p] + 1] - least->Bp[A->i[p]];
            if (length > longest) longest = length;
        }
        sum += longest;
    }
    __atomic_add_fetch(&least->sum, sum, __ATOMIC_RELAXED);
}

/* Bounds: each row of C has at least the entries of the longest row of B that A's row selects, and
 * at most its products. */
static double least_entries(const gb_CsView *A, const gb_Off *Bp) {
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, gb_nthreads());
    Least least = {.A = A, .Bp = Bp};
    gb_parallel_ranges(threads, A->nmajor, add_longest, &least);
    return (double)least.sum;
}

static void fill(gbl_MxmEstimate *e, const Analysis *a, const gb_Features *f, double least,
                 size_t zsize) {
    const double entry = (double)(sizeof(gb_Idx) + zsize);
    double nvals = a->sampled > 0 ? (double)f->flops / a->compression : a->upper_bound;
    nvals = fmin(fmax(nvals, least), a->upper_bound);
    *e = (gbl_MxmEstimate){
        .nrows = f->m,
        .ncols = f->n,
        .flops = f->flops,
        .nvals = nvals,
        .nvals_error = least == a->upper_bound ? 0.0 : a->compression_error,
        .nvals_least = least,
        .nvals_most = a->upper_bound,
        .expansion_ratio = a->expansion,
        .compression_ratio = nvals > 0.0 ? (double)f->flops / nvals : 0.0,
        .bytes = nvals * entry + (double)(f->m + 1) * sizeof(gb_Off),
        .bytes_workspace =
            (double)gb_nthreads() * fmin((double)f->n, a->upper_bound) * (entry + 1.0),
        .registers = (int32_t)a->registers,
        .rows_sampled = a->sampled,
    };
}

static gbl_Info estimate(gbl_MxmEstimate *e, const gb_MxmCall *call, const gb_CsView *A,
                         uint64_t *flops) {
    gb_Operands in = {0};
    gb_Features features;
    Analysis analysis;
    gb_CsView B;
    gbl_Info info = gb_acquire(call->B, gb_rows_of_b(call), &B);
    if (info == GBL_SUCCESS) info = gb_operands_look(&in, call);
    if (info == GBL_SUCCESS) info = gb_features_begin(&features, call, &in);
    if (info == GBL_SUCCESS) info = gb_count_flops(&features, &in, flops);
    gb_operands_release(&in);
    if (info != GBL_SUCCESS) return info;
    analyse_flops(&analysis, call, &features);
    const double least = least_entries(A, B.p);
    if (least < analysis.upper_bound) info = analyse_sample(&analysis, call, A, flops);
    if (info == GBL_SUCCESS) fill(e, &analysis, &features, least, call->ring->add->op->ztype->size);
    return info;
}

gbl_Info gb_mxm_estimate(const void *asked) {
    gb_MxmCall host = ((const gb_MxmEstimateCall *)asked)->mxm;
    gbl_MxmEstimate *const e = ((const gb_MxmEstimateCall *)asked)->estimate;
    const gb_MxmCall *call = &host;
    host.choices.place = GBL_PLACE_CPU; /* wherever the product will run */
    gb_CsView A;
    uint64_t nnz_a, nnz_b;
    gbl_Info info = gb_check_inner(call);
    if (info == GBL_SUCCESS) info = gb_ring_check(call->ring, call->A->type, call->B->type);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->A, &nnz_a);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->B, &nnz_b);
    if (info != GBL_SUCCESS) return info;
    if (nnz_a == 0 || nnz_b == 0) {
        const uint64_t m = gb_nmajor(call->A, gb_rows_of_a(call));
        const uint64_t n = gb_nminor(call->B, gb_rows_of_b(call));
        *e = (gbl_MxmEstimate){.nrows = m, .ncols = n};
        return GBL_SUCCESS;
    }
    info = gb_acquire(call->A, gb_rows_of_a(call), &A);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = (A.nmajor + 1) * sizeof(uint64_t);
    uint64_t *flops = gb_malloc(bytes);
    if (flops == NULL) return gb_fail_memory(bytes);
    info = estimate(e, call, &A, flops);
    gb_free(flops, bytes);
    return info;
}
