/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads a call uses unless the user says otherwise.
 */
#ifndef GB_CORE_THREAD_COUNT_H
#define GB_CORE_THREAD_COUNT_H

/* The first number of OMP_NUM_THREADS, so that one variable serves all libraries of a process; else
 * the processors that the calling thread may run on. At least 1. */
int gb_thread_count(void);

/* The first number of a list like "4,2"; 0 when there is none in [1, most]. */
int gb_first_number(const char *list, int most);

#endif
