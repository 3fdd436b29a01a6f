/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for libgblite_cuda.so in tests of the loader, compiled once per way to be wrong:
 * PLANTED_VERSION and PLANTED_EXTRA (bytes that the device's table has more) differ from this
 * build's, PLANTED_NAME is not the symbol that the loader looks for. The device has no memory; it
 * answers open with an error of its own, and counts how often it was attached and asked.
 */
#include "kernel_api/device.h"

#ifndef PLANTED_VERSION
#define PLANTED_VERSION GB_DEVICE_VERSION
#endif
#ifndef PLANTED_EXTRA
#define PLANTED_EXTRA 0
#endif
#ifndef PLANTED_NAME
#define PLANTED_NAME GB_DEVICE_SYMBOL
#endif

static const gb_DeviceHost *host;
static gb_DeviceFacts now = {.name = "planted"};

static gbl_Info planted_open(void) {
    void *block = host->malloc(100);
    host->free(block, 100);
    __atomic_fetch_add(&now.bytes_up, 1, __ATOMIC_RELAXED);
    return host->fail(GBL_NOT_IMPLEMENTED, "the planted device %s", "does nothing");
}

static void planted_facts(gb_DeviceFacts *facts) {
    *facts = now;
}

static gbl_Info planted_set(gb_DeviceSetting which, const gb_DeviceSettings *from) {
    if (which == GB_DEVICE_LIMIT) now.memory_limit = from->memory_limit;
    if (which == GB_DEVICE_STREAM) now.bytes_down = (uint64_t)(uintptr_t)from->stream;
    if (which == GB_DEVICE_ALLOCATOR) now.bytes_in_use = (uint64_t)(uintptr_t)from->state;
    return GBL_SUCCESS;
}

static void nothing(void) {
}

static void planted_release(gb_DeviceCs *cs) {
    (void)cs;
}

static const gb_Device device = {
    .open = planted_open,
    .facts = planted_facts,
    .forget_peak = nothing,
    .close = nothing,
    .set = planted_set,
    .release = planted_release,
};

static const gb_Device *attach(const gb_DeviceHost *with) {
    host = with;
    now.multiprocessors++;
    return &device;
}

extern const gb_DeviceLibrary PLANTED_NAME;
__attribute__((visibility("default"))) const gb_DeviceLibrary PLANTED_NAME = {
    .size = sizeof(gb_DeviceLibrary),
    .version = PLANTED_VERSION,
    .sizes = {sizeof(gb_Device) + PLANTED_EXTRA, GB_DEVICE_OTHER_SIZES},
    .attach = attach,
};
