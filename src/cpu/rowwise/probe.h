/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash table with vectorised probing: buckets of GB_LANES keys, one cache line each, are compared
 * with a key at once. Keys fill a bucket from its first lane on and go to the next bucket when it
 * is full, so a free lane ends a search. A product costs one line of keys and one value, and a full
 * bucket no mispredicted walk.
 */
#pragma once

#include "cpu/simd/isa.h"

#define GB_NO_KEY 0xFFFFFFFFu /* never a column: dimensions are at most 2^32 - 1 */
enum { GB_BUCKET = GB_LANES };

/* A table of 2^bits slots, bits at least 5. */
typedef struct {
    gb_Idx *key;    /* [2^bits] on a 64-byte border; GB_NO_KEY: free */
    uint64_t last;  /* number of the last bucket */
    unsigned shift; /* the bucket of j is the product of its hash, shifted so far */
} gb_Table;

static inline gb_Table gb_table(gb_Idx *key, unsigned bits) {
    return (gb_Table){key, ((uint64_t)1 << (bits - 4)) - 1, 64 - (bits - 4)};
}

/* The slot of j, or the free slot where j belongs; the table must not be full. */
static inline uint64_t gb_table_find(const gb_Table *t, gb_Idx j, bool *is_new) {
    uint64_t b = (j * 0x9E3779B97F4A7C15u) >> t->shift; /* Fibonacci hashing */
    for (;;) {
        const gb_Idx *bucket = t->key + b * GB_BUCKET;
        const unsigned same = gb_find32(bucket, j);
        if (same != 0) {
            *is_new = false;
            return b * GB_BUCKET + (unsigned)__builtin_ctz(same);
        }
        const unsigned vacant = gb_find32(bucket, GB_NO_KEY);
        if (vacant != 0) {
            *is_new = true;
            return b * GB_BUCKET + (unsigned)__builtin_ctz(vacant);
        }
        b = (b + 1) & t->last;
    }
}
