/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of numbers.
 */
#ifndef GB_CORE_BITS_H
#define GB_CORE_BITS_H

#include <stdint.h>

/* Bits that hold every number below n. */
static inline int gb_bits_below(uint64_t n) {
    return n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);
}

#endif
