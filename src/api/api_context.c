/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_init, gbl_finalize, version and the global settings; fields that objects have too are in
 * api_fields.c.
 */
#include "api/check.h"
#include "mxm/machine/machine.h"

#include <stdlib.h>

struct gbl_Global_opaque {
    int unused; /* the only global object; only its address matters */
};
static struct gbl_Global_opaque global;
gbl_Global const GBL_GLOBAL = &global;

static const gbl_Index all_indices;
const gbl_Index *const GBL_ALL = &all_indices;

const char gb_library_name[] = "gblite 0.1.0";

gbl_Info gbl_init_with_allocator(gbl_Mode mode, void *(*user_malloc)(size_t),
                                 void *(*user_realloc)(void *, size_t), void (*user_free)(void *)) {
    if (gb_initialised())
        return gb_fail(GBL_INVALID_VALUE, "gbl_init was called before; call gbl_finalize first");
    if (mode != GBL_NONBLOCKING && mode != GBL_BLOCKING)
        return gb_fail(GBL_INVALID_VALUE, "mode is %d; it must be GBL_NONBLOCKING or GBL_BLOCKING",
                       (int)mode);
    if ((user_malloc == NULL) != (user_free == NULL))
        return gb_fail(GBL_NULL_POINTER, "give both malloc and free, or neither");
    uint64_t limit;
    if (!gb_read_memory_limit(&limit))
        return gb_fail(GBL_INVALID_VALUE,
                       "GBLITE_MEMORY_LIMIT is '%.20s'; it must be a number of bytes, or one "
                       "followed by K, M or G",
                       getenv("GBLITE_MEMORY_LIMIT"));
    const gbl_Info info = gb_backend_init();
    if (info != GBL_SUCCESS) return info;
    gb_machine_init();
    gb_memory_set_allocator(user_malloc, user_realloc, user_free);
    gb_context_start(mode == GBL_BLOCKING);
    gb_set_memory_limit(limit);
    return GBL_SUCCESS;
}

gbl_Info gbl_init(gbl_Mode mode) {
    return gbl_init_with_allocator(mode, NULL, NULL, NULL);
}

gbl_Info gbl_finalize(void) {
    if (!gb_initialised()) return gb_fail(GBL_INVALID_VALUE, "gbl_finalize without gbl_init");
    gb_device()->close();
    gb_context_stop();
    return GBL_SUCCESS;
}

gbl_Info gbl_trim(uint64_t keep_bytes) {
    if (!gb_initialised()) return gb_fail(GBL_PANIC, "call gbl_init first");
    gb_memory_trim(keep_bytes);
    return GBL_SUCCESS;
}

void gbl_parallel(gbl_Index n, void (*part)(void *context, gbl_Index k), void *context) {
    gb_parallel_for(gb_nthreads(), n, part, context);
}

void gbl_call_begin(void) {
    gb_call_open();
}

void gbl_call_end(void) {
    gb_call_close();
}

gbl_Info gbl_call_state(void) {
    return gb_call_stops() ? gb_call_end() : GBL_SUCCESS;
}

gbl_Info gbl_call_part(double done) {
    if (gb_call_is_watched()) gb_call_part(done);
    return gbl_call_state();
}

gbl_Info gbl_getVersion(unsigned int *version, unsigned int *subversion) {
    if (version == NULL || subversion == NULL)
        return gb_fail(GBL_NULL_POINTER, "version and subversion must not be NULL");
    *version = GBL_VERSION;
    *subversion = GBL_SUBVERSION;
    return GBL_SUCCESS;
}

static gbl_Info check_global(gbl_Global g, const void *value) {
    if (!gb_initialised()) return gb_fail(GBL_PANIC, "call gbl_init first");
    if (g != GBL_GLOBAL) return gb_fail(GBL_INVALID_OBJECT, "the only global object is GBL_GLOBAL");
    if (value == NULL) return gb_fail(GBL_NULL_POINTER, "value must not be NULL");
    return GBL_SUCCESS;
}

static gbl_Info bad_field(gbl_Field field, const char *what) {
    return gb_fail(GBL_INVALID_VALUE, "field %d cannot be %s; see gbl_Field in gblite_context.h",
                   (int)field, what);
}

gbl_Info gbl_Global_set_INT64(gbl_Global g, int64_t value, gbl_Field field) {
    const gbl_Info info = check_global(g, &value);
    if (info != GBL_SUCCESS) return info;
    if (value < 0 || (field == GBL_NTHREADS && value > GB_THREADS_MOST) ||
        (field == GBL_PLACE && value > GBL_PLACE_AUTO) ||
        (field == GBL_TRACE && value > GB_TRACE_JSON) ||
        ((field == GBL_BYTES_PEAK || field == GBL_DEVICE_BYTES_PEAK) && value > 0))
        return gb_fail(GBL_INVALID_VALUE, "%lld is out of range for field %d", (long long)value,
                       (int)field);
    switch (field) {
    case GBL_NTHREADS:
        gb_set_nthreads((int)value);
        return GBL_SUCCESS;
    case GBL_MEMORY_LIMIT:
        gb_set_memory_limit((uint64_t)value);
        return GBL_SUCCESS;
    case GBL_POOL_LIMIT:
        gb_memory_set_pool_limit((uint64_t)value);
        return GBL_SUCCESS;
    case GBL_PLACE:
        gb_set_place((int)value);
        return GBL_SUCCESS;
    case GBL_TRACE:
        gb_set_tracing((gb_Trace)value);
        return GBL_SUCCESS;
    case GBL_DEVICE_MEMORY_LIMIT:
        return gb_device()->set(GB_DEVICE_LIMIT,
                                &(gb_DeviceSettings){.memory_limit = (uint64_t)value});
    case GBL_CUDA_STREAM:
        return gb_device()->set(GB_DEVICE_STREAM,
                                &(gb_DeviceSettings){.stream = (void *)(intptr_t)value});
    case GBL_BYTES_PEAK:
        gb_memory_forget_peak();
        return GBL_SUCCESS;
    case GBL_DEVICE_BYTES_PEAK:
        gb_device()->forget_peak();
        return GBL_SUCCESS;
    default:
        return bad_field(field, "set");
    }
}

gbl_Info gbl_cuda_allocator(gbl_cuda_allocate allocate, gbl_cuda_release release, void *state) {
    const gbl_Info info = check_global(GBL_GLOBAL, &state);
    if (info != GBL_SUCCESS) return info;
    if ((allocate == NULL) != (release == NULL))
        return gb_fail(GBL_NULL_POINTER, "give both allocate and release, or neither");
    const gb_DeviceSettings given = {.allocate = allocate, .release = release, .state = state};
    return gb_device()->set(GB_DEVICE_ALLOCATOR, &given);
}

gbl_Info gbl_Global_set_FP64(gbl_Global g, double value, gbl_Field field) {
    const gbl_Info info = check_global(g, &value);
    if (info != GBL_SUCCESS) return info;
    if (field != GBL_DEADLINE) return bad_field(field, "set to a real number");
    if (!(value >= 0.0))
        return gb_fail(GBL_INVALID_VALUE, "GBL_DEADLINE is %g; it must be 0 or more", value);
    gb_set_deadline(value);
    return GBL_SUCCESS;
}

gbl_Info gbl_Global_get_FP64(gbl_Global g, double *value, gbl_Field field) {
    const gbl_Info info = check_global(g, value);
    if (info != GBL_SUCCESS) return info;
    if (field != GBL_DEADLINE) return bad_field(field, "read as a real number");
    *value = gb_deadline();
    return GBL_SUCCESS;
}

static gbl_Info give(int64_t *value, uint64_t number) {
    *value = (int64_t)number;
    return GBL_SUCCESS;
}

static gbl_Info get_device_fact(int64_t *value, gbl_Field field) {
    gb_DeviceFacts facts;
    gb_device()->facts(&facts);
    switch (field) {
    case GBL_DEVICE_MEMORY_LIMIT:
        return give(value, facts.memory_limit);
    case GBL_DEVICE_BYTES_IN_USE:
        return give(value, facts.bytes_in_use);
    case GBL_DEVICE_BYTES_PEAK:
        return give(value, facts.bytes_peak);
    default:
        return bad_field(field, "read as a number");
    }
}

gbl_Info gbl_Global_get_INT64(gbl_Global g, int64_t *value, gbl_Field field) {
    static const uint64_t versions[] = {GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
                                        GBLITE_VERSION_PATCH, GBL_VERSION,
                                        GBL_SUBVERSION,       0};
    const gbl_Info info = check_global(g, value);
    if (info != GBL_SUCCESS) return info;
    if (field >= GBL_LIBRARY_VER_MAJOR && field <= GBL_API_VER_PATCH)
        return give(value, versions[field - GBL_LIBRARY_VER_MAJOR]);
    switch (field) {
    case GBL_BLOCKING_MODE:
        return give(value, (uint64_t)(gb_blocking() ? GBL_BLOCKING : GBL_NONBLOCKING));
    case GBL_NTHREADS:
        return give(value, (uint64_t)(gb_nthreads()));
    case GBL_MEMORY_LIMIT:
        return give(value, gb_memory_limit());
    case GBL_POOL_LIMIT:
        return give(value, gb_memory_pool_limit());
    case GBL_BYTES_IN_USE:
        return give(value, gb_memory_bytes());
    case GBL_BLOCKS_IN_USE:
        return give(value, gb_memory_blocks());
    case GBL_BYTES_PEAK:
        return give(value, gb_memory_peak());
    case GBL_POOL_BYTES:
        return give(value, gb_memory_pool_bytes());
    case GBL_FRESH_BYTES:
        return give(value, gb_memory_fresh_bytes());
    case GBL_PLACE:
        return give(value, (uint64_t)(gb_place()));
    case GBL_TRACE:
        return give(value, gb_tracing());
    default:
        return get_device_fact(value, field);
    }
}
