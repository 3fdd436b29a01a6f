/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a matrix folded to a vector of cells (vectors/vector.cuh). A row is a warp's, one of
 * more than GB_CUDA_LONG_FOLD entries a block's; lanes, warps and the values of a lane are joined
 * in a fixed order, so that floats come out the same from run to run. Cost: the values are read
 * once, and 8 bytes an offset.
 */
#include "cuda/vectors/vector.cuh"
#include "cuda/prim/operators.cuh"
#include "cuda/device/state.cuh"
#include "cuda/prim/sum.cuh"

enum { WARPS = GB_SUM_WARPS };

template <class T> struct gb_FoldedRows {
    const gb_Off *p;
    const T *x;
    uint64_t mask, m;
    T *z;           /* [m] */
    uint32_t *bits; /* of the rows that have entries */
    gb_Idx *longs;  /* [m] rows that are left to blocks */
    unsigned *nlongs;
    unsigned long long *found; /* rows that have entries */
};

template <class T>
__global__ void __launch_bounds__(GB_SUM_THREADS) gb_fold_rows(gb_FoldedRows<T> R, gb_Binary plus) {
    for (uint64_t r = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP; r < R.m;
         r += (uint64_t)gridDim.x * WARPS) {
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
    for (unsigned l = blockIdx.x; l < n; l += gridDim.x) {
        const gb_Idx r = R.longs[l];
        const gb_Off end = R.p[r + (uint64_t)1];
        gb_Sum<T> sum = {T(), false};
        gb_SumPart<T> all; /* of thread 0 */
        for (gb_Off e = R.p[r] + threadIdx.x; e < end; e += blockDim.x)
            sum.add(R.x[e & R.mask], plus);
        sum.join(plus);
        gb_sum_block(sum, sum.met ? 1 : 0, plus, &all);
        if (threadIdx.x == 0) R.z[r] = all.value;
        __syncthreads(); /* the sums of its warps may be written again */
    }
}

template <class T> __global__ void gb_mark_rows(gb_FoldedRows<T> R) {
    for (uint64_t r = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; r - gb_lane() < R.m;
         r += (uint64_t)gridDim.x * blockDim.x) {
        const bool has = r < R.m && R.p[r + 1] > R.p[r];
        const unsigned word = __ballot_sync(GB_ALL_LANES, has);
        if (gb_lane() == 0) R.bits[r / GB_WARP] = word;
        gb_count_cells(R.found, (uint64_t)__popc(word));
    }
}

template <class T>
static void fold_rows(gb_Job *job, const gb_DeviceCs *A, gb_Binary plus, gb_DeviceCs *w) {
    const unsigned most = (unsigned)job->multiprocessors * GB_CUDA_SUM_BLOCKS;
    gb_FoldedRows<T> R = {A->p,
                          static_cast<const T *>(A->x),
                          A->iso ? 0 : UINT64_MAX,
                          A->nmajor,
                          NULL,
                          NULL,
                          NULL,
                          NULL,
                          NULL};
    gb_cells_new(job, w, A->nmajor, sizeof(T), false);
    R.z = static_cast<T *>(w->x);
    R.bits = w->bits;
    R.longs = gb_job_new<gb_Idx>(job, A->nvals / GB_CUDA_LONG_FOLD + 1);
    R.found = gb_job_new<unsigned long long>(job, 2);
    R.nlongs = reinterpret_cast<unsigned *>(R.found + 1);
    gb_job_zero(job, R.found, 2 * sizeof *R.found);
    GB_START(job, gb_fold_rows<T>, gb_grid(A->nmajor, WARPS), GB_SUM_THREADS, 0, R, plus);
    GB_START(job, gb_fold_long<T>, gb_grid(most, 1), GB_SUM_THREADS, 0, R, plus);
    GB_START(job, gb_mark_rows<T>, gb_grid(A->nmajor, GB_SUM_THREADS), GB_SUM_THREADS, 0, R);
    gb_job_read(job, &w->nvals, R.found, sizeof w->nvals);
}

gbl_Info gb_cuda_reduce_rows(const gb_DeviceCs *A, gbl_Type_Code type, int op, gb_DeviceCs **w) {
    const gb_Binary plus = {op};
    gb_Job job;
    gb_DeviceCs made;
    gb_job_begin(&job);
    switch (type) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        fold_rows<T>(&job, A, plus, &made);                                                        \
        break;
        GB_FOREACH_DEVICE_NUMBER(GB_CASE)
    default:
        fold_rows<uint8_t>(&job, A, plus, &made); /* BOOL */
#undef GB_CASE
    }
    gb_copies_keep(&job, &made, w);
    return gb_job_end(&job);
}
