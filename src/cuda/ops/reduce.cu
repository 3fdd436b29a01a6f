/* SPDX-License-Identifier: Apache-2.0
 *
 * All values of a matrix or vector that is there to one, by a monoid of one of its types. The
 * monoid is a number, not a template: memory is what is waited for. Cost: the values are read once.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"
#include "cuda/prim/sum.cuh"

/* entries.x: of T; mask: 0 where one value stands for all. */
template <class T>
__global__ void __launch_bounds__(GB_SUM_THREADS)
    gb_reduce_values(gb_Cells entries, uint64_t mask, gb_Binary plus, gb_SumPart<T> *parts) {
    const T *x = static_cast<const T *>(entries.x);
    gb_Sum<T> sum = {T(), false};
    uint64_t counted = 0;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < entries.n;
         k += (uint64_t)gridDim.x * blockDim.x) {
        if (!entries.has(k)) continue;
        sum.add(x[k & mask], plus);
        counted++;
    }
    sum.join(plus);
    gb_sum_block(sum, gb_warp_sum(counted), plus, parts + blockIdx.x);
}

template <class T>
static void reduce_values(gb_Job *job, const gb_DeviceCs *A, gb_Binary plus, void *z) {
    enum { EACH = 16 }; /* values of a thread, before there are more blocks */
    const gb_Cells entries = A->bits != NULL ? gb_cells_of(A) : gb_Cells{A->nvals, NULL, A->x};
    const unsigned grid = gb_sum_grid(job, entries.n, (uint64_t)EACH * GB_SUM_THREADS);
    gb_SumPart<T> *parts = gb_job_new<gb_SumPart<T>>(job, grid), found;
    memset(&found, 0, sizeof found);
    GB_START(job, gb_reduce_values<T>, grid, GB_SUM_THREADS, 0, entries, A->iso ? 0 : UINT64_MAX,
             plus, parts);
    GB_START(job, (gb_sum_parts<T, gb_Binary>), 1, GB_WARP, 0, parts, grid, plus);
    gb_job_read(job, &found, parts, sizeof found);
    if (job->info == GBL_SUCCESS) memcpy(z, &found.value, sizeof found.value);
}

bool gb_cuda_reduces(gbl_Type_Code type, int op) {
    const bool any_type =
        op == GB_PLUS || op == GB_TIMES || op == GB_MIN || op == GB_MAX || op == GB_ANY;
    switch (type) {
#define GB_CASE(N, T) case GBL_##N##_CODE:
        GB_FOREACH_DEVICE_NUMBER(GB_CASE)
#undef GB_CASE
        return any_type;
    case GBL_BOOL_CODE:
        return any_type || op == GB_LOR || op == GB_LAND || op == GB_LXOR;
    default:
        return false;
    }
}

gbl_Info gb_cuda_reduce(const gb_DeviceCs *A, gbl_Type_Code type, int op, void *z) {
    const gb_Binary plus = {op};
    gb_Job job;
    gb_job_begin(&job);
    switch (type) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        reduce_values<T>(&job, A, plus, z);                                                        \
        break;
        GB_FOREACH_DEVICE_NUMBER(GB_CASE)
#undef GB_CASE
    default:
        reduce_values<uint8_t>(&job, A, plus, z);
    }
    return gb_job_end(&job);
}
