/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs (device/job.cuh): their blocks of device memory, what they read, side streams, and stages.
 */
#include "cuda/device/state.cuh"

void gb_job_begin(gb_Job *job) {
    pthread_mutex_lock(&gb_cuda_lock);
    memset(job, 0, sizeof *job);
    job->info = gb_cuda_open_locked();
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
    if (job->info == GBL_SUCCESS && error != cudaSuccess)
        job->info = gb_cuda_translate(error, what);
}

static uint64_t free_now(void) {
    const uint64_t limit = gb_cuda_limit();
    return gb_cuda.in_use > limit ? 0 : limit - gb_cuda.in_use;
}

uint64_t gb_job_capacity(const gb_Job *job) {
    return job->info != GBL_SUCCESS ? 0 : free_now() + gb_copies_idle_bytes();
}

/* The program's allocator, or our pool. */
static cudaError_t ask_for(void **block, size_t bytes, cudaStream_t stream) {
    const gb_DeviceSettings *given = &gb_cuda.settings;
    if (given->allocate == NULL) return gb_pool_take(gb_cuda.pool, block, bytes, stream);
    *block = given->allocate(given->state, bytes, stream);
    return *block != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* A block. Other programs may have taken what the limit allows, and free memory may
 * be in pieces; then copies go, too, and the pool gives back what it keeps. */
static cudaError_t take_block(gb_Job *job, void **block, size_t bytes) {
    for (;;) {
        const cudaError_t error = ask_for(block, bytes, job->stream);
        if (error != cudaErrorMemoryAllocation || !gb_copies_drop_one(job)) return error;
        cudaGetLastError(); /* this error need not stay; copies are freed on the main stream */
        if (cudaStreamSynchronize(gb_cuda.stream) == cudaSuccess && gb_cuda.pool != NULL)
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
                                 (unsigned long long)gb_cuda_limit()));
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
    const gb_DeviceSettings *given = &gb_cuda.settings;
    if (given->allocate == NULL)
        gb_pool_give(gb_cuda.pool, block, gb_cuda.stream);
    else
        given->release(given->state, block, bytes, gb_cuda.stream);
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
    char *made = gb_cuda.trial.arena != 0 ? gb_job_new<char>(job, bytes + zeros) : NULL;
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
                                      gb_cuda.trial.carveout),
                 "shared memory");
    if (job->info == GBL_SUCCESS && at != NULL) *at = kernel;
}

/* -- side streams; after an error they are joined all the same */

void gb_job_fork(gb_Job *job) {
    job->nlanes = 0;
    gb_job_check(job, cudaEventRecord(gb_cuda.forked, job->stream), "a fork");
}

void gb_job_next_lane(gb_Job *job) {
    const unsigned lanes = (unsigned)gb_cuda.trial.lanes, k = job->nlanes++ % lanes;
    job->stream = gb_cuda.lane[k];
    if (job->nlanes <= lanes)
        gb_job_check(job, cudaStreamWaitEvent(job->stream, gb_cuda.forked, 0), "a fork");
}

void gb_job_join(gb_Job *job) {
    job->stream = gb_cuda.stream;
    for (unsigned k = 0; k < job->nlanes && k < (unsigned)gb_cuda.trial.lanes; k++) {
        cudaError_t error = cudaEventRecord(gb_cuda.joined[k], gb_cuda.lane[k]);
        if (error == cudaSuccess) error = cudaStreamWaitEvent(job->stream, gb_cuda.joined[k], 0);
        gb_job_check(job, error, "a join");
    }
}

/* -- stages */

void gb_job_stage(gb_Job *job, gb_Stage stage) {
    if (gb_cuda.trial.stages == 0) return;
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
