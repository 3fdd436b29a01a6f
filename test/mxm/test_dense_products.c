/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices that are held as their cells (matrix/cells.h), against the oracle, and what
 * explanations say of the rows that are made for them.
 */
#include "matrix/matrix.h"
#include "support/frame.h"

static void hold_all(gbl_Matrix A) {
    gb_DenseView cells;
    OK(gb_acquire_dense(&A->m, &cells));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
}

/* Every other matrix, in no regular order. */
static void hold_some(gbl_Matrix A) {
    static uint64_t turn;
    if ((++turn * UINT64_C(0x9E3779B97F4A7C15) >> 60) % 2 != 0) hold_all(A);
}

/* A square matrix, half full. */
static gbl_Matrix some_matrix(uint64_t seed, gbl_Index n) {
    t_Random r = t_random(seed);
    const t_Content c = {o_type(GBL_FP64_CODE), n, n, T_RANDOM, 0.5, false, false};
    o_Matrix D = t_generate(&r, &c);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

/* Cells are numbered in 32 bits; explanations tell the forms that a call found. */
GB_TEST(dense_products, bounds_and_forms) {
    static const gbl_Index sides[][2] = {{65535, 65537}, {65536, 65536}, {3, UINT32_MAX}};
    gbl_Matrix A = NULL, C = NULL;
    for (int k = 0; k < 3; k++) {
        OK(gbl_Matrix_new(&A, GBL_BOOL, sides[k][0], sides[k][1]));
        CHECK_EQ(gb_may_be_dense(&A->m), k == 0);
        OK(gbl_Matrix_free(&A));
    }
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_new(&A, GBL_FP64, 20, 20));
    OK(gbl_Matrix_new(&C, GBL_FP64, 20, 20));
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 1, GBL_ALL, 20, GBL_ALL, 20, NULL));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    OK(gbl_Matrix_explain(&why, C));
    CHECK_EQ(why.formats_a, GBL_HAS_FULL);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

/* Rows that a product makes of cells are a conversion: predicted, in seconds and bytes, and
 * measured; the next product finds them. Where B is A they are made once. */
GB_TEST(dense_products, products_are_charged_for_rows) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = some_matrix(8, 90), B = some_matrix(9, 90), C = NULL;
    const double rows = 91 * 8.0, a = rows + 12.0 * (double)A->m.nvals;
    const double b = rows + 12.0 * (double)B->m.nvals;
    const t_Flags flags = {.method = GBL_METHOD_ROWWISE};
    gbl_Descriptor desc = t_descriptor(&flags);
    uint64_t bytes[3];
    OK(gbl_Matrix_new(&C, GBL_FP64, 90, 90));
    for (int k = 0; k < 3; k++) { /* A and B are cells; A, and B is A; neither */
        if (k < 2) hold_all(A);
        if (k < 1) hold_all(B);
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
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
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
        of.hold = hold_all;
        t_product(&of);
    }
}
