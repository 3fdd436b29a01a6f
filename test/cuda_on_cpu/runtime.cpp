// SPDX-License-Identifier: Apache-2.0
//
// CUDA's runtime on the host; see runtime.h. One call at a time: the library sees to that. Fresh
// device memory is filled with a pattern that is neither a small number nor a valid index.
#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "control.h"
#include "devices.h"
#include "streams.h"

#include <sanitizer/asan_interface.h>

struct cudaOnCpuPool {
    int device;
};
namespace {

const uint64_t PLENTY = static_cast<uint64_t>(4) << 30;

int devices = 1;
size_t shared_bytes = cuda_on_cpu::SHARED_BYTES;
int fp64_slower = 2;
bool has_pools = true;
uint64_t memory = PLENTY, in_use, trims;
cuda_on_cpu_Counts counts;
int64_t launches_left, refusals_left, allocations_left;
std::map<void *, size_t> blocks;
cudaError_t lost = cudaSuccess; // what spoilt the context: every later call answers with it
cudaError_t last = cudaSuccess; // what cudaGetLastError tells next
char last_text[600] = "no error";

// True when the n-th call of its kind was to fail and this is it.
bool is_due(int64_t *left) {
    return *left > 0 && --*left == 0;
}

cudaError_t set_error(cudaError_t error, const char *text) {
    last = error;
    if (error == cudaErrorLaunchFailure) lost = error;
    snprintf(last_text, sizeof last_text, "%s", text);
    return error;
}

} // namespace

cudaError_t cudaGetDeviceCount(int *count) {
    *count = devices > 0 ? devices : 0;
    if (devices < 0)
        return set_error(cudaErrorInsufficientDriver, "driver version is insufficient");
    return devices > 0 ? cudaSuccess : set_error(cudaErrorNoDevice, "no CUDA-capable device");
}

cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= devices) return set_error(cudaErrorInvalidDevice, "invalid device");
    cuda_on_cpu::use_device(device);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (device < 0 || device >= devices) return set_error(cudaErrorInvalidDevice, "invalid device");
    *properties = cudaDeviceProp{};
    snprintf(properties->name, sizeof properties->name, "fibers on a CPU");
    properties->totalGlobalMem = memory;
    properties->multiProcessorCount = 4;
    properties->major = 9;
    properties->sharedMemPerBlockOptin = shared_bytes;
    return cudaSuccess;
}

// Those of an H200: 4.8 TB/s.
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
    case cudaDevAttrMemoryClockRate:
        *value = 3201000;
        return cudaSuccess;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = 6144;
        return cudaSuccess;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = fp64_slower;
        return cudaSuccess;
    case cudaDevAttrMemoryPoolsSupported:
        *value = has_pools;
        return cudaSuccess;
    default:
        return set_error(cudaErrorInvalidValue, "an attribute that the stand-in does not have");
    }
}

void cuda_on_cpu_count_tensor_product() {
    counts.tensor_products++;
}
void cuda_on_cpu_count_atomic() {
    counts.atomics++;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *total = memory;
    *available = memory > in_use ? memory - in_use : 0;
    return cudaSuccess;
}

cudaError_t cuda_on_cpu_lost() {
    return lost;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
    if (!has_pools) return set_error(cudaErrorInvalidValue, "there are no pools");
    *pool = new cudaOnCpuPool{properties->location.id};
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    delete pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
    trims++;
    return cudaSuccess;
}

static cudaError_t make_block(void **block, size_t bytes, int device) {
    *block = nullptr;
    counts.allocations++;
    if (bytes > memory || in_use > memory - bytes) cuda_on_cpu::finish_streams();
    const bool fails = allocations_left == 1; // and all that follow
    if (allocations_left > 1) allocations_left--;
    if (fails || bytes > memory || in_use > memory - bytes)
        return set_error(cudaErrorMemoryAllocation, "out of memory");
    void *made = std::malloc(bytes);
    if (made == nullptr) return cudaErrorMemoryAllocation;
    std::memset(made, 0xA5, bytes);
    blocks[made] = bytes;
    cuda_on_cpu::own_block(made, bytes, device);
    cuda_on_cpu::global_add(made, bytes);
    in_use += bytes;
    *block = made;
    return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **block, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    const int device = pool != nullptr ? pool->device : cuda_on_cpu::device_in_use();
    cuda_on_cpu::check_stream(stream, device);
    return make_block(block, bytes, device);
}

cudaError_t cudaMalloc(void **block, size_t bytes) {
    cuda_on_cpu::finish_streams();
    return make_block(block, bytes, cuda_on_cpu::device_in_use());
}

static void free_block(void *block) {
    const auto found = blocks.find(block);
    if (found == blocks.end()) {
        fprintf(stderr, "cudaFreeAsync of a block that is not in use\n");
        std::abort();
    }
    in_use -= found->second;
    cuda_on_cpu::disown_block(block);
    blocks.erase(found);
    cuda_on_cpu::global_remove(block);
    std::free(block);
}

cudaError_t cudaFree(void *block) {
    cuda_on_cpu::finish_streams();
    if (block != nullptr) free_block(block);
    return lost;
}

cudaError_t cudaFreeAsync(void *block, cudaStream_t stream) {
    cuda_on_cpu::put(stream, [=] { free_block(block); });
    return lost;
}

void cuda_on_cpu_may_touch(cudaStream_t stream, void *at, size_t bytes, bool may) {
    cuda_on_cpu::put(stream, [=] {
        if (may)
            __asan_unpoison_memory_region(at, bytes);
        else
            __asan_poison_memory_region(at, bytes);
    });
}

cudaError_t cudaMallocHost(void **block, size_t bytes) {
    *block = std::malloc(bytes);
    return *block != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeHost(void *block) {
    std::free(block);
    return cudaSuccess;
}

static void copy_bytes(void *to, const void *from, size_t bytes) {
    if (lost != cudaSuccess || bytes == 0) return;
    if (!cuda_on_cpu::global_touch(from, bytes, cuda_on_cpu::GLOBAL_READ) ||
        !cuda_on_cpu::global_touch(to, bytes, cuda_on_cpu::GLOBAL_WRITE))
        set_error(cudaErrorLaunchFailure, cuda_on_cpu::failure_text());
    std::memcpy(to, from, bytes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    counts.copies++;
    if (kind == cudaMemcpyHostToDevice) counts.bytes_there += bytes;
    if (kind == cudaMemcpyDeviceToHost) counts.bytes_home += bytes;
    if (lost != cudaSuccess) return lost;
    cuda_on_cpu::put(stream, [=] { copy_bytes(to, from, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t stream) {
    counts.copies++;
    if (lost != cudaSuccess) return lost;
    if (width > to_pitch || width > from_pitch)
        return set_error(cudaErrorInvalidPitchValue, "rows are longer than their pitch");
    cuda_on_cpu::put(stream, [=] {
        for (size_t row = 0; row < height; row++)
            copy_bytes(static_cast<char *>(to) + row * to_pitch,
                       static_cast<const char *>(from) + row * from_pitch, width);
    });
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) {
    counts.clearings++;
    if (lost != cudaSuccess) return lost;
    cuda_on_cpu::put(stream, [=] {
        if (lost != cudaSuccess) return;
        if (!cuda_on_cpu::global_touch(at, bytes, cuda_on_cpu::GLOBAL_WRITE))
            set_error(cudaErrorLaunchFailure, cuda_on_cpu::failure_text());
        std::memset(at, value, bytes);
    });
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
    const cudaError_t error = last;
    last = lost;
    return error;
}

const char *cudaGetErrorString(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation) return "out of memory";
    return error == cudaSuccess ? "no error" : last_text;
}

cudaError_t cuda_on_cpu_set_attribute(cudaFuncAttribute attribute, size_t value) {
    counts.attributes++;
    const bool fits = attribute != cudaFuncAttributeMaxDynamicSharedMemorySize;
    return fits || value <= shared_bytes ? cudaSuccess : cudaErrorInvalidDevice;
}

void cuda_on_cpu_launch(const cuda_on_cpu::Shape &shape, cudaStream_t stream,
                        const cuda_on_cpu::Body *body) {
    const std::shared_ptr<const cuda_on_cpu::Body> kept(body);
    counts.launches++;
    if (lost != cudaSuccess) return;
    if (is_due(&refusals_left)) {
        set_error(cudaErrorInvalidConfiguration, "this launch was to be refused");
        return;
    }
    if (is_due(&launches_left)) {
        set_error(cudaErrorLaunchFailure, "this launch was asked to fail");
        return;
    }
    const int device = cuda_on_cpu::device_in_use();
    cuda_on_cpu::check_stream(stream, device);
    cuda_on_cpu::put(stream, [=] {
        if (lost != cudaSuccess) return;
        cuda_on_cpu::hide_other_blocks(device);
        if (!cuda_on_cpu::run_grid(shape, *kept))
            set_error(cudaErrorLaunchFailure, cuda_on_cpu::failure_text());
        cuda_on_cpu::show_all_blocks(device);
    });
}

void cuda_on_cpu_seed(uint64_t seed) {
    cuda_on_cpu::set_seed(seed);
    cuda_on_cpu::seed_streams(seed);
}

void cuda_on_cpu_devices(int count) {
    devices = count;
    cuda_on_cpu::use_device(0);
    last = lost = cudaSuccess;
}

void cuda_on_cpu_shared(uint64_t bytes) {
    shared_bytes = bytes > 0 ? bytes : static_cast<size_t>(cuda_on_cpu::SHARED_BYTES);
}

void cuda_on_cpu_fp64_slower(int times) {
    fp64_slower = times;
}

void cuda_on_cpu_pools(bool exist) {
    has_pools = exist;
}

void cuda_on_cpu_leave_error(void) {
    set_error(cudaErrorInvalidDevice, "left by somebody else");
}

void cuda_on_cpu_memory(uint64_t bytes) {
    memory = bytes;
}

void cuda_on_cpu_fail_launch(int64_t n) {
    launches_left = n;
}

void cuda_on_cpu_refuse_launch(int64_t n) {
    refusals_left = n;
}

void cuda_on_cpu_fail_allocation(int64_t n) {
    allocations_left = n;
}

int64_t cuda_on_cpu_live(void) {
    cuda_on_cpu::finish_streams();
    return static_cast<int64_t>(blocks.size());
}

cuda_on_cpu_Counts cuda_on_cpu_counts(void) {
    counts.synchronisations = cuda_on_cpu::synchronisations();
    counts.timings = cuda_on_cpu::timings();
    counts.bytes_read = cuda_on_cpu::global_bytes[0];
    counts.bytes_written = cuda_on_cpu::global_bytes[1];
    return counts;
}

void *cuda_on_cpu_allocate(void *, size_t bytes, void *stream) {
    void *block;
    cuda_on_cpu::check_stream(static_cast<cudaStream_t>(stream), cuda_on_cpu::device_in_use());
    return make_block(&block, bytes, cuda_on_cpu::device_in_use()) == cudaSuccess ? block : nullptr;
}

void cuda_on_cpu_release(void *, void *block, size_t bytes, void *stream) {
    if (blocks.count(block) == 0 || blocks[block] != bytes) std::abort();
    cudaFreeAsync(block, static_cast<cudaStream_t>(stream));
}

uint64_t cuda_on_cpu_trims(void) {
    return trims;
}
