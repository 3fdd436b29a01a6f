/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of numbers, doubles that become integers, and searches in what ascends (src/core).
 */
#include "support/gb_test.h"

#include <math.h>

#include "core/bits.h"

Test(bits, below) {
    CHECK_EQ(gb_bits_below(0), 0);
    CHECK_EQ(gb_bits_below(1), 0);
    CHECK_EQ(gb_bits_below(2), 1);
    for (int b = 1; b < 64; b++) {
        CHECK_EQ(gb_bits_below((uint64_t)1 << b), b);
        CHECK_EQ(gb_bits_below(((uint64_t)1 << b) + 1), b + 1);
    }
    CHECK_EQ(gb_bits_below(UINT64_MAX), 64);
}

/* Volatile: the compiler must not know the value, since what it computes beforehand saturates. */
static uint64_t converted(double x) {
    volatile double unknown = x;
    return gb_to_u64(unknown);
}

Test(bits, from_double) {
    CHECK(converted(0.0) == 0 && converted(-0.0) == 0);
    CHECK(converted(0.99) == 0 && converted(1.0) == 1 && converted(2.75) == 2);
    CHECK(converted(-1.0) == 0 && converted(-1e300) == 0 && converted(-INFINITY) == 0);
    CHECK(converted(NAN) == 0);
    CHECK(converted(0x1p53 + 2) == ((uint64_t)1 << 53) + 2);
    CHECK(converted(0x1p63) == (uint64_t)1 << 63);
    CHECK(converted(nextafter(0x1p64, 0.0)) == UINT64_MAX - 2047);
    CHECK(converted(0x1p64) == UINT64_MAX && converted(1e300) == UINT64_MAX);
    CHECK(converted(INFINITY) == UINT64_MAX);
}
