/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of cpu/vector/veclayer.h against loops over lanes, for every number of lanes, with
 * the vector operations of the includer's choice. SUITE is the name of the suite.
 */
#ifndef TEST_VECLAYER_CASES_H
#define TEST_VECLAYER_CASES_H

#include "support/gb_test.h"

#include <string.h>

#include "cpu/vector/veclayer.h"

enum { V_INDICES = 1000, PAD = 16 };

/* Vectors with capacity behind n, and arrays that they point to. */
typedef struct {
    uint32_t a[GB_VL_MOST + PAD], b[GB_VL_MOST + PAD], at[GB_VL_MOST + PAD];
    uint64_t wide[GB_VL_MOST + PAD], other[GB_VL_MOST + PAD], far[GB_VL_MOST + PAD];
    double value[GB_VL_MOST + PAD];
    gb_VMask m, fresh;
    uint32_t x[V_INDICES];
    uint64_t y[V_INDICES];
    double z[V_INDICES];
} world;

static void fill(world *w, t_Random *r, unsigned n) {
    memset(w, 0, sizeof *w);
    for (unsigned k = 0; k < V_INDICES; k++) {
        w->x[k] = (uint32_t)t_next(r);
        w->y[k] = t_next(r);
        w->z[k] = (double)(t_next(r) >> 11) * 0x1p-53;
    }
    for (unsigned l = 0; l < GB_VL_MOST; l++) {
        w->a[l] = (uint32_t)t_below(r, 4) - 1;
        w->b[l] = (uint32_t)t_below(r, 4) - 1;
        w->at[l] = 3 * l + (uint32_t)t_below(r, 3); /* all different */
        w->far[l] = t_below(r, V_INDICES);
        w->wide[l] = t_next(r) >> 62 << 62;
        w->other[l] = t_next(r) >> 62 << 62;
        w->value[l] = (double)(t_next(r) >> 11) * 0x1p-53;
    }
    for (unsigned l = 0; l < n; l++) {
        w->m.w[l / 64] |= (uint64_t)t_below(r, 2) << l % 64;
        w->fresh.w[l / 64] |= (uint64_t)t_below(r, 2) << l % 64;
    }
    for (unsigned k = 0; k < GB_VM_WORDS; k++) w->fresh.w[k] &= w->m.w[k];
}

static bool in(const gb_VMask *m, unsigned l) {
    return (m->w[l / 64] >> l % 64 & 1) != 0;
}

#define EXPECT_LANES(found, n, expected)                                                           \
    for (unsigned l = 0; l < (n); l++) CHECK((found)[l] == (expected))
#define EXPECT_MASK(m, n, expected)                                                                \
    for (unsigned l = 0; l < (n); l++) CHECK(in(&(m), l) == (expected));                           \
    if ((n) % 64 != 0) CHECK((m).w[(n) / 64] >> (n) % 64 == 0)

static void long_gathers(t_Random *r, unsigned n) {
    static world w;
    static uint32_t to[GB_VL_MOST + PAD];
    static uint64_t wide[GB_VL_MOST + PAD];
    fill(&w, r, n);
    gb_v_gather_index(to, w.x, w.far, NULL, n);
    EXPECT_LANES(to, n, w.x[w.far[l]]);
    gb_v_gather_slot(to, w.x, w.at, NULL, n);
    EXPECT_LANES(to, n, w.x[w.at[l]]);
    gb_v_gather_offset(wide, w.y, w.at, NULL, n);
    EXPECT_LANES(wide, n, w.y[w.at[l]]);
    memset(wide, 0x55, sizeof wide);
    gb_v_gather_wide(wide, w.y, w.at, n);
    EXPECT_LANES(wide, n, w.y[w.at[l]]);
    CHECK(wide[n] == UINT64_C(0x5555555555555555)); /* nothing behind */
    for (unsigned l = 0; l < GB_VL_MOST; l++) {     /* where the mask is 0, no address is formed */
        to[l] = l;
        wide[l] = l;
        if (!in(&w.m, l)) w.far[l] = UINT64_MAX / 2, w.at[l] = UINT32_MAX;
    }
    gb_v_gather_index(to, w.x, w.far, &w.m, n);
    EXPECT_LANES(to, n, in(&w.m, l) ? w.x[w.far[l]] : l);
    gb_v_gather_offset(wide, w.y, w.at, &w.m, n);
    EXPECT_LANES(wide, n, in(&w.m, l) ? w.y[w.at[l]] : l);
    for (unsigned l = 0; l < GB_VL_MOST; l++) to[l] = l;
    gb_v_gather_slot(to, w.x, w.at, &w.m, n);
    EXPECT_LANES(to, n, in(&w.m, l) ? w.x[w.at[l]] : l);
}

static void long_scatters(t_Random *r, unsigned n) {
    static world w, before;
    fill(&w, r, n);
    before = w;
    gb_v_scatter_slot(w.x, w.at, w.a, &w.m, n);
    for (unsigned l = 0; l < n; l++)
        if (in(&w.m, l)) before.x[w.at[l]] = w.a[l];
    CHECK(memcmp(w.x, before.x, sizeof w.x) == 0);
    gb_v_scatter_slot(w.x, w.at, w.b, NULL, n);
    for (unsigned l = 0; l < n; l++) before.x[w.at[l]] = w.b[l];
    CHECK(memcmp(w.x, before.x, sizeof w.x) == 0);
    gb_v_scatter_all(w.x, w.at, 77, n);
    for (unsigned l = 0; l < n; l++) before.x[w.at[l]] = 77;
    CHECK(memcmp(w.x, before.x, sizeof w.x) == 0);
    gb_v_accumulate_fp64(w.z, w.at, w.value, &w.m, &w.fresh, n);
    for (unsigned l = 0; l < n; l++)
        if (in(&w.m, l))
            before.z[w.at[l]] = in(&w.fresh, l) ? w.value[l] : before.z[w.at[l]] + w.value[l];
    CHECK(memcmp(w.z, before.z, sizeof w.z) == 0);
}

static void long_masks(t_Random *r, unsigned n) {
    static world w;
    gb_VMask m;
    fill(&w, r, n);
    memset(&m, 0xFF, sizeof m);
    gb_v_equal(&m, w.a, w.b, n);
    EXPECT_MASK(m, n, w.a[l] == w.b[l]);
    gb_v_equal_to(&m, w.a, UINT32_MAX, n);
    EXPECT_MASK(m, n, w.a[l] == UINT32_MAX);
    gb_v_below(&m, w.a, 2, n);
    EXPECT_MASK(m, n, w.a[l] < 2);
    gb_v_equal_wide(&m, w.wide, w.other, n);
    EXPECT_MASK(m, n, w.wide[l] == w.other[l]);
    gb_v_less_wide(&m, w.wide, w.other, n);
    EXPECT_MASK(m, n, w.wide[l] < w.other[l]);
    gb_v_differs_wide(&m, w.wide, w.other, n);
    EXPECT_MASK(m, n, w.wide[l] != w.other[l]);
    gb_m_all(&m, n);
    EXPECT_MASK(m, n, true);
}

static void long_by_masks(t_Random *r, unsigned n) {
    static world w, before;
    static uint32_t to[GB_VL_MOST + PAD];
    static double product[GB_VL_MOST + PAD];
    unsigned count = 0;
    fill(&w, r, n);
    before = w;
    memset(to, 0xFF, sizeof to);
    const unsigned found = gb_v_compress(to, w.at, &w.m, n);
    for (unsigned l = 0; l < n; l++)
        if (in(&w.m, l)) CHECK(to[count++] == w.at[l]);
    CHECK_EQ(found, count);
    CHECK(to[count] == UINT32_MAX); /* nothing behind */
    static uint32_t number[GB_VL_MOST + PAD];
    count = 0;
    memset(to, 0x77, sizeof to);
    const unsigned used = gb_v_list_used(to, number, w.b, UINT32_MAX, 9, n);
    for (unsigned l = 0; l < n; l++) {
        if (w.b[l] == UINT32_MAX) continue;
        CHECK(to[count] == w.b[l] && number[count] == l + 9);
        count++;
    }
    CHECK_EQ(used, count);
    CHECK(to[count] == 0x77777777);
    gb_v_add(w.a, 5, &w.m, n);
    EXPECT_LANES(w.a, n, before.a[l] + (in(&w.m, l) ? 5u : 0u));
    gb_v_add(w.a, 3, NULL, n);
    EXPECT_LANES(w.a, n, before.a[l] + (in(&w.m, l) ? 8u : 3u));
    gb_v_add_wide(w.wide, 7, &w.m, n);
    EXPECT_LANES(w.wide, n, before.wide[l] + (in(&w.m, l) ? 7u : 0u));
    gb_v_add_wide(w.wide, 2, NULL, n);
    EXPECT_LANES(w.wide, n, before.wide[l] + (in(&w.m, l) ? 9u : 2u));
    gb_v_next(w.at, w.b, 6, &w.m, n);
    EXPECT_LANES(w.at, n, in(&w.m, l) ? w.b[l] + ((before.at[l] - w.b[l] + 1) & 6u) : before.at[l]);
    gb_VFactors f = {w.z, w.z, w.far, w.far, UINT64_MAX, 0};
    product[n] = 3.5;
    gb_v_multiply_fp64(product, &f, n);
    EXPECT_LANES(product, n, w.z[w.far[l]] * w.z[0]);
    CHECK(product[n] == 3.5);
}

Test(SUITE, long_vectors) {
    t_Random r = t_random(7);
    for (unsigned n = 0; n <= GB_VL_MOST; n++) {
        t_case("%u lanes", n);
        long_gathers(&r, n);
        long_scatters(&r, n);
        long_masks(&r, n);
        long_by_masks(&r, n);
    }
}

#endif
