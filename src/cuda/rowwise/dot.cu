/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT, whose kernel is in rowwise/dot.cuh: products are stored at the positions of the mask's
 * entries; then C is those that exist. Of a folded product one warp adds the partial sums of
 * blocks, so the order of a sum depends on the number of multiprocessors alone.
 *
 * Rows may be a slice: entries of the mask are counted from its first one on.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/rowwise/dot.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/device/state.cuh"

struct gb_DotProduct {
    gb_Job &job;
    gb_Factors F;
    gb_DotOut out;
    const gb_DeviceCs *mask;
    uint64_t pieces;
    gb_DeviceFold *fold;
    gb_DeviceCs C;
};

/* As many warps as there are rows, and blocks as pieces. */
static uint64_t gb_dot_warps(const gb_DotProduct *P) {
    return P->F.m > P->pieces * GB_SUM_WARPS ? P->F.m : P->pieces * GB_SUM_WARPS;
}

template <class Ring> static void gb_fold_dots(gb_DotProduct *P) {
    typedef typename Ring::Value Value;
    gb_Job *job = &P->job;
    const unsigned grid = gb_sum_grid(job, gb_dot_warps(P), GB_SUM_WARPS);
    gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, grid), found = {};
    P->out.parts = parts;
    GB_START(job, gb_dot_rows<Ring>, grid, GB_SUM_THREADS, 0, P->F, P->pieces, P->out);
    GB_START(job, (gb_sum_parts<Value, gb_RingPlus<Ring>>), 1, GB_WARP, 0, parts, grid,
             gb_RingPlus<Ring>());
    gb_job_read(job, &found, parts, sizeof found);
    memcpy(P->fold->value, &found.value, sizeof found.value);
    P->fold->nvals = found.n;
}

static void store_dots(gb_DotProduct *P, gb_DotLaunch launch, size_t bytes) {
    gb_Job *job = &P->job;
    gb_DeviceCs found = *P->mask;
    found.xsize = bytes;
    found.iso = false;
    P->out.x = found.x = gb_job_bytes(job, found.nvals, bytes);
    P->out.found = gb_job_new<uint8_t>(job, found.nvals);
    const unsigned grid = gb_grid(gb_dot_warps(P), GB_SUM_WARPS);
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, launch(grid, job->stream, P->F, P->pieces, P->out), "inner products");
    const gb_Kept kept = gb_kept_new(job, found.nvals);
    gb_kept_marked(job, P->out.found, found.nvals, &kept);
    gb_kept_take(job, &found, &kept, 0, &P->C);
}

static bool run_ring(gb_DotProduct *P, int ring) {
#define GB_CASE(name, add, multiply, type)                                                         \
    case GB_RING_##name:                                                                           \
        P->fold != NULL ? gb_fold_dots<gb_ring_##name>(P)                                          \
                        : store_dots(P, gb_dot_launch<gb_ring_##name>,                             \
                                     sizeof(typename gb_ring_##name::Value));                      \
        return true;
    switch (ring) {
        GB_FOREACH_RING(GB_CASE)
    default:
        return false;
    }
#undef GB_CASE
}

static void begin(gb_DotProduct *P, const gb_DeviceMxmArgs *args) {
    P->F = gb_factors_of(args);
    P->F.n = args->B->nmajor; /* by columns */
    P->F.mask_kind = GB_MASK_INSIDE;
    P->mask = args->M;
    P->pieces = gb_dot_pieces(args->M->nvals);
    P->fold = args->fold;
}

void gb_dot_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, const gb_DotKernel *own,
                     gb_DeviceCs *C) {
    const unsigned before = job->nblocks;
    gb_DotProduct P = {*job, {}, {}, NULL, 0, NULL, {}};
    begin(&P, args);
    gb_job_stage(job, GB_STAGE_NUMERIC);
    if (own != NULL)
        store_dots(&P, own->launch, own->bytes);
    else if (job->info == GBL_SUCCESS && !run_ring(&P, args->ring))
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    *C = P.C;
    gb_job_drop_but(job, before, C);
}
