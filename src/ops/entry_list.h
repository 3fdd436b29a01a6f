/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries and indices one by one: the entries of an object as tuples with 64-bit indices, for
 * operations on hypersparse objects that move entries to other indices; and indices that come from
 * the user, an array or the values of a vector of any integer type, which are read in short blocks,
 * so that none is copied as a whole.
 */
#pragma once

#include "matrix/matrix.h"

/* By row, then column. */
typedef struct {
    uint64_t n;
    gbl_Index *I, *J; /* [n]; J: NULL for vectors */
    char *X;          /* [n] of `type` */
    gbl_Index *block; /* what I and J are in */
    const gb_Type *type;
    size_t bytes, xbytes;
} gb_EntryList;

/* Space for n entries, to be filled; after a failure there is nothing to release. */
gbl_Info gb_entry_list_new(gb_EntryList *list, uint64_t n, bool vector, const gb_Type *type);
/* Assembles A; after a failure there is nothing to release. */
gbl_Info gb_entry_list_of(gb_EntryList *list, gb_Matrix *A, const gb_Type *type);
void gb_entry_list_release(gb_EntryList *list);
/* The values, of UINT64, as indices. */
static inline gbl_Index *gb_entry_indices(const gb_EntryList *list) {
    return (gbl_Index *)(void *)list->X;
}
/* GBL_INDEX_OUT_OF_BOUNDS unless these are below limit. */
gbl_Info gb_entry_list_check(const gb_EntryList *list, const char *name, uint64_t limit);
/* *T = a new object like A with the entries of the tuples, folded by dup. */
gbl_Info gb_entry_list_to(gb_Matrix **T, const gb_Matrix *like, gb_Type *type,
                          const gb_EntryList *list, const gb_BinaryOp *dup);

/* -- indices */

typedef struct {
    const gb_Type *type; /* an integer type */
    const void *x;
    int sx; /* 0: one value for all */
} gb_Indices64;

/* at[k] = index first + k for k < count <= GB_BATCH; a negative number is a very large index. */
static inline void gb_indices_read(const gb_Indices64 *indices, uint64_t first, size_t count,
                                   uint64_t *at) {
    const char *x = indices->x;
    if (indices->sx != 0) x += first * indices->type->size;
    gb_cast(gb_type_of(GBL_UINT64_CODE), at, indices->type, x, indices->sx, count);
}

/* The same; where they are if they need no cast, else at `space`. */
static inline const uint64_t *gb_indices_view(const gb_Indices64 *indices, uint64_t first,
                                              size_t count, uint64_t *space) {
    const gbl_Type_Code code = indices->type->code;
    if (indices->sx != 0 && (code == GBL_INT64_CODE || code == GBL_UINT64_CODE))
        return (const uint64_t *)indices->x + first;
    gb_indices_read(indices, first, count, space);
    return space;
}

/* GBL_DOMAIN_MISMATCH unless values of v are integers. */
gbl_Info gb_check_indices(const gb_Matrix *v, const char *name);
/* GBL_DOMAIN_MISMATCH unless v's integers can be any index of v; `fit` is a type that can. */
gbl_Info gb_check_holds(const gb_Matrix *v, const char *name, const gb_Type *fit);
/* GBL_INDEX_OUT_OF_BOUNDS: index k of that name is not below limit. */
gbl_Info gb_fail_index(const char *name, uint64_t k, uint64_t index, uint64_t limit);
/* GBL_DIMENSION_MISMATCH unless the length is as wanted; reason: "as u". */
gbl_Info gb_check_length(const char *name, uint64_t length, uint64_t wanted, const char *reason);
