/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT: an inner product for each entry of the mask (rowwise/dot.cuh). A warp computes a row of the
 * mask, a block a long one; rows of more than GB_CUDA_DOT_PIECE entries are cut at multiples of
 * that, a block a piece. Products are stored at the positions of the mask's entries until they are
 * counted; then rows are compacted into C. A folded product is not stored: blocks leave partial
 * sums, which one warp adds, so the order of a sum depends on the number of multiprocessors alone.
 *
 * Rows may be a slice: entries of the mask are counted from its first one on.
 */
#include "cuda/rowwise/dot.cuh"
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/device/state.cuh"

enum { THREADS = GB_SUM_THREADS, WARPS = GB_SUM_WARPS };
#define LONG ((uint64_t)GB_CUDA_SHARE) /* entries of a row of the mask that a block does */
#define PIECE ((uint64_t)GB_CUDA_DOT_PIECE)

struct gb_DotOut {
    void *x;         /* [entries of the mask] products, ... */
    uint8_t *found;  /* ... and whether it exists */
    uint64_t *count; /* [m + 1] of each row, cleared */
    unsigned *kept;  /* [2 * pieces] of each piece, and of what is before it in its row; cleared */
    void *parts;     /* [blocks] gb_SumPart; NULL: the product is stored */
};

/* Entries [at, to) of row m of the mask. */
struct gb_DotPart {
    uint64_t m;
    gb_Off at, to;
    unsigned *kept; /* counts per entry, in addition to the row's; or NULL */
};

/* A row, or of one that is cut what is before the first cut. */
GB_DEVICE gb_DotPart gb_dot_head(const gb_Factors &F, const gb_DotOut &out, uint64_t m) {
    const gb_Off from = F.Mp[m], to = F.Mp[m + 1], first = F.Mp[0];
    const uint64_t piece = (from - first) / PIECE + 1;
    if (to - from <= PIECE) return gb_DotPart{m, from, to, NULL};
    return gb_DotPart{m, from, first + piece * PIECE, out.kept + (2 * piece + 1)};
}

/* Piece number p; empty where it cuts no row. */
GB_DEVICE gb_DotPart gb_dot_piece(const gb_Factors &F, const gb_DotOut &out, uint64_t p) {
    const gb_Off at = F.Mp[0] + p * PIECE;
    const uint64_t low = gb_interval_of(F.Mp, 0, F.m, at); /* the row of entry `at` */
    const gb_Off from = F.Mp[low], to = F.Mp[low + 1];
    const bool cut = from < at && to - from > PIECE;
    return gb_DotPart{low, at, !cut ? at : to - at < PIECE ? to : at + PIECE, out.kept + 2 * p};
}

GB_HOST_DEVICE uint64_t gb_dot_pieces(uint64_t entries) {
    return entries / PIECE + (entries % PIECE != 0);
}

/* What a thread has folded. */
template <class Value> struct gb_DotFolded {
    gb_Sum<Value> sum;
    uint64_t n;
};

/* Every step-th entry of a part, by a warp: its lanes fetch 32 columns of B at once. */
template <class Ring>
GB_DEVICE void gb_dot_entries(const gb_Factors &F, const gb_DotRow &row, const gb_DotPart &part,
                              unsigned step, const gb_DotOut &out,
                              gb_DotFolded<typename Ring::Value> &folded) {
    const gb_Off first = F.Mp[0];
    const uint64_t m = part.m;
    gb_Off begin = 0;
    gb_Idx length = 0; /* of the lane's column */
    unsigned n = 0, turn = 0;
    for (gb_Off at = part.at; at < part.to; at += step, turn = (turn + 1) % GB_WARP) {
        const gb_Off mine = at + (gb_Off)step * gb_lane();
        if (turn == 0 && mine < part.to) {
            const uint64_t j = F.Mi[mine];
            begin = F.Bp[j];
            length = (gb_Idx)(F.Bp[j + 1] - begin);
        }
        const gb_Off q = __shfl_sync(GB_ALL_LANES, begin, (int)turn);
        const gb_Idx columns = __shfl_sync(GB_ALL_LANES, length, (int)turn);
        gb_DotPair<Ring> pair = {F, row, F.Ap[m], q, q + columns, {Ring::zero(), false}};
        if (columns > 0 && row.n > 0) pair.run();
        n += pair.sum.has_value;
        if (out.parts != NULL) {
            if (pair.sum.has_value) folded.sum.add(pair.sum.value, gb_RingPlus<Ring>());
        } else if (gb_lane() == 0) {
            static_cast<typename Ring::Value *>(out.x)[at - first] = pair.sum.value;
            out.found[at - first] = pair.sum.has_value;
        }
    }
    folded.n += n;
    if (out.parts != NULL || gb_lane() != 0 || n == 0) return;
    atomicAdd(reinterpret_cast<unsigned long long *>(&out.count[m]), (unsigned long long)n);
    if (part.kept != NULL) atomicAdd(part.kept, n);
}

GB_DEVICE gb_DotRow gb_dot_row(const gb_Factors &F, uint64_t m, unsigned slots,
                               gb_shared<unsigned> words, gb_shared<unsigned> places) {
    const gb_Off from = F.Ap[m];
    return gb_DotRow{F.Ai + from, F.Ap[m + 1] - from, 0, 0, GB_DOT_LIST, slots, {words, places, 0}};
}

/* Memory of a block in which rows are made ready. */
struct gb_DotSpace {
    gb_shared<unsigned> words, places, scratch;
};

/* A part, by the block. */
template <class Ring>
GB_DEVICE void gb_dot_by_block(const gb_Factors &F, gb_DotPart part, const gb_DotSpace &space,
                               const gb_DotOut &out, gb_DotFolded<typename Ring::Value> &folded) {
    gb_DotRow row = gb_dot_row(F, part.m, GB_CUDA_DOT_WORDS, space.words, space.places);
    __syncthreads(); /* warps are done with the row before */
    gb_dot_ready(row, gb_BlockTeam{space.scratch});
    part.at += threadIdx.x / GB_WARP;
    gb_dot_entries<Ring>(F, row, part, WARPS, out, folded);
}

/* Rows of the mask, and of those that are cut what is before the first cut. */
template <class Ring>
GB_DEVICE void gb_dot_all_rows(const gb_Factors &F, const gb_DotSpace &space, const gb_DotOut &out,
                               gb_DotFolded<typename Ring::Value> &folded) {
    enum { SLOTS = GB_CUDA_DOT_WORDS / WARPS };
    GB_SHARED_ARRAY(unsigned, longs, 1); /* a bit a warp: sums are formed in the order of rows */
    const unsigned warp = threadIdx.x / GB_WARP;
    for (uint64_t base = (uint64_t)blockIdx.x * WARPS; base < F.m;
         base += (uint64_t)gridDim.x * WARPS) {
        const uint64_t m = base + warp;
        const gb_Off from = m < F.m ? F.Mp[m] : 0, to = m < F.m ? F.Mp[m + 1] : 0;
        __syncthreads(); /* the last rows' words may be used again */
        if (threadIdx.x == 0) longs[0] = 0u;
        __syncthreads();
        if (to - from > LONG) {
            if (gb_lane() == 0) atomicOr(&longs[0], 1u << warp);
        } else if (from < to) {
            gb_DotRow row =
                gb_dot_row(F, m, SLOTS, space.words + warp * SLOTS, space.places + warp * SLOTS);
            if (to - from > 1) gb_dot_ready(row, gb_WarpTeam());
            gb_dot_entries<Ring>(F, row, gb_DotPart{m, from, to, NULL}, 1, out, folded);
        }
        __syncthreads();
        for (unsigned rest = longs[0]; rest != 0; rest &= rest - 1) {
            const uint64_t row = base + (unsigned)__ffs((int)rest) - 1;
            gb_dot_by_block<Ring>(F, gb_dot_head(F, out, row), space, out, folded);
        }
    }
}

template <class Ring>
__global__ void __launch_bounds__(THREADS)
    gb_dot_rows(gb_Factors F, uint64_t pieces, gb_DotOut out) {
    GB_SHARED_ARRAY(unsigned, words, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, places, GB_CUDA_DOT_WORDS);
    GB_SHARED_ARRAY(unsigned, scratch, GB_WARP + 1);
    const gb_DotSpace space = {words + 0, places + 0, scratch + 0};
    gb_DotFolded<typename Ring::Value> folded = {{Ring::zero(), false}, 0};
    gb_dot_all_rows<Ring>(F, space, out, folded);
    for (uint64_t p = 1 + (uint64_t)blockIdx.x; p < pieces; p += gridDim.x) {
        const gb_DotPart part = gb_dot_piece(F, out, p);
        if (part.at < part.to) gb_dot_by_block<Ring>(F, part, space, out, folded);
    }
    if (out.parts != NULL)
        gb_sum_block(folded.sum, folded.n, gb_RingPlus<Ring>(),
                     static_cast<gb_SumPart<typename Ring::Value> *>(out.parts) + blockIdx.x);
}

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
 * with n entries in the mask read n^2 / (2 PIECE^2) counters: one an entry where n is 8 million. */
GB_DEVICE gb_Off gb_dot_place_of(const gb_Factors &F, const gb_DotOut &out, uint64_t m, uint64_t p,
                                 const gb_DeviceCs &C) {
    const uint64_t head = (F.Mp[m] - F.Mp[0]) / PIECE + 1;
    gb_Off before = gb_lane() == 0 ? out.kept[2 * head + 1] : 0;
    for (uint64_t q = head + gb_lane(); q < p; q += GB_WARP) before += out.kept[2 * q];
    return C.p[m] + gb_warp_sum(before);
}

__global__ void gb_dot_place(gb_Factors F, uint64_t pieces, gb_DotOut out, gb_DeviceCs C) {
    const uint64_t warp = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP;
    const uint64_t step = (uint64_t)gridDim.x * WARPS;
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
    return P->F.m > P->pieces * WARPS ? P->F.m : P->pieces * WARPS;
}

template <class Ring> static void gb_fold_dots(gb_DotProduct *P) {
    typedef typename Ring::Value Value;
    gb_Job *job = &P->job;
    const unsigned grid = gb_sum_grid(job, gb_dot_warps(P), WARPS);
    gb_SumPart<Value> *parts = gb_job_new<gb_SumPart<Value>>(job, grid), found;
    P->out.parts = parts;
    GB_START(job, gb_dot_rows<Ring>, grid, THREADS, 0, P->F, P->pieces, P->out);
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
    P->out.found = gb_job_new<uint8_t>(job, P->mask_entries);
    C->p = gb_job_zeros<uint64_t>(job, P->F.m + 1);
    P->out.count = C->p;
    if (P->pieces > 1) /* else no row is cut */
        P->out.kept = gb_job_zeros<unsigned>(job, 2 * (P->pieces + 1));
    const unsigned grid = gb_grid(gb_dot_warps(P), WARPS);
    GB_START(job, gb_dot_rows<Ring>, grid, THREADS, 0, P->F, P->pieces, P->out);
    gb_device_scan(job, C->p, C->p, P->F.m);
    gb_job_read(job, &C->nvals, C->p + P->F.m, sizeof C->nvals);
    C->i = gb_job_new<gb_Idx>(job, C->nvals);
    C->x = gb_job_bytes(job, C->nvals, C->xsize);
    GB_START(job, gb_dot_place, grid, THREADS, 0, P->F, P->pieces, P->out, *C);
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
    P->F = gb_factors_of(args);
    P->F.n = args->B->nmajor; /* by columns */
    P->F.mask_kind = GB_MASK_INSIDE;
    P->mask_entries = args->M->nvals;
    P->pieces = gb_dot_pieces(args->M->nvals);
    P->fold = args->fold;
    P->C.nmajor = P->F.m;
    P->C.nminor = P->F.n;
}

void gb_dot_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C) {
    const unsigned before = job->nblocks;
    gb_DotProduct P = {*job, {}, {}, 0, 0, NULL, {}};
    begin(&P, args);
    gb_job_stage(job, GB_STAGE_NUMERIC);
    if (job->info == GBL_SUCCESS && !run_ring(&P, args->ring))
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    *C = P.C;
    gb_job_drop_but(job, before, C);
}
