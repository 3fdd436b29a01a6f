/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls on short lists of long vectors cost, by the bytes that they ask for: what follows the
 * entries of the lists asks for no array as long as the vectors.
 */
#include "support/gb_test.h"

static uint64_t asked; /* bytes, of all blocks since it was set to 0 */

static void *counting_malloc(size_t bytes) {
    asked += bytes;
    return malloc(bytes);
}

static void *counting_realloc(void *block, size_t bytes) {
    asked += bytes;
    return realloc(block, bytes);
}

static void counting_setup(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, counting_malloc, counting_realloc, free));
}

static void counting_teardown(void) {
    OK(gbl_finalize());
    t_end_reached();
}

/* A search along a path of a million vertices: from the thousandth level on, a level asks for no
 * more than some small blocks. */
Test(frontier_cost, levels_of_a_path, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000, WARM = 1000, LEVELS = 3000, LEVEL_BYTES = 2048 };
    gbl_Index *I = malloc(N * sizeof *I), *J = malloc(N * sizeof *J), found = 1;
    gbl_Scalar one = NULL;
    CHECK(I != NULL && J != NULL);
    for (gbl_Index v = 0; v + 1 < N; v++) {
        I[v] = v;
        J[v] = v + 1;
    }
    OK(gbl_Scalar_new(&one, GBL_BOOL));
    OK(gbl_Scalar_setElement_BOOL(one, true));
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    OK(gbl_Matrix_build_Scalar(A, I, J, one, N - 1));
    gbl_Vector q = t_new_vector(GBL_INT64, N), l = t_new_vector(GBL_INT64, N);
    gbl_Vector p = t_new_vector(GBL_INT64, N);
    OK(gbl_Vector_setElement_INT64(q, 7, 7));
    for (int64_t depth = 0; depth < LEVELS; depth++) {
        if (depth == WARM) asked = 0;
        OK(gbl_Vector_assign_INT64(l, q, NULL, depth, GBL_ALL, N, GBL_DESC_S));
        OK(gbl_Vector_assign(p, q, NULL, q, GBL_ALL, N, GBL_DESC_S));
        OK(gbl_vxm(q, p, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, q, A, GBL_DESC_RSC));
        OK(gbl_Vector_nvals(&found, q));
        CHECK_EQ(found, 1);
    }
    t_case("%llu bytes", (unsigned long long)asked);
    CHECK(asked < (uint64_t)LEVEL_BYTES * (LEVELS - WARM));
    OK(gbl_Vector_nvals(&found, p));
    CHECK_EQ(found, LEVELS);
    free(I);
    free(J);
    FREE(one, A, q, l, p);
}

/* A pull that is asked for looks at rows that its mask opens, however few the products are. */
Test(frontier_cost, a_masked_pull, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000 };
    gbl_Index *I = malloc(N * sizeof *I), *J = malloc(N * sizeof *J), found;
    gbl_Scalar one = NULL;
    gbl_Descriptor pull = NULL;
    CHECK(I != NULL && J != NULL);
    for (gbl_Index v = 0; v < N; v++) {
        I[v] = v;
        J[v] = (v + 5) % N;
    }
    OK(gbl_Scalar_new(&one, GBL_BOOL));
    OK(gbl_Scalar_setElement_BOOL(one, true));
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    OK(gbl_Matrix_build_Scalar(A, I, J, one, N));
    gbl_Vector q = t_new_vector(GBL_INT64, N), w = t_new_vector(GBL_INT64, N);
    gbl_Vector m = t_new_vector(GBL_BOOL, N);
    OK(gbl_Vector_setElement_INT64(q, 7, 7));
    OK(gbl_Vector_assign_BOOL(m, NULL, NULL, true, GBL_ALL, N, NULL));
    for (gbl_Index k = 0; k < 10; k++) OK(gbl_Vector_removeElement(m, k));
    OK(gbl_Descriptor_new(&pull));
    OK(gbl_Descriptor_set(pull, GBL_METHOD, GBL_METHOD_PULL));
    OK(gbl_Descriptor_set(pull, GBL_MASK, GBL_COMP));
    OK(gbl_Descriptor_set(pull, GBL_MASK, GBL_STRUCTURE));
    for (int round = 0; round < 3; round++) {
        if (round == 1) asked = 0;
        OK(gbl_mxv(w, m, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, A, q, pull));
        OK(gbl_Vector_nvals(&found, w));
        CHECK_EQ(found, 1);
    }
    t_case("%llu bytes", (unsigned long long)asked);
    CHECK(asked < N);
    free(I);
    free(J);
    FREE(one, A, q, w, m, pull);
}

static uint64_t sum_of(gbl_Vector v) {
    uint64_t sum = 0;
    OK(gbl_Vector_reduce_UINT64(&sum, NULL, GBL_PLUS_MONOID_UINT64, v, NULL));
    return sum;
}

/* The second of two rounds of a call asks for less than a byte for each position. */
#define CHEAP(call)                                                                                \
    for (int round = 0; round < 2; round++) {                                                      \
        asked = 0;                                                                                 \
        OK(call);                                                                                  \
        t_case("%s: %llu bytes", #call, (unsigned long long)asked);                                \
        CHECK(round == 0 || asked < N);                                                            \
    }

/* u is a list, f full: it was built of a value for each position, in some order. */
Test(frontier_cost, a_list_and_a_full_vector, .init = counting_setup, .fini = counting_teardown) {
    enum { N = 1000000, FEW = 10 };
    gbl_Index *I = malloc(N * sizeof *I);
    uint64_t *X = malloc(N * sizeof *X);
    uint64_t whole = 0, few = 0;
    CHECK(I != NULL && X != NULL);
    gbl_Vector u = t_new_vector(GBL_UINT64, N), f = t_new_vector(GBL_UINT64, N);
    gbl_Vector w = t_new_vector(GBL_UINT64, N);
    for (gbl_Index k = 0; k < N; k++) {
        I[k] = k * 7 % N;
        X[k] = 3 + k % 11;
        whole += X[k];
    }
    OK(gbl_Vector_build_UINT64(f, I, X, N, NULL));
    for (gbl_Index k = 0; k < FEW; k++) {
        OK(gbl_Vector_setElement_UINT64(u, 1 + k % 2, I[100 * k]));
        few += X[100 * k];
    }
    CHEAP(gbl_Vector_extract(w, u, NULL, f, GBL_ALL, N, GBL_DESC_RS));
    CHECK_EQ(sum_of(w), few);
    CHEAP(gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GBL_TIMES_UINT64, u, f, NULL));
    CHEAP(gbl_Vector_eWiseAdd_BinaryOp(f, NULL, NULL, GBL_MIN_UINT64, f, u, NULL));
    CHECK_EQ(sum_of(f), whole - few + sum_of(u));
    free(I);
    free(X);
    FREE(u, f, w);
}
