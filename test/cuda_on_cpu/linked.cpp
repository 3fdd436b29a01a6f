/* SPDX-License-Identifier: Apache-2.0
 *
 * In programs that the stand-in is linked into, the device is there from the beginning; this takes
 * the place of src/kernel_api/loader.c.
 */
extern "C" {
#include "kernel_api/device.h"

extern const gb_Device gb_cuda_device; /* src/cuda/device/device.cu */

const gb_Device *gb_device(void) {
    return &gb_cuda_device;
}
}
