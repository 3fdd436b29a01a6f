/* SPDX-License-Identifier: Apache-2.0
 *
 * Strips that a matrix keeps for products with full vectors: when they are made and dropped, and
 * that nothing of it can be seen in a result. Expected are the bits of a push by a copy of the
 * matrix, which has no strips, and, where the product is accumulated, of a pass of its own.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

#include "core/tune.h"

enum { ROWS = GB_STRIP_WINDOW + 403, COLUMNS = 300, LONG = 250, TURNS = GB_STRIPS_WORTH + 1 };

/* Values whose sums round, in any type. */
static double value(t_Random *r) {
    return (t_chance(r, 0.4) ? -1 : 1) * (double)(1 + t_below(r, 1 << 20)) / 4096;
}

/* Short rows, among them a long one here and there, two of only -0, and `empty` ones. */
static gbl_Matrix new_matrix(gbl_Type type, bool empty, bool iso) {
    t_Random r = t_random(3);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, type, ROWS, COLUMNS));
    for (gbl_Index i = 0; i < ROWS; i++) {
        const gbl_Index length = empty && i % 7 == 3 ? 0 : i % 64 == 5 ? LONG : 1 + t_below(&r, 12);
        const gbl_Index first = t_below(&r, COLUMNS);
        for (gbl_Index k = 0; k < length; k++)
            OK(gbl_Matrix_setElement_FP64(A, i == 8 || i == 1001 ? -0.0 : value(&r), i,
                                          (first + k * 7) % COLUMNS));
    }
    if (iso) OK(gbl_Matrix_assign_FP64(A, A, NULL, 3, GBL_ALL, ROWS, GBL_ALL, COLUMNS, GBL_DESC_S));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Vector new_vector(gbl_Type type, gbl_Index n, uint64_t seed, double density) {
    t_Random r = t_random(seed);
    gbl_Vector u = NULL;
    OK(gbl_Vector_new(&u, type, n));
    for (gbl_Index k = 0; k < n; k++)
        if (density == 1 || t_chance(&r, density)) OK(gbl_Vector_setElement_FP64(u, value(&r), k));
    OK(gbl_Vector_wait(u, GBL_MATERIALIZE));
    return u;
}

static gbl_Vector copy_of(gbl_Vector u) {
    gbl_Vector copy = NULL;
    OK(gbl_Vector_dup(&copy, u));
    return copy;
}

static void expect_bits(gbl_Vector expected, gbl_Vector w) {
    static gbl_Index at[2][ROWS];
    static double x[2][ROWS];
    static int64_t whole[2][ROWS];
    gbl_Vector of[2] = {expected, w};
    gbl_Index n[2];
    for (int k = 0; k < 2; k++) {
        n[k] = ROWS;
        OK(gbl_Vector_extractTuples_FP64(at[k], x[k], &n[k], of[k]));
        OK(gbl_Vector_extractTuples_INT64(NULL, whole[k], &n[k], of[k]));
    }
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(at[0], at[1], n[0] * sizeof **at) == 0);
    CHECK(memcmp(x[0], x[1], n[0] * sizeof **x) == 0);
    CHECK(memcmp(whole[0], whole[1], n[0] * sizeof **whole) == 0);
}

static bool by_strips(gbl_Vector w) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&why, w));
    return strcmp(why.workflow, "strips") == 0;
}

/* ------------------------------------------------------------------------------------ results --
 */

typedef struct {
    const char *name;
    gbl_Type type;
    gbl_Semiring times, second;
    gbl_BinaryOp plus, minus;
} ring_of;

/* What w is before: nothing, and where it accumulates: all there, one value, some. */
typedef enum { FRESH, FULL, ISO, GAPS, BY_MINUS, STARTS } start;

static gbl_Vector new_start(const ring_of *of, start s) {
    gbl_Vector w = new_vector(of->type, ROWS, 11, s == GAPS ? 0.5 : s == FRESH ? 0.0 : 1.0);
    if (s == ISO) OK(gbl_Vector_assign_FP64(w, NULL, NULL, 0.7, GBL_ALL, ROWS, NULL));
    return w;
}

static gbl_BinaryOp accum_of(const ring_of *of, start s) {
    return s == FRESH ? NULL : s == BY_MINUS ? of->minus : of->plus;
}

/* w accum= A * u, once as it comes, once by a push of a copy. */
static void compare(const ring_of *of, gbl_Semiring semiring, gbl_Matrix A, uint64_t seed,
                    start s) {
    gbl_Descriptor push = t_descriptor(&(t_Flags){.method = GBL_METHOD_PUSH});
    gbl_Vector u = new_vector(of->type, COLUMNS, seed, 1), w = new_start(of, s);
    gbl_Vector expected = copy_of(w), product = NULL;
    gbl_Matrix copy = NULL;
    OK(gbl_Matrix_dup(&copy, A));
    OK(gbl_Vector_new(&product, of->type, ROWS));
    OK(gbl_mxv(product, NULL, NULL, semiring, copy, u, push));
    if (s == FRESH)
        OK(gbl_Vector_assign(expected, NULL, NULL, product, GBL_ALL, ROWS, NULL));
    else
        OK(gbl_Vector_eWiseAdd_BinaryOp(expected, NULL, NULL, accum_of(of, s), expected, product,
                                        NULL));
    OK(gbl_mxv(w, NULL, accum_of(of, s), semiring, A, u, NULL));
    expect_bits(expected, w);
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&expected));
    OK(gbl_Vector_free(&product));
    OK(gbl_Matrix_free(&copy));
    OK(gbl_Descriptor_free(&push));
}

static void run_ring(const ring_of *of, bool empty, bool iso) {
    gbl_Matrix A = new_matrix(of->type, empty, iso);
    for (int k = 0; k < TURNS; k++) {
        for (start s = FRESH; s < STARTS; s++) {
            if (t_left_out()) continue;
            t_case("%s, start %d, %s rows, %s, turn %d", of->name, (int)s, empty ? "empty" : "no",
                   iso ? "iso" : "values", k);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + k % 3, GBL_NTHREADS));
            compare(of, of->second, A, (uint64_t)(20 + k), s);
            compare(of, of->times, A, (uint64_t)(30 + k), s);
        }
    }
    OK(gbl_Matrix_free(&A));
}

#define RING(T)                                                                                    \
    {                                                                                              \
#T, GBL_##T, GBL_PLUS_TIMES_SEMIRING_##T, GBL_PLUS_SECOND_SEMIRING_##T, GBL_PLUS_##T,      \
            GBL_MINUS_##T                                                                          \
    }

GB_TEST(mxv_strips, give_the_bits_of_a_push) {
    const ring_of rings[] = {RING(FP64), RING(FP32), RING(INT64), RING(INT32), RING(UINT64)};
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        run_ring(&rings[k], true, false);
        if (k < 2) run_ring(&rings[k], true, true);
        if (k < 2) run_ring(&rings[k], false, false);
    }
}

/* A' from the left, u in the place of w, and what strips leave alone: gaps, masks, casts. */
GB_TEST(mxv_strips, leave_other_calls_alone) {
    gbl_Matrix A = new_matrix(GBL_FP64, true, false), T = NULL;
    gbl_Vector u = new_vector(GBL_FP64, COLUMNS, 5, 1),
               gaps = new_vector(GBL_FP64, COLUMNS, 6, 0.8);
    gbl_Vector w = NULL, x = NULL;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    OK(gbl_Vector_new(&w, GBL_FP64, ROWS));
    OK(gbl_Vector_new(&x, GBL_FP64, ROWS));
    for (int k = 0; k < TURNS; k++) OK(gbl_mxv(w, NULL, NULL, ring, A, u, NULL));
    CHECK(by_strips(w));
    OK(gbl_vxm(x, NULL, NULL, ring, u, A, GBL_DESC_T1));
    CHECK(by_strips(x));
    expect_bits(w, x);
    OK(gbl_vxm(x, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, u, A, GBL_DESC_T1));
    CHECK(!by_strips(x)); /* reads the matrix alone */
    OK(gbl_mxv(x, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, u, NULL));
    CHECK(!by_strips(x));
    OK(gbl_mxv(x, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP32, A, u, NULL));
    CHECK(!by_strips(x));
    OK(gbl_mxv(x, NULL, NULL, ring, A, gaps, NULL));
    CHECK(!by_strips(x));
    OK(gbl_mxv(x, w, NULL, ring, A, u, GBL_DESC_S));
    CHECK(!by_strips(x));
    OK(gbl_Matrix_new(&T, GBL_FP64, ROWS, ROWS));
    OK(gbl_mxm(T, NULL, NULL, ring, A, A, GBL_DESC_T1));
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 1, GBL_ALL, ROWS, NULL));
    OK(gbl_Vector_setElement_FP64(w, 2, 1));
    for (int k = 0; k < TURNS; k++) {
        gbl_Vector before = copy_of(w);
        OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, ring, T, w, NULL));
        OK(gbl_Vector_assign(x, NULL, NULL, before, GBL_ALL, ROWS, NULL));
        OK(gbl_mxv(x, NULL, GBL_PLUS_FP64, ring, T, before, NULL));
        expect_bits(x, w);
        OK(gbl_Vector_free(&before));
    }
    CHECK(by_strips(w));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&T));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&gaps));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&x));
}

/* ---------------------------------------------------------------------------------- keeping -- */

/* Until A is written; then from the start. */
GB_TEST(mxv_strips, are_kept_until_the_matrix_is_written) {
    gbl_Matrix A = new_matrix(GBL_FP32, false, false);
    gbl_Vector u = new_vector(GBL_FP32, COLUMNS, 5, 1), w = NULL;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP32;
    OK(gbl_Vector_new(&w, GBL_FP32, ROWS));
    for (int written = 0; written < 2; written++) {
        for (unsigned k = 1; k <= TURNS; k++) {
            OK(gbl_mxv(w, NULL, NULL, ring, A, u, NULL));
            CHECK_EQ(by_strips(w), k >= GB_STRIPS_WORTH);
        }
        OK(gbl_Matrix_setElement_FP32(A, 1e6f, ROWS - 1, 17));
        OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    }
    float x = 0, of_u = 0;
    for (int k = 0; k < TURNS; k++)
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP32, A, u, NULL));
    OK(gbl_Vector_extractElement_FP32(&x, w, ROWS - 1));
    OK(gbl_Vector_extractElement_FP32(&of_u, u, 17));
    CHECK(x / of_u > 0.9e6f && x / of_u < 1.1e6f);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
}

/* Without memory for strips there are none; without memory for the result w is what it was. */
BRUTAL(strips) {
    gbl_Matrix A = new_matrix(GBL_FP64, true, false);
    gbl_Vector u = new_vector(GBL_FP64, COLUMNS, 5, 1), w = new_vector(GBL_FP64, ROWS, 6, 1);
    gbl_Vector first = copy_of(w), expected = copy_of(w);
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    OK(gbl_mxv(expected, NULL, GBL_PLUS_FP64, ring, A, u, NULL));
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix copy = NULL;
        OK(gbl_Matrix_dup(&copy, A));
        OK(gbl_Vector_assign(w, NULL, NULL, first, GBL_ALL, ROWS, NULL));
        for (unsigned k = 1; k < GB_STRIPS_WORTH; k++)
            OK(gbl_mxv(expected, NULL, NULL, ring, copy, u, NULL));
        OK(gbl_Vector_assign(expected, NULL, NULL, first, GBL_ALL, ROWS, NULL));
        t_fail_at(n);
        const gbl_Info info = gbl_mxv(w, NULL, GBL_PLUS_FP64, ring, copy, u, NULL);
        failed = t_failed();
        t_fail_at(0);
        CHECK(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY));
        if (info != GBL_SUCCESS) {
            expect_bits(first, w);
            OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, ring, copy, u, NULL));
        }
        OK(gbl_mxv(expected, NULL, GBL_PLUS_FP64, ring, A, u, NULL));
        expect_bits(expected, w);
        OK(gbl_Matrix_free(&copy));
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&first));
    OK(gbl_Vector_free(&expected));
}
