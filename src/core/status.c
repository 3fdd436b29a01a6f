/* SPDX-License-Identifier: Apache-2.0
 *
 * The last error of each thread, and copies of its text for objects; see status.h.
 */
#include "core/status.h"

#include "core/call.h"

#include <stdio.h>
#include <string.h>

static _Thread_local gb_LastError
    last; /* code GBL_SUCCESS: nothing has failed in this call so far */

static _Thread_local struct {
    const void *object;
    uint64_t serial;
    gb_Error error;
} shared;

gbl_Info gb_fail_v(gbl_Info code, const char *format, va_list args) {
    char text[sizeof last.text]; /* an argument may be the last text */
    vsnprintf(text, sizeof text, format, args);
    memcpy(last.text, text, sizeof text);
    last.code = code;
    return code;
}

gbl_Info gb_fail(gbl_Info code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gb_fail_v(code, format, args);
    va_end(args);
    return code;
}

gbl_Info gb_call_end(void) {
    if (!gb_call_has_stopped()) return GBL_SUCCESS;
    if (gb_call_is_called_off())
        return gb_fail(GBL_CANCELLED, "the progress callback stopped the call");
    return gb_fail(
        GBL_CANCELLED,
        "the call was not done after %g seconds, its GBL_DEADLINE; outputs are unchanged",
        gb_call_seconds());
}

gbl_Info gb_fail_memory(size_t bytes) {
    if (gb_call_has_stopped()) return gb_call_end();
    return gb_fail(GBL_OUT_OF_MEMORY,
                   "no memory for a block of %zu bytes; free objects or work on smaller pieces",
                   bytes);
}

gbl_Info gb_fail_limit(double wanted, double allowed) {
    return gb_fail(GBL_OUT_OF_MEMORY,
                   "the call needs %.0f bytes beside its result, and the limit allows %.0f; raise "
                   "it (GBL_MEMORY_LIMIT, in the environment GBLITE_MEMORY_LIMIT) or work on "
                   "smaller pieces",
                   wanted, allowed);
}

void gb_error_begin(void) {
    last.code = GBL_SUCCESS;
}

void gb_error_keep(gb_LastError *kept) {
    *kept = last;
}

void gb_error_put_back(const gb_LastError *kept) {
    last = *kept;
}

const char *gb_error_last(void) {
    return last.text;
}

/* A worker thread that failed wrote its own thread's text; then only the code is known here. */
static const char *error_of_call(gbl_Info code) {
    if (last.code != code && code == GBL_OUT_OF_MEMORY)
        gb_fail(code, "there is too little memory; free objects or work on smaller pieces");
    else if (last.code != code)
        gb_fail(code, "the call failed with code %d", (int)code);
    return last.text;
}

void gb_error_file(gb_Error *error, gbl_Info code) {
    error->text[0] = '\0';
    __atomic_store_n(&error->filed, code < GBL_SUCCESS, __ATOMIC_RELAXED);
    if (code < GBL_SUCCESS)
        snprintf(error->text, sizeof error->text, "%.*s", (int)sizeof error->text - 1,
                 error_of_call(code));
}

uint64_t gb_serial_next(void) {
    static uint64_t serial; /* atomic */
    return __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
}

void gb_error_file_shared(const void *object, uint64_t serial, gbl_Info code) {
    const bool is_filed = shared.object == object && shared.serial == serial;
    if (code >= GBL_SUCCESS && !is_filed) return;
    shared.object = object;
    shared.serial = serial;
    gb_error_file(&shared.error, code);
}

const char *gb_error_of_shared(const void *object, uint64_t serial) {
    return shared.object == object && shared.serial == serial ? shared.error.text : "";
}
