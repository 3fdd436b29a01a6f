/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are put off: which are, and which are summed without being stored, ended by select
 * and apply, made again, or never made; the n-th allocation fails wherever one is completed. Random
 * sequences: test_deferred_random.c; threads: plain_deferred.c.
 */
#include "deferred_matrix.h"

#include "lazy/operations.h"

#include <string.h>

/* -- what becomes of a product ----------------------------------------------------------------- */

typedef struct {
    gbl_Matrix A, B, M, C;
    o_Matrix product;
    int64_t sum;
} Operands;

/* C<M> = A * B is put off; its content and its sum are known. */
static Operands put_off(void) {
    /* with tiny samples a fuller mask is PANEL's, which stores what it makes */
    const double fill = GB_DEFER_LEAST > 1 ? 0.7 : 0.1;
    t_Random r = t_random(7);
    Operands o = {.A = random_matrix(&r, GBL_INT64_CODE, 0.3),
                  .B = random_matrix(&r, GBL_INT64_CODE, 0.3),
                  .M = random_matrix(&r, GBL_BOOL_CODE, fill)};
    OK(gbl_Matrix_new(&o.C, GBL_INT64, SIDE, SIDE));
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_S));
    o.product = t_dense(o.C);
    OK(gbl_Matrix_reduce_INT64(&o.sum, NULL, SUM, o.C, NULL));
    OK(gbl_Matrix_clear(o.C));
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_S));
    CHECK(gb_is_deferred(&o.C->m) && gb_is_deferred(&o.A->m));
    return o;
}

static void leave(Operands *o) {
    FREE(o->A, o->B, o->M, o->C, o->product);
}

static void expect_sum(const Operands *o, gbl_Matrix C) {
    int64_t sum = 0;
    OK(gbl_Matrix_reduce_INT64(&sum, NULL, SUM, C, NULL));
    CHECK_EQ(sum, o->sum);
}

/* Enough products that nobody reads to pay for any number that somebody does. */
static void save_up(Operands *o) {
    for (unsigned k = 0; k < 4 * GB_FOLDS_WORTH; k++) {
        gbl_Matrix C = t_new_matrix(GBL_INT64, SIDE, SIDE);
        OK(gbl_Matrix_wait(o->C, GBL_COMPLETE));
        OK(gbl_mxm(C, o->M, NULL, RING, o->A, o->B, GBL_DESC_S));
        expect_sum(o, C);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_RS));
}

GB_TEST(deferred, a_sum_is_formed_without_storing_the_product) {
    Operands o = put_off();
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    char text[20000];
    size_t size = sizeof text;
    save_up(&o);
    expect_sum(&o, o.C);
    CHECK(gb_is_deferred(&o.C->m));
    OK(gbl_Matrix_explain(&how, o.C));
    CHECK(how.folded && strcmp(how.method, "dot") == 0 && how.nvals > 0);
    OK(gbl_Explanation_text(text, &size, &how));
    CHECK(strstr(text, "folded to a value") != NULL);
    CHECK(gb_is_deferred(&o.C->m));
    CHECK_EQ(o.C->m.nvals, 0);
    t_expect("read after its sum", &o.product, o.C, 0);
    CHECK(!gb_is_deferred(&o.C->m) && !gb_is_deferred(&o.A->m) && !gb_is_deferred(&o.M->m));
    OK(gbl_Matrix_explain(&how, o.C));
    CHECK(!how.folded);
    leave(&o);
}

/* At once after GB_FOLDS_WORTH products that were left, and not once more. */
GB_TEST(deferred, products_are_not_made_again_and_again) {
    Operands o = put_off();
    int folded = 0;
    save_up(&o);
    for (unsigned k = 0; k < 5 * GB_FOLDS_WORTH; k++) {
        expect_sum(&o, o.C);
        folded += gb_is_deferred(&o.C->m);
        t_expect("read after its sum", &o.product, o.C, 0);
        OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_RS));
    }
    CHECK(folded > 0 && folded <= 5 + 1);
    leave(&o);
}

GB_TEST(deferred, a_second_sum_reads_the_product) {
    Operands o = put_off();
    save_up(&o);
    expect_sum(&o, o.C);
    CHECK(gb_is_deferred(&o.C->m));
    expect_sum(&o, o.C);
    CHECK(!gb_is_deferred(&o.C->m));
    leave(&o);
}

/* C<M> = A * B; C = C where C > 2; C = -C: put off, and what it gives when each is made at once. */
static void end_product(const Operands *o) {
    OK(gbl_Matrix_select_INT64(o->C, NULL, NULL, GBL_VALUEGT_INT64, o->C, 2, NULL));
    OK(gbl_Matrix_apply(o->C, NULL, NULL, GBL_AINV_INT64, o->C, NULL));
}

static void put_off_with_ends(Operands *o) {
    *o = put_off();
    OK(gbl_Matrix_wait(o->C, GBL_COMPLETE));
    end_product(o);
    OK(gbl_Matrix_wait(o->C, GBL_COMPLETE));
    o_free(&o->product);
    o->product = t_dense(o->C);
    OK(gbl_Matrix_reduce_INT64(&o->sum, NULL, SUM, o->C, NULL));
    OK(gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_RS));
    end_product(o);
    CHECK(gb_is_deferred(&o->C->m) && gb_is_deferred(&o->A->m));
}

GB_TEST(deferred, select_and_apply_in_place_end_a_product) {
    Operands o;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    char text[20000];
    size_t size = sizeof text;
    put_off_with_ends(&o);
    OK(gbl_Matrix_explain(&how, o.C));
    CHECK(!gb_is_deferred(&o.C->m) && !gb_is_deferred(&o.A->m));
    CHECK(strcmp(how.operation, "mxm") == 0 && how.fused == 3 && how.filtered);
    OK(gbl_Explanation_text(text, &size, &how));
    CHECK(strstr(text, "rows filtered before they were stored") != NULL);
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
    put_off_with_ends(&o);
    expect_sum(&o, o.C);
    leave(&o);
    put_off_with_ends(&o);
    OK(gbl_Matrix_free(&o.B));
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
    put_off_with_ends(&o);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_select_INT64(o.C, NULL, NULL, NULL, o.C, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_apply(o.C, NULL, NULL, NULL, o.C, NULL));
    CHECK(gb_is_deferred(&o.C->m));
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
}

GB_TEST(deferred, inputs_may_change_at_once) {
    Operands o = put_off();
    OK(gbl_Matrix_setElement_INT64(o.A, 1000, 0, 0));
    CHECK(!gb_is_deferred(&o.C->m));
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
    o = put_off();
    OK(gbl_mxm(o.M, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, o.M, o.M, NULL));
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
    o = put_off();
    OK(gbl_Matrix_free(&o.B));
    t_expect("C", &o.product, o.C, 0);
    leave(&o);
}

GB_TEST(deferred, readers_of_inputs_do_not_wait) {
    Operands o = put_off();
    gbl_Matrix D = t_new_matrix(GBL_INT64, SIDE, SIDE);
    OK(gbl_mxm(D, o.M, NULL, RING, o.A, o.B, GBL_DESC_S));
    CHECK(gb_is_deferred(&o.C->m) && !gb_is_deferred(&D->m));
    t_expect("D", &o.product, D, 0);
    t_expect("C", &o.product, o.C, 0);
    OK(gbl_Matrix_free(&D));
    leave(&o);
}

/* The one before is never made, unless something of it outlives the call. */
GB_TEST(deferred, another_product_takes_its_place) {
    Operands o = put_off();
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.A, GBL_DESC_S));
    CHECK(gb_is_deferred(&o.C->m) && !gb_is_deferred(&o.B->m));
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_RS));
    CHECK(gb_is_deferred(&o.C->m) && gb_is_deferred(&o.B->m));
    FAILS(GBL_NULL_POINTER, gbl_mxm(o.C, o.M, NULL, RING, o.A, NULL, GBL_DESC_RS));
    CHECK(gb_is_deferred(&o.B->m));
    t_expect("C", &o.product, o.C, 0);
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_RS));
    OK(gbl_mxm(o.C, o.A, NULL, RING, o.A, o.B, GBL_DESC_S)); /* another mask */
    CHECK(!gb_is_deferred(&o.C->m));
    leave(&o);
}

static void times(void *z, const void *x, const void *y) {
    *(int64_t *)z = *(const int64_t *)x * *(const int64_t *)y;
}

/* Functions of the user's are called once for each product; sums of floats show their order; who
 * asks for a method or a limit hears of it from the call. */
GB_TEST(deferred, others_are_made_at_once) {
    Operands o = put_off();
    gbl_BinaryOp op = NULL;
    gbl_Semiring ring = NULL;
    gbl_Descriptor desc = NULL;
    OK(gbl_BinaryOp_new(&op, times, GBL_INT64, GBL_INT64, GBL_INT64));
    OK(gbl_Semiring_new(&ring, SUM, op));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_DOT));
    const struct {
        gbl_Matrix C, M;
        gbl_BinaryOp accum;
        gbl_Semiring ring;
        gbl_Descriptor desc;
    } calls[] = {{o.C, o.M, NULL, ring, NULL},
                 {o.C, NULL, NULL, RING, NULL},
                 {o.C, o.M, NULL, RING, GBL_DESC_RC},
                 {o.C, o.M, GBL_PLUS_INT64, RING, NULL},
                 {o.C, o.M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, GBL_DESC_R},
                 {o.C, o.M, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, GBL_DESC_R},
                 {o.C, o.M, NULL, RING, desc},
                 {o.C, o.C, NULL, RING, GBL_DESC_R},
                 {o.A, o.M, NULL, RING, GBL_DESC_R}};
    for (unsigned k = 0; k < T_COUNT(calls); k++) {
        t_case("call %u", k);
        OK(gbl_mxm(calls[k].C, calls[k].M, calls[k].accum, calls[k].ring, o.A, o.B, calls[k].desc));
        CHECK(!gb_is_deferred(&calls[k].C->m));
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, INT64_C(1) << 30, GBL_MEMORY_LIMIT));
    OK(gbl_mxm(o.C, o.M, NULL, RING, o.A, o.B, GBL_DESC_R));
    CHECK(!gb_is_deferred(&o.C->m));
    FREE(ring, op, desc);
    leave(&o);
}

/* -- no memory --------------------------------------------------------------------------------- */

static gbl_Info ask_nvals(Operands *o) {
    gbl_Index nvals;
    return gbl_Matrix_nvals(&nvals, o->C);
}

static gbl_Info ask_sum(Operands *o) {
    int64_t sum = 0;
    const gbl_Info info = gbl_Matrix_reduce_INT64(&sum, NULL, SUM, o->C, NULL);
    if (info == GBL_SUCCESS) CHECK_EQ(sum, o->sum);
    return info;
}

static gbl_Info ask_explanation(Operands *o) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    return gbl_Matrix_explain(&how, o->C);
}

static gbl_Info multiply_again(Operands *o) {
    return gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_RS);
}

static gbl_Info write_input(Operands *o) {
    return gbl_Matrix_clear(o->A);
}

static gbl_Info free_inputs(Operands *o) {
    FREE(o->A, o->M, o->B);
    return GBL_SUCCESS;
}

static gbl_Info free_output(Operands *o) {
    OK(gbl_Matrix_free(&o->C));
    return GBL_SUCCESS;
}

/* False: the call needs fewer than n allocations. */
static bool fail(gbl_Info (*call)(Operands *o), bool ends, int64_t n) {
    Operands o;
    if (ends)
        put_off_with_ends(&o);
    else
        o = put_off();
    bool failed;
    const gbl_Info info = FAIL_AT(n, call(&o), &failed);
    if (info != GBL_SUCCESS) OK(call(&o));
    if (o.C != NULL) t_expect("C", &o.product, o.C, 0);
    leave(&o);
    return failed;
}

BRUTAL(products_that_are_put_off) {
    static const struct {
        const char *name;
        gbl_Info (*call)(Operands *o);
    } calls[] = {{"nvals", ask_nvals},         {"reduce", ask_sum},
                 {"explain", ask_explanation}, {"another product", multiply_again},
                 {"clear A", write_input},     {"free the inputs", free_inputs},
                 {"free C", free_output}};
    for (unsigned k = 0; k < T_COUNT(calls); k++) {
        int64_t n = 1;
        do t_case("%s: allocation %lld fails", calls[k].name, (long long)n);
        while (fail(calls[k].call, false, n++));
        /* a note of few takes no memory */
        CHECK(n > 2 || calls[k].call == free_output || calls[k].call == multiply_again);
        if (calls[k].call == multiply_again) continue; /* which is without ends */
        n = 1;
        do t_case("%s, with select and apply: allocation %lld fails", calls[k].name, (long long)n);
        while (fail(calls[k].call, true, n++));
    }
}
