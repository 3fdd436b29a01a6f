/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls and their errors; see call.h.
 */
#include "core/call.h"

#include <stdio.h>
#include <string.h>

typedef enum { GOES_ON, PAST_DEADLINE, CALLED_OFF } Ending;

struct gb_Call {
    double limit, deadline; /* seconds, and on the clock; 0: none */
    double reported;        /* atomic: when the callback was last asked, or the call began */
    double part;            /* atomic: done */
    int ending;             /* atomic; an Ending */
    int held;               /* atomic */
};

int gb_calls_watched, gb_library_mode;
static double deadline_setting; /* atomic */

static _Thread_local gb_Call own;
static _Thread_local gb_Call *current;
static _Thread_local bool in_callback;
static _Thread_local int groups; /* gb_call_open without gb_call_close */
static gb_Report report_setting; /* atomic */

static gb_Report reporter(void) {
    return __atomic_load_n(&report_setting, __ATOMIC_RELAXED);
}

void gb_call_set_report(gb_Report report) {
    __atomic_store_n(&report_setting, report, __ATOMIC_RELAXED);
    if (report != NULL) gb_call_watch();
}

void gb_call_enter_callback(bool inside) {
    in_callback = inside;
}

void gb_call_watch(void) {
    __atomic_store_n(&gb_calls_watched, 1, __ATOMIC_RELAXED);
}

void gb_set_deadline(double seconds) {
    __atomic_store(&deadline_setting, &seconds, __ATOMIC_RELAXED);
    if (seconds > 0.0) gb_call_watch();
}

double gb_deadline(void) {
    double seconds;
    __atomic_load(&deadline_setting, &seconds, __ATOMIC_RELAXED);
    return seconds;
}

static void begin(double seconds) {
    const double now = seconds > 0.0 || reporter() != NULL ? gb_seconds() : 0.0;
    own = (gb_Call){
        .limit = seconds, .deadline = seconds > 0.0 ? now + seconds : 0.0, .reported = now};
    current = &own;
}

/* An operation inside the callback neither reports nor ends with the one that is reported. */
void gb_call_begin_watched(void) {
    if (!in_callback && groups == 0) begin(gb_deadline());
}

void gb_call_limit(double seconds) {
    if (seconds > 0.0 && !in_callback && groups == 0) begin(seconds);
}

void gb_call_open(void) {
    gb_call_begin();
    groups++;
}

void gb_call_close(void) {
    groups--;
}

static void stop(gb_Call *call, Ending why) {
    __atomic_store_n(&call->ending, (int)why, __ATOMIC_RELAXED);
}

/* Threads of a call may ask at once: one of them reports. */
static bool is_due(gb_Call *call, double now) {
    double before;
    __atomic_load(&call->reported, &before, __ATOMIC_RELAXED);
    return now - before >= GB_PROGRESS_INTERVAL &&
           __atomic_compare_exchange(&call->reported, &before, &now, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

static double part_of(const gb_Call *call) {
    double part;
    __atomic_load(&call->part, &part, __ATOMIC_RELAXED);
    return part;
}

void gb_call_part(double done) {
    if (current == NULL || in_callback) return;
    double before = part_of(current);
    while (done > before && !__atomic_compare_exchange(&current->part, &before, &done, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

bool gb_call_asks(bool may_report) {
    gb_Call *call = current;
    if (call == NULL || in_callback) return false;
    if (__atomic_load_n(&call->ending, __ATOMIC_RELAXED) != GOES_ON) return true;
    const bool may = may_report && __atomic_load_n(&call->held, __ATOMIC_RELAXED) == 0;
    const gb_Report report = may ? reporter() : NULL;
    if (call->deadline == 0.0 && report == NULL) return false;
    const double now = gb_seconds();
    if (call->deadline != 0.0 && now > call->deadline)
        stop(call, PAST_DEADLINE);
    else if (report != NULL && is_due(call, now) && !report(part_of(call)))
        stop(call, CALLED_OFF);
    return __atomic_load_n(&call->ending, __ATOMIC_RELAXED) != GOES_ON;
}

void gb_call_hold(void) {
    if (current != NULL) __atomic_add_fetch(&current->held, 1, __ATOMIC_RELAXED);
}

void gb_call_let_go(void) {
    if (current != NULL) __atomic_sub_fetch(&current->held, 1, __ATOMIC_RELAXED);
}

gb_Call *gb_call_current(void) {
    return in_callback ? NULL : current;
}

gb_Call *gb_call_work_for(gb_Call *call) {
    gb_Call *const before = current;
    current = call;
    return before;
}

/* -- errors ------------------------------------------------------------------------------------ */

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
    if (__atomic_load_n(&current->ending, __ATOMIC_RELAXED) == CALLED_OFF)
        return gb_fail(GBL_CANCELLED, "the progress callback stopped the call");
    return gb_fail(
        GBL_CANCELLED,
        "the call was not done after %g seconds, its GBL_DEADLINE; outputs are unchanged",
        current->limit);
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
