/* SPDX-License-Identifier: Apache-2.0
 *
 * The device: started once, by the first call that needs it; its errors. An error of a
 * kernel or of the driver spoils CUDA's context for good, so after one the device answers every
 * call with what went wrong, until gbl_finalize. Other errors, of a launch with wrong numbers say,
 * are those of their job alone.
 */
#include "cuda/device/state.cuh"

#include <stdlib.h>

gb_Cuda gb_cuda;
pthread_mutex_t gb_cuda_lock = PTHREAD_MUTEX_INITIALIZER;

gbl_Info gb_cuda_translate(cudaError_t error, const char *what) {
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* this error need not stay: later calls may want less */
        return gb_fail(GBL_OUT_OF_MEMORY, "the GPU has not enough memory for %s", what);
    }
    snprintf(gb_cuda.why, sizeof gb_cuda.why, "the GPU failed at %s: %s", what,
             cudaGetErrorString(error));
    cudaGetLastError();
    if (gb_cuda.stream == NULL || cudaStreamSynchronize(gb_cuda.stream) != cudaSuccess)
        gb_cuda.state = GBL_PANIC; /* every later call fails with the same text */
    return gb_fail(GBL_PANIC, "%s", gb_cuda.why);
}

/* The device's number: the environment variable GBLITE_DEVICE, or 0. */
static gbl_Info choose_device(int *device) {
    const char *wanted = getenv("GBLITE_DEVICE");
    int count = 0;
    *device = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver)
        return gb_fail(
            GBL_INVALID_VALUE,
            "there is no usable GPU: no driver is installed, or one older than CUDA %d.%d "
            "wants; install a newer one, or let products run on the CPU",
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (error != cudaSuccess || count == 0)
        return gb_fail(GBL_INVALID_VALUE, "there is no usable GPU: %s",
                       error != cudaSuccess ? cudaGetErrorString(error) : "none is installed");
    if (wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    char *end;
    const long number = strtol(wanted, &end, 10);
    if (*end != '\0' || number < 0 || number >= count)
        return gb_fail(GBL_INVALID_VALUE, "GBLITE_DEVICE is '%.20s'; it must be a number below %d",
                       wanted, count);
    *device = (int)number;
    return GBL_SUCCESS;
}

/* Reads GBLITE_CUDA. */
static gbl_Info read_trial(gb_CudaTrial *trial) {
    const struct {
        const char *name;
        int *number, most;
    } known[] = {{"carveout", &trial->carveout, 100}, {"lanes", &trial->lanes, GB_CUDA_LANES_MOST},
                 {"query", &trial->query, 2},         {"pool", &trial->pool, 1},
                 {"stages", &trial->stages, 1},       {"arena", &trial->arena, 1}};
    const char *at = getenv("GBLITE_CUDA");
    *trial = gb_CudaTrial{GB_CUDA_CARVEOUT, GB_CUDA_LANES, 2, 1, getenv("GBLITE_TRACE") != NULL, 1};
    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at, "=");
        bool good = false;
        for (const auto &one : known) {
            if (strncmp(at, one.name, length) != 0 || one.name[length] != '\0') continue;
            char *end = NULL;
            const long number = at[length] == '=' ? strtol(at + length + 1, &end, 10) : -1;
            good = number >= 0 && number <= one.most && (*end == ',' || *end == '\0');
            *one.number = (int)number;
        }
        if (!good)
            return gb_fail(GBL_INVALID_VALUE,
                           "GBLITE_CUDA is wrong from '%.40s' on; give NAME=NUMBER of carveout "
                           "(0 to 100), lanes (1 to %d), query (0 to 2), pool, stages, arena (0 "
                           "or 1), with commas between",
                           at, GB_CUDA_LANES_MOST);
        at += strcspn(at, ",");
        at += *at == ',';
    }
    if (trial->lanes == 0) trial->lanes = 1;
    return GBL_SUCCESS;
}

cudaError_t gb_pool_create(cudaMemPool_t *pool, int device) {
    int has_pools = 0;
    *pool = NULL;
    if (gb_cuda.trial.pool == 0) return cudaSuccess;
    if (cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device) !=
            cudaSuccess ||
        !has_pools) {
        cudaGetLastError();
        return cudaSuccess;
    }
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    uint64_t keep = UINT64_MAX;
    cudaError_t error = cudaMemPoolCreate(pool, &properties);
    if (error == cudaSuccess)
        error = cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &keep);
    return error;
}

cudaError_t gb_pool_take(cudaMemPool_t pool, void **block, size_t bytes, cudaStream_t stream) {
    return pool != NULL ? cudaMallocFromPoolAsync(block, bytes, pool, stream)
                        : cudaMalloc(block, bytes);
}

/* Kernels that were begun may still use the block: without a pool they are waited for. */
void gb_pool_give(cudaMemPool_t pool, void *block, cudaStream_t stream) {
    if (pool != NULL) {
        cudaFreeAsync(block, stream);
    } else {
        cudaStreamSynchronize(stream);
        cudaFree(block);
    }
}

static gbl_Info make_staging(void) {
    for (int k = 0; k < 2; k++) {
        cudaError_t error = cudaMallocHost(&gb_cuda.staging[k], GB_CUDA_STAGING);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&gb_cuda.moved[k], cudaEventDisableTiming);
        if (error != cudaSuccess) return gb_cuda_translate(error, "buffers for moving data");
    }
    return GBL_SUCCESS;
}

/* The stream of the settings, or a new one of our own. */
static cudaError_t choose_stream(cudaStream_t *stream) {
    *stream = static_cast<cudaStream_t>(gb_cuda.settings.stream);
    return *stream != NULL ? cudaSuccess : cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

static gbl_Info make_streams(void) {
    cudaError_t error = choose_stream(&gb_cuda.stream);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&gb_cuda.forked, cudaEventDisableTiming);
    for (int k = 0; k < gb_cuda.trial.lanes && error == cudaSuccess; k++) {
        error = cudaStreamCreateWithFlags(&gb_cuda.lane[k], cudaStreamNonBlocking);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&gb_cuda.joined[k], cudaEventDisableTiming);
    }
    return error == cudaSuccess ? GBL_SUCCESS : gb_cuda_translate(error, "making streams");
}

/* Of memory that moves data twice a clock, as all of it does; 0 where the driver does not say. */
static double bandwidth_of(int device) {
    int kilohertz = 0, bits = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess) {
        cudaGetLastError();
        return 0.0;
    }
    return 2.0 * kilohertz * (bits / 8) * 1e-6;
}

/* Whether FP64 goes through tensor cores that are faster than the others: all chips of 8.0 and
 * newer know the instruction, but those of which FP32 is more than twice as fast run it on few
 * units. GBLITE_TENSOR_CORES=off: they are not used. */
static bool has_tensor_cores(int device) {
    const char *wanted = getenv("GBLITE_TENSOR_CORES");
    int times = 0; /* FP32 is so many times as fast */
    if (wanted != NULL && strcmp(wanted, "off") == 0) return false;
    const cudaError_t error =
        cudaDeviceGetAttribute(&times, cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess && times > 0 && times <= 2;
}

static gbl_Info start(void) {
    cudaDeviceProp properties;
    size_t available, total;
    int device;
    memset(gb_cuda.allowed, 0, sizeof gb_cuda.allowed); /* another device knows no kernel yet */
    gbl_Info info = read_trial(&gb_cuda.trial);
    if (info == GBL_SUCCESS) info = choose_device(&device);
    if (info != GBL_SUCCESS) return info;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) error = cudaMemGetInfo(&available, &total);
    if (error != cudaSuccess) return gb_cuda_translate(error, "its start");
    if (properties.major < 8)
        return gb_fail(GBL_INVALID_VALUE,
                       "GPU %.40s has compute capability %d.%d; 8.0 or newer is needed",
                       properties.name, properties.major, properties.minor);
    info = make_streams();
    if (info == GBL_SUCCESS) {
        error = gb_pool_create(&gb_cuda.pool, device);
        if (error != cudaSuccess) info = gb_cuda_translate(error, "making a pool of memory");
    }
    if (info == GBL_SUCCESS) info = make_staging();
    if (info != GBL_SUCCESS) return info;
    snprintf(gb_cuda.name, sizeof gb_cuda.name, "%.63s", properties.name);
    gb_cuda.device = device;
    gb_cuda.multiprocessors = properties.multiProcessorCount;
    gb_cuda.shared = properties.sharedMemPerBlockOptin;
    gb_cuda.memory = available;
    gb_cuda.total = total;
    gb_cuda.bandwidth = bandwidth_of(device);
    gb_cuda.tensor_cores = has_tensor_cores(device);
    return GBL_SUCCESS;
}

/* Under the lock. */
gbl_Info gb_cuda_open_locked(void) {
    if (!gb_cuda.tried) {
        gb_cuda.tried = true;
        gb_cuda.state = start();
        if (gb_cuda.state != GBL_SUCCESS)
            snprintf(gb_cuda.why, sizeof gb_cuda.why, "%s", gbl_last_error());
    }
    if (gb_cuda.state == GBL_SUCCESS) return GBL_SUCCESS;
    return gb_fail(gb_cuda.state, "%s", gb_cuda.why);
}

gbl_Info gb_cuda_open(void) {
    pthread_mutex_lock(&gb_cuda_lock);
    const gbl_Info info = gb_cuda_open_locked();
    pthread_mutex_unlock(&gb_cuda_lock);
    return info;
}

template <class T, class Destroy> static void destroy(T *handle, Destroy destroy_one) {
    if (*handle != NULL) destroy_one(*handle);
    *handle = NULL;
}

static void drop_stream(void) {
    if (gb_cuda.settings.stream == NULL) destroy(&gb_cuda.stream, cudaStreamDestroy);
    gb_cuda.stream = NULL;
}

void gb_cuda_close(void) {
    pthread_mutex_lock(&gb_cuda_lock);
    gb_spamm_close_peers();
    if (gb_cuda.stream != NULL) cudaSetDevice(gb_cuda.device);
    gb_copies_forget(); /* a pool with blocks in use would stay */
    for (int k = 0; k < 2; k++) {
        destroy(&gb_cuda.moved[k], cudaEventDestroy);
        destroy(&gb_cuda.staging[k], cudaFreeHost);
    }
    for (unsigned k = 0; k < gb_cuda.nmarks; k++) cudaEventDestroy(gb_cuda.marks[k].event);
    gb_cuda.nmarks = gb_cuda.used_marks = 0;
    for (int k = 0; k < GB_CUDA_LANES_MOST; k++) {
        destroy(&gb_cuda.joined[k], cudaEventDestroy);
        destroy(&gb_cuda.lane[k], cudaStreamDestroy);
    }
    destroy(&gb_cuda.forked, cudaEventDestroy);
    destroy(&gb_cuda.pool, cudaMemPoolDestroy);
    drop_stream();
    gb_cuda.settings = gb_DeviceSettings{gb_cuda.settings.memory_limit, NULL, NULL, NULL, NULL};
    gb_cuda.tried = false;
    pthread_mutex_unlock(&gb_cuda_lock);
}

/* Work begun on the old stream is done before any on the new one. */
static gbl_Info change_stream(const gb_DeviceSettings *from) {
    if (gb_cuda.stream == NULL || from->stream == gb_cuda.settings.stream) return GBL_SUCCESS;
    cudaError_t error = cudaSetDevice(gb_cuda.device);
    if (error == cudaSuccess) error = cudaStreamSynchronize(gb_cuda.stream);
    if (error != cudaSuccess) return gb_cuda_translate(error, "a change of streams");
    drop_stream();
    gb_cuda.settings.stream = from->stream;
    error = choose_stream(&gb_cuda.stream);
    return error == cudaSuccess ? GBL_SUCCESS : gb_cuda_translate(error, "making a stream");
}

gbl_Info gb_cuda_set(gb_DeviceSetting which, const gb_DeviceSettings *from) {
    gbl_Info info = GBL_SUCCESS;
    pthread_mutex_lock(&gb_cuda_lock);
    if (which == GB_DEVICE_STREAM) info = change_stream(from);
    if (which == GB_DEVICE_ALLOCATOR && gb_cuda.in_use > 0)
        info = gb_fail(GBL_INVALID_VALUE,
                       "the GPU holds %llu bytes of matrices and vectors; give it an allocator "
                       "before its first call, or free them",
                       (unsigned long long)gb_cuda.in_use);
    if (info == GBL_SUCCESS) gb_device_settings_take(&gb_cuda.settings, which, from);
    pthread_mutex_unlock(&gb_cuda_lock);
    return info;
}

/* A pool of the program's counts as used at the start, and may have all of the card. */
uint64_t gb_cuda_limit(void) {
    const uint64_t limit = gb_cuda.settings.memory_limit;
    const uint64_t most = gb_cuda.settings.allocate != NULL ? gb_cuda.total : gb_cuda.memory;
    return limit > 0 && limit < most ? limit : most;
}

void gb_cuda_facts(gb_DeviceFacts *facts) {
    pthread_mutex_lock(&gb_cuda_lock);
    memset(facts, 0, sizeof *facts);
    memcpy(facts->name, gb_cuda.name, sizeof facts->name);
    facts->multiprocessors = gb_cuda.multiprocessors;
    facts->memory = gb_cuda.memory;
    facts->bandwidth = gb_cuda.bandwidth;
    facts->tensor_cores = gb_cuda.tensor_cores;
    facts->memory_limit = gb_cuda_limit();
    facts->bytes_in_use = gb_cuda.in_use;
    facts->bytes_peak = gb_cuda.peak;
    facts->bytes_up = gb_cuda.bytes_up;
    facts->bytes_down = gb_cuda.bytes_down;
    facts->seconds_moving = gb_cuda.seconds_moving;
    pthread_mutex_unlock(&gb_cuda_lock);
}

void gb_cuda_forget_peak(void) {
    pthread_mutex_lock(&gb_cuda_lock);
    gb_cuda.peak = gb_cuda.in_use;
    pthread_mutex_unlock(&gb_cuda_lock);
}

/* -- the table that device/library.c hands to the library */

static constexpr gb_Device make_table(void) {
    gb_Device table = {};
#define GB_SET(name) table.name = gb_cuda_##name;
    GB_CUDA_FUNCTIONS(GB_SET)
#undef GB_SET
    return table;
}

extern "C" {
extern const gb_Device gb_cuda_device;
const gb_Device gb_cuda_device = make_table();
}
