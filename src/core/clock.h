/* SPDX-License-Identifier: Apache-2.0
 *
 * Time, for explanations and for how often progress is reported.
 */
#ifndef GB_CORE_CLOCK_H
#define GB_CORE_CLOCK_H

#include <time.h>

/* Seconds of a monotone clock. */
static inline double gb_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -- trace ------------------------------------------------------------------------------------- */

/* What GBLITE_TRACE, read by gbl_init, requests for each call that has an explanation: 1 a line, 2
 * the whole text, json an object on a line. */
typedef enum { GB_TRACE_OFF, GB_TRACE_LINE, GB_TRACE_TABLE, GB_TRACE_JSON } gb_Trace;
gb_Trace gb_tracing(void);
void gb_trace_start(void); /* by gbl_init: reads the environment */

#endif
