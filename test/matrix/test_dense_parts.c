/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense matrices (matrix/matrix.h) in products and in calls on parts of them, by lists of any kind
 * and under short masks, against the oracle; when they become CSR after all, and what explanations
 * say of that.
 */
#include "matrix/check.h"
#include "hold_dense.h"
#include "support/frame.h"
#include "support/index_list.h"

enum { ROWS = 4, COLUMNS = 400 };

static gbl_Matrix some_rows(uint64_t seed, double density) {
    return t_seeded_matrix(seed, GBL_FP64_CODE, ROWS, COLUMNS, density);
}

/* Lists of every kind, which may be longer than A is; masks, transposes and casts. */
GB_TEST(dense_parts, extract) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        t_FrameCase of = t_frame_case("extract", o_type(t_types[seed % T_COUNT(t_types)]),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), false);
        const gbl_Index m = 1 + t_below(&r, 40), n = 1 + t_below(&r, 40);
        const t_List I = t_list(&r, (t_ListKind)t_below(&r, T_LISTS), m);
        const t_List J = t_list(&r, (t_ListKind)t_below(&r, T_LISTS), n);
        const bool turned = of.flags.tran0, dense = t_chance(&r, 0.7);
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
        if (dense) hold_dense(g);
        OK(gbl_Matrix_extract(x.gC, x.gM, x.accum, g, t_listed(&I), I.n, t_listed(&J), J.n,
                              x.desc));
        o_extract(&x.C, &x.rule, &(o_Region){I.i, J.i, I.n, J.n}, &A);
        t_expect("source", &A, g, 0);
        FREE(g, A);
        OK(gb_matrix_check(&x.gC->m));
        t_end(&x);
    }
}

/* Lists longer than A read it dense only where enough entries are there. */
GB_TEST(dense_parts, extract_more_than_there_is) {
    for (int filled = 0; filled < 2; filled++) {
        gbl_Index I[3 * ROWS];
        gbl_Matrix A = some_rows(9, filled ? 0.5 : 0.03), C = NULL;
        o_Matrix D = t_dense(A), E = o_new(o_type(GBL_FP64_CODE), 3 * ROWS, COLUMNS);
        gbl_Index J[COLUMNS];
        for (gbl_Index k = 0; k < COLUMNS; k++) J[k] = k * 3 % 100;
        for (gbl_Index k = 0; k < 3 * ROWS; k++) I[k] = (k * 7 + 1) % ROWS;
        OK(gbl_Matrix_new(&C, GBL_FP64, 3 * ROWS, COLUMNS));
        hold_dense(A);
        OK(gbl_Matrix_extract(C, NULL, NULL, A, I, 3 * ROWS, J, COLUMNS, NULL));
        CHECK_EQ((t_formats(A).present & GBL_HAS_CSR) == 0, filled);
        o_extract(&E, &(o_Rule){0}, &(o_Region){I, J, 3 * ROWS, COLUMNS}, &D);
        t_expect("C", &E, C, 0);
        FREE(D, E, A, C);
    }
}

static int calls;
static void count_call(void *z, const void *x) {
    calls++;
    memcpy(z, x, sizeof(double));
}

/* Under a mask of few entries an operator sees no other entries. */
GB_TEST(dense_parts, short_masks) {
    gbl_Matrix A = some_rows(5, 1.0), M = some_rows(6, 0.02), C = NULL;
    gbl_UnaryOp count = NULL;
    OK(gbl_UnaryOp_new(&count, count_call, GBL_FP64, GBL_FP64));
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    hold_dense(A);
    calls = 0;
    OK(gbl_Matrix_apply(C, M, NULL, count, A, GBL_DESC_RS));
    const gbl_Index nvals = t_nvals(M);
    CHECK_EQ(calls, nvals);
    hold_dense(A);
    OK(gbl_Matrix_select_FP64(C, M, NULL, GBL_VALUEGT_FP64, A, 1, GBL_DESC_RS));
#ifndef GB_TINY /* where so short a mask has its entries looked up */
    CHECK(t_formats(A).present & GBL_HAS_CSR);
#endif
    FREE(count, A, M, C);
}

/* --------------------------------------------------------------------------------- products -- */

/* Every other matrix, in no regular order. */
static void hold_some(gbl_Matrix A) {
    static uint64_t turn;
    if ((++turn * UINT64_C(0x9E3779B97F4A7C15) >> 60) % 2 != 0) hold_dense(A);
}

/* Cells are numbered in 32 bits; explanations tell the forms that a call found. */
GB_TEST(dense_products, bounds_and_forms) {
    static const gbl_Index sides[][2] = {{65535, 65537}, {65536, 65536}, {3, UINT32_MAX}};
    gbl_Matrix A = NULL;
    for (int k = 0; k < 3; k++) {
        OK(gbl_Matrix_new(&A, GBL_BOOL, sides[k][0], sides[k][1]));
        CHECK_EQ(gb_may_be_dense(&A->m), k == 0);
        OK(gbl_Matrix_free(&A));
    }
    OK(gbl_Matrix_new(&A, GBL_FP64, 20, 20));
    gbl_Matrix C = t_new_matrix(GBL_FP64, 20, 20);
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 1, GBL_ALL, 20, GBL_ALL, 20, NULL));
    OK(gbl_Matrix_setElement_FP64(A, 2, 7, 3)); /* of one value it would need no plan */
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    const gbl_Explanation why = t_explain(C);
    CHECK_EQ(why.formats_a, GBL_HAS_FULL);
    FREE(A, C);
}

/* CSR that a product makes of a dense factor is a conversion: predicted, in seconds and bytes, and
 * measured; the next product finds them. Where B is A they are made once. */
GB_TEST(dense_products, products_are_charged_for_rows) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = t_seeded_matrix(8, GBL_FP64_CODE, 90, 90, 0.5),
               B = t_seeded_matrix(9, GBL_FP64_CODE, 90, 90, 0.5), C = NULL;
    const double rows = 91 * 8.0, a = rows + 12.0 * (double)A->m.nvals;
    const double b = rows + 12.0 * (double)B->m.nvals;
    const t_Flags flags = {.method = GBL_METHOD_ROWWISE};
    gbl_Descriptor desc = t_descriptor(&flags);
    uint64_t bytes[3];
    OK(gbl_Matrix_new(&C, GBL_FP64, 90, 90));
    for (int k = 0; k < 3; k++) { /* A and B are dense; A, and B is A; neither */
        if (k < 2) hold_dense(A);
        if (k < 1) hold_dense(B);
        gbl_Matrix right = k == 1 ? A : B;
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, right, desc));
        OK(gbl_Matrix_explain(&why, C));
        const gbl_Candidate *c = NULL; /* one that reads rows alone */
        for (int m = 0; m < why.ncandidates; m++)
            if (strcmp(why.candidates[m].method, "rowwise") == 0 && c == NULL)
                c = &why.candidates[m];
        cr_assert(c != NULL);
        CHECK_EQ(why.formats_a, (unsigned)(k < 2 ? GBL_HAS_BITMAP : GBL_HAS_BITMAP | GBL_HAS_CSR));
        CHECK((c->seconds_convert > 0.0) == (k < 2));
        CHECK((why.seconds_convert > 0.0) == (k < 2));
        bytes[k] = c->bytes;
    }
    CHECK_EQ(bytes[0] - bytes[2], (uint64_t)(a + b));
    FREE(desc, A, B, C);
}

GB_TEST(dense_products, mxm) {
    static const t_Shape large = {3, 200, 2000, T_RANDOM, T_RANDOM, 0.02, 0.002, 0.1};
    for (uint64_t seed = 0; seed < 4500; seed++) {
        t_Random r = t_random(seed);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        static const t_Shape shapes[] = {
            {13, 11, 12, T_RANDOM, T_RANDOM, 0.3, 0.35, 0.4},
            {4, 60, 300, T_RANDOM, T_RANDOM, 0.4, 0.1, 0.5},
            {4, 60, 300, T_RANDOM, T_RANDOM, 0.4, 0.1, 1.0},
        };
        t_ProductCase of = t_mxm_case(entry->name, &ring, (unsigned)t_below(&r, T_FLAGS_ALL));
        of.seed = seed;
        of.shape = t_chance(&r, 0.05) ? large : shapes[t_below(&r, T_COUNT(shapes))];
        of.wild = entry->type != GBL_FP32_CODE && entry->type != GBL_FP64_CODE;
        of.hold = hold_some;
        if (seed % 3 != 0) t_set_way(&of.flags, seed % T_WAYS);
        t_product(&of);
    }
}

GB_TEST(dense_products, mxv) {
    for (uint64_t seed = 0; seed < 500; seed++) {
        t_Random r = t_random(seed);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        t_ProductCase of = t_mxm_case(entry->name, &ring, (unsigned)t_below(&r, T_FLAGS_ALL));
        of.seed = seed;
        if (seed % 2) {
            of.kind = T_MXV;
            of.shape = (t_Shape){23, 11, 1, T_RANDOM, T_RANDOM, 0.4, 0.4, 0.4};
            of.flags.tran1 = false;
        } else {
            of.kind = T_VXM;
            of.shape = (t_Shape){1, 11, 17, T_RANDOM, T_RANDOM, 0.4, 0.4, 0.4};
            of.flags.tran0 = false;
        }
        of.hold = hold_dense;
        t_product(&of);
    }
}
