/* SPDX-License-Identifier: Apache-2.0
 *
 * The border of libgblite_cuda.so: the one symbol that it exports, and the functions that its
 * sources call by the names they have in libgblite (kernel_api/device.h).
 */
#include "kernel_api/device.h"

#include <stdio.h>

#include "core/arrays.h"

extern const gb_Device gb_cuda_device; /* device/device.cu */

static const gb_DeviceHost *host;

static const gb_Device *attach(const gb_DeviceHost *with) {
    host = with;
    return &gb_cuda_device;
}

extern const gb_DeviceLibrary GB_DEVICE_SYMBOL;
__attribute__((visibility("default"))) const gb_DeviceLibrary GB_DEVICE_SYMBOL = {
    .size = sizeof(gb_DeviceLibrary),
    .version = GB_DEVICE_VERSION,
    .sizes = GB_DEVICE_SIZES,
    .attach = attach,
};

#define FORWARD(Result, name, parameters, arguments)                                               \
    Result gb_##name parameters {                                                                  \
        return host->name arguments;                                                               \
    }
FORWARD(void *, malloc, (size_t bytes), (bytes))
FORWARD(bool, size_mul, (size_t * bytes, uint64_t count, size_t size), (bytes, count, size))
FORWARD(gbl_Info, cs_alloc, (gb_Cs * cs, uint64_t nmajor, uint64_t nvals, size_t xbytes),
        (cs, nmajor, nvals, xbytes))
FORWARD(gbl_Info, dense_alloc, (gb_Dense * dense, uint64_t n, size_t xbytes, bool bitmap),
        (dense, n, xbytes, bitmap))
FORWARD(gb_CsView, cs_view, (const gb_Cs *cs, uint64_t nminor, size_t xsize), (cs, nminor, xsize))
FORWARD(gbl_Info, fail_memory, (size_t bytes), (bytes))

#define FORWARD_VOID(name, parameters, arguments)                                                  \
    void gb_##name parameters {                                                                    \
        host->name arguments;                                                                      \
    }
FORWARD_VOID(free, (void *block, size_t bytes), (block, bytes))
FORWARD_VOID(cs_free, (gb_Cs * cs), (cs))
FORWARD_VOID(dense_free, (gb_Dense * dense), (dense))

gbl_Info gb_fail(gbl_Info code, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return host->fail(code, "%s", text);
}

const char *gbl_last_error(void) {
    return host->last_error();
}
