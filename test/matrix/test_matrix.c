/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices as containers: life, elements, tuples, build, resize, diag; and the largest dimensions.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

static o_Matrix random_matrix(t_Random *r, o_Type type, gbl_Index n, gbl_Index m, double density) {
    return t_generate(r, &(t_Content){type, n, m, T_RANDOM, density, true, false});
}

GB_TEST(matrix, life) {
    gbl_Matrix B = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT16, 4, 6);
    gbl_Index n = t_nrows(A);
    CHECK_EQ(n, 4);
    OK(gbl_Matrix_ncols(&n, A));
    CHECK_EQ(n, 6);
    CHECK_EQ(t_nvals(A), 0);
    gbl_Type type = NULL;
    OK(gbl_Matrix_type(&type, A));
    CHECK(type == GBL_INT16);
    OK(gbl_Matrix_setElement_INT16(A, 11, 3, 5));
    OK(gbl_Matrix_setElement_INT16(A, 12, 0, 2));
    OK(gbl_Matrix_dup(&B, A));
    OK(gbl_Matrix_setElement_INT16(A, 13, 3, 5));
    OK(gbl_Matrix_removeElement(A, 0, 2));
    OK(gbl_Matrix_removeElement(A, 1, 1)); /* nothing there: nothing happens */
    int16_t x = 0;
    OK(gbl_Matrix_extractElement_INT16(&x, A, 3, 5));
    CHECK_EQ(x, 13);
    CHECK_EQ(gbl_Matrix_extractElement_INT16(&x, A, 0, 2), GBL_NO_VALUE);
    CHECK_EQ(x, 13);
    OK(gbl_Matrix_extractElement_INT16(&x, B, 3, 5));
    CHECK_EQ(x, 11);
    CHECK_EQ(t_nvals(A), 1);
    CHECK_EQ(t_nvals(B), 2);
    OK(gbl_Matrix_clear(B));
    CHECK_EQ(t_nvals(B), 0);
    OK(gbl_Matrix_ncols(&n, B));
    CHECK_EQ(n, 6);
    FREE(A, B);
    CHECK(A == NULL);
    OK(gbl_Matrix_free(&A));
}

GB_TEST(matrix, build_and_tuples_of_every_type) {
    for (size_t k = 0; k < 11; k++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            t_Random r = t_random(100 * k + seed);
            t_case("type %d seed %llu", (int)t_types[k], (unsigned long long)seed);
            o_Matrix A = random_matrix(&r, o_type(t_types[k]), t_below(&r, 30), t_below(&r, 30),
                                       seed % 5 == 0 ? 1 : 0.3);
            gbl_Matrix g = t_matrix(&A), h = NULL;
            t_expect("A", &A, g, 0);
            for (gbl_Index p = 0; p < A.nrows * A.ncols; p++) {
                o_Value x;
                memset(&x, 0, sizeof x);
                CHECK_EQ(t_get_matrix(&x, A.type, g, p / A.ncols, p % A.ncols),
                         A.x[p].has ? GBL_SUCCESS : GBL_NO_VALUE);
                if (A.x[p].has) CHECK(o_same(A.type, &x, &A.x[p].v));
            }
            OK(gbl_Matrix_dup(&h, g));
            t_expect("copy of A", &A, h, 0);
            FREE(g, h, A);
        }
    }
}

/* tuples in any order, repeated, combined from the left in the order given */
GB_TEST(matrix, build_with_duplicates) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_Random r = t_random(seed + 70);
        const gbl_Index n = 1 + t_below(&r, 20), m = 1 + t_below(&r, 20);
        const gbl_Index count_of = t_below(&r, seed % 6 == 0 ? 20000 : 200);
        t_case("seed %llu: %llu tuples", (unsigned long long)seed, (unsigned long long)count_of);
        gbl_Index *I = malloc((count_of + 1) * sizeof *I), *J = malloc((count_of + 1) * sizeof *J);
        int32_t *X = malloc((count_of + 1) * sizeof *X);
        o_Matrix A = o_new(o_type(GBL_INT32_CODE), n, m);
        for (gbl_Index k = 0; k < count_of; k++) {
            I[k] = t_below(&r, n);
            J[k] = t_below(&r, m);
            X[k] = (int32_t)t_below(&r, 1000) - 500;
            o_Cell *cell = &A.x[I[k] * m + J[k]];
            cell->v.i32 = cell->has ? cell->v.i32 - X[k] : X[k];
            cell->has = true;
        }
        gbl_Matrix g = t_new_matrix(GBL_INT32, n, m);
        OK(gbl_Matrix_build_INT32(g, I, J, X, count_of, GBL_MINUS_INT32));
        t_expect("A", &A, g, 0);
        if (o_count(&A) > 0)
            FAILS(GBL_OUTPUT_NOT_EMPTY, gbl_Matrix_build_INT32(g, I, J, X, 1, NULL));
        OK(gbl_Matrix_clear(g));
        if (o_count(&A) < count_of)
            FAILS(GBL_INVALID_VALUE, gbl_Matrix_build_INT32(g, I, J, X, count_of, NULL));
        CHECK_EQ(t_nvals(g), 0);
        FREE(g, A);
        free(I);
        free(J);
        free(X);
    }
}

GB_TEST(matrix, build_checks_indices) {
    const gbl_Index I[] = {0, 3, 1}, J[] = {0, 1, 2}, far[] = {1, UINT64_MAX, 0};
    const double X[] = {1, 2, 3};
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 4);
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_build_FP64(A, I, J, X, 3, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_build_FP64(A, J, far, X, 3, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_build_FP64(A, far, J, X, 3, GBL_PLUS_FP64));
    CHECK_EQ(t_nvals(A), 0);
    OK(gbl_Matrix_build_FP64(A, NULL, NULL, NULL, 0, NULL));
    OK(gbl_Matrix_build_FP64(A, J, I, X, 3, NULL));
    CHECK_EQ(t_nvals(A), 3);
    OK(gbl_Matrix_free(&A));
}

GB_TEST(matrix, build_from_scalar) {
    const gbl_Index I[] = {2, 0, 2, 1}, J[] = {3, 1, 3, 0};
    gbl_Scalar s = NULL;
    gbl_Matrix A = t_new_matrix(GBL_UINT8, 3, 4);
    OK(gbl_Scalar_new(&s, GBL_FP32));
    FAILS(GBL_EMPTY_OBJECT, gbl_Matrix_build_Scalar(A, I, J, s, 4));
    OK(gbl_Scalar_setElement_FP32(s, 200.5f));
    OK(gbl_Matrix_build_Scalar(A, I, J, s, 4));
    CHECK_EQ(t_nvals(A), 3);
    uint8_t x = 0;
    OK(gbl_Matrix_extractElement_UINT8(&x, A, 2, 3));
    CHECK_EQ(x, 200);
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.iso);
    OK(gbl_Matrix_setElement_UINT8(A, 7, 0, 0)); /* no longer one value for all */
    OK(gbl_Matrix_extractElement_UINT8(&x, A, 0, 0));
    CHECK_EQ(x, 7);
    OK(gbl_Matrix_extractElement_UINT8(&x, A, 1, 0));
    CHECK_EQ(x, 200);
    FREE(s, A);
}

/* setElement, removeElement, reads, waits and operations in any order, against a plain array */
GB_TEST(matrix, random_updates) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_Random r = t_random(seed + 500);
        t_case("seed %llu", (unsigned long long)seed);
        const o_Type type = o_type(t_types[seed % T_COUNT(t_types)]);
        const gbl_Index n = 1 + t_below(&r, 12), m = 1 + t_below(&r, 12);
        o_Matrix A = random_matrix(&r, type, n, m, seed % 3 == 0 ? 1.0 : 0.3);
        gbl_Matrix g = t_matrix(&A), T = NULL;
        OK(gbl_Matrix_new(&T, type.handle, m, n));
        for (int step = 0; step < 400; step++) {
            const gbl_Index p = t_below(&r, n * m), i = p / m, j = p % m;
            const uint64_t what = t_below(&r, 30);
            if (what < 16) {
                A.x[p] = (o_Cell){true, t_value(&r, type)};
                OK(t_set_matrix(g, type, &A.x[p].v, i, j));
            } else if (what < 24) {
                A.x[p].has = false;
                OK(gbl_Matrix_removeElement(g, i, j));
            } else if (what == 24) {
                OK(gbl_Matrix_wait(g, t_chance(&r, 0.5) ? GBL_COMPLETE : GBL_MATERIALIZE));
            } else if (what == 25) {
                t_expect("A", &A, g, 0);
            } else if (what == 26) { /* now it has both orientations */
                OK(gbl_transpose(T, NULL, NULL, g, NULL));
            } else if (what == 27) {
                CHECK_EQ(t_nvals(g), o_count(&A));
            } else {
                o_Value x;
                memset(&x, 0, sizeof x);
                CHECK_EQ(t_get_matrix(&x, type, g, i, j), A.x[p].has ? GBL_SUCCESS : GBL_NO_VALUE);
                if (A.x[p].has) CHECK(o_same(type, &x, &A.x[p].v));
            }
        }
        t_expect("A", &A, g, 0);
        FREE(g, T, A);
    }
}

GB_TEST(matrix, pending_updates_are_counted_and_waited_for) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 50, 50);
    for (gbl_Index k = 0; k < 40; k++) OK(gbl_Matrix_setElement_FP64(A, (double)k + 1, k, 49 - k));
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.pending, 40);
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.pending, 0);
    CHECK(formats.present != 0 && formats.bytes > 0);
    CHECK_EQ(t_nvals(A), 40);
    OK(gbl_Matrix_free(&A));
}

GB_TEST(matrix, elements_through_scalars) {
    gbl_Scalar s = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT32, 4, 4);
    OK(gbl_Scalar_new(&s, GBL_INT64));
    OK(gbl_Scalar_setElement_INT64(s, -12));
    OK(gbl_Matrix_setElement_Scalar(A, s, 1, 2));
    OK(gbl_Scalar_setElement_INT64(s, 99));
    OK(gbl_Matrix_extractElement_Scalar(s, A, 1, 2));
    int64_t x = 0;
    OK(gbl_Scalar_extractElement_INT64(&x, s));
    CHECK_EQ(x, -12);
    OK(gbl_Matrix_extractElement_Scalar(s, A, 2, 1));
    gbl_Index n = 9;
    OK(gbl_Scalar_nvals(&n, s));
    CHECK_EQ(n, 0);
    OK(gbl_Matrix_setElement_Scalar(A, s, 1, 2)); /* empty: removes the entry */
    CHECK_EQ(t_nvals(A), 0);
    FREE(s, A);
}

GB_TEST(matrix, resize) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_Random r = t_random(seed + 900);
        t_case("seed %llu", (unsigned long long)seed);
        o_Matrix A =
            random_matrix(&r, o_type(GBL_INT8_CODE), 1 + t_below(&r, 20), 1 + t_below(&r, 20), 0.4);
        gbl_Matrix g = t_matrix(&A);
        for (int step = 0; step < 5; step++) {
            if (t_chance(&r, 0.5)) { /* with an update that is still pending */
                const gbl_Index p = t_below(&r, A.nrows * A.ncols);
                A.x[p] = (o_Cell){true, {.i8 = (int8_t)(step + 3)}};
                OK(gbl_Matrix_setElement_INT8(g, A.x[p].v.i8, p / A.ncols, p % A.ncols));
            }
            o_Matrix B = o_new(A.type, 1 + t_below(&r, 25), 1 + t_below(&r, 25));
            for (gbl_Index i = 0; i < B.nrows && i < A.nrows; i++)
                for (gbl_Index j = 0; j < B.ncols && j < A.ncols; j++)
                    B.x[i * B.ncols + j] = A.x[i * A.ncols + j];
            OK(gbl_Matrix_resize(g, B.nrows, B.ncols));
            o_free(&A);
            A = B;
            t_expect("A", &A, g, 0);
        }
        OK(gbl_Matrix_resize(g, 0, 3));
        CHECK_EQ(t_nvals(g), 0);
        FREE(g, A);
    }
}

GB_TEST(matrix, diag) {
    for (uint64_t seed = 0; seed < 66; seed++) {
        t_Random r = t_random(seed + 11);
        const o_Type type = o_type(t_types[seed % T_COUNT(t_types)]);
        const gbl_Index n = t_below(&r, 20);
        const int64_t k = (int64_t)t_below(&r, 15) - 7;
        t_case("seed %llu: %llu elements, diagonal %lld", (unsigned long long)seed,
               (unsigned long long)n, (long long)k);
        o_Matrix v = random_matrix(&r, type, n, 1, 0.6);
        const gbl_Index size = n + (gbl_Index)(k < 0 ? -k : k);
        o_Matrix D = o_new(type, size, size);
        for (gbl_Index i = 0; i < n; i++) {
            const gbl_Index row = i + (gbl_Index)(k < 0 ? -k : 0);
            const gbl_Index col = i + (gbl_Index)(k > 0 ? k : 0);
            D.x[row * size + col] = v.x[i];
        }
        gbl_Vector gv = t_vector(&v);
        gbl_Matrix gD = NULL;
        OK(gbl_Matrix_diag(&gD, gv, k));
        t_expect("D", &D, gD, 0);
        FREE(gD, gv, v, D);
    }
}

GB_TEST(matrix, tuples_in_part) {
    gbl_Matrix A = t_new_matrix(GBL_INT8, 9, 9);
    OK(gbl_Matrix_setElement_INT8(A, 5, 8, 0));
    OK(gbl_Matrix_setElement_INT8(A, 3, 2, 7));
    OK(gbl_Matrix_setElement_INT8(A, 4, 2, 1));
    gbl_Index I[4] = {7, 7, 7, 7}, J[3] = {0, 0, 0}, n = 4;
    OK(gbl_Matrix_extractTuples_INT8(I, NULL, NULL, &n, A));
    CHECK(n == 3 && I[0] == 2 && I[1] == 2 && I[2] == 8 && I[3] == 7);
    double X[3] = {0, 0, 0};
    OK(gbl_Matrix_extractTuples_FP64(NULL, J, X, &n, A));
    CHECK(J[0] == 1 && J[1] == 7 && J[2] == 0 && X[0] == 4 && X[1] == 3 && X[2] == 5);
    n = 2;
    FAILS(GBL_INSUFFICIENT_SPACE, gbl_Matrix_extractTuples_FP64(I, J, X, &n, A));
    OK(gbl_Matrix_free(&A));
}

GB_TEST(matrix, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < 2; u++) {
        t_Random r = t_random(u + 40);
        o_Matrix A = random_matrix(&r, users[u].type, 25, 20, 0.3);
        gbl_Matrix g = t_matrix(&A), h = NULL;
        for (int k = 0; k < 200; k++) {
            const gbl_Index p = t_below(&r, 500);
            A.x[p] = (o_Cell){true, t_value(&r, A.type)};
            OK(gbl_Matrix_setElement_UDT(g, &A.x[p].v, p / 20, p % 20));
        }
        OK(gbl_Matrix_dup(&h, g));
        t_expect("A", &A, h, 0);
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_setElement_FP64(g, 1, 0, 0));
        double x = 0;
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extractElement_FP64(&x, g, 0, 0));
        t_expect("A", &A, g, 0);
        FREE(g, h, A);
    }
    /* a type that was freed lives on while a matrix has it */
    gbl_Type type = NULL;
    OK(gbl_Type_new(&type, 5));
    gbl_Matrix A = t_new_matrix(type, 3, 3);
    OK(gbl_Type_free(&type));
    OK(gbl_Matrix_setElement_UDT(A, "abcde", 1, 1));
    char text[6] = "";
    OK(gbl_Matrix_extractElement_UDT(text, A, 1, 1));
    CHECK(strcmp(text, "abcde") == 0);
    OK(gbl_Matrix_free(&A));
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* ------------------------------------------------------------------------ largest dimensions -- */

/* An array of T_COMPACT_MAX pointers would take 32 GiB; this allocator has no more than 1 GiB. */
static void small_memory(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    t_refuse_above((size_t)1 << 30);
}

static void small_memory_end(void) {
    t_teardown();
    t_expect_end();
    CHECK_EQ(t_live(), 0);
    t_end_reached();
}

enum { WIDE_ENTRIES = 40 };

/* three rows, entries far out: row k % 3, column 2^32 - 2 - 5 k */
static gbl_Matrix wide(int64_t scale) {
    gbl_Index I[WIDE_ENTRIES], J[WIDE_ENTRIES];
    int64_t X[WIDE_ENTRIES];
    for (gbl_Index k = 0; k < WIDE_ENTRIES; k++) {
        I[k] = k % 3;
        J[k] = T_COMPACT_MAX - 1 - 5 * k;
        X[k] = scale * ((int64_t)k + 1);
    }
    gbl_Matrix A = t_new_matrix(GBL_INT64, 3, T_COMPACT_MAX);
    OK(gbl_Matrix_build_INT64(A, I, J, X, WIDE_ENTRIES, NULL));
    return A;
}

Test(matrix, widest, .init = small_memory, .fini = small_memory_end) {
    gbl_Matrix A = wide(1), B = wide(10), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, 3, T_COMPACT_MAX));
    OK(gbl_Matrix_setElement_INT64(B, 7, 2, 0));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_MINUS_INT64, A, B, NULL));
    CHECK_EQ(t_nvals(C), WIDE_ENTRIES + 1);
    int64_t x = 0;
    OK(gbl_Matrix_extractElement_INT64(&x, C, 4 % 3, T_COMPACT_MAX - 1 - 5 * 4));
    CHECK_EQ(x, 5 - 50);
    OK(gbl_Matrix_apply(C, A, NULL, GBL_AINV_INT64, B, GBL_DESC_RS));
    CHECK_EQ(t_nvals(C), WIDE_ENTRIES);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_COLGT, B, (int64_t)(T_COMPACT_MAX - 1 - 50),
                               NULL));
    CHECK_EQ(t_nvals(C), 10);
    OK(gbl_Matrix_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, A, NULL));
    CHECK_EQ(x, WIDE_ENTRIES * (WIDE_ENTRIES + 1) / 2);
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_INT64(A, 1, 0, T_COMPACT_MAX));
    FREE(A, B, C);
}

/* the transpose of a wide matrix is a tall one, by columns: the same arrays */
Test(matrix, tallest, .init = small_memory, .fini = small_memory_end) {
    gbl_Matrix A = wide(1), T = NULL, S = NULL;
    OK(gbl_Matrix_new(&T, GBL_INT64, T_COMPACT_MAX, 3));
    OK(gbl_transpose(T, NULL, NULL, A, NULL));
    CHECK_EQ(t_nvals(T), WIDE_ENTRIES);
    int64_t x = 0;
    OK(gbl_Matrix_extractElement_INT64(&x, T, T_COMPACT_MAX - 1 - 5 * 7, 7 % 3));
    CHECK_EQ(x, 8);
    OK(gbl_Matrix_dup(&S, T));
    OK(gbl_Matrix_reduce_INT64(&x, NULL, GBL_MAX_MONOID_INT64, S, NULL));
    CHECK_EQ(x, WIDE_ENTRIES);
    /* by rows without 2^32 pointers */
    gbl_Index n = WIDE_ENTRIES, *I = malloc(n * sizeof *I);
    OK(gbl_Matrix_extractTuples_INT64(I, NULL, NULL, &n, T));
    CHECK_EQ(n, WIDE_ENTRIES);
    for (gbl_Index k = 0; k < n; k++) CHECK_EQ(I[k], T_COMPACT_MAX - 1 - 5 * (n - 1 - k));
    free(I);
    /* A A' = 3 x 3 */
    gbl_Matrix C = t_new_matrix(GBL_INT64, 3, 3);
    OK(gbl_Matrix_setElement_INT64(C, -1, 2, 2));
    const gbl_Info info = gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, T, NULL);
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
    OK(gbl_Matrix_extractElement_INT64(&x, C, 2, 2));
    int64_t expected = -1;
    if (info == GBL_SUCCESS) {
        expected = 0;
        for (int64_t k = 2; k < WIDE_ENTRIES; k += 3) expected += (k + 1) * (k + 1);
    }
    CHECK_EQ(x, expected);
    FREE(A, C, S, T);
}

/* both dimensions at the limit of kernels: held by its entries (test_hyper_objects) */
Test(matrix, largest, .init = small_memory, .fini = small_memory_end) {
    const gbl_Index n = T_COMPACT_MAX, at[] = {n - 1};
    const double one[] = {1};
    gbl_Index none = 0;
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    CHECK_EQ(t_nvals(A), 0);
    OK(gbl_Matrix_extractTuples_FP64(NULL, NULL, NULL, &none, A));
    OK(gbl_Matrix_build_FP64(A, at, at, one, 1, NULL));
    CHECK_EQ(t_nvals(A), 1);
    OK(gbl_Matrix_clear(A));
    OK(gbl_Matrix_setElement_FP64(A, 4, n - 1, 0));
    OK(gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, GBL_DESC_T1));
    CHECK_EQ(t_nvals(A), 1);
    OK(gbl_Matrix_free(&A));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_new(&A, GBL_FP64, GBL_INDEX_MAX + 2, 1));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_new(&A, GBL_FP64, 1, UINT64_MAX));
    CHECK(A == NULL);
    /* one value everywhere takes no memory for positions */
    OK(gbl_Matrix_new(&A, GBL_FP64, 3, n));
    OK(gbl_Matrix_setElement_FP64(A, 2.5, 1, 7));
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 1, GBL_ALL, 3, GBL_ALL, n, NULL));
    double x = 0;
    OK(gbl_Matrix_extractElement_FP64(&x, A, 1, 7));
    CHECK(x == 1);
    CHECK_EQ(t_nvals(A), 3 * n);
    OK(gbl_Matrix_free(&A));
}
