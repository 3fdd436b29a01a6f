/* SPDX-License-Identifier: Apache-2.0
 *
 * In programs that the stand-in is linked into, the device is there from the beginning; this takes
 * the place of src/backend/loader.c.
 */
extern "C" {
#include "backend/device.h"

extern const gb_Device gb_cuda_device; /* src/cuda/device/table.cu */

const gb_Device *gb_device(void) {
    return &gb_cuda_device;
}
}
