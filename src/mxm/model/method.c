/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments and statistics of kernels that read CSR and CSC, and C from slices of rows; see
 * method.h.
 */
#include "mxm/model/method.h"

static bool is_all_true(const gb_TakenValues *of) {
    return of->iso ? *(const bool *)of->x : gb_is_all_true(of->X);
}

int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B) {
    const bool is_or = ring->kernel == GB_RING_LOR_LAND_BOOL;
    return is_or && is_all_true(&A) && is_all_true(&B) ? GB_RING_ANY_PAIR_BOOL : ring->kernel;
}

gb_MxmArgs gb_sparse_args(const gb_MxmRun *run, uint64_t work) {
    const gb_Semiring *ring = run->call->ring;
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    return (gb_MxmArgs){
        .A = *A,
        .B = *B,
        .M = run->in->mask.view,
        .Mb = run->in->mask_bitmap,
        .mask_kind = run->f->mask,
        .ring = gb_kernel_for(ring, (gb_TakenValues){run->in->A.X, A->x, A->iso},
                              (gb_TakenValues){run->in->B.X, B->x, B->iso}),
        .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
        .flops = run->in->flops,
        .allow = run->budget->allow,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, run->budget->cut.threads),
    };
}

void gb_report_stats(gbl_Explanation *why, const gb_MxmStats *stats) {
    why->rows_copied = stats->copied;
    why->rows_sorted = stats->sorted;
    why->rows_hashed = stats->hashed;
    why->rows_dense = stats->dense;
    why->rows_bits = stats->by_bits;
    why->rows_overflowed = stats->overflowed;
    why->hubs_bits = stats->hubs_bits;
    why->slices = stats->slices;
    why->bins = stats->bins;
    why->bytes_expanded = stats->bytes_expanded;
    why->seconds_symbolic = stats->seconds_symbolic;
    why->seconds_expand = stats->seconds_expand;
    why->seconds_compact = stats->seconds_compact;
    why->seconds_sort = stats->seconds_sort;
}

/* -- C from slices ----------------------------------------------------------------------------- */

gbl_Info gb_slices_begin(gb_SlicedRows *s, uint64_t nmajor) {
    const gbl_Info info = gb_cs_alloc(s->C, nmajor, 0, 0);
    if (info != GBL_SUCCESS) {
        *s->C = (gb_Cs){0};
        return info;
    }
    s->rows = 0;
    s->C->p[0] = 0;
    s->C->sorted = true;
    return GBL_SUCCESS;
}

/* Capacity in C for n entries, and for those expected of the remaining work. */
static gbl_Info grow(gb_SlicedRows *s, uint64_t n, double share) {
    const double expected = (double)n / (share > 0.01 ? share : 0.01);
    const double bytes = (double)n * (double)(s->size + sizeof(gb_Idx));
    if (n <= s->C->icap) return GBL_SUCCESS;
    const gbl_Info info = gb_allow_result(s->allow, bytes, share > 0.01 ? share : 0.01);
    if (info != GBL_SUCCESS) return info;
    const uint64_t capacity = s->exact || expected <= (double)n ? n : (uint64_t)expected + 1;
    return gb_cs_resize(s->C, capacity, s->C->nvals, s->size);
}

gbl_Info gb_slices_add(gb_SlicedRows *s, const gb_CsView *part, double share) {
    gb_Cs *C = s->C;
    if (part->nvals > 0) C->iso = part->iso;
    const gbl_Info info = grow(s, C->nvals + part->nvals, share);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t r = 0; r < part->nmajor; r++)
        C->p[s->rows + r + 1] = C->nvals + (part->p[r + 1] - part->p[0]);
    s->rows += part->nmajor;
    if (part->nvals > 0) {
        char *to = (char *)C->x + (C->iso ? 0 : C->nvals * s->size);
        memcpy(C->i + C->nvals, part->i, part->nvals * sizeof *C->i);
        memcpy(to, part->x, (C->iso ? 1 : part->nvals) * s->size);
    }
    C->nvals += part->nvals;
    return GBL_SUCCESS;
}

gbl_Info gb_slices_end(gb_SlicedRows *s, gbl_Info info) {
    gb_Cs *C = s->C;
    if (info == GBL_SUCCESS && (double)C->icap > GB_SLACK_MAX * (double)C->nvals && C->nvals > 0)
        info = gb_cs_resize(C, C->nvals, C->nvals, s->size);
    if (info != GBL_SUCCESS) gb_cs_free(C);
    return info;
}
