/* SPDX-License-Identifier: Apache-2.0
 *
 * See device.h.
 */
#include "peers/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

void *device_allocate(device_blocks *b, size_t bytes) {
    void *block = NULL;
    const cudaError_t error = b->count < DEVICE_BLOCKS
                                  ? cudaMallocAsync(&block, bytes > 0 ? bytes : 1, NULL)
                                  : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        fprintf(stderr, "gpu: a peer's %zu bytes: %s\n", bytes, cudaGetErrorString(error));
        return NULL;
    }
    b->block[b->count] = block;
    b->bytes[b->count++] = bytes;
    b->in_use += bytes;
    if (b->in_use > b->peak) b->peak = b->in_use;
    return block;
}

void *device_send(device_blocks *b, const void *host, size_t bytes) {
    void *block = device_allocate(b, bytes);
    if (block != NULL && cudaMemcpy(block, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
        return NULL;
    return block;
}

void device_drop(device_blocks *b, int keep) {
    while (b->count > keep) {
        cudaFreeAsync(b->block[--b->count], NULL);
        b->in_use -= b->bytes[b->count];
    }
}

bool device_keep_freed_memory(bool keep) {
    cudaMemPool_t pool;
    uint64_t most = keep ? UINT64_MAX : 0;
    return cudaDeviceSynchronize() == cudaSuccess &&
           cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most) == cudaSuccess &&
           (keep || cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
}

static void *fetch(const void *there, uint64_t n, size_t size) {
    void *here = malloc((n + 1) * size);
    if (here == NULL || cudaMemcpy(here, there, n * size, cudaMemcpyDeviceToHost) == cudaSuccess)
        return here;
    free(here);
    return NULL;
}

int device_check(const device_result *r, gpu_checksum *sum) {
    void *given = fetch(r->p, r->m + 1, r->wide ? sizeof(uint64_t) : sizeof(int));
    uint64_t *p = malloc((r->m + 1) * sizeof *p);
    uint32_t *i = fetch(r->i, r->nvals, sizeof *i);
    double *x = fetch(r->x, r->nvals, sizeof *x);
    const bool good = given != NULL && p != NULL && i != NULL && x != NULL;
    for (uint64_t k = 0; good && k <= r->m; k++)
        p[k] = r->wide ? ((uint64_t *)given)[k] : (uint64_t)((int *)given)[k];
    if (good) *sum = gpu_check(r->m, p, i, x);
    free(given);
    free(p);
    free(i);
    free(x);
    return good ? 0 : -1;
}

double device_time(int (*run)(void *context), void *context) {
    cudaEvent_t from = NULL, to = NULL;
    float milliseconds = 0.0f;
    const bool good =
        cudaEventCreate(&from) == cudaSuccess && cudaEventCreate(&to) == cudaSuccess &&
        cudaEventRecord(from, NULL) == cudaSuccess && run(context) == 0 &&
        cudaEventRecord(to, NULL) == cudaSuccess && cudaEventSynchronize(to) == cudaSuccess &&
        cudaEventElapsedTime(&milliseconds, from, to) == cudaSuccess;
    if (from != NULL) cudaEventDestroy(from);
    if (to != NULL) cudaEventDestroy(to);
    return good ? 1e-3 * (double)milliseconds : -1.0;
}

int device_describe(cJSON *document) {
    struct cudaDeviceProp properties;
    int driver = 0, runtime = 0;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess ||
        cudaRuntimeGetVersion(&runtime) != cudaSuccess)
        return -1;
    cJSON_AddStringToObject(document, "device", properties.name);
    cJSON_AddNumberToObject(document, "multiprocessors", properties.multiProcessorCount);
    cJSON_AddNumberToObject(document, "cuda_of_driver", driver);
    cJSON_AddNumberToObject(document, "cuda_of_runtime", runtime);
    cJSON_AddNumberToObject(document, "cusparse", cusparse_version()); /* 0: it is not here */
    return 0;
}
