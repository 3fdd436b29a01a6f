/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of huge dimensions: elements and pending updates, build and tuples, copies and shapes,
 * bytes, what is refused, and threads that read.
 */
#include "support/huge.h"

#include "matrix/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TOP (GBL_INDEX_MAX + 1)

static gb_Matrix *inside(void *handle) {
    return handle;
}

static gbl_Index nvals_of(gbl_Matrix A) {
    const gbl_Index n = t_nvals(A);
    OK(gb_matrix_check(inside(A)));
    return n;
}

/* Elements of a random sequence of updates, against the twin. */
GB_TEST(hyper_objects, updates) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, 12, TOP);
        const t_Scatter cols = seed % 3 == 0 ? rows : t_scatter(&r, 12, (gbl_Index)1 << 40);
        gbl_Matrix A = t_new_matrix(GBL_INT64, 12, 12), H = t_new_matrix(GBL_INT64, rows.n, cols.n);
        for (int k = 0; k < 300; k++) {
            const gbl_Index i = t_below(&r, 12), j = t_below(&r, 12);
            const int64_t x = (int64_t)t_below(&r, 100);
            if (t_chance(&r, 0.6)) {
                OK(gbl_Matrix_setElement_INT64(A, x, i, j));
                OK(gbl_Matrix_setElement_INT64(H, x, rows.at[i], cols.at[j]));
            } else {
                OK(gbl_Matrix_removeElement(A, i, j));
                OK(gbl_Matrix_removeElement(H, rows.at[i], cols.at[j]));
            }
            if (!t_chance(&r, 0.2)) continue;
            int64_t a = -1, h = -1;
            const gbl_Index p = t_below(&r, 12), q = t_below(&r, 12);
            const gbl_Info info = gbl_Matrix_extractElement_INT64(&a, A, p, q);
            CHECK_EQ(gbl_Matrix_extractElement_INT64(&h, H, rows.at[p], cols.at[q]), info);
            CHECK_EQ(h, a);
        }
        OK(gb_matrix_check(inside(H)));
        t_expect_twin(A, H, &rows, &cols);
        OK(gbl_Matrix_wait(H, GBL_MATERIALIZE));
        OK(gb_matrix_check(inside(H)));
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&H);
    }
}

GB_TEST(hyper_objects, vector_updates) {
    int64_t x = 0;
    gbl_Vector v = t_new_vector(GBL_INT64, TOP);
    OK(gbl_Vector_setElement_INT64(v, 5, TOP - 1));
    OK(gbl_Vector_setElement_INT64(v, 6, 0));
    OK(gbl_Vector_setElement_INT64(v, 7, (gbl_Index)1 << 32));
    OK(gbl_Vector_extractElement_INT64(&x, v, TOP - 1));
    CHECK_EQ(x, 5);
    CHECK_EQ(gbl_Vector_extractElement_INT64(&x, v, 1), GBL_NO_VALUE);
    OK(gbl_Vector_removeElement(v, 0));
    CHECK_EQ(t_nvals_vector(v), 2);
    OK(gb_matrix_check(inside(v)));
    FAILS(GBL_INVALID_INDEX, gbl_Vector_setElement_INT64(v, 1, TOP));
    OK(gbl_Vector_resize(v, ((gbl_Index)1 << 32) + 1));
    CHECK_EQ(t_nvals_vector(v), 1);
    OK(gbl_Vector_resize(v, 5));
    CHECK_EQ(t_nvals_vector(v), 0);
    OK(gbl_Vector_setElement_INT64(v, 1, 3));
    OK(gbl_Vector_resize(v, TOP));
    OK(gbl_Vector_extractElement_INT64(&x, v, 3));
    CHECK_EQ(x, 1);
    OK(gbl_Vector_clear(v));
    OK(gb_matrix_check(inside(v)));
    gbl_Vector_free(&v);
}

GB_TEST(hyper_objects, build) {
    const gbl_Index I[] = {7, TOP - 1, 7, (gbl_Index)1 << 45}, J[] = {TOP - 2, 0, TOP - 2, 7};
    const double X[] = {1, 2, 4, 8};
    gbl_Index K[4], L[4], n = 4;
    double Y[4];
    gbl_Matrix A = t_new_matrix(GBL_FP64, TOP, TOP);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_build_FP64(A, I, J, X, 4, NULL));
    CHECK(strstr(gbl_last_error(), "row 7 and column 1152921504606846974") != NULL);
    CHECK_EQ(nvals_of(A), 0);
    OK(gbl_Matrix_build_FP64(A, I, J, X, 4, GBL_PLUS_FP64));
    FAILS(GBL_OUTPUT_NOT_EMPTY, gbl_Matrix_build_FP64(A, I, J, X, 4, GBL_PLUS_FP64));
    CHECK_EQ(nvals_of(A), 3);
    OK(gbl_Matrix_extractTuples_FP64(K, L, Y, &n, A));
    CHECK_EQ(n, 3);
    CHECK(K[0] == 7 && L[0] == TOP - 2 && Y[0] == 5);
    CHECK(K[1] == (gbl_Index)1 << 45 && L[1] == 7 && Y[1] == 8);
    CHECK(K[2] == TOP - 1 && L[2] == 0 && Y[2] == 2);
    OK(gbl_Matrix_clear(A));
    const gbl_Index outside[] = {TOP};
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_build_FP64(A, outside, J, X, 1, NULL));
    gbl_Scalar one;
    OK(gbl_Scalar_new(&one, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(one, 3));
    OK(gbl_Matrix_build_Scalar(A, I, J, one, 4));
    CHECK_EQ(nvals_of(A), 3);
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.iso && formats.bytes > 0 && formats.bytes < 1000);
    gbl_Scalar_free(&one);
    gbl_Matrix_free(&A);
}

GB_TEST(hyper_objects, copies_and_shapes) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, 20, TOP), cols = t_scatter(&r, 20, (gbl_Index)1 << 35);
        o_Matrix D = t_generate(
            &r, &(t_Content){o_type(GBL_INT64_CODE), 20, 20, T_RANDOM, 0.2, false, false});
        gbl_Matrix A = t_matrix(&D), H = t_twin(A, &rows, &cols), copy;
        OK(gbl_Matrix_dup(&copy, H));
        t_expect_twin(A, copy, &rows, &cols);
        /* the upper left 7 x 9 */
        t_Scatter fewer = rows, narrower = cols;
        fewer.n = rows.at[7];
        narrower.n = cols.at[9];
        OK(gbl_Matrix_resize(A, 7, 9));
        OK(gbl_Matrix_resize(H, fewer.n, narrower.n));
        t_expect_twin(A, H, &fewer, &narrower);
        nvals_of(H);
        OK(gbl_Matrix_resize(H, TOP, TOP));
        fewer.n = narrower.n = TOP;
        t_expect_twin(A, H, &fewer, &narrower);
        OK(gbl_Matrix_resize(H, 1000, 1000)); /* ordinary, with what is there */
        nvals_of(H);
        OK(gbl_Matrix_clear(copy));
        CHECK_EQ(nvals_of(copy), 0);
        o_free(&D);
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&H);
        gbl_Matrix_free(&copy);
    }
    int64_t x;
    gbl_Matrix A = t_new_matrix(GBL_INT64, 10, 10);
    OK(gbl_Matrix_setElement_INT64(A, 4, 9, 8));
    OK(gbl_Matrix_resize(A, TOP, 20));
    OK(gbl_Matrix_extractElement_INT64(&x, A, 9, 8));
    CHECK_EQ(x, 4);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_resize(A, TOP + 1, 20));
    OK(gbl_Matrix_resize(A, 30, 9));
    OK(gbl_Matrix_extractElement_INT64(&x, A, 9, 8));
    nvals_of(A);
    gbl_Matrix_free(&A);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_new(&A, GBL_INT64, TOP + 1, 1));
}

GB_TEST(hyper_objects, diag) {
    gbl_Matrix A;
    double x;
    gbl_Vector v = t_new_vector(GBL_FP64, TOP - 10);
    OK(gbl_Vector_setElement_FP64(v, 2.5, TOP - 11));
    OK(gbl_Vector_setElement_FP64(v, 3.5, 4));
    OK(gbl_Matrix_diag(&A, v, -10));
    const gbl_Index n = t_nrows(A);
    CHECK_EQ(n, TOP);
    OK(gbl_Matrix_extractElement_FP64(&x, A, TOP - 1, TOP - 11));
    CHECK(x == 2.5);
    OK(gbl_Matrix_extractElement_FP64(&x, A, 14, 4));
    CHECK(x == 3.5 && nvals_of(A) == 2);
    gbl_Matrix_free(&A);
    OK(gbl_Matrix_diag(&A, v, 3));
    OK(gbl_Matrix_extractElement_FP64(&x, A, 4, 7));
    CHECK(x == 3.5 && nvals_of(A) == 2);
    gbl_Matrix_free(&A);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&A, v, 11));
    gbl_Vector_free(&v);
}

enum { SIDE = 18 };

/* -- as bytes; what is damaged is refused */

GB_TEST(hyper_objects, serialize) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP);
        const t_Scatter cols = seed % 2 ? t_scatter(&r, SIDE, TOP) : t_same_places(SIDE);
        t_Twins p = t_twins(&r, &rows, &cols, seed == 0 ? 0.0 : 0.3);
        gbl_Index size, used;
        gbl_Matrix back = NULL;
        if (seed % 4 == 1) { /* of equal dimensions: held by columns */
            OK(gbl_transpose(p.H, NULL, NULL, p.H, NULL));
            OK(gbl_transpose(p.A, NULL, NULL, p.A, NULL));
        }
        const bool turned = seed % 4 == 1;
        OK(gbl_Matrix_serializeSize(&size, p.H));
        used = size;
        unsigned char *bytes = malloc(size);
        OK(gbl_Matrix_serialize(bytes, &used, p.H));
        CHECK_EQ(used, size);
        OK(gbl_Matrix_deserialize(&back, GBL_INT64, bytes, size));
        t_expect_twin(p.A, back, turned ? &cols : &rows, turned ? &rows : &cols);
        nvals_of(back);
        gbl_Matrix_free(&back);
        for (int k = 0; k < 200; k++) { /* any byte, and any length */
            const gbl_Index at = t_below(&r, size);
            const unsigned char kept = bytes[at];
            bytes[at] = (unsigned char)(kept ^ (1u << t_below(&r, 8)));
            FAILS(GBL_INVALID_OBJECT, gbl_Matrix_deserialize(&back, GBL_INT64, bytes, size));
            bytes[at] = kept;
            FAILS(GBL_INVALID_OBJECT, gbl_Matrix_deserialize(&back, GBL_INT64, bytes, at));
        }
        free(bytes);
        t_twins_free(&p);
    }
}

/* -- what is not lifted reads objects of ordinary dimensions as ordinary ones. A tiny build holds
 * these hypersparse; here they stand for matrices whose pointers would take gigabytes. */

enum { LONG = 2000 };

static void expect_equal(gbl_Matrix A, gbl_Matrix B) {
    enum { ROOM = 4000 };
    static gbl_Index I[2][ROOM], J[2][ROOM];
    static int64_t X[2][ROOM];
    gbl_Index n[2] = {ROOM, ROOM};
    OK(gbl_Matrix_extractTuples_INT64(I[0], J[0], X[0], &n[0], A));
    OK(gbl_Matrix_extractTuples_INT64(I[1], J[1], X[1], &n[1], B));
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(I[0], I[1], n[0] * sizeof I[0][0]) == 0);
    CHECK(memcmp(J[0], J[1], n[0] * sizeof J[0][0]) == 0);
    CHECK(memcmp(X[0], X[1], n[0] * sizeof X[0][0]) == 0);
}

GB_TEST(hyper_objects, by_need) {
    t_Random r = t_random(12);
    const t_Scatter rows = t_scatter(&r, SIDE, LONG);
    t_Twins a = t_twins(&r, &rows, &rows, 0.3), b = t_twins(&r, &rows, &rows, 0.3);
    gbl_Matrix E;
    int64_t sum;
    gbl_Matrix C = t_new_matrix(GBL_INT64, LONG, LONG), D = t_new_matrix(GBL_INT64, LONG, LONG);
    OK(gbl_Matrix_setElement_INT64(D, 4, 3, 5));
    /* a chain is its products */
    OK(gbl_mxm_chain(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64,
                     (const gbl_Matrix[]){a.H, b.H, a.H}, 3, NULL));
    OK(gbl_mxm(D, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a.H, b.H, NULL));
    OK(gbl_mxm(D, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, D, a.H, NULL));
    expect_equal(C, D);
    gbl_MxmEstimate estimate = GBL_MXM_ESTIMATE_INIT;
    OK(gbl_mxm_estimate(&estimate, GBL_PLUS_TIMES_SEMIRING_INT64, a.H, b.H, NULL));
    gbl_TileFacts tiles;
    OK(gbl_Matrix_tiles(&tiles, a.H));
    /* degrees count the entries */
    gbl_Vector w = t_new_vector(GBL_INT64, LONG);
    OK(gbl_Matrix_degrees(w, NULL, NULL, a.H, NULL));
    OK(gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, w, NULL));
    CHECK_EQ(sum, nvals_of(a.H));
    /* compressed rows, out and in; then updates, which make them stale */
    gbl_Index np, ni, nx;
    OK(gbl_Matrix_exportSize(&np, &ni, &nx, GBL_CSR_FORMAT, a.H));
    gbl_Index *p = malloc(np * sizeof *p), *i = malloc(ni * sizeof *i);
    int64_t *x = malloc(nx * sizeof *x);
    OK(gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, a.H));
    OK(gbl_Matrix_import_INT64(&E, GBL_INT64, LONG, LONG, p, i, x, np, ni, nx, GBL_CSR_FORMAT));
    expect_equal(a.H, E);
    OK(gbl_Matrix_setElement_INT64(a.H, 7, 1, 1999));
    OK(gbl_Matrix_setElement_INT64(E, 7, 1, 1999));
    expect_equal(a.H, E);
    nvals_of(a.H);
    OK(gbl_Matrix_apply(a.H, NULL, GBL_PLUS_INT64, GBL_AINV_INT64, b.H, NULL));
    OK(gbl_Matrix_apply(E, NULL, GBL_PLUS_INT64, GBL_AINV_INT64, b.H, NULL));
    expect_equal(a.H, E);
    nvals_of(a.H);
    gbl_Arrays arrays;
    OK(gbl_Matrix_moveOut(a.H, GBL_CSC_FORMAT, &arrays));
    CHECK_EQ(nvals_of(a.H), 0);
    gbl_Matrix_free(&C);
    OK(gbl_Matrix_moveIn(&C, GBL_INT64, LONG, LONG, GBL_CSC_FORMAT, &arrays));
    expect_equal(C, E);
    free(p);
    free(i);
    free(x);
    gbl_Vector_free(&w);
    gbl_Matrix_free(&C);
    gbl_Matrix_free(&D);
    gbl_Matrix_free(&E);
    t_twins_free(&a);
    t_twins_free(&b);
}

/* -- refusals: clear errors, and nothing changes */

GB_TEST(hyper_objects, refusals) {
    gbl_Index p, i, x;
    int64_t z;
    gbl_Vector v = t_new_vector(GBL_INT64, TOP), w = t_new_vector(GBL_INT64, TOP - 1);
    OK(gbl_Vector_setElement_INT64(v, 1, 1));
    FAILS(GBL_OUT_OF_MEMORY, gbl_Vector_assign_INT64(v, v, NULL, 4, GBL_ALL, 0, GBL_DESC_C));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_apply(v, NULL, NULL, GBL_AINV_INT64, w, NULL));
    OK(gbl_Vector_extractElement_INT64(&z, v, 1));
    CHECK_EQ(z, 1);
    gbl_Matrix A = t_new_matrix(GBL_INT64, TOP, TOP), B = t_new_matrix(GBL_INT64, TOP, TOP - 1);
    OK(gbl_Matrix_setElement_INT64(A, 1, 5, 5));
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, NULL));
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_mxv(v, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, B, v, NULL));
    FAILS(GBL_OUT_OF_MEMORY,
          gbl_Matrix_assign_INT64(A, A, NULL, 4, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_C));
    OK(gbl_Matrix_exportSize(&p, &i, &x, GBL_CSR_FORMAT, A));
    CHECK(p == TOP + 1 && i == 1 && x == 1);
    OK(gbl_Matrix_exportSize(&p, &i, &x, GBL_COO_FORMAT, A));
    CHECK(p == 1 && i == 1 && x == 1);
    CHECK_EQ(nvals_of(A), 1);
    gbl_Vector_free(&v);
    gbl_Vector_free(&w);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

/* -- an object that many threads read, of which the first assembles */

static void *read_it(void *handle) {
    gbl_Matrix A = handle;
    int64_t sum;
    (void)t_nvals(A);
    gbl_Matrix C = t_new_matrix(GBL_INT64, TOP, TOP);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_T1));
    OK(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    gbl_Matrix_free(&C);
    return (void *)(intptr_t)sum;
}

GB_TEST(hyper_objects, readers) {
    enum { READERS = 4, ENTRIES = 500 };
    t_Random r = t_random(8);
    gbl_Matrix A = t_new_matrix(GBL_INT64, TOP, TOP);
    for (int k = 0; k < ENTRIES; k++)
        OK(gbl_Matrix_setElement_INT64(A, k, t_below(&r, 50) << 50, t_below(&r, 90) << 40));
    pthread_t thread[READERS];
    void *sum[READERS];
    for (int t = 0; t < READERS; t++) pthread_create(&thread[t], NULL, read_it, A);
    for (int t = 0; t < READERS; t++) pthread_join(thread[t], &sum[t]);
    for (int t = 1; t < READERS; t++) CHECK(sum[t] == sum[0]);
    CHECK(sum[0] == read_it(A));
    gbl_Matrix_free(&A);
}

/* While a reader assembles, others may ask what form the object has: it is hypersparse throughout,
 * also while the former content is freed. */
static const gb_Matrix *assembled;
static int frees_seen, not_hyper;

static void looking_free(void *block) {
    if (assembled != NULL && assembled->pending != NULL) {
        frees_seen++;
        not_hyper += !gb_is_hyper(assembled);
    }
    t_free(block);
}

static void looking_setup(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, looking_free));
}

Test(hyper_readers, form_by_need, .init = looking_setup, .fini = t_brutal_teardown) {
    const gbl_Index n = (gbl_Index)1 << 27;
    gbl_Formats formats;
    gbl_Matrix A = t_new_matrix(GBL_INT64, n, n);
    for (gbl_Index k = 0; k < 20; k++) {
        OK(gbl_Matrix_setElement_INT64(A, 1, k * 1000, n - 1 - k));
        assembled = inside(A);
        CHECK_EQ(nvals_of(A), k + 1);
        assembled = NULL;
    }
    CHECK(frees_seen > 0);
    CHECK_EQ(not_hyper, 0);
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.bytes < 10000);
    gbl_Matrix_free(&A);
}

/* Few entries need row lists where the rows are far more, not where only the columns are. */
GB_TEST(hyper_objects, few_rows_are_none) {
    const gbl_Index I[] = {0, 2, 1}, J[] = {50000, 7, 40000},
                    sizes[][2] = {{3, 60000}, {60000, 3}, {60000, 60000}};
    const double X[] = {1, 2, 3};
    for (int k = 0; k < 3; k++) {
        gbl_Matrix A = t_new_matrix(GBL_FP64, sizes[k][0], sizes[k][1]), B = NULL;
        OK(gbl_Matrix_build_FP64(A, k == 1 ? J : I, k == 1 ? I : J, X, 3, NULL));
        CHECK_EQ(gb_is_hyper(&A->m), k > 0);
        OK(gb_matrix_check(&A->m));
        B = t_new_matrix(GBL_FP64, sizes[k][0], sizes[k][1]);
        OK(gbl_Matrix_setElement_FP64(B, 1, k == 1 ? 50000 : 0, k == 1 ? 0 : 50000));
        OK(gbl_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, GBL_PLUS_FP64, A, B, NULL));
        CHECK_EQ(t_nvals(B), 3);
        CHECK_EQ(gb_is_hyper(&B->m), k > 0);
        FREE(A, B);
    }
}
