/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program compiles for the GPU (include/gblite_semiring.h): the kernels of its semiring, and
 * their table NAME_cuda.
 *
 * The values of a row-wise product: a warp fills a row of C, whose pattern is known. It visits the
 * entries of A's row one after the other; its lanes add products of a row of B to different entries
 * of C, which they find by binary search. So nothing is atomic, and every sum is in the order of
 * the CPU's row-wise product, bits included. Cost: O(entries of the rows of B / 32 * log(row of
 * C)), and a step for each entry of A.
 */
#ifndef GB_CUDA_COMPILED_KERNELS_CUH
#define GB_CUDA_COMPILED_KERNELS_CUH

#include "core/cat.h"
#include "cuda/compiled/compiled.cuh"
#include "cuda/vectors/pull.cuh"

/* As the host's, of numbers alone. */
#define GBL_LANES_IMIN(x, y) ((x) < (y) ? (x) : (y))
#define GBL_LANES_FMIN(x, y) ((x) < (y) || (y) != (y) ? (x) : (y))
#define GBL_LANES_FMAX(x, y) ((x) > (y) || (y) != (y) ? (x) : (y))

template <class Ring>
__global__ void __launch_bounds__(GB_THREADS) gb_fill_rows(gb_Factors F, gb_FillTarget C) {
    typedef typename Ring::Value Value;
    Value *sum = static_cast<Value *>(C.x);
    GB_EACH_TEAM(row, F.m, GB_WARP) {
        const gb_Off begin = C.p[row], end = C.p[row + 1];
        for (gb_Off at = begin + gb_lane(); at < end; at += GB_WARP) sum[at] = Ring::zero();
        __syncwarp();
        for (gb_Off p = F.Ap[row]; p < F.Ap[row + 1] && begin < end; p++) {
            const gb_Idx k = F.Ai[p];
            const Value a = gb_left<Ring>(F.Ax, p & F.amask);
            for (gb_Off q = F.Bp[k] + gb_lane(); q < F.Bp[k + (uint64_t)1]; q += GB_WARP) {
                const gb_Off at = gb_lower_bound(C.i, begin, end, F.Bi[q]);
                if (at == end || C.i[at] != F.Bi[q]) continue; /* the mask has not this entry */
                const Value b = gb_right<Ring>(F.Bx, q & F.bmask);
                sum[at] = Ring::add(sum[at], Ring::multiply(a, b, k));
            }
            __syncwarp(); /* the next row of B may have the same columns */
        }
    }
}

template <class Ring>
static cudaError_t gb_fill_launch(unsigned grid, cudaStream_t stream, const gb_Factors &F,
                                  const gb_FillTarget &C) {
    GB_LAUNCH(gb_fill_rows<Ring>, grid, GB_THREADS, 0, stream, F, C);
    return cudaGetLastError();
}

/* The semiring as a struct, like those of prim/semiring.tmpl.cuh, and the table. */
#define GB_DEVICE_SEMIRING(name, T)                                                                \
    struct GB_CAT(gb_ring, name) {                                                                 \
        typedef T Value;                                                                           \
        enum { USES_A = 1, USES_B = 1, ANY = 0, PAIR = 0, TRUTH = 0, ENDS = 1 };                   \
        GB_DEVICE bool ends(Value x) {                                                             \
            (void)x;                                                                               \
            return GBL_SEMIRING_TERMINAL(x);                                                       \
        }                                                                                          \
        GB_DEVICE Value zero() {                                                                   \
            return GBL_SEMIRING_IDENTITY;                                                          \
        }                                                                                          \
        GB_DEVICE Value add(Value x, Value y) {                                                    \
            return GBL_SEMIRING_ADD(x, y);                                                         \
        }                                                                                          \
        GB_DEVICE Value multiply(Value a, Value b, uint64_t) {                                     \
            return GBL_SEMIRING_MULTIPLY(a, b);                                                    \
        }                                                                                          \
    };                                                                                             \
    extern "C" {                                                                                   \
    extern const gb_DeviceSemiring GB_CAT(name, cuda);                                             \
    const gb_DeviceSemiring GB_CAT(name, cuda) = {GB_DEVICE_VERSION,                               \
                                                  GB_DEVICE_LAYOUT,                                \
                                                  sizeof(T),                                       \
                                                  gb_fill_launch<GB_CAT(gb_ring, name)>,           \
                                                  gb_dot_launch<GB_CAT(gb_ring, name)>,            \
                                                  gb_PullOf<GB_CAT(gb_ring, name)>::kernels()};    \
    }

#endif
