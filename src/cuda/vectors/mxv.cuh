/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver of products with vectors (mxv.cu) and its kernels (mxv.typed.cu) share.
 */
#ifndef GB_CUDA_VECTORS_MXV_CUH
#define GB_CUDA_VECTORS_MXV_CUH

#include "cuda/prim/semirings.cuh"
#include "cuda/ops/entries.cuh"

struct gb_MxvCall {
    const gb_Off *Ap; /* R by rows (pull) or columns (push) */
    const gb_Idx *Ai;
    const void *Ax;
    uint64_t amask; /* 0 where A has one value for all */
    gb_Values u;
    gb_VectorMask mask;
    bool u_is_left;
    uint64_t rows;
    uint32_t *bits; /* of w */
    void *x;
    unsigned long long *count; /* [2] entries of w; rows in `listed` */
    gb_Idx *listed;            /* pull: long rows; push: entries of w */
    /* push */
    const gb_Idx *list;    /* [nlist] u's */
    const uint64_t *edges; /* [nlist + 1] before each */
    uint64_t nlist, nedges;
    void *sums; /* [rows] as atomic operations know them: x where these are the same */
};

/* Launches as many blocks; long rows leave parts[grid] of part_bytes each. */
struct gb_PullKernels {
    cudaError_t (*rows)(unsigned grid, cudaStream_t stream, const gb_MxvCall &c);
    cudaError_t (*long_rows)(unsigned grid, cudaStream_t stream, const gb_MxvCall &c, void *parts);
    size_t part_bytes;
};

struct gb_MxvRun {
    gb_PullKernels pull;
    void (*push)(gb_Job *job, gb_MxvCall &c); /* NULL: pull alone */
};
GB_DECLARE_TYPED(const gb_MxvRun *, gb_mxv_run)

/* A whole product by these kernels, of values of so many bytes. */
gbl_Info gb_mxv_multiply(const gb_DeviceMxvArgs *args, const gb_MxvRun &run, size_t bytes,
                         gb_DeviceCs **T);

#endif
