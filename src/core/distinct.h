/* SPDX-License-Identifier: Apache-2.0
 *
 * How many distinct numbers a sequence holds. Each number has a place in a map, its own where the
 * map is large enough, else the one that its hash names; what collisions hide then follows from the
 * share of places left empty (linear counting, Whang et al. 1990). With a map of at least twice as
 * many places as numbers the relative deviation is below 1 / sqrt(places).
 */
#ifndef GB_CORE_DISTINCT_H
#define GB_CORE_DISTINCT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t *met;   /* [2^bits], 1 where a number has its place */
    unsigned bits;  /* of a place, at least 10 */
    bool exact;     /* a number is its place */
    uint64_t count; /* places met */
} gb_Distinct;

/* The smallest map for n numbers below `range`, within `most` bits of a place; met is the caller's.
 */
static inline gb_Distinct gb_distinct(uint8_t *met, uint64_t n, uint64_t range, unsigned most) {
    const uint64_t places = range < 8 * n ? range : 8 * n;
    unsigned bits = 10;
    while (bits < most && (uint64_t)1 << bits < places) bits++;
    memset(met, 0, (size_t)1 << bits);
    return (gb_Distinct){.met = met, .bits = bits, .exact = range <= (uint64_t)1 << bits};
}

/* Bytes, not bits: setting a bit has to wait for the bit set before it in the same word. */
static inline void gb_distinct_add(gb_Distinct *d, uint32_t j) {
    const uint64_t hash = (uint64_t)j * UINT64_C(0x9E3779B97F4A7C15) >> (64 - d->bits);
    uint8_t *met = &d->met[d->exact ? j : hash];
    d->count += *met == 0;
    *met = 1;
}

static inline double gb_distinct_count(const gb_Distinct *d) {
    const double places = (double)((uint64_t)1 << d->bits), met = (double)d->count;
    return d->exact ? met : -places * log1p(-fmin(met, places - 1.0) / places);
}

#endif
