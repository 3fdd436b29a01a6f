/* SPDX-License-Identifier: Apache-2.0
 *
 * All memory of the library comes through here: the user's allocator, counts, and a pool that keeps
 * large freed blocks for the next call (policy: pool.h).
 *
 * Blocks carry no header, so that arrays can be handed to the user and taken over from the user;
 * the caller states the size again on free. Large sizes are rounded up to a class (8 per power of
 * two), a pure function of the size, so that a freed block fits any later request of its class.
 * Thread safe. gb_malloc(0) gives NULL and is not an error; gb_free(NULL, n) does nothing.
 */
#pragma once

#include "core/view.h"

void *gb_malloc(size_t bytes);
void *gb_calloc(size_t bytes);
/* Bytes that have some value each: 0, or what a block of the pool has. */
void *gb_malloc_set(size_t bytes);
void gb_free(void *block, size_t bytes);
/* Several blocks, all or none (false, all are NULL); those that are not large are counted together.
 * A block of 0 bytes is NULL. */
typedef struct {
    void *at;
    size_t bytes;
} gb_Block;
bool gb_malloc_all(gb_Block *blocks, int n);
void gb_free_all(const gb_Block *blocks, int n);
/* The block with a new size and its first `keep` bytes as they were, perhaps elsewhere; NULL leaves
 * the block alone (or, when `to` is 0, frees it). Blocks of the pool that shrink are copied, and
 * both exist meanwhile; very large ones are not, nor what grows where the system can move pages. */
void *gb_resize(void *block, size_t from, size_t to, size_t keep);
/* A block that the user's allocator made (moveIn): counted while we hold it, never pooled. */
void gb_adopt(size_t bytes);
void gb_free_foreign(void *block, size_t bytes);
/* A block that goes to the user (moveOut): no longer counted. */
void gb_untrack(size_t bytes);

/* *bytes = count * size; false when that overflows. */
bool gb_size_mul(size_t *bytes, uint64_t count, size_t size);
/* The same, or SIZE_MAX, which no block has. */
size_t gb_size_of(uint64_t count, size_t size);

/* The user's functions, or NULL for those of libc; without a realloc blocks grow by copies. */
void gb_memory_set_allocator(void *(*user_malloc)(size_t), void *(*user_realloc)(void *, size_t),
                             void (*user_free)(void *));
/* Large blocks of libc are refused where all live blocks would take more. */
void gb_memory_set_most(uint64_t bytes);
uint64_t gb_memory_left(void); /* until then */
void gb_memory_set_pool_limit(uint64_t bytes);
uint64_t gb_memory_pool_limit(void);
uint64_t gb_memory_pool_bytes(void);
/* Gives pooled blocks back until at most so many bytes remain; how many bytes went. */
uint64_t gb_memory_trim(uint64_t keep);

/* What all live blocks were asked for: bytes, how many (exact while no other thread allocates), the
 * most bytes since gb_memory_forget_peak. */
uint64_t gb_memory_bytes(void);
uint64_t gb_memory_blocks(void);
uint64_t gb_memory_peak(void);
void gb_memory_forget_peak(void);
/* Bytes of large blocks that the pool could not serve, since the program began. */
uint64_t gb_memory_fresh_bytes(void);

/* -- buffers of chunks ---------------------------------------------------------------------- */

/* Sizes of the buffers that chunks of a result are computed into (cpu/common/compact.h): powers of
 * two, so that the pool finds the blocks of the last product. */

enum { GB_BUFFER_PAD = 16 }; /* entries that vector stores may write behind the capacity */

/* Entries to allocate for a capacity; 2^63, which no allocation can have, where none is enough. */
static inline uint64_t gb_buffer_entries(uint64_t capacity) {
    const uint64_t most = (uint64_t)1 << 63;
    if (capacity > most - GB_BUFFER_PAD) return most;
    const uint64_t least = capacity + GB_BUFFER_PAD;
    return least < 1024 ? 1024 : (uint64_t)2 << (63 - __builtin_clzll(least - 1));
}

/* Columns, and values of zsize bytes. */
static inline double gb_buffer_bytes(uint64_t capacity, size_t zsize) {
    return (double)gb_buffer_entries(capacity) * (double)(zsize + sizeof(gb_Idx));
}

/* -- blocks of a thread's workspace ------------------------------------------------------------ */

/* Made when first something needs them, replaced when it needs more. Arrays that are made together
 * are carved from one block; each begins with a line of the cache. */
enum { GB_GROWN_LINE = 64, GB_GROWN_ARRAYS = 8 }; /* arrays of a block at most */

typedef struct {
    void *block;
    size_t bytes;  /* of the block */
    size_t usable; /* of its arrays together */
} gb_Grown;

static inline char *gb_grown_begin(const gb_Grown *g) {
    return (char *)(((uintptr_t)g->block + GB_GROWN_LINE - 1) & ~(uintptr_t)(GB_GROWN_LINE - 1));
}

static inline void gb_grown_free(gb_Grown *g) {
    gb_free(g->block, g->bytes);
    g->block = NULL;
    g->bytes = g->usable = 0;
}

/* The first of arrays that have so many bytes together. What was in the block may be lost. NULL
 * when memory is short, with *wanted set. */
static inline char *gb_grow(gb_Grown *g, size_t bytes, size_t *wanted) {
    const size_t all = bytes + (size_t)GB_GROWN_LINE * GB_GROWN_ARRAYS;
    if (g->usable >= bytes && g->block != NULL) return gb_grown_begin(g);
    gb_grown_free(g);
    g->block = gb_malloc(all);
    if (g->block == NULL) {
        *wanted = all;
        return NULL;
    }
    g->bytes = all;
    g->usable = bytes;
    return gb_grown_begin(g);
}

/* An array at *at, which moves on to the next. */
static inline void *gb_carve(char **at, size_t bytes) {
    void *const array = *at;
    *at += (bytes + GB_GROWN_LINE - 1) & ~(size_t)(GB_GROWN_LINE - 1);
    return array;
}
