/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool of large blocks (core/memory.c): what it keeps, what it gives back, and when.
 */
#include "support/gb_test.h"

#include "core/memory.h"

enum { MB = 1 << 20 };

GB_TEST(pool, warm_bytes) {
    CHECK_EQ(gb_pool_warm_bytes(100 * MB), 0);
    void *a = gb_malloc(8 * MB), *b = gb_malloc(3 * MB);
    CHECK_EQ(gb_pool_warm_bytes(100 * MB), 0);
    gb_free(a, 8 * MB);
    gb_free(b, 3 * MB);
    CHECK_EQ(gb_pool_warm_bytes(100 * MB), 11 * MB);
    CHECK_EQ(gb_pool_warm_bytes(10 * MB), 10 * MB);
    CHECK_EQ(gb_pool_warm_bytes(4 * MB), 3 * MB); /* 8 MB serve no call that wants 4 */
    CHECK_EQ(gb_pool_warm_bytes(1), 0);
    CHECK_EQ(gb_pool_warm_bytes(UINT64_MAX), 11 * MB);
}
