/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that begin with their size: a caller compiled against a shorter struct gets a valid
 * prefix and nothing beyond it is touched, one compiled against a longer struct learns how much was
 * filled, and a size that was never set is an error.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

static gbl_Matrix A, C;
static gbl_Matrix factors[3];

static gbl_Info fill_explanation(void *sized) {
    return gbl_Matrix_explain(sized, C);
}

static gbl_Info fill_vector_explanation(void *sized) {
    static gbl_Vector u, w;
    static gbl_Descriptor pull; /* asked for, since the choice may change with the calls before */
    gbl_Info info = gbl_Vector_new(&u, GBL_FP64, 40);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_new(&pull);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(pull, GBL_METHOD, GBL_METHOD_PULL);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&w, GBL_FP64, 40);
    if (info == GBL_SUCCESS) info = gbl_Vector_setElement_FP64(u, 1.0, 3);
    if (info == GBL_SUCCESS)
        info = gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, pull);
    if (info == GBL_SUCCESS) info = gbl_Vector_explain(sized, w);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
    gbl_Descriptor_free(&pull);
    return info;
}

static gbl_Info fill_plan(void *sized) {
    return gbl_mxm_plan(sized, C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info fill_estimate(void *sized) {
    return gbl_mxm_estimate(sized, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info fill_machine(void *sized) {
    return gbl_machine(sized);
}

static gbl_Info fill_chain(void *sized) {
    return gbl_mxm_chain_plan(sized, GBL_PLUS_TIMES_SEMIRING_FP64, factors, 3, NULL);
}

static const struct {
    const char *name, *initialiser;
    gbl_Info (*fill)(void *sized);
    size_t whole, prefix; /* prefix: a shorter struct that an older header could have had */
    size_t steady;        /* bytes that two calls fill alike: no measured seconds among them */
} structs[] = {
    {"explanation", "GBL_EXPLANATION_INIT", fill_explanation, sizeof(gbl_Explanation),
     offsetof(gbl_Explanation, place), sizeof(gbl_Explanation)},
    {"explanation", "GBL_EXPLANATION_INIT", fill_vector_explanation, sizeof(gbl_Explanation),
     offsetof(gbl_Explanation, place), offsetof(gbl_Explanation, reason)},
    {"plan", "GBL_EXPLANATION_INIT", fill_plan, sizeof(gbl_Explanation),
     offsetof(gbl_Explanation, flops), offsetof(gbl_Explanation, seconds_prepare)},
    {"estimate", "GBL_MXM_ESTIMATE_INIT", fill_estimate, sizeof(gbl_MxmEstimate),
     offsetof(gbl_MxmEstimate, bytes), sizeof(gbl_MxmEstimate)},
    {"facts", "GBL_MACHINE_FACTS_INIT", fill_machine, sizeof(gbl_MachineFacts),
     offsetof(gbl_MachineFacts, cache), sizeof(gbl_MachineFacts)},
    {"plan", "GBL_CHAIN_PLAN_INIT", fill_chain, sizeof(gbl_ChainPlan),
     offsetof(gbl_ChainPlan, orders), offsetof(gbl_ChainPlan, orders)},
};

enum { GUARD = 64, UNTOUCHED = 0xA5 };

static size_t size_of(const void *sized) {
    return *(const size_t *)sized;
}

static bool untouched(const unsigned char *from, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (from[k] != UNTOUCHED) return false;
    return true;
}

static void make_matrices(void) {
    OK(gbl_Matrix_new(&A, GBL_FP64, 40, 40));
    for (gbl_Index k = 0; k < 40; k++) {
        OK(gbl_Matrix_setElement_FP64(A, 2.0, k, k));
        OK(gbl_Matrix_setElement_FP64(A, 3.0, k, k * 7 % 40));
    }
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Matrix_new(&C, GBL_FP64, 40, 40));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    for (int k = 0; k < 3; k++) factors[k] = A;
}

static void free_matrices(void) {
    FREE(A, C);
}

GB_TEST(sized, prefixes) {
    make_matrices();
    for (size_t s = 0; s < T_COUNT(structs); s++) {
        t_case("struct %zu: %s", s, structs[s].initialiser);
        const size_t whole = structs[s].whole, prefix = structs[s].prefix;
        unsigned char *full = malloc(whole), *other = malloc(whole + GUARD);
        CHECK(full != NULL && other != NULL);
        memset(full, 0, whole);
        *(size_t *)full = whole;
        OK(structs[s].fill(full));
        CHECK_EQ(size_of(full), whole);

        const size_t rooms[] = {prefix, whole, whole + GUARD};
        for (size_t k = 0; k < T_COUNT(rooms); k++) {
            const size_t filled = rooms[k] < whole ? rooms[k] : whole;
            const size_t steady = filled < structs[s].steady ? filled : structs[s].steady;
            memset(other, UNTOUCHED, whole + GUARD);
            *(size_t *)other = rooms[k];
            OK(structs[s].fill(other));
            CHECK_EQ(size_of(other), filled);
            CHECK_EQ(memcmp(other + sizeof(size_t), full + sizeof(size_t), steady - sizeof(size_t)),
                     0);
            CHECK(untouched(other + filled, whole + GUARD - filled));
        }
        free(full);
        free(other);
    }
    free_matrices();
}

GB_TEST(sized, sizes_that_were_not_set) {
    static const size_t wrong[] = {0, 1, sizeof(size_t), (size_t)1 << 40, SIZE_MAX};
    make_matrices();
    for (size_t s = 0; s < T_COUNT(structs); s++) {
        unsigned char *sized = malloc(structs[s].whole);
        CHECK(sized != NULL);
        for (size_t k = 0; k < T_COUNT(wrong); k++) {
            t_case("struct %zu: %s, size %zu", s, structs[s].initialiser, wrong[k]);
            memset(sized, UNTOUCHED, structs[s].whole);
            *(size_t *)sized = wrong[k];
            FAILS(GBL_INVALID_VALUE, structs[s].fill(sized));
            CHECK(strstr(gbl_last_error(), structs[s].name) != NULL);
            CHECK(strstr(gbl_last_error(), structs[s].initialiser) != NULL);
            CHECK_EQ(size_of(sized), wrong[k]);
            CHECK(untouched(sized + sizeof(size_t), structs[s].whole - sizeof(size_t)));
        }
        free(sized);
    }
    free_matrices();
}

/* Texts of a shorter explanation: those of the whole one with zeros for what is missing. */
GB_TEST(sized, texts_of_a_prefix) {
    gbl_Info (*const forms[])(char *, size_t *, const gbl_Explanation *) = {gbl_Explanation_text,
                                                                            gbl_Explanation_json};
    static char of_prefix[1 << 14], of_zeros[1 << 14];
    const size_t prefix = offsetof(gbl_Explanation, candidates);
    gbl_Explanation how = GBL_EXPLANATION_INIT, zeros = GBL_EXPLANATION_INIT;
    make_matrices();
    OK(gbl_Matrix_explain(&how, C));
    memcpy(&zeros, &how, prefix);
    how.size = prefix;
    for (size_t k = 0; k < T_COUNT(forms); k++) {
        size_t size = sizeof of_prefix, size_of_zeros = sizeof of_zeros;
        OK(forms[k](of_prefix, &size, &how));
        OK(forms[k](of_zeros, &size_of_zeros, &zeros));
        CHECK(size == size_of_zeros && strcmp(of_prefix, of_zeros) == 0);
        CHECK(strstr(of_prefix, how.method) != NULL);
        how.size = 0;
        FAILS(GBL_INVALID_VALUE, forms[k](of_prefix, &size, &how));
        how.size = prefix;
    }
    free_matrices();
}
