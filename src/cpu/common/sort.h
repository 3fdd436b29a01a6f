/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting of keys that carry a position below the column, inlined into kernels: insertion for a
 * handful, least-significant-digit radix passes over the bits of the column otherwise. Equal
 * columns stay in the order of the input.
 */
#pragma once

#include <string.h>

#include "core/bits.h"

/* Longer lists pay for digits of 11 bits, whose 2048 counters take 8 KB of the first cache. */
enum { GB_INSERTION_MAX = 24, GB_WIDE_DIGITS = 1024, GB_DIGITS_MOST = 11 };

/* Bits of a key below n: at least one, since a sort takes one pass or more. */
static inline int gb_key_bits(uint64_t n) {
    return n <= 1 ? 1 : gb_bits_below(n);
}

/* name(key, tmp, n, from, to): sorts key[n] by bits [from, to); tmp[n] is scratch. Keys of
 * insertion-sorted lists must be distinct or ascending in their lower bits. */
#define GB_SORT(name, KEY)                                                                         \
    static inline void name(KEY *key, KEY *tmp, size_t n, int from, int to) {                      \
        if (n <= GB_INSERTION_MAX) {                                                               \
            for (size_t k = 1; k < n; k++) {                                                       \
                const KEY x = key[k];                                                              \
                size_t at = k;                                                                     \
                for (; at > 0 && key[at - 1] > x; at--) key[at] = key[at - 1];                     \
                key[at] = x;                                                                       \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        const int most = n < GB_WIDE_DIGITS ? 8 : GB_DIGITS_MOST;                                  \
        const int passes = (to - from + most - 1) / most;                                          \
        const int digit = (to - from + passes - 1) / passes;                                       \
        const KEY mask = ((KEY)1 << digit) - 1;                                                    \
        uint32_t start[(1 << GB_DIGITS_MOST) + 1];                                                 \
        KEY *in = key, *out = tmp;                                                                 \
        for (int shift = from; shift < to; shift += digit) {                                       \
            memset(start, 0, ((size_t)mask + 2) * sizeof *start);                                  \
            for (size_t k = 0; k < n; k++) start[((in[k] >> shift) & mask) + 1]++;                 \
            if (start[((in[0] >> shift) & mask) + 1] == n) continue; /* one digit for all */       \
            for (size_t d = 0; d < mask; d++) start[d + 1] += start[d];                            \
            for (size_t k = 0; k < n; k++) out[start[(in[k] >> shift) & mask]++] = in[k];          \
            KEY *const swap = in;                                                                  \
            in = out;                                                                              \
            out = swap;                                                                            \
        }                                                                                          \
        if (in != key) memcpy(key, in, n * sizeof *key);                                           \
    }
GB_SORT(gb_sort32, uint32_t)
GB_SORT(gb_sort64, uint64_t)
#undef GB_SORT
