/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the public call that runs is to end: its deadline has passed, or the progress callback
 * said so. Each thread knows the call that it works for; workers take over that of their loop.
 *
 * A call that is to end gets no more memory (core/memory.h), so it fails where it would without
 * memory: outputs unchanged, nothing leaked. gb_fail_memory then says GBL_CANCELLED. Loops of long
 * passes ask too (gb_call_stops), return early, and their callers fail by gb_call_end. All of it
 * costs one relaxed load until a deadline or a callback is first set.
 */
#ifndef GB_CORE_CALL_H
#define GB_CORE_CALL_H

#include <stdbool.h>

#include "gblite.h"

typedef struct gb_Call gb_Call;

extern int gb_calls_watched; /* atomic: a deadline or a callback has been set */
static inline bool gb_call_is_watched(void) {
    return __builtin_expect(__atomic_load_n(&gb_calls_watched, __ATOMIC_RELAXED) != 0, 0);
}
void gb_call_watch(void);

/* Seconds that calls may take; 0: as many as they want. */
void gb_set_deadline(double seconds);
double gb_deadline(void);

/* At the start of every public function, and once its descriptor is known. */
void gb_call_begin_watched(void);
static inline void gb_call_begin(void) {
    if (gb_call_is_watched()) gb_call_begin_watched();
}
void gb_call_limit(double seconds);
/* Calls between the two are one. */
void gb_call_open(void);
void gb_call_close(void);

/* Whether it is to end; by a clock, and a report to the callback where one is due. No lock is held
 * but in conversions (gb_call_hold). */
bool gb_call_asks(bool may_report);
static inline bool gb_call_stops(void) {
    return gb_call_is_watched() && gb_call_asks(true);
}
/* The same without a report. */
static inline bool gb_call_has_stopped(void) {
    return gb_call_is_watched() && gb_call_asks(false);
}
/* GBL_SUCCESS, or GBL_CANCELLED with a text. */
gbl_Info gb_call_end(void);
/* So much of it is done, in (0, 1]; what is less than before is left out. */
void gb_call_part(double done);

/* Between the two the callback, which may call the library, is not called. */
void gb_call_hold(void);
void gb_call_let_go(void);

/* The call that this thread works for; and another one instead, which is returned. */
gb_Call *gb_call_current(void);
gb_Call *gb_call_work_for(gb_Call *call);

/* -- the progress callback, which context.c keeps */

#define GB_PROGRESS_INTERVAL 0.05 /* seconds between reports */

/* Reports for a call without a meter, of which 0 is done where nobody knows; false: it is to end.
 * NULL: there is no callback. */
typedef bool (*gb_Report)(double done);
void gb_call_set_report(gb_Report report);

/* The calling thread is inside the callback, or not any more. */
void gb_call_enter_callback(bool inside);

/* Of a call that has stopped: whether the callback said so, and the seconds of its deadline. */
bool gb_call_is_called_off(void);
double gb_call_seconds(void);

#endif
