/* SPDX-License-Identifier: Apache-2.0
 *
 * Time on the device, and what the document says of it.
 */
#include "gpu/gpu.h"

#include <cuda_runtime_api.h>

#include "peers/cusparse.h"

double gpu_time(const gpu_contender *contender, void *state) {
    cudaEvent_t from = NULL, to = NULL;
    float milliseconds = 0.0f;
    bool good = cudaEventCreate(&from) == cudaSuccess && cudaEventCreate(&to) == cudaSuccess &&
                cudaEventRecord(from, NULL) == cudaSuccess && contender->run(state) == 0 &&
                cudaEventRecord(to, NULL) == cudaSuccess &&
                cudaEventSynchronize(to) == cudaSuccess &&
                cudaEventElapsedTime(&milliseconds, from, to) == cudaSuccess;
    if (from != NULL) cudaEventDestroy(from);
    if (to != NULL) cudaEventDestroy(to);
    return good ? 1e-3 * (double)milliseconds : -1.0;
}

int gpu_describe(cJSON *document) {
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
