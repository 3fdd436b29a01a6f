/* SPDX-License-Identifier: Apache-2.0
 *
 * See call.h.
 */
#include "core/call.h"

#include <stddef.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/status.h"

typedef enum { GOES_ON, PAST_DEADLINE, CALLED_OFF } Ending;

struct gb_Call {
    double limit, deadline; /* seconds, and on the clock; 0: none */
    double reported;        /* atomic: when the callback was last asked, or the call began */
    int ending;             /* atomic; an Ending */
    int held;               /* atomic */
};

int gb_calls_watched;
static double deadline_setting; /* atomic */

static _Thread_local gb_Call own;
static _Thread_local gb_Call *current;

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
    if (!gb_in_callback()) begin(gb_deadline());
}

void gb_call_limit(double seconds) {
    if (seconds > 0.0 && !gb_in_callback()) begin(seconds);
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

bool gb_call_asks(bool may_report) {
    gb_Call *call = current;
    if (call == NULL || gb_in_callback()) return false;
    if (__atomic_load_n(&call->ending, __ATOMIC_RELAXED) != GOES_ON) return true;
    const bool reports =
        may_report && gb_has_progress() && __atomic_load_n(&call->held, __ATOMIC_RELAXED) == 0;
    if (call->deadline == 0.0 && !reports) return false;
    const double now = gb_seconds();
    if (call->deadline != 0.0 && now > call->deadline)
        stop(call, PAST_DEADLINE);
    else if (reports && is_due(call, now) && !gb_report_again())
        stop(call, CALLED_OFF);
    return __atomic_load_n(&call->ending, __ATOMIC_RELAXED) != GOES_ON;
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

void gb_call_hold(void) {
    if (current != NULL) __atomic_add_fetch(&current->held, 1, __ATOMIC_RELAXED);
}

void gb_call_let_go(void) {
    if (current != NULL) __atomic_sub_fetch(&current->held, 1, __ATOMIC_RELAXED);
}

gb_Call *gb_call_current(void) {
    return gb_in_callback() ? NULL : current;
}

gb_Call *gb_call_work_for(gb_Call *call) {
    gb_Call *const before = current;
    current = call;
    return before;
}
