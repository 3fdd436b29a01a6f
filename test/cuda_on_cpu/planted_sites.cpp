// SPDX-License-Identifier: Apache-2.0
//
// Fragments, and several devices; see planted_sites.h.
#include "planted_sites.h"

#include "cuda/device/portable.cuh"

#include <mma.h>

#include <cmath>

#include "control.h"

using namespace nvcuda::wmma;

namespace {

enum { MOST = 256 }; // elements of a fragment

template <class T> T small(int k);
template <> double small<double>(int k) {
    return k;
}
template <> float small<float>(int k) {
    return static_cast<float>(k);
}
template <> __half small<__half>(int k) { // 0 to 3
    static const uint16_t bits[] = {0, 0x3c00, 0x4000, 0x4200};
    return __half{bits[k]};
}
template <> __nv_bfloat16 small<__nv_bfloat16>(int k) {
    static const uint16_t bits[] = {0, 0x3f80, 0x4000, 0x4040};
    return __nv_bfloat16{bits[k]};
}

template <class F, class In, class Sum, int M, int N, int K>
__global__ void multiply_fragments(const In *a, const In *b, Sum *c) {
    fragment<matrix_a, M, N, K, F, row_major> left;
    fragment<matrix_b, M, N, K, F, col_major> right;
    fragment<accumulator, M, N, K, Sum> sum;
    fill_fragment(sum, 1);
    load_matrix_sync(left, a, K);
    load_matrix_sync(right, b, K);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, N, mem_row_major);
}

// The largest difference from loops.
template <class F, class In, class Sum, int M, int N, int K> double compare() {
    alignas(32) In a[MOST], b[MOST];
    alignas(32) Sum c[MOST];
    double most = 0.0;
    for (int k = 0; k < M * K; k++) a[k] = small<In>(k * 7 % 4);
    for (int k = 0; k < K * N; k++) b[k] = small<In>(k * 5 % 3);
    GB_LAUNCH((multiply_fragments<F, In, Sum, M, N, K>), 1, 32, 0, nullptr,
              static_cast<const In *>(a), static_cast<const In *>(b), static_cast<Sum *>(c));
    if (cudaGetLastError() != cudaSuccess) return INFINITY;
    for (int r = 0; r < M; r++)
        for (int n = 0; n < N; n++) {
            int sum = 1;
            for (int k = 0; k < K; k++) sum += (r * K + k) * 7 % 4 * ((n * K + k) * 5 % 3);
            most = std::fmax(most, std::fabs(static_cast<double>(c[r * N + n]) - sum));
        }
    return most;
}

// What a launch of one kernel said; then the stand-in is as before.
template <class Kernel> const char *run(Kernel kernel, unsigned threads) {
    static char text[600];
    GB_LAUNCH(kernel, 1, threads, 0, nullptr, 0);
    const cudaError_t error = cudaGetLastError();
    snprintf(text, sizeof text, "%s", error == cudaSuccess ? "" : cudaGetErrorString(error));
    cuda_on_cpu_devices(1);
    return text;
}

__global__ void some_lanes(int) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, row_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(left, __half{0});
    fill_fragment(right, __half{0});
    fill_fragment(sum, 0.0f);
    if (threadIdx.x >= 16) return;
    mma_sync(sum, left, right, sum);
}

__global__ void misaligned(int) {
    GB_SHARED_ARRAY(float, tile, 300);
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    store_matrix_sync(&tile[2], sum, 16, mem_row_major);
}

__global__ void no_barrier(int) {
    GB_SHARED_ARRAY(float, tile, 256);
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    store_matrix_sync(&tile[0], sum, 16, mem_row_major); // by two warps
}

// Adds a(8 x 4) times b(4 x 8) to c.
__global__ void one_instruction(const double *a, const double *b, double *c, bool leaves) {
    const unsigned row = threadIdx.x / 4, in = threadIdx.x % 4;
    double sum[2] = {c[row * 8 + 2 * in], c[row * 8 + 2 * in + 1]};
    if (leaves && threadIdx.x == 5) return;
    gb_mma_fp64(sum, a[row * 4 + in], b[in * 8 + row]);
    for (unsigned k = 0; k < 2; k++) c[row * 8 + 2 * in + k] = sum[k];
}

__global__ void read_one(const int *from, int *to) {
    *to = *from;
}

void *block_of(int device, cudaMemPool_t *pool) {
    cudaMemPoolProps properties{};
    void *block = nullptr;
    properties.location.id = device;
    cudaMemPoolCreate(pool, &properties);
    cudaMallocFromPoolAsync(&block, sizeof(int), *pool, nullptr);
    return block;
}

} // namespace

double planted_fragments(void) {
    double most = compare<double, double, double, 8, 8, 4>();
    most = std::fmax(most, compare<precision::tf32, float, float, 16, 16, 8>());
    most = std::fmax(most, compare<__half, __half, float, 16, 16, 16>());
    return std::fmax(most, compare<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>());
}

const char *planted_fragment_lanes(void) {
    return run(some_lanes, 32);
}

const char *planted_fragment_alignment(void) {
    return run(misaligned, 32);
}

const char *planted_fragment_race(void) {
    return run(no_barrier, 64);
}

const char *planted_mma(bool leaves, double *difference) {
    static char text[600];
    double a[32], b[32], c[64];
    for (int k = 0; k < 32; k++) a[k] = k * 7 % 11, b[k] = k * 5 % 13;
    for (int k = 0; k < 64; k++) c[k] = k;
    GB_LAUNCH(one_instruction, 1, 32, 0, nullptr, static_cast<const double *>(a),
              static_cast<const double *>(b), static_cast<double *>(c), leaves);
    const cudaError_t error = cudaGetLastError();
    snprintf(text, sizeof text, "%s", error == cudaSuccess ? "" : cudaGetErrorString(error));
    cuda_on_cpu_devices(1);
    *difference = 0.0;
    for (int e = 0; e < 64; e++) {
        double sum = e;
        for (int k = 0; k < 4; k++) sum += a[e / 8 * 4 + k] * b[k * 8 + e % 8];
        *difference = std::fmax(*difference, std::fabs(sum - c[e]));
    }
    return text;
}

void planted_foreign_memory(void) {
    cudaMemPool_t pools[2];
    cuda_on_cpu_devices(2);
    int *mine = static_cast<int *>(block_of(0, &pools[0]));
    int *other = static_cast<int *>(block_of(1, &pools[1]));
    cudaSetDevice(0);
    GB_LAUNCH(read_one, 1, 1, 0, nullptr, static_cast<const int *>(other), mine);
}

void planted_foreign_stream(void) {
    cudaStream_t stream;
    cuda_on_cpu_devices(2);
    cudaSetDevice(1);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaSetDevice(0);
    GB_LAUNCH(some_lanes, 1, 32, 0, stream, 0);
}
