/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths of numbers, doubles that become integers, searches in what ascends, how many numbers are
 * distinct, and whether they come in runs (src/core).
 */
#include "support/gb_test.h"

#include <math.h>

#include "core/bits.h"
#include "core/hll.h"
#include "core/view.h"

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

/* -------------------------------------------------------------------------------- searching -- */

/* With ties, empty ranges, and every place to look for. */
Test(search, agrees_with_a_scan) {
    static const uint64_t p[] = {0, 0, 3, 3, 3, 7, 8, 8, 15};
    static const gb_Idx v[] = {0, 2, 3, 5, 8, 13, 21, 34, 4294967294u};
    enum { N = T_COUNT(p) };
    for (uint64_t lo = 0; lo <= N; lo++)
        for (uint64_t hi = lo; hi <= N; hi++)
            for (uint64_t x = 0; x < 40; x++) {
                uint64_t first = lo, index = lo;
                while (first < hi && p[first] < x) first++;
                while (index < hi && v[index] < x) index++;
                t_case("[%d, %d) for %d", (int)lo, (int)hi, (int)x);
                CHECK_EQ(gb_first_from(p, lo, hi, x), first);
                CHECK_EQ(gb_first_at_least(v, lo, hi, x), index);
                CHECK_EQ(gb_gallop(v, lo, hi, (gb_Idx)x), index);
            }
    CHECK_EQ(gb_first_at_least(v, 0, N, (uint64_t)1 << 32), N);
}

Test(search, rows) {
    static const uint64_t p[] = {0, 0, 3, 3, 3, 7, 8, 8, 15};
    enum { ROWS = T_COUNT(p) - 1 };
    for (uint64_t e = 0; e < p[ROWS]; e++) {
        const uint64_t row = gb_holder(p, 0, ROWS, e);
        CHECK(p[row] <= e && e < p[row + 1]);
    }
    for (uint64_t weight = 0; weight < 4; weight++)
        for (uint64_t work = 0; work < 50; work++) {
            uint64_t row = 0;
            while (row < ROWS && p[row] + weight * row < work) row++;
            CHECK_EQ(gb_row_at_work(p, ROWS, weight, work), row);
        }
}

/* In a map that has a place for each number counts are exact, else within four deviations. */
Test(bits, distinct) {
    enum { N = 3000, MOST = 14 };
    static const uint32_t ranges[] = {1, 2, 700, 1024, 4000, 16384, 16385, 100000, 4000000};
    static uint8_t map[1 << MOST];
    t_Random random = t_random(17);
    for (size_t r = 0; r < T_COUNT(ranges); r++)
        for (uint32_t n = 1; n <= N; n = 3 * n + 1) {
            t_case("%u numbers below %u", n, ranges[r]);
            bool *met = calloc(ranges[r], sizeof *met);
            double want = 0.0;
            gb_Distinct d = gb_distinct(map, n, ranges[r], MOST);
            for (uint32_t k = 0; k < n; k++) {
                const uint32_t x = (uint32_t)t_below(&random, ranges[r]);
                want += !met[x];
                met[x] = true;
                gb_distinct_add(&d, x);
            }
            CHECK(d.exact || ranges[r] > 1024);
            CHECK(fabs(gb_distinct_count(&d) - want) <= (d.exact ? 0.0 : 4.0 * sqrt(want)));
            free(met);
        }
}

/* A share of the entries is in runs, at the beginning or at the end: windows see both. */
Test(bits, runs) {
    enum { N = 40000, WHOLE = GB_RUN_ENTRIES / 2 };
    static gb_Idx column[N];
    static const uint64_t sizes[] = {WHOLE, N};
    for (size_t s = 0; s < T_COUNT(sizes); s++)
        for (uint64_t tenths = 0; tenths <= 10; tenths++)
            for (int first = 0; first < 2; first++) {
                const uint64_t n = sizes[s], runs = n * tenths / 10;
                const gb_CsView A = {.nvals = n, .i = column, .sorted = true};
                for (uint64_t q = 0, j = 0; q < n; q++) {
                    const bool within = first ? q < runs : q >= n - runs;
                    column[q] = (gb_Idx)(j += within ? 1 : 2);
                }
                t_case("%d entries, %d tenths in runs, first %d", (int)n, (int)tenths, first);
                if (tenths == 3 || tenths == 5) continue; /* near the border */
                CHECK_EQ(gb_comes_in_runs(&A), tenths > 3);
                CHECK_EQ(gb_is_adjacent(&A), tenths > 5);
            }
}
