/* SPDX-License-Identifier: Apache-2.0
 *
 * Owning arrays: allocation all or nothing (GBL_OUT_OF_MEMORY leaves them empty), release, views.
 */
#pragma once

#include <string.h>

#include "core/bits.h"
#include "core/memory.h"
#include "core/call.h"

/* The alignment that values of so many bytes may want: C's types have sizes that are multiples of
 * theirs, and want no more than malloc gives. */
static inline size_t gb_alignment_of(size_t size) {
    const size_t power = size & -size;
    return power < 16 ? power : 16;
}

GB_INLINE void gb_copy_sized(size_t size, void *z, const void *x) {
    memcpy(z, x, size);
}
/* One value; sizes of built-in types become plain moves. */
static inline void gb_copy_value(void *z, const void *x, size_t size) {
    GB_BY_SIZE(gb_copy_sized, size, z, x);
}

/* Whose arrays they are; a block of gb_malloc. Either the user's, who wants to know when nobody
 * reads them any more: they are neither written nor freed here. Or those of `holders` objects of
 * the library: the last one frees them, and one that is alone may write. */
typedef struct gb_Lender {
    void (*release)(void *context); /* or NULL */
    void *context;
    uint64_t holders; /* atomic; 0: the user's */
} gb_Lender;
/* Somebody else has the arrays. */
static inline bool gb_is_lent(const gb_Lender *lender) {
    return lender != NULL && __atomic_load_n(&lender->holders, __ATOMIC_ACQUIRE) != 1;
}
static inline bool gb_is_the_users(const gb_Lender *lender) {
    return lender != NULL && __atomic_load_n(&lender->holders, __ATOMIC_RELAXED) == 0;
}
/* The copy has the same arrays, which are not the user's. */
gbl_Info gb_cs_share(gb_Cs *copy, gb_Cs *cs);
gbl_Info gb_dense_share(gb_Dense *copy, gb_Dense *dense);

gbl_Info gb_cs_alloc(gb_Cs *cs, uint64_t nmajor, uint64_t nvals, size_t xbytes);
gbl_Info gb_cs_empty(gb_Cs *cs, uint64_t nmajor); /* without entries, with pointers */
void gb_cs_free(gb_Cs *cs);
/* *to = a copy, in arrays of the library's own with that capacity; to may be cs, whose own it then
 * replaces. After a failure *to is as it was. */
gbl_Info gb_cs_copy(gb_Cs *to, const gb_Cs *cs, uint64_t capacity, size_t xsize);
/* Arrays for so many entries, one value where cs is iso; the first `kept` entries move along. They
 * stay as they are when there is no memory. */
gbl_Info gb_cs_resize(gb_Cs *cs, uint64_t capacity, uint64_t kept, size_t xsize);
/* The arrays lose what they did not need, where that is more than half and memory is to be had. */
void gb_cs_trim(gb_Cs *T, size_t xsize);
/* Capacity for pointers to so many rows, or for so many elements; arrays that are nobody else's. */
gbl_Info gb_cs_reserve_rows(gb_Cs *cs, uint64_t nmajor);
gbl_Info gb_dense_reserve(gb_Dense *dense, uint64_t n, size_t size);
/* The new rows have no entries, nor have the new elements. Cannot fail after a reservation. */
void gb_cs_add_rows(gb_Cs *cs, uint64_t nmajor);
void gb_dense_add(gb_Dense *dense, uint64_t n, size_t size);
gbl_Info gb_dense_alloc(gb_Dense *dense, uint64_t n, size_t xbytes, bool bitmap);
/* As gb_cs_copy, without spare capacity. */
gbl_Info gb_dense_copy(gb_Dense *to, const gb_Dense *dense, size_t xsize);
/* The dense form, of dense->n positions, of a list whose entry at (major, minor) is at major *
 * by_major + minor * by_minor; full unless it has a bitmap. */
typedef struct {
    uint64_t by_major, by_minor;
} gb_Strides;
gbl_Info gb_dense_of_cs(gb_Dense *dense, const gb_Cs *cs, gb_Strides step, size_t size,
                        bool bitmap);
void gb_dense_free(gb_Dense *dense);
/* A bitmap without absent elements goes, unless the object grows. */
void gb_dense_fill(gb_Dense *dense);
gb_CsView gb_cs_view(const gb_Cs *cs, uint64_t nminor, size_t xsize);

/* -- tiles ---------------------------------------------------------------------------------- */

/* The layout of a matrix of the given shape: p, i, nnz, row and mask for ntiles; nvals 0. */
gbl_Info gb_tiles_alloc(gb_Tiles *tiles, uint64_t nmajor, uint64_t nminor, uint64_t ntiles);
/* Places and values of nvals entries; tiles as they were on failure. */
gbl_Info gb_tiles_alloc_entries(gb_Tiles *tiles, uint64_t nvals, size_t xbytes);
void gb_tiles_free(gb_Tiles *tiles);
gb_TileView gb_tiles_view(const gb_Tiles *tiles, size_t xsize);
uint64_t gb_tiles_bytes(const gb_Tiles *tiles);
