/* SPDX-License-Identifier: Apache-2.0
 *
 * See clock.h.
 */
#include "core/clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
