/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of bitmaps where there is no entry are unspecified and nobody reads them: BOOL vectors
 * with absent positions go through casts, masks and operations while every fresh block holds bytes
 * that are no BOOL. What is wrong with that is seen by a build with
 * -DGBLITE_SANITIZE=address,undefined.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

enum { N = 700 }; /* more than a batch of casts */

static void *dirty_malloc(size_t bytes) {
    void *block = malloc(bytes > 0 ? bytes : 1);
    if (block != NULL) memset(block, 0x5A, bytes);
    return block;
}

static void begin(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, dirty_malloc, NULL, free));
}

static void end(void) {
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    t_end_reached();
}

#define CAST_TEST(name) Test(casts, name, .init = begin, .fini = end)

static bool is_there(gbl_Index k) {
    return k % 8 != 1 && k / 256 != 1; /* a batch without any */
}

static bool value_at(gbl_Index k) {
    return k % 2 == 0;
}

static gbl_Formats formats_of(gbl_Vector v) {
    gbl_Formats formats;
    OK(gbl_Vector_formats(&formats, v));
    return formats;
}

/* A bitmap with absent positions as kernels leave it: x or x, and not(not(x)) through another
 * vector. */
static gbl_Vector bitmap(void) {
    gbl_Vector v = t_new_vector(GBL_BOOL, N), turned = t_new_vector(GBL_BOOL, N);
    for (gbl_Index k = 0; k < N; k++)
        if (is_there(k)) OK(gbl_Vector_setElement_BOOL(v, value_at(k), k));
    OK(gbl_Vector_eWiseAdd_BinaryOp(v, NULL, NULL, GBL_LOR, v, v, NULL));
    OK(gbl_Vector_apply(turned, NULL, NULL, GBL_LNOT, v, NULL));
    OK(gbl_Vector_apply(v, NULL, NULL, GBL_LNOT, turned, NULL));
    CHECK((formats_of(v).present & GBL_HAS_BITMAP) != 0);
    OK(gbl_Vector_free(&turned));
    return v;
}

static gbl_Matrix diagonal(void) {
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    for (gbl_Index k = 0; k < N; k++) OK(gbl_Matrix_setElement_BOOL(A, true, k, k));
    return A;
}

/* w has the entries of bitmap() as numbers, those that are false only when `all`. */
static void check(gbl_Vector w, bool all) {
    gbl_Index I[N], n = N, k = 0;
    double X[N];
    OK(gbl_Vector_extractTuples_FP64(I, X, &n, w));
    for (gbl_Index i = 0; i < N; i++) {
        if (!is_there(i) || !(all || value_at(i))) continue;
        CHECK(k < n && I[k] == i && X[k] == (value_at(i) ? 1.0 : 0.0));
        k++;
    }
    CHECK_EQ(k, n);
    OK(gbl_Vector_clear(w));
}

static void check_type(gbl_Type type) {
    gbl_Vector u = bitmap(), w = NULL;
    gbl_Matrix A = diagonal();
    OK(gbl_Vector_new(&w, type, N));
    OK(gbl_mxv(w, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, A, u, NULL));
    check(w, true);
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL)); /* u is cast */
    check(w, true);
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GBL_LOR, u, u, NULL));
    check(w, true);
    OK(gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GBL_LAND, u, u, NULL));
    check(w, true);
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_IDENTITY_BOOL, u, NULL));
    check(w, true);
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_IDENTITY_FP64, u, NULL));
    check(w, true);
    OK(gbl_Vector_select_BOOL(w, NULL, NULL, GBL_VALUEEQ_BOOL, u, true, NULL));
    check(w, false);
    OK(gbl_Vector_assign(w, NULL, NULL, u, GBL_ALL, N, NULL));
    check(w, true);
    OK(gbl_Vector_assign(w, NULL, GBL_SECOND_FP64, u, GBL_ALL, N, NULL));
    check(w, true);
    FREE(A, u, w);
}

CAST_TEST(results_of_other_types) {
    check_type(GBL_FP64);
    check_type(GBL_INT8);
    check_type(GBL_FP32);
    check_type(GBL_INT64);
    check_type(GBL_BOOL);
}

/* -- as masks: entries that are true */

static gbl_Vector full(gbl_Type type) {
    gbl_Vector v = t_new_vector(type, N);
    OK(gbl_Vector_assign_FP64(v, NULL, NULL, 1.0, GBL_ALL, N, NULL));
    return v;
}

CAST_TEST(masks) {
    gbl_Vector m = bitmap(), ones = full(GBL_FP64), w = NULL, few = NULL;
    gbl_Matrix A = diagonal();
    OK(gbl_Vector_new(&w, GBL_INT8, N));
    OK(gbl_Vector_new(&few, GBL_FP64, N));
    OK(gbl_Vector_assign_FP64(w, m, NULL, 1.0, GBL_ALL, N, NULL));
    check(w, false);
    OK(gbl_Vector_apply(w, m, NULL, GBL_IDENTITY_FP64, ones, NULL));
    check(w, false);
    OK(gbl_mxv(w, m, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, ones, NULL));
    check(w, false);
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, m, NULL, GBL_TIMES_FP64, ones, ones, NULL));
    check(w, false);
    /* a list written through a dense mask into a dense vector: positions 0 to 3, of which the mask
     * has 0 and 2, and not 1 */
    for (gbl_Index k = 0; k < 4; k++) OK(gbl_Vector_setElement_FP64(few, 5.0, k));
    OK(gbl_Vector_apply(ones, m, GBL_PLUS_FP64, GBL_IDENTITY_FP64, few, NULL));
    for (gbl_Index k = 0; k < 5; k++) {
        double x = 0.0;
        OK(gbl_Vector_extractElement_FP64(&x, ones, k));
        CHECK(x == (k == 0 || k == 2 ? 6.0 : 1.0));
    }
    FREE(A, m, ones, w, few);
}
