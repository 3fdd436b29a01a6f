/* SPDX-License-Identifier: Apache-2.0
 *
 * Between libgblite and libgblite_cuda.so, a library of its own, so that a machine without a GPU
 * carries nothing of CUDA. libgblite loads it when something first wants the device
 * (kernel_api/loader.c). The device's library exports one symbol, a gb_DeviceLibrary, and takes
 * what it needs of libgblite from a gb_DeviceHost: neither sees the other's names.
 *
 * Both must come from the same sources, since views and tables cross the border as they are. The
 * loader compares version and sizes before it calls anything. `size` and `version` stay the first
 * members of gb_DeviceLibrary for ever, so that they can be read from a library of any version.
 */
#ifndef GB_KERNEL_API_DEVICE_LIBRARY_H
#define GB_KERNEL_API_DEVICE_LIBRARY_H

#include "kernel_api/device.h"
#include "semiring/ids.h"

/* The functions of these names, of core/memory.h, core/arrays.h and core/status.h. */
typedef struct {
    void *(*malloc)(size_t bytes);
    void (*free)(void *block, size_t bytes);
    bool (*size_mul)(size_t *bytes, uint64_t count, size_t size);
    gbl_Info (*cs_alloc)(gb_Cs *cs, uint64_t nmajor, uint64_t nvals, size_t xbytes);
    void (*cs_free)(gb_Cs *cs);
    gbl_Info (*dense_alloc)(gb_Dense *dense, uint64_t n, size_t xbytes, bool bitmap);
    void (*dense_free)(gb_Dense *dense);
    gb_CsView (*cs_view)(const gb_Cs *cs, uint64_t nminor, size_t xsize);
    gbl_Info (*fail)(gbl_Info code, const char *format, ...);
    gbl_Info (*fail_memory)(size_t bytes);
    const char *(*last_error)(void);
} gb_DeviceHost;

typedef struct {
    size_t size;         /* of this struct, in the build that made it */
    const char *version; /* GB_DEVICE_VERSION */
    uint32_t sizes[17];  /* GB_DEVICE_SIZES */
    /* The device's table; called once, before anything else of the library. `host` stays. */
    const gb_Device *(*attach)(const gb_DeviceHost *host);
} gb_DeviceLibrary;

#define GB_DEVICE_SYMBOL gblite_cuda_library
#define GB_DEVICE_QUOTE(text) #text
#define GB_DEVICE_NUMBERS(major, minor, patch)                                                     \
    GB_DEVICE_QUOTE(major) "." GB_DEVICE_QUOTE(minor) "." GB_DEVICE_QUOTE(patch)
#define GB_DEVICE_VERSION                                                                          \
    GB_DEVICE_NUMBERS(GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR, GBLITE_VERSION_PATCH)

/* Sizes of whatever crosses the border, and the number of semirings. */
#define GB_DEVICE_OTHER_SIZES                                                                      \
    sizeof(gb_DeviceHost), sizeof(gb_DeviceMxmArgs), sizeof(gb_DeviceMxmStats),                    \
        sizeof(gb_DeviceFacts), sizeof(gb_CsView), sizeof(gb_Cs), GB_RING_COUNT,                   \
        sizeof(gb_DeviceSpammArgs), sizeof(gb_DeviceSpammStats), sizeof(gb_Dense),                 \
        sizeof(gb_DeviceMxvArgs), sizeof(gb_DeviceWrite), sizeof(gb_DeviceMap),                    \
        sizeof(gb_DeviceMerge), sizeof(gb_DeviceRowMask), sizeof(gb_DeviceFilter)
#define GB_DEVICE_SIZES                                                                            \
    { sizeof(gb_Device), GB_DEVICE_OTHER_SIZES }

#endif
