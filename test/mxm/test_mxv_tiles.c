/* SPDX-License-Identifier: Apache-2.0
 *
 * mxv and vxm of matrices that exist as tiles only, of rows, of columns, or both: against the
 * oracle, every semiring with every combination of flags. The tiles are converted once, to the rows
 * that they are tiles of.
 */
#include "support/product.h"

#include <gblite_io.h>
#include <string.h>

#include "matrix/matrix.h"

/* -------------------------------------------------------------------------------- as tiles -- */

static void hold_as(gbl_Matrix A, bool rows, bool columns) {
    gb_TileView tiles;
    gbl_Index nvals = 0;
    OK(gbl_Matrix_nvals(&nvals, A));
    if (nvals == 0) return;
    if (rows) OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
    if (columns) OK(gb_acquire_tiles(&A->m, GB_CSC, &tiles));
    gb_matrix_keep_only(&A->m,
                        (rows ? gb_tiles_bit(GB_CSR) : 0) | (columns ? gb_tiles_bit(GB_CSC) : 0));
}

static void hold_rows(gbl_Matrix A) {
    hold_as(A, true, false);
}

static void hold_columns(gbl_Matrix A) {
    hold_as(A, false, true);
}

static void hold_both(gbl_Matrix A) {
    hold_as(A, true, true);
}

static void (*const holds[])(gbl_Matrix) = {hold_rows, hold_columns, hold_both};

/* --------------------------------------------------------------------------------- contents -- */

static t_ProductCase case_of(t_Kind kind, const char *name, const o_Ring *ring, uint64_t n) {
    static const t_Shape shapes[] = {
        {40, 50, 1, T_RANDOM, T_RANDOM, 0.1, 0.5, 0.4},
        {33, 17, 1, T_RANDOM, T_FULL, 0.7, 1, 0.4},
        {16, 100, 1, T_EMPTY_ROWS, T_RANDOM, 0.2, 0.03, 0.6},
        {70, 31, 1, T_FULL_COLUMN, T_RANDOM, 0.05, 0.3, 0.1},
        {1, 65, 1, T_RANDOM, T_RANDOM, 0.5, 0.9, 1},
        {64, 64, 1, T_FULL, T_FULL, 1, 1, 0.5},
    };
    const o_Type type = ring->add.z;
    t_ProductCase of = {.seed = n,
                        .kind = kind,
                        .name = name,
                        .ring = ring,
                        .c = type,
                        .a = ring->multiply.x,
                        .b = ring->multiply.y,
                        .mask = o_type(t_types[n % T_COUNT(t_types)]),
                        .iso = n % 5 == 0,
                        .shape = shapes[n % T_COUNT(shapes)],
                        .flags = t_flags((unsigned)n % T_FLAGS_ALL),
                        .hold = holds[n % T_COUNT(holds)]};
    of.wild = type.code != GBL_FP32_CODE && type.code != GBL_FP64_CODE;
    if (kind == T_MXV) {
        of.flags.tran1 = false;
        return of;
    }
    const t_Shape s = of.shape;
    of.flags.tran0 = false;
    of.shape = (t_Shape){1, s.inner, s.rows, s.b, s.a, s.db, s.da, s.dc};
    return of;
}

/* Steps of the number that reach every shape with every way to hold A, and all flags in turn. */
static void run_semirings(t_Kind kind) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (uint64_t n = 0; n < 2 * T_FLAGS_ALL; n++) {
            t_ProductCase of = case_of(kind, t_rings[k].name, &ring, 7 * n + k);
            of.accum = t_some_accum(of.c.code, n);
            t_product(&of);
        }
    }
}

GB_TEST(mxv_tiles, mxv_semirings) {
    run_semirings(T_MXV);
}

GB_TEST(mxv_tiles, vxm_semirings) {
    run_semirings(T_VXM);
}

GB_TEST(mxv_tiles, typecasts) {
    for (uint64_t n = 0; n < 2000; n++) {
        t_Random r = t_random(n);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        t_ProductCase of = case_of(t_chance(&r, 0.5) ? T_MXV : T_VXM, entry->name, &ring, n);
        of.c = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.a = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.b = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.accum = t_some_accum(of.c.code, n);
        of.wild = entry->type != GBL_FP32_CODE && entry->type != GBL_FP64_CODE;
        t_product(&of);
    }
}

GB_TEST(mxv_tiles, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++)
        for (uint64_t n = 0; n < 600; n++) {
            t_ProductCase of = case_of(n % 2 ? T_MXV : T_VXM, "user", &users[u].ring, n / 2);
            of.accum = users[u].minus;
            of.wild = false;
            t_product(&of);
        }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* ------------------------------------------------------------------------------ conversions -- */

static void expect_one(gbl_Vector w, gbl_Matrix A, uint64_t before, bool columns, bool push) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Formats formats;
    OK(gbl_Vector_explain(&why, w));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(strcmp(why.method, push ? "push" : "pull") == 0);
    CHECK_EQ(formats.conversions, before + 1);
    CHECK_EQ(formats.present & (GBL_HAS_CSR | GBL_HAS_CSC), columns ? GBL_HAS_CSC : GBL_HAS_CSR);
}

GB_TEST(mxv_tiles, tiles_are_converted_once) {
    t_Random r = t_random(31);
    const o_Type type = o_type(GBL_INT64_CODE), other = o_type(GBL_FP32_CODE);
    for (int f = 0; f < 2; f++) {
        o_Matrix D = t_generate(&r, &(t_Content){type, 60, 60, T_RANDOM, 0.2, false, false});
        o_Matrix U =
            t_generate(&r, &(t_Content){f ? type : other, 60, 1, T_RANDOM, 0.4, false, false});
        gbl_Matrix A = t_matrix(&D);
        gbl_Vector u = t_vector(&U), w = NULL;
        gbl_Formats formats;
        OK(gbl_Vector_new(&w, GBL_INT64, 60));
        (f ? hold_columns : hold_rows)(A);
        OK(gbl_Matrix_formats(&formats, A));
        CHECK_EQ(formats.present & (GBL_HAS_CSR | GBL_HAS_CSC), 0);
        t_case("tiles of %s", f ? "columns" : "rows");
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, u, NULL));
        expect_one(w, A, formats.conversions, f, f);
        OK(gbl_vxm(w, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, u, A, NULL));
        expect_one(w, A, formats.conversions, f, !f);
        OK(gbl_mxv(w, u, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, u, GBL_DESC_RSCT0));
        expect_one(w, A, formats.conversions, f, !f);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Vector_free(&u));
        OK(gbl_Vector_free(&w));
        o_free(&D);
        o_free(&U);
    }
}

/* ----------------------------------------------------------------------------------- threads -- */

/* Rounded sums, many threads: the bits of one thread. */
GB_TEST(mxv_tiles, any_number_of_threads) {
    gbl_Matrix A = NULL;
    gbl_Vector u = NULL, w[2] = {NULL};
    gbl_Index n = 0;
    double x[2][4096];
    gbl_Index at[4096];
    OK(gbl_generate(&A, GBL_FP64, "rmat:12:16"));
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Vector_new(&u, GBL_FP64, n));
    for (gbl_Index k = 0; k < n; k++) OK(gbl_Vector_setElement_FP64(u, 1.0 / (double)(k + 3), k));
    for (int f = 0; f < 2; f++) {
        (f ? hold_columns : hold_rows)(A);
        for (int threads = 1; threads <= 4; threads++) {
            gbl_Index count = T_COUNT(at);
            const int which = threads > 1;
            t_case("tiles of %s, %d threads", f ? "columns" : "rows", threads);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            OK(gbl_Vector_new(&w[which], GBL_FP64, n));
            OK(gbl_mxv(w[which], NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
            OK(gbl_Vector_extractTuples_FP64(at, x[which], &count, w[which]));
            OK(gbl_Vector_free(&w[which]));
            CHECK(count > 1000);
            CHECK(memcmp(x[which], x[0], count * sizeof(double)) == 0);
        }
        gb_CsView rows; /* back, for the other way */
        OK(gb_acquire(&A->m, GB_CSR, &rows));
    }
    OK(gbl_Vector_free(&u));
    OK(gbl_Matrix_free(&A));
}
