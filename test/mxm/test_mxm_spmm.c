/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse times full, and full times sparse: against the oracle for every semiring, mask,
 * accumulator and transpose, and for all numbers of columns that registers can be cut into; against
 * the row-wise product to the bit, for floats that round, whatever the number of threads, in the
 * caches and past them; results that are full, and what is made of them.
 */
#include "matrix/matrix.h"
#include "support/sweeps.h"
#include "support/spec.h"
#include "support/tuples.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ against the oracle -- */

/* Rows of A without entries, with all, with one; dimensions of 1. */
static const t_Shape shapes[] = {
    {17, 33, 18, T_RANDOM, T_FULL, 0.2, 1, 0.4},    {13, 40, 7, T_RANDOM, T_FULL, 0.4, 1, 0.1},
    {15, 12, 31, T_FULL, T_FULL, 1, 1, 0.5},        {20, 16, 3, T_FULL_ROW, T_FULL, 0.1, 1, 0.3},
    {18, 27, 70, T_FULL_COLUMN, T_FULL, 0, 1, 0.3}, {9, 60, 90, T_EMPTY_ROWS, T_FULL, 0.3, 1, 0.02},
    {300, 9, 2, T_RANDOM, T_FULL, 0.3, 1, 0.05},    {1, 48, 1, T_RANDOM, T_FULL, 0.7, 1, 1},
    {31, 1, 33, T_RANDOM, T_FULL, 0.6, 1, 0.3},     {40, 35, 50, T_ONE_ROW, T_FULL, 1, 1, 0.01},
    {16, 33, 17, T_EMPTY, T_FULL, 1, 1, 0.5},       {12, 12, 12, T_DIAGONAL, T_FULL, 1, 1, 0.2},
};

static t_ProductCase full_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = t_mxm_case(name, ring, f);
    of.shape = shapes[shape % T_COUNT(shapes)];
    of.flags.method = GBL_METHOD_SPMM;
    return of;
}

static t_Shape mirrored(t_Shape shape) {
    return (t_Shape){shape.columns, shape.inner, shape.rows, shape.b,
                     shape.a,       shape.db,    shape.da,   shape.dc};
}

/* The left factor is the full one. */
static t_ProductCase left_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = full_case(name, ring, shape, f);
    of.shape = mirrored(of.shape);
    return of;
}

/* The planner may take what it likes, now and then. */
static t_ProductCase some_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = full_case(name, ring, shape, f);
    if (shape % 3 == 0) of.flags.method = GBL_DEFAULT;
    return of;
}

GB_TEST(mxm_spmm, semirings_0) {
    t_sweep_semirings(full_case, 0, 2);
}

GB_TEST(mxm_spmm, semirings_1) {
    t_sweep_semirings(full_case, 1, 2);
}

GB_TEST(mxm_spmm, semirings_left) {
    t_sweep_semirings(left_case, 0, 1);
}

/* Every number of columns that leaves another rest of registers, up to two blocks of them. */
GB_TEST(mxm_spmm, columns) {
    static const gbl_Index columns[] = {
        1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12,  15,  16,  17,  23,  24,  25,  31,  32,  33,
        40, 47, 48, 63, 64, 65, 72, 95, 96, 97, 127, 128, 129, 191, 192, 193, 255, 256, 257, 520};
    const t_Ring *rings[T_SAMPLE_RINGS];
    t_sample_rings(rings);
    for (size_t k = 0; k < T_SAMPLE_RINGS; k++) {
        const o_Ring ring = t_ring(rings[k]);
        for (size_t c = 0; c < T_COUNT(columns); c++) {
            const unsigned f = c % 4 == 0 ? (unsigned)(31 * c + 7 * k) % T_FLAGS_ALL : 0;
            t_ProductCase of = full_case(rings[k]->name, &ring, 0, f);
            of.seed = 3000 * k + c;
            of.shape = (t_Shape){7, 9, columns[c], T_RANDOM, T_FULL, 0.3, 1, 0.1};
            of.b_iso = c % 8 == 5;
            t_product(&of);
            of.shape = mirrored(of.shape);
            of.a_iso = of.b_iso;
            of.b_iso = false;
            t_product(&of);
        }
    }
}

GB_TEST(mxm_spmm, every_combination) {
    const t_Ring *rings[T_SAMPLE_RINGS];
    t_sample_rings(rings);
    t_sweep_flags(full_case, rings, T_SAMPLE_RINGS, 3);
    t_sweep_flags(left_case, rings, T_SAMPLE_RINGS, 3);
}

/* Also C = A * C. */
GB_TEST(mxm_spmm, typecasts_and_aliases) {
    t_sweep_casts(some_case, 400, (t_Shape){21, 21, 21, T_FULL, T_FULL, 1, 1, 1});
}

GB_TEST(mxm_spmm, user_types) {
    t_sweep_user_types(full_case, 3);
    t_sweep_user_types(left_case, 3);
}

/* ------------------------------------------------------------- against the row-wise product -- */

/* n x columns, an entry at every place, of values whose sums round. */
static gbl_Matrix full(gbl_Index n, gbl_Index columns) {
    gbl_Matrix B = NULL;
    t_Random r = t_random(n + columns);
    gbl_Index *p = calloc(n + 1, sizeof *p), *j = calloc(n * columns, sizeof *j);
    double *x = calloc(n * columns, sizeof *x);
    cr_assert(p != NULL && j != NULL && x != NULL);
    for (gbl_Index k = 0; k < n * columns; k++) {
        j[k] = k % columns;
        x[k] = (double)(t_next(&r) >> 11) * 0x1p-53 + 0.1;
    }
    for (gbl_Index k = 0; k <= n; k++) p[k] = k * columns;
    OK(gbl_Matrix_import_FP64(&B, GBL_FP64, n, columns, p, j, x, n + 1, n * columns, n * columns,
                              GBL_CSR_FORMAT));
    free(p);
    free(j);
    free(x);
    return B;
}

static gbl_Matrix plus_times(gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, const t_Flags *flags) {
    return t_mxm(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, A, B, M, flags);
}

/* The same bits as by rows, on any number of threads. */
static void compare(const char *spec, gbl_Index columns, t_Mask mask) {
    gbl_Matrix A = t_from_spec(GBL_FP64, spec), M = NULL;
    gbl_Index n;
    OK(gbl_Matrix_nrows(&n, A));
    gbl_Matrix B = full(n, columns);
    if (mask != T_NO_MASK) {
        OK(gbl_Matrix_new(&M, GBL_BOOL, n, columns));
        for (gbl_Index i = 0; i < n; i += 3)
            for (gbl_Index j = i % 7; j < columns; j += 11)
                OK(gbl_Matrix_setElement_BOOL(M, (i + j) % 5 > 0, i, j));
    }
    gbl_Matrix C = plus_times(A, B, M, &(t_Flags){.method = GBL_METHOD_ROWWISE, .mask = mask});
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    for (int32_t threads = 1; threads <= 4; threads++) {
        t_case("%s x %d columns, mask %s, %d threads", spec, (int)columns, t_mask_names[mask],
               threads);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        C = plus_times(A, B, M, &(t_Flags){.method = GBL_METHOD_SPMM, .mask = mask});
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
    t_tuples_free(&expected);
    if (M != NULL) OK(gbl_Matrix_free(&M));
    FREE(B, A);
}

GB_TEST(mxm_spmm, same_bits) {
    static const gbl_Index columns[] = {1, 2, 3, 4, 7, 8, 13, 16, 17, 64, 100};
    for (size_t c = 0; c < T_COUNT(columns); c++) {
        compare("er:9:6", columns[c], T_NO_MASK);
        compare("rmat:9:6", columns[c], T_NO_MASK);
        compare("band:500:4", columns[c], T_STRUCTURAL);
        compare("rmat:8:6", columns[c], T_COMP);
        compare("rmat:8:6", columns[c], T_VALUED);
    }
}

/* "A full" or "B full", or which other method made C. */
static const char *way_of(gbl_Matrix C) {
    const gbl_Explanation why = t_explain(C);
    return strcmp(why.method, "spmm") == 0 ? why.workflow : why.method;
}

/* The same bits as by rows, on any number of threads; F' * B too, whose F is by rows. */
static void compare_left(const char *spec, gbl_Index rows) {
    gbl_Matrix B = t_from_spec(GBL_FP64, spec), F = NULL, C = NULL;
    gbl_Index n;
    OK(gbl_Matrix_nrows(&n, B));
    gbl_Matrix G = full(n, rows);
    OK(gbl_Matrix_new(&F, GBL_FP64, rows, n));
    OK(gbl_transpose(F, NULL, NULL, G, NULL));
    C = plus_times(F, B, NULL, &(t_Flags){.method = GBL_METHOD_ROWWISE});
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    for (int32_t threads = 1; threads <= 4; threads++) {
        t_case("%d rows times %s, %d threads", (int)rows, spec, threads);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        C = plus_times(F, B, NULL, &(t_Flags){.method = GBL_METHOD_SPMM});
        cr_assert_str_eq(way_of(C), "A full");
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
        OK(gbl_Matrix_new(&C, GBL_FP64, rows, n));
        gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = GBL_METHOD_SPMM, .tran0 = true});
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, G, B, desc));
        OK(gbl_Descriptor_free(&desc));
        cr_assert_str_eq(way_of(C), "A full");
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
    t_tuples_free(&expected);
    FREE(F, G, B);
}

/* With columns of B that are empty, and without; C of 9 MB. */
GB_TEST(mxm_spmm, same_bits_left) {
    for (gbl_Index rows = 1; rows <= 100; rows = 3 * rows + 1) compare_left("rmat:9:6", rows);
    for (gbl_Index rows = 2; rows <= 200; rows = 4 * rows + 1) compare_left("er:9:9", rows);
    compare_left("band:3000:2", 520);
    compare_left("rmat:14:2", 70);
}

/* Values of C, and of B in few columns, beyond the second cache, from there or, of bands, from the
 * same rows again; 18 MB of C. */
GB_TEST(mxm_spmm, past_the_caches) {
    compare("er:16:2", 5, T_NO_MASK);
    compare("rmat:15:2", 70, T_NO_MASK);
    compare("er:16:2", 37, T_NO_MASK);
    compare("band:40000:2", 9, T_NO_MASK);
    compare("band:20000:2", 21, T_NO_MASK);
}

/* ----------------------------------------------------------------------------- full results -- */

/* A chain of products of full matrices: none gets indices, and each is what it is by rows. */
GB_TEST(mxm_spmm, full_results_have_no_indices) {
    static const char *const spec[] = {"band:300:3", "er:8:20"};
    for (size_t s = 0; s < T_COUNT(spec); s++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, spec[s]), listed = NULL, cells = NULL;
        gbl_Index n;
        OK(gbl_Matrix_nrows(&n, A));
        gbl_Matrix B = full(n, 21), C = plus_times(A, B, NULL, &(t_Flags){0});
        CHECK_EQ(t_formats(C).present, GBL_HAS_FULL);
        for (int step = 0; step < 3; step++) {
            t_case("%s, step %d", spec[s], step);
            OK(gbl_Matrix_dup(&listed, C));
            gbl_Matrix by_rows =
                plus_times(A, listed, NULL, &(t_Flags){.method = GBL_METHOD_ROWWISE});
            CHECK((t_formats(listed).present & GBL_HAS_CSR) != 0);
            t_Tuples expected = t_tuples_of(by_rows);
            cells = plus_times(A, C, NULL, &(t_Flags){0});
            cr_assert_str_eq(way_of(cells), "B full");
            CHECK_EQ(t_formats(C).present, GBL_HAS_FULL);
            CHECK_EQ(t_formats(cells).present, GBL_HAS_FULL);
            OK(gbl_Matrix_free(&C));
            OK(gbl_Matrix_dup(&C, cells)); /* reading entries makes a list of `cells` */
            t_expect_tuples(&expected, cells);
            t_tuples_free(&expected);
            FREE(cells, listed, by_rows);
        }
        FREE(A, B, C);
    }
}

/* Where a row of A is empty, or a mask picks, C is a list. */
GB_TEST(mxm_spmm, results_with_gaps_are_lists) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "band:60:2"), B = full(60, 5), M = NULL;
    OK(gbl_Matrix_new(&M, GBL_BOOL, 60, 5));
    for (gbl_Index i = 0; i < 60; i += 2) OK(gbl_Matrix_setElement_BOOL(M, true, i, i % 5));
    gbl_Matrix C = plus_times(A, B, M, &(t_Flags){.method = GBL_METHOD_SPMM, .mask = T_VALUED});
    CHECK_EQ(t_formats(C).present, GBL_HAS_CSR);
    OK(gbl_Matrix_free(&C));
    for (gbl_Index j = 0; j < 60; j++) OK(gbl_Matrix_removeElement(A, 17, j));
    C = plus_times(A, B, NULL, &(t_Flags){.method = GBL_METHOD_SPMM});
    CHECK_EQ(t_formats(C).present, GBL_HAS_CSR);
    FREE(C, A, B, M);
}

/* A B that is nothing but cells: cast, turned, under masks, for every method, as the left factor,
 * and summed onto. All as for the same B as a list. */
static void meet(gbl_Matrix A, gbl_Matrix B, const t_Flags *flags, gbl_Semiring ring) {
    gbl_Matrix M = NULL, C[2] = {NULL, NULL};
    gbl_Index m, n;
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    if (flags->tran1) OK(gbl_Matrix_nrows(&n, B));
    OK(gbl_Matrix_new(&M, GBL_BOOL, m, n));
    for (gbl_Index i = 0; i < m; i++)
        for (gbl_Index j = i % 3; j < n; j += 4) OK(gbl_Matrix_setElement_BOOL(M, i % 2, i, j));
    for (int listed = 0; listed < 2; listed++) {
        gbl_Descriptor desc = t_descriptor(flags);
        gbl_Matrix factor = NULL;
        OK(gbl_Matrix_dup(&factor, B));
        gb_CsView view;
        if (listed) OK(gb_acquire_sorted(&factor->m, GB_CSR, &view));
        if (listed) gb_matrix_keep_only(&factor->m, GBL_HAS_CSR);
        OK(gbl_Matrix_new(&C[listed], GBL_FP64, m, n));
        for (int k = 0; k < 2; k++)
            OK(gbl_mxm(C[listed], flags->mask == T_NO_MASK ? NULL : M,
                       flags->accum ? GBL_PLUS_FP64 : NULL, ring, A, factor, desc));
        if (desc != NULL) OK(gbl_Descriptor_free(&desc));
        OK(gbl_Matrix_free(&factor));
    }
    t_Tuples expected = t_tuples_of(C[1]);
    t_expect_tuples(&expected, C[0]);
    t_tuples_free(&expected);
    FREE(C[0], C[1], M);
}

GB_TEST(mxm_spmm, cells_as_a_factor) {
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_METHOD_SPMM, GBL_METHOD_ROWWISE,
                                             GBL_METHOD_TILED};
    gbl_Matrix A = t_from_spec(GBL_FP64, "band:48:2"), wide = full(48, 48), B = NULL;
    OK(gbl_Matrix_new(&B, GBL_FP64, 48, 48));
    OK(gbl_mxm(B, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, wide, NULL));
    CHECK_EQ(t_formats(B).present, GBL_HAS_FULL);
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_PLUS_TIMES_SEMIRING_INT32,
                                  GBL_MIN_PLUS_SEMIRING_FP32, GBL_PLUS_PAIR_SEMIRING_INT64};
    for (size_t m = 0; m < T_COUNT(methods); m++)
        for (size_t r = 0; r < T_COUNT(rings); r++)
            for (int k = 0; k < 12; k++) {
                const t_Flags flags = {.method = methods[m],
                                       .mask = k % 3 == 2   ? T_COMP
                                               : k % 3 == 1 ? T_VALUED
                                                            : T_NO_MASK,
                                       .accum = k % 2 == 1,
                                       .tran1 = k >= 6};
                t_case("method %d, semiring %d, %d", (int)m, (int)r, k);
                meet(A, B, &flags, rings[r]);
            }
    meet(B, A, &(t_Flags){0}, rings[0]);
    meet(B, B, &(t_Flags){0}, rings[0]);
    FREE(A, B, wide);
}

/* ---------------------------------------------------------------------------- as it is told -- */

GB_TEST(mxm_spmm, chosen_and_explained) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "er:10:8"), B = full(1024, 16), C = NULL;
    C = plus_times(A, B, NULL, &(t_Flags){0});
    const gbl_Explanation why = t_explain(C);
    cr_assert_str_eq(why.method, "spmm");
    cr_assert_str_eq(why.workflow, "B full");
    CHECK_EQ(why.flops, why.nnz_a * 16);
    CHECK(why.slices == 1 && !why.forced);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_removeElement(B, 3, 3));
    OK(gbl_Matrix_new(&C, GBL_FP64, 1024, 16));
    gbl_Descriptor desc = t_descriptor(&(t_Flags){.method = GBL_METHOD_SPMM});
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc));
    CHECK(strstr(gbl_last_error(), "full") != NULL);
    FREE(desc, A, B, C);
}

static gbl_Matrix full_rows(gbl_Index rows, gbl_Index n) {
    gbl_Matrix G = full(n, rows), F = NULL;
    OK(gbl_Matrix_new(&F, GBL_FP64, rows, n));
    OK(gbl_transpose(F, NULL, NULL, G, NULL));
    OK(gbl_Matrix_wait(F, GBL_MATERIALIZE));
    OK(gbl_Matrix_free(&G));
    return F;
}

/* Products of a full factor with a B that has no columns: they are made once the products before
 * would have paid for them, and kept; where B has them, at once. */
GB_TEST(mxm_spmm, columns_that_repay) {
    enum { MOST = 40 };
    for (gbl_Index rows = 8; rows <= 32; rows *= 4) {
        gbl_Matrix B = t_from_spec(GBL_FP64, "er:11:16"), F = full_rows(rows, 2048);
        gbl_Matrix C = plus_times(F, B, NULL, &(t_Flags){.method = GBL_METHOD_ROWWISE});
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        for (int k = 0; k < 8; k++) { /* for the first products pages decide, not for later ones */
            C = plus_times(F, B, NULL, &(t_Flags){.method = GBL_METHOD_ROWWISE});
            OK(gbl_Matrix_free(&C));
        }
        int calls = 0, since = 0;
        while (calls++ < MOST && since < 3) {
            t_case("%d rows, call %d", (int)rows, calls);
            C = plus_times(F, B, NULL, &(t_Flags){0});
            const bool spmm = strcmp(way_of(C), "A full") == 0;
            CHECK(spmm || since == 0); /* from then on always */
            since += spmm;
            t_expect_tuples(&expected, C);
            OK(gbl_Matrix_free(&C));
        }
        CHECK_EQ(since, 3);
        t_tuples_free(&expected);
        FREE(F, B);
    }
}
