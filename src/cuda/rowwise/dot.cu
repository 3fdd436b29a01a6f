/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT, whose kernel is in rowwise/dot.cuh: products are stored at the positions of the mask's
 * entries until they are counted; then rows are compacted into C. Of a folded product one warp adds
 * the partial sums of blocks, so the order of a sum depends on the number of multiprocessors alone.
 *
 * Rows may be a slice: entries of the mask are counted from its first one on.
 */
#include "cuda/rowwise/dot.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/device/state.cuh"

/* Compacts the entries of a part to C from position `place` on; by a warp. */
GB_DEVICE void gb_dot_move(const gb_Factors &F, const gb_DotOut &out, const gb_DotPart &part,
                           gb_Off place, const gb_DeviceCs &C) {
    const gb_Off first = F.Mp[0];
    for (gb_Off at = part.at; at < part.to; at += GB_WARP) {
        const gb_Off e = at + gb_lane(), from = e - first;
        const bool keeps = e < part.to && out.found[from] != 0;
        const unsigned kept = __ballot_sync(GB_ALL_LANES, keeps);
        const gb_Off to = place + (unsigned)__popc(kept & ((1u << gb_lane()) - 1));
        place += (unsigned)__popc(kept);
        if (!keeps) continue;
        C.i[to] = F.Mi[e];
        gb_move_value(C.x, to, out.x, from, C.xsize);
    }
}

/* Where piece p of row m begins in C. Cost: the pieces before it in its row, so that all of a row
 * with n entries in the mask read n^2 / (2 GB_DOT_PIECE^2) counters: one an entry where n is 8
 * million. */
GB_DEVICE gb_Off gb_dot_place_of(const gb_Factors &F, const gb_DotOut &out, uint64_t m, uint64_t p,
                                 const gb_DeviceCs &C) {
    const uint64_t head = (F.Mp[m] - F.Mp[0]) / GB_DOT_PIECE + 1;
    gb_Off before = gb_lane() == 0 ? out.kept[2 * head + 1] : 0;
    for (uint64_t q = head + gb_lane(); q < p; q += GB_WARP) before += out.kept[2 * q];
    return C.p[m] + gb_warp_sum(before);
}

__global__ void gb_dot_place(gb_Factors F, uint64_t pieces, gb_DotOut out, gb_DeviceCs C) {
    const uint64_t warp = (uint64_t)blockIdx.x * GB_SUM_WARPS + threadIdx.x / GB_WARP;
    const uint64_t step = (uint64_t)gridDim.x * GB_SUM_WARPS;
    for (uint64_t m = warp; m < F.m; m += step)
        gb_dot_move(F, out, gb_dot_head(F, out, m), C.p[m], C);
    for (uint64_t p = 1 + warp; p < pieces; p += step) {
        const gb_DotPart part = gb_dot_piece(F, out, p);
        if (part.at < part.to) gb_dot_move(F, out, part, gb_dot_place_of(F, out, part.m, p, C), C);
    }
}

/* -- the call */

struct gb_DotProduct {
    gb_Job &job;
    gb_Factors F;
    gb_DotOut out;
    uint64_t mask_entries, pieces;
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
    gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, grid), found;
    P->out.parts = parts;
    GB_START(job, gb_dot_rows<Ring>, grid, GB_SUM_THREADS, 0, P->F, P->pieces, P->out);
    GB_START(job, (gb_sum_parts<Value, gb_RingPlus<Ring>>), 1, GB_WARP, 0, parts, grid,
             gb_RingPlus<Ring>());
    memset(&found, 0, sizeof found);
    gb_job_read(job, &found, parts, sizeof found);
    memcpy(P->fold->value, &found.value, sizeof found.value);
    P->fold->nvals = found.n;
}

static void store_dots(gb_DotProduct *P, gb_DotLaunch launch, size_t bytes) {
    gb_Job *job = &P->job;
    gb_DeviceCs *C = &P->C;
    C->xsize = bytes;
    P->out.x = gb_job_bytes(job, P->mask_entries, C->xsize);
    P->out.found = gb_job_new<uint8_t>(job, P->mask_entries);
    C->p = gb_job_zeros<uint64_t>(job, P->F.m + 1);
    P->out.count = C->p;
    if (P->pieces > 1) /* else no row is cut */
        P->out.kept = gb_job_zeros<unsigned>(job, 2 * (P->pieces + 1));
    const unsigned grid = gb_grid(gb_dot_warps(P), GB_SUM_WARPS);
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, launch(grid, job->stream, P->F, P->pieces, P->out), "inner products");
    gb_device_scan(job, C->p, C->p, P->F.m);
    gb_job_read(job, &C->nvals, C->p + P->F.m, sizeof C->nvals);
    C->i = gb_job_new<gb_Idx>(job, C->nvals);
    C->x = gb_job_bytes(job, C->nvals, C->xsize);
    GB_START(job, gb_dot_place, grid, GB_SUM_THREADS, 0, P->F, P->pieces, P->out, *C);
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
    P->mask_entries = args->M->nvals;
    P->pieces = gb_dot_pieces(args->M->nvals);
    P->fold = args->fold;
    P->C.nmajor = P->F.m;
    P->C.nminor = P->F.n;
}

void gb_dot_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, const gb_DotKernel *own,
                     gb_DeviceCs *C) {
    const unsigned before = job->nblocks;
    gb_DotProduct P = {*job, {}, {}, 0, 0, NULL, {}};
    begin(&P, args);
    gb_job_stage(job, GB_STAGE_NUMERIC);
    if (own != NULL)
        store_dots(&P, own->launch, own->bytes);
    else if (job->info == GBL_SUCCESS && !run_ring(&P, args->ring))
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    *C = P.C;
    gb_job_drop_but(job, before, C);
}
