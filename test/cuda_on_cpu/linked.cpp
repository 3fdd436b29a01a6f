/* SPDX-License-Identifier: Apache-2.0
 *
 * In programs that the stand-in is linked into, the device is there from the beginning; this takes
 * the place of src/backend/loader.c.
 */
extern "C" {
#include "cuda/device/cuda.h"

const gb_Device *gb_device(void) {
    return &gb_cuda_device;
}
}
