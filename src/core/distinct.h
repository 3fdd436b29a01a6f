/* SPDX-License-Identifier: Apache-2.0
 *
 * How many distinct numbers a sequence holds, by linear counting (Whang et al. 1990): every number
 * sets the bit of a map that its hash names; the share of bits that stay 0 tells how many numbers
 * there were. With a map of at least twice as many bits as numbers the relative deviation is below
 * 1 / sqrt(bits).
 */
#ifndef GB_CORE_DISTINCT_H
#define GB_CORE_DISTINCT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t *word; /* [2^bits / 64] */
    unsigned bits;  /* of a place, at least 10 */
} gb_Distinct;

/* The smallest map for n numbers within `most` bits of a place; the words are the caller's. */
static inline gb_Distinct gb_distinct(uint64_t *word, uint64_t n, unsigned most) {
    unsigned bits = 10;
    while (bits < most && (uint64_t)1 << bits < 8 * n) bits++;
    memset(word, 0, ((uint64_t)1 << bits) / 8);
    return (gb_Distinct){word, bits};
}

static inline void gb_distinct_add(const gb_Distinct *d, uint32_t j) {
    const uint64_t place = (uint64_t)j * UINT64_C(0x9E3779B97F4A7C15) >> (64 - d->bits);
    d->word[place / 64] |= (uint64_t)1 << place % 64;
}

static inline double gb_distinct_count(const gb_Distinct *d) {
    const double bits = (double)((uint64_t)1 << d->bits);
    uint64_t set = 0;
    for (uint64_t w = 0; w < (uint64_t)1 << (d->bits - 6); w++)
        set += (uint64_t)__builtin_popcountll(d->word[w]);
    if ((double)set == bits) set--;
    return -bits * log1p(-(double)set / bits);
}

#endif
