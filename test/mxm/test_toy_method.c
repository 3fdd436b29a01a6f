/* SPDX-License-Identifier: Apache-2.0
 *
 * A method is a file and a row of a table: this program's table has one more, test/toy, and every
 * part of the library knows it by its descriptor alone. The planner prices it and takes it where it
 * is cheapest, it can be asked for, explanations name it, the memory limit covers it.
 */
#include "support/product.h"
#include "support/spec.h"

#include <gblite_io.h>
#include <stdlib.h>
#include <string.h>

#include "mxm/model/method.h"

static const gbl_Desc_Value TOY = (gbl_Desc_Value)7999; /* test/toy/toy_method.c */

/* C = A A; the caller frees C. */
static gbl_Info square(gbl_Matrix *C, gbl_Matrix A, gbl_Descriptor desc) {
    const gbl_Index n = t_nrows(A);
    OK(gbl_Matrix_new(C, GBL_FP64, n, n));
    return gbl_mxm(*C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc);
}

static gbl_Descriptor asks_for_toy(void) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, TOY));
    return desc;
}

/* The toy's row of an explanation; the last one. */
static const gbl_Candidate *toy_of(const gbl_Explanation *why) {
    const gbl_Candidate *c = &why->candidates[why->ncandidates - 1];
    cr_assert_str_eq(c->method, "toy");
    return c;
}

static void expect_text(gbl_Info (*write)(char *, size_t *, const gbl_Explanation *),
                        const gbl_Explanation *why, const char *part) {
    char text[16384];
    size_t size = sizeof text;
    OK(write(text, &size, why));
    cr_assert(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text);
}

Test(toy_method, is_a_row_of_the_table) {
    gbl_Desc_Value value = GBL_DEFAULT;
    cr_assert_str_eq(gb_methods[gb_nmethods - 1]->name, "toy");
    CHECK(gb_method_find(&value, "toy") && value == TOY && gb_method_exists(TOY));
    value = GBL_DEFAULT;
    for (int32_t k = 0; gbl_mxm_method(NULL, &value, k) == GBL_SUCCESS; k++) continue;
    CHECK_EQ(value, TOY); /* the last that a command line would offer */
}

/* Every semiring, accumulator, replace and transpose; user-defined values too. */
GB_TEST(toy_method, equals_the_oracle) {
    t_User user = t_user_colour();
    for (size_t k = 0; k <= t_ring_count; k++) {
        const o_Ring ring = k < t_ring_count ? t_ring(&t_rings[k]) : user.ring;
        const bool is_user = k == t_ring_count;
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_ProductCase of = {.seed = 1000 * k + f,
                                .kind = T_MXM,
                                .name = is_user ? "user" : t_rings[k].name,
                                .ring = &ring,
                                .c = ring.add.z,
                                .a = ring.multiply.x,
                                .b = ring.multiply.y,
                                .mask = o_type(GBL_BOOL_CODE),
                                .shape = {9, 8, 10, T_RANDOM, T_RANDOM, 0.3, 0.3, 0.4},
                                .flags = t_flags(f)};
            if (of.flags.mask != T_NO_MASK || (is_user && of.flags.accum)) continue;
            of.accum = is_user ? (o_Binary){.op = O_USER} : t_some_accum(t_rings[k].type, f);
            of.flags.method = TOY;
            t_product(&of);
        }
    }
    t_user_free(&user);
}

GB_TEST(toy_method, makes_empty_products) {
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = asks_for_toy();
    gbl_Matrix A = t_new_matrix(GBL_FP64, 4, 4);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 1));
    OK(square(&C, A, desc));
    CHECK_EQ(t_nvals(C), 0);
    FREE(A, C, desc);
}

/* Candidates without a price, since the product has few flops. */
static int not_compared(const gbl_Explanation *why) {
    int n = 0;
    for (int k = 0; k < why->ncandidates; k++) {
        const char *reason = why->candidates[k].why_not;
        n += reason != NULL && strstr(reason, "not compared") != NULL;
    }
    return n;
}

GB_TEST(toy_method, is_chosen_where_it_is_cheapest) {
    gbl_Matrix small = t_from_spec(GBL_FP64, "er:2:1"), large = t_from_spec(GBL_FP64, "er:10:8"),
               C = NULL, D = NULL;
    OK(square(&C, small, NULL));
    gbl_Explanation why = t_explain(C);
    cr_assert_str_eq(why.method, "toy", "%s was taken: %s", why.method, why.reason);
    CHECK(!why.forced && toy_of(&why)->legal && why.chosen == why.ncandidates - 1);
    for (int k = 0; k < why.ncandidates - 1; k++)
        CHECK(!why.candidates[k].legal || why.candidates[k].seconds > toy_of(&why)->seconds);
    CHECK(not_compared(&why) > 0);
    OK(square(&D, large, NULL));
    OK(gbl_Matrix_explain(&why, D));
    CHECK(toy_of(&why)->legal && why.chosen != why.ncandidates - 1);
    CHECK_EQ(not_compared(&why), 0);
    CHECK(toy_of(&why)->seconds > why.seconds_predicted);
    gbl_Matrix *all[] = {&small, &large, &C, &D};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

GB_TEST(toy_method, is_taken_when_asked_for_and_explained) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "er:8:8"), C = NULL;
    setenv("GBLITE_METHOD", "toy", 1);
    OK(square(&C, A, NULL));
    gbl_Explanation why = t_explain(C);
    CHECK(why.forced && strcmp(why.method, "toy") == 0 && strcmp(why.workflow, "counted") == 0);
    expect_text(gbl_Explanation_text, &why, "toy (counted) on the cpu");
    expect_text(gbl_Explanation_json, &why, "\"method\":\"toy\"");
    OK(gbl_Matrix_free(&C));
    setenv("GBLITE_METHOD", "toys", 1);
    FAILS(GBL_INVALID_VALUE, square(&C, A, NULL));
    CHECK(strstr(gbl_last_error(), "or toy") != NULL);
    unsetenv("GBLITE_METHOD");
    FREE(C, A);
}

GB_TEST(toy_method, refuses_masks) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "er:4:2"), C = NULL;
    gbl_Descriptor desc = asks_for_toy();
    OK(gbl_Matrix_new(&C, GBL_FP64, 16, 16));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
    CHECK(strstr(gbl_last_error(), "it knows no masks") != NULL);
    FREE(A, C, desc);
}

/* -- memory ------------------------------------------------------------------------------------ */

typedef struct {
    gbl_Matrix A;
    gbl_Descriptor desc;
    int64_t peak; /* beside what was there and C */
} Limited;

static gbl_Info square_within(void *context) {
    Limited *job = context;
    gbl_Matrix C = NULL;
    const int64_t before = t_global(GBL_BYTES_IN_USE);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_BYTES_PEAK));
    const gbl_Info info = square(&C, job->A, job->desc);
    const int64_t c = info == GBL_SUCCESS ? t_global(GBL_BYTES_IN_USE) - before : 0;
    job->peak = t_global(GBL_BYTES_PEAK) - before - c;
    OK(gbl_Matrix_free(&C)); /* keeps the text of the failure */
    return info;
}

GB_TEST(toy_method, keeps_to_the_memory_limit) {
    Limited job = {.A = t_from_spec(GBL_FP64, "er:12:4"), .desc = asks_for_toy()};
    const int64_t least = t_with_least_memory(square_within, &job);
    CHECK(least >= (4096 + 2) * 9); /* the values and marks of a row */
    cr_assert(job.peak <= least, "%lld bytes with a limit of %lld", (long long)job.peak,
              (long long)least);
    FREE(job.A, job.desc);
}

BRUTAL(toy_method) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "er:5:3");
    gbl_Descriptor desc = asks_for_toy();
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix C = t_new_matrix(GBL_FP64, 32, 32);
        t_case("allocation %lld fails", (long long)n);
        const int64_t live = t_live();
        const gbl_Info info =
            FAIL_AT(n, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc), &failed);
        CHECK(info == GBL_SUCCESS || t_live() == live);
        OK(gbl_Matrix_free(&C));
    }
    FREE(A, desc);
}
