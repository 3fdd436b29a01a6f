/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of matrices that are held as their cells (matrix/cells.h), by lists of any kind and under
 * short masks, against the oracle; and when they are read as lists after all.
 */
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "support/frame.h"
#include "support/index_list.h"

static void hold_all(gbl_Matrix A) {
    gb_DenseView cells;
    OK(gb_acquire_dense(&A->m, &cells));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
}

enum { ROWS = 4, COLUMNS = 400 };

static unsigned present(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats.present;
}

/* A with entries at random places, as rows. */
static gbl_Matrix some_rows(uint64_t seed, double density) {
    t_Random r = t_random(seed);
    const t_Content c = {o_type(GBL_FP64_CODE), ROWS, COLUMNS, T_RANDOM, density, false, false};
    o_Matrix D = t_generate(&r, &c);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

/* Lists of every kind, which may be longer than A is; masks, transposes and casts. */
GB_TEST(cells_parts, extract) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        t_FrameCase of = t_frame_case("extract", o_type(t_types[seed % 11]),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), false);
        const gbl_Index m = 1 + t_below(&r, 40), n = 1 + t_below(&r, 40);
        const t_List I = t_list(&r, (t_ListKind)t_below(&r, T_LISTS), m);
        const t_List J = t_list(&r, (t_ListKind)t_below(&r, T_LISTS), n);
        const bool turned = of.flags.tran0, cells = t_chance(&r, 0.7);
        const double density[] = {0.05, 0.5, 1.0};
        of.seed = seed;
        of.iso = t_chance(&r, 0.1);
        of.density = density[seed % 3];
        of.nrows = I.n;
        of.ncols = J.n;
        t_Frame x;
        t_begin(&x, &of);
        o_Matrix A = t_generate(&r, &(t_Content){of.a, turned ? n : m, turned ? m : n, T_RANDOM,
                                                 of.density, true, of.iso});
        gbl_Matrix g = t_matrix(&A);
        if (cells) hold_all(g);
        OK(gbl_Matrix_extract(x.gC, x.gM, x.accum, g, t_listed(&I), I.n, t_listed(&J), J.n,
                              x.desc));
        o_extract(&x.C, &x.rule, &(o_Region){I.i, J.i, I.n, J.n}, &A);
        t_expect("source", &A, g, 0);
        OK(gbl_Matrix_free(&g));
        o_free(&A);
        OK(gb_matrix_check(&x.gC->m));
        t_end(&x);
    }
}

/* Lists longer than A take cells only where enough of them are there. */
GB_TEST(cells_parts, extract_more_than_there_is) {
    for (int filled = 0; filled < 2; filled++) {
        gbl_Index I[3 * ROWS];
        gbl_Matrix A = some_rows(9, filled ? 0.5 : 0.03), C = NULL;
        o_Matrix D = t_dense(A), E = o_new(o_type(GBL_FP64_CODE), 3 * ROWS, COLUMNS);
        gbl_Index J[COLUMNS];
        for (gbl_Index k = 0; k < COLUMNS; k++) J[k] = k * 3 % 100;
        for (gbl_Index k = 0; k < 3 * ROWS; k++) I[k] = (k * 7 + 1) % ROWS;
        OK(gbl_Matrix_new(&C, GBL_FP64, 3 * ROWS, COLUMNS));
        hold_all(A);
        OK(gbl_Matrix_extract(C, NULL, NULL, A, I, 3 * ROWS, J, COLUMNS, NULL));
        CHECK_EQ((present(A) & GBL_HAS_CSR) == 0, filled);
        o_extract(&E, &(o_Rule){0}, &(o_Region){I, J, 3 * ROWS, COLUMNS}, &D);
        t_expect("C", &E, C, 0);
        o_free(&D);
        o_free(&E);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
    }
}

static int calls;
static void count_call(void *z, const void *x) {
    calls++;
    memcpy(z, x, sizeof(double));
}

/* Under a mask of few entries an operator sees no other cells. */
GB_TEST(cells_parts, short_masks) {
    gbl_Matrix A = some_rows(5, 1.0), M = some_rows(6, 0.02), C = NULL;
    gbl_UnaryOp count = NULL;
    gbl_Index nvals = 0;
    OK(gbl_UnaryOp_new(&count, count_call, GBL_FP64, GBL_FP64));
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    hold_all(A);
    calls = 0;
    OK(gbl_Matrix_apply(C, M, NULL, count, A, GBL_DESC_RS));
    OK(gbl_Matrix_nvals(&nvals, M));
    CHECK_EQ(calls, nvals);
    hold_all(A);
    OK(gbl_Matrix_select_FP64(C, M, NULL, GBL_VALUEGT_FP64, A, 1, GBL_DESC_RS));
    CHECK(present(A) & GBL_HAS_CSR);
    OK(gbl_UnaryOp_free(&count));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Matrix_free(&C));
}
