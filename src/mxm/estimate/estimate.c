/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_estimate: what a product would need. Flops are counted exactly, O(nnz(A)); entries of
 * C come from sampled rows, or from all rows where there are few.
 */
#include <math.h>

#include "core/arrays.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/estimate/estimate.h"
#include "mxm/plan/counts.h"
#include "mxm/plan/measure.h"
#include "mxm/model/ring.h"

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

/* Certain bounds: C has the entries of the longest row of B that each row of A meets, and at most
 * its products. */
static double least_entries(const gb_CsView *A, const gb_Off *Bp) {
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, gb_nthreads());
    Least least = {.A = A, .Bp = Bp};
    gb_parallel_ranges(threads, A->nmajor, add_longest, &least);
    return (double)least.sum;
}

static void fill(gbl_MxmEstimate *e, const gb_Analysis *a, const gb_Features *f, double least,
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
    gb_Analysis analysis;
    gb_CsView B;
    gbl_Info info = gb_acquire(call->B, gb_rows_of_b(call), &B);
    if (info == GBL_SUCCESS) info = gb_operands_look(&in, call);
    if (info == GBL_SUCCESS) info = gb_features_begin(&features, call, &in);
    if (info == GBL_SUCCESS) info = gb_count_flops(&features, &in, flops);
    gb_operands_release(&in);
    if (info != GBL_SUCCESS) return info;
    gb_analyse_flops(&analysis, call, &features);
    const double least = least_entries(A, B.p);
    if (least < analysis.upper_bound) info = gb_analyse_sample(&analysis, call, A, flops);
    if (info == GBL_SUCCESS) fill(e, &analysis, &features, least, call->ring->add->op->ztype->size);
    return info;
}

gbl_Info gb_mxm_estimate(gbl_MxmEstimate *e, const gb_MxmCall *asked) {
    gb_MxmCall host = *asked;
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
