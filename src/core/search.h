/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches in what ascends: offsets, p[0] <= p[1] <= ..., where rows of a view, chunks or bins
 * begin; and indices of a sorted row; and lists of indices.
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

/* -- lists of indices -------------------------------------------------------------------------- */

/* A list of indices I(0), I(1), ... below a dimension, and its inverse: the positions of an index
 * in the list. Made by matrix/index_map.c; kernels only read it.
 *
 * Invariants: every index is in [first, first + span), or n = 0. A range is I(k) = first + k and
 * has no arrays. Else distinct indices have ranks 0 .. distinct - 1 in ascending order, found in
 * `rank` or, where the span is far more than the indices, by search in `value`; exactly one of the
 * two is there. The positions of the index of rank r are at[start[r] .. start[r + 1]), ascending;
 * start is NULL where all indices are distinct (its position is at[r]), and at too where they
 * ascend (its position is r). */
typedef struct {
    const uint64_t *list; /* [n] as given; NULL: a range */
    uint64_t n, first, span, dimension;
    uint64_t distinct;
    gb_Idx *rank;  /* [span] of index first + k, or GB_NOT_LISTED; or NULL */
    gb_Idx *value; /* [distinct] ascending; or NULL */
    gb_Idx *at;    /* [n] */
    gb_Idx *start; /* [distinct + 1] */
} gb_IndexMap;

#define GB_NOT_LISTED UINT32_MAX /* no dimension is so large that a rank could be this */

static inline bool gb_is_range(const gb_IndexMap *map) {
    return map->list == NULL;
}
static inline bool gb_is_all(const gb_IndexMap *map) {
    return map->list == NULL && map->n == map->dimension;
}
/* Positions ascend with the indices, and no index is listed twice. */
static inline bool gb_is_ascending(const gb_IndexMap *map) {
    return map->at == NULL;
}
/* I(k) */
static inline uint64_t gb_listed(const gb_IndexMap *map, uint64_t k) {
    return map->list == NULL ? map->first + k : map->list[k];
}
/* The index of rank r */
static inline uint64_t gb_ranked(const gb_IndexMap *map, uint64_t r) {
    if (map->list == NULL) return map->first + r;
    if (map->at == NULL) return map->list[r];
    return map->list[map->at[map->start == NULL ? r : map->start[r]]];
}

/* The rank of an index, or GB_NOT_LISTED. */
static inline gb_Idx gb_rank_of(const gb_IndexMap *map, uint64_t index) {
    const uint64_t k = index - map->first; /* huge where index < first */
    if (k >= map->span) return GB_NOT_LISTED;
    if (map->list == NULL) return (gb_Idx)k;
    if (map->rank != NULL) return map->rank[k];
    const gb_Off r = gb_first_at_least(map->value, 0, map->distinct, index);
    return map->value[r] == index ? (gb_Idx)r : GB_NOT_LISTED;
}
/* The last position of the index of rank r. */
static inline uint64_t gb_last_place(const gb_IndexMap *map, gb_Idx r) {
    if (map->at == NULL) return r;
    return map->at[map->start == NULL ? r : map->start[r + 1] - 1];
}

#endif
