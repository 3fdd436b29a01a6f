/* SPDX-License-Identifier: Apache-2.0
 *
 * Huge dimensions: updates that report what they have changed, products with them, roots and trees
 * joined; against their small twins. Matrices of ordinary dimensions with so few entries that they
 * are hypersparse: what makes them, what is done in place, and what converts them.
 */
#include "support/huge.h"

#include "matrix/check.h"
#include "matrix/matrix.h"

#include <stdlib.h>
#include <string.h>

#define TOP (GBL_INDEX_MAX + 1)

enum { SIDE = 20, STEPS = 3 };

static void expect(const t_TwinVectors *p, const t_Scatter *places) {
    t_expect_twin_vector(p->v, p->h, places);
    OK(gb_matrix_check((gb_Matrix *)(void *)p->h));
}

static const double densities[] = {0, 0.1, 0.5, 1};

GB_TEST(hyper_update, steps_of_updates) {
    const gbl_BinaryOp ops[] = {GBL_MIN_INT64, GBL_PLUS_INT64, GBL_SECOND_INT64, GBL_FIRST_INT64};
    for (uint64_t seed = 0; seed < 128; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter places = t_scatter(&r, SIDE, TOP);
        const gbl_BinaryOp op = ops[seed % 4];
        t_TwinVectors w = t_twin_vectors(&r, &places, densities[seed / 4 % 4]),
                      changed = t_twin_vectors(&r, &places, 0.3);
        t_case("seed %llu", (unsigned long long)seed);
        for (int step = 0; step < STEPS; step++) { /* w gets indices that it never had */
            t_TwinVectors u =
                t_twin_vectors(&r, &places, densities[(seed / 16 + (uint64_t)step) % 4]);
            const t_TwinVectors *out = step == 1 ? &u : &changed;
            OK(gbl_Vector_update(w.v, out->v, op, u.v, NULL));
            OK(gbl_Vector_update(w.h, out->h, op, u.h, NULL));
            expect(&w, &places);
            expect(&u, &places);
            expect(&changed, &places);
            t_twin_vectors_free(&u);
        }
        t_twin_vectors_free(&w);
        t_twin_vectors_free(&changed);
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
        t_TwinVectors w = t_twin_vectors(&r, &places, 0.1 * (double)(seed / 24)),
                      u = t_twin_vectors(&r, &places, 0.1);
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
        t_twin_vectors_free(&w);
        t_twin_vectors_free(&u);
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
    gbl_Vector u = t_new_vector(GBL_INT64, SIDE), w = t_new_vector(GBL_UINT64, SIDE);
    gbl_Vector h = t_new_vector(GBL_INT64, TOP), wh = t_new_vector(GBL_UINT64, TOP);
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
    gbl_Descriptor const desc = seed % 4 == 0 ? GBL_DESC_SC : seed % 4 == 1 ? GBL_DESC_S : NULL;
    gbl_Vector w = t_new_vector(GBL_INT64, SIDE), wh = t_new_vector(GBL_INT64, TOP);
    gbl_Vector m = t_new_vector(GBL_BOOL, SIDE), mh = t_new_vector(GBL_BOOL, TOP);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, SIDE, SIDE), H = t_new_matrix(GBL_BOOL, TOP, TOP);
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
    FREE(A, H);
}

GB_TEST(hyper_update, join) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        if (t_left_out()) continue;
        t_case("seed %llu", (unsigned long long)seed);
        check_join(seed);
    }
}

GB_TEST(hyper_update, join_that_is_refused) {
    const char *text = NULL;
    uint64_t x[2] = {0, 0};
    gbl_Vector w = t_new_vector(GBL_UINT64, TOP), narrow = t_new_vector(GBL_UINT32, TOP);
    gbl_Matrix H = t_new_matrix(GBL_BOOL, TOP, TOP);
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
    CHECK(strstr(text, "w that begins at 1152921504606846967 ") != NULL); /* the true index */
    OK(gbl_Vector_extractElement_UINT64(&x[0], w, TOP - 9));              /* as they were */
    OK(gbl_Vector_extractElement_UINT64(&x[1], w, TOP - 1));
    CHECK_EQ(x[0], TOP - 1);
    CHECK_EQ(x[1], TOP - 9);
    FAILS(GBL_NO_VALUE, gbl_Vector_extractElement_UINT64(&x[0], w, 7));
    FREE(w, narrow, H);
}

GB_TEST(hyper_update, roots_that_are_none) {
    const char *text = NULL;
    gbl_Vector u = t_new_vector(GBL_UINT64, TOP), w = t_new_vector(GBL_UINT64, TOP);
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL)); /* none at all */
    OK(gbl_Vector_setElement_UINT64(u, TOP - 9, TOP - 1));
    OK(gbl_Vector_setElement_UINT64(u, TOP - 1, TOP - 9));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_roots(w, NULL, NULL, u, NULL));
    OK(gbl_Vector_error(&text, w));
    CHECK(strstr(text, "1152921504606846967") != NULL); /* the true index */
    OK(gbl_Vector_setElement_UINT64(u, TOP, TOP - 9));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_roots(w, NULL, NULL, u, NULL));
    CHECK_EQ(t_nvals_vector(w), 0);
    FREE(u, w);
}

/* ---------------------------------------------------------------------- ordinary dimensions -- */

enum { FACTOR = 60000, SMALL = 100000 }; /* bytes: no array has an element per row */
static const gbl_Index N = (gbl_Index)FACTOR * FACTOR;
#define RING GBL_PLUS_TIMES_SEMIRING_FP64

static gbl_Matrix of_one(gbl_Index nrows, gbl_Index ncols, gbl_Index i, gbl_Index j) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, nrows, ncols);
    OK(gbl_Matrix_setElement_FP64(A, 2, i, j));
    return A;
}

static uint64_t bytes_of(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats.bytes;
}

/* One entry, and no memory for rows without any. */
static void expect_one(gbl_Matrix C, gbl_Index i, gbl_Index j, double expected) {
    double x = 0;
    CHECK_EQ(t_nvals(C), 1);
    OK(gbl_Matrix_extractElement_FP64(&x, C, i, j));
    CHECK(x == expected);
    CHECK(bytes_of(C) < SMALL);
    OK(gb_matrix_check((gb_Matrix *)(void *)C));
    OK(gbl_Matrix_clear(C));
}

/* -- results in an empty matrix of ordinary operands */

GB_TEST(hyper_need, results) {
    const gbl_Index I = 77;
    gbl_Matrix A = of_one(FACTOR, FACTOR, 5, 7), B = of_one(1, 1, 0, 0), C;
    gbl_Matrix u = of_one(N, 1, 9, 0), v = of_one(1, N, 0, N - 1);
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
    OK(gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, A, NULL));
    expect_one(C, 5 * FACTOR + 5, 7 * FACTOR + 7, 4);
    OK(gbl_Matrix_assign(C, NULL, NULL, B, &I, 1, &I, 1, NULL));
    expect_one(C, I, I, 2);
    OK(gbl_Matrix_assign_FP64(C, NULL, NULL, 3, &I, 1, &I, 1, NULL));
    expect_one(C, I, I, 3);
    OK(gbl_mxm(C, NULL, NULL, RING, u, v, NULL));
    expect_one(C, 9, N - 1, 4);
    gbl_Vector w = t_new_vector(GBL_FP64, N);
    OK(gbl_Vector_setElement_FP64(w, 1, 9));
    OK(gbl_Col_assign(C, NULL, NULL, w, GBL_ALL, N, 3, NULL));
    expect_one(C, 9, 3, 1);
    OK(gbl_Matrix_resize(A, N, N));
    expect_one(A, 5, 7, 2);
    gbl_Vector_free(&w);
    gbl_Matrix *matrices[] = {&A, &B, &C, &u, &v};
    for (size_t k = 0; k < T_COUNT(matrices); k++) gbl_Matrix_free(matrices[k]);
}

/* -- a value for all columns of one row: as in a matrix that is held otherwise */

GB_TEST(hyper_need, value_for_all) {
    const gbl_Index n = 3000000, five = 5;
    gbl_Matrix A, B = of_one(n, n, 1, 1);
    OK(gbl_Matrix_new(&A, GBL_FP64, n, n));
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 4, &five, 1, GBL_ALL, n, NULL));
    CHECK_EQ(t_nvals(A), n);
    OK(gbl_Matrix_assign_FP64(B, NULL, NULL, 4, &five, 1, GBL_ALL, n, NULL));
    CHECK_EQ(t_nvals(B), n + 1);
    OK(gb_matrix_check((gb_Matrix *)(void *)B));
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

/* -- explanations */

GB_TEST(hyper_need, explained) {
    gbl_Matrix A = of_one(N, N - 1, 3, 4), B = of_one(N - 1, N - 2, 4, 6), C;
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N - 2));
    OK(gbl_mxm(C, NULL, NULL, RING, A, B, NULL));
    gbl_Explanation why = t_explain(C);
    CHECK(why.nrows == N && why.inner == N - 1 && why.ncols == N - 2);
    /* a product without entries, in place of some */
    OK(gbl_Matrix_removeElement(B, 4, 6));
    OK(gbl_Matrix_setElement_FP64(B, 1, 5, 6));
    OK(gbl_mxm(C, NULL, NULL, RING, A, B, NULL));
    OK(gbl_Matrix_explain(&why, C));
    OK(gbl_Matrix_setElement_FP64(C, 1, 3, 4));
    OK(gbl_mxm(C, C, NULL, RING, A, B, GBL_DESC_S));
    OK(gbl_Matrix_explain(&why, C));
    gbl_Vector u = t_new_vector(GBL_FP64, N - 1), w = t_new_vector(GBL_FP64, N);
    OK(gbl_Vector_setElement_FP64(u, 1, 4));
    OK(gbl_mxv(w, NULL, NULL, RING, A, u, NULL));
    OK(gbl_Vector_explain(&why, w));
    CHECK(why.nrows == N && why.inner == N - 1 && why.ncols == 1);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
    gbl_Matrix *matrices[] = {&A, &B, &C};
    for (size_t k = 0; k < T_COUNT(matrices); k++) gbl_Matrix_free(matrices[k]);
}

/* -- a value of an entry that exists is written at once */

GB_TEST(hyper_need, overwritten) {
    const gbl_Index sizes[] = {N, GBL_INDEX_MAX};
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        gbl_Matrix A = of_one(sizes[s], sizes[s], 8, 9);
        gbl_Formats formats;
        gbl_Format hint;
        double x;
        OK(gbl_Matrix_setElement_FP64(A, 3, 9, 8));
        OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
        OK(gbl_Matrix_setElement_FP64(A, 5, 8, 9));
        OK(gbl_Matrix_formats(&formats, A));
        CHECK_EQ(formats.pending, 0);
        OK(gbl_Matrix_extractElement_FP64(&x, A, 8, 9));
        CHECK(x == 5);
        OK(gbl_Matrix_setElement_FP64(A, 6, 8, 8)); /* on the axes, without an entry */
        OK(gbl_Matrix_removeElement(A, 8, 9));
        OK(gbl_Matrix_formats(&formats, A));
        CHECK_EQ(formats.pending, 2);
        OK(gbl_Matrix_extractElement_FP64(&x, A, 8, 8));
        CHECK(x == 6);
        CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, A, 8, 9), GBL_NO_VALUE);
        OK(gbl_Matrix_exportHint(&hint, A));
        CHECK_EQ(hint, GBL_COO_FORMAT);
        OK(gb_matrix_check((gb_Matrix *)(void *)A));
        gbl_Matrix_free(&A);
    }
}

/* -- bytes: few rows with entries of very many */

GB_TEST(hyper_need, bytes) {
    for (int turned = 0; turned < 2; turned++) {
        gbl_Matrix A = of_one(N, N - 1, N - 1, 70), back;
        gbl_Index size;
        if (turned) OK(gbl_Matrix_resize(A, N, N));
        if (turned) OK(gbl_transpose(A, NULL, NULL, A, NULL));
        OK(gbl_Matrix_serializeSize(&size, A));
        void *block = malloc(size);
        OK(gbl_Matrix_serialize(block, &size, A));
        OK(gbl_Matrix_deserialize(&back, GBL_FP64, block, size));
        expect_one(back, turned ? 70 : N - 1, turned ? N - 1 : 70, 2);
        free(block);
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&back);
    }
}

/* -- vectors with an entry at most places */

GB_TEST(hyper_need, filled_vectors) {
    enum { ROWS = 5000 };
    gbl_Matrix A = of_one(ROWS, ROWS, 8, 9);
    double x;
    gbl_Vector u = t_new_vector(GBL_FP64, ROWS), w = t_new_vector(GBL_FP64, ROWS);
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 3, GBL_ALL, ROWS, NULL));
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 1, GBL_ALL, ROWS, NULL));
    OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, RING, A, u, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 8));
    CHECK(x == 7);
    OK(gbl_Matrix_reduce_Monoid(w, NULL, GBL_PLUS_FP64, GBL_PLUS_MONOID_FP64, A, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 8));
    CHECK(x == 9);
    OK(gbl_Vector_extractElement_FP64(&x, w, 7));
    CHECK(x == 1);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
    gbl_Matrix_free(&A);
}

/* -- huge dimensions where there would be pointers */

GB_TEST(hyper_need, refusals) {
    const gbl_Index huge = GBL_INDEX_MAX;
    gbl_Matrix A = of_one(huge, huge, 3, 4), C = NULL;
    uint64_t pointers[2] = {0, 0};
    gbl_Arrays arrays = {.p = pointers};
    gbl_Index places[2] = {0, 0}, i = 0;
    double x = 0;
    FAILS(GBL_NOT_IMPLEMENTED,
          gbl_Matrix_moveIn(&C, GBL_FP64, huge, huge, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NOT_IMPLEMENTED,
          gbl_Matrix_lend(&C, GBL_FP64, huge, huge, GBL_CSC_FORMAT, &arrays, NULL));
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_import_FP64(&C, GBL_FP64, huge, huge, places, &i, &x, 2, 0,
                                                    0, GBL_CSR_FORMAT));
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
}
