/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of an object as tuples with 64-bit indices: used by operations on hypersparse objects
 * that move entries to other indices.
 */
#ifndef GB_OPS_ENTRY_LIST_H
#define GB_OPS_ENTRY_LIST_H

#include "matrix/object.h"

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

#endif
