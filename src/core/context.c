/* SPDX-License-Identifier: Apache-2.0
 *
 * The call that runs and its errors, see call.h; settings and progress, see context.h. The progress
 * callback is called at most every GB_PROGRESS_INTERVAL seconds, and never by two threads at a
 * time: a report that comes while another is being made is left out. No lock is held while it runs,
 * so it may call the library.
 */
#include "core/context.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/call.h"
#include "core/clock.h"
#include "core/hardware.h"
#include "core/lock.h"
#include "core/memory.h"
#include "core/tune_cuda.h"

/* -- the call that runs ------------------------------------------------------------------------ */

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
static _Thread_local int groups; /* gb_call_open without gb_call_close */

#define GB_PROGRESS_INTERVAL 0.05 /* seconds between reports */

static gbl_Progress callback; /* atomic */
static void *callback_context;
static bool callback_runs;
static _Thread_local bool in_callback;                            /* this thread runs it */
static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER; /* of these, and gb_Meter.last */
static pthread_cond_t callback_ends = PTHREAD_COND_INITIALIZER;

static bool report(gb_Meter *meter, double done, bool always);

bool gb_has_progress(void) {
    return __atomic_load_n(&callback, __ATOMIC_RELAXED) != NULL;
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
    const double now = seconds > 0.0 || gb_has_progress() ? gb_seconds() : 0.0;
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
    const bool reports = may && gb_has_progress();
    if (call->deadline == 0.0 && !reports) return false;
    static gb_Meter meter = {.what = "call"};
    const double now = gb_seconds();
    if (call->deadline != 0.0 && now > call->deadline)
        stop(call, PAST_DEADLINE);
    else if (reports && is_due(call, now) && !report(&meter, part_of(call), false))
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

/* -- settings, and the progress callback ------------------------------------------------------- */

static uint64_t limit_setting; /* atomic */
static int place_setting;      /* atomic */
static int orientation_hint;   /* atomic */
static uint64_t system_memory; /* bytes that this process may use; set by gb_context_start */

static void lock_callback(void) {
    pthread_mutex_lock(&callback_lock);
}

static void unlock_callback(void) {
    pthread_mutex_unlock(&callback_lock);
}

/* The thread that was in the callback is gone. */
static void free_callback(void) {
    callback_runs = false;
    callback_ends = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_mutex_unlock(&callback_lock);
}

static void watch_forks(void) {
    pthread_atfork(lock_callback, unlock_callback, free_callback);
}

void gb_context_start(bool blocking) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    gb_lock_watch_forks();
    const uint64_t told = gb_system_memory();
    system_memory = told > 0 ? told : GB_MEMORY_UNKNOWN;
    gb_memory_set_most(told > 0 ? told : UINT64_MAX);
    gb_memory_set_pool_limit(system_memory / GB_POOL_SHARE);
    gb_memory_forget_peak();
    gb_set_nthreads(0);
    __atomic_store_n(&limit_setting, 0, __ATOMIC_RELAXED);
    gb_set_deadline(0.0);
    __atomic_store_n(&place_setting, GBL_PLACE_DEFAULT, __ATOMIC_RELAXED);
    __atomic_store_n(&orientation_hint, GBL_ROWMAJOR, __ATOMIC_RELAXED);
    __atomic_store_n(&gb_library_mode, blocking ? GB_LIBRARY_BLOCKING : GB_LIBRARY_NONBLOCKING,
                     __ATOMIC_RELEASE);
}

void gb_context_stop(void) {
    __atomic_store_n(&gb_library_mode, GB_LIBRARY_OFF, __ATOMIC_RELEASE);
    gbl_set_progress(NULL, NULL);
    gb_parallel_allow(1);
    gb_parallel_stop();
    gb_memory_set_pool_limit(0); /* what objects still hold goes back as soon as they are freed */
}

void gb_set_nthreads(int n) {
    gb_parallel_allow(n > 0 ? n : gb_thread_count());
}

uint64_t gb_memory_limit(void) {
    return __atomic_load_n(&limit_setting, __ATOMIC_RELAXED);
}

bool gb_read_memory_limit(uint64_t *bytes) {
    static const char units[] = "kKmMgG";
    const char *text = getenv("GBLITE_MEMORY_LIMIT");
    *bytes = 0;
    if (text == NULL || *text == '\0') return true;
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned shift = unit != NULL ? 10u * (unsigned)((unit - units) / 2 + 1) : 0;
    end += unit != NULL;
    if (errno != 0 || *end != '\0' || number > (uint64_t)INT64_MAX >> shift) return false;
    *bytes = (uint64_t)number << shift;
    return true;
}

void gb_set_memory_limit(uint64_t bytes) {
    __atomic_store_n(&limit_setting, bytes, __ATOMIC_RELAXED);
}

uint64_t gb_workspace_budget(void) {
    const uint64_t limit = gb_memory_limit();
    if (limit > 0) return limit;
    const uint64_t share = system_memory / GB_WORKSPACE_SHARE, left = gb_memory_left();
    return share < left ? share : left;
}

void gb_set_place(int place) {
    __atomic_store_n(&place_setting, place, __ATOMIC_RELAXED);
}

void gb_set_orientation(gbl_Orientation hint) {
    __atomic_store_n(&orientation_hint, (int)hint, __ATOMIC_RELAXED);
}

gbl_Orientation gb_orientation(void) {
    return (gbl_Orientation)__atomic_load_n(&orientation_hint, __ATOMIC_RELAXED);
}

int gb_place(void) {
    return __atomic_load_n(&place_setting, __ATOMIC_RELAXED);
}

/* Returns when the callback before will not be called any more, unless this is called by it. */
gbl_Info gbl_set_progress(gbl_Progress function, void *context) {
    pthread_mutex_lock(&callback_lock);
    __atomic_store_n(&callback, function, __ATOMIC_RELAXED);
    if (function != NULL) gb_call_watch();
    callback_context = context;
    while (callback_runs && !in_callback) pthread_cond_wait(&callback_ends, &callback_lock);
    pthread_mutex_unlock(&callback_lock);
    return GBL_SUCCESS;
}

/* Whether this thread is to make a report of the meter now. */
static bool begin_report(const gb_Meter *meter, bool always, gbl_Progress *function,
                         void **context) {
    pthread_mutex_lock(&callback_lock);
    const bool due = callback != NULL && !callback_runs &&
                     (always || gb_seconds() - meter->last >= GB_PROGRESS_INTERVAL);
    callback_runs = callback_runs || due;
    *function = callback;
    *context = callback_context;
    pthread_mutex_unlock(&callback_lock);
    return due;
}

static bool report(gb_Meter *meter, double done, bool always) {
    gbl_Progress function;
    void *context;
    if (!begin_report(meter, always, &function, &context)) return true;
    gb_LastError kept;
    gb_error_keep(&kept); /* the callback may call the library */
    in_callback = true;
    const bool go_on = function(context, meter->what, done);
    in_callback = false;
    gb_error_put_back(&kept);
    pthread_mutex_lock(&callback_lock);
    callback_runs = false;
    meter->last = gb_seconds();
    pthread_cond_broadcast(&callback_ends);
    pthread_mutex_unlock(&callback_lock);
    return go_on;
}

void gb_progress_begin(gb_Meter *meter, const char *what, uint64_t total) {
    *meter = (gb_Meter){.what = what, .total = total > 0 ? total : 1};
    if (in_callback) return; /* an operation inside a callback is not reported */
    meter->reports = gb_has_progress();
    meter->active = meter->reports || gb_call_is_watched();
    if (meter->reports && !report(meter, 0.0, true)) meter->cancelled = 1;
}

bool gb_progress_add(gb_Meter *meter, uint64_t units) {
    if (!meter->active) return true;
    const uint64_t done = __atomic_add_fetch(&meter->done, units, __ATOMIC_RELAXED);
    if (gb_call_has_stopped() ||
        (meter->reports && !report(meter, (double)done / (double)meter->total, false)))
        __atomic_store_n(&meter->cancelled, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&meter->cancelled, __ATOMIC_RELAXED) == 0;
}

gbl_Info gb_progress_state(const gb_Meter *meter) {
    if (!__atomic_load_n(&meter->cancelled, __ATOMIC_RELAXED)) return GBL_SUCCESS;
    if (gb_call_has_stopped()) return gb_call_end();
    return gb_fail(GBL_CANCELLED, "the progress callback stopped %s", meter->what);
}

gbl_Info gb_progress_end(gb_Meter *meter) {
    if (meter->reports && !meter->cancelled && !report(meter, 1.0, true)) meter->cancelled = 1;
    return gb_progress_state(meter);
}

/* -- where operations are asked to run --------------------------------------------------------- */

gbl_Info gb_place_wanted(int *place, bool *asked) {
    static const struct {
        const char *name;
        int value;
    } names[] = {{"cpu", GBL_PLACE_CPU}, {"gpu", GBL_PLACE_GPU}, {"auto", GBL_PLACE_AUTO}};
    *place = gb_place();
    *asked = *place != GBL_PLACE_DEFAULT;
    if (*asked) return GBL_SUCCESS;
    *place = GB_PLACE_UNASKED;
    const char *wanted = getenv("GBLITE_PLACE");
    if (wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(wanted, names[k].name) != 0) continue;
        *place = names[k].value;
        *asked = true;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, "GBLITE_PLACE is '%.20s'; it must be cpu, gpu or auto",
                   wanted);
}

/* -- trace */

static gb_Trace tracing; /* set when no other call runs */

gb_Trace gb_tracing(void) {
    return tracing;
}

void gb_set_tracing(gb_Trace trace) {
    tracing = trace;
}

void gb_trace_start(void) {
    const char *trace = getenv("GBLITE_TRACE");
    const bool off = trace == NULL || *trace == '\0' || strcmp(trace, "0") == 0;
    tracing = off                          ? GB_TRACE_OFF
              : strcmp(trace, "json") == 0 ? GB_TRACE_JSON
              : strcmp(trace, "2") == 0    ? GB_TRACE_TABLE
                                           : GB_TRACE_LINE;
}
