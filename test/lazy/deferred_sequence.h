/* SPDX-License-Identifier: Apache-2.0
 *
 * Random sequences of calls, played in blocking mode and with calls that are put off: both must
 * give the same to the bit, whatever is read, written or freed between.
 */
#pragma once

#include "support/gb_test.h"

enum { PLAY_STEPS = 60, PLAY_OBJECTS = 8 };

/* What a sequence gave. */
typedef struct {
    gbl_Info info[PLAY_STEPS];
    uint64_t value[PLAY_STEPS]; /* the bits of what a call told, or 0 */
    o_Matrix content[PLAY_OBJECTS];
    int objects, deferred; /* in the end; how often an object waited after a step */
} Played;

/* A kind of sequences, by functions of the world that they are played in. */
typedef struct {
    void (*make)(void *world, t_Random *r);
    gbl_Info (*step)(void *world, uint64_t *value);
    int (*deferred)(const void *world);           /* objects that wait */
    int (*leave)(void *world, o_Matrix *content); /* frees it; how many objects it had */
} Sequences;

static inline Played play(const Sequences *of, void *world, gbl_Mode mode, uint64_t seed) {
    Played p = {.objects = 0};
    t_Random r = t_random(seed);
    OK(gbl_init(mode));
    of->make(world, &r);
    for (int k = 0; k < PLAY_STEPS; k++) {
        p.info[k] = of->step(world, &p.value[k]);
        p.deferred += of->deferred(world);
    }
    p.objects = of->leave(world, p.content);
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    return p;
}

/* The world is made anew for each sequence. */
static inline void play_both_ways(const Sequences *of, void *world, uint64_t seeds) {
    int deferred = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        if (t_left_out()) continue;
        Played now = play(of, world, GBL_BLOCKING, seed);
        Played later = play(of, world, GBL_NONBLOCKING, seed);
        for (int k = 0; k < PLAY_STEPS; k++) {
            t_case("seed %llu, step %d", (unsigned long long)seed, k);
            CHECK_EQ(later.info[k], now.info[k]);
            CHECK_EQ(later.value[k], now.value[k]);
        }
        for (int k = 0; k < now.objects; k++) {
            t_expect_dense("the object", &now.content[k], &later.content[k], 0);
            FREE(now.content[k], later.content[k]);
        }
        CHECK_EQ(now.deferred, 0);
        deferred += later.deferred;
    }
    CHECK(deferred > 0);
}
