/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs of threads share: a line for what is wrong, and a count of such lines, by which
 * main() exits. One program includes it once.
 */
#pragma once

#include "gblite.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int wrong;

static inline bool check(bool good, const char *what) {
    if (good) return true;
    atomic_fetch_add(&wrong, 1);
    fprintf(stderr, "%s (%s)\n", what, gbl_last_error());
    return false;
}

static inline bool is_ok(gbl_Info info) {
    return info == GBL_SUCCESS;
}
