/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of up to 256 things, as bits: what can get somewhere when each edge lets only some through.
 *
 *   x + y = the union: by one path or by another
 *   a * b = the intersection: through one edge and through the next
 */
#ifndef SEMIRINGS_SMALL_SETS_H
#define SEMIRINGS_SMALL_SETS_H

#include "gblite.h"

enum { WORDS = 4 };
typedef struct {
    uint64_t word[WORDS];
} small_set;

GBL_KERNEL_FUNCTION small_set set_union(small_set x, small_set y) {
    for (int k = 0; k < WORDS; k++) x.word[k] |= y.word[k];
    return x;
}

GBL_KERNEL_FUNCTION small_set set_intersection(small_set a, small_set b) {
    for (int k = 0; k < WORDS; k++) a.word[k] &= b.word[k];
    return a;
}

#define GBL_SEMIRING small_sets
#define GBL_SEMIRING_TYPE small_set
#define GBL_SEMIRING_ADD(x, y) set_union(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) set_intersection(a, b)
#define GBL_SEMIRING_IDENTITY ((small_set){{0}})
#include "gblite_semiring.h"

#endif
