/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments and statistics of kernels that read lists; see list_args.h.
 */
#include "mxm/methods/list_args.h"

#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/facts.h"
#include "mxm/model/ring.h"
#include "semiring/ids.h"

static bool is_all_true(const gb_TakenValues *of) {
    return of->iso ? *(const bool *)of->x : gb_is_all_true(of->X);
}

int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B) {
    const bool is_or = ring->kernel == GB_RING_LOR_LAND_BOOL;
    return is_or && is_all_true(&A) && is_all_true(&B) ? GB_RING_ANY_PAIR_BOOL : ring->kernel;
}

gb_MxmArgs gb_list_args(const gb_MxmRun *run, uint64_t work) {
    const gb_Semiring *ring = run->call->ring;
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    return (gb_MxmArgs){
        .A = *A,
        .B = *B,
        .M = run->in->mask.view,
        .Mb = run->in->mask_cells,
        .mask_kind = run->f->mask,
        .ring = gb_kernel_for(ring, (gb_TakenValues){run->in->A.X, A->x, A->iso},
                              (gb_TakenValues){run->in->B.X, B->x, B->iso}),
        .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
        .flops = run->in->flops,
        .allow = run->budget->allow,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, run->budget->cut.threads),
    };
}

const char *gb_list_avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)m, (void)call;
    return f->mask != GB_MASK_NONE ? "a mask spares rowwise more" : NULL;
}

void gb_list_stats(gbl_Explanation *why, const gb_MxmStats *stats) {
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
