/* SPDX-License-Identifier: Apache-2.0
 *
 * The networks; see network.h. A network is one function, so that keys stay in registers as far as
 * there are enough. Where a set has no minimum, a comparator is 20 to 100 instructions and not 2:
 * then 64 keys are sorted in parts and merged, which costs 2 % of the time of the sort; 543
 * comparators in a row took the compiler longer than all of the product by rows. Where it has one,
 * parts are 18 % (AVX2) and 25 % (AVX-512) slower, by loads and stores.
 */
#include "cpu/isa/network.h"

/* Batcher's merge of two sorted halves of n keys that stand s apart, from b on, and the sort made
 * of it. Macros and not loops, so that every index is a constant and the keys stay in registers:
 * loops were 4 times slower. They want `order` and the array `r` in scope. */
#define O(x, y) order(&r[x], &r[y]);
#define O1(b, s) O((b) + (s), (b) + 2 * (s))
#define O2(b, s) O1(b, s) O1((b) + 2 * (s), s)
#define O4(b, s) O2(b, s) O2((b) + 4 * (s), s)
#define O8(b, s) O4(b, s) O4((b) + 8 * (s), s)
#define O16(b, s) O8(b, s) O8((b) + 16 * (s), s)
#define O3(b, s) O2(b, s) O1((b) + 4 * (s), s)
#define O7(b, s) O4(b, s) O3((b) + 8 * (s), s)
#define O15(b, s) O8(b, s) O7((b) + 16 * (s), s)
#define O31(b, s) O16(b, s) O15((b) + 32 * (s), s)
#define MERGE2(b, s) O(b, (b) + (s))
#define MERGE4(b, s) MERGE2(b, 2 * (s)) MERGE2((b) + (s), 2 * (s)) O1(b, s)
#define MERGE8(b, s) MERGE4(b, 2 * (s)) MERGE4((b) + (s), 2 * (s)) O3(b, s)
#define MERGE16(b, s) MERGE8(b, 2 * (s)) MERGE8((b) + (s), 2 * (s)) O7(b, s)
#define MERGE32(b, s) MERGE16(b, 2 * (s)) MERGE16((b) + (s), 2 * (s)) O15(b, s)
#define MERGE64(b, s) MERGE32(b, 2 * (s)) MERGE32((b) + (s), 2 * (s)) O31(b, s)
#define SORT4(b) O(b, (b) + 1) O((b) + 2, (b) + 3) MERGE4(b, 1)
#define SORT8(b) SORT4(b) SORT4((b) + 4) MERGE8(b, 1)
#define SORT16(b) SORT8(b) SORT8((b) + 8) MERGE16(b, 1)
#define SORT32(b) SORT16(b) SORT16((b) + 16) MERGE32(b, 1)
#define SORT64(b) SORT32(b) SORT32((b) + 32) MERGE64(b, 1)

/* A function that loads N keys of each lane, orders them by the network, and stores them. */
#define FUNCTION(name, LANES, order_lanes, N, NETWORK)                                             \
    __attribute__((noinline)) static void name(LANES *v) {                                         \
        void (*const order)(LANES *, LANES *) = order_lanes;                                       \
        LANES r[N];                                                                                \
        __builtin_memcpy(r, v, sizeof r);                                                          \
        NETWORK __builtin_memcpy(v, r, sizeof r);                                                  \
    }

FUNCTION(narrow8, gb_Lanes32, gb_order32, 8, SORT8(0))
FUNCTION(narrow16, gb_Lanes32, gb_order32, 16, SORT16(0))
FUNCTION(narrow32, gb_Lanes32, gb_order32, 32, SORT32(0))

#if GB_HAS_MINIMUM32
FUNCTION(narrow64, gb_Lanes32, gb_order32, 64, SORT64(0))
#else
FUNCTION(narrow_merge64, gb_Lanes32, gb_order32, 64, MERGE64(0, 1))

static void narrow64(gb_Lanes32 *v) {
    narrow32(v);
    narrow32(v + 32);
    narrow_merge64(v);
}
#endif

#if GB_HAS_MINIMUM64
FUNCTION(wide64, gb_Lanes64, gb_order64, 64, SORT64(0))
#else
FUNCTION(wide16, gb_Lanes64, gb_order64, 16, SORT16(0))
FUNCTION(wide_merge32, gb_Lanes64, gb_order64, 32, MERGE32(0, 1))
FUNCTION(wide_merge64, gb_Lanes64, gb_order64, 64, MERGE64(0, 1))

static void wide64(gb_Lanes64 *v) {
    for (unsigned s = 0; s < 64; s += 16) wide16(v + s);
    wide_merge32(v);
    wide_merge32(v + 32);
    wide_merge64(v);
}
#endif

void GB_ISA_NAME(gb_sort_lanes32)(gb_Lanes32 *v, unsigned n) {
    if (n == 8)
        narrow8(v);
    else if (n == 16)
        narrow16(v);
    else if (n == 32)
        narrow32(v);
    else
        narrow64(v);
}

void GB_ISA_NAME(gb_sort_lanes64)(gb_Lanes64 *v) {
    wide64(v);
}
