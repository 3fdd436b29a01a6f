/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of cpu/vector/veclayer.h against loops over lanes, for every number of lanes, with
 * the vector operations of the includer's choice. SUITE is the name of the suite.
 */
#pragma once

#include "support/gb_test.h"

#include <string.h>

#include "cpu/vector/veclayer.h"

enum { V_INDICES = 1000, PAD = 16 };

/* Vectors with capacity behind n, and an array that they point to. */
typedef struct {
    uint32_t a[GB_VL_MOST + PAD], b[GB_VL_MOST + PAD], at[GB_VL_MOST + PAD];
    gb_VMask m;
    uint32_t x[V_INDICES];
} world;

static void fill(world *w, t_Random *r, unsigned n) {
    memset(w, 0, sizeof *w);
    for (unsigned k = 0; k < V_INDICES; k++) w->x[k] = (uint32_t)t_next(r);
    for (unsigned l = 0; l < GB_VL_MOST; l++) {
        w->a[l] = (uint32_t)t_below(r, 4) - 1;
        w->b[l] = (uint32_t)t_below(r, 4) - 1;
        w->at[l] = 3 * l + (uint32_t)t_below(r, 3); /* all different */
    }
    for (unsigned l = 0; l < n; l++) w->m.w[l / 64] |= (uint64_t)t_below(r, 2) << l % 64;
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
    gb_VMask all;
    fill(&w, r, n);
    gb_m_all(&all, n);
    gb_v_gather_slot(to, w.x, w.at, &all, n);
    EXPECT_LANES(to, n, w.x[w.at[l]]);
    for (unsigned l = 0; l < GB_VL_MOST; l++) { /* where the mask is 0, no address is formed */
        to[l] = l;
        if (!in(&w.m, l)) w.at[l] = UINT32_MAX;
    }
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
    gb_m_all(&m, n);
    EXPECT_MASK(m, n, true);
}

static void long_by_masks(t_Random *r, unsigned n) {
    static world w, before;
    static uint32_t to[GB_VL_MOST + PAD];
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
    gb_v_next(w.at, w.b, 6, &w.m, n);
    EXPECT_LANES(w.at, n, in(&w.m, l) ? w.b[l] + ((before.at[l] - w.b[l] + 1) & 6u) : before.at[l]);
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
