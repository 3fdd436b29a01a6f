/* SPDX-License-Identifier: Apache-2.0
 *
 * What a matrix keeps for products by panels: an order of its rows in which rows that are alike
 * come together, and panels that are united. When the planner makes them, that they are read again
 * and dropped on a write, and that results stay the same to the bit.
 */
#include "support/product.h"
#include "support/tuples.h"

#include <gblite_io.h>
#include <stdlib.h>
#include <string.h>

/* Numbers below n in a random order. */
static gbl_Index *random_order(gbl_Index n, uint64_t seed) {
    gbl_Index *list = malloc(n * sizeof *list);
    t_Random r = t_random(seed);
    for (gbl_Index k = 0; k < n; k++) list[k] = k;
    for (gbl_Index k = n; k-- > 1;) {
        const gbl_Index other = t_below(&r, k + 1), kept = list[k];
        list[k] = list[other];
        list[other] = kept;
    }
    return list;
}

static gbl_Matrix shuffled(gbl_Matrix A, const gbl_Index *rows, const gbl_Index *columns) {
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, A));
    gbl_Matrix S = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_extract(S, NULL, NULL, A, rows, n, columns, n, NULL));
    return S;
}

static gbl_Explanation product_of(gbl_Matrix A, gbl_Matrix B) {
    const t_NamedRing ring = t_plus_times();
    gbl_Matrix C = t_mxm(ring.semiring, ring.type, A, B, NULL, &(t_Flags){0});
    const gbl_Explanation why = t_explain(C);
    OK(gbl_Matrix_free(&C));
    return why;
}

#ifndef GB_TINY /* whose windows are so narrow that columns are looked up */
/* Grouping is found to pay by itself, made once, and made again when the matrix has been written.
 */
GB_TEST(mxm_groups, groups_are_kept) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_FP64, "fem:8:4"));
    for (int warm = 0; warm < 5; warm++) { /* the first ones are charged for fresh pages */
        const gbl_Explanation neat = product_of(A, A);
        CHECK_EQ(neat.rows_grouped, 0);
    }
    gbl_Index *orders[2] = {random_order(2048, 1), random_order(2048, 2)};
    for (int same = 0; same < 2; same++) { /* 0: its pattern is not symmetric */
        const gbl_Index *rows = orders[0], *inner = orders[1 - same];
        gbl_Matrix S = shuffled(A, rows, inner), B = shuffled(A, inner, rows);
        t_case("the same order: %d", same);
        const gbl_Explanation first = product_of(S, B), second = product_of(S, B);
        cr_assert_str_eq(first.workflow, "grouped rows");
        CHECK_EQ(first.rows_grouped, 2048);
        CHECK(first.panel_share > 0.6 && first.panel_share_grouped < 0.5);
        CHECK(first.candidates[first.chosen].seconds_convert > 0.0);
        cr_assert_str_eq(second.workflow, "grouped rows");
        CHECK(second.candidates[second.chosen].seconds_convert == 0.0);
        CHECK(second.panel_share_grouped < 0.5);
        OK(gbl_Matrix_setElement_FP64(S, 2.5, 0, 0));
        const gbl_Explanation third = product_of(S, B);
        CHECK(third.candidates[third.chosen].seconds_convert > 0.0);
        FREE(S, B);
    }
    free(orders[0]);
    free(orders[1]);
    OK(gbl_Matrix_free(&A));
}

/* S beside a diagonal, of 2 N rows and columns. */
static gbl_Matrix beside_diagonal(gbl_Matrix S, gbl_Index n) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 2 * n, 2 * n);
    gbl_Index *all = malloc(n * sizeof *all);
    for (gbl_Index k = 0; k < n; k++) all[k] = k;
    OK(gbl_assign(A, NULL, NULL, S, all, n, all, n, NULL));
    for (gbl_Index k = 0; k < n; k++) OK(gbl_Matrix_setElement_FP64(A, 1.5, k, n + k));
    free(all);
    return A;
}

/* Columns that no two rows of A share meet long rows of one B. Grouping is not worth it for that
 * one, but A's rows are alike, and the next B gains by it. */
GB_TEST(mxm_groups, another_factor_may_gain) {
    enum { N = 2048, LONG = 800 };
    gbl_Matrix F = NULL;
    gbl_Index *order = random_order(N, 1);
    OK(gbl_generate(&F, GBL_FP64, "fem:8:4"));
    gbl_Matrix S = shuffled(F, order, order), A = beside_diagonal(S, N);
    gbl_Matrix B = t_new_matrix(GBL_FP64, 2 * N, 2 * N);
    for (gbl_Index k = 0; k < N; k++) OK(gbl_Matrix_setElement_FP64(B, 2.5, k, k));
    for (gbl_Index k = N; k < 2 * N; k++)
        for (gbl_Index j = 0; j < LONG; j++) OK(gbl_Matrix_setElement_FP64(B, 0.5, k, 2 * j));
    const gbl_Explanation first = product_of(A, B);
    CHECK_EQ(first.rows_grouped, 0);
    CHECK(first.panel_share_grouped > 0.6);
    const gbl_Explanation second = product_of(A, A);
    CHECK(second.panel_share_grouped > 0.0 && second.panel_share_grouped < 0.5);
    gbl_Matrix *const all[] = {&F, &S, &A, &B};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
    free(order);
}
#endif

/* The second product with rows whose entries are far apart keeps them united, the third reads what
 * is kept, with values of 8 bytes and of 4 and without any, in a mask or not, to the bit. */
GB_TEST(mxm_groups, panels_are_kept) {
    const t_NamedRing rings[] = {t_plus_times(),
                                 {"MIN_PLUS_FP32", GBL_MIN_PLUS_SEMIRING_FP32, GBL_FP32},
                                 {"PLUS_PAIR_INT64", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64}};
    static const gbl_Desc_Value workflows[] = {GBL_WORKFLOW_AS_THEY_ARE, GBL_WORKFLOW_GROUPED};
    enum { N = 5000 };
    gbl_Matrix B = NULL;
    gbl_Index *rows = random_order(N, 1);
    OK(gbl_generate(&B, GBL_FP64, "band:5000:5"));
    for (size_t n = 0; n < T_COUNT(rings); n++) {
        gbl_Matrix S = shuffled(B, rows, rows), A = NULL;
        OK(gbl_Matrix_new(&A, n == 1 ? GBL_FP32 : GBL_FP64, N, N));
        OK(gbl_Matrix_apply(A, NULL, NULL, n == 1 ? GBL_IDENTITY_FP32 : GBL_IDENTITY_FP64, S,
                            NULL));
        OK(gbl_Matrix_free(&S));
        for (int masked = 0; masked < 2; masked++) {
            const t_Mask mask = masked == 0 ? T_NO_MASK : T_STRUCTURAL;
            gbl_Matrix C = t_mxm(rings[n].semiring, rings[n].type, A, A, masked == 0 ? NULL : A,
                                 &(t_Flags){.method = GBL_METHOD_ROWWISE,
                                            .mask = mask,
                                            .accumulators = GBL_ACCUMULATE_HASH});
            t_Tuples expected = t_tuples_of(C);
            OK(gbl_Matrix_free(&C));
            for (int k = 0; k < 4; k++) {
                t_case("%s, masked %d, product %d", rings[n].name, masked, k);
                C = t_mxm(rings[n].semiring, rings[n].type, A, A, masked == 0 ? NULL : A,
                          &(t_Flags){.method = GBL_METHOD_PANEL,
                                     .mask = mask,
                                     .workflow = workflows[k % 2]});
                const gbl_Explanation why = t_explain(C);
                if (masked == 0) CHECK_EQ(why.panels_kept, k >= 2);
                t_expect_tuples(&expected, C);
                OK(gbl_Matrix_free(&C));
            }
            t_tuples_free(&expected);
        }
        OK(gbl_Matrix_free(&A));
    }
    OK(gbl_Matrix_free(&B));
    free(rows);
}

static const t_Flags NEIGHBOURS = {.method = GBL_METHOD_PANEL,
                                   .workflow = GBL_WORKFLOW_AS_THEY_ARE};

/* Seconds that multiplying by panels of neighbours is predicted to take. */
static double panel_seconds(const t_NamedRing *ring, gbl_Matrix A) {
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    gbl_Index n = 0;
    gbl_Descriptor desc = t_descriptor(&NEIGHBOURS);
    OK(gbl_Matrix_nrows(&n, A));
    gbl_Matrix C = t_new_matrix(ring->type, n, n);
    OK(gbl_mxm_plan(&plan, C, NULL, NULL, ring->semiring, A, A, desc));
    FREE(C, desc);
    cr_assert_str_eq(plan.candidates[plan.chosen].workflow, "rows");
    return plan.candidates[plan.chosen].seconds_kernel;
}

static bool by_panels(const t_NamedRing *ring, gbl_Matrix A) {
    gbl_Matrix C = t_mxm(ring->semiring, ring->type, A, A, NULL, &NEIGHBOURS);
    const gbl_Explanation why = t_explain(C);
    OK(gbl_Matrix_free(&C));
    return why.panels_kept;
}

/* Panels kept without values are nothing to a product that reads values: it is not priced as if
 * they were, and keeps its own. Nor are any to a product that casts them. */
GB_TEST(mxm_groups, panels_of_a_pattern_and_of_values) {
    const t_NamedRing times = t_plus_times(),
                      pair = {"PLUS_PAIR_INT64", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64},
                      casting = {"PLUS_TIMES_INT64", GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64};
    enum { N = 5000 };
    gbl_Matrix B = NULL;
    gbl_Index *rows = random_order(N, 1);
    OK(gbl_generate(&B, GBL_FP64, "band:5000:5"));
    gbl_Matrix A = shuffled(B, rows, rows);
    const double read = panel_seconds(&times, A), cast = panel_seconds(&casting, A);
    const double counted = panel_seconds(&pair, A);
    for (int k = 0; k < 3; k++) CHECK_EQ(by_panels(&pair, A), k >= 1);
    CHECK(panel_seconds(&pair, A) < 0.9 * counted);
    const double unkept = panel_seconds(&times, A);
    t_case("predicted %g before, %g after", read, unkept); /* as much but for the last bits */
    CHECK(unkept > 0.9 * read);
    for (int k = 0; k < 3; k++) CHECK_EQ(by_panels(&times, A), k >= 1);
    CHECK(panel_seconds(&times, A) < 0.9 * read);
    CHECK(panel_seconds(&casting, A) > 0.9 * cast);
    CHECK(!by_panels(&casting, A) && by_panels(&pair, A));
    FREE(A, B);
    free(rows);
}

/* Where no rows are alike the planner leaves it alone; asked for, it is done all the same, but not
 * with a limit of memory. */
GB_TEST(mxm_groups, groups_are_asked_for) {
    const t_NamedRing ring = t_plus_times();
    gbl_Matrix A = NULL;
    gbl_Descriptor desc =
        t_descriptor(&(t_Flags){.method = GBL_METHOD_PANEL, .workflow = GBL_WORKFLOW_GROUPED});
    OK(gbl_generate(&A, GBL_FP64, "er:11:12"));
    const gbl_Explanation why = product_of(A, A);
    CHECK_EQ(why.rows_grouped, 0);
    gbl_Matrix C =
        t_mxm(ring.semiring, ring.type, A, A, NULL,
              &(t_Flags){.method = GBL_METHOD_ROWWISE, .accumulators = GBL_ACCUMULATE_HASH});
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    C = t_mxm(ring.semiring, ring.type, A, A, NULL,
              &(t_Flags){.method = GBL_METHOD_PANEL, .workflow = GBL_WORKFLOW_GROUPED});
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, INT64_C(64) << 20, GBL_MEMORY_LIMIT));
    CHECK_EQ(gbl_mxm(C, NULL, NULL, ring.semiring, A, A, desc), GBL_INVALID_VALUE);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    FREE(C, A, desc);
}
