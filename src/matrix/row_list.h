/* SPDX-License-Identifier: Apache-2.0
 *
 * A row list: those indices of a dimension that a compact matrix has rows (or columns) for. The
 * position of an index in the list is its number in the compact matrix, so order is kept, and a
 * dimension of 2^60 takes O(n).
 *
 * Integrity: index[0 .. n) ascends strictly; n is at most GB_COMPACT_MAX. A row list does not
 * change once it is made and is shared by reference; matrices that have the very same row list need
 * no renumbering to be combined.
 */
#pragma once

#include "core/view.h"
#include "gblite.h"

#define GB_COMPACT_MAX ((uint64_t)UINT32_MAX) /* the largest dimension of a compact matrix */
#define GB_DIMENSION_MAX (GBL_INDEX_MAX + 1)  /* the largest of all, 2^60 */

typedef struct {
    int refs; /* atomic */
    uint64_t n;
    uint64_t index[]; /* [n] */
} gb_RowList;

#define GB_NOT_FOUND UINT64_MAX

/* n indices, to be filled. GBL_OUT_OF_MEMORY also where there are more than a compact matrix can
 * have. */
gbl_Info gb_row_list_new(gb_RowList **row_list, uint64_t n);
/* The indices below n. */
gbl_Info gb_row_list_of_first(gb_RowList **row_list, uint64_t n);
gb_RowList *gb_row_list_retain(gb_RowList *row_list); /* NULL stays NULL */
void gb_row_list_release(gb_RowList *row_list);       /* NULL is fine */
size_t gb_row_list_bytes(const gb_RowList *row_list);

/* The first position whose index is not below this one; n if there is none. */
uint64_t gb_row_list_from(const gb_RowList *row_list, uint64_t index);
/* The position of an index, or GB_NOT_FOUND. */
uint64_t gb_row_list_find(const gb_RowList *row_list, uint64_t index);

/* The index at a position; NULL: each index is its own. */
static inline uint64_t gb_row_list_at(const gb_RowList *row_list, uint64_t k) {
    return row_list == NULL ? k : row_list->index[k];
}

/* The row list of all indices of a list in any order, and the position of each: positions[k] of
 * list[k], NULL: not wanted. Lists are given in two parts, of which the second may be empty. */
typedef struct {
    const uint64_t *list[2];
    uint64_t n[2];
    gb_Idx *positions[2];
    uint64_t dimension;
} gb_RowListMerge;
gbl_Info gb_row_list_of_lists(gb_RowList **row_list, const gb_RowListMerge *lists);

/* The union of row lists, which is one of them where that has all; NULL ones are passed over. */
gbl_Info gb_row_list_unite(gb_RowList **row_list, gb_RowList *const *parts, int nparts);
/* What two have in common, or their union where that is less than `times` as long. */
gbl_Info gb_row_list_meet(gb_RowList **row_list, gb_RowList *a, gb_RowList *b, uint64_t times);
/* Whether one has all indices of the other. */
bool gb_row_list_has_all(const gb_RowList *longer, const gb_RowList *shorter);
/* The indices at those positions, which ascend. */
gbl_Info gb_row_list_part(gb_RowList **row_list, const gb_RowList *of, const gb_RowList *positions);
/* The first n of it. */
gbl_Info gb_row_list_head(gb_RowList **row_list, gb_RowList *of, uint64_t n);
