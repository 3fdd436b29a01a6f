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
    vsnprintf(last_text, sizeof last_text, format, args);
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

gbl_Info gb_fail_limit(const void *object, double wanted, double allowed) {
    return gb_fail(GBL_OUT_OF_MEMORY, object,
                   "the call needs %.0f bytes beside its result, and GBL_MEMORY_LIMIT allows %.0f; "
                   "raise the limit or work on smaller pieces",
                   wanted, allowed);
}

const char *gb_error_text(const void *object) {
    return object != NULL && object == last_object ? last_text : "";
}

const char *gbl_last_error(void) {
    return last_text;
}
