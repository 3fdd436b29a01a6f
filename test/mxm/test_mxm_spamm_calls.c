/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the approximate product: threads and forms make no difference, norms are kept with a
 * matrix and go when it is written, and what a descriptor may ask for.
 */
#include "mxm/spamm_cases.h"

#include "mxm/keep_rows.h"

/* -------------------------------------------------------------------------------- threads, cache
 */

GB_TEST(mxm_spamm, same_bits_on_all_threads) {
    static const char *const specs[] = {"decay:700:alg:1.2:9", "fem:7:3", "rmat:10:20"};
    for (size_t s = 0; s < T_COUNT(specs); s++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, specs[s]);
        t_Tuples expected = {0};
        for (int32_t threads = 1; threads <= 5; threads++) {
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            gbl_Matrix C = multiply(PLUS64, A, A, &ASK(GBL_VALID_RATIO, 0.05, 16));
            t_case("%s, %d threads", specs[s], (int)threads);
            if (threads == 1) expected = t_tuples_of(C);
            t_expect_tuples(&expected, C);
            OK(gbl_Matrix_free(&C));
        }
        CHECK(expected.n > 0);
        t_tuples_free(&expected);
        OK(gbl_Matrix_free(&A));
    }
}

/* Ways to write a matrix of 90 x 90. */
static void write_element(gbl_Matrix A, int k) {
    OK(gbl_Matrix_setElement_FP64(A, 3.0 * k, (gbl_Index)(80 - 15 * k), 2));
}

static void write_part(gbl_Matrix A, int k) {
    const gbl_Index I[] = {3, 70}, J[] = {(gbl_Index)(12 * k), 85};
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 2.0 + k, I, 2, J, 2, NULL));
}

static void write_in_place(gbl_Matrix A, int k) {
    OK(gbl_Matrix_apply_BinaryOp2nd_FP64(A, NULL, NULL, GBL_TIMES_FP64, A, k % 2 ? 0.2 : 4.0,
                                         NULL));
}

static void write_product(gbl_Matrix A, int k) {
    gbl_Matrix B = t_from_spec(GBL_FP64, k % 2 ? "band:90:1" : "rect:90:90:1");
    OK(gbl_mxm(A, NULL, GBL_PLUS_FP64, PLUS64, B, B, NULL));
    OK(gbl_Matrix_free(&B));
}

static void write_transpose(gbl_Matrix A, int k) {
    (void)k;
    OK(gbl_transpose(A, NULL, NULL, A, NULL));
}

/* What a smaller matrix has lost stays lost. */
static void write_size(gbl_Matrix A, int k) {
    OK(gbl_Matrix_resize(A, (gbl_Index)(88 - 8 * k), (gbl_Index)(89 - 9 * k)));
    OK(gbl_Matrix_resize(A, 90, 90));
}

static void norms_follow(gbl_Matrix A, void (*write)(gbl_Matrix A, int k), const char *name) {
    for (int k = 0; k < 6; k++) {
        const asked how = {GBL_TAU, 0.5, 16, k % 2 == 1, k % 3 == 2, .method = GBL_DEFAULT};
        gbl_Matrix fresh = NULL;
        write(A, k);
        OK(gbl_Matrix_dup(&fresh, A));
        gbl_Matrix C = multiply(PLUS64, A, A, &how), D = multiply(PLUS64, fresh, fresh, &how);
        gbl_Matrix E = multiply(PLUS64, A, A, &how);
        t_Tuples expected = t_tuples_of(D);
        t_case("%s, write %d", name, k);
        t_expect_tuples(&expected, C);
        t_expect_tuples(&expected, E);
        CHECK(t_explain(C).error_bound == t_explain(D).error_bound);
        CHECK(t_explain(C).error_bound == t_explain(E).error_bound);
        t_tuples_free(&expected);
        FREE(C, D, E, fresh);
    }
}

/* Norms are kept with the matrix, for both of its orientations, and go when it is written. */
GB_TEST(mxm_spamm, norms_follow_content) {
    static const char *const specs[] = {"decay:90:exp:0.6:4", "band:90:12"};
    static const struct {
        const char *name;
        void (*write)(gbl_Matrix A, int k);
    } writers[] = {{"setElement", write_element},  {"assign", write_part},
                   {"apply", write_in_place},      {"mxm", write_product},
                   {"transpose", write_transpose}, {"resize", write_size}};
    for (size_t n = 0; n < T_COUNT(specs) * T_COUNT(writers); n++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, specs[n % T_COUNT(specs)]);
        norms_follow(A, writers[n / T_COUNT(specs)].write, writers[n / T_COUNT(specs)].name);
        OK(gbl_Matrix_free(&A));
    }
}

/* A matrix with an entry at every place gives the same in tiles and by rows, cast or not. */
GB_TEST(mxm_spamm, forms_agree) {
    gbl_Matrix A = t_from_spec(GBL_FP32, "decay:100:exp:0.8:4"), B = NULL, one = NULL;
    gbl_Descriptor desc = descriptor(&(asked){.method = GBL_METHOD_TILED});
    OK(gbl_Matrix_new(&B, GBL_FP32, 100, 100));
    OK(gbl_Matrix_new(&one, GBL_FP32, 100, 100));
    for (gbl_Index k = 0; k < 100; k++) OK(gbl_Matrix_setElement_FP32(one, 1.0F, k, k));
    OK(gbl_mxm(B, NULL, NULL, PLUS32, A, one, desc)); /* which leaves B in tiles */
    for (int k = 0; k < 4; k++) {
        const gbl_Semiring ring = k / 2 ? PLUS64 : PLUS32;
        const asked how = {GBL_TAU, 0.7, 16 << k % 2, false, false, .method = GBL_DEFAULT};
        gbl_Matrix C = multiply(ring, A, A, &how), D = multiply(ring, B, B, &how);
        t_Tuples expected = t_tuples_of(C);
        t_case("case %d", k);
        cr_assert_str_eq(t_explain(C).workflow, "full");
        if (k == 0) cr_assert_str_eq(t_explain(D).workflow, "tiles");
        t_expect_tuples(&expected, D);
        CHECK(t_explain(C).error_bound == t_explain(D).error_bound);
        t_tuples_free(&expected);
        FREE(C, D);
    }
    FREE(desc, A, B, one);
}

/* -------------------------------------------------------------------------------------- requests
 */

GB_TEST(mxm_spamm, fields) {
    gbl_Descriptor desc = NULL;
    gbl_Scalar s = NULL;
    double x = 7.0;
    int32_t n = 0;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Scalar_new(&s, GBL_FP64));
    CHECK_EQ(gbl_Descriptor_get_FP64(desc, &x, GBL_TAU), GBL_NO_VALUE);
    CHECK(x == 7.0);
    OK(gbl_Descriptor_set_FP64(desc, 0.25, GBL_TAU));
    OK(gbl_Descriptor_get_FP64(desc, &x, GBL_TAU));
    CHECK(x == 0.25);
    OK(gbl_Descriptor_set_FP64(desc, 0.5, GBL_VALID_RATIO)); /* which takes its place */
    CHECK_EQ(gbl_Descriptor_get_FP64(desc, &x, GBL_TAU), GBL_NO_VALUE);
    OK(gbl_Descriptor_get_Scalar(desc, s, GBL_VALID_RATIO));
    OK(gbl_Scalar_extractElement_FP64(&x, s));
    CHECK(x == 0.5);
    OK(gbl_Descriptor_set_Scalar(desc, s, GBL_ERROR_BOUND));
    OK(gbl_Descriptor_get_FP64(desc, &x, GBL_ERROR_BOUND));
    CHECK(x == 0.5);
    OK(gbl_Descriptor_set(desc, GBL_TAU, GBL_DEFAULT)); /* another one is set */
    OK(gbl_Descriptor_get_FP64(desc, &x, GBL_ERROR_BOUND));
    OK(gbl_Descriptor_set(desc, GBL_ERROR_BOUND, GBL_DEFAULT));
    CHECK_EQ(gbl_Descriptor_get_FP64(desc, &x, GBL_ERROR_BOUND), GBL_NO_VALUE);
    OK(gbl_Descriptor_set_INT32(desc, 64, GBL_SUBMATRIX));
    OK(gbl_Descriptor_get_INT32(desc, &n, GBL_SUBMATRIX));
    CHECK_EQ(n, 64);
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 48, GBL_SUBMATRIX));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 1, GBL_TAU));
    CHECK_EQ(gbl_Descriptor_get_INT32(desc, &n, GBL_TAU), GBL_NO_VALUE);
    OK(gbl_Descriptor_set_FP64(desc, 1.0, GBL_TAU));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_get_INT32(desc, &n, GBL_TAU));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_FP64(desc, -1.0, GBL_TAU));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_FP64(desc, NAN, GBL_ERROR_BOUND));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_FP64(desc, 1.5, GBL_VALID_RATIO));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_FP64(desc, 1.0, GBL_METHOD));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_get_FP64(desc, &x, GBL_METHOD));
    FAILS(GBL_ALREADY_SET, gbl_Descriptor_set_FP64(GBL_DESC_T0, 1.0, GBL_TAU));
    FAILS(GBL_NULL_POINTER, gbl_Descriptor_set_FP64(NULL, 1.0, GBL_TAU));
    FAILS(GBL_NULL_POINTER, gbl_Descriptor_get_FP64(desc, NULL, GBL_TAU));
    FREE(s, desc);
}

GB_TEST(mxm_spamm, refusals) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "fem:2:3"), C = NULL, list[2] = {A, A};
    gbl_Descriptor desc =
        descriptor(&(asked){.approximates = GBL_TAU, .value = 1.0, .method = GBL_METHOD_ROWWISE});
    OK(gbl_Matrix_new(&C, GBL_FP64, 24, 24));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_DEFAULT));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, A, desc));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc));
    FAILS(GBL_INVALID_VALUE, gbl_mxm_chain(C, NULL, NULL, PLUS64, list, 2, desc));
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = 3;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(C, NULL, NULL, PLUS64, &keep, A, A, desc));
    gbl_Matrix empty = NULL; /* makes no difference */
    OK(gbl_Matrix_new(&empty, GBL_FP64, 24, 24));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, empty, desc));
    OK(gbl_mxm(C, NULL, NULL, PLUS64, A, empty, desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_TILED));
    FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, PLUS64, A, empty, desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_DEFAULT));
    OK(gbl_Matrix_free(&empty));
    CHECK_EQ(t_nvals(C), 0);
    OK(gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    OK(gbl_mxm(C, NULL, NULL, PLUS64, A, A, NULL)); /* nobody asks */
    CHECK(strcmp(t_explain(C).method, "spamm") != 0);
    CHECK(t_explain(C).submatrix == 0 && t_explain(C).error_bound == 0.0);
    FREE(desc, A, C);
}

/* -------------------------------------------------------------------------------- failing memory
 */

/* C += A * B with one failing allocation: it fails and C stays as it was, or it is right. */
static bool attempt(const char *const specs[2], gbl_Type type, int64_t n, const asked *how) {
    gbl_Matrix A = t_from_spec(type, specs[0]), B = t_from_spec(type, specs[1]), C = NULL;
    gbl_Descriptor desc = descriptor(how);
    OK(gbl_Matrix_dup(&C, A));
    t_Tuples before = t_tuples_of(C);
    t_case("%s * %s, allocation %lld fails", specs[0], specs[1], (long long)n);
    bool failed;
    const gbl_Info info = FAIL_AT(n, gbl_mxm(C, NULL, GBL_PLUS_FP64, PLUS64, A, B, desc), &failed);
    if (info == GBL_OUT_OF_MEMORY) {
        CHECK(gbl_last_error()[0] != '\0');
        t_expect_tuples(&before, C);
        OK(gbl_mxm(C, NULL, GBL_PLUS_FP64, PLUS64, A, B, desc));
    }
    t_tuples_free(&before);
    gbl_Matrix D = t_from_spec(type, specs[0]);
    OK(gbl_mxm(D, NULL, GBL_PLUS_FP64, PLUS64, A, B, desc));
    t_Tuples expected = t_tuples_of(D);
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    FREE(desc, A, B, C, D);
    return failed;
}

Test(mxm_spamm, brutal, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    static const char *const specs[][2] = {{"decay:50:exp:0.7:2", "decay:50:exp:0.9:3"},
                                           {"fem:2:5", "band:40:7"}};
    for (size_t k = 0; k < T_COUNT(specs); k++)
        for (int cast = 0; cast < 2; cast++) {
            int64_t n = 1;
            while (n < 1000 &&
                   attempt(specs[k], cast ? GBL_FP32 : GBL_FP64, n, &ASK(GBL_ERROR_BOUND, 0.3, 16)))
                n++;
            CHECK(n > 10 && n < 1000);
        }
}

/* Entries scattered so widely that copies of their sub-matrices would take more than there is;
 * where cases are sampled a tenth of them, more than a limit. */
GB_TEST(mxm_spamm, scattered) {
    const gbl_Index n = t_samples() ? 400000 : 4000000;
    gbl_Matrix A =
        t_from_spec(GBL_FP64, t_samples() ? "rect:400000:400000:1" : "rect:4000000:4000000:1");
    gbl_Descriptor desc = descriptor(&(asked){.side = 64, .method = GBL_METHOD_SPAMM});
    OK(gbl_Global_set_INT64(GBL_GLOBAL, (int64_t)4 << 30, GBL_MEMORY_LIMIT));
    gbl_Matrix C = t_new_matrix(GBL_FP64, n, n);
    FAILS(GBL_OUT_OF_MEMORY, gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    if (!t_samples()) FAILS(GBL_OUT_OF_MEMORY, gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    FREE(desc, A, C);
}

/* One entry in each tile of the first `tiles` rows of tiles. */
static gbl_Matrix one_a_tile(gbl_Index rows, gbl_Index tiles, gbl_Index columns) {
    const gbl_Index n = tiles * columns;
    gbl_Index *I = malloc(n * sizeof *I), *J = malloc(n * sizeof *J);
    float *X = malloc(n * sizeof *X);
    for (gbl_Index k = 0; k < n; k++) {
        I[k] = k / columns * 16;
        J[k] = k % columns * 16;
        X[k] = 1.0F + (float)(k % 3);
    }
    gbl_Matrix A = t_new_matrix(GBL_FP32, rows, columns * 16);
    OK(gbl_Matrix_build_FP32(A, I, J, X, n, NULL));
    free(I);
    free(J);
    free(X);
    return A;
}

/* -- what a product holds beside C stays below the least limit under which it succeeds */

/* All products are in few rows, and patterns are an eighth of the copies. */
static void few_rows(gbl_Matrix *A, gbl_Matrix *B) {
    enum { TILES = 250 };
    *A = one_a_tile(64000, 8, TILES);
    *B = one_a_tile(TILES * 16, TILES, TILES);
    t_keep_rows(*A);
    t_keep_rows(*B);
}

/* Factors that are rounded are there twice: rounded, which is counted before, and as copies. */
static void full_factors(gbl_Matrix *A, gbl_Matrix *B) {
    *A = full_matrix(GBL_FP32, 16, 512, 1);
    *B = full_matrix(GBL_FP32, 512, 512, 2);
}

typedef struct {
    void (*make)(gbl_Matrix *A, gbl_Matrix *B);
    gbl_Desc_Value rounding;
    int64_t least, most; /* limits: too low, enough */
} Limits;

static bool succeeds(const Limits *of, int64_t limit) {
    gbl_Matrix A = NULL, B = NULL;
    gbl_Descriptor desc = descriptor(&ASK(GBL_TAU, 0.0, 16));
    int64_t peak, after;
    OK(gbl_Descriptor_set(desc, GBL_ROUND_FACTORS, of->rounding));
    of->make(&A, &B);
    const gbl_Index rows = t_nrows(A), columns = t_ncols(B);
    gbl_Matrix C = t_new_matrix(GBL_FP32, rows, columns);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_BYTES_PEAK));
    const gbl_Info info = gbl_mxm(C, NULL, NULL, PLUS32, A, B, desc);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_BYTES_PEAK));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_BYTES_IN_USE));
    t_case("limit %lld, %lld beside C", (long long)limit, (long long)(peak - after));
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY || info == GBL_INSUFFICIENT_SPACE);
    CHECK(peak - after <= limit);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    FREE(desc, A, B, C);
    return info == GBL_SUCCESS;
}

/* Where cases are sampled, one limit that is enough and one that is not will do. */
static void find_least(const Limits *of) {
    int64_t low = of->least, high = of->most;
    while (high - low > (of->most - of->least) / 60 &&
           !(t_samples() && high < of->most && low > of->least)) {
        const int64_t limit = (low + high) / 2;
        if (succeeds(of, limit))
            high = limit;
        else
            low = limit;
    }
    CHECK(high < of->most && low > of->least); /* some of both */
}

GB_TEST(mxm_spamm, memory_limit_holds) {
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
    find_least(&(Limits){few_rows, GBL_DEFAULT, (int64_t)60 << 20, (int64_t)120 << 20});
    find_least(&(Limits){full_factors, GBL_ROUND_TF32, (int64_t)1 << 19, (int64_t)4 << 20});
}
