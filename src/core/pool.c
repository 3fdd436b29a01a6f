/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool of large blocks; see pool.h.
 */
#include "core/pool.h"

#include <string.h>

#include "core/tune.h"
#include "core/tune_host.h"

size_t gb_size_class(size_t bytes) {
    const size_t step = (size_t)1 << (60 - __builtin_clzll(bytes));
    const size_t rounded = (bytes + step - 1) & ~(step - 1);
    return rounded < bytes ? bytes : rounded;
}

#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))

static void observe(gb_Pool *pool, uint64_t in_use) {
    pool->now.least = LESSER(pool->now.least, in_use);
    pool->now.most = GREATER(pool->now.most, in_use);
}

static uint64_t demand(const gb_Pool *pool) {
    return GREATER(pool->now.most, pool->before.most) - LESSER(pool->now.least, pool->before.least);
}

/* Bytes that the pool may hold while so many are in use. */
static uint64_t capacity(const gb_Pool *pool, uint64_t in_use) {
    const uint64_t least = LESSER(pool->now.least, pool->before.least), needed = demand(pool);
    const uint64_t both =
        least + GB_POOL_SETS * (needed + needed / 8); /* classes round up by 1/8 */
    return both > in_use ? LESSER(both - in_use, pool->limit) : 0;
}

/* The oldest `drop` blocks leave. */
static void evict(gb_Pool *pool, int drop, gb_PoolList *out) {
    gb_PoolList *list = &pool->free;
    for (int k = 0; k < drop; k++) {
        pool->bytes -= list->blocks[k].size;
        out->blocks[out->count++] = list->blocks[k];
    }
    list->count -= drop;
    memmove(list->blocks, list->blocks + drop, (size_t)list->count * sizeof list->blocks[0]);
}

void gb_pool_shrink(gb_Pool *pool, uint64_t bytes, gb_PoolList *out) {
    uint64_t remain = pool->bytes;
    int drop = 0;
    while (remain > bytes) remain -= pool->free.blocks[drop++].size;
    if (drop > 0) evict(pool, drop, out);
}

void *gb_pool_take(gb_Pool *pool, size_t size, uint64_t in_use, gb_PoolList *out) {
    gb_PoolList *list = &pool->free;
    observe(pool, in_use);
    pool->handed_out += size;
    int k = list->count - 1; /* the latest is warmest */
    while (k >= 0 && list->blocks[k].size != size) k--;
    if (k < 0) {
        gb_pool_shrink(pool, capacity(pool, in_use), out);
        return NULL;
    }
    void *address = list->blocks[k].address;
    list->count--;
    memmove(list->blocks + k, list->blocks + k + 1,
            (size_t)(list->count - k) * sizeof list->blocks[0]);
    pool->bytes -= size;
    return address;
}

void gb_pool_age(gb_Pool *pool, uint64_t in_use, uint64_t now, gb_PoolList *out) {
    const uint64_t passed = now - pool->began, span = 1000u * GB_POOL_SECONDS;
    const uint64_t needed = demand(pool);
    const uint64_t turnover = GB_POOL_TURNOVER * GREATER(needed, GB_POOL_DEMAND_LEAST);
    if (passed < span && pool->handed_out < turnover) return;
    const gb_PoolSpan fresh = {in_use, in_use};
    pool->before = passed < 2 * span ? pool->now : fresh;
    pool->now = fresh;
    pool->began = now;
    pool->handed_out = 0;
    gb_pool_shrink(pool, capacity(pool, in_use), out);
}

bool gb_pool_put(gb_Pool *pool, gb_PoolBlock block, uint64_t in_use, uint64_t now,
                 gb_PoolList *out) {
    gb_pool_age(pool, in_use + block.size, now, out);
    observe(pool, in_use);
    const uint64_t most = capacity(pool, in_use);
    if (block.size > most) return false;
    gb_pool_shrink(pool, most - block.size, out);
    if (pool->free.count == GB_POOL_SLOTS) evict(pool, 1, out);
    pool->free.blocks[pool->free.count++] = block;
    pool->bytes += block.size;
    return true;
}
