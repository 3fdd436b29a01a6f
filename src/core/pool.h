/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool: large freed blocks that wait for the next call, since touching fresh pages costs as
 * much as the arithmetic of a sparse product.
 *
 * What it keeps follows what recent calls needed. An epoch ends when GB_POOL_SECONDS have passed or
 * when GB_POOL_TURNOVER times the demand has been handed out. The demand is the difference between
 * the most and the least bytes in use during this epoch and the one before. Bytes in use and in
 * the pool together stay below the least bytes in use plus GB_POOL_SETS times the demand, and the
 * pool below its limit; beyond that the blocks that were freed first leave. So a loop of equal
 * calls finds all its blocks, calls of two kinds in turns find theirs, and what one large call
 * leaves behind is gone one or two epochs later.
 *
 * Nothing here runs by itself: epochs end when a large block is freed, or at gb_pool_age.
 *
 * Invariants: free.count blocks in the order they were freed, each of a size class (gb_size_class);
 * `bytes` is the sum of their sizes and at most `limit`.
 *
 * Not thread safe: core/memory.c holds a lock around every call, and frees the blocks that leave
 * (appended to `out`) after it has released the lock. Times are milliseconds of a clock that does
 * not run backwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GB_POOL_SLOTS = 128 }; /* few enough that a linear search costs no more than a cache miss */

typedef struct {
    void *address;
    size_t size;
} gb_PoolBlock;

typedef struct {
    gb_PoolBlock blocks[GB_POOL_SLOTS];
    int count;
} gb_PoolList;

typedef struct {
    uint64_t least, most; /* bytes in use */
} gb_PoolSpan;

typedef struct {
    gb_PoolList free;
    uint64_t bytes, limit;
    gb_PoolSpan now, before; /* this epoch and the last one */
    uint64_t began;          /* milliseconds; when this epoch began */
    uint64_t handed_out;     /* bytes of all blocks that were asked for in this epoch */
} gb_Pool;

/* The smallest class that holds so many bytes, at least 16: a multiple of 1/8 of the power of two
 * below. */
size_t gb_size_class(size_t bytes);

/* A block of that size, or NULL; `in_use` counts the block that is asked for. */
void *gb_pool_take(gb_Pool *pool, size_t size, uint64_t in_use, gb_PoolList *out);
/* False: the pool has no use for the block, which stays the caller's. `in_use` no longer counts it.
 */
bool gb_pool_put(gb_Pool *pool, gb_PoolBlock block, uint64_t in_use, uint64_t now,
                 gb_PoolList *out);
/* Ends the epoch if it is over. */
void gb_pool_age(gb_Pool *pool, uint64_t in_use, uint64_t now, gb_PoolList *out);
/* Blocks leave until at most so many bytes remain. */
void gb_pool_shrink(gb_Pool *pool, uint64_t bytes, gb_PoolList *out);
