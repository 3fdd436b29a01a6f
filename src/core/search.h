/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches in what ascends: offsets, p[0] <= p[1] <= ..., where rows of a view, chunks or bins
 * begin; and indices of a sorted row.
 */
#ifndef GB_CORE_SEARCH_H
#define GB_CORE_SEARCH_H

#include "core/view.h"

/* The first k in [from, to) for which the condition, an expression of k, holds; `to` if there is
 * none. It must hold for all behind one for which it holds. */
#define GB_FIRST(k, from, to, condition)                                                           \
    __extension__({                                                                                \
        uint64_t gb_low = (from), gb_high = (to);                                                  \
        while (gb_low < gb_high) {                                                                 \
            const uint64_t k = gb_low + (gb_high - gb_low) / 2;                                    \
            if (condition)                                                                         \
                gb_high = k;                                                                       \
            else                                                                                   \
                gb_low = k + 1;                                                                    \
        }                                                                                          \
        gb_low;                                                                                    \
    })

/* The first k in [lo, hi) with p[k] >= x; hi if there is none. */
static inline uint64_t gb_first_from(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    return GB_FIRST(k, lo, hi, p[k] >= x);
}

/* The k in [lo, hi) with p[k] <= x < p[k + 1]; x lies within p[lo] .. p[hi] - 1. */
static inline uint64_t gb_holder(const uint64_t *p, uint64_t lo, uint64_t hi, uint64_t x) {
    return gb_first_from(p + 1, lo, hi, x + 1);
}

/* The first k in [0, n) before which there are at least `work` entries and rows together, where a
 * row counts as `row` entries; n if there is none. Cuts n rows into parts of equal work. */
static inline uint64_t gb_row_at_work(const gb_Off *p, uint64_t n, uint64_t row, uint64_t work) {
    return GB_FIRST(k, 0, n, p[k] + row * k >= work);
}

/* The first k in [lo, hi) with v[k] >= x; hi if there is none. */
static inline gb_Off gb_first_at_least(const gb_Idx *v, gb_Off lo, gb_Off hi, uint64_t x) {
    return GB_FIRST(k, lo, hi, v[k] >= x);
}

/* The same by doubling steps: fast when it is close to lo. */
static inline gb_Off gb_gallop(const gb_Idx *v, gb_Off lo, gb_Off hi, gb_Idx x) {
    gb_Off step = 1;
    while (lo + step < hi && v[lo + step] < x) {
        lo += step;
        step *= 2;
    }
    return gb_first_at_least(v, lo, lo + step < hi ? lo + step : hi, x);
}

/* What a[0 .. n) and b[0 .. m), ascending, have in common: the next of either is searched in the
 * other, from where it stands. */
static inline uint64_t gb_count_common(const gb_Idx *a, uint64_t n, const gb_Idx *b, uint64_t m) {
    uint64_t p = 0, q = 0, found = 0;
    while (p < n && q < m) {
        q = gb_gallop(b, q, m, a[p]);
        if (q == m) break;
        if (b[q] == a[p]) {
            found++;
            p++;
            q++;
        } else {
            p = gb_gallop(a, p + 1, n, b[q]);
        }
    }
    return found;
}

#endif
