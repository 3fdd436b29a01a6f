/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash table with vectorised probing: buckets of 16 keys, one cache line each, are compared with a
 * key at once. Keys fill a bucket from its first lane on and go to the next bucket when it is full,
 * so a free lane ends a search. A product costs one line of keys and one value, and a full bucket
 * no mispredicted walk.
 */
#ifndef GB_CPU_ISA_PROBE_H
#define GB_CPU_ISA_PROBE_H

#include "cpu/isa/isa.h"

#define GB_NO_KEY 0xFFFFFFFFu /* never a column: dimensions are at most 2^32 - 1 */
enum { GB_BUCKET = 16 };

/* Bit l of the result says whether key[l] is j; key[16] on a 64-byte border. */
static inline unsigned gb_equal16(const gb_Idx *key, gb_Idx j) {
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi32_mask(_mm512_load_si512(key), _mm512_set1_epi32((int)j));
#elif defined(__AVX2__)
    const __m256i k = _mm256_set1_epi32((int)j), *line = (const __m256i *)key;
    const __m256i low = _mm256_cmpeq_epi32(line[0], k), high = _mm256_cmpeq_epi32(line[1], k);
    return (unsigned)_mm256_movemask_ps((__m256)low) | (unsigned)_mm256_movemask_ps((__m256)high)
                                                           << 8;
#elif defined(__SSE2__)
    const __m128i k = _mm_set1_epi32((int)j), *line = (const __m128i *)key;
    const __m128i a = _mm_cmpeq_epi32(line[0], k), b = _mm_cmpeq_epi32(line[1], k);
    const __m128i c = _mm_cmpeq_epi32(line[2], k), d = _mm_cmpeq_epi32(line[3], k);
    return (unsigned)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
#else
    unsigned bits = 0;
    for (int l = 0; l < GB_BUCKET; l++) bits |= (unsigned)(key[l] == j) << l;
    return bits;
#endif
}

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
        const unsigned same = gb_equal16(bucket, j);
        if (same != 0) {
            *is_new = false;
            return b * GB_BUCKET + (unsigned)__builtin_ctz(same);
        }
        const unsigned vacant = gb_equal16(bucket, GB_NO_KEY);
        if (vacant != 0) {
            *is_new = true;
            return b * GB_BUCKET + (unsigned)__builtin_ctz(vacant);
        }
        b = (b + 1) & t->last;
    }
}

#endif
