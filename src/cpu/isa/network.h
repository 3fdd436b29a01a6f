/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting networks (Batcher 1968, odd-even merge) for many short rows at once: lane l of v[0..n)
 * holds the keys of row l, and a comparator is one minimum and one maximum of whole vectors. So a
 * row of n keys costs about n log^2(n) / 32 instructions, and no branch depends on data.
 */
#ifndef GB_CPU_ISA_NETWORK_H
#define GB_CPU_ISA_NETWORK_H

#include "cpu/isa/isa.h"

/* Batcher's merge of two sorted halves of n keys that stand s apart, from b on, and the sort made
 * of it. Macros and not loops, so that every index is a constant and the keys stay in registers:
 * loops were 4 times slower. They want `order` and the array `r` in scope. */
#define GB_O(x, y) order(&r[x], &r[y]);
#define GB_O1(b, s) GB_O((b) + (s), (b) + 2 * (s))
#define GB_O2(b, s) GB_O1(b, s) GB_O1((b) + 2 * (s), s)
#define GB_O4(b, s) GB_O2(b, s) GB_O2((b) + 4 * (s), s)
#define GB_O8(b, s) GB_O4(b, s) GB_O4((b) + 8 * (s), s)
#define GB_O16(b, s) GB_O8(b, s) GB_O8((b) + 16 * (s), s)
#define GB_O3(b, s) GB_O2(b, s) GB_O1((b) + 4 * (s), s)
#define GB_O7(b, s) GB_O4(b, s) GB_O3((b) + 8 * (s), s)
#define GB_O15(b, s) GB_O8(b, s) GB_O7((b) + 16 * (s), s)
#define GB_O31(b, s) GB_O16(b, s) GB_O15((b) + 32 * (s), s)
#define GB_MERGE2(b, s) GB_O(b, (b) + (s))
#define GB_MERGE4(b, s) GB_MERGE2(b, 2 * (s)) GB_MERGE2((b) + (s), 2 * (s)) GB_O1(b, s)
#define GB_MERGE8(b, s) GB_MERGE4(b, 2 * (s)) GB_MERGE4((b) + (s), 2 * (s)) GB_O3(b, s)
#define GB_MERGE16(b, s) GB_MERGE8(b, 2 * (s)) GB_MERGE8((b) + (s), 2 * (s)) GB_O7(b, s)
#define GB_MERGE32(b, s) GB_MERGE16(b, 2 * (s)) GB_MERGE16((b) + (s), 2 * (s)) GB_O15(b, s)
#define GB_MERGE64(b, s) GB_MERGE32(b, 2 * (s)) GB_MERGE32((b) + (s), 2 * (s)) GB_O31(b, s)
#define GB_SORT4(b) GB_O(b, (b) + 1) GB_O((b) + 2, (b) + 3) GB_MERGE4(b, 1)
#define GB_SORT8(b) GB_SORT4(b) GB_SORT4((b) + 4) GB_MERGE8(b, 1)
#define GB_SORT16(b) GB_SORT8(b) GB_SORT8((b) + 8) GB_MERGE16(b, 1)
#define GB_SORT32(b) GB_SORT16(b) GB_SORT16((b) + 16) GB_MERGE32(b, 1)
#define GB_SORT64(b) GB_SORT32(b) GB_SORT32((b) + 32) GB_MERGE64(b, 1)

/* A function that sorts each lane of v[0..N) ascending; N is 8, 16, 32 or 64. */
#define GB_NETWORK(name, LANES, order_lanes, N)                                                    \
    static void name(LANES *v) {                                                                   \
        void (*const order)(LANES *, LANES *) = order_lanes;                                       \
        LANES r[N];                                                                                \
        __builtin_memcpy(r, v, sizeof r);                                                          \
        GB_SORT##N(0) __builtin_memcpy(v, r, sizeof r);                                            \
    }

#endif
