/* SPDX-License-Identifier: Apache-2.0
 *
 * Chains of products: results against the oracle and against every order, with masks, accumulators
 * and transposes; failures leave everything as it was.
 */
#include <gblite_io.h>
#include <string.h>

#include "support/errors.h"

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
        o_free(&c->dense[f]);
        OK(gbl_Matrix_free(&c->A[f]));
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

static const t_Ring *find_ring(gbl_Semiring handle) {
    for (size_t k = 0; k < t_ring_count; k++)
        if (*t_rings[k].handle == handle) return &t_rings[k];
    cr_assert(false, "the semiring is in the table");
    return NULL;
}

static void check_case(uint64_t seed, int n, gbl_Semiring handle) {
    const t_Flags flags = t_flags((unsigned)((seed * 37) % T_FLAGS_ALL));
    t_case("seed %llu, %d factors, %s", (unsigned long long)seed, n, t_flags_text(&flags));
    chain c = chain_new(seed, n, flags.tran0, flags.tran1);
    t_Random r = t_random(seed + 1000);
    const o_Ring ring = t_ring(find_ring(handle));
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
    OK(gbl_mxm_chain(found, mask, flags.accum ? accum.handle : NULL, handle, c.A, n, desc));
    oracle_chain(&C, &c, &rule, &ring);
    t_expect("chain", &C, found, 0);
    for (int f = 0; f < n; f++) t_expect("factor", &c.dense[f], c.A[f], 0);
    o_free(&C);
    o_free(&M);
    FREE(found, mask, desc);
    chain_free(&c);
}

GB_TEST(mxm_chain, oracle) {
    for (uint64_t seed = 0; seed < 160; seed++)
        check_case(seed, 2 + (int)(seed % 6), seed % 3 == 0 ? GBL_MIN_PLUS_SEMIRING_INT64 : RING);
}

/* The products of an order, as its steps say. */
static gbl_Matrix follow(const chain *c, const gbl_ChainOrder *order) {
    gbl_Matrix left[MOST] = {NULL};
    gbl_Index rows[MOST], columns[MOST];
    int n = c->n;
    for (int f = 0; f < n; f++) {
        OK(gbl_Matrix_dup(&left[f], c->A[f]));
        rows[f] = c->shape[f];
        columns[f] = c->shape[f + 1];
    }
    for (int s = 0; s + 1 < c->n; s++, n--) {
        const int at = order->step[s];
        CHECK(at + 1 < n);
        gbl_Matrix product = t_new_matrix(GBL_INT64, rows[at], columns[at + 1]);
        OK(gbl_mxm(product, NULL, NULL, RING, left[at], left[at + 1], NULL));
        FREE(left[at], left[at + 1]);
        left[at] = product;
        columns[at] = columns[at + 1];
        for (int k = at + 1; k + 1 < n; k++) {
            left[k] = left[k + 1];
            rows[k] = rows[k + 1];
            columns[k] = columns[k + 1];
        }
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
            gbl_Matrix D = follow(&c, &plan.orders[k]);
            t_expect(plan.orders[k].text, &expected, D, 0);
            OK(gbl_Matrix_free(&D));
            CHECK(plan.orders[plan.chosen].seconds <= plan.orders[k].seconds * (1 + 1e-12));
        }
        o_free(&expected);
        OK(gbl_Matrix_free(&C));
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
    o_free(&expected);
    FREE(A, B, C);
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
    o_free(&C);
    OK(gbl_Matrix_free(&found));
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
    o_free(&right);
    o_free(&before);
    OK(gbl_Matrix_free(&C));
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
