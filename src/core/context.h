/* SPDX-License-Identifier: Apache-2.0
 *
 * Process-wide state: whether the library is initialised, its settings (threads are those of
 * parallel.h), and the progress callback.
 * Settings are read without a lock (atomics); gbl_init and gbl_finalize are for one thread.
 */
#pragma once

#include "core/parallel.h"

uint64_t gb_memory_limit(void);       /* bytes of workspace of one call, 0 = none */
uint64_t gb_workspace_budget(void);   /* the limit, or a share of memory, if left */
int gb_place(void);                   /* gbl_Place; GBL_PLACE_DEFAULT until it is set */
gbl_Orientation gb_orientation(void); /* a hint */

/* Progress of a long operation. gb_progress_begin is cheap when no callback is set. Any thread of
 * the operation calls gb_progress_add(units done); it returns false once the user has cancelled. */
typedef struct {
    const char *what;
    uint64_t total;
    uint64_t done; /* atomic */
    int reports;   /* a callback is set */
    int active;    /* it is, or the call may have a deadline */
    int cancelled; /* atomic */
    double last;   /* report of it, whatever operations inside it report */
} gb_Meter;
void gb_progress_begin(gb_Meter *meter, const char *what, uint64_t total);
bool gb_progress_add(gb_Meter *meter, uint64_t units);
bool gb_has_progress(void); /* somebody watches */
/* GBL_SUCCESS or GBL_CANCELLED: what the callback has said so far; and when all is done. */
gbl_Info gb_progress_state(const gb_Meter *meter);
gbl_Info gb_progress_end(gb_Meter *meter);

/* -- settings, which only src/api changes ------------------------------------------------------ */

void gb_context_start(bool blocking); /* all settings to their defaults */
void gb_context_stop(void);
void gb_set_nthreads(int n); /* 0: all processors */
void gb_set_memory_limit(uint64_t bytes);
/* The value of GBLITE_MEMORY_LIMIT: bytes, or a number followed by K, M or G; 0 when it is not set;
 * false when it is malformed. */
bool gb_read_memory_limit(uint64_t *bytes);
void gb_set_place(int place); /* gbl_Place */
void gb_set_orientation(gbl_Orientation hint);

/* -- where operations are asked to run --------------------------------------------------------- */

/* What GBL_PLACE or, failing that, the environment variable GBLITE_PLACE asks for, else
 * GB_PLACE_UNASKED; *asked: one of them does. GBL_INVALID_VALUE where the variable names no place.
 */
gbl_Info gb_place_wanted(int *place, bool *asked);

/* -- trace ------------------------------------------------------------------------------------- */

/* What GBLITE_TRACE, read by gbl_init, requests for each call that has an explanation: 1 a line, 2
 * the whole text, json an object on a line. */
typedef enum { GB_TRACE_OFF, GB_TRACE_LINE, GB_TRACE_TABLE, GB_TRACE_JSON } gb_Trace;
gb_Trace gb_tracing(void);
void gb_set_tracing(gb_Trace trace);
void gb_trace_start(void); /* by gbl_init: reads the environment */
