/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches in what ascends: offsets, p[0] <= p[1] <= ..., where rows of a view, chunks or bins
 * begin; and indices of a sorted row.
 */
#ifndef GB_CORE_SEARCH_H
#define GB_CORE_SEARCH_H

#include "core/view.h"

/* The first k in [lo, hi) with p[k] >= x; hi if there is none. */
static inline uint64_t gb_first_from(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (p[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The k in [lo, hi) with p[k] <= x < p[k + 1]; x lies within p[lo] .. p[hi] - 1. */
static inline uint64_t gb_holder(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    return gb_first_from(p + 1, lo, hi, x + 1);
}

/* The first k in [lo, hi) with v[k] >= x; hi if there is none. */
static inline gb_Off gb_first_at_least(const gb_Idx *v, gb_Off lo, gb_Off hi, uint64_t x) {
    while (lo < hi) {
        const gb_Off mid = lo + (hi - lo) / 2;
        if (v[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

#endif
