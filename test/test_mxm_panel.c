/* SPDX-License-Identifier: Apache-2.0
 *
 * The product by panels of rows: against the oracle for every semiring, mask, accumulator and
 * transpose, for user-defined types, and for numbers of rows that leave every kind of last panel;
 * against the row-wise product to the bit, for floats that round, on inputs whose panels are
 * ragged, empty in part, all alike, disjoint, or spread over the whole width, whatever the number
 * of threads.
 */
#include "support/product.h"
#include "support/tuples.h"

#include <gblite_io.h>
#include <math.h>
#include <stdlib.h>
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
    return of;
}

static void every_semiring(size_t first, size_t step) {
    for (size_t k = first; k < t_ring_count; k += step) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned n = 0; n < 2 * T_MASKS; n++) { /* every mask, twice */
            const unsigned f = (unsigned)(25 * n + 6 * k) % T_FLAGS_ALL;
            t_ProductCase of = panel_case(t_rings[k].name, &ring, 5 * k + n, f);
            of.seed = 100 * k + n;
            of.wild = !t_is_float(t_rings[k].type);
            of.a_iso = n % 4 == 1;
            of.b_iso = n % 4 == 3;
            t_product(&of);
        }
    }
}

GB_TEST(mxm_panel, semirings_0) {
    every_semiring(0, 2);
}

GB_TEST(mxm_panel, semirings_1) {
    every_semiring(1, 2);
}

/* One of each length of values, specialised and generic, by position, that stop early. */
static const struct {
    o_Opcode add, multiply;
    gbl_Type_Code type;
} sample[] = {
    {O_PLUS, O_TIMES, GBL_FP64_CODE},   {O_PLUS, O_TIMES, GBL_FP32_CODE},
    {O_LOR, O_LAND, GBL_BOOL_CODE},     {O_MIN, O_PLUS, GBL_INT32_CODE},
    {O_MIN, O_FIRST, GBL_INT64_CODE},   {O_PLUS, O_SECOND, GBL_FP64_CODE},
    {O_PLUS, O_ONEB, GBL_INT32_CODE},   {O_ANY, O_SECONDI, GBL_INT64_CODE},
    {O_MIN, O_SECONDI, GBL_INT64_CODE}, {O_MIN, O_FIRSTJ, GBL_INT32_CODE},
    {O_PLUS, O_TIMES, GBL_UINT16_CODE}, {O_MAX, O_MIN, GBL_FP64_CODE},
};

GB_TEST(mxm_panel, every_combination) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++)
        for (size_t k = f % 3; k < T_COUNT(sample); k += 3) {
            const t_Ring *entry = t_find_ring(sample[k].add, sample[k].multiply, sample[k].type);
            const o_Ring ring = t_ring(entry);
            t_ProductCase of = panel_case(entry->name, &ring, f / 6 + k, f);
            of.seed = 20000 + 10 * f + k;
            t_product(&of);
            of.shape.dc = f % 2 ? 1 : 0; /* masks that are full, or empty */
            t_product(&of);
        }
}

/* Every number of rows that leaves another last panel. */
GB_TEST(mxm_panel, heights) {
    for (size_t k = 0; k < T_COUNT(sample); k++) {
        const t_Ring *entry = t_find_ring(sample[k].add, sample[k].multiply, sample[k].type);
        const o_Ring ring = t_ring(entry);
        for (gbl_Index rows = 1; rows <= 35; rows++) {
            t_ProductCase of = panel_case(entry->name, &ring, 0, rows % 5 == 0 ? 31 : 0);
            of.seed = 3000 * k + rows;
            of.shape = (t_Shape){rows, 9, 40, T_RANDOM, T_RANDOM, 0.3, 0.2, 0.1};
            t_product(&of);
        }
    }
}

GB_TEST(mxm_panel, typecasts_and_aliases) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        t_Random r = t_random(seed + 4711);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        t_ProductCase of = panel_case(entry->name, &ring, seed, (unsigned)t_next(&r) % T_FLAGS_ALL);
        of.seed = seed;
        t_mix_types(&of, &r, entry, (t_Shape){21, 21, 21, T_RANDOM, T_RANDOM, 0.3, 0.3, 0.4});
        t_product(&of);
    }
}

GB_TEST(mxm_panel, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++)
        for (unsigned f = 0; f < T_FLAGS_ALL; f += 3) {
            t_ProductCase of = panel_case(u == 0 ? "path" : "colour", &users[u].ring, f, f);
            of.accum = users[u].minus;
            of.seed = 9000 + f;
            t_product(&of);
        }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* --------------------------------------------------------------- against the row-wise product --
 */

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
    gbl_Matrix A = NULL;
    t_Random r = t_random(of->m * 31 + of->n);
    OK(gbl_Matrix_new(&A, type, of->m, of->n));
    for (gbl_Index i = 0; i < of->m; i++)
        for (gbl_Index j = 0; j < of->n; j++)
            if (of->has(i, j)) OK(gbl_Matrix_setElement_FP64(A, value_of(&r, of->wild), i, j));
    return A;
}

typedef struct {
    const char *name;
    gbl_Semiring semiring;
    gbl_Type type;
} ring_of;

static ring_of plus_times(void) {
    return (ring_of){"PLUS_TIMES_FP64", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64};
}

static gbl_Matrix multiply(const ring_of *ring, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M,
                           t_Flags flags) {
    gbl_Index rows, columns;
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_Matrix_nrows(&rows, A));
    OK(gbl_Matrix_ncols(&columns, B));
    OK(gbl_Matrix_new(&C, ring->type, rows, columns));
    OK(gbl_mxm(C, M, NULL, ring->semiring, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

/* The same places and bits, but that a NaN is any NaN: minima and maxima of nothing else are the
 * one that sums rest at. */
static void expect_alike(const t_Tuples *expected, gbl_Matrix C) {
    t_Tuples found = t_tuples_of(C);
    CHECK_EQ(found.n, expected->n);
    for (gbl_Index e = 0; e < found.n; e++) {
        CHECK(found.I[e] == expected->I[e] && found.J[e] == expected->J[e]);
        CHECK(isnan(expected->X[e]) ? isnan(found.X[e])
                                    : memcmp(&found.X[e], &expected->X[e], sizeof *found.X) == 0);
    }
    t_tuples_free(&found);
}

/* The same bits as by rows that are hashed, in any mask, on any number of threads. Sums of the
 * dense accumulator begin with 0, and so lose a -0. */
static void compare(const char *name, const ring_of *ring, gbl_Matrix A, gbl_Matrix B) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP};
    for (size_t k = 0; k < T_COUNT(masks); k++) {
        if (t_left_out()) continue;
        gbl_Matrix M = k == 0 ? NULL : A;
        gbl_Matrix C = multiply(ring, A, B, M,
                                (t_Flags){.method = GBL_METHOD_ROWWISE,
                                          .mask = masks[k],
                                          .accumulators = GBL_ACCUMULATE_HASH});
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        for (int32_t threads = 1; threads <= 3; threads++) {
            t_case("%s, %s, mask %s, %d threads", name, ring->name, t_mask_names[masks[k]],
                   (int)threads);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            C = multiply(ring, A, B, M, (t_Flags){.method = GBL_METHOD_PANEL, .mask = masks[k]});
            expect_alike(&expected, C);
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
    const ring_of ring = plus_times();
    for (size_t k = 0; k < T_COUNT(makers); k++) {
        gbl_Matrix A = make(&makers[k], GBL_FP64);
        if (makers[k].m == makers[k].n) compare(makers[k].name, &ring, A, A);
        gbl_Matrix T = NULL; /* A' A, and A A' */
        OK(gbl_Matrix_new(&T, GBL_FP64, makers[k].n, makers[k].m));
        OK(gbl_transpose(T, NULL, NULL, A, NULL));
        if (makers[k].m == makers[k].n) compare(makers[k].name, &ring, T, A);
        gbl_Matrix C =
            multiply(&ring, A, T, NULL,
                     (t_Flags){.method = GBL_METHOD_ROWWISE, .accumulators = GBL_ACCUMULATE_HASH});
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        C = multiply(&ring, A, T, NULL, (t_Flags){.method = GBL_METHOD_PANEL});
        t_expect_tuples(&expected, C);
        t_tuples_free(&expected);
        OK(gbl_Matrix_free(&C));
        OK(gbl_Matrix_free(&T));
        OK(gbl_Matrix_free(&A));
    }
}

/* NaN, infinities and -0 under additions that pass over them, and products that keep a factor. */
GB_TEST(mxm_panel, odd_values) {
    static const maker makers[] = {{"band", 90, 90, band, true},
                                   {"one long row", 90, 90, one_long, true},
                                   {"empty rows", 90, 90, empty_between, true}};
    const ring_of rings[] = {{"MIN_PLUS_FP64", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
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

/* Windows and tables, values streamed past the caches, rows of B longer than a piece. */
GB_TEST(mxm_panel, same_bits) {
    static const char *const specs[] = {"fem:7:1",   "fem:4:3",    "band:900:6",
                                        "er:10:6",   "rmat:10:8",  "er:16:1",
                                        "rmat:13:4", "grid:30:40", "er:8:80"};
    const ring_of ring = plus_times();
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
    const ring_of ring = plus_times();
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, N, N));
    for (gbl_Index k = 0; k < LONG; k++) {
        OK(gbl_Matrix_setElement_FP64(A, 1.0 / (double)(k + 3), 17, k * 59 % N));
        OK(gbl_Matrix_setElement_FP64(A, 0.1 * (double)k, k * 41 % N, 17));
    }
    compare("hub", &ring, A, A);
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------------- as it is told --
 */

GB_TEST(mxm_panel, chosen_and_explained) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_generate(&A, GBL_FP64, "fem:16:1"));
    gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = GBL_METHOD_PANEL});
    OK(gbl_Matrix_new(&C, GBL_FP64, 4096, 4096));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.method, "panel");
    CHECK(why.forced && why.slices == 1);
    CHECK_EQ(why.rows_dense + why.rows_hashed, 4096);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------------------- memory --
 */

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
    gbl_Matrix A = NULL, B = NULL;
    OK(gbl_Type_new(&type, LARGE));
    OK(gbl_BinaryOp_new(&add, add_large, type, type, type));
    OK(gbl_BinaryOp_new(&multiply_op, multiply_large, type, type, type));
    OK(gbl_Monoid_new_UDT(&monoid, add, value));
    OK(gbl_Semiring_new(&ring, monoid, multiply_op));
    OK(gbl_Matrix_new(&A, type, 8, 8));
    OK(gbl_Matrix_new(&B, type, 8, N));
    memset(value, 3, sizeof value);
    OK(gbl_Matrix_setElement_UDT(A, value, 0, 0));
    for (gbl_Index j = 0; j < ENTRIES; j++) OK(gbl_Matrix_setElement_UDT(B, value, 0, 15 * j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, INT64_C(600) << 20, GBL_MEMORY_LIMIT));
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_PANEL};
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        gbl_Matrix C = NULL;
        gbl_Index n = 0;
        gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = methods[k]});
        OK(gbl_Matrix_new(&C, type, 8, N));
        OK(gbl_mxm(C, NULL, NULL, ring, A, B, desc));
        OK(gbl_Matrix_nvals(&n, C));
        CHECK_EQ(n, ENTRIES);
        OK(gbl_Matrix_extractElement_UDT(value, C, 0, 15 * (ENTRIES - 1)));
        CHECK(value[0] == 9 && value[LARGE - 1] == 9);
        OK(gbl_Descriptor_free(&desc));
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Semiring_free(&ring));
    OK(gbl_Monoid_free(&monoid));
    OK(gbl_BinaryOp_free(&add));
    OK(gbl_BinaryOp_free(&multiply_op));
    OK(gbl_Type_free(&type));
}
