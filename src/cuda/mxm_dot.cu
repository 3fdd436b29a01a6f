/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT: an inner product for each entry of the mask (dot.cuh). A warp does the entries of a row of
 * the mask, a block those of a long one. Products lie beside the entries of the mask until their
 * number is known; then rows move to C without those that met nothing. Where the product is folded,
 * nothing is stored: blocks leave a partial sum each, which one warp adds up, so that the order of
 * a sum depends on the number of multiprocessors alone.
 */
#include "cuda/dot.cuh"
#include "cuda/prim_device.cuh"
#include "cuda/state.cuh"

enum { THREADS = GB_SUM_THREADS, WARPS = GB_SUM_WARPS };
#define LONG ((uint64_t)GB_CUDA_SHARE) /* entries of a row of the mask that a block does */

struct gb_DotOut {
    void *x;         /* [entries of the mask] products, ... */
    uint8_t *met;    /* ... and whether there is one */
    uint64_t *count; /* [m + 1] of each row, cleared */
    void *parts;     /* [blocks] gb_SumPart; NULL: the product is stored */
};

/* Entries of the mask's row from `at` on in steps, by a warp. */
template <class Ring>
static __device__ __forceinline__ void
gb_dot_entries(const gb_Factors &F, const gb_DotRow &row, uint64_t m, uint64_t at, unsigned step,
               const gb_DotOut &out, gb_Sum<typename Ring::Value> &folded, uint64_t &nfolded) {
    uint64_t n = 0;
    for (const gb_Off to = F.Mp[m + 1]; at < to; at += step) {
        const gb_Idx j = F.Mi[at];
        gb_DotPair<Ring> pair = {
            F, row, F.Ap[m], F.Bp[j], F.Bp[j + (uint64_t)1], {Ring::zero(), false}};
        if (pair.q < pair.end && row.n > 0) pair.run();
        n += pair.sum.met;
        if (out.parts != NULL) {
            if (pair.sum.met) folded.add(pair.sum.value, gb_RingPlus<Ring>());
        } else if (gb_lane() == 0) {
            static_cast<typename Ring::Value *>(out.x)[at] = pair.sum.value;
            out.met[at] = pair.sum.met;
        }
    }
    nfolded += n;
    if (out.parts == NULL && gb_lane() == 0 && n > 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(&out.count[m]), (unsigned long long)n);
}

static __device__ __forceinline__ gb_DotRow gb_dot_row(const gb_Factors &F, uint64_t m,
                                                       unsigned slots, gb_shared<unsigned> words,
                                                       gb_shared<unsigned> places) {
    const gb_Off from = F.Ap[m];
    return gb_DotRow{F.Ai + from, F.Ap[m + 1] - from, 0, 0, GB_DOT_LIST, slots, words, places};
}

template <class Ring>
__global__ void __launch_bounds__(THREADS) gb_dot_rows(gb_Factors F, gb_DotOut out) {
    enum { SLOTS = GB_CUDA_DOT_WORDS / WARPS };
    GB_SHARED_ARRAY(unsigned, words, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, places, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    GB_SHARED_ARRAY(unsigned, nlong, 1);
    GB_SHARED_ARRAY(gb_Idx, longs, WARPS);
    const unsigned warp = threadIdx.x / GB_WARP;
    gb_Sum<typename Ring::Value> folded = {Ring::zero(), false};
    uint64_t nfolded = 0;
    for (uint64_t base = (uint64_t)blockIdx.x * WARPS; base < F.m;
         base += (uint64_t)gridDim.x * WARPS) {
        const uint64_t m = base + warp;
        const gb_Off from = m < F.m ? F.Mp[m] : 0, to = m < F.m ? F.Mp[m + 1] : 0;
        __syncthreads(); /* the last rows' words may be used again */
        if (threadIdx.x == 0) nlong[0] = 0u;
        __syncthreads();
        if (to - from > LONG) {
            if (gb_lane() == 0) longs[atomicAdd(&nlong[0], 1u)] = (gb_Idx)m;
        } else if (from < to) {
            gb_DotRow row = gb_dot_row(F, m, SLOTS, words + warp * SLOTS, places + warp * SLOTS);
            if (to - from > 1) gb_dot_ready(row, gb_WarpTeam());
            gb_dot_entries<Ring>(F, row, m, from, 1, out, folded, nfolded);
        }
        __syncthreads();
        const unsigned n = nlong[0];
        for (unsigned h = 0; h < n; h++) {
            const uint64_t k = longs[h];
            gb_DotRow row = gb_dot_row(F, k, GB_CUDA_DOT_WORDS, words + 0, places + 0);
            __syncthreads(); /* warps are done with the row before */
            gb_dot_ready(row, gb_BlockTeam{scratch + 0});
            gb_dot_entries<Ring>(F, row, k, F.Mp[k] + warp, WARPS, out, folded, nfolded);
        }
    }
    if (out.parts != NULL)
        gb_sum_block(folded, nfolded, gb_RingPlus<Ring>(),
                     static_cast<gb_SumPart<typename Ring::Value> *>(out.parts) + blockIdx.x);
}

/* Rows of the mask to C, without entries that met nothing; a warp a row. */
__global__ void gb_dot_place(gb_Factors F, gb_DotOut out, gb_DeviceCs C) {
    const uint64_t step = (uint64_t)gridDim.x * WARPS;
    for (uint64_t m = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP; m < F.m; m += step) {
        gb_Off place = C.p[m];
        for (gb_Off at = F.Mp[m]; at < F.Mp[m + 1]; at += GB_WARP) {
            const gb_Off e = at + gb_lane();
            const bool keeps = e < F.Mp[m + 1] && out.met[e] != 0;
            const unsigned kept = __ballot_sync(GB_ALL_LANES, keeps);
            const gb_Off to = place + (unsigned)__popc(kept & ((1u << gb_lane()) - 1));
            place += (unsigned)__popc(kept);
            if (!keeps) continue;
            C.i[to] = F.Mi[e];
            if (C.xsize == 8)
                static_cast<uint64_t *>(C.x)[to] = static_cast<const uint64_t *>(out.x)[e];
            else if (C.xsize == 4)
                static_cast<uint32_t *>(C.x)[to] = static_cast<const uint32_t *>(out.x)[e];
            else
                static_cast<uint8_t *>(C.x)[to] = static_cast<const uint8_t *>(out.x)[e];
        }
    }
}

/* -- the call */

struct gb_DotProduct {
    gb_Job job;
    gb_Factors F;
    gb_DotOut out;
    uint64_t mask_entries;
    gb_DeviceFold *fold;
    gb_DeviceCs C;
};

template <class Ring> static void gb_fold_dots(gb_DotProduct *P) {
    typedef typename Ring::Value Value;
    gb_Job *job = &P->job;
    const unsigned grid = gb_sum_grid(job, P->F.m, WARPS);
    gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, grid), found;
    P->out.parts = parts;
    GB_START(job, gb_dot_rows<Ring>, grid, THREADS, 0, P->F, P->out);
    GB_START(job, (gb_sum_parts<Value, gb_RingPlus<Ring>>), 1, GB_WARP, 0, parts, grid,
             gb_RingPlus<Ring>());
    memset(&found, 0, sizeof found);
    gb_job_read(job, &found, parts, sizeof found);
    memcpy(P->fold->value, &found.value, sizeof found.value);
    P->fold->nvals = found.n;
}

template <class Ring> static void gb_store_dots(gb_DotProduct *P) {
    gb_Job *job = &P->job;
    gb_DeviceCs *C = &P->C;
    C->xsize = sizeof(typename Ring::Value);
    P->out.x = gb_job_bytes(job, P->mask_entries, C->xsize);
    P->out.met = gb_job_new<uint8_t>(job, P->mask_entries);
    C->p = gb_job_new<uint64_t>(job, P->F.m + 1);
    gb_job_zero(job, C->p, (P->F.m + 1) * sizeof *C->p);
    P->out.count = C->p;
    GB_START(job, gb_dot_rows<Ring>, gb_grid(P->F.m, WARPS), THREADS, 0, P->F, P->out);
    gb_device_scan(job, C->p, C->p, P->F.m);
    gb_job_read(job, &C->nvals, C->p + P->F.m, sizeof C->nvals);
    C->i = gb_job_new<gb_Idx>(job, C->nvals);
    C->x = gb_job_bytes(job, C->nvals, C->xsize);
    GB_START(job, gb_dot_place, gb_grid(P->F.m, WARPS), THREADS, 0, P->F, P->out, *C);
}

static bool run_ring(gb_DotProduct *P, int ring) {
#define GB_CASE(name, add, multiply, type)                                                         \
    case GB_RING_##name:                                                                           \
        P->fold != NULL ? gb_fold_dots<gb_ring_##name>(P) : gb_store_dots<gb_ring_##name>(P);      \
        return true;
    switch (ring) {
        GB_FOREACH_RING(GB_CASE)
    default:
        return false;
    }
#undef GB_CASE
}

static void begin(gb_DotProduct *P, const gb_DeviceMxmArgs *args) {
    const gb_DeviceCs *A = args->A, *B = args->B, *M = args->M;
    gb_Factors *F = &P->F;
    F->Ap = A->p;
    F->Ai = A->i;
    F->Ax = A->x;
    F->amask = A->iso ? 0 : UINT64_MAX;
    F->Bp = B->p;
    F->Bi = B->i;
    F->Bx = B->x;
    F->bmask = B->iso ? 0 : UINT64_MAX;
    F->m = A->nmajor;
    F->n = B->nmajor;
    F->mask_kind = GB_MASK_INSIDE;
    F->Mp = M->p;
    F->Mi = M->i;
    P->mask_entries = M->nvals;
    P->fold = args->fold;
    P->C.nmajor = F->m;
    P->C.nminor = F->n;
}

gbl_Info gb_cuda_mxm_dot(const gb_DeviceMxmArgs *args, gb_DeviceCs **T, gb_DeviceMxmStats *stats) {
    gb_DotProduct P;
    double seconds[GB_STAGES];
    memset(&P, 0, sizeof P);
    memset(stats, 0, sizeof *stats);
    *T = NULL;
    gb_job_begin(&P.job);
    begin(&P, args);
    gb_job_stage(&P.job, GB_STAGE_NUMERIC);
    if (P.job.info == GBL_SUCCESS && !run_ring(&P, args->ring))
        gb_job_fail(&P.job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    gb_job_seconds(&P.job, seconds, NULL, 0);
    stats->seconds_numeric = seconds[GB_STAGE_NUMERIC];
    stats->no_room = P.job.no_room;
    stats->nvals = P.fold != NULL ? P.fold->nvals : P.C.nvals;
    if (P.fold == NULL) gb_copies_keep(&P.job, &P.C, T);
    return gb_job_end(&P.job);
}
