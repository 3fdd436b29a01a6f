/* SPDX-License-Identifier: Apache-2.0
 *
 * Huge dimensions: updates that tell what they have changed, products with them, roots and trees
 * joined; against their small twins.
 */
#include "support/huge.h"

#include "matrix/check.h"
#include "matrix/matrix.h"

#include <string.h>

#define TOP GBL_INDEX_MAX

enum { SIDE = 20, STEPS = 3 };

/* A vector of INT64 and its twin. */
typedef struct {
    gbl_Vector v, h;
} Pair;

static Pair pair(t_Random *r, const t_Scatter *places, double density) {
    o_Matrix D = t_generate(
        r, &(t_Content){o_type(GBL_INT64_CODE), places->small, 1, T_RANDOM, density, false, false});
    Pair p = {.v = t_vector(&D)};
    p.h = t_twin_vector(p.v, places);
    o_free(&D);
    return p;
}

static void expect(const Pair *p, const t_Scatter *places) {
    t_expect_twin_vector(p->v, p->h, places);
    OK(gb_matrix_check((gb_Matrix *)(void *)p->h));
}

static void free_pair(Pair *p) {
    gbl_Vector_free(&p->v);
    gbl_Vector_free(&p->h);
}

static const double densities[] = {0, 0.1, 0.5, 1};

GB_TEST(hyper_update, steps_of_updates) {
    const gbl_BinaryOp ops[] = {GBL_MIN_INT64, GBL_PLUS_INT64, GBL_SECOND_INT64, GBL_FIRST_INT64};
    for (uint64_t seed = 0; seed < 128; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter places = t_scatter(&r, SIDE, TOP);
        const gbl_BinaryOp op = ops[seed % 4];
        Pair w = pair(&r, &places, densities[seed / 4 % 4]), changed = pair(&r, &places, 0.3);
        t_case("seed %llu", (unsigned long long)seed);
        for (int step = 0; step < STEPS; step++) { /* w gets indices that it never had */
            Pair u = pair(&r, &places, densities[(seed / 16 + (uint64_t)step) % 4]);
            const Pair *out = step == 1 ? &u : &changed;
            OK(gbl_Vector_update(w.v, out->v, op, u.v, NULL));
            OK(gbl_Vector_update(w.h, out->h, op, u.h, NULL));
            expect(&w, &places);
            expect(&u, &places);
            expect(&changed, &places);
            free_pair(&u);
        }
        free_pair(&w);
        free_pair(&changed);
    }
}

/* Searches: u becomes what has changed until nothing does. */
GB_TEST(hyper_update, searches) {
    const gbl_Semiring rings[] = {GBL_MIN_PLUS_SEMIRING_INT64, GBL_MAX_FIRST_SEMIRING_INT64,
                                  GBL_ANY_SECONDI_SEMIRING_INT64, GBL_MIN_FIRSTJ_SEMIRING_INT64};
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_METHOD_PUSH, GBL_METHOD_PULL};
    int explained = 0;
    for (uint64_t seed = 0; seed < 96; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter places = t_scatter(&r, SIDE, TOP);
        t_Twins A = t_twins(&r, &places, &places, 0.08);
        Pair w = pair(&r, &places, 0.1 * (double)(seed / 24)), u = pair(&r, &places, 0.1);
        gbl_Descriptor desc = NULL;
        const bool by_index = seed % 4 >= 2; /* values are indices, of which the twin has others */
        OK(gbl_Descriptor_new(&desc));
        if (seed / 4 % 2) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
        OK(gbl_Descriptor_set_INT32(desc, (int32_t)methods[seed / 8 % 3], GBL_METHOD));
        t_case("seed %llu", (unsigned long long)seed);
        for (int step = 0; step < STEPS; step++) {
            OK(gbl_vxm_update(w.v, u.v, rings[seed % 4], u.v, A.A, desc));
            OK(gbl_vxm_update(w.h, u.h, rings[seed % 4], u.h, A.H, desc));
            if (by_index) break;
            expect(&w, &places);
            expect(&u, &places);
        }
        OK(gb_matrix_check((gb_Matrix *)(void *)w.h));
        gbl_Index n[2], nu[2];
        OK(gbl_Vector_nvals(&n[0], w.v));
        OK(gbl_Vector_nvals(&n[1], w.h));
        OK(gbl_Vector_nvals(&nu[0], u.v));
        OK(gbl_Vector_nvals(&nu[1], u.h));
        CHECK_EQ(n[0], n[1]);
        if (seed % 4 == 2) CHECK_EQ(nu[0], nu[1]);
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        OK(gbl_Vector_explain(&why, u.h));
        if (why.chosen >= 0) CHECK_EQ(why.ncols, TOP); /* else there was nothing to compute */
        explained += why.chosen >= 0;
        gbl_Descriptor_free(&desc);
        t_twins_free(&A);
        free_pair(&w);
        free_pair(&u);
    }
    CHECK(explained > 0 || t_samples());
}

/* -- roots */

/* The same values, which are places, at the same places of both; returns how many. I, X: those of w
 * and of wh. */
static gbl_Index expect_twins(gbl_Vector w, gbl_Vector wh, const t_Scatter *places,
                              gbl_Index I[2][SIDE], uint64_t X[2][SIDE]) {
    gbl_Index n[2] = {SIDE, SIDE};
    OK(gb_matrix_check((gb_Matrix *)(void *)wh));
    OK(gbl_Vector_extractTuples_UINT64(I[0], X[0], &n[0], w));
    OK(gbl_Vector_extractTuples_UINT64(I[1], X[1], &n[1], wh));
    CHECK_EQ(n[0], n[1]);
    for (gbl_Index k = 0; k < n[0]; k++) {
        CHECK_EQ(places->at[I[0][k]], I[1][k]);
        CHECK_EQ(places->at[X[0][k]], X[1][k]);
    }
    return n[0];
}

/* w = the ends of chains of both; links go to indices below or, where `up`, above. */
static void check_roots(uint64_t seed) {
    t_Random r = t_random(seed);
    const t_Scatter places = t_scatter(&r, SIDE, TOP);
    const bool up = seed % 2;
    gbl_Vector u = NULL, h = NULL, w = NULL, wh = NULL;
    OK(gbl_Vector_new(&u, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&w, GBL_UINT64, SIDE));
    OK(gbl_Vector_new(&h, GBL_INT64, TOP));
    OK(gbl_Vector_new(&wh, GBL_UINT64, TOP));
    for (gbl_Index k = 0; k < SIDE; k++) {
        if (t_chance(&r, 0.2)) continue;
        const gbl_Index to = up ? k + t_below(&r, SIDE - k) : t_below(&r, k + 1);
        OK(gbl_Vector_setElement_INT64(u, (int64_t)to, k));
        OK(gbl_Vector_setElement_INT64(h, (int64_t)places.at[to], places.at[k]));
    }
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL));
    OK(gbl_Vector_roots(wh, NULL, NULL, h, NULL));
    gbl_Index I[2][SIDE];
    uint64_t X[2][SIDE];
    const gbl_Index n = expect_twins(w, wh, &places, I, X);
    OK(gbl_Vector_roots(h, NULL, GBL_PLUS_INT64, h, NULL)); /* itself, added */
    for (gbl_Index k = 0; k < n; k++) {
        int64_t x = 0;
        OK(gbl_Vector_extractElement_INT64(&x, h, I[1][k]));
        int64_t link = 0;
        OK(gbl_Vector_extractElement_INT64(&link, u, I[0][k]));
        CHECK_EQ(x, places.at[link] + X[1][k]);
    }
    gbl_Vector *all[] = {&u, &h, &w, &wh};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
}

GB_TEST(hyper_update, roots) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        if (t_left_out()) continue;
        t_case("seed %llu", (unsigned long long)seed);
        check_roots(seed);
    }
}

/* -- join */

/* The same trees joined along the same edges, of both. Values of w may be on no other axis. */
static void check_join(uint64_t seed) {
    t_Random r = t_random(seed);
    const t_Scatter places = t_scatter(&r, SIDE, TOP);
    gbl_Vector w = NULL, wh = NULL, m = NULL, mh = NULL;
    gbl_Matrix A = NULL, H = NULL;
    gbl_Descriptor const desc = seed % 4 == 0 ? GBL_DESC_SC : seed % 4 == 1 ? GBL_DESC_S : NULL;
    OK(gbl_Vector_new(&w, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&wh, GBL_INT64, TOP));
    OK(gbl_Vector_new(&m, GBL_BOOL, SIDE));
    OK(gbl_Vector_new(&mh, GBL_BOOL, TOP));
    OK(gbl_Matrix_new(&A, GBL_BOOL, SIDE, SIDE));
    OK(gbl_Matrix_new(&H, GBL_BOOL, TOP, TOP));
    for (gbl_Index k = 0; k < SIDE; k++) {
        const gbl_Index from = t_below(&r, SIDE), to = t_below(&r, SIDE), up = t_below(&r, k + 1);
        OK(gbl_Matrix_setElement_BOOL(A, true, from, to));
        OK(gbl_Matrix_setElement_BOOL(H, true, places.at[from], places.at[to]));
        if (t_chance(&r, 0.5)) {
            OK(gbl_Vector_setElement_BOOL(m, to % 2 > 0, to));
            OK(gbl_Vector_setElement_BOOL(mh, to % 2 > 0, places.at[to]));
        }
        if (t_chance(&r, 0.7)) continue;
        OK(gbl_Vector_setElement_UINT64(w, up, k));
        OK(gbl_Vector_setElement_UINT64(wh, places.at[up], places.at[k]));
    }
    for (gbl_Index first = 0; first < 3; first++) {
        gbl_Index I[2][SIDE];
        uint64_t X[2][SIDE];
        const bool masked = seed % 2 == 0 || first == 1;
        OK(gbl_Vector_join(w, masked ? m : NULL, A, first, 1, masked ? desc : GBL_DESC_T0));
        OK(gbl_Vector_join(wh, masked ? mh : NULL, H, first, 1, masked ? desc : GBL_DESC_T0));
        expect_twins(w, wh, &places, I, X);
    }
    gbl_Vector *all[] = {&w, &wh, &m, &mh};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&H));
}

GB_TEST(hyper_update, join) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        if (t_left_out()) continue;
        t_case("seed %llu", (unsigned long long)seed);
        check_join(seed);
    }
}

GB_TEST(hyper_update, join_that_is_refused) {
    gbl_Vector w = NULL, narrow = NULL;
    gbl_Matrix H = NULL;
    const char *text = NULL;
    uint64_t x[2] = {0, 0};
    OK(gbl_Vector_new(&w, GBL_UINT64, TOP));
    OK(gbl_Vector_new(&narrow, GBL_UINT32, TOP));
    OK(gbl_Matrix_new(&H, GBL_BOOL, TOP, TOP));
    OK(gbl_Matrix_setElement_BOOL(H, true, 7, TOP - 9));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_join(narrow, NULL, H, 0, 1, NULL));
    CHECK(strstr(gbl_last_error(), "UINT64") != NULL);
    OK(gbl_Vector_join(w, NULL, H, 1, 1, NULL)); /* nothing at all */
    OK(gbl_Vector_setElement_UINT64(w, TOP, TOP - 9));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_join(w, NULL, H, 0, 1, NULL));
    OK(gbl_Vector_setElement_UINT64(w, TOP - 1, TOP - 9));
    OK(gbl_Vector_setElement_UINT64(w, TOP - 9, TOP - 1));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_join(w, NULL, H, 0, 1, NULL));
    OK(gbl_Vector_error(&text, w));
    CHECK(strstr(text, "w that begins at 1152921504606846966 ") != NULL); /* the true index */
    OK(gbl_Vector_extractElement_UINT64(&x[0], w, TOP - 9));              /* as they were */
    OK(gbl_Vector_extractElement_UINT64(&x[1], w, TOP - 1));
    CHECK_EQ(x[0], TOP - 1);
    CHECK_EQ(x[1], TOP - 9);
    FAILS(GBL_NO_VALUE, gbl_Vector_extractElement_UINT64(&x[0], w, 7));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&narrow));
    OK(gbl_Matrix_free(&H));
}

GB_TEST(hyper_update, roots_that_are_none) {
    gbl_Vector u = NULL, w = NULL;
    const char *text = NULL;
    OK(gbl_Vector_new(&u, GBL_UINT64, TOP));
    OK(gbl_Vector_new(&w, GBL_UINT64, TOP));
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL)); /* none at all */
    OK(gbl_Vector_setElement_UINT64(u, TOP - 9, TOP - 1));
    OK(gbl_Vector_setElement_UINT64(u, TOP - 1, TOP - 9));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_roots(w, NULL, NULL, u, NULL));
    OK(gbl_Vector_error(&text, w));
    CHECK(strstr(text, "1152921504606846966") != NULL); /* the true index */
    OK(gbl_Vector_setElement_UINT64(u, TOP, TOP - 9));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_roots(w, NULL, NULL, u, NULL));
    gbl_Index n = 1;
    OK(gbl_Vector_nvals(&n, w));
    CHECK_EQ(n, 0);
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
}
