/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a thread's workspace: made when first something needs them, replaced when it needs
 * more. Arrays that are made together are carved from one block; each begins with a line of the
 * cache.
 */
#ifndef GB_CPU_COMMON_GROWN_H
#define GB_CPU_COMMON_GROWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory.h"

enum { GB_GROWN_LINE = 64, GB_GROWN_ARRAYS = 8 }; /* arrays of a block at most */

typedef struct {
    void *block;
    size_t bytes;  /* of the block */
    size_t usable; /* of its arrays together */
} gb_Grown;

static inline char *gb_grown_begin(const gb_Grown *g) {
    return (char *)(((uintptr_t)g->block + GB_GROWN_LINE - 1) & ~(uintptr_t)(GB_GROWN_LINE - 1));
}

/* The first of arrays that have so many bytes together. What was in the block may be lost. NULL
 * when memory is short, with *wanted set. */
static inline char *gb_grow(gb_Grown *g, size_t bytes, size_t *wanted) {
    if (g->usable >= bytes && g->block != NULL) return gb_grown_begin(g);
    gb_free(g->block, g->bytes);
    *g = (gb_Grown){.bytes = bytes + (size_t)GB_GROWN_LINE * GB_GROWN_ARRAYS, .usable = bytes};
    g->block = gb_malloc(g->bytes);
    if (g->block != NULL) return gb_grown_begin(g);
    *wanted = g->bytes;
    *g = (gb_Grown){0};
    return NULL;
}

/* An array at *at, which moves on to the next. */
static inline void *gb_carve(char **at, size_t bytes) {
    void *const array = *at;
    *at += (bytes + GB_GROWN_LINE - 1) & ~(size_t)(GB_GROWN_LINE - 1);
    return array;
}

static inline void gb_grown_free(gb_Grown *g) {
    gb_free(g->block, g->bytes);
    *g = (gb_Grown){0};
}

#endif
