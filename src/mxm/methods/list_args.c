/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of kernels that read lists; see list_args.h.
 */
#include "mxm/methods/list_args.h"

#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/ring.h"

gb_MxmArgs gb_list_args(const gb_MxmRun *run, uint64_t work) {
    const gb_Semiring *ring = run->call->ring;
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    return (gb_MxmArgs){
        .A = *A,
        .B = *B,
        .M = run->in->mask.view,
        .Mb = run->in->mask_cells,
        .mask_kind = run->f->mask,
        .ring = gb_ring_kernel(ring, A, B),
        .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
        .flops = run->in->flops,
        .allow = run->budget->allow,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, run->budget->cut.threads),
    };
}
