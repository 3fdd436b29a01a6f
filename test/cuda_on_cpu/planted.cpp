// SPDX-License-Identifier: Apache-2.0
//
// Kernels with planted faults; see planted.h.
#include "planted.h"

#include "cuda/device/portable.cuh"
#include "cuda/prim/team.cuh"

#include "control.h"

namespace {

enum { THREADS = 256 };

// A sum in shared memory by halves; step number `left_out` has no barrier.
__global__ void sum_by_halves(int *result, unsigned left_out) {
    GB_SHARED_ARRAY(int, partial, THREADS);
    partial[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        if (half != left_out) __syncthreads();
    }
    if (threadIdx.x == 0) result[blockIdx.x] = partial[0];
}

__global__ void neighbours(int *result, bool waits) {
    GB_SHARED_ARRAY(int, value, 32);
    value[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (waits) __syncwarp();
    result[threadIdx.x] = value[(threadIdx.x + 1) % 32];
}

__global__ void leave_early(int *result) {
    if (threadIdx.x >= THREADS / 2) return;
    __syncthreads();
    result[threadIdx.x] = 1;
}

__global__ void two_barriers(int *result) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    result[threadIdx.x] = 1;
}

__global__ void absent_lanes(int *result) {
    if (threadIdx.x >= 16) return;
    result[threadIdx.x] = __shfl_xor_sync(GB_ALL_LANES, static_cast<int>(threadIdx.x), 1);
}

__global__ void read_nothing(int *result) {
    GB_SHARED_ARRAY(int, value, THREADS);
    if (threadIdx.x > 0) value[threadIdx.x] = 1;
    __syncthreads();
    result[threadIdx.x] = value[(threadIdx.x + 1) % THREADS];
}

__global__ void overrun_shared() {
    GB_SHARED_ARRAY(int, value, THREADS);
    value[threadIdx.x + 1] = 0;
}

__global__ void overrun_global(int *result) {
    result[threadIdx.x + 1] = 0;
}

__global__ void nothing() {
}

__global__ void fill(int *result) {
    result[threadIdx.x] = 7;
}

// Every block adds 1; `atomically`, or by reading and writing.
__global__ void count_blocks(int *result, bool atomically) {
    const bool adds = threadIdx.x == 0;
    if (adds && atomically) atomicAdd(result, 1);
    const int old = adds && !atomically ? *result : 0;
    __syncwarp();
    if (adds && !atomically) *result = old + 1;
}

// Lanes of one block write and read an array in device memory, with a barrier between or without.
__global__ void turn_round(int *result, bool waits) {
    result[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (waits) __syncthreads();
    const int other = result[THREADS - 1 - threadIdx.x];
    if (waits) __syncthreads();
    if (other < 0) result[threadIdx.x] = other;
}

// Two streams fill one array; `waits`: the second for the first.
void fill_from_two_streams(int *array, bool waits) {
    cudaStream_t stream[2];
    cudaEvent_t done;
    for (int k = 0; k < 2; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);
    cudaEventCreate(&done);
    GB_LAUNCH(fill, 1, THREADS, 0, stream[0], array);
    cudaEventRecord(done, stream[0]);
    if (waits) cudaStreamWaitEvent(stream[1], done, 0);
    GB_LAUNCH(fill, 1, THREADS, 0, stream[1], array);
    for (int k = 0; k < 2; k++) cudaStreamDestroy(stream[k]);
    cudaEventDestroy(done);
}

__global__ void vote(int *result, unsigned lanes) {
    const unsigned high = threadIdx.x + (1u << 31);
    const uint64_t wide = static_cast<uint64_t>(high) << 32 | threadIdx.x;
    const uint64_t other = __shfl_xor_sync(GB_ALL_LANES, wide, 1);
    const bool right = other == ((static_cast<uint64_t>(high ^ 1u) << 32) | (threadIdx.x ^ 1u));
    const unsigned votes = __ballot_sync(lanes, right && threadIdx.x % 3 == 0);
    if (threadIdx.x == 0) *result = __popc(votes);
}

// A kernel in a side stream, whose array the main stream reads and frees; `waits`: for it to be
// done.
int read_from_side_stream(bool waits) {
    cudaStream_t main_stream, side;
    cudaEvent_t done;
    void *array = nullptr;
    int first = 0;
    cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaMallocFromPoolAsync(&array, THREADS * sizeof(int), nullptr, main_stream);
    GB_LAUNCH(fill, 1, THREADS, 0, side, static_cast<int *>(array));
    cudaEventRecord(done, side);
    if (waits) cudaStreamWaitEvent(main_stream, done, 0);
    cudaMemcpyAsync(&first, array, sizeof first, cudaMemcpyDeviceToHost, main_stream);
    cudaFreeAsync(array, main_stream);
    cudaStreamSynchronize(main_stream);
    cudaStreamDestroy(side);
    cudaStreamDestroy(main_stream);
    cudaEventDestroy(done);
    return first;
}

// Runs body(array of THREADS ints on the device) and returns what the launch said; then the
// stand-in is as before.
template <class Body> const char *run(Body body, int *first = nullptr) {
    static char text[600];
    void *array = nullptr;
    if (cudaMallocFromPoolAsync(&array, THREADS * sizeof(int), nullptr, nullptr) != cudaSuccess)
        return "no memory";
    body(static_cast<int *>(array));
    const cudaError_t error = cudaGetLastError();
    snprintf(text, sizeof text, "%s", error == cudaSuccess ? "" : cudaGetErrorString(error));
    if (first != nullptr) *first = *static_cast<int *>(array);
    cudaFreeAsync(array, nullptr);
    cuda_on_cpu_devices(1);
    return text;
}

} // namespace

const char *planted_sum(int *result) {
    return run([](int *a) { GB_LAUNCH(sum_by_halves, 3, THREADS, 0, nullptr, a, 0u); }, result);
}

const char *planted_missing_barrier(void) {
    return run([](int *a) { GB_LAUNCH(sum_by_halves, 1, THREADS, 0, nullptr, a, 64u); });
}

const char *planted_missing_warp_barrier(void) {
    return run([](int *a) { GB_LAUNCH(neighbours, 1, 32, 0, nullptr, a, false); });
}

const char *planted_divergent_barrier(void) {
    return run([](int *a) { GB_LAUNCH(leave_early, 1, THREADS, 0, nullptr, a); });
}

const char *planted_different_barriers(void) {
    return run([](int *a) { GB_LAUNCH(two_barriers, 1, THREADS, 0, nullptr, a); });
}

const char *planted_wrong_mask(void) {
    return run([](int *a) { GB_LAUNCH(absent_lanes, 1, 32, 0, nullptr, a); });
}

const char *planted_uninitialised(void) {
    return run([](int *a) { GB_LAUNCH(read_nothing, 1, THREADS, 0, nullptr, a); });
}

const char *planted_shared_overrun(void) {
    return run([](int *) { GB_LAUNCH(overrun_shared, 1, THREADS, 0, nullptr, ); });
}

const char *planted_too_much_shared(void) {
    return run([](int *) { GB_LAUNCH(nothing, 1, 32, 1 << 20, nullptr, ); });
}

void planted_global_overrun(void) {
    run([](int *a) { GB_LAUNCH(overrun_global, 1, THREADS, 0, nullptr, a); });
}

int planted_join(void) {
    return read_from_side_stream(true);
}

void planted_missing_join(void) {
    read_from_side_stream(false);
}

int planted_reused_buffer(void) {
    cudaStream_t stream;
    int host = 1, device = 0;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(&device, &host, sizeof host, cudaMemcpyHostToDevice, stream);
    host = 2;
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return device;
}

const char *planted_count(bool atomically, int *result) {
    return run(
        [=](int *a) {
            cudaMemsetAsync(a, 0, THREADS * sizeof(int), nullptr);
            GB_LAUNCH(count_blocks, 5, 32, 0, nullptr, a, atomically);
        },
        result);
}

const char *planted_turn(bool waits) {
    return run([=](int *a) { GB_LAUNCH(turn_round, 1, THREADS, 0, nullptr, a, waits); });
}

const char *planted_two_streams(bool waits) {
    return run([=](int *a) { fill_from_two_streams(a, waits); });
}

const char *planted_vote(unsigned lanes, int *result) {
    return run([=](int *a) { GB_LAUNCH(vote, 1, 32, 0, nullptr, a, lanes); }, result);
}
