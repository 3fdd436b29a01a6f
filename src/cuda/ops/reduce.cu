/* SPDX-License-Identifier: Apache-2.0
 *
 * All values of a matrix or vector to one, and the rows of a matrix to a dense vector, by a monoid
 * of one of its types. The monoid is a number, not a template: kernels wait for memory. Values are
 * read once. Lanes, warps and blocks join in a fixed order, so that floats come out the same from
 * run to run on the same device.
 *
 * A row is a warp's, one of more than GB_CUDA_LONG_FOLD entries a block's.
 */
#include "cuda/device/state.cuh"
#include "cuda/ops/entries.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/prim/sum.cuh"

template <class T>
__global__ void __launch_bounds__(GB_SUM_THREADS)
    gb_reduce_values(gb_Values entries, gb_Binary plus, gb_SumPart<T> *parts) {
    gb_Sum<T> sum = {T(), false};
    uint64_t counted = 0;
    GB_EACH_THREAD(k, entries.n) {
        if (!entries.has(k)) continue;
        sum.add(entries.at<T>(k), plus);
        counted++;
    }
    sum.join(plus);
    gb_sum_block(sum, gb_warp_sum(counted), plus, parts + blockIdx.x);
}

template <class T>
static void reduce_values(gb_Job *job, const gb_DeviceCs *A, gb_Binary plus, void *z) {
    enum { EACH = 16 }; /* values of a thread, before there are more blocks */
    const gb_Values entries = gb_values_of(A);
    const unsigned grid = gb_sum_grid(job, entries.n, (uint64_t)EACH * GB_SUM_THREADS);
    gb_SumPart<T> *parts = gb_job_new<gb_SumPart<T>>(job, grid), found = {};
    GB_START(job, gb_reduce_values<T>, grid, GB_SUM_THREADS, 0, entries, plus, parts);
    GB_START(job, (gb_sum_parts<T, gb_Binary>), 1, GB_WARP, 0, parts, grid, plus);
    gb_job_read(job, &found, parts, sizeof found);
    if (job->info == GBL_SUCCESS) memcpy(z, &found.value, sizeof found.value);
}

bool gb_cuda_reduces(gbl_Type_Code type, int op) {
    const bool any_type =
        op == GB_PLUS || op == GB_TIMES || op == GB_MIN || op == GB_MAX || op == GB_ANY;
    const bool of_bool = op == GB_LOR || op == GB_LAND || op == GB_LXOR;
    const bool is_reduced =
        gb_is_device_type(type) || type == GBL_UINT64_CODE || type == GBL_UINT32_CODE;
    return is_reduced && (any_type || (of_bool && type == GBL_BOOL_CODE));
}

gbl_Info gb_cuda_reduce(const gb_DeviceCs *A, gbl_Type_Code type, int op, void *z) {
    gb_Job job;
    gb_job_begin(&job);
    gb_by_reduced_type(
        &job, type, [&](auto value) { reduce_values<decltype(value)>(&job, A, gb_Binary{op}, z); });
    return gb_job_end(&job);
}

/* -- rows */

template <class T> struct gb_FoldedRows {
    const gb_Off *p;
    const T *x;
    uint64_t mask, m;
    T *z;          /* [m] */
    gb_Idx *longs; /* [m] rows that are left to blocks */
    unsigned *nlongs;
};

template <class T>
__global__ void __launch_bounds__(GB_SUM_THREADS) gb_fold_rows(gb_FoldedRows<T> R, gb_Binary plus) {
    GB_EACH_TEAM(r, R.m, GB_WARP) {
        const gb_Off from = R.p[r], n = R.p[r + 1] - from;
        gb_Sum<T> sum = {T(), false};
        if (n > GB_CUDA_LONG_FOLD) {
            if (gb_lane() == 0) R.longs[atomicAdd(R.nlongs, 1u)] = (gb_Idx)r;
            continue;
        }
        for (gb_Off e = gb_lane(); e < n; e += GB_WARP) sum.add(R.x[(from + e) & R.mask], plus);
        sum.join(plus);
        if (gb_lane() == 0 && n > 0) R.z[r] = sum.value;
    }
}

template <class T>
__global__ void __launch_bounds__(GB_SUM_THREADS) gb_fold_long(gb_FoldedRows<T> R, gb_Binary plus) {
    const unsigned n = *R.nlongs;
    GB_EACH_BLOCK(l, n) {
        const gb_Idx r = R.longs[l];
        const gb_Off end = R.p[r + (uint64_t)1];
        gb_Sum<T> sum = {T(), false};
        gb_SumPart<T> all; /* of thread 0 */
        for (gb_Off e = R.p[r] + threadIdx.x; e < end; e += blockDim.x)
            sum.add(R.x[e & R.mask], plus);
        sum.join(plus);
        gb_sum_block(sum, sum.has_value ? 1 : 0, plus, &all);
        if (threadIdx.x == 0) R.z[r] = all.value;
        __syncthreads(); /* the sums of its warps may be written again */
    }
}

/* The rows that have entries. */
__global__ void gb_mark_rows(const gb_Off *p, uint64_t m, gb_Kept kept) {
    GB_EACH_LANE(r, m) gb_keep(kept, m, r, r < m && p[r + 1] > p[r]);
}

template <class T>
static void fold_rows(gb_Job *job, const gb_DeviceCs *A, gb_Binary plus, gb_DeviceCs *w) {
    const uint64_t m = A->nmajor, most = A->nvals / GB_CUDA_LONG_FOLD + 1; /* long rows */
    const gb_Kept kept = gb_vector_fill(job, w, m, sizeof(T));
    const gb_FoldedRows<T> R = {A->p,
                                static_cast<const T *>(A->x),
                                A->iso ? 0 : UINT64_MAX,
                                m,
                                static_cast<T *>(w->x),
                                gb_job_new<gb_Idx>(job, most),
                                gb_job_zeros<unsigned>(job, 1)};
    GB_START(job, gb_fold_rows<T>, gb_grid(m, GB_SUM_WARPS), GB_SUM_THREADS, 0, R, plus);
    GB_START(job, gb_fold_long<T>, gb_sum_grid(job, most, 1), GB_SUM_THREADS, 0, R, plus);
    GB_START_THREADS(job, m, gb_mark_rows, A->p, m, kept);
    gb_vector_count(job, w);
}

gbl_Info gb_cuda_reduce_rows(const gb_DeviceCs *A, gbl_Type_Code type, int op, gb_DeviceCs **w) {
    gb_Job job;
    gb_DeviceCs made;
    gb_job_begin(&job);
    gb_by_reduced_type(
        &job, type, [&](auto value) { fold_rows<decltype(value)>(&job, A, gb_Binary{op}, &made); });
    gb_copies_keep(&job, &made, w);
    return gb_job_end(&job);
}
