/* SPDX-License-Identifier: Apache-2.0
 *
 * The device: started once, by the first call that needs it; its memory; its errors. An error of a
 * kernel or of the driver spoils CUDA's context for good, so after one the device answers every
 * call with what went wrong, until gbl_finalize. Other errors, of a launch with wrong numbers say,
 * are those of their job alone.
 */
#include "cuda/device/state.cuh"

#include <stdlib.h>

gb_Cuda gb_cuda;
pthread_mutex_t gb_cuda_lock = PTHREAD_MUTEX_INITIALIZER;

static gbl_Info translate(cudaError_t error, const char *what) {
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

cudaError_t gb_pool_create(cudaMemPool_t *pool, int device) {
    cudaMemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    uint64_t keep = UINT64_MAX;
    cudaError_t error = cudaMemPoolCreate(pool, &properties);
    if (error == cudaSuccess)
        error = cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &keep);
    return error;
}

static gbl_Info make_staging(void) {
    for (int k = 0; k < 2; k++) {
        cudaError_t error = cudaMallocHost(&gb_cuda.staging[k], GB_CUDA_STAGING);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&gb_cuda.moved[k], cudaEventDisableTiming);
        if (error != cudaSuccess) return translate(error, "buffers for moving data");
    }
    return GBL_SUCCESS;
}

static gbl_Info make_streams(void) {
    cudaError_t error = cudaStreamCreateWithFlags(&gb_cuda.stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&gb_cuda.forked, cudaEventDisableTiming);
    for (int k = 0; k < GB_CUDA_LANES && error == cudaSuccess; k++) {
        error = cudaStreamCreateWithFlags(&gb_cuda.lane[k], cudaStreamNonBlocking);
        if (error == cudaSuccess)
            error = cudaEventCreateWithFlags(&gb_cuda.joined[k], cudaEventDisableTiming);
    }
    return error == cudaSuccess ? GBL_SUCCESS : translate(error, "making streams");
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
    gbl_Info info = choose_device(&device);
    if (info != GBL_SUCCESS) return info;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) error = cudaMemGetInfo(&available, &total);
    if (error != cudaSuccess) return translate(error, "its start");
    if (properties.major < 8)
        return gb_fail(GBL_INVALID_VALUE,
                       "GPU %.40s has compute capability %d.%d; 8.0 or newer is needed",
                       properties.name, properties.major, properties.minor);
    info = make_streams();
    if (info == GBL_SUCCESS) {
        error = gb_pool_create(&gb_cuda.pool, device);
        if (error != cudaSuccess) info = translate(error, "making a pool of memory");
    }
    if (info == GBL_SUCCESS) info = make_staging();
    if (info != GBL_SUCCESS) return info;
    snprintf(gb_cuda.name, sizeof gb_cuda.name, "%.63s", properties.name);
    gb_cuda.device = device;
    gb_cuda.multiprocessors = properties.multiProcessorCount;
    gb_cuda.shared = properties.sharedMemPerBlockOptin;
    gb_cuda.memory = available;
    gb_cuda.bandwidth = bandwidth_of(device);
    gb_cuda.tensor_cores = has_tensor_cores(device);
    return GBL_SUCCESS;
}

/* Under the lock. */
static gbl_Info open_locked(void) {
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
    const gbl_Info info = open_locked();
    pthread_mutex_unlock(&gb_cuda_lock);
    return info;
}

template <class T, class Destroy> static void destroy(T *handle, Destroy destroy_one) {
    if (*handle != NULL) destroy_one(*handle);
    *handle = NULL;
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
    for (int k = 0; k < GB_CUDA_LANES; k++) {
        destroy(&gb_cuda.joined[k], cudaEventDestroy);
        destroy(&gb_cuda.lane[k], cudaStreamDestroy);
    }
    destroy(&gb_cuda.forked, cudaEventDestroy);
    destroy(&gb_cuda.pool, cudaMemPoolDestroy);
    destroy(&gb_cuda.stream, cudaStreamDestroy);
    gb_cuda.tried = false;
    pthread_mutex_unlock(&gb_cuda_lock);
}

void gb_cuda_set_memory_limit(uint64_t bytes) {
    pthread_mutex_lock(&gb_cuda_lock);
    gb_cuda.limit = bytes;
    pthread_mutex_unlock(&gb_cuda_lock);
}

static uint64_t limit_now(void) {
    return gb_cuda.limit > 0 && gb_cuda.limit < gb_cuda.memory ? gb_cuda.limit : gb_cuda.memory;
}

void gb_cuda_facts(gb_DeviceFacts *facts) {
    pthread_mutex_lock(&gb_cuda_lock);
    memset(facts, 0, sizeof *facts);
    memcpy(facts->name, gb_cuda.name, sizeof facts->name);
    facts->multiprocessors = gb_cuda.multiprocessors;
    facts->memory = gb_cuda.memory;
    facts->bandwidth = gb_cuda.bandwidth;
    facts->tensor_cores = gb_cuda.tensor_cores;
    facts->memory_limit = limit_now();
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

/* -- jobs */

void gb_job_begin(gb_Job *job) {
    pthread_mutex_lock(&gb_cuda_lock);
    memset(job, 0, sizeof *job);
    job->info = open_locked();
    if (job->info != GBL_SUCCESS) return;
    job->stream = gb_cuda.stream;
    job->moved = gb_cuda.moved;
    job->multiprocessors = gb_cuda.multiprocessors;
    job->shared = gb_cuda.shared;
    job->tensor_cores = gb_cuda.tensor_cores;
    gb_cuda.used_marks = 0;
    gb_job_check(job, cudaSetDevice(gb_cuda.device), "its choice"); /* a setting per thread */
    cudaGetLastError(); /* of the caller's own use of CUDA: it is not about our kernels */
}

static void drop_at(gb_Job *job, unsigned k) {
    void *block = job->blocks[k].at;
    if (block == job->arena) job->arena = NULL;
    gb_cuda_free(block, gb_job_keep(job, block));
}

static void drop_from(gb_Job *job, unsigned nblocks) {
    while (job->nblocks > nblocks) drop_at(job, job->nblocks - 1);
}

void gb_job_rewind(gb_Job *job, unsigned nblocks) {
    drop_from(job, nblocks);
    job->info = GBL_SUCCESS;
    job->no_room = false;
}

void gb_job_drop_but(gb_Job *job, unsigned nblocks, const gb_DeviceCs *C) {
    for (unsigned k = job->nblocks; k-- > nblocks;) { /* the last replaces the dropped one */
        const void *block = job->blocks[k].at;
        if (block != C->p && block != C->i && block != C->x) drop_at(job, k);
    }
}

gbl_Info gb_job_end(gb_Job *job) {
    drop_from(job, 0);
    const gbl_Info info = job->info;
    pthread_mutex_unlock(&gb_cuda_lock);
    return info;
}

void gb_job_fail(gb_Job *job, gbl_Info info) {
    if (job->info == GBL_SUCCESS) job->info = info;
}

void gb_job_check(gb_Job *job, cudaError_t error, const char *what) {
    if (job->info == GBL_SUCCESS && error != cudaSuccess) job->info = translate(error, what);
}

static uint64_t free_now(void) {
    const uint64_t limit = limit_now();
    return gb_cuda.in_use > limit ? 0 : limit - gb_cuda.in_use;
}

uint64_t gb_job_capacity(const gb_Job *job) {
    return job->info != GBL_SUCCESS ? 0 : free_now() + gb_copies_idle_bytes();
}

/* A block from the pool. Other programs may have taken what the limit allows, and free memory may
 * be in pieces; then copies go, too, and the pool gives back what it keeps. */
static cudaError_t take_block(gb_Job *job, void **block, size_t bytes) {
    for (;;) {
        const cudaError_t error = cudaMallocFromPoolAsync(block, bytes, gb_cuda.pool, job->stream);
        if (error != cudaErrorMemoryAllocation || !gb_copies_drop_one(job)) return error;
        cudaGetLastError();                                       /* this error need not stay */
        if (cudaStreamSynchronize(gb_cuda.stream) == cudaSuccess) /* where copies are freed */
            cudaMemPoolTrimTo(gb_cuda.pool, 0);
    }
}

void *gb_job_bytes(gb_Job *job, uint64_t count, size_t size) {
    size_t bytes;
    void *block = NULL;
    if (job->info != GBL_SUCCESS) return NULL;
    if (!gb_size_mul(&bytes, count > 0 ? count : 1, size)) bytes = SIZE_MAX;
    bool fits = job->nblocks < GB_JOB_BLOCKS && bytes <= gb_job_capacity(job);
    while (fits && bytes > free_now()) fits = gb_copies_drop_one(job);
    if (!fits) {
        job->no_room = true;
        gb_job_fail(job, gb_fail(GBL_OUT_OF_MEMORY,
                                 "no room for %zu bytes on the GPU, where %llu of %llu are in use",
                                 bytes, (unsigned long long)gb_cuda.in_use,
                                 (unsigned long long)limit_now()));
        return NULL;
    }
    gb_job_check(job, take_block(job, &block, bytes), "an array");
    job->no_room = job->info == GBL_OUT_OF_MEMORY;
    if (job->info != GBL_SUCCESS) return NULL;
    job->blocks[job->nblocks].at = block;
    job->blocks[job->nblocks++].bytes = bytes;
    gb_cuda.in_use += bytes;
    if (gb_cuda.in_use > gb_cuda.peak) gb_cuda.peak = gb_cuda.in_use;
    return block;
}

size_t gb_job_keep(gb_Job *job, void *block) {
    for (unsigned k = 0; k < job->nblocks; k++) {
        if (job->blocks[k].at != block) continue;
        const size_t bytes = job->blocks[k].bytes;
        job->blocks[k] = job->blocks[--job->nblocks];
        return bytes;
    }
    return 0;
}

void gb_cuda_free(void *block, size_t bytes) {
    if (block == NULL) return;
    cudaFreeAsync(block, gb_cuda.stream);
    gb_cuda.in_use -= bytes;
}

static bool is_of_arena(const gb_Job *job, const void *block) {
    const char *at = static_cast<const char *>(block);
    return job->arena != NULL && at >= job->arena && at < job->arena + job->arena_bytes;
}

void gb_job_drop(gb_Job *job, void *block) {
    if (block != NULL && !is_of_arena(job, block)) gb_cuda_free(block, gb_job_keep(job, block));
}

void gb_job_zero(gb_Job *job, void *at, size_t bytes) {
    if (job->info == GBL_SUCCESS)
        gb_job_check(job, cudaMemsetAsync(at, 0, bytes, job->stream), "clearing an array");
}

void gb_job_arena(gb_Job *job, uint64_t bytes, uint64_t zeros) {
    char *made = gb_job_new<char>(job, bytes + zeros);
    if (made == NULL) return;
    job->arena = made;
    job->arena_bytes = (size_t)(bytes + zeros);
    job->arena_used = job->zeros = (size_t)zeros;
    job->zeros_used = 0;
    if (zeros > 0) gb_job_zero(job, made, job->zeros);
    gb_guard(job->stream, made, job->arena_bytes);
}

void *gb_job_arena_bytes(gb_Job *job, uint64_t count, size_t size, bool zeroed) {
    size_t bytes;
    size_t *used = zeroed ? &job->zeros_used : &job->arena_used;
    const size_t end = zeroed ? job->zeros : job->arena_bytes;
    if (job->arena != NULL && gb_size_mul(&bytes, count, size) && bytes < end - *used &&
        gb_arena_part(bytes) <= end - *used) {
        char *at = job->arena + *used;
        *used += (size_t)gb_arena_part(bytes);
        gb_unguard(job->stream, at, bytes);
        return at;
    }
    void *made = gb_job_bytes(job, count, size);
    if (zeroed && made != NULL) gb_job_zero(job, made, (size_t)count * size);
    return made;
}

void gb_job_read_all(gb_Job *job, const gb_Reading *list, unsigned n) {
    char *at = static_cast<char *>(gb_cuda.staging[0]);
    if (job->info != GBL_SUCCESS) return;
    for (unsigned k = 0; k < n; at += list[k++].bytes)
        gb_job_check(
            job,
            cudaMemcpyAsync(at, list[k].device, list[k].bytes, cudaMemcpyDeviceToHost, job->stream),
            "reading a result");
    gb_job_check(job, cudaStreamSynchronize(job->stream), "a kernel");
    at = static_cast<char *>(gb_cuda.staging[0]);
    for (unsigned k = 0; k < n && job->info == GBL_SUCCESS; at += list[k++].bytes)
        memcpy(list[k].host, at, list[k].bytes);
}

void gb_job_read(gb_Job *job, void *host, const void *device, size_t bytes) {
    const gb_Reading one = {host, device, bytes};
    gb_job_read_all(job, &one, 1);
}

/* Where the kernel is in the table, or may go; NULL: the table is full. */
static const void **find_kernel(const void *kernel) {
    const uint64_t hash = (uint64_t)(uintptr_t)kernel / 16 * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned k = 0; k < GB_CUDA_KERNELS; k++) {
        const void **at = &gb_cuda.allowed[((hash >> 32) + k) % GB_CUDA_KERNELS];
        if (*at == kernel || *at == NULL) return at;
    }
    return NULL;
}

void gb_job_allow(gb_Job *job, const void *kernel, size_t bytes) {
    const void **at = find_kernel(kernel);
    if (job->info != GBL_SUCCESS || (at != NULL && *at == kernel)) return;
    if (bytes > 0)
        gb_job_check(
            job,
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
            "shared memory");
    gb_job_check(job,
                 cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      cudaSharedmemCarveoutMaxShared),
                 "shared memory");
    if (job->info == GBL_SUCCESS && at != NULL) *at = kernel;
}

/* -- side streams; after an error they are joined all the same */

void gb_job_fork(gb_Job *job) {
    job->nlanes = 0;
    gb_job_check(job, cudaEventRecord(gb_cuda.forked, job->stream), "a fork");
}

void gb_job_next_lane(gb_Job *job) {
    const unsigned k = job->nlanes++ % GB_CUDA_LANES;
    job->stream = gb_cuda.lane[k];
    if (job->nlanes <= GB_CUDA_LANES)
        gb_job_check(job, cudaStreamWaitEvent(job->stream, gb_cuda.forked, 0), "a fork");
}

void gb_job_join(gb_Job *job) {
    job->stream = gb_cuda.stream;
    for (unsigned k = 0; k < job->nlanes && k < GB_CUDA_LANES; k++) {
        cudaError_t error = cudaEventRecord(gb_cuda.joined[k], gb_cuda.lane[k]);
        if (error == cudaSuccess) error = cudaStreamWaitEvent(job->stream, gb_cuda.joined[k], 0);
        gb_job_check(job, error, "a join");
    }
}

/* -- stages */

void gb_job_stage(gb_Job *job, gb_Stage stage) {
    if (job->info != GBL_SUCCESS || gb_cuda.used_marks == GB_CUDA_MARKS) return;
    if (gb_cuda.used_marks == gb_cuda.nmarks) {
        gb_job_check(job, cudaEventCreate(&gb_cuda.marks[gb_cuda.nmarks].event), "a mark of time");
        if (job->info != GBL_SUCCESS) return;
        gb_cuda.nmarks++;
    }
    gb_cuda.marks[gb_cuda.used_marks].stage = stage;
    gb_job_check(job, cudaEventRecord(gb_cuda.marks[gb_cuda.used_marks++].event, job->stream),
                 "a mark of time");
}

void gb_job_seconds(gb_Job *job, double seconds[GB_STAGES], const gb_Reading *list, unsigned n) {
    for (int s = 0; s < GB_STAGES; s++) seconds[s] = 0.0;
    gb_job_stage(job, GB_STAGES);
    gb_job_read_all(job, list, n);
    for (unsigned k = 0; k + 1 < gb_cuda.used_marks; k++) {
        float milliseconds = 0.0f;
        gb_job_check(
            job,
            cudaEventElapsedTime(&milliseconds, gb_cuda.marks[k].event, gb_cuda.marks[k + 1].event),
            "reading a time");
        seconds[gb_cuda.marks[k].stage] += 1e-3 * (double)milliseconds;
    }
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
