/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings and progress; see context.h. A meter calls the callback at most every
 * GB_PROGRESS_INTERVAL seconds, and never two threads at a time: a report that comes while another
 * is being made is left out. No lock is held while it runs, so it may call the library.
 */
#include "core/context.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/lock.h"
#include "core/memory.h"
#include "core/hardware.h"
#include "core/tune_cuda.h"

static uint64_t limit_setting; /* atomic */
static int place_setting;      /* atomic */
static int orientation_hint;   /* atomic */
static uint64_t system_memory; /* bytes that this process may use; set by gb_context_start */

static gbl_Progress callback; /* atomic */
static void *callback_context;
static bool callback_runs;
static _Thread_local bool in_callback;                            /* this thread runs it */
static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER; /* of these, and gb_Meter.last */
static pthread_cond_t callback_ends = PTHREAD_COND_INITIALIZER;

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

static bool report_again(double done);

/* Returns when the callback before will not be called any more, unless this is called by it. */
gbl_Info gbl_set_progress(gbl_Progress function, void *context) {
    gb_call_set_report(function != NULL ? report_again : NULL);
    pthread_mutex_lock(&callback_lock);
    __atomic_store_n(&callback, function, __ATOMIC_RELAXED);
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
    gb_LastError last;
    gb_error_keep(&last); /* the callback may call the library */
    in_callback = true;
    gb_call_enter_callback(true);
    const bool go_on = function(context, meter->what, done);
    in_callback = false;
    gb_call_enter_callback(false);
    gb_error_put_back(&last);
    pthread_mutex_lock(&callback_lock);
    callback_runs = false;
    meter->last = gb_seconds();
    pthread_cond_broadcast(&callback_ends);
    pthread_mutex_unlock(&callback_lock);
    return go_on;
}

static bool report_again(double done) {
    static gb_Meter meter = {.what = "call"};
    return report(&meter, done, false);
}

bool gb_has_progress(void) {
    return __atomic_load_n(&callback, __ATOMIC_RELAXED) != NULL;
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

void gb_trace_start(void) {
    const char *trace = getenv("GBLITE_TRACE");
    const bool off = trace == NULL || *trace == '\0' || strcmp(trace, "0") == 0;
    tracing = off                          ? GB_TRACE_OFF
              : strcmp(trace, "json") == 0 ? GB_TRACE_JSON
              : strcmp(trace, "2") == 0    ? GB_TRACE_TABLE
                                           : GB_TRACE_LINE;
}
