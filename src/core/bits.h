/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of numbers, and numbers that may not fit.
 */
#ifndef GB_CORE_BITS_H
#define GB_CORE_BITS_H

#include <stdint.h>

/* Bits that hold every number below n. */
static inline int gb_bits_below(uint64_t n) {
    return n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);
}

/* The integer part of x: 0 where x is negative or NaN, UINT64_MAX where it is too large. A cast
 * alone is undefined there, and does differ between instruction sets. */
static inline uint64_t gb_to_u64(double x) {
    if (!(x > 0.0)) return 0;
    return x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
}

#endif
