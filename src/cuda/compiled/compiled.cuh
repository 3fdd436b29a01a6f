/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of a semiring that a program compiled for the GPU (include/gblite_semiring.h): launches
 * of the same templates as the library's own, for values of any size, without atomic operations on
 * values. Both sides state the version of the library and a sum over the sizes of the structs that
 * they share; the library refuses kernels whose numbers differ from its own.
 */
#ifndef GB_CUDA_COMPILED_COMPILED_CUH
#define GB_CUDA_COMPILED_COMPILED_CUH

#include "cuda/rowwise/dot.cuh"
#include "cuda/vectors/mxv.cuh"

/* Values of C's entries, which lie at (p, i) already; sorted in rows. */
struct gb_FillTarget {
    const gb_Off *p;
    const gb_Idx *i;
    void *x;
};
typedef cudaError_t (*gb_FillLaunch)(unsigned grid, cudaStream_t stream, const gb_Factors &F,
                                     const gb_FillTarget &C);

struct gb_DeviceSemiring {
    const char *version; /* GB_DEVICE_VERSION */
    uint64_t layout;     /* GB_DEVICE_LAYOUT */
    size_t bytes;        /* of a value */
    gb_FillLaunch fill;
    gb_DotLaunch dot;
    gb_PullKernels pull;
};

#define GB_DEVICE_LAYOUT                                                                           \
    ((uint64_t)(sizeof(gb_DeviceSemiring) + 31 * sizeof(gb_Factors) + 37 * sizeof(gb_DotOut) +     \
                41 * sizeof(gb_MxvCall) + 43 * sizeof(gb_FillTarget) + 47 * sizeof(gb_Values) +    \
                53 * sizeof(gb_VectorMask)))

/* GBL_NOT_IMPLEMENTED where they were compiled with the headers of another version. */
gbl_Info gb_compiled_check(const gb_DeviceSemiring *own);
/* DOT; or row-wise: the pattern of C by the kernels of ANY_PAIR, then its values. C's arrays belong
 * to the job. */
void gb_compiled_multiply(gb_Job *job, gb_DeviceWay way, const gb_DeviceMxmArgs *args,
                          gb_DeviceCs *C, gb_DeviceMxmStats *stats);

#endif
