/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of CUDA's runtime that the library uses, and what tests may ask of the stand-in.
 */
#pragma once

#include <cstddef>
#include <cstdint>

#include "block.h"

#define CUDART_VERSION 13000

typedef enum {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidValue = 1,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidDevice = 101,
    cudaErrorLaunchFailure = 719
} cudaError_t;
typedef enum {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
} cudaMemcpyKind;
typedef enum {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;
typedef enum {
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrMemoryPoolsSupported = 115
} cudaDeviceAttr;
typedef enum { cudaMemPoolAttrReleaseThreshold = 4 } cudaMemPoolAttr;
typedef enum { cudaMemAllocationTypePinned = 1 } cudaMemAllocationType;
typedef enum { cudaMemLocationTypeDevice = 1 } cudaMemLocationType;

typedef struct {
    char name[256];
    size_t totalGlobalMem;
    int multiProcessorCount, major, minor;
    size_t sharedMemPerBlockOptin;
} cudaDeviceProp;
typedef struct {
    cudaMemAllocationType allocType;
    struct {
        cudaMemLocationType type;
        int id;
    } location;
} cudaMemPoolProps;
typedef struct cudaOnCpuStream *cudaStream_t;
typedef struct cudaOnCpuPool *cudaMemPool_t;
typedef struct cudaOnCpuEvent *cudaEvent_t;
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMallocFromPoolAsync(void **block, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaMalloc(void **block, size_t bytes); // waits for all streams, as cudaFree does
cudaError_t cudaFree(void *block);
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream);
cudaError_t cudaMallocHost(void **block, size_t bytes);
cudaError_t cudaFreeHost(void *block);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

// Takes the body, which the last step that needs it deletes.
void cuda_on_cpu_launch(const cuda_on_cpu::Shape &shape, cudaStream_t stream,
                        const cuda_on_cpu::Body *body);
// Whether part of a block may be touched by what comes later in the stream.
void cuda_on_cpu_may_touch(cudaStream_t stream, void *at, size_t bytes, bool may);
void cuda_on_cpu_count_tensor_product();
void cuda_on_cpu_count_atomic();
cudaError_t cuda_on_cpu_lost(); // what spoilt the context, or cudaSuccess
cudaError_t cuda_on_cpu_set_attribute(cudaFuncAttribute attribute, size_t value);
template <class F> cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute what, int value) {
    return kernel != nullptr && value >= 0
               ? cuda_on_cpu_set_attribute(what, static_cast<size_t>(value))
               : cudaErrorInvalidDevice;
}

template <class F> struct cuda_on_cpu_Body : cuda_on_cpu::Body {
    explicit cuda_on_cpu_Body(const F &call) : call_(call) {
    }
    void run() const override {
        call_();
    }

  private:
    F call_;
};

template <class K> struct cuda_on_cpu_Launch {
    K kernel;
    cuda_on_cpu::Shape shape;
    cudaStream_t stream;

    // The arguments are those of the time of the launch.
    template <class... Args> void operator()(Args... args) const {
        const K launched = kernel;
        const auto call = [=] { launched(args...); };
        cuda_on_cpu_launch(shape, stream, new cuda_on_cpu_Body<decltype(call)>(call));
    }
};
template <class K>
cuda_on_cpu_Launch<K> cuda_on_cpu_launcher(K kernel, const cuda_on_cpu::Shape &shape,
                                           cudaStream_t stream) {
    return {kernel, shape, stream};
}

#define GB_LAUNCH(kernel, grid, block, shared, on, ...)                                            \
    cuda_on_cpu_launcher((kernel),                                                                 \
                         {(unsigned)(grid), (unsigned)(block), (size_t)(shared), #kernel},         \
                         (on))(__VA_ARGS__)
