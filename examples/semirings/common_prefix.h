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
typedef struct {
    uint8_t length; /* or ANY_STRING */
    char text[CHARACTERS];
} label;

GBL_KERNEL_FUNCTION label prefix(label x, label y) {
    label z = {0, {0}};
    if (x.length == ANY_STRING) return y;
    if (y.length == ANY_STRING) return x;
    for (; z.length < x.length && z.length < y.length && x.text[z.length] == y.text[z.length];
         z.length++)
        z.text[z.length] = x.text[z.length];
    return z;
}

GBL_KERNEL_FUNCTION label append(label a, label b) {
    if (a.length == ANY_STRING || b.length == ANY_STRING) return (label){ANY_STRING, {0}};
    for (int k = 0; k < b.length && a.length < CHARACTERS; k++) a.text[a.length++] = b.text[k];
    return a;
}

#define GBL_SEMIRING common_prefix
#define GBL_SEMIRING_TYPE label
#define GBL_SEMIRING_ADD(x, y) prefix(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) append(a, b)
#define GBL_SEMIRING_IDENTITY                                                                      \
    {                                                                                              \
        ANY_STRING, {                                                                              \
            0                                                                                      \
        }                                                                                          \
    }
#include "gblite_semiring.h"

#endif
