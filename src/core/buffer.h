/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the buffers that chunks of a result are computed into (cpu/common/compact.h): powers of
 * two, so that the pool finds the blocks of the last product.
 */
#ifndef GB_CORE_BUFFER_H
#define GB_CORE_BUFFER_H

#include "core/view.h"

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

#endif
