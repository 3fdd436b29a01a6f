/* SPDX-License-Identifier: Apache-2.0
 *
 * The public call that runs: its errors, and whether it is to end, since its deadline has passed or
 * the progress callback said so. Each thread knows the call that it works for; workers take over
 * that of their loop.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#include "gblite.h"

/* -- errors ------------------------------------------------------------------------------------ */

/* gb_fail writes the text of the calling thread's last error: which argument, what was wrong and
 * what would be right. Kernels and helpers need not know whose call they work for: the exit of a
 * public function (gb_end, api/check.h) copies the text to the object that is the call's output,
 * where gbl_X_error finds it. None of this allocates. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
gbl_Info
gb_fail(gbl_Info code, const char *format, ...);

gbl_Info gb_fail_v(gbl_Info code, const char *format, va_list args);

/* GBL_OUT_OF_MEMORY with the number of bytes that could not be had. */
gbl_Info gb_fail_memory(size_t bytes);

/* GBL_OUT_OF_MEMORY: GBL_MEMORY_LIMIT does not allow as much as is wanted. */
gbl_Info gb_fail_limit(double wanted, double allowed);

/* Every public function starts here: what failed before is not this call's error. */
void gb_error_begin(void);

/* What the calling thread failed with so far, around code of the user's that may call the library.
 */
typedef struct {
    char text[512];
    gbl_Info code;
} gb_LastError;
void gb_error_keep(gb_LastError *last);
void gb_error_put_back(const gb_LastError *last);

/* The text of the calling thread's last error, whatever the call; never NULL. */
const char *gb_error_last(void);

/* What an object keeps of the last call that had it as output: "" after a success. A longer text is
 * cut; with this size a matrix still is a block that malloc keeps at hand (below 1032 bytes). */
typedef struct {
    char text[223];
    bool filed; /* atomic; text is not "" */
} gb_Error;
static inline bool gb_error_is_filed(const gb_Error *error) {
    return __atomic_load_n(&error->filed, __ATOMIC_RELAXED);
}
/* code: what the call returns. */
void gb_error_file(gb_Error *error, gbl_Info code);

/* The same for objects that cannot keep a text, since all threads share them and calls do not
 * change them: predefined ones (serial 0) and operators. Each thread remembers one. The serial
 * number tells an object from a later one at the same address. */
uint64_t gb_serial_next(void);
void gb_error_file_shared(const void *object, uint64_t serial, gbl_Info code);
const char *gb_error_of_shared(const void *object, uint64_t serial);

/* -- the library ------------------------------------------------------------------------------- */

/* What gbl_init has made of it; core/context.c sets it. */
typedef enum { GB_LIBRARY_OFF, GB_LIBRARY_NONBLOCKING, GB_LIBRARY_BLOCKING } gb_LibraryMode;
extern int gb_library_mode; /* atomic */
/* Between gbl_init and gbl_finalize. */
static inline bool gb_initialised(void) {
    return __atomic_load_n(&gb_library_mode, __ATOMIC_ACQUIRE) != GB_LIBRARY_OFF;
}
static inline bool gb_blocking(void) {
    return __atomic_load_n(&gb_library_mode, __ATOMIC_RELAXED) == GB_LIBRARY_BLOCKING;
}

/* -- the end of a call ------------------------------------------------------------------------- */

/* A call that is to end gets no more memory (core/memory.h), so it fails where it would without
 * memory: outputs unchanged, nothing leaked. gb_fail_memory then says GBL_CANCELLED. Loops of long
 * passes ask too (gb_call_stops), return early, and their callers fail by gb_call_end. All of it
 * costs one relaxed load until a deadline or a callback is first set. */
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
