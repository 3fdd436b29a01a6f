/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocator that counts; see counted.h.
 */
#include "harness/counted.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

static size_t live, peak; /* atomic; wrap around when more is freed than was counted */
static size_t before;     /* live when the look for a peak began */

static void count(void *block) {
    if (block == NULL) return;
    const size_t size = malloc_usable_size(block);
    const size_t now = __atomic_add_fetch(&live, size, __ATOMIC_RELAXED);
    size_t most = __atomic_load_n(&peak, __ATOMIC_RELAXED);
    while (
        (ptrdiff_t)(now - most) > 0 &&
        !__atomic_compare_exchange_n(&peak, &most, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void discount(void *block) {
    if (block != NULL) __atomic_sub_fetch(&live, malloc_usable_size(block), __ATOMIC_RELAXED);
}

void *counted_malloc(size_t size) {
    void *block = malloc(size);
    count(block);
    return block;
}

void *counted_calloc(size_t n, size_t size) {
    void *block = calloc(n, size);
    count(block);
    return block;
}

void *counted_realloc(void *block, size_t size) {
    discount(block);
    void *moved = realloc(block, size);
    count(moved != NULL ? moved : block);
    return moved;
}

void counted_free(void *block) {
    discount(block);
    free(block);
}

void counted_begin(void) {
    before = peak = __atomic_load_n(&live, __ATOMIC_RELAXED);
}

double counted_peak(void) {
    return (double)(ptrdiff_t)(__atomic_load_n(&peak, __ATOMIC_RELAXED) - before);
}

double counted_held(void) {
    return (double)(ptrdiff_t)(__atomic_load_n(&live, __ATOMIC_RELAXED) - before);
}
