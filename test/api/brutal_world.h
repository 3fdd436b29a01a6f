/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in steps on one world of objects. A call that meets the
 * failure either returns GBL_OUT_OF_MEMORY and leaves its outputs as they were, or does without
 * that block and is right. Called again it succeeds, and when all objects are freed no block is
 * left. One thread, and no pool, so that n means the same allocation every time.
 */
#pragma once

#include "support/gb_test.h"

enum { SIDE = 36, MOST = 3000 };

/* Everything that an operation may use. A and u have pending updates, so that reading assembles;
 * M is valued, B has another type than the semirings. */
typedef struct {
    gbl_Matrix A, B, C, M;
    gbl_Vector u, v, w, m;
    gbl_Scalar s;
    double x;
    gbl_Matrix made; /* by calls that make an object */
    gbl_Vector made_vector;
} world;

typedef struct {
    const char *name;
    gbl_Info (*run)(world *o);
} step;

static o_Matrix content(uint64_t seed, gbl_Type_Code code, gbl_Index ncols, double density) {
    t_Random r = t_random(seed);
    return t_generate(&r, &(t_Content){o_type(code), SIDE, ncols,
                                       ncols == 1 ? T_RANDOM : T_FULL_ROW, density, false, false});
}

static gbl_Matrix matrix(uint64_t seed, gbl_Type_Code code, double density) {
    o_Matrix D = content(seed, code, SIDE, density);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

static gbl_Vector vector(uint64_t seed, gbl_Type_Code code, double density) {
    o_Matrix D = content(seed, code, 1, density);
    gbl_Vector v = t_vector(&D);
    o_free(&D);
    return v;
}

static world world_new(void) {
    world o = {.A = matrix(1, GBL_INT64_CODE, 0.1),
               .B = matrix(2, GBL_FP32_CODE, 0.1),
               .C = matrix(3, GBL_INT64_CODE, 0.2),
               .M = matrix(4, GBL_INT8_CODE, 0.3),
               .u = vector(5, GBL_INT64_CODE, 0.4),
               .v = vector(6, GBL_FP32_CODE, 0.4),
               .w = vector(7, GBL_INT64_CODE, 0.5),
               .m = vector(8, GBL_INT8_CODE, 0.5),
               .x = 3};
    for (gbl_Index k = 0; k < 20; k++) {
        OK(gbl_Matrix_setElement_INT64(o.A, (int64_t)k - 9, k, (7 * k) % SIDE));
        OK(gbl_Matrix_removeElement(o.A, k, k));
        OK(gbl_Vector_setElement_INT64(o.u, (int64_t)k - 9, (5 * k) % SIDE));
    }
    OK(gbl_Scalar_new(&o.s, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(o.s, 2.5));
    return o;
}

static void world_free(world *o) {
    FREE(o->A, o->B, o->C, o->M, o->u, o->v, o->w, o->m);
    FREE(o->s, o->made, o->made_vector);
}

/* All that a call may change, as plain arrays. */
typedef struct {
    o_Matrix all[8];
    double s, x;
    bool made;
} state;

static state state_of(const world *o) {
    state s = {{t_dense(o->A), t_dense(o->B), t_dense(o->C), t_dense(o->M), t_dense_vector(o->u),
                t_dense_vector(o->v), t_dense_vector(o->w), t_dense_vector(o->m)},
               0,
               o->x,
               o->made != NULL || o->made_vector != NULL};
    OK(gbl_Scalar_extractElement_FP64(&s.s, o->s));
    return s;
}

static void state_free(state *s) {
    for (int k = 0; k < 8; k++) o_free(&s->all[k]);
}

static void expect_state(const state *expected, const world *o) {
    static const char *const names[] = {"A", "B", "C", "M", "u", "v", "w", "m"};
    state s = state_of(o);
    for (int k = 0; k < 8; k++) t_expect_dense(names[k], &expected->all[k], &s.all[k], 0);
    CHECK(s.s == expected->s);
    CHECK(s.x == expected->x);
    CHECK_EQ(s.made, expected->made);
    state_free(&s);
}

/* One failure at the n-th allocation; false when the call needs fewer. */
static bool attempt(const step *of, int64_t n, const state *before, const state *after) {
    world o = world_new();
    t_case("%s: allocation %lld fails", of->name, (long long)n);
    bool failed;
    const gbl_Info info = FAIL_AT(n, of->run(&o), &failed);
    if (info == GBL_OUT_OF_MEMORY) {
        CHECK(gbl_last_error()[0] != '\0');
        expect_state(before, &o);
        OK(of->run(&o));
    }
    expect_state(after, &o);
    world_free(&o);
    CHECK_EQ(t_blocks(), 0);
    CHECK_EQ(t_live(), 0);
    return failed;
}

static void run_steps(const step *steps, size_t count) {
    for (size_t k = 0; k < count; k++) {
        t_case("%s without failures", steps[k].name);
        world o = world_new();
        state before = state_of(&o);
        world_free(&o);
        o = world_new();
        OK(steps[k].run(&o));
        state after = state_of(&o);
        world_free(&o);
        int64_t n = 1;
        while (n < MOST && attempt(&steps[k], n, &before, &after)) n++;
        cr_assert(n < MOST, "%s makes too many allocations", steps[k].name);
        cr_assert(n > 1, "%s made no allocation at all", steps[k].name);
        state_free(&before);
        state_free(&after);
    }
}

#define STEP(name, call)                                                                           \
    static gbl_Info name(world *o) {                                                               \
        return call;                                                                               \
    }
