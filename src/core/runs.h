/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether columns of a matrix come in runs, so that kernels add GB_RUN of them at a time, or at
 * least beside each other, so that they share lines of a cache.
 */
#ifndef GB_CORE_RUNS_H
#define GB_CORE_RUNS_H

#include "core/tune.h"
#include "core/view.h"

/* Of the first entries: whether enough are in runs that begin where the run before them ended, as
 * kernels take them. */
static inline bool gb_comes_in_runs(const gb_CsView *A) {
    const uint64_t n = A->nvals < GB_RUN_ENTRIES ? A->nvals : GB_RUN_ENTRIES;
    uint64_t within = 0;
    if (!A->sorted) return false;
    for (uint64_t q = 0; q + GB_RUN <= n;) {
        const bool is_run = A->i[q + GB_RUN - 1] - A->i[q] == GB_RUN - 1;
        within += is_run ? GB_RUN : 0;
        q += is_run ? GB_RUN : 1;
    }
    return within * GB_RUN_SHARE > n;
}

/* Of the first entries: whether every second column follows the one before it. */
static inline bool gb_is_adjacent(const gb_CsView *A) {
    const uint64_t n = A->nvals < GB_RUN_ENTRIES ? A->nvals : GB_RUN_ENTRIES;
    uint64_t next = 0;
    for (uint64_t q = 1; A->sorted && q < n; q++) next += A->i[q] == A->i[q - 1] + 1;
    return 2 * next > n;
}

#endif
