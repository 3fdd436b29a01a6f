/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock that commands and the progress bar go by.
 */
#include <time.h>

#include "cli.h"

double cli_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
