/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies past the caches: the destination is not read first and does not push out what is in use.
 */
#ifndef GB_CPU_COMMON_STREAM_H
#define GB_CPU_COMMON_STREAM_H

#include <string.h>

#include "cpu/simd/simd.h"

/* Ends that share a 16-byte block with a neighbour are copied as usual. */
static inline void gb_stream_copy(char *to, const char *from, size_t bytes) {
    const size_t head = (size_t)(-(uintptr_t)to & 15u);
    if (bytes >= head + 16) {
        memcpy(to, from, head);
        to += head;
        from += head;
        bytes -= head;
        for (; bytes >= 16; bytes -= 16, to += 16, from += 16) gb_stream16(to, from);
    }
    memcpy(to, from, bytes);
}

#endif
