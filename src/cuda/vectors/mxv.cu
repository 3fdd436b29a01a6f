/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of products with vectors on the device, and what push and pull are chosen by. The kernels:
 * vectors/mxv.cuh. A product waits for the device once, for the number of its entries, and push a
 * second time, for that of its edges.
 */
#include "cuda/prim/sum.cuh"
#include "cuda/vectors/mxv.cuh"

#include "cuda/rowwise/rowwise.cuh"
#include "cuda/device/state.cuh"

/* -- facts */

/* *total += lengths of R's columns k that the mask allows, of n; list, unless NULL, says which. */
__global__ void gb_mxv_count(const gb_Off *Ap, const gb_Idx *list, gb_VectorMask mask, uint64_t n,
                             unsigned long long *total) {
    uint64_t sum = 0;
    GB_EACH_THREAD(q, n) {
        const uint64_t k = list != NULL ? list[q] : q;
        if (mask.allows(k)) sum += Ap[k + 1] - Ap[k];
    }
    gb_block_add(total, sum);
}

/* By a grid that adds few times to its total. */
static void count(gb_Job *job, const gb_DeviceCs *R, const gb_Idx *list, const gb_DeviceMask &mask,
                  uint64_t n, unsigned long long *total) {
    GB_START(job, gb_mxv_count, gb_sum_grid(job, n, 4 * GB_THREADS), GB_THREADS, 0, R->p, list,
             gb_vector_mask(&mask), n, total);
}

gbl_Info gb_cuda_mxv_facts(const gb_DeviceMxvArgs *args, gb_DeviceMxvFacts *facts) {
    const gb_DeviceCs *u = args->u, *rows = args->by_rows, *columns = args->by_columns;
    const gb_DeviceMask of_u = {u, GBL_BOOL_CODE, true, false};
    unsigned long long found[2] = {0, 0};
    gb_Job job;
    gb_job_begin(&job);
    unsigned long long *total = gb_job_zeros<unsigned long long>(&job, 2);
    if (columns != NULL && u->i != NULL)
        count(&job, columns, u->i, gb_DeviceMask{}, u->nvals, total);
    else if (columns != NULL)
        count(&job, columns, NULL, of_u, u->nminor, total);
    if (rows != NULL && args->mask.M != NULL)
        count(&job, rows, NULL, args->mask, args->rows, total + 1);
    gb_job_read(&job, found, total, sizeof found);
    facts->products = found[0];
    facts->open = rows != NULL && args->mask.M == NULL ? rows->nvals : found[1];
    return gb_job_end(&job);
}

/* -- the product */

__global__ void gb_mxv_lengths(const gb_Off *Ap, const gb_Idx *list, uint64_t n, uint64_t *edges) {
    GB_EACH_THREAD(q, n) edges[q] = Ap[list[q] + (uint64_t)1] - Ap[list[q]];
}

/* u as a sparse vector, and its edges. */
static void list_edges(gb_Job *job, gb_MxvCall *c, gb_DeviceCs *u) {
    gb_vector_list(job, u);
    uint64_t *edges = gb_job_new<uint64_t>(job, u->nvals + 1);
    GB_START_THREADS(job, u->nvals, gb_mxv_lengths, c->Ap, u->i, u->nvals, edges);
    gb_device_scan(job, edges, edges, u->nvals);
    gb_job_read(job, &c->nedges, edges + u->nvals, sizeof c->nedges);
    c->list = u->i;
    c->nlist = u->nvals;
    c->edges = edges;
}

static void push(gb_Job *job, gb_MxvCall *c, const gb_MxvRun &run, gb_DeviceCs *u) {
    list_edges(job, c, u);
    c->listed = gb_job_new<gb_Idx>(job, c->nedges < c->rows ? c->nedges : c->rows);
    if (job->info == GBL_SUCCESS && c->nedges > 0) run.push(job, *c);
}

static void pull(gb_Job *job, gb_MxvCall *c, const gb_PullKernels &run, const gb_DeviceCs *A) {
    const uint64_t most = A->nvals / (GB_CUDA_PULL_LONG + 1u);
    c->listed = gb_job_new<gb_Idx>(job, most);
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, run.rows(gb_grid(gb_bit_words(c->rows), GB_WARPS), job->stream, *c),
                     "pull");
    if (most == 0) return;
    const unsigned blocks = gb_sum_grid(job, most, 1);
    void *parts = gb_job_bytes(job, blocks, run.part_bytes);
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, run.long_rows(blocks, job->stream, *c, parts), "pull");
    gb_job_drop(job, parts);
}

static gb_MxvCall call_of(const gb_DeviceMxvArgs *args, const gb_DeviceCs *A,
                          const gb_DeviceCs *w) {
    gb_MxvCall c = {};
    c.Ap = A->p;
    c.Ai = A->i;
    c.Ax = A->x;
    c.amask = A->iso ? 0 : UINT64_MAX;
    c.u = gb_values_of(args->u);
    c.mask = gb_vector_mask(&args->mask);
    c.u_is_left = args->u_is_left;
    c.rows = args->rows;
    c.bits = w->bits;
    c.x = w->x;
    return c;
}

gbl_Info gb_mxv_multiply(const gb_DeviceMxvArgs *args, const gb_MxvRun &run, size_t bytes,
                         gb_DeviceCs **T) {
    const gb_DeviceCs *A = args->push ? args->by_columns : args->by_rows;
    unsigned long long found = 0;
    gb_DeviceCs w = {};
    gb_Job job;
    gb_job_begin(&job);
    gb_vector_new(&job, &w, args->rows, bytes, args->push);
    gb_MxvCall c = call_of(args, A, &w);
    c.count = gb_job_zeros<unsigned long long>(&job, 2);
    if (args->push)
        push(&job, &c, run, args->u);
    else
        pull(&job, &c, run.pull, A);
    gb_job_read(&job, &found, c.count, sizeof found);
    w.nvals = found;
    if (args->push && found > 0 && found <= args->rows / GB_CUDA_LISTED_BELOW) w.i = c.listed;
    gb_copies_keep(&job, &w, T);
    return gb_job_end(&job);
}
