/* SPDX-License-Identifier: Apache-2.0
 *
 * The last error of each thread: one text and the object it is about. Kept per thread, so that
 * reporting an error never allocates and threads sharing an object do not overwrite each other.
 */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_text[512];
static _Thread_local const void *last_object;

static gbl_Info fail_v(gbl_Info code, const void *object, const char *format, va_list args) {
    int n = snprintf(last_text, sizeof last_text, "%s: ", gb_info_name(code));
    if (n < 0) n = 0;
    vsnprintf(last_text + n, sizeof last_text - (size_t)n, format, args);
    last_object = object;
    return code;
}

gbl_Info gb_fail(gbl_Info code, const void *object, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_v(code, object, format, args);
    va_end(args);
    return code;
}

gbl_Info gbl_fail(gbl_Info code, const void *object, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_v(code, object, format, args);
    va_end(args);
    return code;
}

gbl_Info gb_fail_memory(const void *object, size_t bytes) {
    return gb_fail(GBL_OUT_OF_MEMORY, object,
                   "no memory for a block of %zu bytes; free objects or work on smaller pieces",
                   bytes);
}

const char *gb_error_text(const void *object) {
    return object != NULL && object == last_object ? last_text : "";
}

const char *gbl_last_error(void) {
    return last_text;
}

const char *gb_info_name(gbl_Info info) {
    switch (info) {
    case GBL_SUCCESS: return "success";
    case GBL_NO_VALUE: return "no value";
    case GBL_UNINITIALIZED_OBJECT: return "uninitialized object";
    case GBL_NULL_POINTER: return "null pointer";
    case GBL_INVALID_VALUE: return "invalid value";
    case GBL_INVALID_INDEX: return "invalid index";
    case GBL_DOMAIN_MISMATCH: return "domain mismatch";
    case GBL_DIMENSION_MISMATCH: return "dimension mismatch";
    case GBL_OUTPUT_NOT_EMPTY: return "output not empty";
    case GBL_NOT_IMPLEMENTED: return "not implemented";
    case GBL_ALREADY_SET: return "already set";
    case GBL_PANIC: return "panic";
    case GBL_OUT_OF_MEMORY: return "out of memory";
    case GBL_INSUFFICIENT_SPACE: return "insufficient space";
    case GBL_INVALID_OBJECT: return "invalid object";
    case GBL_INDEX_OUT_OF_BOUNDS: return "index out of bounds";
    case GBL_EMPTY_OBJECT: return "empty object";
    case GBL_CANCELLED: return "cancelled";
    case GBL_IO_ERROR: return "input or output error";
    }
    return "unknown code";
}
