/* SPDX-License-Identifier: Apache-2.0
 *
 * What the planner chooses, and that every choice gives the same entries: workflows of the row-wise
 * product, accumulators per row, dot against rowwise, push against pull, conversions that are made
 * only once they repay themselves, and methods that are forced.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <stdlib.h>
#include <string.h>

#include "mxm/machine/machine.h"
#include "mxm/keep_rows.h"

/* Random n x ncols INT64 matrix with about `degree` entries a row. */
static gbl_Matrix random_matrix(gbl_Index n, gbl_Index ncols, unsigned degree, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_INT64, n, ncols);
    for (gbl_Index i = 0; i < n; i++)
        for (unsigned k = 0; k < degree; k++)
            OK(gbl_Matrix_setElement_INT64(A, (int64_t)t_below(&r, 9) - 4, i, t_below(&r, ncols)));
    return A;
}

/* The same entries with the same values. */
static void expect_equal(gbl_Matrix A, gbl_Matrix B) {
    gbl_Index n = t_nvals(A), m = t_nvals(B);
    CHECK_EQ(n, m);
    gbl_Index *at = malloc((n + 1) * 4 * sizeof *at);
    int64_t *x = malloc((n + 1) * 2 * sizeof *x);
    CHECK(at != NULL && x != NULL);
    OK(gbl_Matrix_extractTuples_INT64(at, at + n, x, &n, A));
    OK(gbl_Matrix_extractTuples_INT64(at + 2 * n, at + 3 * n, x + n, &m, B));
    CHECK(memcmp(at, at + 2 * n, 2 * n * sizeof *at) == 0);
    CHECK(memcmp(x, x + n, n * sizeof *x) == 0);
    free(at);
    free(x);
}

static gbl_Matrix multiply(gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, gbl_Descriptor desc,
                           gbl_Explanation *why) {
    const gbl_Index m = t_nrows(A), n = t_ncols(B);
    gbl_Matrix C = t_new_matrix(GBL_INT64, m, n);
    OK(gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, desc));
    OK(gbl_Matrix_explain(why, C));
    return C;
}

GB_TEST(mxm_choice, symbolic_equals_upper_bound) {
    gbl_Descriptor descs[] = {NULL, GBL_DESC_S, GBL_DESC_SC};
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = random_matrix(300, 200, 12, 1), B = random_matrix(200, 400, 9, 2);
    gbl_Matrix M = random_matrix(300, 400, 60, 3);
    for (size_t d = 0; d < T_COUNT(descs); d++) {
        t_case("mask %zu", d);
        gbl_Descriptor rowwise = NULL;
        int32_t mask = 0;
        OK(gbl_Descriptor_new(&rowwise));
        if (d > 0) OK(gbl_Descriptor_get_INT32(descs[d], &mask, GBL_MASK));
        OK(gbl_Descriptor_set_INT32(rowwise, mask, GBL_MASK));
        OK(gbl_Descriptor_set_INT32(rowwise, GBL_METHOD_ROWWISE, GBL_METHOD));
        OK(gbl_Descriptor_set(rowwise, GBL_WORKFLOW, GBL_WORKFLOW_UPPER_BOUND));
        gbl_Matrix bound = multiply(A, B, d > 0 ? M : NULL, rowwise, &why);
        CHECK(strcmp(why.workflow, "upper bound") == 0);
        OK(gbl_Descriptor_set(rowwise, GBL_WORKFLOW, GBL_WORKFLOW_SYMBOLIC));
        gbl_Matrix counted = multiply(A, B, d > 0 ? M : NULL, rowwise, &why);
        CHECK(strcmp(why.workflow, "symbolic") == 0);
        expect_equal(bound, counted);
        FREE(bound, counted, rowwise);
    }
    FREE(A, B, M);
}

/* Columns moved far apart make C too wide for the dense array: the same sums from hashed rows. */
GB_TEST(mxm_choice, hashed_rows_equal_dense_rows) {
    enum { INNER = 120, NARROW = 500, STEP = 40009 };
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = random_matrix(80, INNER, 30, 4), B = random_matrix(INNER, NARROW, 25, 5);
    gbl_Matrix wide = t_new_matrix(GBL_INT64, INNER, (gbl_Index)NARROW * STEP);
    gbl_Index n = t_nvals(B);
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    int64_t *x = malloc(n * sizeof *x);
    OK(gbl_Matrix_extractTuples_INT64(I, J, x, &n, B));
    for (gbl_Index k = 0; k < n; k++) J[k] *= STEP;
    OK(gbl_Matrix_build_INT64(wide, I, J, x, n, NULL));
    t_keep_rows(wide);
    free(I), free(J), free(x);
    gbl_Matrix narrow = multiply(A, B, NULL, NULL, &why);
    gbl_Matrix C = multiply(A, wide, NULL, NULL, &why);
    CHECK(why.rows_hashed > 0);
    OK(gbl_Matrix_nvals(&n, C));
    I = malloc(n * sizeof *I), J = malloc(n * sizeof *J), x = malloc(n * sizeof *x);
    OK(gbl_Matrix_extractTuples_INT64(I, J, x, &n, C));
    for (gbl_Index k = 0; k < n; k++) J[k] /= STEP;
    gbl_Matrix spread = t_new_matrix(GBL_INT64, 80, NARROW);
    OK(gbl_Matrix_build_INT64(spread, I, J, x, n, NULL));
    expect_equal(narrow, spread);
    free(I), free(J), free(x);
    gbl_Matrix *all[] = {&A, &B, &wide, &narrow, &C, &spread};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

GB_TEST(mxm_choice, dot_for_a_sparse_mask) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = random_matrix(400, 400, 20, 6), M = random_matrix(400, 400, 1, 7);
    gbl_Matrix dot = multiply(A, A, M, GBL_DESC_ST1, &why);
    CHECK(strcmp(why.method, "dot") == 0);
    CHECK(strstr(why.reason, "rowwise") != NULL);
    gbl_Descriptor rowwise = NULL;
    OK(gbl_Descriptor_new(&rowwise));
    OK(gbl_Descriptor_set(rowwise, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set(rowwise, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Descriptor_set(rowwise, GBL_INP1, GBL_TRAN));
    gbl_Matrix rows = multiply(A, A, M, rowwise, &why);
    CHECK(strcmp(why.method, "rowwise") == 0);
    expect_equal(dot, rows);
    gbl_Matrix *all[] = {&A, &M, &dot, &rows};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
    OK(gbl_Descriptor_free(&rowwise));
}

/* What is taken is predicted to be as fast as the fastest, but for a tie. */
static bool is_fastest(const gbl_Explanation *why) {
    for (int k = 0; k < why->ncandidates; k++) {
        const gbl_Candidate *c = &why->candidates[k];
        if (c->legal && why->seconds_predicted > 1.06 * c->seconds) return false;
    }
    return why->ncandidates > 0;
}

/* Outer products for large products that hardly fall together, and only for those; and not where
 * small caches make hundreds of slices of them. */
GB_TEST(mxm_choice, outer_where_products_hardly_meet) {
    static const struct {
        const char *spec, *method;
#ifdef GB_TINY
    } cases[] = {{"rmat:14:9", "rowwise"}, {"er:14:16", "rowwise"}};
#else
    } cases[] = {{"er:12:8", "rowwise"}, {"rmat:14:9", "rowwise"}, {"er:16:16", "outer"}};
#endif
    gbl_Descriptor rowwise = NULL;
    OK(gbl_Descriptor_new(&rowwise));
    OK(gbl_Descriptor_set(rowwise, GBL_METHOD, GBL_METHOD_ROWWISE));
    for (int k = 0; k < 1000; k++) gb_machine_count_product(UINT64_MAX); /* fresh pages are paid */
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        if (t_left_out()) continue;
        gbl_Explanation why = GBL_EXPLANATION_INIT, asked = GBL_EXPLANATION_INIT;
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_INT64, cases[k].spec));
        gbl_Matrix C = multiply(A, A, NULL, NULL, &why), D = multiply(A, A, NULL, rowwise, &asked);
        t_case("%s: %s", cases[k].spec, why.reason);
        CHECK(strcmp(why.method, cases[k].method) == 0);
        CHECK(strstr(why.reason, cases[k].method) != NULL);
        CHECK(is_fastest(&why));
        expect_equal(C, D);
        FREE(A, C, D);
    }
    OK(gbl_Descriptor_free(&rowwise));
}

/* A plan says what the product will do, and changes nothing. */
GB_TEST(mxm_choice, plan_tells_what_will_be_done) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT)); /* both meet the same fresh pages */
    gbl_Explanation plan = GBL_EXPLANATION_INIT, why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = random_matrix(700, 700, 15, 10), M = random_matrix(700, 700, 2, 11);
    const struct {
        gbl_Matrix mask;
        gbl_Descriptor desc;
    } cases[] = {{NULL, NULL}, {NULL, GBL_DESC_T0}, {M, GBL_DESC_S}, {M, GBL_DESC_SC}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("%zu", k);
        gbl_Matrix C = t_new_matrix(GBL_INT64, 700, 700);
        OK(gbl_mxm_plan(&plan, C, cases[k].mask, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A,
                        cases[k].desc));
        CHECK_EQ(t_nvals(C), 0);
        CHECK_EQ(gbl_Matrix_explain(&why, C), GBL_NO_VALUE);
        OK(gbl_Matrix_free(&C));
        C = multiply(A, A, cases[k].mask, cases[k].desc, &why);
        CHECK(strcmp(plan.method, why.method) == 0 && strcmp(plan.workflow, why.workflow) == 0);
        CHECK(plan.ncandidates == why.ncandidates && plan.chosen == why.chosen);
        CHECK(plan.seconds_predicted == why.seconds_predicted && plan.flops == why.flops);
        CHECK(strcmp(plan.reason, why.reason) == 0 && plan.reason[0] != '\0');
        for (int c = 0; c < plan.ncandidates; c++) {
            CHECK(plan.candidates[c].legal == (plan.candidates[c].why_not == NULL));
            CHECK(plan.candidates[c].seconds == why.candidates[c].seconds);
            if (plan.candidates[c].legal)
                CHECK(plan.candidates[c].seconds > 0.0 && plan.candidates[c].bytes > 0);
        }
        CHECK(plan.nvals == 0 && plan.seconds_kernel == 0.0 && why.seconds_kernel > 0.0);
        OK(gbl_Matrix_free(&C));
    }
    FAILS(GBL_NULL_POINTER,
          gbl_mxm_plan(NULL, A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    gbl_Matrix small = random_matrix(7, 7, 2, 12);
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_mxm_plan(&plan, small, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    FREE(small, A, M);
}

/* What method, workflow and accumulators ask for is done or refused, never something else. */
static void expect_taken_or_refused(gbl_Matrix A, gbl_Matrix M, gbl_Desc_Value method,
                                    gbl_Desc_Value workflow, int32_t accumulators) {
    static const char *const workflows[] = {"upper bound", "estimate", "symbolic"};
    const bool by_rows = method == GBL_DEFAULT || method == GBL_METHOD_ROWWISE;
    const bool details = workflow != GBL_DEFAULT || accumulators != 0;
    const bool possible = (by_rows || !details) && (method != GBL_METHOD_DOT || M != NULL);
    gbl_Descriptor desc = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Index n = 1;
    t_case("method %d, workflow %d, accumulators %d, %s", (int)method, (int)workflow,
           (int)accumulators, M != NULL ? "mask" : "no mask");
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, workflow));
    OK(gbl_Descriptor_set_INT32(desc, accumulators, GBL_ACCUMULATORS));
    gbl_Matrix C = t_new_matrix(GBL_INT64, 60, 60);
    const gbl_Info info = gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc);
    CHECK_EQ(info, possible ? GBL_SUCCESS : GBL_INVALID_VALUE);
    if (possible) {
        OK(gbl_Matrix_explain(&why, C));
        if (details || method == GBL_METHOD_ROWWISE) cr_assert_str_eq(why.method, "rowwise");
        if (method == GBL_METHOD_DOT) cr_assert_str_eq(why.method, "dot");
        if (method == GBL_METHOD_OUTER) cr_assert_str_eq(why.method, "outer");
        if (method == GBL_METHOD_TILED) cr_assert_str_eq(why.method, "tiled");
        if (workflow != GBL_DEFAULT)
            cr_assert_str_eq(why.workflow, workflows[workflow - GBL_WORKFLOW_UPPER_BOUND]);
    } else {
        CHECK(strstr(gbl_last_error(), "was asked for, but") != NULL);
        OK(gbl_Matrix_nvals(&n, C));
        CHECK_EQ(n, 0);
    }
    FREE(C, desc);
}

GB_TEST(mxm_choice, what_is_asked_for_is_taken_or_refused) {
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT,      GBL_METHOD_ROWWISE,
                                             GBL_METHOD_DOT,   GBL_METHOD_TILED,
                                             GBL_METHOD_OUTER, GBL_METHOD_VECTOR};
    static const gbl_Desc_Value workflows[] = {GBL_DEFAULT, GBL_WORKFLOW_UPPER_BOUND,
                                               GBL_WORKFLOW_ESTIMATE, GBL_WORKFLOW_SYMBOLIC};
    gbl_Matrix A = random_matrix(60, 60, 8, 21), M = random_matrix(60, 60, 1, 22);
    for (size_t m = 0; m < T_COUNT(methods); m++)
        for (size_t w = 0; w < T_COUNT(workflows); w++)
            for (int k = 0; k < 4; k++)
                expect_taken_or_refused(A, k % 2 == 0 ? NULL : M, methods[m], workflows[w],
                                        k < 2 ? 0 : GBL_ACCUMULATE_HASH);
    FREE(A, M);
}

/* A plan converts nothing, and a product only what the chosen method reads: op(A) by columns serves
 * outer as it is. */
GB_TEST(mxm_choice, plans_convert_nothing) {
    gbl_Matrix A = random_matrix(900, 900, 12, 23), C = NULL;
    gbl_Descriptor outer = NULL;
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    gbl_Formats formats;
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Descriptor_new(&outer));
    OK(gbl_Descriptor_set(outer, GBL_INP0, GBL_TRAN));
    OK(gbl_Matrix_new(&C, GBL_INT64, 900, 900));
    OK(gbl_mxm_plan(&plan, C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, outer));
    CHECK(plan.rows_sampled > 0 && plan.compression_ratio >= 1.0);
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.conversions, 0);
    OK(gbl_Descriptor_set(outer, GBL_METHOD, GBL_METHOD_OUTER));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, outer));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.conversions, 0);
    gbl_Matrix D = NULL;
    gbl_Matrix T = t_new_matrix(GBL_INT64, 900, 900);
    OK(gbl_transpose(T, NULL, NULL, A, NULL));
    D = multiply(T, A, NULL, NULL, &plan);
    expect_equal(C, D);
    gbl_Matrix *all[] = {&A, &C, &D, &T};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
    OK(gbl_Descriptor_free(&outer));
}

GB_TEST(mxm_choice, impossible_methods_say_why) {
    gbl_Matrix A = random_matrix(20, 20, 3, 8), C = NULL;
    static const struct {
        const char *method, *text;
        gbl_Info code;
    } cases[] = {{"dot", "mask", GBL_INVALID_VALUE},
                 {"fastest", "auto, rowwise", GBL_INVALID_VALUE}};
    OK(gbl_Matrix_new(&C, GBL_INT64, 20, 20));
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("GBLITE_METHOD=%s", cases[k].method);
        setenv("GBLITE_METHOD", cases[k].method, 1);
        FAILS(cases[k].code, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
        CHECK(strstr(gbl_last_error(), cases[k].text) != NULL);
        CHECK_EQ(t_nvals(C), 0);
    }
    unsetenv("GBLITE_METHOD");
    FREE(A, C);
}

/* A full vector wants pull, which by u * A needs columns: the first product pushes, since
 * converting would not pay, and after enough of them the columns have been made. */
GB_TEST(mxm_choice, conversion_waits_until_it_pays) {
    enum { N = 3000 };
    gbl_Matrix made = random_matrix(N, N, 8, 9), A = NULL;
    gbl_Vector w = NULL, first = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Formats formats;
    int products = 0;
    OK(gbl_Matrix_dup(&A, made)); /* rows, also where a tiny build begins with a hypersparse one */
    OK(gbl_Matrix_free(&made));
    gbl_Vector u = t_new_vector(GBL_INT64, N);
    OK(gbl_Vector_assign_INT64(u, NULL, NULL, 2, GBL_ALL, N, NULL));
    do {
        OK(gbl_Vector_new(&w, GBL_INT64, N));
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
        OK(gbl_Vector_explain(&why, w));
        if (products++ == 0) {
            CHECK(strcmp(why.method, "push") == 0);
            OK(gbl_Vector_dup(&first, w));
        }
        if (strcmp(why.method, "push") == 0) OK(gbl_Vector_free(&w));
    } while (w == NULL && products < 1000);
    CHECK(w != NULL && products > 1);
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.conversions == 1);
    CHECK((formats.present & GBL_HAS_CSC) != 0);
    for (gbl_Index k = 0; k < N; k++) {
        int64_t x = 0, y = 0;
        const gbl_Info has = gbl_Vector_extractElement_INT64(&x, w, k);
        CHECK_EQ(gbl_Vector_extractElement_INT64(&y, first, k), has);
        CHECK_EQ(x, y);
    }
    FREE(A, u, w, first);
}
