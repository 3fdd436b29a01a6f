/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a product: O(nnz(A) + nnz(M)) reads of row lengths, no conversion. When op(B) exists
 * by columns only, the lengths of its rows are counted, O(nnz(B)). Products are not counted when a
 * mask makes inner products so cheap that no count could change the choice.
 */
#include "mxm/mxm.h"

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/cost_table.h"
#include "semiring/ids.h"

static bool exists(const gb_Matrix *A, gb_Format format) {
    return (gb_has(A) & gb_has_bit(format)) != 0;
}

/* flops[i + 1] = products of row i, from the pointers of B's rows. */
static void count_products(const gb_CsView *A, const gb_Off *Bp, uint64_t *flops) {
    const int parts = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, gb_nthreads());
    GB_PARALLEL_FOR(parts)
    for (int t = 0; t < parts; t++) {
        const uint64_t from = gb_part(A->nmajor, (uint64_t)t, (uint64_t)parts);
        const uint64_t to = gb_part(A->nmajor, (uint64_t)t + 1, (uint64_t)parts);
        for (uint64_t i = from; i < to; i++) {
            uint64_t f = 0;
            for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) f += Bp[A->i[p] + 1] - Bp[A->i[p]];
            flops[i + 1] = f;
        }
    }
    flops[0] = 0;
    for (uint64_t i = 0; i < A->nmajor; i++) flops[i + 1] += flops[i];
}

/* Pointers of the rows of a matrix that is held by columns. */
static gbl_Info count_rows(gb_Off **pointers, const gb_CsView *columns) {
    const uint64_t rows = columns->nminor;
    gb_Off *p = gb_calloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory(NULL, (rows + 1) * sizeof *p);
    for (uint64_t q = 0; q < columns->nvals; q++) p[columns->i[q] + 1]++;
    for (uint64_t r = 0; r < rows; r++) p[r + 1] += p[r];
    *pointers = p;
    return GBL_SUCCESS;
}

static uint64_t scan_work(const gb_CsView *M, const gb_CsView *columns) {
    uint64_t work = 0;
    for (uint64_t q = 0; q < M->nvals; q++) {
        const gb_Idx j = M->i[q];
        work += columns->p[j + 1] - columns->p[j];
    }
    return work;
}

/* Row pointers of op(B), from its rows or counted from its columns, then the products. */
static gbl_Info count_flops(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                            uint64_t *flops) {
    const gb_Format rows = call->transpose_b ? GB_CSC : GB_CSR;
    gb_CsView B;
    gb_Off *counted = NULL;
    gbl_Info info = gb_need(call->B, f->b_by_rows ? rows : 1 - rows, &B);
    if (info == GBL_SUCCESS && !f->b_by_rows) info = count_rows(&counted, &B);
    if (info != GBL_SUCCESS) return info;
    count_products(A, counted != NULL ? counted : B.p, flops);
    gb_free(counted, (f->k + 1) * sizeof *counted);
    f->flops = flops[f->m];
    f->flops_counted = true;
    return GBL_SUCCESS;
}

/* The lengths of the columns that the mask asks for; without columns the mean stands for each. */
static gbl_Info count_scans(gb_Features *f, const gb_MxmCall *call, const gb_CsView *mask) {
    gb_CsView B;
    f->dot_work = f->nnz_m * (f->nnz_b / (f->n + 1) + 1);
    if (!f->b_by_columns) return GBL_SUCCESS;
    const gbl_Info info = gb_need(call->B, call->transpose_b ? GB_CSR : GB_CSC, &B);
    if (info == GBL_SUCCESS) f->dot_work = scan_work(mask, &B);
    return info;
}

bool gb_may_tile(const gb_MxmCall *call) {
    if (call->choices.workflow != GBL_DEFAULT || call->choices.accumulators != 0) return false;
    const bool inside = call->mask.M != NULL && !call->mask.complement;
    return !inside && call->accum == NULL && call->ring->kernel != GB_RING_GENERIC;
}

double gb_tiled_fill(const gb_MxmCall *call) {
    switch (call->ring->kernel) {
    case GB_RING_ANY_PAIR_BOOL:
    case GB_RING_LOR_LAND_BOOL:
    case GB_RING_PLUS_PAIR_FP64:
    case GB_RING_PLUS_PAIR_INT64:
    case GB_RING_PLUS_PAIR_INT32:
        return GB_TILED_FILL_MASKS;
    default:
        return GB_TILED_FILL;
    }
}

static gbl_Info find_fill(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A) {
    gb_CsView B;
    f->fill = gb_tile_fill(A);
    f->fill_least = gb_tiled_fill(call);
    if (f->fill < f->fill_least) return GBL_SUCCESS;
    const gbl_Info info = gb_need(call->B, call->transpose_b ? GB_CSC : GB_CSR, &B);
    if (info != GBL_SUCCESS) return info;
    const double fill = gb_tile_fill(&B);
    if (fill < f->fill) f->fill = fill;
    return GBL_SUCCESS;
}

/* The outer product is for large ones that were not asked to be computed in a certain way; without
 * mask, since masks spare rowwise more. */
static bool may_expand(const gb_Features *f, const gb_MxmCall *call) {
    const gb_Choices *c = &call->choices;
    if (c->method != GBL_DEFAULT || c->workflow != GBL_DEFAULT || c->accumulators != 0)
        return false;
    const double least = exists(call->A, call->transpose_a ? GB_CSR : GB_CSC)
                             ? 0.0
                             : GB_OUTER_EXPANSION * (double)f->nnz_a;
    return call->mask.M == NULL && f->b_by_rows && f->flops_counted &&
           (double)f->flops >= GB_OUTER_PRODUCTS && (double)f->flops >= least &&
           (double)f->nnz_b >= GB_OUTER_ENTRIES;
}

static gbl_Info find_compression(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                                 const uint64_t *flops) {
    gb_CsView B;
    const gbl_Info info = gb_need(call->B, call->transpose_b ? GB_CSC : GB_CSR, &B);
    if (info == GBL_SUCCESS) f->compression = gb_sample_compression(A, &B, flops);
    return info;
}

gbl_Info gb_features_get(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                         const gb_CsView *mask, uint64_t *flops) {
    const gb_Format rows = call->transpose_b ? GB_CSC : GB_CSR;
    *f = (gb_Features){.m = A->nmajor,
                       .k = A->nminor,
                       .n = gb_nminor(call->B, rows),
                       .nnz_a = A->nvals,
                       .nnz_b = call->B->nvals,
                       .nnz_m = mask != NULL ? mask->nvals : 0,
                       .dot_work = UINT64_MAX,
                       .b_by_rows = exists(call->B, rows),
                       .b_by_columns = exists(call->B, 1 - rows)};
    f->flops = (uint64_t)((double)f->nnz_a * (double)f->nnz_b / ((double)f->k + 1.0));
    gbl_Info info = GBL_SUCCESS;
    if (mask != NULL && !call->mask.complement) info = count_scans(f, call, mask);
    if (info == GBL_SUCCESS && call->choices.method == GBL_DEFAULT && f->b_by_rows &&
        (double)f->flops >= GB_TILED_PRODUCTS && gb_may_tile(call))
        info = find_fill(f, call, A);
    const gbl_Desc_Value method = call->choices.method;
    const bool clear = (method == GBL_DEFAULT || method == GBL_METHOD_DOT) && gb_plan_is_clear(f);
    if (info == GBL_SUCCESS && !clear) info = count_flops(f, call, A, flops);
    if (info == GBL_SUCCESS && may_expand(f, call)) info = find_compression(f, call, A, flops);
    return info;
}
