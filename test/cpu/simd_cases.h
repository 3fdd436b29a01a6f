/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of cpu/simd/simd.h against loops over lanes, with whatever headers the includer
 * lets it choose. A test file is this header after such a choice, and the name of its suite.
 */
#pragma once

#include "support/gb_test.h"

#include <string.h>

#include "cpu/simd/simd.h"

enum { ROUNDS = 2000 };

/* Lanes that are often equal, and what is around them in memory. */
typedef struct {
    uint32_t before[GB_LANES];
    _Alignas(64) uint32_t x[GB_LANES];
    uint32_t behind[2 * GB_LANES];
} lanes;

static lanes some_lanes(t_Random *r) {
    lanes v;
    memset(&v, 0xA5, sizeof v);
    const uint64_t range = t_chance(r, 0.5) ? 4 : UINT64_MAX;
    for (unsigned l = 0; l < GB_LANES; l++) v.x[l] = (uint32_t)t_below(r, range);
    return v;
}

static unsigned mask_of(const uint32_t *a, const uint32_t *b, bool less) {
    unsigned mask = 0;
    for (unsigned l = 0; l < GB_LANES; l++)
        mask |= (unsigned)(less ? a[l] < b[l] : a[l] == b[l]) << l;
    return mask;
}

Test(SUITE, masks) {
    t_Random r = t_random(1);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lanes a = some_lanes(&r), b = some_lanes(&r);
        const gb_Lanes32 x = gb_load32(a.x), y = gb_load32(b.x);
        CHECK_EQ(gb_equal32(x, y), mask_of(a.x, b.x, false));
        CHECK_EQ(gb_less32(x, y), mask_of(a.x, b.x, true));
        lanes same = a;
        for (unsigned l = 0; l < GB_LANES; l++) same.x[l] = b.x[3];
        CHECK_EQ(gb_find32(a.x, b.x[3]), mask_of(a.x, same.x, false));
        uint8_t bytes[64];
        uint64_t nonzero = 0;
        for (unsigned k = 0; k < 64; k++) bytes[k] = (uint8_t)(t_next(&r) & t_next(&r) & 0x81);
        for (unsigned k = 0; k < 64; k++) nonzero |= (uint64_t)(bytes[k] != 0) << k;
        CHECK(gb_nonzero_bytes(bytes) == nonzero);
        uint16_t words[GB_LANES];
        unsigned expected = 0;
        for (unsigned k = 0; k < GB_LANES; k++)
            words[k] = (uint16_t)(t_next(&r) & 0x8000 * (k & 1));
        for (unsigned k = 0; k < GB_LANES; k++) expected |= (unsigned)(words[k] != 0) << k;
        CHECK_EQ(gb_nonzero_words(words), expected);
    }
}

Test(SUITE, masks_of_lanes) {
    t_Random r = t_random(15);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lanes c = some_lanes(&r), d = some_lanes(&r);
        CHECK_EQ(gb_mask32((gb_Lanes32)(gb_load32(c.x) == gb_load32(d.x))),
                 mask_of(c.x, d.x, false));
    }
}

Test(SUITE, lane_by_lane) {
    t_Random r = t_random(2);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lanes a = some_lanes(&r), b = some_lanes(&r);
        const unsigned first = (unsigned)t_below(&r, 20);
        const gb_Lanes32 x = gb_load32(a.x), y = gb_load32(b.x);
        const gb_Lanes32 either = gb_first_or32(first, x, y), last = gb_previous32(x, 77);
        gb_Register32 low, high;
        memcpy(&low, a.x, sizeof low);
        memcpy(&high, b.x, sizeof high);
        gb_order32(&low, &high);
        for (unsigned l = 0; l < sizeof low / 4; l++) {
            CHECK(low[l] == (a.x[l] < b.x[l] ? a.x[l] : b.x[l]));
            CHECK(high[l] == (a.x[l] < b.x[l] ? b.x[l] : a.x[l]));
        }
        for (unsigned l = 0; l < GB_LANES; l++) {
            CHECK(either[l] == (l < first ? a.x[l] : b.x[l]));
            CHECK(last[l] == (l == 0 ? 77 : a.x[l - 1]));
            CHECK(gb_all32(a.x[0])[l] == a.x[0] && gb_numbers32(5)[l] == 5 + l);
        }
        gb_Register64 p, q;
        const unsigned lanes64 = sizeof p / 8;
        for (unsigned l = 0; l < lanes64; l++)
            p[l] = t_next(&r) >> (n % 64), q[l] = t_next(&r) >> (n % 64);
        gb_Register64 small = p, large = q;
        gb_order64(&small, &large);
        for (unsigned l = 0; l < lanes64; l++) CHECK(small[l] == (p[l] < q[l] ? p[l] : q[l]));
        for (unsigned l = 0; l < lanes64; l++) CHECK(large[l] == (p[l] < q[l] ? q[l] : p[l]));
        gb_Bytes32 s, t;
        for (unsigned k = 0; k < 32; k++) s[k] = (uint8_t)t_next(&r), t[k] = (uint8_t)t_next(&r);
        gb_Bytes32 most = s;
        gb_max8(&most, &t);
        for (unsigned k = 0; k < 32; k++) CHECK(most[k] == (s[k] > t[k] ? s[k] : t[k]));
    }
}

Test(SUITE, transposes) {
    gb_Lanes32 v[GB_LANES];
    for (unsigned l = 0; l < GB_LANES; l++) v[l] = gb_numbers32(100 * l);
    gb_transpose32(v);
    for (unsigned l = 0; l < GB_LANES; l++)
        for (unsigned k = 0; k < GB_LANES; k++) CHECK(v[l][k] == 100 * k + l);
    gb_Lanes64 wide[8];
    for (unsigned l = 0; l < 8; l++)
        for (unsigned k = 0; k < 8; k++) wide[l][k] = 100 * l + k + ((uint64_t)l << 40);
    gb_transpose64(wide);
    for (unsigned l = 0; l < 8; l++)
        for (unsigned k = 0; k < 8; k++) CHECK(wide[l][k] == 100 * k + l + ((uint64_t)k << 40));
    t_Random r = t_random(9);
    uint16_t masks[GB_LANES], turned[GB_LANES];
    for (unsigned l = 0; l < GB_LANES; l++) masks[l] = (uint16_t)t_next(&r);
    gb_transpose_masks(turned, masks);
    for (unsigned l = 0; l < GB_LANES; l++)
        for (unsigned k = 0; k < GB_LANES; k++) CHECK_EQ(turned[l] >> k & 1, masks[k] >> l & 1);
}

/* Lanes of a mask, packed and each in its place, and nothing else. */
Test(SUITE, lanes_stored) {
    t_Random r = t_random(10);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lanes a = some_lanes(&r);
        const unsigned mask = (unsigned)t_next(&r) & 0xFFFFu;
        lanes packed = some_lanes(&r), packs = packed, placed = packed, places = packed;
        lanes wide = packed, wides = packed, far = packed, fars = packed;
        gb_Lanes64 v;
        memcpy(&v, a.x, sizeof v);
        for (unsigned l = 0, e = 0; l < GB_LANES; l++) {
            if (!(mask >> l & 1u)) continue;
            packs.x[e++] = a.x[l];
            places.x[l] = a.x[l];
        }
        for (unsigned l = 0, e = 0; l < 8; l++) {
            if (!(mask >> l & 1u)) continue;
            memcpy(&wides.x[2 * e++], &a.x[2 * l], 8);
            memcpy(&fars.x[2 * l], &a.x[2 * l], 8);
        }
        CHECK_EQ(gb_put32(packed.x, gb_load32(a.x), mask), (unsigned)__builtin_popcount(mask));
        CHECK_EQ(gb_put64(wide.x, v, mask & 0xFFu), (unsigned)__builtin_popcount(mask & 0xFFu));
        gb_store32(placed.x, gb_pick_lanes(gb_load32(placed.x), gb_load32(a.x), mask, 4));
        gb_store32(far.x, gb_pick_lanes(gb_load32(far.x), gb_load32(a.x), mask & 0xFFu, 8));
        CHECK(memcmp(&packed, &packs, sizeof packs) == 0);
        CHECK(memcmp(&placed, &places, sizeof places) == 0);
        CHECK(memcmp(&wide, &wides, sizeof wides) == 0);
        CHECK(memcmp(&far, &fars, sizeof fars) == 0);
    }
}

/* -- memory: what is written, and that nothing else is ----------------------------------------- */

Test(SUITE, first_lanes) {
    t_Random r = t_random(3);
    for (unsigned first = 0; first < 20; first++) {
        const lanes a = some_lanes(&r);
        lanes to = some_lanes(&r), expected = to;
        const unsigned n = first < GB_LANES ? first : GB_LANES;
        const gb_Lanes32 loaded = gb_load_first32(a.x, first);
        for (unsigned l = 0; l < GB_LANES; l++) CHECK(loaded[l] == (l < n ? a.x[l] : 0));
        memcpy(expected.x, a.x, n * sizeof a.x[0]);
        gb_store_first32(to.x, gb_load32(a.x), first);
        CHECK(memcmp(&to, &expected, sizeof to) == 0);
    }
}

Test(SUITE, packs) {
    t_Random r = t_random(4);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const lanes a = some_lanes(&r);
        const unsigned mask =
            (unsigned)t_next(&r) & (n % 3 == 0 ? 0xFFFFu : (unsigned)t_next(&r) & 0xFFFFu);
        const unsigned count = (unsigned)__builtin_popcount(mask);
        uint64_t wide[GB_LANES], to64[GB_LANES + 1], all64[GB_LANES + 1];
        lanes to = some_lanes(&r), numbers = to, values = to, sums = to;
        memset(to64, 0x5A, sizeof to64);
        memcpy(all64, to64, sizeof to64);
        for (unsigned l = 0, e = 0; l < GB_LANES; l++) {
            wide[l] = t_next(&r);
            if (!(mask >> l & 1u)) continue;
            values.x[e] = a.x[l];
            sums.x[e] = a.x[0] + l;
            all64[e++] = wide[l];
        }
        const gb_Lanes32 packed = gb_compress32(gb_load32(a.x), mask);
        for (unsigned l = 0; l < GB_LANES; l++) CHECK(packed[l] == (l < count ? values.x[l] : 0));
        CHECK_EQ(gb_pack32(to.x, a.x, mask), count);
        CHECK(memcmp(&to, &values, sizeof to) == 0);
        CHECK_EQ(gb_pack_numbers(numbers.x, a.x[0], mask), count);
        CHECK(memcmp(&numbers, &sums, sizeof sums) == 0);
        CHECK_EQ(gb_pack64(to64, wide, mask), count);
        CHECK(memcmp(to64, all64, sizeof to64) == 0);
        uint8_t bytes[GB_LANES + 1];
        bytes[GB_LANES] = 7;
        CHECK_EQ(gb_set_bits(bytes, mask, 0xC0), count);
        for (unsigned l = 0, e = 0; l < GB_LANES; l++)
            if (mask >> l & 1u) CHECK_EQ(bytes[e++], 0xC0 + l);
        CHECK_EQ(bytes[GB_LANES], 7);
    }
}

Test(SUITE, expands) {
    t_Random r = t_random(5);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const size_t size = n & 1 ? 8 : 4, count = GB_REGISTER / size;
        const unsigned mask = (unsigned)t_next(&r) & ((1u << count) - 1u);
        char from[GB_REGISTER], to[GB_REGISTER], expected[GB_REGISTER] = {0};
        for (size_t k = 0; k < sizeof from; k++) from[k] = (char)t_next(&r);
        for (size_t l = 0, e = 0; l < count; l++)
            if (mask >> l & 1u) memcpy(expected + l * size, from + size * e++, size);
        gb_expand(to, from, mask, size);
        CHECK(memcmp(to, expected, sizeof to) == 0);
    }
}

Test(SUITE, gathers) {
    t_Random r = t_random(6);
    uint64_t x[64];
    for (unsigned k = 0; k < 64; k++) x[k] = t_next(&r);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const size_t size = n & 1 ? 8 : 4;
        const unsigned first = (unsigned)t_below(&r, 20), m = first < GB_LANES ? first : GB_LANES;
        char to[(GB_LANES + 1) * 8], expected[(GB_LANES + 1) * 8];
        gb_Lanes32 at;
        memset(to, 0x11, sizeof to);
        memcpy(expected, to, sizeof to);
        for (unsigned l = 0; l < GB_LANES; l++) at[l] = (uint32_t)t_below(&r, 64);
        for (unsigned l = 0; l < m; l++)
            memcpy(expected + l * size, (char *)x + at[l] * size, size);
        gb_gather_first(to, x, at, first, size);
        CHECK(memcmp(to, expected, sizeof to) == 0);
        at &= 15u;
        for (unsigned l = 0; l < GB_LANES; l++)
            memcpy(expected + l * size, (char *)x + at[l] * size, size);
        gb_shuffle(to, x, at, size);
        CHECK(memcmp(to, expected, sizeof to) == 0);
    }
}

/* Indices of lanes outside the mask lead nowhere. */
Test(SUITE, gathers_and_scatters_by_masks) {
    enum { INDICES = 200 };
    t_Random r = t_random(17);
    for (unsigned n = 0; n < ROUNDS; n++) {
        const unsigned mask = n % 5 == 0 ? 0xFFFF : (unsigned)t_next(&r) & 0xFFFFu;
        uint32_t x[INDICES], set[INDICES], at[GB_LANES];
        lanes to = some_lanes(&r), expected = to;
        const lanes v = some_lanes(&r);
        for (unsigned k = 0; k < INDICES; k++) x[k] = set[k] = (uint32_t)t_next(&r);
        for (unsigned l = 0; l < GB_LANES; l++) {
            at[l] = mask >> l & 1u ? 12 * l + (uint32_t)t_below(&r, 12) : UINT32_MAX - l;
            if (mask >> l & 1u) expected.x[l] = x[at[l]], set[at[l]] = v.x[l];
        }
        gb_gather32(to.x, x, at, mask);
        CHECK(memcmp(&to, &expected, sizeof to) == 0);
        gb_scatter32(x, at, v.x, mask);
        CHECK(memcmp(x, set, sizeof x) == 0);
    }
}

Test(SUITE, streams) {
    _Alignas(64) char to[192], from[192];
    for (size_t k = 0; k < sizeof from; k++) from[k] = (char)k, to[k] = 0;
    gb_stream_line(to + 64, from + 64);
    gb_stream16(to + 16, from + 5);
    gb_stream_end();
    for (size_t k = 0; k < sizeof to; k++)
        CHECK_EQ(to[k], k >= 64 && k < 128 ? from[k] : k >= 16 && k < 32 ? from[k - 11] : 0);
}

/* Blocks of bits, some nearly empty, and a byte around them that must not count. */
Test(SUITE, rows_of_bits) {
    enum { BLOCKS = 70, WORDS = 8 * BLOCKS };
    t_Random r = t_random(11);
    static uint64_t a[WORDS + 1], b[WORDS + 1], bits[WORDS];
    static uint32_t number[WORDS + 8];
    gb_AndSum sum = {0};
    uint64_t total = 0;
    for (unsigned n = 0; n < 300; n++) {
        const bool few = t_chance(&r, 0.5);
        const uint64_t blocks = t_below(&r, n % 3 ? 5 : BLOCKS + 1);
        uint64_t both = 0, first = UINT64_MAX, words = 0, within = 0;
        const uint32_t base = (uint32_t)t_below(&r, 8 * blocks + 1);
        const uint32_t end = base + (uint32_t)t_below(&r, 8 * blocks - base + 1);
        for (unsigned k = 0; k <= WORDS; k++) {
            a[k] = few && t_chance(&r, 0.9) ? 0 : t_next(&r);
            b[k] = few ? t_next(&r) & t_next(&r) : n % 7 ? t_next(&r) : UINT64_MAX;
        }
        for (unsigned k = 0; k < 8 * blocks; k++) {
            const uint64_t x = a[k] & b[k];
            const uint64_t count = (uint64_t)__builtin_popcountll(x);
            if (both == 0 && x != 0) first = 64 * k + (uint64_t)__builtin_ctzll(x);
            both += count;
            if (a[k] == 0) continue;
            number[words] = k;
            bits[words++] = a[k];
            if (k >= base && k < end) within += count;
        }
        CHECK(gb_and_count(a, b, blocks) == both);
        gb_and_sum(&sum, a, b, blocks);
        gb_and_sum(&sum, b, a, blocks / 2);
        total += both + gb_and_count(a, b, blocks / 2);
        CHECK(gb_and_total(&sum) == total);
        CHECK(gb_and_first(a, b, blocks) == first);
        CHECK(gb_and_words(b + base, base, end, (gb_Words){number, bits}, words) == within);
        CHECK(gb_count64(a[0]) == (uint64_t)__builtin_popcountll(a[0]));
    }
}

Test(SUITE, count_marked) {
    enum { PLACES = 900 };
    t_Random r = t_random(12);
    static uint8_t mark[PLACES + 3];
    static uint32_t i[100];
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint64_t count = t_below(&r, 100);
        uint64_t expected = 0;
        for (unsigned k = 0; k < PLACES; k++) mark[k] = (uint8_t)(t_next(&r) & 1);
        for (unsigned k = 0; k < 100; k++) i[k] = (uint32_t)t_below(&r, PLACES);
        for (unsigned k = 0; k < count; k++) expected += mark[i[k]];
        CHECK_EQ(gb_count_marked(mark, i, count), expected);
    }
}

/* Marks that are raised, those that are 0, and those that nobody names. */
Test(SUITE, raise_marked) {
    enum { PLACES = 900 };
    t_Random r = t_random(13);
    static uint32_t mark[PLACES], expected[PLACES], i[PLACES];
    for (unsigned n = 0; n < ROUNDS / 4; n++) {
        const uint32_t step = (uint32_t)(1 + t_below(&r, 40));
        const uint32_t first = (uint32_t)t_below(&r, step), count = (PLACES - first) / step;
        for (unsigned k = 0; k < PLACES; k++)
            mark[k] = expected[k] = t_chance(&r, 0.5) ? 0 : (uint32_t)t_next(&r) | 1u;
        for (uint32_t k = 0; k < count; k++) {
            i[k] = first + k * step;
            expected[i[k]] += expected[i[k]] != 0;
        }
        gb_raise_marked(mark, i, count);
        CHECK(memcmp(mark, expected, sizeof mark) == 0);
    }
}

/* Ascending, at an end of `space`, so that sanitizers see a number read in front or behind. */
static uint32_t *some_list(t_Random *r, uint32_t *space, uint64_t n, bool at_end) {
    uint32_t *list = space + (at_end ? 40 - n : 0), next = t_chance(r, 0.5) ? 0 : UINT32_MAX - 200;
    for (uint64_t k = 0; k < n; k++) {
        next += (uint32_t)t_below(r, 4);
        list[k] = next++;
    }
    return list;
}

Test(SUITE, count_few) {
    t_Random r = t_random(14);
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint32_t x[40], y[40];
        const uint64_t few = t_below(&r, GB_FEW_MOST + 1), many = t_below(&r, 40);
        const uint32_t *a = some_list(&r, x, few, n & 1), *b = some_list(&r, y, many, n & 2);
        uint64_t expected = 0;
        for (uint64_t k = 0; k < few; k++)
            for (uint64_t q = 0; q < many; q++) expected += a[k] == b[q];
        CHECK_EQ(gb_count_few(gb_few(a, few), b, many), expected);
    }
}
