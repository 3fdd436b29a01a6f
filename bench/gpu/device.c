/* SPDX-License-Identifier: Apache-2.0
 *
 * Time on the device, and what the document says of it.
 */
#include "gpu/gpu.h"

#include <cuda_runtime_api.h>

#include "peers/cusparse.h"
#include "peers/device.h"

double gpu_time(const gpu_contender *contender, void *state) {
    return device_time(contender->run, state);
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
