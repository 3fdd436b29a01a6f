/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches of the columns of a row (Flajolet et al. 2007; for products: Ocean, ICS '26,
 * section 3.1), shared by all backends.
 *
 * A sketch is m = 32, 64 or 128 registers of one byte. A column j is hashed; the lowest bits of the
 * hash select its register, the upper 25 bits are a number u in (0, 1]. A register keeps the
 * smallest u it received, as the byte gb_hll_code(u): exponent and three bits of mantissa of u,
 * counted downwards so that larger codes encode smaller u, and 0 for an unused register. The sketch
 * of a union is then the larger byte of each pair, and a sketch of m registers folds to one of m /
 * 2 in the same way. The paper keeps the exponent alone (leading zeros); the three bits cost
 * nothing more and lower the error from 1.04 / sqrt(m) to 1 / sqrt(m).
 *
 * Estimate: the smallest of the k numbers of a register is exponential with rate k, cut off at 1
 * where there are none. With K registers used, and T the sum of u over all of them (1 where
 * unused), the maximum-likelihood rate is K / T per register. That holds from no entries to
 * billions, so short rows need no second formula. Subtracting (K / m)^2 from K corrects the bias of
 * 1 / T, which grows with the share of registers in use; by simulation 1.5% remain for one entry,
 * 0.3% from 30 entries on.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define GB_HLL static inline __host__ __device__
#else
#define GB_HLL static inline
#endif

enum { GB_HLL_MOST = 128 }; /* registers */

#define GB_HLL_TOP 1217u /* code 1 is u = 1: the float 2^25 has upper bits 1216 */

/* The finaliser of MurmurHash3 (Austin Appleby, public domain): a bijection of 32 bits. */
GB_HLL uint32_t gb_hll_hash(uint32_t j) {
    j ^= j >> 16;
    j *= 0x85ebca6bu;
    j ^= j >> 13;
    j *= 0xc2b2ae35u;
    return j ^ j >> 16;
}

/* Of the hash of a column; 1 to 201. */
GB_HLL uint32_t gb_hll_code(uint32_t hash) {
    const float u = (float)(int32_t)((hash >> 7) + 1); /* in units of 2^-25 */
    uint32_t bits;
    memcpy(&bits, &u, sizeof bits);
    return GB_HLL_TOP - (bits >> 20);
}

/* The float whose bits these are is the middle of what the code stands for, in units of 2^-25. */
GB_HLL uint32_t gb_hll_bits(uint32_t code) {
    return (GB_HLL_TOP << 20) + (1u << 19) - (code << 20);
}

/* Expected number of entries. sum: the floats of gb_hll_bits over all registers, as they come: the
 * unused ones, which stand for 2^25, come as 1.1875 * 2^25. */
GB_HLL double gb_hll_size(double sum, unsigned unused, unsigned registers) {
    const double m = registers, used = m - unused;
    const double total = sum / (1u << 25) - 0.1875 * unused;
    const double share = used / m;
    return m * (used - share * share) / total;
}

/* Relative standard deviation of an estimate of a long row. */
GB_HLL double gb_hll_error(unsigned registers) {
    return registers == 32 ? 0.177 : registers == 64 ? 0.125 : 0.0884;
}

/* -- distinct numbers (linear counting) -------------------------------------------------------- */

/* Counts the distinct numbers of a sequence. A number has a slot in a map: its own where the map is
 * large enough, else that of its hash; the share of empty slots corrects collisions (linear
 * counting, Whang et al. 1990). With a map of at least twice as many slots as numbers the relative
 * deviation is below 1 / sqrt(slots). */

typedef struct {
    uint8_t *met;   /* [2^bits], 1 where the slot is used */
    unsigned bits;  /* of a slot index, at least 10 */
    bool exact;     /* a number is its slot */
    uint64_t count; /* slots used */
} gb_Distinct;

/* The smallest map for n numbers below `range`, of at most 2^most slots; the caller owns met. */
static inline gb_Distinct gb_distinct(uint8_t *met, uint64_t n, uint64_t range, unsigned most) {
    const uint64_t places = range < 8 * n ? range : 8 * n;
    unsigned bits = 10;
    while (bits < most && (uint64_t)1 << bits < places) bits++;
    memset(met, 0, (size_t)1 << bits);
    return (gb_Distinct){
        .met = met, .bits = bits, .exact = range <= (uint64_t)1 << bits, .count = 0};
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
