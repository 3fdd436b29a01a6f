/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of indices I(0), I(1), ... below a dimension, and its inverse: the positions of an index
 * in the list. Made by matrix/index_map.c; kernels only read it.
 *
 * Invariants: every index is in [first, first + span), or n = 0. A range is I(k) = first + k and
 * has no arrays. Else distinct indices have ranks 0 .. distinct - 1 in ascending order, found in
 * `rank` or, where the span is far more than the indices, by search in `value`; exactly one of the
 * two is there. The positions of the index of rank r are at[start[r] .. start[r + 1]), ascending;
 * start is NULL where all indices are distinct (its position is at[r]), and at too where they
 * ascend (its position is r).
 */
#ifndef GB_CORE_INDEX_MAP_H
#define GB_CORE_INDEX_MAP_H

#include "core/search.h"
#include "core/view.h"

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
