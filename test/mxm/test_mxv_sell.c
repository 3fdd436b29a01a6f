/* SPDX-License-Identifier: Apache-2.0
 *
 * SELL slices that a matrix keeps for products with full vectors: when they are made and dropped,
 * and that no result shows them. Expected are the bits of a push by a copy of the matrix, which has
 * no slices, and, where the product is accumulated, of a pass of its own.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tune.h"
#include "matrix/derived.h"

enum { ROWS = GB_SELL_WINDOW + 403, COLUMNS = 300, LONG = 250, TURNS = GB_SELL_WORTH + 1 };

/* Values whose sums round, in any type. */
static double value(t_Random *r) {
    return (t_chance(r, 0.4) ? -1 : 1) * (double)(1 + t_below(r, 1 << 20)) / 4096;
}

/* Of row i, entry k: in rows of floats that are not finite, else as they come. */
static double element(t_Random *r, gbl_Type type, gbl_Index i, gbl_Index k) {
    const bool floats = type == GBL_FP64 || type == GBL_FP32;
    if (i == 8 || i == 1001) return -0.0;
    if (floats && k == 0 && i == 12) return NAN;
    if (floats && i % 1024 == 20) return k % 2 == 0 ? INFINITY : -INFINITY;
    if (floats && k == 0 && i % 1024 == 21) return -INFINITY;
    return value(r);
}

/* All entries of A become 3, held once. */
static void make_iso(gbl_Matrix A) {
    gbl_Scalar three = NULL;
    gbl_Formats formats;
    gbl_Index n = t_nvals(A);
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    CHECK(I != NULL && J != NULL);
    OK(gbl_Matrix_extractTuples_FP64(I, J, NULL, &n, A));
    OK(gbl_Matrix_clear(A));
    OK(gbl_Scalar_new(&three, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(three, 3));
    OK(gbl_Matrix_build_Scalar(A, I, J, three, n));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.iso);
    OK(gbl_Scalar_free(&three));
    free(I);
    free(J);
}

/* Short rows, among them a long one here and there, two of only -0, and `empty` ones. */
static gbl_Matrix new_matrix(gbl_Type type, bool empty, bool iso) {
    t_Random r = t_random(3);
    gbl_Matrix A = t_new_matrix(type, ROWS, COLUMNS);
    for (gbl_Index i = 0; i < ROWS; i++) {
        const gbl_Index length = empty && i % 7 == 3 ? 0 : i % 64 == 5 ? LONG : 1 + t_below(&r, 12);
        const gbl_Index first = t_below(&r, COLUMNS);
        for (gbl_Index k = 0; k < length; k++)
            OK(gbl_Matrix_setElement_FP64(A, element(&r, type, i, k), i,
                                          (first + k * 7) % COLUMNS));
    }
    if (iso) make_iso(A);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Vector new_vector(gbl_Type type, gbl_Index n, uint64_t seed, double density) {
    t_Random r = t_random(seed);
    gbl_Vector u = t_new_vector(type, n);
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

/* All bits, but those of NaN. */
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
    for (gbl_Index k = 0; k < n[0]; k++)
        for (int v = 0; v < 2; v++)
            if (isnan(x[v][k])) x[v][k] = NAN;
    CHECK(memcmp(x[0], x[1], n[0] * sizeof **x) == 0);
    CHECK(memcmp(whole[0], whole[1], n[0] * sizeof **whole) == 0);
}

static bool by_sell(gbl_Vector w) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&why, w));
    return strcmp(why.workflow, "strips") == 0;
}

/* ---------------------------------------------------------------------------------- results -- */

typedef struct {
    const char *name;
    gbl_Type type;
    gbl_Semiring times, second;
    gbl_BinaryOp plus, minus;
    bool times_sell, second_sell; /* there are kernels */
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

/* Values that meet many rows; every third vector is told to have them. */
static gbl_Vector new_factor(const ring_of *of, uint64_t seed) {
    gbl_Vector u = new_vector(of->type, COLUMNS, seed, 1);
    OK(gbl_Vector_setElement_FP64(u, -0.0, 7));
    if (seed % 3 > 0 || (of->type != GBL_FP64 && of->type != GBL_FP32)) return u;
    OK(gbl_Vector_setElement_FP64(u, INFINITY, 11));
    OK(gbl_Vector_setElement_FP64(u, -INFINITY, 80));
    OK(gbl_Vector_setElement_FP64(u, NAN, 150));
    return u;
}

/* w accum= A * u, once as it comes, by SELL slices or not, once by a push of a copy. */
static void compare(const ring_of *of, gbl_Semiring semiring, gbl_Matrix A, uint64_t seed, start s,
                    bool sell) {
    gbl_Descriptor push = t_descriptor(&(t_Flags){.method = GBL_METHOD_PUSH});
    gbl_Vector u = new_factor(of, seed), w = new_start(of, s);
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
    CHECK_EQ(by_sell(w), sell);
    expect_bits(expected, w);
    FREE(u, w, expected, product, copy, push);
}

/* Strips are made in the first turn that is whole, by so many threads. */
static void run_ring(const ring_of *of, bool empty, bool iso, int threads) {
    gbl_Matrix A = new_matrix(of->type, empty, iso);
    unsigned products = 0;
    for (int k = 0; k < TURNS; k++) {
        for (start s = FRESH; s < STARTS; s++) {
            if (t_left_out()) continue;
            t_case("%s, start %d, %s rows, %s, turn %d", of->name, (int)s, empty ? "empty" : "no",
                   iso ? "iso" : "values", k);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (threads - 1 + k) % 3, GBL_NTHREADS));
            const bool kept = ++products >= GB_SELL_WORTH;
            compare(of, of->second, A, (uint64_t)(20 + k), s, kept && of->second_sell);
            compare(of, of->times, A, (uint64_t)(30 + k), s, kept && of->times_sell && !iso);
        }
    }
    OK(gbl_Matrix_free(&A));
}

#define RING(T, times, second)                                                                     \
    {                                                                                              \
#T, GBL_##T, GBL_PLUS_TIMES_SEMIRING_##T, GBL_PLUS_SECOND_SEMIRING_##T, GBL_PLUS_##T,      \
            GBL_MINUS_##T, times, second                                                           \
    }

GB_TEST(mxv_sell, give_the_bits_of_a_push) {
    const ring_of rings[] = {RING(FP64, true, true), RING(FP32, true, true),
                             RING(INT64, true, false), RING(INT32, false, false),
                             RING(UINT64, true, false)};
    for (int k = 0; k < (int)T_COUNT(rings); k++) {
        run_ring(&rings[k], true, false, 1 + k % 3);
        if (k < 2) run_ring(&rings[k], true, true, 2 + k);
        if (k < 2) run_ring(&rings[k], false, false, 3 - k);
    }
}

/* A' from the left, u in the place of w, and what SELL slices leave alone: gaps, masks, casts. */
GB_TEST(mxv_sell, leave_other_calls_alone) {
    gbl_Matrix A = new_matrix(GBL_FP64, true, false), T = NULL;
    gbl_Vector u = new_vector(GBL_FP64, COLUMNS, 5, 1),
               gaps = new_vector(GBL_FP64, COLUMNS, 6, 0.8);
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_Vector w = t_new_vector(GBL_FP64, ROWS), x = t_new_vector(GBL_FP64, ROWS);
    for (int k = 0; k < TURNS; k++) OK(gbl_mxv(w, NULL, NULL, ring, A, u, NULL));
    CHECK(by_sell(w));
    OK(gbl_vxm(x, NULL, NULL, ring, u, A, GBL_DESC_T1));
    CHECK(by_sell(x));
    expect_bits(w, x);
    OK(gbl_vxm(x, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, u, A, GBL_DESC_T1));
    CHECK(!by_sell(x)); /* reads the matrix alone */
    OK(gbl_mxv(x, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, u, NULL));
    CHECK(!by_sell(x));
    OK(gbl_mxv(x, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP32, A, u, NULL));
    CHECK(!by_sell(x));
    OK(gbl_mxv(x, NULL, NULL, ring, A, gaps, NULL));
    CHECK(!by_sell(x));
    OK(gbl_mxv(x, w, NULL, ring, A, u, GBL_DESC_S));
    CHECK(!by_sell(x));
    OK(gbl_Matrix_dup(&T, A));
    OK(gbl_Matrix_resize(T, ROWS, ROWS));
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
    CHECK(by_sell(w));
    FREE(A, T, u, gaps, w, x);
}

/* ---------------------------------------------------------------------------------- keeping -- */

/* Until A is written; then from the start. */
GB_TEST(mxv_sell, are_kept_until_the_matrix_is_written) {
    gbl_Matrix A = new_matrix(GBL_FP32, false, false);
    gbl_Vector u = new_vector(GBL_FP32, COLUMNS, 5, 1), w = NULL;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP32;
    OK(gbl_Vector_new(&w, GBL_FP32, ROWS));
    for (int written = 0; written < 2; written++) {
        for (unsigned k = 1; k <= TURNS; k++) {
            OK(gbl_mxv(w, NULL, NULL, ring, A, u, NULL));
            CHECK_EQ(by_sell(w), k >= GB_SELL_WORTH);
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
    FREE(A, u, w);
}

/* What a matrix takes for SELL slices after so many products, first without its values, then with,
 * and without again. */
static int64_t bytes_of_sell(gbl_Matrix A, gbl_Vector u, unsigned second, unsigned times,
                             unsigned again) {
    gbl_Matrix copy = NULL;
    int64_t before = 0, after = 0;
    OK(gbl_Matrix_dup(&copy, A));
    gbl_Vector w = t_new_vector(GBL_FP64, ROWS);
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, copy, u, NULL));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_BYTES_IN_USE));
    for (unsigned k = 1; k < second; k++)
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, copy, u, NULL));
    for (unsigned k = 0; k < times; k++)
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, copy, u, NULL));
    CHECK_EQ(by_sell(w), (times > 0 ? times : second) >= GB_SELL_WORTH);
    for (unsigned k = 0; k < again; k++)
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, copy, u, NULL));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_BYTES_IN_USE));
    FREE(w, copy);
    return after - before;
}

/* `width` bytes an entry and 7 a row, once, and 8 an entry for values, whatever came first; values
 * have a node of their own. */
static void expect_bytes(gbl_Matrix A, gbl_Vector u, int64_t width) {
    enum { MORE = 256 }; /* counts of windows */
    const gbl_Index n = t_nvals(A);
    const int64_t entries = (int64_t)n, rows = 7 * ((ROWS + 7) / 8 * 8);
    const int64_t pattern = bytes_of_sell(A, u, TURNS, 0, 0) - bytes_of_sell(A, u, 1, 0, 0);
    const int64_t both = bytes_of_sell(A, u, TURNS, TURNS, 0) - bytes_of_sell(A, u, 1, 0, 0);
    const int64_t node = (int64_t)sizeof(gb_Derived);
    const int64_t least = width * entries + rows, most = least + MORE;
    CHECK(pattern >= least && pattern < most);
    CHECK(both >= least + 8 * entries + node && both < most + 8 * entries + node);
    CHECK_EQ(bytes_of_sell(A, u, 1, TURNS, TURNS), bytes_of_sell(A, u, TURNS, TURNS, 0));
}

/* Columns from 0 to `reach` in the first window of rows, and from `shift` on in the second. */
static gbl_Matrix of_reach(gbl_Index reach, gbl_Index shift) {
    enum { EACH = 9 };
    static gbl_Index p[ROWS + 1], j[ROWS * EACH];
    static double x[ROWS * EACH];
    t_Random r = t_random(reach);
    gbl_Matrix A = NULL;
    for (gbl_Index k = 0; k < ROWS * EACH; k++) {
        const gbl_Index i = k / EACH, part = k % EACH;
        p[i + 1] = k + 1;
        j[k] = (i < GB_SELL_WINDOW ? 0 : shift) + (part == 0 ? 0
                                                   : part == EACH - 1
                                                       ? reach
                                                       : reach / EACH * part + t_below(&r, 9));
        x[k] = value(&r);
    }
    OK(gbl_Matrix_import_FP64(&A, GBL_FP64, ROWS, shift + reach + 1, p, j, x, ROWS + 1, ROWS * EACH,
                              ROWS * EACH, GBL_CSR_FORMAT));
    return A;
}

/* Columns of a window that 2 bytes tell apart, just so and just not; windows far from each other.
 */
GB_TEST(mxv_sell, columns_near_and_far) {
    const ring_of rings[] = {RING(FP64, true, true), RING(FP32, true, true)};
    const gbl_Index shift = 3 * (gbl_Index)GB_SELL_NEAR;
    for (gbl_Index far = 0; far < 2; far++) {
        const gbl_Index reach = GB_SELL_NEAR + far;
        for (size_t k = 0; k < T_COUNT(rings); k++) {
            gbl_Matrix A = of_reach(reach, shift), of_type = NULL;
            gbl_Vector u = new_vector(rings[k].type, shift + reach + 1, 5 + k, 1);
            t_case("%s, columns up to %d", rings[k].name, (int)reach);
            gbl_Vector w = t_new_vector(rings[k].type, ROWS);
            gbl_Vector expected = t_new_vector(rings[k].type, ROWS);
            OK(gbl_Matrix_new(&of_type, rings[k].type, ROWS, shift + reach + 1));
            OK(gbl_Matrix_assign(of_type, NULL, NULL, A, GBL_ALL, ROWS, GBL_ALL, shift + reach + 1,
                                 NULL));
            for (int second = 0; second < 2; second++) {
                const gbl_Semiring ring = second ? rings[k].second : rings[k].times;
                gbl_Matrix copy = NULL;
                OK(gbl_Matrix_dup(&copy, of_type));
                OK(gbl_mxv(expected, NULL, NULL, ring, copy, u, NULL));
                CHECK(!by_sell(expected));
                OK(gbl_Matrix_free(&copy));
                for (int t = 0; t < TURNS; t++) OK(gbl_mxv(w, NULL, NULL, ring, of_type, u, NULL));
                CHECK(by_sell(w));
                expect_bits(expected, w);
            }
            if (k == 0) expect_bytes(of_type, u, far ? 4 : 2);
            FREE(u, w, expected, A, of_type);
        }
    }
}

/* Long rows with values beyond the caches wait longer, and their pattern does not. */
GB_TEST(mxv_sell, of_long_rows_wait) {
    enum { LENGTH = 2 * GB_SELL_LONG, MANY = GB_SELL_LARGE / 12 / LENGTH + GB_SELL_WINDOW };
    gbl_Index *p = malloc((MANY + 1) * sizeof *p), *i = malloc(MANY * LENGTH * sizeof *i);
    double *x = malloc(MANY * LENGTH * sizeof *x);
    CHECK(p != NULL && i != NULL && x != NULL);
    t_Random r = t_random(8);
    for (gbl_Index k = 0; k < MANY * LENGTH; k++) {
        i[k] = k % LENGTH;
        x[k] = value(&r);
    }
    for (gbl_Index k = 0; k <= MANY; k++) p[k] = k * LENGTH;
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_import_FP64(&A, GBL_FP64, MANY, LENGTH, p, i, x, MANY + 1, MANY * LENGTH,
                              MANY * LENGTH, GBL_CSR_FORMAT));
    free(p);
    free(i);
    free(x);
    gbl_Vector u = new_vector(GBL_FP64, LENGTH, 5, 1), w = NULL;
    OK(gbl_Vector_new(&w, GBL_FP64, MANY));
    for (unsigned k = 1; k <= GB_SELL_WORTH_LONG; k++) {
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, A, u, NULL));
        CHECK_EQ(by_sell(w), k >= GB_SELL_WORTH);
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
        CHECK_EQ(by_sell(w), k >= GB_SELL_WORTH_LONG);
    }
    FREE(A, u, w);
}

/* Without memory for SELL slices there are none, and without memory for values there is the
 * pattern, if it was; without memory for the result w is what it was. */
static void fail_while_making(bool patterned) {
    gbl_Matrix A = new_matrix(GBL_FP64, true, false);
    gbl_Vector u = new_vector(GBL_FP64, COLUMNS, 5, 1), w = new_vector(GBL_FP64, ROWS, 6, 1);
    gbl_Vector first = copy_of(w), expected = copy_of(w);
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    OK(gbl_mxv(expected, NULL, GBL_PLUS_FP64, ring, A, u, NULL));
    gbl_Vector sum = copy_of(expected);
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix copy = NULL;
        OK(gbl_Matrix_dup(&copy, A));
        OK(gbl_Vector_assign(w, NULL, NULL, first, GBL_ALL, ROWS, NULL));
        for (unsigned k = 0; patterned && k < GB_SELL_WORTH; k++)
            OK(gbl_mxv(expected, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, copy, u, NULL));
        CHECK(!patterned || by_sell(expected));
        for (unsigned k = 1; k < GB_SELL_WORTH; k++)
            OK(gbl_mxv(expected, NULL, NULL, ring, copy, u, NULL));
        const gbl_Info info =
            FAIL_AT(n, gbl_mxv(w, NULL, GBL_PLUS_FP64, ring, copy, u, NULL), &failed);
        if (info != GBL_SUCCESS) {
            expect_bits(first, w);
            OK(gbl_mxv(w, NULL, GBL_PLUS_FP64, ring, copy, u, NULL));
        }
        expect_bits(sum, w);
        CHECK(failed || by_sell(w));
        OK(gbl_mxv(w, NULL, NULL, ring, copy, u, NULL));
        CHECK(by_sell(w));
        OK(gbl_Matrix_free(&copy));
    }
    FREE(A, u, w, first, expected, sum);
}

BRUTAL(sell) {
    fail_while_making(false);
}

BRUTAL(sell_values) {
    fail_while_making(true);
}
