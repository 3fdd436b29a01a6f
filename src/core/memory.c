/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocation, counts, and the pool under its lock; see memory.h and pool.h.
 *
 * Blocks that leave the pool are freed after the lock has been released: unmapping 1 GB takes
 * milliseconds. free() may keep their pages in a heap of the C library, so these go back to the
 * system first. There is no stage between (MADV_FREE): pages that the system may take but has not
 * taken still count as resident, and users who watch a process would see no difference. The advice
 * to use huge pages is taken back too: the system would fill a huge page around each header that
 * the C library keeps between freed blocks, and what was given back would be resident again.
 *
 * Programs that free only small blocks age the pool too, at every GB_POOL_TICKS-th.
 *
 * Small calls spend their time here, so a block is counted by one atomic addition: bytes in use and
 * the number of blocks are one word, bytes in the lower 48 bits, which no process outgrows, and the
 * number modulo 2^16 above them. What the number loses is in `half_laps`: each time its top bit
 * changes, whoever changed it adds 1 or, going down, takes 1 away. So bytes and peak are exact at
 * any moment. The number of blocks is exact while no other thread is between these two steps; a
 * thread that is stopped there while others make or free 2^14 blocks lets readers miss 2^16.
 */
#include "core/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/call.h"
#include "core/pool.h"
#include "core/tune_host.h"
#include "gblite_memory.h"

static gb_Pool pool; /* its limit is 0, so it keeps nothing, before gbl_init and after finalize */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_seen = PTHREAD_ONCE_INIT;

static uint64_t most = UINT64_MAX; /* atomic; bytes that blocks of libc may take together */

static void *(*user_malloc)(size_t) = malloc;
static void *(*user_realloc)(void *, size_t) = realloc; /* NULL: there is none */
static void (*user_free)(void *) = free;

/* ------------------------------------------------------------------------------------ counts -- */

enum { BYTE_BITS = 48, BLOCK_BITS = 64 - BYTE_BITS };

/* All are atomic, and in a line of the cache that nothing else is in. */
static struct {
    _Alignas(GB_LINE_BYTES) uint64_t live; /* blocks << BYTE_BITS | bytes */
    int64_t half_laps;                     /* how often the top bit of `live` has changed */
    uint64_t peak;                         /* bytes */
    uint64_t fresh;                        /* bytes; large blocks not from the pool */
    unsigned ticks;                        /* small blocks freed; a few may be missed */
} counts;

static void count(int64_t bytes, int blocks) {
    const uint64_t step = ((uint64_t)blocks << BYTE_BITS) + (uint64_t)bytes;
    const uint64_t now = __atomic_add_fetch(&counts.live, step, __ATOMIC_RELAXED);
    if (((now ^ (now - step)) >> 63) != 0)
        __atomic_add_fetch(&counts.half_laps, blocks < 0 ? -1 : 1, __ATOMIC_RELAXED);
    if (bytes <= 0) return;
    const uint64_t in_use = now & (((uint64_t)1 << BYTE_BITS) - 1);
    uint64_t peak = __atomic_load_n(&counts.peak, __ATOMIC_RELAXED);
    while (in_use > peak && !__atomic_compare_exchange_n(&counts.peak, &peak, in_use, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

uint64_t gb_memory_bytes(void) {
    return __atomic_load_n(&counts.live, __ATOMIC_RELAXED) & (((uint64_t)1 << BYTE_BITS) - 1);
}

/* A thread between its two additions has moved the number but not yet the half laps, whose parity
 * is then wrong: near which end of its half the number is tells which way it went. */
uint64_t gb_memory_blocks(void) {
    const uint64_t low = __atomic_load_n(&counts.live, __ATOMIC_RELAXED) >> BYTE_BITS;
    int64_t halves = __atomic_load_n(&counts.half_laps, __ATOMIC_RELAXED);
    if (((uint64_t)halves & 1) != low >> (BLOCK_BITS - 1))
        halves += (low >> (BLOCK_BITS - 2) & 1) != 0 ? -1 : 1;
    return (((uint64_t)halves >> 1) << BLOCK_BITS) + low;
}

uint64_t gb_memory_peak(void) {
    return __atomic_load_n(&counts.peak, __ATOMIC_RELAXED);
}

void gb_memory_forget_peak(void) {
    __atomic_store_n(&counts.peak, gb_memory_bytes(), __ATOMIC_RELAXED);
}

uint64_t gb_memory_fresh_bytes(void) {
    return __atomic_load_n(&counts.fresh, __ATOMIC_RELAXED);
}

#define IS_LARGE(bytes) ((bytes) >= GB_POOL_MIN_BLOCK)
/* Bytes to ask the allocator for. */
#define GRANTED(bytes) (IS_LARGE(bytes) ? gb_size_class(bytes) : (bytes))

/* --------------------------------------------------------------------- the pool and its lock -- */

/* What a user's allocator hands out may be pinned or shared, so its pages are left alone. */
static void give_back(const gb_PoolBlock *block) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = ((uintptr_t)block->address + page - 1) & ~(page - 1);
    const uintptr_t to = ((uintptr_t)block->address + block->size) & ~(page - 1);
    if (user_free == free && to > from) {
        madvise((void *)from, to - from, MADV_DONTNEED);
#ifdef MADV_HUGEPAGE
        if (block->size >= GB_HUGE_MIN) madvise((void *)from, to - from, MADV_NOHUGEPAGE);
#endif
    }
    user_free(block->address);
}

static void release(const gb_PoolList *out) {
    for (int k = 0; k < out->count; k++) give_back(&out->blocks[k]);
}

static void *pool_take(size_t size) {
    gb_PoolList out;
    out.count = 0;
    pthread_mutex_lock(&pool_lock);
    void *block = gb_pool_take(&pool, size, gb_memory_bytes() + size, &out);
    pthread_mutex_unlock(&pool_lock);
    release(&out);
    return block;
}

/* NULL: the pool grows older, and no more. */
static bool pool_put(void *block, size_t size) {
    gb_PoolList out;
    struct timespec t;
    out.count = 0;
    pthread_mutex_lock(&pool_lock);
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
    const uint64_t in_use = gb_memory_bytes();
    const bool kept =
        block != NULL && gb_pool_put(&pool, (gb_PoolBlock){block, size}, in_use, now, &out);
    if (block == NULL) gb_pool_age(&pool, in_use, now, &out);
    pthread_mutex_unlock(&pool_lock);
    release(&out);
    return kept;
}

uint64_t gb_memory_trim(uint64_t keep) {
    gb_PoolList out;
    out.count = 0;
    pthread_mutex_lock(&pool_lock);
    const uint64_t before = pool.bytes;
    gb_pool_shrink(&pool, keep, &out);
    const uint64_t freed = before - pool.bytes;
    pthread_mutex_unlock(&pool_lock);
    release(&out);
    return freed;
}

static void lock_pool(void) {
    pthread_mutex_lock(&pool_lock);
}

static void unlock_pool(void) {
    pthread_mutex_unlock(&pool_lock);
}

/* A child must not find the lock of a thread that it has not. */
static void see_forks(void) {
    pthread_atfork(lock_pool, unlock_pool, unlock_pool);
}

void gb_memory_set_pool_limit(uint64_t bytes) {
    pthread_once(&forks_seen, see_forks);
    pthread_mutex_lock(&pool_lock);
    pool.limit = bytes;
    pthread_mutex_unlock(&pool_lock);
    gb_memory_trim(bytes);
}

uint64_t gb_memory_pool_limit(void) {
    pthread_mutex_lock(&pool_lock);
    const uint64_t limit = pool.limit;
    pthread_mutex_unlock(&pool_lock);
    return limit;
}

uint64_t gb_memory_pool_bytes(void) {
    pthread_mutex_lock(&pool_lock);
    const uint64_t bytes = pool.bytes;
    pthread_mutex_unlock(&pool_lock);
    return bytes;
}

/* -------------------------------------------------------------------------------- allocation -- */

/* The advice covers whole pages around the block: a part of a mapping with other advice than the
 * rest would be a mapping of its own, and mremap (realloc) grows only blocks in one mapping. */
static void advise_huge(void *block, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = (uintptr_t)block & ~(page - 1);
    const uintptr_t to = ((uintptr_t)block + size + page - 1) & ~(page - 1);
    if (size >= GB_HUGE_MIN) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

/* The system would grant more than there is, and end the process once it is used, or swap. */
#define IS_TOO_LARGE(more) (IS_LARGE(more) && user_malloc == malloc && (more) > gb_memory_left())

uint64_t gb_memory_left(void) {
    const uint64_t limit = __atomic_load_n(&most, __ATOMIC_RELAXED), live = gb_memory_bytes();
    return live < limit ? limit - live : 0;
}

void gb_memory_set_most(uint64_t bytes) {
    __atomic_store_n(&most, bytes, __ATOMIC_RELAXED);
}

/* A fresh block; when the pool's blocks stand in the way of a large one they are given back. Large
 * blocks begin with a line of the cache, so that rows of a full matrix do too; but those that are
 * cleared need not, nor those that the C library moves when they grow. */
static void *fresh(size_t size, bool zero) {
    const bool users = user_malloc != malloc, large = IS_LARGE(size);
    void *block = NULL;
    if (IS_TOO_LARGE(size)) return NULL;
    do {
        block = users   ? user_malloc(size)
                : zero  ? calloc(1, size)
                : large ? aligned_alloc(GB_LINE_BYTES, size)
                        : malloc(size);
    } while (block == NULL && large && gb_memory_trim(0) > 0);
    if (block != NULL && large) {
        __atomic_add_fetch(&counts.fresh, size, __ATOMIC_RELAXED);
        advise_huge(block, size);
    }
    if (block != NULL && users && zero) memset(block, 0, size);
    return block;
}

typedef enum { ANY_BYTES, SET_BYTES, ZERO_BYTES } Content;

/* Not counted yet. */
static void *get(size_t bytes, Content content) {
    if (bytes == 0 || bytes > PTRDIFF_MAX || gb_call_has_stopped()) return NULL;
    const size_t size = GRANTED(bytes);
    void *block = IS_LARGE(bytes) ? pool_take(size) : NULL;
    if (block != NULL && content == ZERO_BYTES) memset(block, 0, bytes);
    return block != NULL ? block : fresh(size, content != ANY_BYTES);
}

/* No longer counted. */
static void put(void *block, size_t bytes) {
    if (IS_LARGE(bytes)) {
        if (!pool_put(block, gb_size_class(bytes)))
            give_back(&(gb_PoolBlock){.address = block, .size = bytes});
        return;
    }
    user_free(block);
    const unsigned ticks = __atomic_load_n(&counts.ticks, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&counts.ticks, ticks, __ATOMIC_RELAXED); /* cheaper than one atomic addition */
    if (ticks % GB_POOL_TICKS == 0) pool_put(NULL, 0);
}

static void *allocate(size_t bytes, Content content) {
    void *block = get(bytes, content);
    if (block != NULL) count((int64_t)bytes, 1);
    return block;
}

void *gb_malloc(size_t bytes) {
    return allocate(bytes, ANY_BYTES);
}

void *gb_calloc(size_t bytes) {
    return allocate(bytes, ZERO_BYTES);
}

void *gb_malloc_set(size_t bytes) {
    return allocate(bytes, SET_BYTES);
}

void gb_free(void *block, size_t bytes) {
    if (block == NULL) return;
    count(-(int64_t)bytes, -1);
    put(block, bytes);
}

/* The pool looks at the bytes in use, so large blocks are counted at once. */
bool gb_malloc_all(gb_Block *blocks, int n) {
    int64_t bytes = 0;
    int made = 0, k = 0;
    for (; k < n; k++) {
        blocks[k].at = get(blocks[k].bytes, ANY_BYTES);
        if (blocks[k].at == NULL && blocks[k].bytes > 0) break;
        made += blocks[k].at != NULL;
        bytes += (int64_t)blocks[k].bytes;
        if (!IS_LARGE(blocks[k].bytes)) continue;
        count(bytes, made);
        bytes = made = 0;
    }
    if (made > 0) count(bytes, made);
    if (k == n) return true;
    gb_free_all(blocks, k);
    for (k = 0; k < n; k++) blocks[k].at = NULL;
    return false;
}

void gb_free_all(const gb_Block *blocks, int n) {
    int64_t bytes = 0;
    int gone = 0;
    for (int k = 0; k < n; k++) {
        gone += blocks[k].at != NULL;
        bytes += blocks[k].at != NULL ? (int64_t)blocks[k].bytes : 0;
    }
    if (gone > 0) count(-bytes, -gone);
    for (int k = 0; k < n; k++)
        if (blocks[k].at != NULL) put(blocks[k].at, blocks[k].bytes);
}

static void *resize_in_place(void *block, size_t from, size_t to) {
    const size_t size = GRANTED(to);
    if (to > from && gb_call_has_stopped()) return NULL;
    if (to > from && IS_TOO_LARGE(to - from)) return NULL;
    void *moved = user_realloc(block, size);
    if (moved == NULL && IS_LARGE(to) && gb_memory_trim(0) > 0) moved = user_realloc(block, size);
    if (moved == NULL) return NULL;
    count((int64_t)to - (int64_t)from, 0);
    if (IS_LARGE(to) && to > from) {
        __atomic_add_fetch(&counts.fresh, size - GRANTED(from), __ATOMIC_RELAXED);
        advise_huge(moved, size);
    }
    return moved;
}

/* Some blocks that shrink are copied, so that the pool gets them back whole: where the C library
 * takes one back to the system by pieces, the next one is made of fresh pages again. */
void *gb_resize(void *block, size_t from, size_t to, size_t keep) {
    if (to > PTRDIFF_MAX) return NULL;
    const bool copied =
        IS_LARGE(from) && to < from && from <= GB_SHRINK_COPIED && gb_memory_pool_limit() > 0;
    if (user_realloc != NULL && block != NULL && to > 0 && !copied)
        return resize_in_place(block, from, to);
    void *fresh_block = gb_malloc(to);
    if (fresh_block == NULL && to > 0) return NULL;
    if (keep > 0 && to > 0) memcpy(fresh_block, block, keep);
    gb_free(block, from);
    return fresh_block;
}

void gb_adopt(size_t bytes) {
    count((int64_t)bytes, 1);
}

void gb_untrack(size_t bytes) {
    count(-(int64_t)bytes, -1);
}

void gb_free_foreign(void *block, size_t bytes) {
    if (block == NULL) return;
    count(-(int64_t)bytes, -1);
    user_free(block);
}

bool gb_size_mul(size_t *bytes, uint64_t n, size_t size) {
    return !__builtin_mul_overflow(n, size, bytes) && *bytes <= PTRDIFF_MAX;
}

size_t gb_size_of(uint64_t n, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX ? SIZE_MAX : bytes;
}

void gb_memory_set_allocator(void *(*new_malloc)(size_t), void *(*new_realloc)(void *, size_t),
                             void (*new_free)(void *)) {
    gb_memory_trim(0);
    user_malloc = new_malloc != NULL ? new_malloc : malloc;
    user_realloc = new_malloc != NULL ? new_realloc : realloc;
    user_free = new_free != NULL ? new_free : free;
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
