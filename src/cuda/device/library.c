/* SPDX-License-Identifier: Apache-2.0
 *
 * The border of libgblite_cuda.so: the one symbol that it exports, and the functions that its
 * sources call by the names they have in libgblite (backend/device_library.h).
 */
#include "backend/device_library.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/arrays.h"
#include "core/memory.h"
#include "cuda/device/cuda.h"

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

void *gb_malloc(size_t bytes) {
    return host->malloc(bytes);
}

void gb_free(void *block, size_t bytes) {
    host->free(block, bytes);
}

bool gb_size_mul(size_t *bytes, uint64_t count, size_t size) {
    return host->size_mul(bytes, count, size);
}

gbl_Info gb_cs_alloc(gb_Cs *cs, uint64_t nmajor, uint64_t nvals, size_t xbytes) {
    return host->cs_alloc(cs, nmajor, nvals, xbytes);
}

void gb_cs_free(gb_Cs *cs) {
    host->cs_free(cs);
}

gbl_Info gb_dense_alloc(gb_Dense *dense, uint64_t n, size_t xbytes, bool bitmap) {
    return host->dense_alloc(dense, n, xbytes, bitmap);
}

void gb_dense_free(gb_Dense *dense) {
    host->dense_free(dense);
}

gb_CsView gb_cs_view(const gb_Cs *cs, uint64_t nminor, size_t xsize) {
    return host->cs_view(cs, nminor, xsize);
}

gbl_Info gb_fail(gbl_Info code, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return host->fail(code, "%s", text);
}

gbl_Info gb_fail_memory(size_t bytes) {
    return host->fail_memory(bytes);
}

const char *gbl_last_error(void) {
    return host->last_error();
}
