/* SPDX-License-Identifier: Apache-2.0
 *
 * The product by panels of rows: against the oracle for every semiring, mask, accumulator and
 * transpose, for user-defined types, and for numbers of rows that leave every kind of last panel;
 * against the row-wise product to the bit, for floats that round, on inputs whose panels are
 * ragged, empty in part, all alike, disjoint, or spread over the whole width, whatever the number
 * of threads, with neighbouring rows and with rows that are grouped.
 */
#include "support/sweeps.h"
#include "support/tuples.h"

#include <gblite_io.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------ against the oracle -- */

/* Rows of A without entries, with all, with one; more rows than a panel and one, or fewer. */
static const t_Shape shapes[] = {
    {17, 33, 18, T_RANDOM, T_RANDOM, 0.2, 0.2, 0.4},
    {33, 40, 27, T_RANDOM, T_FULL, 0.4, 1, 0.1},
    {15, 12, 31, T_FULL, T_RANDOM, 1, 0.3, 0.5},
    {20, 16, 300, T_FULL_ROW, T_RANDOM, 0.1, 0.02, 0.3},
    {18, 27, 70, T_FULL_COLUMN, T_RANDOM, 0, 0.2, 0.3},
    {29, 60, 190, T_EMPTY_ROWS, T_EMPTY_ROWS, 0.3, 0.05, 0.02},
    {100, 9, 12, T_RANDOM, T_RANDOM, 0.3, 0.4, 0.05},
    {1, 48, 1, T_RANDOM, T_FULL, 0.7, 1, 1},
    {40, 35, 50, T_ONE_ROW, T_RANDOM, 1, 0.2, 0.01},
    {16, 33, 17, T_EMPTY, T_FULL, 1, 1, 0.5},
    {32, 32, 32, T_DIAGONAL, T_DIAGONAL, 1, 1, 0.2},
};

static t_ProductCase panel_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = t_mxm_case(name, ring, f);
    of.shape = shapes[shape % T_COUNT(shapes)];
    of.flags.method = GBL_METHOD_PANEL;
    of.flags.workflow = (shape + f) % 2 == 0 ? GBL_DEFAULT : GBL_WORKFLOW_GROUPED;
    return of;
}

GB_TEST(mxm_panel, semirings_0) {
    t_sweep_semirings(panel_case, 0, 2);
}

GB_TEST(mxm_panel, semirings_1) {
    t_sweep_semirings(panel_case, 1, 2);
}

GB_TEST(mxm_panel, every_combination) {
    const t_Ring *rings[T_SAMPLE_RINGS];
    t_sample_rings(rings);
    t_sweep_flags(panel_case, rings, T_SAMPLE_RINGS, 3);
}

/* Every number of rows that leaves another last panel. */
GB_TEST(mxm_panel, heights) {
    const t_Ring *rings[T_SAMPLE_RINGS];
    t_sample_rings(rings);
    for (size_t k = 0; k < T_SAMPLE_RINGS; k++) {
        const o_Ring ring = t_ring(rings[k]);
        for (gbl_Index rows = 1; rows <= 35; rows++) {
            t_ProductCase of = panel_case(rings[k]->name, &ring, 0, rows % 5 == 0 ? 31 : 0);
            of.seed = 3000 * k + rows;
            of.shape = (t_Shape){rows, 9, 40, T_RANDOM, T_RANDOM, 0.3, 0.2, 0.1};
            t_product(&of);
        }
    }
}

GB_TEST(mxm_panel, typecasts_and_aliases) {
    t_sweep_casts(panel_case, 300, (t_Shape){21, 21, 21, T_RANDOM, T_RANDOM, 0.3, 0.3, 0.4});
}

GB_TEST(mxm_panel, user_types) {
    t_sweep_user_types(panel_case, 3);
}

/* ------------------------------------------------------------- against the row-wise product -- */

/* Entry (i, j) is there where has(i, j); values round, some are -0, infinite or NaN where `wild`.
 */
typedef struct {
    const char *name;
    gbl_Index m, n;
    bool (*has)(gbl_Index i, gbl_Index j);
    bool wild;
} maker;

static double value_of(t_Random *r, bool wild) {
    static const double odd[] = {-0.0, 0.0, INFINITY, -INFINITY, NAN};
    if (wild && t_chance(r, 0.05)) return odd[t_below(r, T_COUNT(odd))];
    return (double)(t_next(r) >> 11) * 0x1p-53 - 0.4;
}

static gbl_Matrix make(const maker *of, gbl_Type type) {
    t_Random r = t_random(of->m * 31 + of->n);
    gbl_Matrix A = t_new_matrix(type, of->m, of->n);
    for (gbl_Index i = 0; i < of->m; i++)
        for (gbl_Index j = 0; j < of->n; j++)
            if (of->has(i, j)) OK(gbl_Matrix_setElement_FP64(A, value_of(&r, of->wild), i, j));
    return A;
}

/* The same bits as by rows that are hashed, in any mask, on any number of threads, neighbouring
 * rows or grouped ones; but a NaN is any NaN, since minima and maxima of nothing else are the one
 * that sums rest at. Sums of the dense accumulator begin with 0, and so lose a -0. */
static void compare(const char *name, const t_NamedRing *ring, gbl_Matrix A, gbl_Matrix B) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_VALUED, T_COMP};
    static const struct {
        int32_t threads;
        gbl_Desc_Value workflow;
    } ways[] = {{1, GBL_DEFAULT},
                {2, GBL_WORKFLOW_GROUPED},
                {3, GBL_WORKFLOW_AS_THEY_ARE},
                {1, GBL_WORKFLOW_GROUPED}};
    for (size_t k = 0; k < T_COUNT(masks); k++) {
        if (t_left_out()) continue;
        gbl_Matrix M = k == 0 ? NULL : A;
        gbl_Matrix C = t_mxm(ring->semiring, ring->type, A, B, M,
                             &(t_Flags){.method = GBL_METHOD_ROWWISE,
                                        .mask = masks[k],
                                        .accumulators = GBL_ACCUMULATE_HASH});
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        for (size_t w = 0; w < T_COUNT(ways); w++) {
            t_case("%s, %s, mask %s, way %zu", name, ring->name, t_mask_names[masks[k]], w);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, ways[w].threads, GBL_NTHREADS));
            C = t_mxm(ring->semiring, ring->type, A, B, M,
                      &(t_Flags){.method = GBL_METHOD_PANEL,
                                 .mask = masks[k],
                                 .workflow = ways[w].workflow});
            t_Tuples found = t_tuples_of(C);
            t_same_tuples(&expected, &found, true);
            t_tuples_free(&found);
            OK(gbl_Matrix_free(&C));
        }
        t_tuples_free(&expected);
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
}

static bool all_equal(gbl_Index i, gbl_Index j) {
    return i < 90 && j % 7 == 3;
}
static bool disjoint(gbl_Index i, gbl_Index j) {
    return j / 3 == i;
}
static bool one_long(gbl_Index i, gbl_Index j) {
    return i == 13 || i == j || j == (i * 7) % 90;
}
static bool empty_between(gbl_Index i, gbl_Index j) {
    return i % 3 == 0 && (j + i) % 5 == 0;
}
static bool ends(gbl_Index i, gbl_Index j) {
    return j == 0 || j == 89 || (i % 2 == 0 && j == i / 2);
}
static bool band(gbl_Index i, gbl_Index j) {
    return i <= j + 4 && j <= i + 4;
}

GB_TEST(mxm_panel, adversarial) {
    static const maker makers[] = {
        {"all rows equal", 90, 90, all_equal, false}, {"disjoint rows", 30, 90, disjoint, false},
        {"one long row", 90, 90, one_long, false},    {"empty rows", 90, 90, empty_between, false},
        {"both ends", 90, 90, ends, false},           {"band", 90, 90, band, true},
        {"one long row, odd", 90, 90, one_long, true}};
    const t_NamedRing ring = t_plus_times();
    for (size_t k = 0; k < T_COUNT(makers); k++) {
        gbl_Matrix A = make(&makers[k], GBL_FP64);
        if (makers[k].m == makers[k].n) compare(makers[k].name, &ring, A, A);
        gbl_Matrix T = NULL; /* A' A, and A A' */
        OK(gbl_Matrix_new(&T, GBL_FP64, makers[k].n, makers[k].m));
        OK(gbl_transpose(T, NULL, NULL, A, NULL));
        if (makers[k].m == makers[k].n) compare(makers[k].name, &ring, T, A);
        gbl_Matrix C =
            t_mxm(ring.semiring, ring.type, A, T, NULL,
                  &(t_Flags){.method = GBL_METHOD_ROWWISE, .accumulators = GBL_ACCUMULATE_HASH});
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        C = t_mxm(ring.semiring, ring.type, A, T, NULL, &(t_Flags){.method = GBL_METHOD_PANEL});
        t_expect_tuples(&expected, C);
        t_tuples_free(&expected);
        FREE(C, T, A);
    }
}

/* NaN, infinities and -0 under additions that pass over them, and products that keep a factor. */
GB_TEST(mxm_panel, odd_values) {
    static const maker makers[] = {{"band", 90, 90, band, true},
                                   {"one long row", 90, 90, one_long, true},
                                   {"empty rows", 90, 90, empty_between, true}};
    const t_NamedRing rings[] = {{"MIN_PLUS_FP64", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
                                 {"MIN_PLUS_FP32", GBL_MIN_PLUS_SEMIRING_FP32, GBL_FP32},
                                 {"MAX_MIN_FP64", GBL_MAX_MIN_SEMIRING_FP64, GBL_FP64},
                                 {"MAX_MIN_FP32", GBL_MAX_MIN_SEMIRING_FP32, GBL_FP32},
                                 {"PLUS_FIRST_FP64", GBL_PLUS_FIRST_SEMIRING_FP64, GBL_FP64},
                                 {"PLUS_FIRST_FP32", GBL_PLUS_FIRST_SEMIRING_FP32, GBL_FP32}};
    for (size_t n = 0; n < T_COUNT(rings); n++)
        for (size_t k = 0; k < T_COUNT(makers); k++) {
            gbl_Matrix A = make(&makers[k], rings[n].type);
            compare(makers[k].name, &rings[n], A, A);
            OK(gbl_Matrix_free(&A));
        }
}

/* Rows that are alike in groups of 1 to 7, as those of unknowns of a point, at the right or shifted
 * by one: with a column more than the row before, with one less, with others. */
static bool groups(gbl_Index i, gbl_Index j) {
    const gbl_Index first = i / 7 * 7 + (i % 7 > 3 ? 3 : 0);
    return j >= first && j < first + 24 && j % 3 != 1;
}
static bool stairs(gbl_Index i, gbl_Index j) {
    return j >= i / 2 && j <= i / 2 + 21 + i % 5 * (i % 11);
}
static bool gaps(gbl_Index i, gbl_Index j) {
    return i % 9 != 4 && (j + 2 * i) % 3 != 0 && j >= i && j < i + 40;
}
static bool all_but_one(gbl_Index i, gbl_Index j) {
    return j != (i / 2 * 5) % 120;
}

GB_TEST(mxm_panel, rows_at_once) {
    static const maker makers[] = {{"groups", 120, 120, groups, true},
                                   {"stairs", 120, 120, stairs, true},
                                   {"gaps", 120, 120, gaps, true},
                                   {"all but one", 120, 120, all_but_one, true}};
    const t_NamedRing rings[] = {t_plus_times(),
                                 {"MIN_PLUS_FP32", GBL_MIN_PLUS_SEMIRING_FP32, GBL_FP32},
                                 {"MAX_MIN_FP64", GBL_MAX_MIN_SEMIRING_FP64, GBL_FP64},
                                 {"PLUS_FIRST_FP32", GBL_PLUS_FIRST_SEMIRING_FP32, GBL_FP32}};
    for (size_t n = 0; n < T_COUNT(rings); n++)
        for (size_t k = 0; k < T_COUNT(makers); k++) {
            gbl_Matrix A = make(&makers[k], rings[n].type);
            compare(makers[k].name, &rings[n], A, A);
            OK(gbl_Matrix_free(&A));
        }
}

/* Windows and tables, values streamed past the caches, rows of B longer than a piece. */
GB_TEST(mxm_panel, same_bits) {
    static const char *const specs[] = {"fem:7:1",   "fem:4:3",     "band:900:6", "er:10:6",
                                        "rmat:10:8", "er:16:1",     "rmat:13:4",  "grid:30:40",
                                        "er:8:80",   "band:300:30", "fem:3:6"};
    const t_NamedRing ring = t_plus_times();
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_FP64, specs[k]));
        compare(specs[k], &ring, A, A);
        OK(gbl_Matrix_free(&A));
    }
}

/* A full row and a full column: a row of B longer than a piece, hashed in a wide matrix. */
GB_TEST(mxm_panel, hub) {
    enum { N = 300000, LONG = 1500 };
    const t_NamedRing ring = t_plus_times();
    gbl_Matrix A = t_new_matrix(GBL_FP64, N, N);
    for (gbl_Index k = 0; k < LONG; k++) {
        OK(gbl_Matrix_setElement_FP64(A, 1.0 / (double)(k + 3), 17, k * 59 % N));
        OK(gbl_Matrix_setElement_FP64(A, 0.1 * (double)k, k * 41 % N, 17));
    }
    compare("hub", &ring, A, A);
    OK(gbl_Matrix_free(&A));
}

/* ---------------------------------------------------------------------------- as it is told -- */

GB_TEST(mxm_panel, chosen_and_explained) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_FP64, "fem:16:1"));
    gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = GBL_METHOD_PANEL});
    gbl_Matrix C = t_new_matrix(GBL_FP64, 4096, 4096);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
    const gbl_Explanation why = t_explain(C);
    cr_assert_str_eq(why.method, "panel");
    CHECK(why.forced && why.slices == 1);
    CHECK_EQ(why.rows_dense + why.rows_hashed, 4096);
    FREE(desc, C, A);
}

/* ----------------------------------------------------------------------------------- memory -- */

enum { LARGE = 4000 };

static void add_large(void *z, const void *x, const void *y) {
    const unsigned char *a = x, *b = y;
    for (int k = 0; k < LARGE; k++) ((unsigned char *)z)[k] = (unsigned char)(a[k] + b[k]);
}

static void multiply_large(void *z, const void *x, const void *y) {
    const unsigned char *a = x, *b = y;
    for (int k = 0; k < LARGE; k++) ((unsigned char *)z)[k] = (unsigned char)(a[k] * b[k]);
}

/* Sums of large values: columns far apart do not take a window, which would be 1.9 GB. */
GB_TEST(mxm_panel, large_values) {
    enum { N = 60000, ENTRIES = 4000 };
    static unsigned char value[LARGE];
    gbl_Type type = NULL;
    gbl_BinaryOp add = NULL, multiply_op = NULL;
    gbl_Monoid monoid = NULL;
    gbl_Semiring ring = NULL;
    OK(gbl_Type_new(&type, LARGE));
    OK(gbl_BinaryOp_new(&add, add_large, type, type, type));
    OK(gbl_BinaryOp_new(&multiply_op, multiply_large, type, type, type));
    OK(gbl_Monoid_new_UDT(&monoid, add, value));
    OK(gbl_Semiring_new(&ring, monoid, multiply_op));
    gbl_Matrix A = t_new_matrix(type, 8, 8), B = t_new_matrix(type, 8, N);
    memset(value, 3, sizeof value);
    OK(gbl_Matrix_setElement_UDT(A, value, 0, 0));
    for (gbl_Index j = 0; j < ENTRIES; j++) OK(gbl_Matrix_setElement_UDT(B, value, 0, 15 * j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, INT64_C(600) << 20, GBL_MEMORY_LIMIT));
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_PANEL};
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = methods[k]});
        gbl_Matrix C = t_new_matrix(type, 8, N);
        OK(gbl_mxm(C, NULL, NULL, ring, A, B, desc));
        CHECK_EQ(t_nvals(C), ENTRIES);
        OK(gbl_Matrix_extractElement_UDT(value, C, 0, 15 * (ENTRIES - 1)));
        CHECK(value[0] == 9 && value[LARGE - 1] == 9);
        FREE(desc, C);
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    FREE(A, B, ring, monoid, add, multiply_op, type);
}
