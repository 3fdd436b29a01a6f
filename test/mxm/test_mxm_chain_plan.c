/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of chains: expected multiplications and entries against true ones, and the orders that
 * follow for documented inputs.
 */
#include <gblite_io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/gb_test.h"

#define RING GBL_PLUS_TIMES_SEMIRING_FP64

enum { MOST = 6 };

typedef struct {
    const char *factors[MOST]; /* specs; ' behind one transposes it */
    const char *order;
} golden;

static gbl_Matrix load(const char *text) {
    char spec[64];
    gbl_Matrix A = NULL;
    gbl_Index nrows = 0, ncols = 0;
    snprintf(spec, sizeof spec, "%s", text);
    char *mark = strchr(spec, '\'');
    if (mark != NULL) *mark = '\0';
    OK(gbl_generate(&A, GBL_FP64, spec));
    if (mark == NULL) return A;
    OK(gbl_Matrix_nrows(&nrows, A));
    OK(gbl_Matrix_ncols(&ncols, A));
    gbl_Matrix T = t_new_matrix(GBL_FP64, ncols, nrows);
    OK(gbl_transpose(T, NULL, NULL, A, NULL));
    OK(gbl_Matrix_free(&A));
    return T;
}

static int load_all(gbl_Matrix *A, const golden *g) {
    int n = 0;
    while (n < MOST && g->factors[n] != NULL) {
        A[n] = load(g->factors[n]);
        n++;
    }
    return n;
}

static void free_all(gbl_Matrix *A, int n) {
    for (int f = 0; f < n; f++) OK(gbl_Matrix_free(&A[f]));
}

/* True multiplications of all products of an order, and entries of all but the last. */
static void follow(const gbl_ChainOrder *order, const gbl_Matrix *A, int count, double *flops,
                   double *entries) {
    gbl_Matrix left[MOST] = {NULL};
    int n = count;
    *flops = *entries = 0.0;
    for (int f = 0; f < n; f++) OK(gbl_Matrix_dup(&left[f], A[f]));
    for (int s = 0; s + 1 < count; s++, n--) {
        const int at = order->step[s];
        gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
        gbl_Index nvals = 0;
        OK(gbl_mxm_estimate(&e, RING, left[at], left[at + 1], NULL));
        gbl_Matrix product = t_new_matrix(GBL_FP64, e.nrows, e.ncols);
        OK(gbl_mxm(product, NULL, NULL, RING, left[at], left[at + 1], NULL));
        OK(gbl_Matrix_nvals(&nvals, product));
        *flops += (double)e.flops;
        if (s + 2 < count) *entries += (double)nvals;
        FREE(left[at], left[at + 1]);
        left[at] = product;
        for (int k = at + 1; k + 1 < n; k++) left[k] = left[k + 1];
    }
    OK(gbl_Matrix_free(&left[0]));
}

static const golden CHAINS[] = {
    /* R*A*P: both orders do about the same */
    {{"rect:8000:1000:1'", "fem:20:1", "rect:8000:1000:1"}, NULL},
    {{"rect:8192:1000:4'", "er:13:6", "rect:8192:1000:4"}, NULL},
    /* narrow factors pull the products to their side */
    {{"rmat:11:8", "rmat:11:8", "rect:2048:8:1"}, "A1 (A2 A3)"},
    {{"rect:2048:8:1'", "rmat:11:8", "rmat:11:8"}, "(A1 A2) A3"},
    {{"er:12:4", "er:12:4", "er:12:4", "rect:4096:4:1"}, "A1 (A2 (A3 A4))"},
    {{"rect:4096:4:1'", "er:12:4", "er:12:4", "er:12:4"}, "((A1 A2) A3) A4"},
    {{"rect:2000:30:2", "rect:30:2000:30", "rect:2000:10:2"}, "A1 (A2 A3)"},
    {{"rect:3000:100:2", "rect:100:3000:60", "rect:3000:90:2", "rect:90:2500:9"}, NULL},
    /* powers of random graphs grow, so that halves are cheaper than one long arm */
    {{"er:12:4", "er:12:4", "er:12:4", "er:12:4"}, "(A1 A2) (A3 A4)"},
    {{"band:3000:2", "band:3000:2", "band:3000:2", "band:3000:2", "band:3000:2"}, NULL},
};

static void check_close(const char *what, double expected, double found) {
    cr_assert(fabs(found - expected) <= 0.15 * expected, "%s: %g expected, %g found\n  case: %s",
              what, found, expected, t_case_text());
}

GB_TEST(mxm_chain_plan, expected_work_is_close) {
    for (size_t k = 0; k < T_COUNT(CHAINS); k++) {
        gbl_Matrix A[MOST];
        gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
        const int n = load_all(A, &CHAINS[k]);
        OK(gbl_mxm_chain_plan(&plan, RING, A, n, NULL));
        for (int o = 0; o < plan.norders; o++) {
            double flops, entries;
            t_case("chain %zu, %s", k, plan.orders[o].text);
            follow(&plan.orders[o], A, n, &flops, &entries);
            check_close("multiplications", flops, plan.orders[o].flops);
            check_close("entries", entries, plan.orders[o].entries);
        }
        free_all(A, n);
    }
}

GB_TEST(mxm_chain_plan, documented_orders) {
    for (size_t k = 0; k < T_COUNT(CHAINS); k++) {
        gbl_Matrix A[MOST];
        gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
        if (CHAINS[k].order == NULL) continue;
        const int n = load_all(A, &CHAINS[k]);
        OK(gbl_mxm_chain_plan(&plan, RING, A, n, NULL));
        const char *text = plan.orders[plan.chosen].text;
        cr_assert_str_eq(text, CHAINS[k].order, "chain %zu: %s", k, text);
        free_all(A, n);
    }
}

GB_TEST(mxm_chain_plan, same_with_any_number_of_threads) {
    const golden chain = {{"rmat:11:8", "er:11:5", "fem:8:4", "rmat:11:4", "er:11:3", "er:11:2"},
                          NULL};
    gbl_Matrix A[MOST];
    gbl_ChainPlan first = GBL_CHAIN_PLAN_INIT, plan = GBL_CHAIN_PLAN_INIT;
    const int n = load_all(A, &chain);
    for (int threads = 1; threads <= 5; threads += 2) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_mxm_chain_plan(&plan, RING, A, n, NULL));
        plan.seconds_plan = 0.0;
        if (threads == 1) memcpy(&first, &plan, sizeof plan);
        CHECK_EQ(plan.norders, 3);
        for (int o = 0; o < plan.norders; o++) {
            CHECK(plan.orders[o].flops == first.orders[o].flops);
            CHECK(plan.orders[o].entries == first.orders[o].entries);
            CHECK(strcmp(plan.orders[o].text, first.orders[o].text) == 0);
        }
    }
    free_all(A, n);
}

/* Transposing by the descriptor, or beforehand. */
GB_TEST(mxm_chain_plan, transposes_are_seen) {
    gbl_Matrix A[MOST], B[MOST];
    gbl_ChainPlan a = GBL_CHAIN_PLAN_INIT, b = GBL_CHAIN_PLAN_INIT;
    A[0] = load("rect:2048:40:2");
    A[1] = load("er:11:4");
    A[2] = load("rect:60:2048:9");
    B[0] = load("rect:2048:40:2'");
    B[1] = load("er:11:4");
    B[2] = load("rect:60:2048:9'");
    OK(gbl_mxm_chain_plan(&a, RING, A, 3, GBL_DESC_T0T1));
    OK(gbl_mxm_chain_plan(&b, RING, B, 3, NULL));
    CHECK_EQ(a.chosen, b.chosen);
    for (int o = 0; o < 2; o++) {
        CHECK(a.orders[o].flops == b.orders[o].flops);
        CHECK(a.orders[o].entries == b.orders[o].entries);
    }
    free_all(A, 3);
    free_all(B, 3);
}
