/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls (call.c) know of the progress callback, which context.c keeps.
 */
#ifndef GB_CORE_REPORT_H
#define GB_CORE_REPORT_H

#include <stdbool.h>

#define GB_PROGRESS_INTERVAL 0.05 /* seconds between reports */

/* Reports for a call without a meter; false: it is to end. NULL: there is no callback. */
typedef bool (*gb_Report)(void);
void gb_call_set_report(gb_Report report);

/* The calling thread is inside the callback, or not any more. */
void gb_call_enter_callback(bool inside);

/* Of a call that has stopped: whether the callback said so, and the seconds of its deadline. */
bool gb_call_is_called_off(void);
double gb_call_seconds(void);

#endif
