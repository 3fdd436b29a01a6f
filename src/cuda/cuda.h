/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the CUDA device (backend_cuda.cu).
 */
#ifndef GB_CUDA_CUDA_H
#define GB_CUDA_CUDA_H

#include "kernel_api/device.h"

extern const gb_Device gb_cuda_device;

#endif
