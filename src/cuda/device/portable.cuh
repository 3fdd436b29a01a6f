/* SPDX-License-Identifier: Apache-2.0
 *
 * What .cu files see of CUDA and of the library. The same files compile with nvcc and, against
 * test/cuda_on_cpu, as C++ for the host; three things are written so that both can read them:
 *   GB_LAUNCH(kernel, grid, block, bytes, stream, arguments...)  instead of <<< >>>
 *   GB_SHARED_ARRAY(T, name, n) and gb_shared_carve<T>(byte, n)  static and dynamic shared memory
 *   gb_shared<T>                                                 instead of T * into it
 * A gb_shared<T> is indexed, moved by +, and its elements' addresses are taken, like a pointer.
 */
#ifndef GB_CUDA_PORTABLE_CUH
#define GB_CUDA_PORTABLE_CUH

#include <stdio.h>

#include <cuda_runtime.h>

extern "C" {
#include "kernel_api/device.h"
#include "core/memory.h"
#include "core/tune_cuda.h"
}

/* Functions of the device: members and templates; others; functions of host and device. */
#define GB_MEMBER __device__ __forceinline__
#define GB_DEVICE static __device__ __forceinline__
#define GB_HOST_DEVICE static inline __host__ __device__

#ifdef GB_CUDA_ON_CPU
#define GB_UNROLL
#define GB_ROLLED
#define gb_guard cuda_on_cpu_guard
#define gb_unguard cuda_on_cpu_unguard
#define gb_peek cuda_on_cpu_peek
#define gb_poke cuda_on_cpu_poke
#define gb_mma_fp64 cuda_on_cpu_mma_fp64
#else
#define GB_UNROLL _Pragma("unroll")
#define GB_ROLLED _Pragma("unroll 1") /* a short loop, for the sake of registers */
template <class T> using gb_shared = T *;
/* At multiples of 32 bytes, which fragments of WMMA want. */
#define GB_SHARED_ARRAY(T, name, length) __shared__ __align__(32) T name[length]
template <class T> GB_MEMBER T *gb_shared_carve(size_t byte, size_t length) {
    extern __shared__ __align__(32) unsigned char gb_dynamic_bytes[];
    (void)length;
    return reinterpret_cast<T *>(gb_dynamic_bytes + byte);
}
#define GB_LAUNCH(kernel, grid, block, bytes, stream, ...)                                         \
    (kernel)<<<(unsigned)(grid), (unsigned)(block), (size_t)(bytes), (stream)>>>(__VA_ARGS__)

/* Device memory that may not be accessed, or may be again, from this step of the stream on; the
 * stand-in checks that. */
static inline void gb_guard(cudaStream_t, void *, size_t) {
}
static inline void gb_unguard(cudaStream_t, void *, size_t) {
}

#ifdef GB_CUDA_CHECKED
/* The accesses below by atomic operations, which are no race to compute-sanitizer. */
template <size_t SIZE> struct gb_Atom;
template <> struct gb_Atom<4> { typedef unsigned Type; };
template <> struct gb_Atom<8> { typedef unsigned long long Type; };
template <class T> GB_MEMBER T gb_peek(const T *at) {
    typedef typename gb_Atom<sizeof(T)>::Type Bits;
    const Bits bits = atomicOr(reinterpret_cast<Bits *>(const_cast<T *>(at)), (Bits)0);
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> GB_MEMBER void gb_poke(T *at, T value) {
    typedef typename gb_Atom<sizeof(T)>::Type Bits;
    Bits bits;
    memcpy(&bits, &value, sizeof bits);
    atomicExch(reinterpret_cast<Bits *>(at), bits);
}
#else
/* Plain accesses that race with atomic ones on purpose: they see some value of the past. */
template <class T> GB_MEMBER T gb_peek(const T *at) {
    return *reinterpret_cast<const volatile T *>(at);
}
template <class T> GB_MEMBER void gb_poke(T *at, T value) {
    *reinterpret_cast<volatile T *>(at) = value;
}
#endif

/* By the lanes of a warp together, on tensor cores: sum += a * b, of 8 x 4 and 4 x 8 values. Lane l
 * has a(l / 4, l % 4), b(l % 4, l / 4), and of the sum row l / 4, columns l % 4 * 2 and the next
 * (PTX ISA, mma.m8n8k4 with .f64). Within it, products are not rounded. */
GB_DEVICE void gb_mma_fp64(double (&sum)[2], double a, double b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(sum[0]), "+d"(sum[1])
                 : "d"(a), "d"(b));
}
#endif

/* The same of 16 x 16 and 16 x 8 values, in fours of the inner index k: sum[r] of rows 8r + l / 4,
 * a[r][k / 4] of these rows, b[k / 4]. From 9.0 on that is one instruction (mma.m16n8k16). */
GB_DEVICE void gb_mma_fp64_tile(double (&sum)[2][2], const double (&a)[2][4],
                                const double (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(sum[0][0]), "+d"(sum[0][1]), "+d"(sum[1][0]), "+d"(sum[1][1])
                 : "d"(a[0][0]), "d"(a[1][0]), "d"(a[0][1]), "d"(a[1][1]), "d"(a[0][2]),
                   "d"(a[1][2]), "d"(a[0][3]), "d"(a[1][3]), "d"(b[0]), "d"(b[1]), "d"(b[2]),
                   "d"(b[3]));
#else
    GB_UNROLL
    for (unsigned k = 0; k < 4; k++) GB_UNROLL
    for (unsigned r = 0; r < 2; r++) gb_mma_fp64(sum[r], a[r][k], b[k]);
#endif
}

/* Threads that a multiprocessor of 8.6, 8.7, 8.9 and of 12.0 and later holds at once; 2048 on the
 * other chips. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
enum { GB_RESIDENT_THREADS = 1536 };
#else
enum { GB_RESIDENT_THREADS = 2048 };
#endif
enum { GB_WARP = 32 };
#define GB_LAST_COLUMN 0xfffffffeu /* of the widest matrix */
#define GB_ALL_LANES 0xffffffffu

/* For k = 0 .. n - 1, each by one thread of the grid; for k and the rest of its warp, so that k may
 * be n or more; by `lanes` neighbouring threads; by a block. */
#define GB_EACH_THREAD(k, n)                                                                       \
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < (n);                    \
         k += (uint64_t)gridDim.x * blockDim.x)
#define GB_EACH_LANE(k, n)                                                                         \
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;                             \
         k - threadIdx.x % GB_WARP < (n); k += (uint64_t)gridDim.x * blockDim.x)
#define GB_EACH_TEAM(k, n, lanes)                                                                  \
    for (uint64_t k = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / (lanes); k < (n);        \
         k += (uint64_t)gridDim.x * blockDim.x / (lanes))
#define GB_EACH_BLOCK(k, n) for (uint64_t k = blockIdx.x; k < (n); k += gridDim.x)

#endif
