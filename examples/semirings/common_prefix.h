/* SPDX-License-Identifier: Apache-2.0
 *
 * Strings of up to 15 characters: what all paths from one vertex to another begin with. It is the
 * semiring in which transducers push labels to the front; it does not commute.
 *
 *   x + y = the longest common prefix; that of nothing is any string
 *   a * b = a followed by b
 */
#ifndef SEMIRINGS_COMMON_PREFIX_H
#define SEMIRINGS_COMMON_PREFIX_H

#include "gblite.h"

enum { CHARACTERS = 15, ANY_STRING = 255 };

/* Bytes from the lowest on: the characters, zeros, and the length, or ANY_STRING. Words as a whole
 * are several times as fast as an array of characters, where loads wait for stores of bytes. */
typedef struct {
    uint64_t low, high;
} label;

GBL_KERNEL_FUNCTION unsigned label_length(label x) {
    return (unsigned)(x.high >> 56);
}

GBL_KERNEL_FUNCTION char label_character(label x, unsigned k) {
    return (char)(k < 8 ? x.low >> 8 * k : x.high >> 8 * (k - 8));
}

/* The first characters, at most 15. */
GBL_KERNEL_FUNCTION label label_start(label x, unsigned length) {
    const uint64_t part = ((uint64_t)1 << length % 8 * 8) - 1;
    const uint64_t low = length < 8 ? x.low & part : x.low, high = length < 8 ? 0 : x.high & part;
    return (label){low, high | (uint64_t)length << 56};
}

/* How many bytes of two words are the same before the first that is not: all bits below the lowest
 * bit of the difference are set, and bytes of them are counted. */
GBL_KERNEL_FUNCTION unsigned equal_bytes(uint64_t x, uint64_t y) {
    const uint64_t difference = x ^ y, ones = 0x0101010101010101;
    const uint64_t below = (difference & (0 - difference)) - 1;
    return (unsigned)((below >> 7 & ones) * ones >> 56);
}

GBL_KERNEL_FUNCTION label prefix(label x, label y) {
    if (label_length(x) == ANY_STRING) return y;
    if (label_length(y) == ANY_STRING) return x;
    unsigned length = equal_bytes(x.low, y.low);
    if (length == 8) length += equal_bytes(x.high, y.high);
    return length > CHARACTERS ? x : label_start(x, length);
}

GBL_KERNEL_FUNCTION label append(label a, label b) {
    const unsigned n = label_length(a), length = n + label_length(b);
    if (length >= ANY_STRING) return (label){0, (uint64_t)ANY_STRING << 56};
    if (n < 8) {
        a.low |= b.low << 8 * n;
        a.high |= b.high << 8 * n | b.low >> 8 * (7 - n) >> 8;
    } else {
        a.high |= b.low << 8 * (n - 8);
    }
    return label_start(a, length < CHARACTERS ? length : CHARACTERS);
}

#define GBL_SEMIRING common_prefix
#define GBL_SEMIRING_TYPE label
#define GBL_SEMIRING_ADD(x, y) prefix(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) append(a, b)
#define GBL_SEMIRING_IDENTITY ((label){0, (uint64_t)ANY_STRING << 56})
#include "gblite_semiring.h"

#endif
