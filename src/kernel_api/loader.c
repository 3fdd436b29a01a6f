/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads the device's library on first use. Until then gb_device() is `absent`, a table whose open
 * loads the library; from then on it is the library's table, for good: CUDA does not survive being
 * unloaded. A library that could not be loaded is tried again after gbl_finalize.
 *
 * Looked for is what GBLITE_CUDA_LIBRARY names, a path or a name for the dynamic linker, or without
 * that libgblite_cuda.so beside libgblite (or the program that it is linked into), then wherever
 * the dynamic linker looks.
 */
#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "kernel_api/device.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/arrays.h"
#include "core/lock.h"

#define LIBRARY_NAME "libgblite_cuda.so"
#define SYMBOL_NAME_OF(symbol) GB_DEVICE_QUOTE(symbol)

static const gb_DeviceHost host = {
    .malloc = gb_malloc,
    .free = gb_free,
    .size_mul = gb_size_mul,
    .cs_alloc = gb_cs_alloc,
    .cs_free = gb_cs_free,
    .dense_alloc = gb_dense_alloc,
    .dense_free = gb_dense_free,
    .cs_view = gb_cs_view,
    .fail = gb_fail,
    .fail_memory = gb_fail_memory,
    .last_error = gbl_last_error,
};

static const gb_Device absent;
static _Atomic(const gb_Device *) current = &absent;

/* What follows changes under the lock. */
static gb_Lock lock;
static bool failed;                /* to load it; then `why` says what was wrong */
static char why[480];              /* shorter than the text of an error */
static gb_DeviceSettings settings; /* made before the library was there */

const gb_Device *gb_device(void) {
    return atomic_load_explicit(&current, memory_order_acquire);
}

/* The path of the library beside the object that this function is in; false when there is none. */
static bool find_beside(char *path, size_t size) {
    Dl_info here;
    if (dladdr((const void *)&host, &here) == 0 || here.dli_fname == NULL) return false;
    const char *slash = strrchr(here.dli_fname, '/');
    if (slash == NULL) return false; /* a program found on PATH: its folder is not known */
    const int length = snprintf(path, size, "%.*s/%s", (int)(slash - here.dli_fname),
                                here.dli_fname, LIBRARY_NAME);
    return length > 0 && (size_t)length < size && access(path, F_OK) == 0;
}

/* A handle of the library, or NULL with the reason. */
static void *load_file(char name[static 4096]) {
    const char *wanted = secure_getenv("GBLITE_CUDA_LIBRARY");
    const bool named = wanted != NULL && *wanted != '\0';
    bool found = named;
    if (named)
        snprintf(name, 4096, "%s", wanted);
    else if (find_beside(name, 4096))
        found = true;
    else
        snprintf(name, 4096, LIBRARY_NAME);
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) return handle;
    const char *reason = dlerror();
    if (found)
        snprintf(why, sizeof why, "%.150s cannot be loaded%s: %.200s", name,
                 named ? " (GBLITE_CUDA_LIBRARY)" : "", reason);
    else
        snprintf(why, sizeof why,
                 LIBRARY_NAME
                 " is not installed: %.150s; install it beside libgblite.so, name it in "
                 "GBLITE_CUDA_LIBRARY, or let products run on the CPU, not the GPU",
                 reason);
    return NULL;
}

/* The library's table; NULL with the reason. */
static const gb_Device *load(void) {
    char name[4096];
    void *handle = load_file(name);
    if (handle == NULL) return NULL;
    static const uint32_t sizes[] = GB_DEVICE_SIZES;
    const gb_DeviceLibrary *library = dlsym(handle, SYMBOL_NAME_OF(GB_DEVICE_SYMBOL));
    if (library == NULL)
        snprintf(why, sizeof why, "%.200s is no library of gblite: it has no symbol %s", name,
                 SYMBOL_NAME_OF(GB_DEVICE_SYMBOL));
    else if (library->size != sizeof *library || strcmp(library->version, GB_DEVICE_VERSION) != 0 ||
             memcmp(library->sizes, sizes, sizeof sizes) != 0)
        snprintf(
            why, sizeof why,
            "%.200s is of another build of gblite (%.20s) than this library (%s); install both "
            "from the same build",
            name, library->version, GB_DEVICE_VERSION);
    else
        return library->attach(&host);
    dlclose(handle);
    return NULL;
}

/* Under the lock. */
static gbl_Info make_current(void) {
    if (gb_device() != &absent) return GBL_SUCCESS;
    const gb_Device *device = failed ? NULL : load();
    failed = device == NULL;
    if (failed) return gb_fail(GBL_INVALID_VALUE, "%s", why);
    for (int k = GB_DEVICE_LIMIT; k <= GB_DEVICE_ALLOCATOR; k++)
        device->set((gb_DeviceSetting)k, &settings);
    atomic_store_explicit(&current, device, memory_order_release);
    return GBL_SUCCESS;
}

static gbl_Info open_absent(void) {
    gb_lock(&lock);
    const gbl_Info info = make_current();
    gb_unlock(&lock);
    return info == GBL_SUCCESS ? gb_device()->open() : info;
}

static void close_absent(void) {
    gb_lock(&lock);
    failed = false;
    settings = (gb_DeviceSettings){.memory_limit = settings.memory_limit};
    gb_unlock(&lock);
}

static gbl_Info set_absent(gb_DeviceSetting which, const gb_DeviceSettings *from) {
    gb_lock(&lock);
    gb_device_settings_take(&settings, which, from);
    const gb_Device *device = gb_device();
    gb_unlock(&lock);
    return device != &absent ? device->set(which, from) : GBL_SUCCESS;
}

static void no_facts(gb_DeviceFacts *facts) {
    *facts = (gb_DeviceFacts){0};
}

static void nothing(void) {
}

/* Nothing was ever on it: cs is NULL. */
static void release_absent(gb_DeviceCs *cs) {
    (void)cs;
}

static const gb_Device absent = {
    .open = open_absent,
    .facts = no_facts,
    .forget_peak = nothing,
    .close = close_absent,
    .set = set_absent,
    .release = release_absent,
};
