/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting of 64-bit keys, inlined into kernels: insertion for a handful, least-significant-digit
 * radix passes of 8 bits otherwise. Keys are column << 32 | position, so equal columns stay in the
 * order of their positions.
 */
#ifndef GB_CPU_SORT_H
#define GB_CPU_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GB_INSERTION_MAX = 24 };

static inline void gb_insertion_sort(uint64_t *key, size_t n) {
    for (size_t k = 1; k < n; k++) {
        const uint64_t x = key[k];
        size_t at = k;
        for (; at > 0 && key[at - 1] > x; at--) key[at] = key[at - 1];
        key[at] = x;
    }
}

/* Sorts key[n] by bits [from, to); tmp[n] is scratch. Bits below `from` keep their order. */
static inline void gb_radix_sort(uint64_t *key, uint64_t *tmp, size_t n, int from, int to) {
    uint64_t *in = key, *out = tmp;
    for (int shift = from; shift < to; shift += 8) {
        size_t start[257] = {0};
        for (size_t k = 0; k < n; k++) start[((in[k] >> shift) & 255) + 1]++;
        if (start[((in[0] >> shift) & 255) + 1] == n) continue; /* all keys share this digit */
        for (int d = 0; d < 256; d++) start[d + 1] += start[d];
        for (size_t k = 0; k < n; k++) out[start[(in[k] >> shift) & 255]++] = in[k];
        uint64_t *swap = in;
        in = out;
        out = swap;
    }
    if (in != key) memcpy(key, in, n * sizeof *key);
}

/* Keys column << 32 | position with column < 2^bits, positions ascending in the input. */
static inline void gb_sort_columns(uint64_t *key, uint64_t *tmp, size_t n, int bits) {
    if (n <= GB_INSERTION_MAX)
        gb_insertion_sort(key, n);
    else
        gb_radix_sort(key, tmp, n, 32, 32 + bits);
}

/* Number of bits that hold every index below n. */
static inline int gb_bits(uint64_t n) {
    return n <= 1 ? 1 : 64 - __builtin_clzll(n - 1);
}

#endif
