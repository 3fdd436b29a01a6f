/* SPDX-License-Identifier: Apache-2.0
 *
 * The networks; see lanes.h. Vectors of lanes may take several registers; then lanes are sorted
 * register by register: with AVX2, which has 16 of 32 bytes, 16 keys of half the lanes fit. All
 * lanes at once would be two (portable: four) times the code, most of it for keys that fit nowhere.
 */
#include "cpu/simd/lanes.h"

#include <string.h>

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

#define EACH8(f, b)                                                                                \
    f(b) f((b) + 1) f((b) + 2) f((b) + 3) f((b) + 4) f((b) + 5) f((b) + 6) f((b) + 7)
#define EACH16(f, b) EACH8(f, b) EACH8(f, (b) + 8)
#define EACH32(f, b) EACH16(f, b) EACH16(f, (b) + 16)
#define EACH64(f, b) EACH32(f, b) EACH32(f, (b) + 32)
#define LOAD(s) memcpy(&r[s], at + (s) * sizeof *v, sizeof r[s]);
#define STORE(s) memcpy(at + (s) * sizeof *v, &r[s], sizeof r[s]);

/* A function that sorts each lane of v[0..N). */
#define FUNCTION(name, LANES, REGISTER, order_registers, N)                                        \
    static void name(LANES *v) {                                                                   \
        void (*const order)(REGISTER *, REGISTER *) = order_registers;                             \
        for (size_t part = 0; part < sizeof *v; part += sizeof(REGISTER)) {                        \
            char *at = (char *)v + part;                                                           \
            REGISTER r[N];                                                                         \
            EACH##N(LOAD, 0) SORT##N(0) EACH##N(STORE, 0)                                          \
        }                                                                                          \
    }

FUNCTION(narrow8, gb_Lanes32, gb_Register32, gb_order32, 8)
FUNCTION(narrow16, gb_Lanes32, gb_Register32, gb_order32, 16)
FUNCTION(narrow32, gb_Lanes32, gb_Register32, gb_order32, 32)
FUNCTION(narrow64, gb_Lanes32, gb_Register32, gb_order32, 64)
FUNCTION(wide64, gb_Lanes64, gb_Register64, gb_order64, 64)

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
