/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocation, live counts and the pool of large blocks; see memory.h.
 *
 * Pool integrity: entries [0, pool_count) are free blocks in the order they were freed; `size` is
 * always a size class; their sum is pool_bytes <= pool_limit. All under pool_lock. The pool is
 * short (POOL_SLOTS), so a linear search costs less than one cache miss of the block it finds.
 */
#include "core/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/tune.h"
#include "gblite_memory.h"

enum { POOL_SLOTS = 128 };

static struct {
    void *block;
    size_t size;
} pool[POOL_SLOTS];
static int pool_count;
static uint64_t pool_bytes, pool_limit = GB_POOL_LIMIT_DEFAULT;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static void *(*user_malloc)(size_t) = malloc;
static void *(*user_realloc)(void *, size_t) = realloc; /* NULL: there is none */
static void (*user_free)(void *) = free;
static uint64_t live_bytes, live_blocks; /* atomic */

static void count(int64_t bytes, int64_t blocks) {
    __atomic_add_fetch(&live_bytes, (uint64_t)bytes, __ATOMIC_RELAXED);
    __atomic_add_fetch(&live_blocks, (uint64_t)blocks, __ATOMIC_RELAXED);
}

static bool is_large(size_t bytes) {
    return bytes >= GB_POOL_MIN_BLOCK;
}

/* Smallest class that holds so many bytes: a multiple of 1/8 of the power of two below. */
static size_t size_class(size_t bytes) {
    const size_t step = (size_t)1 << (60 - __builtin_clzll(bytes));
    const size_t rounded = (bytes + step - 1) & ~(step - 1);
    return rounded < bytes ? bytes : rounded;
}

static void *pool_take(size_t size) {
    void *block = NULL;
    pthread_mutex_lock(&pool_lock);
    for (int k = pool_count - 1; k >= 0 && block == NULL; k--) { /* the latest is warmest */
        if (pool[k].size != size) continue;
        block = pool[k].block;
        memmove(&pool[k], &pool[k + 1], (size_t)(pool_count - k - 1) * sizeof pool[0]);
        pool_count--;
        pool_bytes -= size;
    }
    pthread_mutex_unlock(&pool_lock);
    return block;
}

/* Frees the oldest blocks until at most `bytes` remain and one slot is free. Under the lock. */
static void pool_shrink(uint64_t bytes) {
    int drop = 0;
    while (drop < pool_count && (pool_bytes > bytes || pool_count - drop == POOL_SLOTS)) {
        pool_bytes -= pool[drop].size;
        user_free(pool[drop].block);
        drop++;
    }
    pool_count -= drop;
    memmove(&pool[0], &pool[drop], (size_t)pool_count * sizeof pool[0]);
}

static bool pool_put(void *block, size_t size) {
    bool kept = false;
    pthread_mutex_lock(&pool_lock);
    if (size <= pool_limit) {
        pool_shrink(pool_limit - size);
        pool[pool_count].block = block;
        pool[pool_count++].size = size;
        pool_bytes += size;
        kept = true;
    }
    pthread_mutex_unlock(&pool_lock);
    return kept;
}

static void advise_huge(void *block, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20;
    const uintptr_t from = ((uintptr_t)block + page - 1) & ~(page - 1);
    const uintptr_t to = ((uintptr_t)block + size) & ~(page - 1);
    if (size >= GB_HUGE_MIN && to > from) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

/* A fresh block; when the pool's blocks stand in the way of a large one they are given back. */
static void *fresh(size_t size, bool zero) {
    const bool plain = user_malloc == malloc;
    void *block = zero && plain ? calloc(1, size) : user_malloc(size);
    if (block == NULL && is_large(size) && gb_memory_trim() > 0) {
        block = zero && plain ? calloc(1, size) : user_malloc(size);
    }
    if (block == NULL) return NULL;
    if (is_large(size)) advise_huge(block, size);
    if (zero && !plain) memset(block, 0, size);
    return block;
}

static void *allocate(size_t bytes, bool zero) {
    if (bytes == 0 || bytes > PTRDIFF_MAX) return NULL;
    const size_t size = is_large(bytes) ? size_class(bytes) : bytes;
    void *block = is_large(bytes) ? pool_take(size) : NULL;
    if (block != NULL && zero) memset(block, 0, bytes);
    if (block == NULL) block = fresh(size, zero);
    if (block != NULL) count((int64_t)bytes, 1);
    return block;
}

void *gb_malloc(size_t bytes) {
    return allocate(bytes, false);
}

void *gb_calloc(size_t bytes) {
    return allocate(bytes, true);
}

void gb_free(void *block, size_t bytes) {
    if (block == NULL) return;
    count(-(int64_t)bytes, -1);
    if (!is_large(bytes) || !pool_put(block, size_class(bytes))) user_free(block);
}

void *gb_resize(void *block, size_t from, size_t to, size_t keep) {
    if (to > PTRDIFF_MAX) return NULL;
    if (user_realloc != NULL && block != NULL && to > 0) {
        void *moved = user_realloc(block, is_large(to) ? size_class(to) : to);
        if (moved != NULL) count((int64_t)to - (int64_t)from, 0);
        return moved;
    }
    void *fresh_block = gb_malloc(to);
    if (fresh_block == NULL && to > 0) return NULL;
    if (keep > 0 && to > 0) memcpy(fresh_block, block, keep);
    gb_free(block, from);
    return fresh_block;
}

void gb_adopt(size_t bytes) {
    count((int64_t)bytes, 1);
}

void gb_free_foreign(void *block, size_t bytes) {
    if (block == NULL) return;
    count(-(int64_t)bytes, -1);
    user_free(block);
}

void gb_disown(size_t bytes) {
    count(-(int64_t)bytes, -1);
}

bool gb_size_mul(size_t *bytes, uint64_t n, size_t size) {
    return !__builtin_mul_overflow(n, size, bytes) && *bytes <= PTRDIFF_MAX;
}

void gb_memory_set_allocator(void *(*new_malloc)(size_t), void *(*new_realloc)(void *, size_t),
                             void (*new_free)(void *)) {
    gb_memory_trim();
    user_malloc = new_malloc != NULL ? new_malloc : malloc;
    user_realloc = new_malloc != NULL ? new_realloc : realloc;
    user_free = new_free != NULL ? new_free : free;
}

void gb_memory_set_pool_limit(uint64_t bytes) {
    pthread_mutex_lock(&pool_lock);
    pool_limit = bytes;
    pool_shrink(bytes);
    pthread_mutex_unlock(&pool_lock);
}

uint64_t gb_memory_pool_limit(void) {
    return pool_limit;
}

uint64_t gb_memory_trim(void) {
    pthread_mutex_lock(&pool_lock);
    const uint64_t freed = pool_bytes;
    pool_shrink(0);
    pthread_mutex_unlock(&pool_lock);
    return freed;
}

uint64_t gb_memory_bytes(void) {
    return __atomic_load_n(&live_bytes, __ATOMIC_RELAXED);
}

uint64_t gb_memory_blocks(void) {
    return __atomic_load_n(&live_blocks, __ATOMIC_RELAXED);
}

/* The public functions of gblite_memory.h: blocks of the user's allocator that are not counted. */

void *gbl_Memory_malloc(size_t bytes) {
    return user_malloc(bytes);
}

void *gbl_Memory_realloc(void *block, size_t bytes) {
    return user_realloc != NULL ? user_realloc(block, bytes) : NULL;
}

void gbl_Memory_free(void *block) {
    if (block != NULL) user_free(block);
}
