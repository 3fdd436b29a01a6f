/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the outer product on the device (PB-SpGEMM, IPDPS '20): products are counted for every
 * entry of A, which gives each its place; entries of A are listed by columns; products are made
 * column after column, sorted bin by bin, and those of an entry of C added in order.
 *
 * A product takes 8 bytes and its value while C is made; those of long bins 24 bytes more.
 */
#include "cuda/entries.cuh"
#include "cuda/mxm_rowwise.cuh"
#include "cuda/outer.cuh"
#include "cuda/prim_device.cuh"
#include "cuda/state.cuh"

enum { THREADS = 256 };

/* -- places */

/* length[e]: products of entry e of A; count[k]: entries of column k. */
__global__ void gb_outer_lengths(gb_Factors F, uint64_t entries, uint64_t *length,
                                 unsigned long long *count) {
    const gb_Off first = F.Ap[0];
    for (uint64_t e = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; e < entries;
         e += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Idx k = F.Ai[first + e];
        length[e] = F.Bp[k + (uint64_t)1] - F.Bp[k];
        atomicAdd(&count[k], 1ull);
    }
}

/* row[i]: number of the first product of row i. */
__global__ void gb_outer_rows(gb_Factors F, const uint64_t *start, uint64_t *row) {
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i <= F.m;
         i += (uint64_t)gridDim.x * blockDim.x)
        row[i] = start[F.Ap[i] - F.Ap[0]];
}

/* at[k] moves to the end of column k. */
__global__ void gb_outer_list(gb_Factors F, uint64_t entries, unsigned long long *at,
                              gb_Idx *entry) {
    const gb_Off first = F.Ap[0];
    for (uint64_t e = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; e < entries;
         e += (uint64_t)gridDim.x * blockDim.x)
        entry[atomicAdd(&at[F.Ai[first + e]], 1ull)] = (gb_Idx)e;
}

__global__ void gb_outer_made(gb_Factors F, uint64_t entries, const gb_Idx *entry, uint64_t *made) {
    const gb_Off first = F.Ap[0];
    for (uint64_t l = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; l < entries;
         l += (uint64_t)gridDim.x * blockDim.x) {
        const gb_Idx k = F.Ai[first + entry[l]];
        made[l] = F.Bp[k + (uint64_t)1] - F.Bp[k];
    }
}

/* Where every product goes, and the order in which they are made. */
static void find_places(gb_Job *job, gb_OuterCall *c, uint64_t columns) {
    const gb_Factors &F = c->F;
    const unsigned grid = gb_grid(c->entries, THREADS);
    uint64_t *start = gb_job_new<uint64_t>(job, c->entries + 1);
    uint64_t *made = gb_job_new<uint64_t>(job, c->entries + 1);
    uint64_t *row = gb_job_new<uint64_t>(job, F.m + 1);
    gb_Idx *entry = gb_job_new<gb_Idx>(job, c->entries);
    unsigned long long *at = gb_job_new<unsigned long long>(job, columns + 1);
    gb_job_zero(job, at, columns * sizeof *at);
    GB_START(job, gb_outer_lengths, grid, THREADS, 0, F, c->entries, start, at);
    gb_device_scan(job, start, start, c->entries);
    GB_START(job, gb_outer_rows, gb_grid(F.m + 1, THREADS), THREADS, 0, F, start, row);
    uint64_t *begin = reinterpret_cast<uint64_t *>(at);
    gb_device_scan(job, begin, begin, columns);
    GB_START(job, gb_outer_list, grid, THREADS, 0, F, c->entries, at, entry);
    GB_START(job, gb_outer_made, grid, THREADS, 0, F, c->entries, entry, made);
    gb_device_scan(job, made, made, c->entries);
    gb_job_read(job, &c->products, start + c->entries, sizeof c->products);
    gb_job_drop(job, at);
    c->start = start;
    c->made = made;
    c->row = row;
    c->entry = entry;
}

/* -- the product */

static gb_OuterRun run_of_ring(int ring) {
    gb_OuterRun run = gb_outer_fp64(ring);
    if (run.expand == NULL) run = gb_outer_fp32(ring);
    if (run.expand == NULL) run = gb_outer_int64(ring);
    if (run.expand == NULL) run = gb_outer_int32(ring);
    return run.expand != NULL ? run : gb_outer_bool(ring);
}

static void sort_products(gb_Job *job, const gb_OuterRun &run, gb_OuterCall *c, size_t xsize) {
    gb_job_stage(job, GB_STAGE_NUMERIC);
    c->column = gb_job_new<gb_Idx>(job, c->products);
    c->x = gb_job_bytes(job, c->products, xsize);
    if (job->info == GBL_SUCCESS) run.expand(job, *c);
    gb_job_stage(job, GB_STAGE_SORT);
    c->order = gb_job_new<unsigned>(job, c->products);
    c->count = gb_job_new<uint64_t>(job, c->F.m + 1);
    gb_job_zero(job, c->count, c->F.m * sizeof *c->count);
    gb_outer_sort(job, *c);
}

static void add_products(gb_Job *job, const gb_OuterRun &run, gb_OuterCall *c, gb_DeviceCs *C) {
    gb_job_stage(job, GB_STAGE_COMPACT);
    C->p = gb_job_new<gb_Off>(job, c->F.m + 1);
    gb_device_scan(job, c->count, C->p, c->F.m);
    gb_job_read(job, &C->nvals, C->p + c->F.m, sizeof C->nvals);
    C->i = gb_job_new<gb_Idx>(job, C->nvals);
    C->x = gb_job_bytes(job, C->nvals, C->xsize);
    c->p = C->p;
    c->i = C->i;
    c->values = C->x;
    if (job->info == GBL_SUCCESS) run.compress(job, *c);
}

void gb_outer_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                       gb_DeviceMxmStats *stats) {
    const unsigned before = job->nblocks;
    const gb_OuterRun run = run_of_ring(args->ring);
    gb_OuterCall c;
    memset(&c, 0, sizeof c);
    memset(C, 0, sizeof *C);
    memset(stats, 0, sizeof *stats);
    c.F = gb_factors_of(args);
    c.entries = args->A->nvals;
    C->nmajor = c.F.m;
    C->nminor = c.F.n;
    C->xsize = gb_bytes_of_ring(args->ring);
    if (run.expand == NULL)
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this semiring"));
    if (job->info == GBL_SUCCESS && c.entries > UINT32_MAX) {
        gb_job_fail(job, gb_fail(GBL_OUT_OF_MEMORY, "the left factor has too many entries for an "
                                                    "outer product on the GPU"));
        job->no_room = true; /* slices have fewer */
    }
    gb_job_stage(job, GB_STAGE_ANALYSIS);
    if (job->info == GBL_SUCCESS) find_places(job, &c, args->A->nminor);
    if (job->info == GBL_SUCCESS && c.products > GB_OUTER_PLACE) {
        gb_job_fail(job, gb_fail(GBL_OUT_OF_MEMORY, "%llu products are too many to sort on the GPU",
                                 (unsigned long long)c.products));
        job->no_room = true; /* slices have fewer */
    }
    if (job->info == GBL_SUCCESS) sort_products(job, run, &c, C->xsize);
    if (job->info == GBL_SUCCESS) add_products(job, run, &c, C);
    stats->products = c.products;
    stats->nvals = C->nvals;
    gb_job_drop_but(job, before, C);
}

gbl_Info gb_cuda_mxm_outer(const gb_DeviceMxmArgs *args, gb_DeviceCs **T,
                           gb_DeviceMxmStats *stats) {
    gb_Job job;
    gb_DeviceCs C;
    double seconds[GB_STAGES];
    *T = NULL;
    gb_job_begin(&job);
    gb_outer_multiply(&job, args, &C, stats);
    gb_job_seconds(&job, seconds, NULL, 0);
    stats->seconds_analysis = seconds[GB_STAGE_ANALYSIS];
    stats->seconds_numeric = seconds[GB_STAGE_NUMERIC];
    stats->rows.seconds_sort = seconds[GB_STAGE_SORT];
    stats->rows.seconds_compact = seconds[GB_STAGE_COMPACT];
    gb_prune(&job, args->filter, &C);
    stats->nvals = C.nvals;
    stats->no_room = job.no_room;
    gb_copies_keep(&job, &C, T);
    return gb_job_end(&job);
}
