/* SPDX-License-Identifier: Apache-2.0
 *
 * Making the map of a list of indices (core/index_map.h).
 */
#ifndef GB_MATRIX_INDEX_MAP_H
#define GB_MATRIX_INDEX_MAP_H

#include "core/index_map.h"
#include "gblite.h"

/* Rows or columns that a call names. */
typedef struct {
    const gbl_Index *i; /* [n], each < the dimension; unused when all */
    uint64_t n;         /* when all: the dimension */
    bool all;
} gb_Indices;

/* What a call says by I and ni. */
static inline gb_Indices gb_indices_of(const gbl_Index *i, gbl_Index n, uint64_t dimension) {
    if (i == GBL_ALL) return (gb_Indices){.n = dimension, .all = true};
    return (gb_Indices){.i = i, .n = n};
}
/* GBL_NULL_POINTER, or GBL_INDEX_OUT_OF_BOUNDS for an index that is not below the dimension. */
gbl_Info gb_indices_check(const gb_Indices *indices, uint64_t dimension, const char *name);
/* Whether each index is larger than the one before it. */
bool gb_indices_ascend(const gb_Indices *indices);

/* The map keeps reading the list. Lists that ascend by one are ranges. `lookups`: how many indices
 * will be looked up; the map then has an array as long as the span where that pays. */
gbl_Info gb_index_map_make(gb_IndexMap *map, const gb_Indices *indices, uint64_t dimension,
                           uint64_t lookups);
/* Only the list: nothing can be looked up, and nothing needs to be freed. */
static inline gb_IndexMap gb_index_list(const gb_Indices *indices, uint64_t dimension) {
    return (gb_IndexMap){.list = indices->all ? NULL : indices->i,
                         .n = indices->n,
                         .span = indices->n,
                         .dimension = dimension,
                         .distinct = indices->n};
}
void gb_index_map_free(gb_IndexMap *map);

#endif
