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

#endif
