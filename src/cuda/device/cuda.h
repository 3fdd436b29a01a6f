/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the CUDA device (device/table.cu).
 */
#ifndef GB_CUDA_CUDA_H
#define GB_CUDA_CUDA_H

#include "backend/device.h"

extern const gb_Device gb_cuda_device;

#endif
