/* SPDX-License-Identifier: Apache-2.0
 *
 * A clock that only goes on. Not for kernels, which users compile in strict C11 and C++17.
 */
#pragma once

#include <time.h>

static inline double gb_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
