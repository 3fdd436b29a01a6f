/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether columns of a matrix come in runs, so that kernels add GB_RUN of them at a time, or at
 * least beside each other, so that they share lines of a cache.
 */
#ifndef GB_CORE_RUNS_H
#define GB_CORE_RUNS_H

#include "core/tune.h"
#include "core/view.h"

/* The entries that are looked at: all of few, else windows at equal distances. */
typedef struct {
    uint64_t windows, length, stride;
} gb_Windows;

static inline gb_Windows gb_windows_of(uint64_t nvals) {
    if (nvals <= GB_RUN_ENTRIES) return (gb_Windows){1, nvals, 0};
    const uint64_t length = GB_RUN_ENTRIES / GB_RUN_WINDOWS;
    return (gb_Windows){GB_RUN_WINDOWS, length, (nvals - length) / (GB_RUN_WINDOWS - 1)};
}

/* Whether enough of them are in runs that begin where the run before them ended, as kernels take
 * them. */
static inline bool gb_comes_in_runs(const gb_CsView *A) {
    const gb_Windows of = gb_windows_of(A->nvals);
    uint64_t within = 0;
    if (!A->sorted) return false;
    for (uint64_t w = 0; w < of.windows; w++) {
        const gb_Idx *i = A->i + w * of.stride;
        for (uint64_t q = 0; q + GB_RUN <= of.length;) {
            const bool is_run = i[q + GB_RUN - 1] - i[q] == GB_RUN - 1;
            within += is_run ? GB_RUN : 0;
            q += is_run ? GB_RUN : 1;
        }
    }
    return within * GB_RUN_SHARE > of.windows * of.length;
}

/* Whether every second column follows the one before it. */
static inline bool gb_is_adjacent(const gb_CsView *A) {
    const gb_Windows of = gb_windows_of(A->nvals);
    uint64_t next = 0;
    for (uint64_t w = 0; A->sorted && w < of.windows; w++) {
        const gb_Idx *i = A->i + w * of.stride;
        for (uint64_t q = 1; q < of.length; q++) next += i[q] == i[q - 1] + 1;
    }
    return 2 * next > of.windows * of.length;
}

#endif
