/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for CUDA's header of this name, so that the library's .cu files compile as C++ and run
 * on the host: the keywords, the intrinsics and the calls that the library uses, and no others.
 * Memory of the "device" is memory of the host; streams may lag (streams.h).
 */
#pragma once

#define GB_CUDA_ON_CPU 1

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "block.h"
#include "global.h"
#include "runtime.h"
#include "shared.h"

#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

#define threadIdx (cuda_on_cpu::self.thread)
#define blockIdx (cuda_on_cpu::self.block)
#define blockDim (cuda_on_cpu::self.block_size)
#define gridDim (cuda_on_cpu::self.grid_size)

/* -- intrinsics */

#define __syncthreads() cuda_on_cpu::barrier(__FILE__, __LINE__)

static inline void __syncwarp(unsigned mask = 0xffffffffu) {
    cuda_on_cpu::exchange(mask, 0, "__syncwarp");
}

/* Accesses are done in the order of the program here. */
static inline void __threadfence() {
}

static inline unsigned cuda_on_cpu_lane() {
    return threadIdx.x % cuda_on_cpu::WARP;
}

template <class T>
static T cuda_on_cpu_shuffle(unsigned mask, T value, unsigned from, const char *operation) {
    static_assert(sizeof(T) <= sizeof(uint64_t), "shuffles move at most 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const uint64_t *got = cuda_on_cpu::exchange(mask, bits, operation);
    if (!(mask >> from & 1)) cuda_on_cpu::fail("%s from lane %u outside the mask", operation, from);
    T result;
    std::memcpy(&result, &got[from], sizeof result);
    return result;
}

template <class T> static T __shfl_sync(unsigned mask, T value, int from) {
    return cuda_on_cpu_shuffle(mask, value, static_cast<unsigned>(from) % 32, "__shfl_sync");
}
template <class T> static T __shfl_xor_sync(unsigned mask, T value, int with) {
    return cuda_on_cpu_shuffle(mask, value, cuda_on_cpu_lane() ^ static_cast<unsigned>(with),
                               "__shfl_xor_sync");
}
template <class T> static T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    const unsigned lane = cuda_on_cpu_lane(), in = lane % static_cast<unsigned>(width);
    return cuda_on_cpu_shuffle(mask, value, in < by ? lane : lane - by, "__shfl_up_sync");
}

static inline unsigned __ballot_sync(unsigned mask, int predicate) {
    const uint64_t *got = cuda_on_cpu::exchange(mask, predicate != 0, "__ballot_sync");
    unsigned result = 0;
    for (unsigned l = 0; l < cuda_on_cpu::WARP; l++)
        if (mask >> l & 1) result |= static_cast<unsigned>(got[l]) << l;
    return result;
}

static inline unsigned __match_any_sync(unsigned mask, unsigned value) {
    const uint64_t *got = cuda_on_cpu::exchange(mask, value, "__match_any_sync");
    unsigned result = 0;
    for (unsigned l = 0; l < cuda_on_cpu::WARP; l++)
        if ((mask >> l & 1) && got[l] == value) result |= 1u << l;
    return result;
}

static inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    const uint64_t *got = cuda_on_cpu::exchange(mask, value, "__reduce_max_sync");
    unsigned result = 0;
    for (unsigned l = 0; l < cuda_on_cpu::WARP; l++)
        if ((mask >> l & 1) && got[l] > result) result = static_cast<unsigned>(got[l]);
    return result;
}

static inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
static inline int __ffs(int x) {
    return __builtin_ffs(x);
}
static inline int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
static inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<uint64_t>(x) * y >> 32);
}
static inline unsigned __vmaxu4(unsigned x, unsigned y) {
    unsigned result = 0;
    for (int b = 0; b < 32; b += 8) {
        const unsigned p = x >> b & 255u, q = y >> b & 255u;
        result |= (p > q ? p : q) << b;
    }
    return result;
}
static inline float __uint_as_float(unsigned bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
template <class T> static T __ldcg(const T *p) {
    return *p;
}

/* A product of tensor cores (PTX ISA, mma.m8n8k4 with .f64), with products that are not rounded,
 * added in the order of the inner index; what a GPU does within one is not specified. */
static inline void cuda_on_cpu_mma_fp64(double (&sum)[2], double a, double b) {
    uint64_t bits_a, bits_b, all_a[cuda_on_cpu::WARP];
    std::memcpy(&bits_a, &a, sizeof a);
    std::memcpy(&bits_b, &b, sizeof b);
    std::memcpy(all_a, cuda_on_cpu::exchange(0xffffffffu, bits_a, "mma.m8n8k4"), sizeof all_a);
    const uint64_t *all_b = cuda_on_cpu::exchange(0xffffffffu, bits_b, "mma.m8n8k4");
    if (cuda_on_cpu_lane() == 0) cuda_on_cpu_count_tensor_product();
    const unsigned row = cuda_on_cpu_lane() / 4, column = cuda_on_cpu_lane() % 4 * 2;
    for (unsigned c = 0; c < 2; c++)
        for (unsigned k = 0; k < 4; k++) {
            double x, y;
            std::memcpy(&x, &all_a[row * 4 + k], sizeof x);
            std::memcpy(&y, &all_b[(column + c) * 4 + k], sizeof y);
            sum[c] = std::fma(x, y, sum[c]);
        }
}

/* -- atomic operations, on global memory (a pointer) and on shared memory (gb_shared) */

template <class T> static T cuda_on_cpu_peek(const T *p) {
    T value;
    cuda_on_cpu::global_atomic_read(p, &value, sizeof value);
    return value;
}
template <class T> static void cuda_on_cpu_poke(T *p, T value) {
    cuda_on_cpu::global_atomic_write(p, &value, sizeof value);
}
template <class T> static T cuda_on_cpu_peek(gb_shared<T> p) {
    return p.atomic_read();
}
template <class T> static void cuda_on_cpu_poke(gb_shared<T> p, T value) {
    p.atomic_write(value);
}

template <class P> static void cuda_on_cpu_before_atomic() {
    if (std::is_pointer<P>::value) cuda_on_cpu_count_atomic();
    cuda_on_cpu::interrupt();
}
#define CUDA_ON_CPU_ATOMIC(name, result)                                                           \
    template <class P, class T> static T name(P at, T operand) {                                   \
        cuda_on_cpu_before_atomic<P>();                                                            \
        const T old = cuda_on_cpu_peek(at);                                                        \
        cuda_on_cpu_poke(at, static_cast<T>(result));                                              \
        return old;                                                                                \
    }
CUDA_ON_CPU_ATOMIC(atomicAdd, old + operand)
CUDA_ON_CPU_ATOMIC(atomicOr, old | operand)
CUDA_ON_CPU_ATOMIC(atomicMin, operand < old ? operand : old)
CUDA_ON_CPU_ATOMIC(atomicMax, operand > old ? operand : old)

CUDA_ON_CPU_ATOMIC(atomicExch, operand)

template <class P, class T> static T atomicCAS(P at, T expected, T wanted) {
    cuda_on_cpu_before_atomic<P>();
    const T old = cuda_on_cpu_peek(at);
    if (old == expected) cuda_on_cpu_poke(at, wanted);
    return old;
}

/* -- launches: the body runs in the scheduler; what went wrong waits in cudaGetLastError */

static inline void cuda_on_cpu_guard(cudaStream_t stream, void *at, size_t bytes) {
    cuda_on_cpu_may_touch(stream, at, bytes, false);
}
static inline void cuda_on_cpu_unguard(cudaStream_t stream, void *at, size_t bytes) {
    cuda_on_cpu_may_touch(stream, at, bytes, true);
}
