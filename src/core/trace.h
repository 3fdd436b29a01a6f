/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether and how GBLITE_TRACE asked to tell of every call that explanations are about when
 * gbl_init was called.
 */
#ifndef GB_CORE_TRACE_H
#define GB_CORE_TRACE_H

typedef enum { GB_TRACE_OFF, GB_TRACE_TEXT, GB_TRACE_JSON } gb_Trace;
gb_Trace gb_tracing(void);
void gb_trace_start(void); /* by gbl_init: reads the environment */

#endif
