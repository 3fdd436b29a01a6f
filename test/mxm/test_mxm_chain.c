/* SPDX-License-Identifier: Apache-2.0
 *
 * Chains of products: results against the oracle and against every order, with masks, accumulators
 * and transposes; failures leave everything as it was. Plans: expected multiplications and entries
 * against true ones, and the orders that follow for documented inputs.
 */
#include "support/errors.h"
#include "support/gb_test.h"
#include "support/product.h"

#include <gblite_io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RING GBL_PLUS_TIMES_SEMIRING_INT64

enum { MOST = 8 };

/* A chain and the oracle's copy of its factors, as they are stored. */
typedef struct {
    int n;
    gbl_Index shape[MOST + 1]; /* factor f is shape[f] x shape[f + 1] as the product sees it */
    o_Matrix dense[MOST];
    gbl_Matrix A[MOST];
} chain;

static chain chain_new(uint64_t seed, int n, bool tran0, bool tran1) {
    static const gbl_Type_Code types[] = {GBL_INT64_CODE, GBL_INT32_CODE, GBL_UINT16_CODE,
                                          GBL_BOOL_CODE};
    t_Random r = t_random(seed);
    chain c = {.n = n};
    for (int f = 0; f <= n; f++) c.shape[f] = 1 + t_below(&r, 30);
    for (int f = 0; f < n; f++) {
        const bool turned = (f == 0 && tran0) || (f == n - 1 && tran1);
        c.dense[f] = t_generate(&r, &(t_Content){.type = o_type(types[t_below(&r, T_COUNT(types))]),
                                                 .nrows = c.shape[turned ? f + 1 : f],
                                                 .ncols = c.shape[turned ? f : f + 1],
                                                 .pattern = (t_Pattern)t_below(&r, T_PATTERNS),
                                                 .density = t_chance(&r, 0.5) ? 0.1 : 0.4,
                                                 .iso = t_chance(&r, 0.2)});
        c.A[f] = t_matrix(&c.dense[f]);
    }
    return c;
}

static void chain_free(chain *c) {
    for (int f = 0; f < c->n; f++) {
        FREE(c->dense[f], c->A[f]);
    }
}

/* From left to right; the last product obeys the rule. */
static void oracle_chain(o_Matrix *C, const chain *c, const o_Rule *rule, const o_Ring *ring) {
    o_Matrix left = o_copy(&c->dense[0]);
    for (int f = 1; f < c->n; f++) {
        const bool last = f == c->n - 1;
        o_Rule plain = {.tran0 = f == 1 && rule->tran0, .tran1 = last && rule->tran1};
        o_Product product = {.ring = ring, .A = &left, .B = &c->dense[f]};
        if (last) {
            o_Rule whole = *rule;
            whole.tran0 = plain.tran0;
            o_mxm(C, &whole, &product);
        } else {
            o_Matrix next = o_new(ring->add.z, c->shape[0], c->shape[f + 1]);
            o_mxm(&next, &plain, &product);
            o_free(&left);
            left = next;
        }
    }
    o_free(&left);
}

static void check_case(uint64_t seed, int n, const t_Ring *entry) {
    const t_Flags flags = t_flags((unsigned)((seed * 37) % T_FLAGS_ALL));
    t_case("seed %llu, %d factors, %s", (unsigned long long)seed, n, t_flags_text(&flags));
    chain c = chain_new(seed, n, flags.tran0, flags.tran1);
    t_Random r = t_random(seed + 1000);
    const o_Ring ring = t_ring(entry);
    const o_Binary accum = t_find_binary(O_PLUS, GBL_INT64_CODE);
    const gbl_Index nrows = c.shape[0], ncols = c.shape[n];
    o_Matrix C = t_generate(
        &r, &(t_Content){
                .type = o_type(GBL_INT64_CODE), .nrows = nrows, .ncols = ncols, .density = 0.3});
    o_Matrix M = t_generate(
        &r, &(t_Content){
                .type = o_type(GBL_INT8_CODE), .nrows = nrows, .ncols = ncols, .density = 0.4});
    const o_Rule rule = t_rule(&flags, &M, &accum);
    gbl_Matrix found = t_matrix(&C), mask = t_has_mask(flags.mask) ? t_matrix(&M) : NULL;
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_mxm_chain(found, mask, flags.accum ? accum.handle : NULL, ring.handle, c.A, n, desc));
    oracle_chain(&C, &c, &rule, &ring);
    t_expect("chain", &C, found, 0);
    for (int f = 0; f < n; f++) t_expect("factor", &c.dense[f], c.A[f], 0);
    FREE(C, M, found, mask, desc);
    chain_free(&c);
}

GB_TEST(mxm_chain, oracle) {
    for (uint64_t seed = 0; seed < 160; seed++)
        check_case(seed, 2 + (int)(seed % 6),
                   seed % 3 == 0 ? t_find_ring(O_MIN, O_PLUS, GBL_INT64_CODE)
                                 : t_find_ring(O_PLUS, O_TIMES, GBL_INT64_CODE));
}

/* The product of count factors by an order, over plus-times of this type; how many multiplications
 * it takes, and how many entries the products before the last one have. */
static gbl_Matrix follow(const gbl_ChainOrder *order, const gbl_Matrix *A, int count, gbl_Type type,
                         double *flops, double *entries) {
    const gbl_Semiring ring = type == GBL_FP64 ? GBL_PLUS_TIMES_SEMIRING_FP64 : RING;
    gbl_Matrix left[MOST] = {NULL};
    *flops = *entries = 0.0;
    for (int f = 0; f < count; f++) OK(gbl_Matrix_dup(&left[f], A[f]));
    for (int s = 0, n = count; s + 1 < count; s++, n--) {
        const int at = order->step[s];
        gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
        CHECK(at + 1 < n);
        OK(gbl_mxm_estimate(&e, ring, left[at], left[at + 1], NULL));
        gbl_Matrix product = t_mxm(ring, type, left[at], left[at + 1], NULL, &(t_Flags){0});
        *flops += (double)e.flops;
        if (s + 2 < count) *entries += (double)t_nvals(product);
        FREE(left[at], left[at + 1]);
        left[at] = product;
        for (int k = at + 1; k + 1 < n; k++) left[k] = left[k + 1];
    }
    return left[0];
}

/* Integers wrap, and are associative all the same. */
GB_TEST(mxm_chain, every_order_gives_the_same) {
    static const int orders[] = {0, 0, 1, 2, 5, 14, 3, 3};
    for (uint64_t seed = 300; seed < 330; seed++) {
        chain c = chain_new(seed, 2 + (int)(seed % 6), false, false);
        gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
        t_case("seed %llu, %d factors", (unsigned long long)seed, c.n);
        gbl_Matrix C = t_new_matrix(GBL_INT64, c.shape[0], c.shape[c.n]);
        OK(gbl_mxm_chain(C, NULL, NULL, RING, c.A, c.n, NULL));
        o_Matrix expected = t_dense(C);
        OK(gbl_mxm_chain_plan(&plan, RING, c.A, c.n, NULL));
        CHECK_EQ(plan.nfactors, c.n);
        CHECK_EQ(plan.norders, orders[c.n]);
        for (int k = 0; k < plan.norders; k++) {
            double flops, entries;
            gbl_Matrix D = follow(&plan.orders[k], c.A, c.n, GBL_INT64, &flops, &entries);
            t_expect(plan.orders[k].text, &expected, D, 0);
            OK(gbl_Matrix_free(&D));
            CHECK(plan.orders[plan.chosen].seconds <= plan.orders[k].seconds * (1 + 1e-12));
        }
        FREE(expected, C);
        chain_free(&c);
    }
}

/* 64 permutations: what each does to a place is known. */
GB_TEST(mxm_chain, as_long_as_may_be) {
    enum { N = 97 };
    gbl_Matrix A[GBL_CHAIN_MOST], C = NULL;
    gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
    gbl_Index at[N];
    for (gbl_Index i = 0; i < N; i++) at[i] = i;
    for (int f = 0; f < GBL_CHAIN_MOST; f++) {
        OK(gbl_Matrix_new(&A[f], GBL_INT64, N, N));
        for (gbl_Index i = 0; i < N; i++)
            OK(gbl_Matrix_setElement_INT64(A[f], 1, i, (i * (gbl_Index)(f % 90 + 2) + 3) % N));
        for (gbl_Index i = 0; i < N; i++) at[i] = (at[i] * (gbl_Index)(f % 90 + 2) + 3) % N;
    }
    OK(gbl_Matrix_new(&C, GBL_INT64, N, N));
    OK(gbl_mxm_chain(C, NULL, NULL, RING, A, GBL_CHAIN_MOST, NULL));
    CHECK_EQ(t_nvals(C), N);
    for (gbl_Index i = 0; i < N; i++) {
        int64_t one = 0;
        OK(gbl_Matrix_extractElement_INT64(&one, C, i, at[i]));
        CHECK_EQ(one, 1);
    }
    OK(gbl_mxm_chain_plan(&plan, RING, A, GBL_CHAIN_MOST, NULL));
    const gbl_ChainOrder *o = &plan.orders[plan.chosen];
    CHECK(o->flops == 63.0 * N && o->entries == 62.0 * N);
    CHECK(strstr(o->text, "A64") != NULL && strlen(o->text) < GBL_CHAIN_TEXT - 1);
    for (int f = 0; f < GBL_CHAIN_MOST; f++) OK(gbl_Matrix_free(&A[f]));
    OK(gbl_Matrix_free(&C));
}

GB_TEST(mxm_chain, outputs_that_are_factors) {
    gbl_Matrix A = NULL, B = NULL;
    OK(gbl_generate(&A, GBL_INT64, "er:6:5"));
    OK(gbl_Matrix_dup(&B, A));
    gbl_Matrix C = t_new_matrix(GBL_INT64, 64, 64);
    const gbl_Matrix powers[] = {A, A, A, A};
    OK(gbl_mxm_chain(C, A, NULL, RING, powers, 4, GBL_DESC_S));
    o_Matrix expected = t_dense(C);
    OK(gbl_mxm_chain(A, A, NULL, RING, powers, 4, GBL_DESC_RS));
    t_expect("C is a factor and the mask", &expected, A, 0);
    FREE(expected, A, B, C);
}

GB_TEST(mxm_chain, nothing) {
    const gbl_Index shape[] = {5, 7, 3, 6};
    for (int empty = 0; empty < 3; empty++) {
        gbl_Matrix A[3] = {NULL}, C = NULL;
        gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
        t_case("factor %d is empty", empty);
        for (int f = 0; f < 3; f++) {
            OK(gbl_Matrix_new(&A[f], GBL_INT64, shape[f], shape[f + 1]));
            if (f != empty) OK(gbl_Matrix_setElement_INT64(A[f], 2, 1, 2));
        }
        OK(gbl_Matrix_new(&C, GBL_INT64, 5, 6));
        OK(gbl_Matrix_setElement_INT64(C, 9, 4, 4));
        OK(gbl_mxm_chain(C, NULL, NULL, RING, A, 3, NULL));
        CHECK_EQ(t_nvals(C), 0);
        OK(gbl_mxm_chain_plan(&plan, RING, A, 3, NULL));
        CHECK_EQ(plan.norders, 2);
        for (int f = 0; f < 3; f++) OK(gbl_Matrix_free(&A[f]));
        OK(gbl_Matrix_free(&C));
    }
}

GB_TEST(mxm_chain, user_defined_values) {
    t_User user = t_user_path();
    t_Random r = t_random(7);
    chain c = {.n = 4, .shape = {9, 20, 11, 15, 8}};
    for (int f = 0; f < 4; f++) {
        c.dense[f] = t_generate(&r, &(t_Content){.type = user.type,
                                                 .nrows = c.shape[f],
                                                 .ncols = c.shape[f + 1],
                                                 .density = 0.3});
        c.A[f] = t_matrix(&c.dense[f]);
    }
    o_Matrix C = o_new(user.type, 9, 8);
    gbl_Matrix found = t_matrix(&C);
    OK(gbl_mxm_chain(found, NULL, NULL, user.ring.handle, c.A, 4, NULL));
    oracle_chain(&C, &c, &(o_Rule){.mask = NULL}, &user.ring);
    CHECK_EQ(t_nvals(found), o_count(&C));
    FREE(C, found);
    chain_free(&c);
    t_user_free(&user);
}

/* ------------------------------------------------------------------------------------ errors -- */

ERROR_TEST(mxm_chain, errors) {
    gbl_ChainPlan plan, before;
    memset(&before, 0x5A, sizeof before);
    before.size = sizeof before;
    memcpy(&plan, &before, sizeof plan);
    gbl_Matrix A = t_new_matrix(GBL_INT64, 4, 5), B = t_new_matrix(GBL_INT64, 5, 4);
    gbl_Matrix C = t_new_matrix(GBL_INT64, 4, 4);
    OK(gbl_Matrix_setElement_INT64(C, 3, 1, 1));
    gbl_Matrix ABAB[GBL_CHAIN_MOST + 1] = {A, B, A, B}, AAB[] = {A, A, B}, one[] = {A, NULL, B};
    gbl_Matrix wrong[] = {A, B, WRONG(Matrix)};
    const int64_t blocks = t_blocks();
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain(NULL, NULL, NULL, RING, ABAB, 4, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain(C, NULL, NULL, NULL, ABAB, 4, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain(C, NULL, NULL, RING, NULL, 4, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain(C, NULL, NULL, RING, one, 3, NULL));
    CHECK(strstr(gbl_last_error(), "A[1]") != NULL);
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_chain(C, NULL, NULL, RING, wrong, 3, NULL));
    CHECK(strstr(gbl_last_error(), "A[2]") != NULL);
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_chain(C, NULL, NULL, RING, ABAB, 4, WRONG(Descriptor)));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain(C, NULL, NULL, RING, ABAB, 1, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain(C, NULL, NULL, RING, ABAB, GBL_CHAIN_MOST + 1, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain(C, NULL, NULL, RING, ABAB, -3, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_chain(C, NULL, NULL, RING, AAB, 3, NULL));
    CHECK(strstr(gbl_last_error(), "A[0] has 5 columns and A[1] has 4 rows") != NULL);
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_chain(C, NULL, NULL, RING, ABAB, 4, GBL_DESC_T0));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_chain(A, NULL, NULL, RING, ABAB, 4, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_chain(C, A, NULL, RING, ABAB, 4, NULL));
    /* what it makes it cannot take */
    gbl_Semiring ring = NULL;
    OK(gbl_Semiring_new(&ring, GBL_LOR_MONOID_BOOL, GBL_EQ_INT64));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_chain(C, NULL, NULL, ring, ABAB, 4, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_chain_plan(&plan, ring, ABAB, 4, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain_plan(NULL, RING, ABAB, 4, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_chain_plan(&plan, RING, NULL, 4, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain_plan(&plan, RING, ABAB, 0, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_chain_plan(&plan, RING, AAB, 3, NULL));
    CHECK_EQ(memcmp(&plan, &before, sizeof plan), 0);
    OK(gbl_Semiring_free(&ring));
    CHECK_EQ(t_blocks(), blocks);
    int64_t three = 0;
    OK(gbl_mxm_chain_plan(&plan, RING, ABAB, 4, NULL));
    OK(gbl_Matrix_extractElement_INT64(&three, C, 1, 1));
    CHECK_EQ(three, 3);
    FREE(A, B, C);
}

Test(mxm_chain, before_init) {
    gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
    FAILS(GBL_PANIC, gbl_mxm_chain(NULL, NULL, NULL, NULL, NULL, 0, NULL));
    FAILS(GBL_PANIC, gbl_mxm_chain_plan(&plan, NULL, NULL, 0, NULL));
}

/* The n-th allocation fails, for every n: C is as it was, or right. */
Test(mxm_chain, brutal, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    chain c = chain_new(11, 5, false, false);
    gbl_Matrix C = t_new_matrix(GBL_INT64, c.shape[0], c.shape[5]);
    OK(gbl_mxm_chain(C, NULL, NULL, RING, c.A, 5, NULL));
    o_Matrix right = t_dense(C);
    OK(gbl_Matrix_clear(C));
    OK(gbl_Matrix_setElement_INT64(C, 77, 0, 0));
    OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
    o_Matrix before = t_dense(C);
    bool met = true;
    int64_t n = 1;
    for (; met && n < 3000; n++) {
        t_case("allocation %lld fails", (long long)n);
        gbl_Matrix A[5];
        for (int f = 0; f < 5; f++) OK(gbl_Matrix_dup(&A[f], c.A[f]));
        const int64_t live = t_live();
        t_fail_at(n);
        const gbl_Info info = gbl_mxm_chain(C, NULL, NULL, RING, A, 5, NULL);
        met = t_failed();
        t_fail_at(0);
        CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
        t_expect("C", info == GBL_SUCCESS ? &right : &before, C, 0);
        if (info == GBL_SUCCESS) {
            OK(gbl_Matrix_clear(C));
            OK(gbl_Matrix_setElement_INT64(C, 77, 0, 0));
            OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        }
        CHECK(t_live() >= live - 8);
        for (int f = 0; f < 5; f++) OK(gbl_Matrix_free(&A[f]));
    }
    CHECK(n > 20 && n < 3000);
    FREE(right, before, C);
    chain_free(&c);
}

/* Factors without rows or columns, at every place of the chain: as by gbl_mxm. */
GB_TEST(mxm_chain, dimensions_of_zero) {
    for (int n = 2; n <= 6; n++)
        for (unsigned zeros = 1; zeros < 1u << (n + 1); zeros++) {
            gbl_Index shape[MOST + 1];
            gbl_Matrix A[MOST], C = NULL;
            gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
            t_case("%d factors, zeros %#x", n, zeros);
            for (int f = 0; f <= n; f++) shape[f] = zeros >> f & 1u ? 0 : (gbl_Index)f + 2;
            for (int f = 0; f < n; f++) {
                OK(gbl_Matrix_new(&A[f], GBL_INT64, shape[f], shape[f + 1]));
                for (gbl_Index i = 0; i < shape[f] && shape[f + 1] > 0; i++)
                    OK(gbl_Matrix_setElement_INT64(A[f], 1, i, i % shape[f + 1]));
            }
            OK(gbl_Matrix_new(&C, GBL_INT64, shape[0], shape[n]));
            OK(gbl_mxm_chain_plan(&plan, RING, A, n, NULL));
            for (int o = 0; o < plan.norders; o++) CHECK(plan.orders[o].flops >= 0.0);
            OK(gbl_mxm_chain(C, NULL, NULL, RING, A, n, NULL));
            CHECK_EQ(t_nvals(C), 0);
            OK(gbl_Matrix_free(&C));
            for (int f = 0; f < n; f++) OK(gbl_Matrix_free(&A[f]));
        }
}

/* ------------------------------------------------------------------------------------ plans -- */

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
        OK(gbl_mxm_chain_plan(&plan, GBL_PLUS_TIMES_SEMIRING_FP64, A, n, NULL));
        for (int o = 0; o < plan.norders; o++) {
            double flops, entries;
            t_case("chain %zu, %s", k, plan.orders[o].text);
            gbl_Matrix C = follow(&plan.orders[o], A, n, GBL_FP64, &flops, &entries);
            OK(gbl_Matrix_free(&C));
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
        OK(gbl_mxm_chain_plan(&plan, GBL_PLUS_TIMES_SEMIRING_FP64, A, n, NULL));
        const char *text = plan.orders[plan.chosen].text;
        cr_assert_str_eq(text, CHAINS[k].order, "chain %zu: %s", k, text);
        free_all(A, n);
    }
}

GB_TEST(mxm_chain_plan, same_with_any_number_of_threads) {
    const golden six = {{"rmat:11:8", "er:11:5", "fem:8:4", "rmat:11:4", "er:11:3", "er:11:2"},
                        NULL};
    gbl_Matrix A[MOST];
    gbl_ChainPlan first = GBL_CHAIN_PLAN_INIT, plan = GBL_CHAIN_PLAN_INIT;
    const int n = load_all(A, &six);
    for (int threads = 1; threads <= 5; threads += 2) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_mxm_chain_plan(&plan, GBL_PLUS_TIMES_SEMIRING_FP64, A, n, NULL));
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
    OK(gbl_mxm_chain_plan(&a, GBL_PLUS_TIMES_SEMIRING_FP64, A, 3, GBL_DESC_T0T1));
    OK(gbl_mxm_chain_plan(&b, GBL_PLUS_TIMES_SEMIRING_FP64, B, 3, NULL));
    CHECK_EQ(a.chosen, b.chosen);
    for (int o = 0; o < 2; o++) {
        CHECK(a.orders[o].flops == b.orders[o].flops);
        CHECK(a.orders[o].entries == b.orders[o].entries);
    }
    free_all(A, 3);
    free_all(B, 3);
}
