/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite addition: the allocator that gbl_init_with_allocator was given, or the C library's.
 *
 * For arrays that move into the library (gbl_Matrix_moveIn) or have moved out of it
 * (gbl_Matrix_moveOut) in code that does not know which allocator is in use. Thread safe, as the
 * allocator is. Such blocks are not counted in GBL_BYTES_IN_USE while they belong to the caller.
 */
#ifndef GBLITE_MEMORY_H
#define GBLITE_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* gbl_Memory_malloc: A block of so many bytes; NULL when there is not enough memory. */
void *gbl_Memory_malloc(size_t bytes);
/* gbl_Memory_realloc: The block with a new size, perhaps elsewhere.
 * NULL leaves the block as it is: there is not enough memory, or gbl_init_with_allocator was given
 * no realloc. */
void *gbl_Memory_realloc(void *block, size_t bytes);
/* gbl_Memory_free: Frees a block of the two functions above, or an array that has moved out; NULL
 * is fine. */
void gbl_Memory_free(void *block);

#ifdef __cplusplus
}
#endif

#endif
